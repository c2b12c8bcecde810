"""The structure checks find the faults they are there for, and only those, in small trees made for the purpose."""

import os
import stat
import tempfile
import unittest

import docs_check
import header_check
import include_check
import module_table
import text_check

MODULES = """
slipstick_module(base PACKAGES Eigen3::Eigen)
slipstick_module(scene LINKS base)
slipstick_module(model LINKS base scene PRIVATE_PACKAGES fmt::fmt)  # LINKS solver
slipstick_module(program LINKS base)
slipstick_module(law LINKS base program solver)
slipstick_module(solver LINKS base
  program)
slipstick_module(stepping LINKS base model law solver)
"""


class TreeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name

    def write(self, path, text=""):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def write_program(self, text):
        path = self.write("program", "#!/bin/sh\n" + text)
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    def assert_one_fault(self, faults, *parts):
        self.assertEqual(len(faults), 1, faults)
        for part in parts:
            self.assertIn(part, faults[0])


class IncludeTest(TreeTest):
    def setUp(self):
        super().setUp()
        self.write("src/CMakeLists.txt", MODULES)
        for folder in ("base", "scene", "model", "program", "law", "solver", "stepping"):
            self.write(f"src/{folder}/one.h", "#pragma once\n#include <vector>\n")

    def faults_of(self, path, include):
        self.write(path, f"#pragma once\n#include {include}\n")
        return include_check.check(self.root)

    def test_reads_links_and_nothing_else(self):
        table = include_check.allowed_folders(module_table.parse_modules(MODULES))
        self.assertEqual(table["model"], {"base", "scene"})
        self.assertEqual(table["solver"], {"base", "program"})
        self.assertEqual(table["base"], set())

    def test_allowed(self):
        self.assertEqual(self.faults_of("src/solver/two.cpp", '"slipstick/program/one.h"'), [])
        self.assertEqual(self.faults_of("src/solver/two.cpp", '"slipstick/solver/one.h"'), [])

    def test_not_among_links(self):
        self.assert_one_fault(self.faults_of("src/base/two.h", '"slipstick/scene/one.h"'), "src/base/two.h:2", "LINKS")
        self.assert_one_fault(self.faults_of("src/base/two.h", "<slipstick/scene/one.h>"), "src/base/two.h:2", "LINKS")

    def test_law_and_solver_stay_apart_even_if_linked(self):
        self.assert_one_fault(self.faults_of("src/law/two.h", '"slipstick/solver/one.h"'), "laws know programs")

    def test_scene_only_where_it_is_compiled(self):
        self.assertEqual(self.faults_of("src/model/compile_scene.cpp", '"slipstick/scene/one.h"'), [])
        self.assertEqual(self.faults_of("src/model/compile.h", '"slipstick/scene/one.h"'), [])
        self.assert_one_fault(self.faults_of("src/model/state.h", '"slipstick/scene/one.h"'), "src/model/state.h:2")

    def test_stepping_never_sees_the_scene(self):
        self.write("src/CMakeLists.txt", MODULES.replace("stepping LINKS", "stepping LINKS scene"))
        self.assert_one_fault(self.faults_of("src/stepping/two.h", '"slipstick/scene/one.h"'), "stepped")

    def test_spelling_and_existence(self):
        self.assert_one_fault(self.faults_of("src/base/two.h", '"one.h"'), "src/base/two.h:2")
        self.assert_one_fault(self.faults_of("src/base/two.h", '"slipstick/base/three.h"'), "there is no")

    def test_circle(self):
        self.assertEqual(include_check.find_cycle({"a": {"b"}, "b": {"c"}, "c": set()}), [])
        self.assertEqual(include_check.find_cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}), ["b", "c", "b"])


