import json

from command_line import CommandLineTest


class Interrupt(CommandLineTest):
    """Ctrl-C ends what runs, at once and in good order."""

    def test_run(self):
        output, _ = self.interrupted("run", "wheel", "--time", "100000", "--set", "output.every=1", "-o", "out",
                                     wait_for="out/recording.h5")
        summary = self.summary("out")
        self.assertIs(summary["stopped_early"], True)
        self.assertIs(summary["passed"], False)
        self.assertGreater(summary["steps"], 0)
        self.assertLess(summary["end_time_seconds"], 100000)
        self.assertAlmostEqual(summary["end_time_seconds"], summary["steps"] * 1e-3, places=6)
        self.assertTrue((self.folder / "out/report.html").is_file())
        self.assertIn("report.html", output)

    def test_json_of_an_interrupted_run(self):
        output, _ = self.interrupted("run", "wheel", "--time", "100000", "--set", "output.every=1", "--json", "-o", "out",
                                     wait_for="out/recording.h5")
        self.assertIs(json.loads(output)["stopped_early"], True)

    def test_compare(self):
        self.interrupted("compare", "wheel", "--time", "100000", "--set", "output.every=1", "--laws", "box,liang", "-o",
                         "out", wait_for="out/box/recording.h5")
        self.assertIs(self.summary("out/box")["stopped_early"], True)
        self.assertFalse((self.folder / "out/liang").exists())
        summary = self.summary("out")
        self.assertIs(summary["stopped_early"], True)
        self.assertIs(summary["passed"], False)
        self.assertEqual([run["method"] for run in summary["runs"]], ["box"])
        self.assertEqual(summary["runs"][0]["position_deviation_metres_max"], 0)
        self.assertTrue((self.folder / "out/report.html").is_file())

    def test_compare_before_its_reference(self):
        output, _ = self.interrupted("compare", "wheel", "--time", "100000", "--set", "output.every=1", "--laws",
                                     "box,liang", "--reference", "liang", "--json", "-o", "out",
                                     wait_for="out/box/recording.h5")
        summary = json.loads(output)
        self.assertEqual(summary, self.summary("out"))
        self.assertIs(summary["stopped_early"], True)
        self.assertIsNone(summary["runs"][0]["position_deviation_metres_max"])

    def test_reproduce(self):
        self.interrupted("reproduce", "-o", "out", wait_for="out/wheel")
        self.assertFalse((self.folder / "out/summary.json").exists())
