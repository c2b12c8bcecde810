"""What a terminal shows, by a pseudo-terminal, and what a pipe gets."""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import time

from command_line import BALL, BINARY, SOURCE, CommandLineTest
from commands_test import display_width

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class Terminal(CommandLineTest):
    def on_terminal(self, *arguments, columns=80, environment=None, seconds=None):
        """Everything that standard error shows, and the exit code; with `seconds` Ctrl-C comes after as many of them."""
        outer, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        given = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        process = subprocess.Popen([BINARY, *arguments], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=inner,
                                   env={**given, **(environment or {})})
        os.close(inner)
        shown, start = b"", time.monotonic()
        try:
            os.set_blocking(outer, False)
            while True:
                ended = process.poll() is not None
                try:
                    shown += os.read(outer, 65536)
                except (BlockingIOError, OSError):
                    if ended:
                        break
                if seconds and time.monotonic() - start > seconds:
                    process.send_signal(signal.SIGINT)
                    seconds = None
                if time.monotonic() - start > 100:
                    self.fail("does not end")
                time.sleep(0.01)
        finally:
            process.kill()
            process.wait()
            os.close(outer)
        return shown.decode(), process.returncode

    def long_run(self, **options):
        return self.on_terminal("run", "wheel", "--time", "100000", "--set", "output.every=1", "-o", "out", seconds=2.5,
                                **options)

    def test_bar_has_all_figures_and_fits(self):
        shown, code = self.long_run()
        self.assertEqual(code, 130)
        lines = COLOUR.sub("", shown).split("\r\x1b[K")
        self.assertGreater(len(lines), 5)
        full = [line for line in lines if re.search(
            r"█?░+ +\d+ % wheel  \d+\.\d{3} s, \d+ contacts, residual \d+e[-+]\d+, [\d.e+]+ s/s", line)]
        self.assertGreater(len(full), 2, lines[-3:])
        for line in lines:
            self.assertLess(display_width(line), 80, line)
            self.assertNotIn("\n", line)
        self.assertEqual(lines[-1], "")  # nothing of it is left behind

    def test_remaining_time(self):
        shown, _ = self.on_terminal("run", "wheel", "--time", "200", "--set", "output.every=1", "-o", "out", seconds=4)
        self.assertRegex(shown, r", \d+ (s|min) left")

    def test_narrow_terminal(self):
        for columns in (20, 50, 62):
            shown, _ = self.long_run(columns=columns)
            lines = COLOUR.sub("", shown).split("\r\x1b[K")
            self.assertGreater(len(lines), 5)
            for line in lines:
                self.assertLess(display_width(line), columns, line)

    def test_colour_and_its_absence(self):
        self.assertRegex(self.long_run()[0], COLOUR)
        shown, _ = self.long_run(environment={"NO_COLOR": "1"})
        self.assertIn("░", shown)
        self.assertNotRegex(shown, COLOUR)

    def test_quiet(self):
        self.write("ball.yaml", BALL)
        self.assertEqual(self.on_terminal("run", "ball.yaml", "-q", "-o", "out"), ("", 0))

    def test_ctrl_c_leaves_a_readable_result(self):
        _, code = self.long_run()
        self.assertEqual(code, 130)
        self.assertIs(self.summary("out")["stopped_early"], True)
        self.assertTrue((self.folder / "out/report.html").is_file())
        self.passes("export", "out", "--format", "csv", "-o", "table")
        rows = (self.folder / "table/poses.csv").read_text(encoding="utf-8").splitlines()
        self.assertGreater(len(rows), 2)

    def test_pipes_get_no_control_characters(self):
        output, errors = self.interrupted("run", "wheel", "--time", "100000", "--set", "output.every=1", "-o", "out",
                                          wait_for="out/recording.h5")
        self.assertNotRegex(output + errors, CONTROL)
        self.assertRegex(errors, r"^ *0 % wheel, ")  # a plain line now and then
        self.assertLess(len(errors.splitlines()), 4)


class Width(CommandLineTest):
    """All that the commands print fits 80 columns."""

    def check(self, text):
        self.assertGreater(len(text.splitlines()), 2)
        for line in text.splitlines():
            self.assertLessEqual(display_width(line), 80, line)

    def test_run_and_compare(self):
        self.check(self.passes("run", "wheel", "--time", "0.01", "-o", "out").stdout)
        laws = "regularized@0.0005,polygonal@0.00025,coulomb@0.0000625"
        self.check(self.passes("compare", "wheel", "--time", "0.01", "--laws", laws, "-o", "out").stdout)

    def test_sweep(self):
        self.write("ball.yaml", BALL)
        quantities = ["energy_joule.work_friction", "energy_joule.numerical_remainder", "certificate.cone_violation.worst",
                      "energy_joule.kinetic", "certificate.penetration_metres.rms"]
        text = self.passes("sweep", "ball.yaml", "--vary", "materials.default.friction=0.1,0.2", "--vary",
                           "stepper.step=0.001,0.002", "--jobs", "1", "-o", "out",
                           *[part for name in quantities for part in ("--quantity", name)]).stdout
        self.check(text)
        for name in ("work friction", "remainder", "cone", "kinetic", "penetration"):
            self.assertIn(name, text)

    def test_solve(self):
        self.write("ball.yaml", BALL)
        place = "a-folder-with-a-long-name/and-one-more-below-it"
        self.passes("run", "ball.yaml", "--save-problems", "every=25", "-o", place)
        files = sorted(str(file.relative_to(self.folder)) for file in (self.folder / place / "problems").iterdir())
        self.assertGreater(len(files), 1)
        text = self.slipstick("solve", *files, "--solver", "all", "--hyperstatic").stdout
        self.check(text)
        self.assertIn("00000025.h5", text)

    def test_reproduce(self):
        for name in ("wheel", "bristle"):
            self.check(self.passes("reproduce", name, "-q", "-o", name).stdout.replace(str(SOURCE), ""))
