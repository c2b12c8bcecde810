import os
import re
import unittest

from command_line import BALL, CommandLineTest

# (what is wrong, text of the ball's scene, text in its place, line of the fault, key, words of the message)
FAULTS = [
    ("negative mass", "mass: 2", "mass: -1", 11, "bodies.ball.mass", ["above 0", "kg", "-1"]),
    ("mass is a text", "mass: 2", "mass: heavy", 11, "bodies.ball.mass", ["number", "heavy"]),
    ("mass not a number", "mass: 2", "mass: .nan", 11, "bodies.ball.mass", ["number"]),
    ("mass infinite", "mass: 2", "mass: .inf", 11, "bodies.ball.mass", ["number"]),
    ("no mass at all", "    mass: 2\n", "", None, "bodies.ball", ["mass", "density"]),
    ("unknown key of a body", "mass: 2", "mass: 2\n    colour: red", 12, "bodies.ball.colour", ["colour", "velocity"]),
    ("unknown key on top", "law: coulomb", "law: coulomb\nlaww: box", 17, "laww", ["laww"]),
    ("unknown law", "law: coulomb", "law: colomb", 16, "law", ["coulomb", "colomb"]),
    ("unknown setting of the law", "law: coulomb", "law: {name: box, vth: 1}", 16, "law.vth", ["bounds", "vth"]),
    ("setting out of range", "law: coulomb", "law: {name: polygonal, sides: 2}", 16, "law.sides", ["64", "2"]),
    ("unknown solver", "law: coulomb", "solver: quick", 16, "solver", ["lemke", "quick"]),
    ("solver of another kind", "law: coulomb", "law: coulomb\nsolver: lemke", 17, "solver",
     ["gauss-seidel-newton", "lemke"]),
    ("step zero", "step: 0.001", "step: 0", 18, "stepper.step", ["above 0", "found 0"]),
    ("step too long", "step: 0.001", "step: 2", 18, "stepper.step", ["at most 1", "2"]),
    ("negative duration", "duration: 0.05", "duration: -1", 19, "stepper.duration", ["at least 0", "-1"]),
    ("duration below half a step", "duration: 0.05", "duration: 0.0004", 19, "stepper.duration", ["0.001 s", "0.0004"]),
    ("samples between steps", "law: coulomb", "output: {every: 0.0025}", 16, "output.every",
     ["0.002 or 0.003 s", "0.0025"]),
    ("unknown stepper", "stepper:\n", "stepper:\n  name: exact\n", 18, "stepper", ["time-stepping", "exact"]),
    ("unknown stepper setting", "step: 0.001", "step: 0.001\n  stepp: 1", 19, "stepper.stepp", ["stepp"]),
    ("vector too short", "[1, 0, 0]", "[1, 0]", 13, "bodies.ball.velocity", ["3", "2"]),
    ("unknown shape", "type: sphere", "type: ball", 15, "bodies.ball.shapes.0.type", ["sphere", "ball"]),
    ("radius missing", ", radius: 0.1", "", 15, "bodies.ball.shapes.0", ["radius"]),
    ("radius zero", "radius: 0.1", "radius: 0", 15, "bodies.ball.shapes.0.radius", ["above 0", "0"]),
    ("unknown material", "type: sphere", "type: sphere, material: ice", 15, "bodies.ball.shapes.0.material", ["ice"]),
    ("negative friction", "friction: 0.3", "friction: -0.3", 5, "materials.default.friction", ["at least 0", "-0.3"]),
    ("restitution above 1", "friction: 0.3", "restitution: 1.5", 5, "materials.default.restitution", ["1.5"]),
    ("other format", "slipstick-scene 1", "slipstick-scene 9", 1, "format", ["slipstick-scene 1", "slipstick-scene 9"]),
    ("format missing", "format: slipstick-scene 1\n", "", None, "format", ["slipstick-scene 1"]),
    ("formula broken", "[1, 0, 0]", "[1+, 0, 0]", 13, "bodies.ball.velocity", ["1+"]),
    ("key twice", "mass: 2", "mass: 2\n    mass: 3", 12, "bodies.ball.mass", ["mass"]),
    ("bodies not a list", "bodies:\n", "bodies: 3\nforces:\n", 9, "bodies", ["list", "3"]),
    ("joint to nobody", "law: coulomb", "joints: [{name: hinge, type: revolute, child: bal}]", 16, "joints.hinge.child",
     ["bal"]),
    ("force on nobody", "law: coulomb", "forces: [{body: box, force: [1, 0, 0]}]", 16, "forces.0.body", ["box"]),
    ("unknown certificate setting", "law: coulomb", "certificate: {laws: 1}", 16, "certificate.laws", ["momentum"]),
    ("not YAML", "gravity: [0, 0, -9.81]", "gravity: [0, 0, -9.81", None, "", []),
]


