"""`slipstick render`: curves read back from the picture by its ticks, and compared to the tables of export; pictures of the replay."""

import csv
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest
import unittest.mock
import xml.etree.ElementTree as ElementTree
import zlib

from command_line import BALL, BINARY, CommandLineTest

SVG = "{http://www.w3.org/2000/svg}"


def line_through(points):
    """(a, b) of value = a pixel + b, from the first and the last tick."""
    (p, u), (q, v) = points[0], points[-1]
    slope = (v - u) / (q - p)
    return slope, u - slope * p


def read_plot(path):
    """{name: [(x, y)]} of the curves, in the numbers of the axes."""
    root = ElementTree.parse(path).getroot()
    texts = [(float(t.get("x")), float(t.get("y")), t.get("text-anchor"), t.text) for t in root.iter(f"{SVG}text")]
    number = re.compile(r"-?\d+(\.\d+)?(e[-+]\d+)?$")
    across = [(x, float(text)) for x, _, anchor, text in texts if anchor == "middle" and number.match(text)]
    up = [(y - 4, float(text)) for _, y, anchor, text in texts if anchor == "end" and number.match(text)]
    names = [text for _, _, anchor, text in texts if anchor == "start"][1:]  # the first is the title
    (a, b), (c, d) = line_through(across), line_through(up)
    curves = [path.get("d") for path in root.iter(f"{SVG}path") if path.get("class") == "curve"]
    assert len(curves) == len(names)
    return {name: [(a * float(x) + b, c * float(y) + d) for x, y in re.findall(r"[ML]([-\d.]+) ([-\d.]+)", curve)]
            for name, curve in zip(names, curves)}


