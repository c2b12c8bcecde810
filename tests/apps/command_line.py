"""Runs the built program for the tests of this folder; its path is in the environment variable SLIPSTICK_BINARY."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

BINARY = os.environ["SLIPSTICK_BINARY"]
SOURCE = pathlib.Path(__file__).resolve().parents[2]

BALL = """format: slipstick-scene 1
title: A ball
gravity: [0, 0, -9.81]
materials:
  - {name: default, friction: 0.3}
world:
  shapes:
    - {name: ground, type: plane}
bodies:
  - name: ball
    mass: 2
    position: [0, 0, 0.1]
    velocity: [1, 0, 0]
    shapes:
      - {type: sphere, radius: 0.1}
law: coulomb
stepper:
  step: 0.001
  duration: 0.05
"""


class CommandLineTest(unittest.TestCase):
    """Each test has an empty folder of its own, in which the program runs."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def slipstick(self, *arguments, folder=None, environment=None):
        return subprocess.run([BINARY, *map(str, arguments)], cwd=folder or self.folder, capture_output=True, text=True,
                              encoding="utf-8", timeout=120, env={**os.environ, **(environment or {})}, check=False)

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def passes(self, *arguments, **options):
        done = self.slipstick(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        return done

    def refused(self, *arguments, **options):
        """Exit code 2, a message on standard error, nothing on standard output, and nothing written."""
        before = sorted(self.folder.rglob("*"))
        done = self.slipstick(*arguments, **options)
        self.assertEqual(done.returncode, 2, done.stderr + done.stdout)
        self.assertEqual(done.stdout, "")
        self.assertNotEqual(done.stderr.strip(), "")
        self.assertNotIn("internal error", done.stderr)
        self.assertEqual(sorted(self.folder.rglob("*")), before)
        return done.stderr

    def interrupted(self, *arguments, wait_for):
        """What it says when Ctrl-C comes soon after a file is there."""
        process = subprocess.Popen([BINARY, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, encoding="utf-8")
        try:
            deadline = time.monotonic() + 60
            while not (self.folder / wait_for).exists() and time.monotonic() < deadline:
                time.sleep(0.02)
            time.sleep(0.3)
            self.assertIsNone(process.poll(), "ended before it was interrupted")
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=60)
        finally:
            process.kill()
            process.wait()
        self.assertEqual(process.returncode, 130, errors)
        return output, errors

    def summary(self, folder):
        return json.loads((self.folder / folder / "summary.json").read_text(encoding="utf-8"))