class BadScenes(CommandLineTest):
    def test_every_fault_names_file_line_key_expected_found(self):
        for what, right, wrong, line, key, words in FAULTS:
            with self.subTest(what):
                self.assertEqual(BALL.count(right), 1, right)
                self.write("ball.yaml", BALL.replace(right, wrong))
                message = self.refused("run", "ball.yaml", "-o", "out")
                self.assertIn("ball.yaml", message)
                place = rf"ball\.yaml:{line}: " if line else r"ball\.yaml(:\d+)?: "
                self.assertRegex(message, place + re.escape(key))
                self.assertRegex(message, "expected .*found ")
                fault = next(text for text in message.splitlines() if re.search(place + re.escape(key), text))
                for word in words:
                    self.assertIn(word, fault)

    def test_all_faults_at_once(self):
        text = BALL.replace("mass: 2", "mass: -1").replace("radius: 0.1", "radius: 0").replace("[1, 0, 0]", "[1, 0]")
        self.write("ball.yaml", text)
        message = self.refused("run", "ball.yaml", "-o", "out")
        self.assertIn("3 faults", message)
        for key in ("bodies.ball.mass", "bodies.ball.shapes.0.radius", "bodies.ball.velocity"):
            self.assertIn(key, message)

    def test_settings_at_once(self):
        text = BALL.replace("law: coulomb", "law: {name: box, vth: 1, bounds: never}").replace("step: 0.001", "step: 0")
        self.write("ball.yaml", text)
        message = self.refused("run", "ball.yaml", "-o", "out")
        for key in ("law.vth", "law.bounds", "stepper.step"):
            self.assertIn(key, message)

    def test_odd_files(self):
        for name, data in (("empty.yaml", b""), ("binary.yaml", bytes(range(256)) * 10), ("list.yaml", b"- 1\n- 2\n"),
                           ("latin.yaml", BALL.replace("A ball", "Br\u00fccke").encode("latin-1"))):
            with self.subTest(name):
                (self.folder / name).write_bytes(data)
                self.assertIn(name, self.refused("run", name, "-o", "out"))

    def test_missing_and_unreadable_files(self):
        self.assertIn("nowhere.yaml", self.refused("run", "nowhere.yaml", "-o", "out"))
        (self.folder / "folder.yaml").mkdir()
        self.assertIn("folder.yaml", self.refused("run", "folder.yaml", "-o", "out"))


