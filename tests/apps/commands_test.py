import json
import unicodedata

from command_line import BALL, SOURCE, CommandLineTest


def display_width(text):
    """Columns on a terminal: two for wide characters, none for combining ones."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


class List(CommandLineTest):
    def test_text(self):
        text = self.passes("list").stdout
        for word in ("wheel", "coulomb", "regularized", "polygonal", "lemke", "time-stepping", "bristle"):
            self.assertIn(word, text)

    def test_text_fits_80_columns(self):
        shipped = self.passes("list").stdout
        self.assertNotIn("…", shipped)  # nothing of ours is cut
        for title in ("Kügelchen " * 20, "球" * 60, "k" + "球" * 60):
            self.write("mine/a-scene-of-mine.yaml", BALL.replace("A ball", title))
            text = self.passes("list", environment={"SLIPSTICK_SCENES": str(self.folder / "mine")}).stdout
            self.assertRegex(text, f"(?m)^a-scene-of-mine +{title[:9]}.*…$")
            for line in (text + shipped).splitlines():
                self.assertLessEqual(display_width(line), 80, line)

    def test_json(self):
        every = json.loads(self.passes("list", "--json").stdout)
        self.assertEqual(every["format"], "slipstick-list 1")
        self.assertIn("wheel", [scene["name"] for scene in every["scenes"]])
        laws = {law["name"]: law for law in every["laws"]}
        self.assertGreaterEqual(laws.keys(), {"coulomb", "regularized", "bristle", "liang", "box", "polygonal"})
        for law in laws.values():
            self.assertIn("auto", law["solvers"])
            self.assertTrue(law["summary"])
        for kind in ("laws", "solvers", "steppers"):
            for entry in every[kind]:
                for setting in entry["settings"].values():
                    self.assertGreaterEqual(setting.keys(), {"default", "meaning"})
        self.assertEqual([entry["name"] for entry in every["experiments"]][:2], ["wheel", "bristle"])

    def test_every_law_and_solver_that_is_listed_runs(self):
        self.write("ball.yaml", BALL)
        for law in json.loads(self.passes("list", "--json").stdout)["laws"]:
            for solver in law["solvers"]:
                with self.subTest(f"{law['name']} with {solver}"):
                    self.passes("run", "ball.yaml", "--law", law["name"], "--solver", solver, "-o", "out")

    def test_help_and_version(self):
        self.assertRegex(self.passes("--version").stdout, r"^slipstick \d+\.\d+\.\d+\n$")
        for command in ("list", "run", "compare", "reproduce"):
            self.assertIn(command, self.passes("--help").stdout)
            self.assertIn("--json", self.passes(command, "--help").stdout)


class Compare(CommandLineTest):
    def test_files_and_json(self):
        done = self.passes("compare", "wheel", "--time", "0.5", "--laws", "regularized,box,coulomb@0.0005", "--reference",
                           "coulomb@0.0005", "--json", "-q", "-o", "out")
        summary = json.loads(done.stdout)
        self.assertEqual(summary, self.summary("out"))
        self.assertEqual(summary["format"], "slipstick-compare 1")
        self.assertEqual(summary["reference"], "coulomb@0.0005")
        runs = {run["method"]: run for run in summary["runs"]}
        self.assertEqual(set(runs), {"regularized", "box", "coulomb@0.0005"})
        self.assertEqual(runs["coulomb@0.0005"]["position_deviation_metres_max"], 0)
        # sliding at an angle to the axes: the box's force is too large
        self.assertGreater(runs["box"]["position_deviation_metres_max"],
                           5 * runs["regularized"]["position_deviation_metres_max"])
        for run in runs.values():
            self.assertIs(run["passed"], True)
            self.assertGreaterEqual(run.keys(), {"energy_deviation_joule_max", "friction_ratio_deviation_rms",
                                                 "misalignment_degrees_rms", "failed_steps", "seconds"})
        for place in ("regularized", "box", "coulomb-0.0005"):
            self.assertTrue((self.folder / "out" / place / "recording.h5").is_file())
            self.assertEqual(self.summary(f"out/{place}")["format"], "slipstick-summary 1")
        self.assertTrue((self.folder / "out/report.html").is_file())

    def test_reference_is_the_first_where_not_given(self):
        self.write("ball.yaml", BALL)
        self.passes("compare", "ball.yaml", "--laws", "liang,box")
        summary = self.summary("out/compare-ball")
        self.assertEqual(summary["reference"], "liang")

    def test_reference_need_not_be_among_the_laws(self):
        self.write("ball.yaml", BALL)
        done = self.passes("compare", "ball.yaml", "--laws", "box", "--reference", "coulomb", "-o", "out")
        self.assertEqual([run["method"] for run in self.summary("out")["runs"]], ["coulomb", "box"])
        self.assertIn("report.html", done.stdout)

    def test_failed_certificate_is_exit_code_1(self):
        self.write("ball.yaml", BALL)
        done = self.slipstick("compare", "ball.yaml", "--set", "bodies.ball.position.2=0.05", "--laws", "box,liang", "-o",
                              "out")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIs(self.summary("out")["passed"], False)

    def test_steps_of_different_length(self):
        self.write("ball.yaml", BALL.replace("velocity: [1, 0, 0]", "velocity: [1, 0.5, 0]"))
        self.passes("compare", "ball.yaml", "--laws", "coulomb@1/4000,box@0.0005,box", "-q", "-o", "out")
        summary = self.summary("out")
        self.assertIs(summary["stopped_early"], False)
        # the box's force is too large by up to √2, so it falls behind by parts of ½ μ g t² = 3.7 mm
        for run in summary["runs"][1:]:
            self.assertGreater(run["position_deviation_metres_max"], 1e-4)
            self.assertLess(run["position_deviation_metres_max"], 3.7e-3)
        self.assertTrue((self.folder / "out/coulomb-1-4000/recording.h5").is_file())


class Reproduce(CommandLineTest):
    def test_json_is_an_array_of_experiments(self):
        # the experiment engine takes minutes: tests/papers has a part of it
        names = ["wheel", "bristle", "disk", "guideway", "ramp"]
        done = self.passes("reproduce", *names, "--json", "-q", "-o", "out")
        experiments = json.loads(done.stdout)
        self.assertIsInstance(experiments, list)
        self.assertEqual([e["name"] for e in experiments], names)
        for experiment in experiments:
            self.assertTrue(experiment["rows"])
            for row in experiment["rows"]:
                self.assertGreaterEqual(row.keys(), {"quantity", "method", "paper", "here", "within", "note"})
                self.assertIsInstance(row["here"], float)
                self.assertIs(row["within"], True, row)
                self.assertTrue(row["paper"] is None or isinstance(row["paper"], (int, float)))
            self.assertTrue((self.folder / "out" / experiment["name"] / "report.html").is_file())
        self.assertEqual(done.stderr, "")
        summary = self.summary("out")
        self.assertEqual(summary["format"], "slipstick-reproduce 1")
        self.assertIs(summary["passed"], True)
        self.assertEqual(summary["experiments"], experiments)

    def test_one_experiment_by_name(self):
        done = self.passes("reproduce", "bristle", "-q", "-o", "out")
        self.assertIn("force_deviation_percent", done.stdout)
        self.assertTrue((self.folder / "out/report.html").is_file())

    def test_a_reference_that_ends_early_is_a_failure_with_a_report(self):
        # all runs end where the force becomes infinite, the reference with its short steps before the others
        text = (SOURCE / "scenes" / "wheel.yaml").read_text(encoding="utf-8")
        self.assertIn("\nforces:\n", text)
        force = '\nforces:\n  - {body: wheel, force: ["1/(1-step(t-0.0505))", 0, 0]}\n'
        self.write("mine/wheel.yaml", text.replace("\nforces:\n", force))
        for name in ("wheel", "bristle"):
            done = self.slipstick("reproduce", name, "-q", "-o", name,
                                  environment={"SLIPSTICK_SCENES": str(self.folder / "mine")})
            self.assertEqual(done.returncode, 1, done.stderr)
            failures = self.summary(name)["experiments"][0]["failures"]
            self.assertTrue(any("the run ended there" in failure for failure in failures), failures)
            self.assertTrue(any("samples only" in failure for failure in failures), failures)
            self.assertIn("samples only", (self.folder / name / "report.html").read_text(encoding="utf-8"))