def read_png(path):
    """Rows of red, green, blue."""
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    at, packed, head = 8, b"", None
    while at < len(content):
        length, kind = struct.unpack_from(">I4s", content, at)
        data = content[at + 8:at + 8 + length]
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", data)
        elif kind == b"IDAT":
            packed += data
        at += 12 + length
    width, _, depth, colour, *_ = head
    assert depth == 8 and colour in (2, 6)
    size = 3 if colour == 2 else 4
    data, rows, before = zlib.decompress(packed), [], bytes(size * width)
    for start in range(0, len(data), size * width + 1):
        kind, row = data[start], bytearray(data[start + 1:start + 1 + size * width])
        for i, value in enumerate(row):
            left = row[i - size] if i >= size else 0
            up, corner = before[i], before[i - size] if i >= size else 0
            nearest = min((left, up, corner), key=lambda side: abs(left + up - corner - side))
            row[i] = (value + (0, left, up, (left + up) // 2, nearest)[kind]) % 256
        rows.append(bytes(value for i, value in enumerate(row) if i % size < 3))
        before = bytes(row)
    return rows


class Render(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("ball.yaml", BALL)
        self.passes("run", "ball.yaml", "-q", "-o", "out")

    def test_curves_are_those_of_the_run(self):
        self.passes("render", "out", "--plot", "Energy", "--size", "2000x1500", "-o", "energy.svg")
        self.passes("export", "out", "--format", "csv", "-o", "tables")
        with open(self.folder / "tables/scalars.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        curves = read_plot(self.folder / "energy.svg")
        self.assertEqual(set(curves), {"total", "kinetic", "potential"})
        kinetic = [float(row["kinetic_energy"]) for row in rows]
        self.assertGreater(max(kinetic) - min(kinetic), 0.1)
        self.assertEqual(len(curves["kinetic"]), len(rows))
        for (time, energy), row in zip(curves["kinetic"], rows):
            self.assertAlmostEqual(time, float(row["time"]), delta=1e-5)
            self.assertAlmostEqual(energy, float(row["kinetic_energy"]), delta=5e-3)

    def test_every_plot_of_a_report(self):
        message = self.refused("render", "out", "--plot", "no such plot", "-o", "x.svg")
        titles = re.findall(r"'([^']+)'", message.partition("plots: ")[2].partition(", found")[0])
        self.assertGreater(len(titles), 5)
        for title in titles:
            self.passes("render", "out", "--plot", title, "-o", "plot.svg")
            root = ElementTree.parse(self.folder / "plot.svg").getroot()
            self.assertEqual(root.find(f"{SVG}title").text, title)
            self.assertNotIn("nan", (self.folder / "plot.svg").read_text(encoding="utf-8"))

    def test_what_is_refused(self):
        self.write("page.html", "<p>another</p>")
        for arguments, message in ((("out", "--plot", "position", "-o", "x.svg"), "several"),
                                   (("nowhere", "--plot", "Energy", "-o", "x.svg"), "no such file"),
                                   (("page.html", "--plot", "Energy", "-o", "x.svg"), "another page"),
                                   (("out", "--plot", "Energy", "-o", "x.png"), ".svg"),
                                   (("out", "--plot", "Energy", "-o", "x.svg", "--size", "10x10"), "--size"),
                                   (("out", "--plot", "Energy", "-o", "x.svg", "--size", "big"), "--size")):
            self.assertIn(message, self.refused("render", *arguments))


@unittest.skipUnless(shutil.which("chromium"), "chromium is missing, which ./test installs")
class Picture(CommandLineTest):
    """The replay as PNG: drawn by a browser without a window."""

    def setUp(self):
        super().setUp()
        self.write("ball.yaml", BALL.replace("duration: 0.05", "duration: 0.5"))
        self.passes("run", "ball.yaml", "-q", "-o", "out")
        # a place of its own: others may render at the same time
        self.temporary = tempfile.TemporaryDirectory(prefix="slipstick-test-")
        self.addCleanup(self.temporary.cleanup)
        patch = unittest.mock.patch.dict(os.environ, {"TMPDIR": self.temporary.name})
        patch.start()
        self.addCleanup(patch.stop)

    def tearDown(self):
        # nothing of the browser remains, whatever happened
        self.assertEqual(list(pathlib.Path(self.temporary.name).glob("slipstick-render-*")), [])

    def picture(self, name, *options):
        self.passes("render", "out", "-o", name, *options)
        return read_png(self.folder / name)

    def test_moments_views_and_sizes(self):
        start = self.picture("start.png", "--time", "0", "--size", "400x300")
        self.assertEqual((len(start), len(start[0]) // 3), (300, 400))
        self.assertGreater(len({tuple(row[i:i + 3]) for row in start for i in range(0, len(row), 3)}), 50)  # light and shade
        end = self.picture("end.png", "--size", "400x300")
        self.assertNotEqual(start, end)  # the ball rolls
        self.assertEqual(end, self.picture("same.png", "--time", "0.5", "--size", "400x300"))  # the end is what is not said
        top = self.picture("top.png", "--view", "top", "--size", "400x300")
        self.assertNotEqual(top, end)
        dark = self.picture("dark.png", "--dark", "--size", "400x300")
        self.assertLess(sum(map(sum, dark)), 0.6 * sum(map(sum, end)))

    def test_thumbnail(self):
        self.passes("render", "out", "--thumbnail")
        rows = read_png(self.folder / "out/thumbnail.png")
        self.assertEqual((len(rows), len(rows[0]) // 3), (240, 480))

    def test_what_is_refused(self):
        for options, word in ((["-o", "x.jpg"], ".png"), (["-o", "x.png", "--view", "below"], "isometric"),
                              (["-o", "x.png", "--size", "99999x3"], "--size"), (["-o", "x.png", "--plot", "Energy"], "--plot"),
                              (["-o", "x.svg"], "--plot"), ([], "--output"), (["-o", "x.png", "--thumbnail"], "--thumbnail"),
                              (["-o", "x.png", "--time", "inf"], "--time")):
            with self.subTest(options):
                self.assertIn(word, self.refused("render", "out", *options))
        self.assertIn("no such file", self.refused("render", "nowhere", "-o", "x.png"))
        self.write("other/report.html", "<p>another page")
        self.assertIn("another file", self.refused("render", "other", "-o", "x.png"))
        self.write("empty/report.html", "<!doctype html><p>another page")
        self.assertIn("no replay", self.refused("render", "empty", "-o", "x.png"))

    def test_without_a_browser(self):
        message = self.refused("render", "out", "-o", "x.png", environment={"CHROMIUM": "/nowhere"})
        self.assertIn("apt-get install chromium", message)
        message = self.refused("render", "out", "-o", "x.png", environment={"PATH": "/nowhere"})
        self.assertIn("apt-get install chromium", message)

    def test_a_browser_that_breaks_down(self):
        for text in ("#!/bin/sh\nexit 1\n", "#!/bin/sh\nexec cat <&3 >&4\n"):
            broken = self.write("broken", text)
            broken.chmod(0o755)
            done = self.slipstick("render", "out", "-o", "x.png", environment={"CHROMIUM": str(broken)})
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("no picture was made", done.stderr)
            self.assertFalse((self.folder / "x.png").exists())

    def test_ctrl_c(self):
        slow = self.write("slow", "#!/bin/sh\nsleep 1000\n")
        slow.chmod(0o755)
        process = subprocess.Popen([BINARY, "render", "out", "-o", "x.png"], cwd=self.folder, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "CHROMIUM": str(slow)})
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        self.assertEqual((process.returncode, "interrupted" in errors), (130, True))