class BadCommands(CommandLineTest):
    def test_unknown_scene_suggests_the_nearest(self):
        message = self.refused("run", "whel", "-o", "out")
        self.assertIn("'wheel'", message)
        self.assertIn("'whel'", message)

    def test_bad_set(self):
        for given, words in (("nonsense", ["KEY=VALUE", "nonsense"]), ("=3", ["KEY=VALUE"]),
                             ("bodies.whel.mass=2", ["whel", "wheel"]), ("bodies.wheel.mss=2", ["mss", "mass"]),
                             ("bodies.wheel.mass=-2", ["bodies.wheel.mass", "above 0", "-2"]),
                             ("bodies.wheel.mass=[", ["bodies.wheel.mass"]), ("bodies.7.mass=2", ["7"]),
                             ("law.sides=4", ["law.sides", "bounds"]), ("gravity.3=1", ["gravity.3"]),
                             ("output.every=-1", ["output.every"])):
            with self.subTest(given):
                message = self.refused("run", "wheel", "--set", given, "-o", "out")
                for word in ["--set", *words]:
                    self.assertIn(word, message)

    def test_bad_choice_of_problems_to_save(self):
        self.write("ball.yaml", BALL)
        for choice in ("", "all", "every=0", "worst=many", "every=1,every=2"):
            with self.subTest(choice):
                message = self.refused("run", "ball.yaml", "-o", "out", "--save-problems", choice)
                self.assertIn("--save-problems", message)
                self.assertIn("expected", message)

    def test_bad_law_and_solver(self):
        message = self.refused("run", "wheel", "--law", "colomb", "-o", "out")
        self.assertIn("coulomb", message)
        self.assertIn("'colomb'", message)
        self.assertIn("gauss-seidel-newton", self.refused("run", "wheel", "--solver", "fast", "-o", "out"))
        for law, solver in (("coulomb", "lemke"), ("coulomb", "block-pivoting"), ("liang", "lemke"),
                            ("box", "gauss-seidel-newton"), ("polygonal", "gauss-seidel-newton")):
            message = self.refused("run", "wheel", "--law", law, "--solver", solver, "-o", "out")
            self.assertIn(f"'{law}'", message)
            self.assertIn(f"'{solver}'", message)

    def test_bad_numbers(self):
        for option, value in (("--step", "abc"), ("--step", "0"), ("--step", "-1"), ("--time", "soon"), ("--time", "-1"),
                              ("--step", "nan"), ("--time", "inf")):
            with self.subTest(f"{option} {value}"):
                message = self.refused("run", "wheel", f"{option}={value}", "-o", "out")
                self.assertIn("stepper." + ("step" if option == "--step" else "duration"), message)

    def test_endless_runs_are_refused(self):
        message = self.refused("run", "wheel", "--step", "1e-12", "--time", "1e6", "-o", "out")
        self.assertIn("stepper.duration", message)
        self.assertIn("1e-12", message)
        self.refused("run", "wheel", "--step", "1e-300", "--time", "1e9", "-o", "out")
        # many steps are a matter of patience, many samples one of memory
        self.write("ball.yaml", BALL)
        message = self.refused("run", "ball.yaml", "--step", "1e-6", "--time", "1000", "-o", "out")
        self.assertIn("output.every", message)

    def test_unwritable_output(self):
        self.write("ball.yaml", BALL)
        self.write("file", "not a folder")
        for command in (["run", "ball.yaml"], ["compare", "ball.yaml", "--laws", "box"]):
            for place in ("file", "file/below", "/dev/null/out"):
                message = self.refused(*command, "-q", "-o", place)
                self.assertIn(place, message)

    @unittest.skipIf(os.geteuid() == 0, "no folder is closed to the superuser, so a refusal cannot be brought about")
    def test_output_folder_without_permission(self):
        self.write("ball.yaml", BALL)
        (self.folder / "locked").mkdir(mode=0o500)
        self.assertIn("locked", self.refused("run", "ball.yaml", "-q", "-o", "locked/out"))

    def test_bad_arguments(self):
        self.assertIn("run, compare", self.refused())
        message = self.refused("frobnicate")
        self.assertIn("'frobnicate'", message)
        self.assertIn("run, compare", message)
        self.assertIn("SCENE", self.refused("run"))
        self.assertIn("--frob", self.refused("run", "wheel", "--frob"))
        self.assertIn("--laws", self.refused("compare", "wheel"))
        self.assertIn("'nothing'", self.refused("reproduce", "nothing"))
        self.assertIn("'wheel' again", self.refused("reproduce", "wheel", "bristle", "wheel"))
        self.assertIn("--set", self.refused("run", "wheel", "--set"))

    def test_compare_checks_all_laws_before_it_runs(self):
        message = self.refused("compare", "wheel", "--laws", "box,colomb,boxx", "-o", "out")
        self.assertIn("colomb", message)
        self.assertIn("boxx", message)
        self.assertIn("stepper.step", self.refused("compare", "wheel", "--laws", "box@never", "-o", "out"))
        self.assertIn("nobody", self.refused("compare", "wheel", "--laws", "box", "--reference", "nobody", "-o", "out"))

    def test_compare_labels(self):
        for laws in ("coulomb@", "@0.002", "box,@", "coulomb@,box"):
            with self.subTest(laws):
                self.assertIn("LAW@STEP", self.refused("compare", "wheel", "--laws", laws, "-o", "out"))
        self.assertIn("LAW@STEP", self.refused("compare", "wheel", "--laws", "box", "--reference", "box@", "-o", "out"))
        for laws in ("box,box", "box@0.001,coulomb,box@0.001"):
            self.assertIn("again", self.refused("compare", "wheel", "--laws", laws, "-o", "out"))

    def test_compare_needs_samples_at_equal_times(self):
        self.write("ball.yaml", BALL)
        # 0.00061 is no part of 0.001, the longest step; nor of the scene's own sampling, 0.01
        for scene in ("ball.yaml", "slope"):
            message = self.refused("compare", scene, "--laws", "coulomb@0.001,box@0.00061", "--time", "0.05", "-o", "out")
            self.assertIn("box@0.00061: stepper.step", message)
            self.assertIn("such as", message)
            self.assertNotIn("coulomb@0.001:", message)

    def test_results_that_cannot_be_replaced(self):
        self.write("ball.yaml", BALL)
        (self.folder / "out/summary.json/inside").mkdir(parents=True)
        (self.folder / "c/summary.json/inside").mkdir(parents=True)
        for command in (["run", "ball.yaml", "-o", "out"], ["compare", "ball.yaml", "--laws", "box", "-o", "c"]):
            done = self.slipstick(*command)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("summary.json", done.stderr)
            self.assertNotIn("internal error", done.stderr)
