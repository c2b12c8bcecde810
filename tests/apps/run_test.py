import json
import math
import pathlib
import shutil

from command_line import BALL, SOURCE, CommandLineTest

SUMMARY_KEYS = {"format", "version", "scene", "title", "law", "solver", "stepper", "step_seconds", "passed",
                "stopped_early", "steps", "steps_planned", "end_time_seconds", "failed_steps", "failures", "certificate", "solves",
                "energy_joule", "bodies", "state_hash", "seconds"}


class Run(CommandLineTest):
    def test_writes_summary_recording_and_report(self):
        self.write("ball.yaml", BALL)
        done = self.passes("run", "ball.yaml", "-o", "out")
        self.assertEqual(sorted(p.name for p in (self.folder / "out").iterdir()),
                         ["recording.h5", "report.html", "summary.json"])
        self.assertTrue((self.folder / "out/recording.h5").read_bytes().startswith(b"\x89HDF\r\n"))
        self.assertIn("A ball", (self.folder / "out/report.html").read_text(encoding="utf-8"))
        self.assertIn("report.html", done.stdout)
        self.assertIn("50 steps", done.stdout)

    def test_summary(self):
        self.write("ball.yaml", BALL)
        self.passes("run", "ball.yaml", "-o", "out")
        summary = self.summary("out")
        self.assertEqual(SUMMARY_KEYS - summary.keys(), set())
        self.assertEqual(summary["format"], "slipstick-summary 1")
        self.assertEqual(summary["scene"], "ball")
        self.assertEqual(summary["law"]["name"], "coulomb")
        self.assertIs(summary["passed"], True)
        self.assertEqual(summary["steps"], 50)
        self.assertEqual(summary["failed_steps"], 0)
        self.assertAlmostEqual(summary["end_time_seconds"], 0.05)
        # a sliding ball: v = 1 − μ g t, ω = 5/2 μ g t / r about y
        ball = summary["bodies"]["ball"]
        self.assertAlmostEqual(ball["velocity_metres_per_second"][0], 1 - 0.3 * 9.81 * 0.05, places=9)
        self.assertAlmostEqual(ball["angular_velocity_per_second"][1], 2.5 * 0.3 * 9.81 * 0.05 / 0.1, places=9)
        energy = summary["energy_joule"]
        end = energy["kinetic"] + energy["potential"]
        works = sum(value for key, value in energy.items() if key.startswith("work_"))
        self.assertAlmostEqual(end, energy["initial"] + works + energy["numerical_remainder"], places=9)
        for figure in summary["certificate"].values():
            self.assertEqual(figure.keys(), {"worst", "rms"})
            self.assertLessEqual(figure["rms"], figure["worst"] + 1e-300)
        self.assertRegex(summary["state_hash"], "^[0-9a-f]{16}$")

    def test_saves_contact_problems(self):
        self.write("ball.yaml", BALL)
        self.passes("run", "ball.yaml", "-o", "out", "--save-problems", "every=20,worst=3")
        names = sorted(p.name for p in (self.folder / "out/problems").iterdir())
        self.assertEqual(names[:2], ["every-00000020.h5", "every-00000040.h5"])
        self.assertEqual([name[:9] for name in names[2:]], ["worst-01-", "worst-02-", "worst-03-"])
        for name in names:
            self.assertTrue((self.folder / "out/problems" / name).read_bytes().startswith(b"\x89HDF\r\n"))
        self.assertTrue((self.folder / "out/summary.json").exists())

    def test_json_is_the_summary(self):
        self.write("ball.yaml", BALL)
        done = self.passes("run", "ball.yaml", "--json", "-q", "-o", "out")
        self.assertEqual(json.loads(done.stdout), self.summary("out"))
        self.assertEqual(done.stderr, "")

    def test_default_output_folder(self):
        self.write("ball.yaml", BALL)
        self.passes("run", "ball.yaml")
        self.assertEqual(self.summary("out/ball")["scene"], "ball")

    def test_named_scene_from_another_folder(self):
        self.passes("run", "wheel", "--time", "0.01", "-o", "out")
        self.assertEqual(self.summary("out")["scene"], "wheel")

    def test_scene_by_path(self):
        self.passes("run", SOURCE / "scenes" / "wheel.yaml", "--time", "0.01", "-o", "out")
        shutil.copy(SOURCE / "scenes" / "wheel.yaml", self.folder / "mine.yaml")
        self.passes("run", "./mine.yaml", "--time", "0.01", "-o", "mine")
        self.assertEqual(self.summary("out")["state_hash"], self.summary("mine")["state_hash"])

    def test_scene_from_a_folder_of_the_users(self):
        self.write("library/rolling.yaml", BALL)
        self.passes("run", "rolling", "-o", "out", environment={"SLIPSTICK_SCENES": str(self.folder / "library")})

    def test_unicode_paths(self):
        self.write("Räder ▽/kügelchen 球.yaml", BALL)
        self.passes("run", "Räder ▽/kügelchen 球.yaml", "-o", "Ergebnis ✓/größe")
        summary = self.summary("Ergebnis ✓/größe")
        self.assertEqual(summary["scene"], "kügelchen 球")
        done = self.passes("run", "Räder ▽/kügelchen 球.yaml", "--json", "-q", "-o", "b")
        self.assertEqual(json.loads(done.stdout)["scene"], "kügelchen 球")

    def test_options_change_the_run(self):
        self.write("ball.yaml", BALL)
        self.passes("run", "ball.yaml", "--law", "box", "--solver", "lemke", "--step", "0.002", "--time", "0.02",
                    "--stepper", "time-stepping", "-o", "out")
        summary = self.summary("out")
        self.assertEqual((summary["law"]["name"], summary["solver"]["name"]), ("box", "lemke"))
        self.assertEqual((summary["step_seconds"], summary["steps"]), (0.002, 10))

    def test_events_are_counted_and_listed(self):
        self.write("ball.yaml", BALL)
        self.passes("run", "ball.yaml", "--stepper", "event-driven", "--set", "bodies.ball.position=[0, 0, 0.2]", "--set",
                    "stepper.duration=0.2", "-o", "out")
        events = self.summary("out")["events"]
        self.assertEqual(events["counts"]["impact"], 1)
        first = events["first"][0]
        self.assertEqual((first["kind"], first["bodies"]), ("impact", ["ball", "world"]))
        self.assertAlmostEqual(first["time_seconds"], math.sqrt(2 * 0.1 / 9.81), places=9)
        self.assertIn("Events", (self.folder / "out/report.html").read_text(encoding="utf-8"))

    def test_set_on_nested_keys(self):
        self.write("ball.yaml", BALL)
        self.passes("run", "ball.yaml", "--set", "bodies.ball.mass=4", "--set", "gravity.2=-1.62", "--set",
                    "materials.default.friction=0.1", "--set", "bodies.ball.velocity=[2, 0, 0]", "--set",
                    "stepper.duration=0.1", "-o", "out")
        summary = self.summary("out")
        self.assertAlmostEqual(summary["bodies"]["ball"]["velocity_metres_per_second"][0], 2 - 0.1 * 1.62 * 0.1, places=9)
        self.assertAlmostEqual(summary["energy_joule"]["initial"], 0.5 * 4 * 4 + 4 * 1.62 * 0.1, places=9)
        self.passes("run", "ball.yaml", "--law", "polygonal", "--set", "law.sides=8", "--set", "law.orientation=10*deg",
                    "-o", "p")
        settings = self.summary("p")["law"]["settings"]
        self.assertEqual(settings["sides"], 8)
        self.assertAlmostEqual(settings["orientation"], math.radians(10))

    def test_same_run_twice_has_the_same_hash(self):
        self.write("ball.yaml", BALL)
        self.passes("run", "ball.yaml", "-o", "a")
        self.passes("run", "ball.yaml", "-o", "b", "--set", "output.every=0.01")
        self.passes("run", "ball.yaml", "-o", "c", "--set", "gravity=[0, 0, -9.8100000001]")
        self.assertEqual(self.summary("a")["state_hash"], self.summary("b")["state_hash"])
        self.assertNotEqual(self.summary("a")["bodies"], self.summary("c")["bodies"])

    def test_a_run_over_an_old_one_replaces_it(self):
        self.write("ball.yaml", BALL)
        self.passes("run", "ball.yaml", "-o", "out")
        self.passes("run", "ball.yaml", "--time", "0.02", "-o", "out")
        self.assertEqual(self.summary("out")["steps"], 20)
        self.assertEqual(list((self.folder / "out").glob("*.tmp")), [])

    def test_failed_certificate_is_exit_code_1(self):
        self.write("ball.yaml", BALL)
        done = self.slipstick("run", "ball.yaml", "--set", "bodies.ball.position=[0, 0, 0.05]", "-o", "out")
        self.assertEqual(done.returncode, 1, done.stderr)
        summary = self.summary("out")
        self.assertIs(summary["passed"], False)
        self.assertGreater(summary["failed_steps"], 0)
        failure = summary["failures"][0]
        self.assertEqual((failure["step"], "penetration" in failure["reason"]), (1, True))
        self.assertIn("penetration", done.stdout)
        self.assertLessEqual(len(summary["failures"]), 10)

    def test_no_escape_codes_in_pipes(self):
        self.write("ball.yaml", BALL)
        for arguments in (["run", "ball.yaml", "-o", "out"], ["run", "wheel", "-o", "wheel"], ["list"],
                          ["compare", "ball.yaml", "--laws", "box,coulomb", "-o", "c"], ["--help"], ["run", "--help"]):
            done = self.passes(*arguments)
            self.assertNotIn("\x1b", done.stdout + done.stderr)
            self.assertNotIn("\r", done.stdout + done.stderr)

    def test_quiet(self):
        self.assertEqual(self.passes("run", "wheel", "-q", "-o", "out").stderr, "")

    def test_duration_zero(self):
        self.write("ball.yaml", BALL)
        self.passes("run", "ball.yaml", "--time", "0", "-o", "out")
        self.assertEqual(self.summary("out")["steps"], 0)

    def test_duration_is_rounded_to_whole_steps_and_that_is_told(self):
        self.write("ball.yaml", BALL)
        done = self.passes("run", "ball.yaml", "--time", "0.0107", "-o", "out")
        lines = [line for line in done.stdout.splitlines() if "no whole number of steps" in line]
        self.assertEqual(len(lines), 1, done.stdout)
        for word in ("0.0107 s", "11", "0.011 s"):
            self.assertIn(word, lines[0])
        self.assertEqual(self.summary("out")["steps"], 11)
        self.assertNotIn("no whole", self.passes("run", "ball.yaml", "--time", "0.03", "-o", "out").stdout)

    def test_a_step_that_is_not_finite_ends_the_run_and_the_verdict_says_so(self):
        self.write("ball.yaml", BALL + 'forces: [{body: ball, force: ["1/(1-step(t-0.0105))", 0, 0]}]\n')
        done = self.slipstick("run", "ball.yaml", "-o", "out")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"the run ended there, at 0\.01\d* of 0\.05 s")
        summary = self.summary("out")
        self.assertIs(summary["stopped_early"], True)
        self.assertEqual(summary["steps_planned"], 50)
        self.assertLess(summary["steps"], 15)
        self.assertIn("the run ended there", (self.folder / "out/report.html").read_text(encoding="utf-8"))

    def test_nothing_is_written_beside_the_output(self):
        self.write("ball.yaml", BALL)
        self.passes("run", "ball.yaml", "-o", "deep/er/out")
        self.assertEqual({p.name for p in pathlib.Path(self.folder).iterdir()}, {"ball.yaml", "deep"})
