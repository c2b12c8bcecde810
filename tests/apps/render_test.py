"""`slipstick render --plot`: curves read back from the picture by its ticks, and compared to the tables of export."""

import csv
import re
import xml.etree.ElementTree as ElementTree

from command_line import BALL, CommandLineTest

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
