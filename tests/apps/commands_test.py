import json

from command_line import BALL, CommandLineTest


class List(CommandLineTest):
    def test_text(self):
        text = self.passes("list").stdout
        for word in ("wheel", "coulomb", "regularized", "polygonal", "lemke", "time-stepping", "bristle"):
            self.assertIn(word, text)

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


class Reproduce(CommandLineTest):
    def test_json_is_an_array_of_experiments(self):
        done = self.passes("reproduce", "--json", "-q", "-o", "out")
        experiments = json.loads(done.stdout)
        self.assertIsInstance(experiments, list)
        self.assertEqual([e["name"] for e in experiments][:2], ["wheel", "bristle"])
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
