"""The line between what is installed for others and what is ours: public headers include public ones alone, and declare in
namespace slipstick; all others declare in slipstick::internal. What comes from a package is included by those who name it."""

import os
import re

from module_table import public_headers, read_modules, usable_packages
from source_tree import files_under, read_lines

# Beginnings of the headers of each package that src/CMakeLists.txt may name.
PACKAGE_HEADERS = {
    "Eigen/": "Eigen3::Eigen", "fmt/": "fmt::fmt", "yaml-cpp/": "yaml-cpp", "nlohmann/": "nlohmann_json::nlohmann_json",
    "tinyxml2.h": "tinyxml2::tinyxml2", "assimp/": "assimp::assimp", "hdf5.h": "${HDF5_C_LIBRARIES}",
    "H5": "${HDF5_C_LIBRARIES}", "zlib.h": "ZLIB::ZLIB", "httplib.h": "cpp-httplib", "cvode/": "sundials_cvode",
    "sundials/": "sundials_cvode", "nvector/": "sundials_nvecserial", "sunnonlinsol/": "sundials_sunnonlinsolfixedpoint",
    # headers alone, found with the JSON library that they are used with
    "valijson/": "nlohmann_json::nlohmann_json",
}
INCLUDE = re.compile(r'\s*#\s*include\s*["<]([^">]+)[">]')


def package_of(header):
    return next((package for beginning, package in PACKAGE_HEADERS.items() if header.startswith(beginning)), None)


def check_includes(root):
    """Public headers see public ones and public packages; every file sees the packages of its folder."""
    faults, modules = [], read_modules(root)
    public = public_headers(modules)
    for name in sorted(public):
        if not os.path.exists(os.path.join(root, "src", name)):
            faults.append(f"src/CMakeLists.txt: there is no src/{name}, though it is public")
    for path in files_under(root, ["src"], {".h", ".cpp"}):
        name = os.path.relpath(path, "src")
        folder = os.path.dirname(name)
        if folder not in modules:
            continue  # include_check tells
        for number, line in enumerate(read_lines(root, path), 1):
            include = INCLUDE.match(line)
            if not include:
                continue
            package = package_of(include[1])
            if include[1].startswith("slipstick/"):
                if name in public and include[1].removeprefix("slipstick/") not in public:
                    faults.append(f"{path}:{number}: a public header includes {include[1]}, which is not installed")
            elif package and package not in usable_packages(modules, folder):
                faults.append(f"{path}:{number}: {package} is not among the packages of {folder} in src/CMakeLists.txt")
            elif package and name in public and package in modules[folder]["PRIVATE_PACKAGES"]:
                faults.append(f"{path}:{number}: a public header includes <{include[1]}> of a package that {folder} hides")
    return faults


def outer_text(lines):
    """(number, line) of what stands outside of every namespace, without comments, blank lines and the preprocessor's."""
    found, depth, goes_on = [], 0, False
    for number, line in enumerate(lines, 1):
        bare = re.sub(r"//.*", "", line).rstrip()
        is_directive = goes_on or bare.lstrip().startswith("#")
        goes_on = is_directive and bare.endswith("\\")
        if is_directive or not bare:
            continue
        if depth == 0 and not bare.startswith("namespace "):
            found.append((number, bare))
        without_literals = re.sub(r"'(?:\\.|[^'\\])'|\"(?:\\.|[^\"\\])*\"", "", bare)
        depth += without_literals.count("{") - without_literals.count("}")
    return found


def names_types_alone(lines):
    """Whether a namespace that begins before these lines has nothing but names of types that are declared elsewhere."""
    for line in lines:
        if line.startswith("}"):
            return True
        if not re.fullmatch(r"(class|struct) \w+;", line):
            return False
    return False


def check_namespaces(root):
    faults = []
    public = public_headers(read_modules(root))
    for path in files_under(root, ["src"], {".h"}):
        wanted = "slipstick" if os.path.relpath(path, "src") in public else "slipstick::internal"
        lines = read_lines(root, path)
        for number, line in enumerate(lines, 1):
            opened = re.match(r"\s*(?:inline )?namespace\s+([\w:]+)\s*\{", line)
            if opened and opened[1] == "internal" and wanted == "slipstick" and names_types_alone(lines[number:]):
                continue
            if opened and opened[1] != wanted:
                faults.append(f"{path}:{number}: declares in {opened[1]}; this header's names belong to {wanted}")
        for number, line in outer_text(lines):
            faults.append(f"{path}:{number}: outside of {wanted}: {line}")
    return faults


def check(root):
    return check_includes(root) + check_namespaces(root)
