"""slipstick run --save-state, --from-state: a run that is taken up in another process has the bits of one that was not."""

import random

from command_line import CommandLineTest

# Sticking, impacts, drives, friction under load, loops, robots, releases, events, sweeps over free bodies.
SCENES = {
    "wheel": (0.2, 0.35),
    "gripper": (0.03, 0.07),
    "journal-bearing": (0.05, 0.12),
    "four-bar": (0.1, 0.2),
    "arm": (0.04, 0.09),
    "walker": (0.1, 0.15),
    "bouncing-ball": (0.9, 1.4),
    "rocking-block": (0.05, 0.12),
    "gravel-small": (0.05, 0.1),
    "worm-gear": (0.05, 0.1),
}


class State(CommandLineTest):
    def run_scene(self, scene, time, *options):
        done = self.slipstick("run", scene, "--time", time, "-o", "out", "--quiet", *options)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return self.summary("out")

    def test_a_state_in_a_file_has_the_same_future(self):
        for scene, (middle, end) in SCENES.items():
            with self.subTest(scene):
                whole = self.run_scene(scene, end)
                self.run_scene(scene, middle, "--save-state", "state.h5")
                for _ in range(2):
                    rest = self.run_scene(scene, end, "--from-state", "state.h5")
                    self.assertEqual(rest["state_hash"], whole["state_hash"])
                    self.assertEqual(rest["energy_joule"], whole["energy_joule"])

    def test_what_does_not_fit_is_refused(self):
        self.run_scene("wheel", 0.1, "--save-state", "state.h5")

        def refused(scene, *options):
            done = self.slipstick("run", scene, "-o", "out", *options, "--from-state", "state.h5")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("state.h5", done.stderr)
            return done.stderr

        text = refused("wheel", "--law", "coulomb", "--step", "0.002")
        self.assertIn("law: expected that of this simulation, coulomb, found regularized", text)
        self.assertIn("step: expected that of this simulation, 0.002 s", text)
        self.assertIn("coordinates", refused("bounce", "--law", "regularized"))
        self.assertIn("before the end", refused("wheel", "--time", "0.1"))
        file = self.folder / "state.h5"
        whole = file.read_bytes()
        for length in (0, 10, len(whole) // 3, len(whole) - 100):
            file.write_bytes(whole[:length])
            refused("wheel")
        file.unlink()
        refused("wheel")

    def test_damaged_files_never_crash(self):
        self.run_scene("gripper", 0.02, "--save-state", "state.h5")
        file = self.folder / "state.h5"
        whole = file.read_bytes()
        generator = random.Random(3)
        for _ in range(40):
            damaged = bytearray(whole)
            for _ in range(generator.choice((1, 3, 30))):
                damaged[generator.randrange(len(damaged))] = generator.randrange(256)
            file.write_bytes(damaged)
            done = self.slipstick("run", "gripper", "-o", "out", "--quiet", "--time", 0.03, "--from-state", "state.h5")
            self.assertIn(done.returncode, (0, 1, 2), done.stderr)
