import json
import os
import subprocess
import time

from command_line import BALL, BINARY, CommandLineTest

FRICTION = "materials.default.friction"


class Sweep(CommandLineTest):
    """Grids of runs: what is run, what is kept, what is told."""

    def setUp(self):
        super().setUp()
        self.write("ball.yaml", BALL)

    def files(self, folder):
        """Every file below the folder with the time of its last change."""
        return {p.relative_to(self.folder): p.stat().st_mtime_ns for p in (self.folder / folder).rglob("*") if p.is_file()}

    def test_all_combinations_each_in_its_folder(self):
        done = self.passes("sweep", "ball.yaml", "--vary", f"{FRICTION}=0.1,0.3", "--vary", "bodies.ball.mass=1,2,4", "-o",
                           "out")
        summary = self.summary("out")
        self.assertEqual(summary["format"], "slipstick-sweep 1")
        self.assertEqual(len(summary["runs"]), 6)
        self.assertTrue(summary["passed"] and summary["complete"])
        for run in summary["runs"]:
            single = self.summary("out/" + run["folder"])
            self.assertTrue((self.folder / "out" / run["folder"] / "recording.h5").is_file())
            self.assertTrue((self.folder / "out" / run["folder"] / "report.html").is_file())
            mass, friction = float(run["values"]["bodies.ball.mass"]), float(run["values"][FRICTION])
            # a sliding ball: friction's work on its translation and rotation within 0.05 s
            self.assertAlmostEqual(single["energy_joule"]["initial"], 0.5 * mass + mass * 9.81 * 0.1, places=9)
            work = run["quantities"]["energy_joule.work_friction"]
            self.assertEqual(work, single["energy_joule"]["work_friction"])
            t, a = 0.05, friction * 9.81
            slid = t - 0.5 * a * t * t * 3.5  # of the touching point: it slows down by a (1 + 5/2)
            self.assertAlmostEqual(work, -mass * a * slid, delta=0.02 * mass * a * t)
        self.assertEqual(len({run["folder"] for run in summary["runs"]}), 6)
        self.assertIn("friction", done.stdout)
        report = (self.folder / "out/report.html").read_text(encoding="utf-8")
        self.assertIn("work friction [J]", report)

    def plots(self, folder):
        """{title: [(title of the plot, names of its curves, whether it is small)]} of the report's sections."""
        report = (self.folder / folder / "report.html").read_text(encoding="utf-8")
        data = json.loads(report.partition('id="report-data">')[2].partition("</script>")[0])
        return {section["title"]: [(plot["title"], [curve["name"] for curve in plot["series"]], plot["small"])
                                   for plot in section["plots"]] for section in data["sections"]}

    def test_curves_over_time(self):
        self.passes("sweep", "ball.yaml", "--vary", f"{FRICTION}=0.1,0.3", "--vary", "stepper.step=0.001,0.002", "-o", "out")
        energy = self.plots("out")["Over time"][0]
        self.assertEqual(energy, ("Energy", ["friction 0.1, step 0.001", "friction 0.1, step 0.002", "friction 0.3, step 0.001",
                                             "friction 0.3, step 0.002"], False))
        # of more runs than can be told apart, a small plot for each choice of all but one
        self.passes("sweep", "ball.yaml", "--vary", f"{FRICTION}=0.1,0.3,0.4", "--vary", "stepper.step=0.001,0.002,0.005", "-o",
                    "out")
        self.assertEqual(self.plots("out")["Energy over time"],
                         [(f"step {step}", ["0.1", "0.3", "0.4"], True) for step in ("0.001", "0.002", "0.005")])

    def test_one_run_equals_the_run_command(self):
        self.passes("sweep", "ball.yaml", "--law", "box", "--step", "0.002", "--set", "bodies.ball.velocity=[2, 0, 0]",
                    "--vary", f"{FRICTION}=0.2", "-o", "out")
        folder = self.summary("out")["runs"][0]["folder"]
        self.passes("run", "ball.yaml", "--law", "box", "--step", "0.002", "--set", "bodies.ball.velocity=[2, 0, 0]", "--set",
                    f"{FRICTION}=0.2", "-o", "single")
        for key in ("state_hash", "input_hash", "energy_joule"):
            self.assertEqual(self.summary("out/" + folder)[key], self.summary("single")[key])

    def test_keys_that_take_the_same_value(self):
        self.passes("sweep", "ball.yaml", "--vary", "bodies.ball.velocity.0,bodies.ball.velocity.1=1,2", "-o", "out")
        runs = self.summary("out")["runs"]
        self.assertEqual([run["values"] for run in runs],
                         [{"bodies.ball.velocity.0": v, "bodies.ball.velocity.1": v} for v in ("1", "2")])

    def test_values_with_commas(self):
        self.passes("sweep", "ball.yaml", "--vary", "bodies.ball.velocity=[1, 0, 0],[0, 2, 0]", "-o", "out")
        self.assertEqual([run["values"]["bodies.ball.velocity"] for run in self.summary("out")["runs"]],
                         ["[1, 0, 0]", "[0, 2, 0]"])

    def test_finished_runs_are_not_made_again(self):
        arguments = ["sweep", "ball.yaml", "--vary", f"{FRICTION}=0.1,0.2", "-o", "out"]
        self.passes(*arguments)
        first = self.summary("out")
        folders = ["out/" + run["folder"] for run in first["runs"]]
        before = [self.files(folder) for folder in folders]
        done = self.passes(*arguments)
        self.assertIn("2 of them made before", done.stdout)
        self.assertEqual([self.files(folder) for folder in folders], before)
        self.assertEqual(self.summary("out"), first)
        # one more value: only that one is run
        done = self.passes("sweep", "ball.yaml", "--vary", f"{FRICTION}=0.1,0.2,0.4", "-o", "out")
        self.assertIn("2 of them made before", done.stdout)
        self.assertEqual([self.files(folder) for folder in folders], before)
        self.assertEqual(len(self.summary("out")["runs"]), 3)
        # another scene under the same name, or another step, is another input
        done = self.passes(*arguments, "--step", "0.002")
        self.assertNotIn("made before", done.stdout)
        self.write("ball.yaml", BALL.replace("mass: 2", "mass: 3"))
        self.assertNotIn("made before", self.passes(*arguments).stdout)
        self.assertIn("made before", self.passes(*arguments).stdout)
        self.assertNotIn("made before", self.passes(*arguments, "--again").stdout)

    def test_nothing_half_written_counts(self):
        arguments = ["sweep", "ball.yaml", "--vary", f"{FRICTION}=0.1,0.2,0.3,0.4", "-o", "out"]
        self.passes(*arguments)
        summary = self.summary("out")
        folders = [self.folder / "out" / run["folder"] for run in summary["runs"]]
        (folders[0] / "summary.json").unlink()
        text = (folders[1] / "summary.json").read_text(encoding="utf-8")
        (folders[1] / "summary.json").write_text(text[: len(text) // 2], encoding="utf-8")
        changed = json.loads((folders[2] / "summary.json").read_text(encoding="utf-8"))
        changed["stopped_early"] = True
        (folders[2] / "summary.json").write_text(json.dumps(changed), encoding="utf-8")
        done = self.passes(*arguments)
        self.assertIn("1 of them made before", done.stdout)
        for run in self.summary("out")["runs"]:
            self.assertTrue(run["finished"])
            self.assertEqual(run["quantities"], next(r["quantities"] for r in summary["runs"] if r["folder"] == run["folder"]))

    def test_side_by_side_or_one_after_the_other(self):
        arguments = ["sweep", "ball.yaml", "--vary", f"{FRICTION}=0.1,0.2,0.3"]
        self.passes(*arguments, "--jobs", "1", "-o", "one")
        self.passes(*arguments, "--jobs", "3", "-o", "three")
        hashes = [[self.summary(f"{folder}/{run['folder']}")["state_hash"] for run in self.summary(folder)["runs"]]
                  for folder in ("one", "three")]
        self.assertEqual(hashes[0], hashes[1])
        self.assertEqual(len(set(hashes[0])), 3)

    def test_a_failed_certificate_fails_the_sweep_and_not_the_others(self):
        done = self.slipstick("sweep", "ball.yaml", "--vary", "bodies.ball.position.2=0.1,0.05,0.2", "-o", "out")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual([run["passed"] for run in self.summary("out")["runs"]], [True, False, True])
        self.assertTrue(self.summary("out")["complete"])
        self.assertIn("✗", done.stdout)
        # and it is not made again
        done = self.slipstick("sweep", "ball.yaml", "--vary", "bodies.ball.position.2=0.1,0.05,0.2", "-o", "out")
        self.assertEqual(done.returncode, 1)
        self.assertIn("3 of them made before", done.stdout)

    def test_a_run_that_breaks_down_is_told(self):
        (self.folder / "out").mkdir()
        (self.folder / "out" / "friction=0.2").write_text("in the way", encoding="utf-8")
        done = self.slipstick("sweep", "ball.yaml", "--vary", f"{FRICTION}=0.1,0.2", "-o", "out")
        self.assertEqual(done.returncode, 1, done.stderr)
        broken = self.summary("out")["runs"][1]
        self.assertFalse(broken["finished"])
        self.assertIn("exit code 2", broken["complaint"])
        self.assertIn("friction=0.2", done.stdout)

    def test_json_is_the_summary(self):
        done = self.passes("sweep", "ball.yaml", "--vary", f"{FRICTION}=0.1,0.2", "--json", "-q", "-o", "out")
        self.assertEqual(json.loads(done.stdout), self.summary("out"))
        self.assertEqual(done.stderr, "")

    def test_chosen_quantities(self):
        self.passes("sweep", "ball.yaml", "--vary", f"{FRICTION}=0.1,0.2", "--quantity", "energy_joule.kinetic", "--quantity",
                    "steps", "-o", "out")
        summary = self.summary("out")
        self.assertEqual(summary["quantities"], ["energy_joule.kinetic", "steps"])
        self.assertEqual(summary["runs"][0]["quantities"]["steps"], 50)

    def test_measures_are_shown_by_themselves(self):
        scene = BALL + "measures: [{name: lost, type: outside, center: [0, 0, 0], size: [0.04, 1, 1]}]\n"
        self.write("measured.yaml", scene)
        self.passes("sweep", "measured.yaml", "--vary", "bodies.ball.velocity.0=0.1,1", "-o", "out")
        runs = self.summary("out")["runs"]
        self.assertEqual([run["quantities"]["measures.lost.outside"] for run in runs], [0, 1])

    def test_faults(self):
        for arguments, words in (
                (["--vary", "materials.defalt.friction=0.1,0.2"], ["--vary materials.defalt", "expected 'default'"]),
                (["--vary", "materials.default.frction=0.1"], ["--vary materials.default.frction", "friction"]),
                (["--vary", f"{FRICTION}=0.1,-3"], ["--vary", "at least 0", "-3"]),
                (["--vary", f"{FRICTION}"], ["--vary", "KEY=VALUE"]),
                (["--vary", f"{FRICTION}=0.1,,0.2"], ["--vary", "KEY=VALUE"]),
                (["--vary", f"{FRICTION}=0.1,0.1"], ["each value once", "'0.1' again"]),
                (["--vary", f"{FRICTION}=0.1", "--vary", f"{FRICTION}=0.2"], ["each key once"]),
                (["--vary", f"{FRICTION}=0.1", "--quantity", "energy_joule.work_fricton"],
                 ["--quantity", "did you mean 'energy_joule.work_friction'?"]),
                (["--vary", f"{FRICTION}=0.1", "--law", "boxx"], ["law", "box"]),
                (["--vary", f"{FRICTION}=0.1", "--jobs", "0"], ["--jobs"]),
                ([], ["--vary"]),
        ):
            message = self.refused("sweep", "ball.yaml", *arguments, "-o", "out")
            for word in words:
                self.assertIn(word, message, arguments)
        # one fault for each value, not one for each run
        message = self.refused("sweep", "ball.yaml", "--vary", f"{FRICTION}=-1", "--vary", "bodies.ball.mass=1,2,3")
        self.assertEqual(message.count("-1"), 1, message)

    def test_interrupted_and_taken_up_again(self):
        self.interrupted("sweep", "ball.yaml", "--set", "output.every=1", "--vary", "stepper.duration=0.05,20000,30000",
                         "--jobs", "1", "-o", "out", wait_for="out/duration=20000/recording.h5")
        summary = self.summary("out")
        self.assertFalse(summary["complete"])
        self.assertEqual([run["finished"] for run in summary["runs"]], [True, False, False])
        self.assertFalse((self.folder / "out/duration=30000").exists())
        done = self.passes("sweep", "ball.yaml", "--set", "output.every=1", "--vary", "stepper.duration=0.05,0.1", "-o", "out")
        self.assertIn("1 of them made before", done.stdout)

    def test_a_killed_sweep_leaves_no_runs_behind(self):
        process = subprocess.Popen([BINARY, "sweep", "ball.yaml", "--set", "output.every=1", "--vary",
                                    "stepper.duration=20000,30000", "--jobs", "2", "-o", "out"], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + 60
            started = [self.folder / f"out/duration={t}/recording.h5" for t in (20000, 30000)]
            while not all(p.exists() for p in started) and time.monotonic() < deadline:
                time.sleep(0.02)
            children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True,
                                      check=False).stdout.split()
            self.assertEqual(len(children), 2)
        finally:
            process.kill()
            process.wait()
        deadline = time.monotonic() + 30
        while any(os.path.exists(f"/proc/{child}") for child in children) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertFalse(any(os.path.exists(f"/proc/{child}") for child in children))
        self.assertFalse(any((p.parent / "summary.json").exists() for p in started))
