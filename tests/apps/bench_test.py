"""slipstick bench: rows, files, refusals, and other simulators where they were built beside the program."""

import json
import pathlib
import unittest

from command_line import BINARY, CommandLineTest


class BenchTest(CommandLineTest):
    def bench(self, *names):
        self.passes("bench", *names, "--quick", "-q", "-o", "out")
        return json.loads((self.folder / "out/bench.json").read_text(encoding="utf-8"))

    def test_every_benchmark_steps(self):
        done = self.slipstick("bench", "--quick", "-q", "--json", "--time-limit", "20", "-o", "out")
        rows = json.loads(done.stdout)["rows"]
        self.assertEqual(done.returncode, 0, [row["note"] for row in rows if row["note"]])
        for row in rows:
            self.assertEqual(row["steps"], row["steps_planned"], row)
            self.assertGreater(row["settled_step_ms"], 0, row)
            self.assertGreaterEqual(row["worst_step_ms"], row["settled_step_ms"], row)
        ours = [row for row in rows if row["engine"].startswith("slipstick")]
        laws = {row["engine"] for row in ours if row["benchmark"] == "heap"}
        self.assertGreaterEqual(len(laws), 8)

    def test_a_standing_quadruped(self):
        rows = self.bench("quadruped")["rows"]
        for row in rows:
            if not row["engine"].startswith("slipstick"):
                continue
            self.assertEqual(row["share_passed"], 1)
            self.assertLess(row["law_residual_m_per_s"], 1e-7)
            self.assertLess(row["relative_penetration"], 0.02)

    def test_other_simulators_have_the_same_scene(self):
        peers = sorted(pathlib.Path(BINARY).resolve().parent.glob("slipstick_peer_*"))
        if not peers:
            self.skipTest("no other simulator was built beside slipstick, which takes their libraries: tools/install_dependencies bench")
        # nothing touches yet in these steps: contacts give way here and not there
        names = ["heap", "pile", "quadruped", "arm", "chain-friction"]
        rows = self.bench(*names)["rows"]
        compared = 0
        for row in rows:
            ours = next(r for r in rows if r["benchmark"] == row["benchmark"])
            self.assertEqual(row["step_s"], ours["step_s"])
            # a step's fall apart at most, which is where schemes of first order are
            duration = row["steps"] * row["step_s"]
            for here, there in zip(ours["centre_m"], row["centre_m"]):
                self.assertAlmostEqual(here, there, delta=9.81 * row["step_s"] * duration, msg=str(row))
            compared += row is not ours and not row["engine"].startswith("slipstick")
        self.assertGreaterEqual(compared, len(peers))

    def test_files(self):
        summary = self.bench("stack", "arm")
        self.assertEqual(summary["format"], "slipstick-bench 1")
        self.assertTrue(summary["quick"])
        self.assertEqual({row["benchmark"] for row in summary["rows"]}, {"stack", "arm"})
        table = (self.folder / "out/bench.md").read_text(encoding="utf-8")
        for row in summary["rows"]:
            self.assertIn(f"| {row['benchmark']} | {row['engine']} |", table)
        self.assertIn("slipstick bench", (self.folder / "out/report.html").read_text(encoding="utf-8"))
        self.assertEqual({file.name for file in (self.folder / "out").iterdir()},
                         {"bench.json", "bench.md", "report.html"})

    def test_time_limit(self):
        done = self.slipstick("bench", "quadruped", "--quick", "-q", "--time-limit", "1e-9", "-o", "out")
        self.assertEqual(done.returncode, 1)
        self.assertIn("used up", done.stdout)

    def test_refusals(self):
        self.assertIn("'heeap'", self.refused("bench", "heeap"))
        self.assertIn("again", self.refused("bench", "stack", "stack"))
        self.refused("bench", "stack", "--time-limit", "-1")


if __name__ == "__main__":
    unittest.main()