class HeaderTest(TreeTest):
    PUBLIC = "#pragma once\n#include <Eigen/Core>\n#include <vector>\n\nnamespace slipstick {\n\nstruct One {};\n\n}\n"
    PRIVATE = "#pragma once\n#define TWO(x) \\\n  x\nnamespace slipstick::internal {\nchar Two() { return '{'; }\n}  // namespace\n"

    def setUp(self):
        super().setUp()
        self.write("src/CMakeLists.txt", "slipstick_module(base PACKAGES Eigen3::Eigen PRIVATE_PACKAGES fmt::fmt PUBLIC_HEADERS one.h)\n"
                   "slipstick_module(scene LINKS base)\n")
        self.write("src/base/one.h", self.PUBLIC)
        self.write("src/base/two.h", self.PRIVATE)
        self.write("src/base/two.cpp", "#include <fmt/format.h>\n")
        self.write("src/scene/three.h", self.PRIVATE.replace("<vector>", "<Eigen/LU>"))

    def test_fine(self):
        self.assertEqual(header_check.check(self.root), [])

    def test_public_headers_exist(self):
        os.remove(os.path.join(self.root, "src/base/one.h"))
        self.assert_one_fault(header_check.check(self.root), "src/base/one.h")

    def test_public_headers_include_public_ones(self):
        self.write("src/base/one.h", self.PUBLIC.replace("<vector>", '"slipstick/base/two.h"'))
        self.assert_one_fault(header_check.check(self.root), "src/base/one.h:3", "not installed")
        self.write("src/base/one.h", self.PUBLIC.replace("<vector>", "<fmt/format.h>"))
        self.assert_one_fault(header_check.check(self.root), "src/base/one.h:3", "hides")

    def test_packages_are_named(self):
        self.write("src/base/two.cpp", "\n#include <hdf5.h>\n")
        self.assert_one_fault(header_check.check(self.root), "src/base/two.cpp:2", "HDF5")
        self.write("src/base/two.cpp", "")
        self.write("src/scene/three.cpp", "#include <fmt/format.h>\n")
        self.assert_one_fault(header_check.check(self.root), "src/scene/three.cpp:1", "fmt::fmt")

    def test_namespaces(self):
        self.write("src/base/one.h", self.PUBLIC.replace("slipstick {", "slipstick::internal {"))
        self.assert_one_fault(header_check.check(self.root), "src/base/one.h:5", "belong to slipstick")
        self.write("src/base/one.h", self.PUBLIC)
        self.write("src/base/two.h", self.PRIVATE.replace("slipstick::internal {", "slipstick {"))
        self.assert_one_fault(header_check.check(self.root), "src/base/two.h:4", "slipstick::internal")

    def test_nothing_outside(self):
        self.write("src/base/one.h", self.PUBLIC + "int x;\n")
        self.assert_one_fault(header_check.check(self.root), "src/base/one.h:10", "int x;")


class TextTest(TreeTest):
    def test_lengths(self):
        self.write("src/base/just.h", "x\n" * 600)
        self.write("src/base/data.txt", "x\n" * 900)
        self.assertEqual(text_check.check_lengths(self.root), [])
        self.write("viewer/src/long.ts", "x\n" * 601)
        self.assert_one_fault(text_check.check_lengths(self.root), "viewer/src/long.ts: 601 lines")

    def test_words(self):
        self.write("src/base/fine.h", "// a mastodon; see docs/wo" + "rk/energy.md, https://example.org/home/page, ../tmp/x\n")
        self.write("viewer/node_modules/theirs.js", "// TO" + "DO\n")
        self.assertEqual(text_check.check_words(self.root), [])
        self.write("src/base/open.h", "\n// TO" + "DO: later\n")
        self.assert_one_fault(text_check.check_words(self.root), "src/base/open.h:2")

    def test_machine_paths(self):
        self.write("tools/convert", 'cp "/ho' + 'me/someone/data" .\n')
        self.assert_one_fault(text_check.check_words(self.root), "tools/convert:1", "someone")

    def test_scenes(self):
        self.assertEqual(text_check.check_scenes(self.root), [])
        self.write("scenes/box.yaml")
        self.assert_one_fault(text_check.check_scenes(self.root), "missing")
        self.write("docs/scenes.md", "| `box-stack` |")
        self.assert_one_fault(text_check.check_scenes(self.root), "scenes/box.yaml")
        self.write("docs/scenes.md", "| `box` |")
        self.assertEqual(text_check.check_scenes(self.root), [])


class DocsTest(TreeTest):
    def setUp(self):
        super().setUp()
        self.write("README.md", "# Slip and stick\n")
        self.write("ARCHITECTURE.md")
        self.write("src/stepping/simulation.h")
        self.write("scenes/wheel.yaml")
        self.write("run")

    def test_required(self):
        os.remove(os.path.join(self.root, "ARCHITECTURE.md"))
        self.assert_one_fault(docs_check.check_paths(self.root), "ARCHITECTURE.md is missing")

    def test_paths_that_exist_or_are_none(self):
        self.write("docs/guide.md", "`src/stepping/simulation.h:12` `stepping/simulation.h` `simulation.h` `./run` `scenes/` "
                   "`src/*/simulation.{h}` `out/wheel/report.html` `report.html` `a/b` `Φ/h` `v/2` `--law` `--set a=b` "
                   "`src/<folder>/x.h`\n[top](../README.md#slip-and-stick) [web](https://example.org/none) `[a](b)`\n"
                   "```cpp\n`src/none.h`\n```\n")
        self.assertEqual(docs_check.check_paths(self.root), [])

    def test_paths_that_do_not_exist(self):
        for text in ("`src/none.h`", "`stepping/none.h`", "`none.cpp`", "`./none`", "`scenes/*.urdf`", "[a](none.md)",
                     "[a](../README.md#none)", "[a](#none)", "`src/stepping/simulation.{h,cpp}`"):
            with self.subTest(text):
                self.write("docs/guide.md", f"first line\n{text}\n")
                self.assert_one_fault(docs_check.check_paths(self.root), "docs/guide.md:2")

    def test_commands(self):
        binary = self.write_program(
            'case "$1" in\n'
            "--help) printf 'Options:\\n  -h,--help x\\n\\nSubcommands:\\n  list  scenes\\n  run  a scene\\n';;\n"
            "run) echo '  --law TEXT';;\nesac\n")
        self.write("docs/guide.md", "`slipstick list`, slipstick simulates\n```sh\n$ slipstick run wheel --law a -o b  # --c\n"
                   "./run list --help\n```\n```cpp\nslipstick none\n```\n")
        self.assertEqual(docs_check.check_commands(self.root, binary), [])
        self.write("docs/guide.md", "`slipstick fly`\n")
        self.assert_one_fault(docs_check.check_commands(self.root, binary), "docs/guide.md:1", "fly")
        self.write("docs/guide.md", "```\n./run run wheel --lawless x\n```\n")
        self.assert_one_fault(docs_check.check_commands(self.root, binary), "docs/guide.md:2", "--lawless")

    def test_settings(self):
        binary = self.write_program("""echo '{"laws": [{"name": "a", "settings": [{"name": "vth"}]}],
            "solvers": {"b": {"settings": {"limit": 1}}}}'\n""")
        self.write("docs/methods.md", "| law | x |\n|--|--|\n| `none` | |\n\n"
                   "| setting | unit |\n|---|---|\n| `vth` | `none` |\n| `law.limit` | |\n")
        self.assertEqual(docs_check.check_settings(self.root, binary), [])
        self.write("docs/methods.md", "| setting | unit |\n|---|---|\n| `viscosity` | |\n")
        self.assert_one_fault(docs_check.check_settings(self.root, binary), "docs/methods.md:3", "viscosity")

    def test_materials(self):
        binary = self.write_program("""echo '{"material_properties": {
            "grip": {"default": 0.5, "combination": "the larger"}, "give": {"default": ".inf", "unit": "N/m"}}}'\n""")
        head = "| property | range | default | of two |\n|---|---|---|---|\n"
        grip, give = "| `grip` | ≥ 0 | 0.5 | the larger |\n", "| `give` | > 0 N/m | `.inf` | see `grip` |\n"
        self.write("docs/scene-format.md", head + grip + give)
        self.assertEqual(docs_check.check_materials(self.root, binary), [])
        self.write("docs/scene-format.md", head + grip)
        self.assert_one_fault(docs_check.check_materials(self.root, binary), "docs/scene-format.md", "give")
        self.write("docs/scene-format.md", head + grip + grip + give)
        self.assert_one_fault(docs_check.check_materials(self.root, binary), "docs/scene-format.md:4", "twice")
        for right, wrong in (("N/m", "N"), ("0.5", "0.4"), ("larger", "smaller")):
            self.write("docs/scene-format.md", head + (grip + give).replace(right, wrong))
            self.assert_one_fault(docs_check.check_materials(self.root, binary), "docs/scene-format.md:", right)


if __name__ == "__main__":
    unittest.main()
