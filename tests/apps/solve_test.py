import json

from command_line import SOURCE, CommandLineTest

# One contact, W = 1 and q = (−2, 3, 0) at μ = 1/2: it slides, r = (2, −1, 0).
SLIDING = "3 1\n0 3 3\n3 3\n1 0 0 0 1 0 0 0 1\n-2 3 0\n0.5\n"
# Two contacts at one place: the same, twice, redundant.
TWICE = ("3 2\n0 6 6\n6 6\n" + "\n".join(" ".join("1" if i % 3 == j % 3 else "0" for i in range(6)) for j in range(6)) +
         "\n-2 1 0 -2 1 0\n0.5 0.5\n")
# One contact that may roll, W = 1: q = (−1, …, −1), μ = 0.5, ρ = 0.2.
ROLLING = ("5 1\n0 5 5\n5 5\n" + " ".join("1" if i == j else "0" for i in range(5) for j in range(5)) +
           "\n-1 -1 -1 -1 -1\n0.5\n0.2\n")
# w = 2z − 4
LCP = "1\n0 1 1\n1 1\n2\n-4\n"
# w = −1 whatever z: no solution
HOPELESS = "1\n0 1 1\n1 1\n0\n-1\n"

KEYS = {"file", "solver", "tolerance", "residual", "residual_per_contact", "iterations", "seconds", "status", "tried"}


class Solve(CommandLineTest):
    def solve(self, *arguments):
        return json.loads(self.passes("solve", *arguments, "--json", "-q").stdout)

    def test_table(self):
        self.write("sliding.dat", SLIDING)
        done = self.passes("solve", "sliding.dat")
        for word in ("sliding.dat", "auto", "solved", "residual", "steps", "✓"):
            self.assertIn(word, done.stdout)
        self.assertNotIn("\x1b", done.stdout + done.stderr)
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"sliding.dat"})

    def test_json(self):
        self.write("sliding.dat", SLIDING)
        self.write("lcp.dat", LCP)
        both = self.solve("sliding.dat", "lcp.dat", "--tolerance", "1e-9")
        self.assertEqual([entry["file"] for entry in both], ["sliding.dat", "lcp.dat"])
        for entry in both:
            self.assertEqual(KEYS - entry.keys(), set())
            self.assertEqual((entry["solver"], entry["status"], entry["tolerance"]), ("auto", "solved", 1e-9))
            self.assertLessEqual(entry["residual"], 1e-9)
            self.assertGreaterEqual(len(entry["tried"]), 1)
            self.assertEqual({"solver", "status", "iterations", "residual", "seconds"}, entry["tried"][0].keys())
        self.assertEqual([entry["contacts"] for entry in both], [1, 0])

    def test_all_solvers_and_a_report(self):
        self.write("sliding.dat", SLIDING)
        self.write("twice.dat", TWICE)
        self.write("lcp.dat", LCP)
        done = self.slipstick("solve", "sliding.dat", "twice.dat", "lcp.dat", "--solver", "all", "--tolerance", "1e-4",
                              "-o", "out", "--json", "-q")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        entries = json.loads(done.stdout)
        solvers = {entry["solver"] for entry in entries if entry["contacts"]}
        self.assertIn("auto", solvers)
        self.assertGreater(len(solvers), 2)
        self.assertLessEqual({"auto", "block-pivoting", "lemke"},
                             {entry["solver"] for entry in entries if not entry["contacts"]})
        self.assertEqual({p.name for p in (self.folder / "out").iterdir()}, {"report.html", "summary.json"})
        summary = self.summary("out")
        self.assertEqual(summary["format"], "slipstick-solve 1")
        self.assertEqual(summary["solves"], entries)
        self.assertIs(summary["passed"], done.returncode == 0)
        self.assertEqual({entry["solver"] for entry in summary["solvers"]}, {entry["solver"] for entry in entries})
        page = (self.folder / "out/report.html").read_text(encoding="utf-8")
        self.assertIn("Performance profile", page)
        self.assertIn("sliding.dat", page)

    def test_a_solver_that_does_not_take_a_problem(self):
        self.write("rolling.dat", ROLLING)
        self.write("sliding.dat", SLIDING)
        done = self.slipstick("solve", "rolling.dat", "sliding.dat", "--solver", "all", "-o", "out")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count("not for rolling contacts"), 1)
        summary = self.summary("out")
        self.assertEqual(summary["left_out"], [{"file": "rolling.dat", "solver": "gauss-seidel-newton",
                                                "reason": "not for rolling contacts"}])
        self.assertNotIn("bad input", {entry["status"] for entry in summary["solves"]})
        message = self.refused("solve", "rolling.dat", "--solver", "gauss-seidel-newton")
        self.assertIn("'gauss-seidel-newton', which is not for rolling contacts", message)

    def test_a_steep_cone_sticks(self):
        # |u| ≤ 1e-4 by the natural map at r = 0 already, where it falls through the floor
        self.write("steep.dat", SLIDING.replace("0.5", "1e6"))
        entry = self.solve("steep.dat", "--tolerance", "1e-4", "--save-solution", "answer.h5")[0]
        self.assertNotEqual(entry["answered_by"], "start")
        self.assertLess(entry["residual"], 1e-8)

    def test_nothing_to_do(self):
        self.write("open.dat", SLIDING.replace("-2 3 0", "2 0 0"))
        entry = self.solve("open.dat")[0]
        self.assertEqual((entry["status"], entry["answered_by"], entry["iterations"]), ("solved", "start", 0))

    def test_time_limit_of_an_lcp(self):
        self.write("lcp.dat", LCP)
        for solver in ("auto", "block-pivoting", "lemke"):
            done = self.slipstick("solve", "lcp.dat", "--solver", solver, "--time-limit", "1e-12", "--json", "-q")
            self.assertEqual(done.returncode, 1)
            self.assertEqual(json.loads(done.stdout)[0]["status"], "time limit")

    def test_several_solvers_by_name(self):
        self.write("lcp.dat", LCP)
        entries = self.solve("lcp.dat", "--solver", "lemke,block-pivoting")
        self.assertEqual([entry["solver"] for entry in entries], ["lemke", "block-pivoting"])
        # an option does not swallow the file after it
        self.assertEqual(len(self.solve("--solver", "lemke", "lcp.dat")), 1)

    def test_what_is_not_solved_is_exit_code_1(self):
        self.write("hopeless.dat", HOPELESS)
        self.write("lcp.dat", LCP)
        done = self.slipstick("solve", "hopeless.dat", "lcp.dat", "--json", "-q")
        self.assertEqual(done.returncode, 1, done.stderr)
        entries = json.loads(done.stdout)
        self.assertNotEqual(entries[0]["status"], "solved")
        self.assertGreater(entries[0]["residual"], 1e-3)
        self.assertEqual(entries[1]["status"], "solved")

    def test_save_solution(self):
        self.write("sliding.dat", SLIDING)
        self.passes("solve", "sliding.dat", "--save-solution", "answer.h5", "-q")
        self.assertTrue((self.folder / "answer.h5").read_bytes().startswith(b"\x89HDF\r\n"))
        try:
            import h5py
        except ImportError:
            return
        with h5py.File(self.folder / "answer.h5") as file:
            group = file["solution"]
            self.assertEqual(group.attrs["file"], "sliding.dat")
            self.assertLessEqual(group.attrs["residual"], 1e-8)
            for value, expected in zip(group["r"][:], (2, -1, 0)):
                self.assertAlmostEqual(value, expected, places=6)
            for value, expected in zip(group["u"][:], (0, 2, 0)):
                self.assertAlmostEqual(value, expected, places=6)

    def test_hyperstatic(self):
        self.write("twice.dat", TWICE)
        self.write("sliding.dat", SLIDING)
        twice, single = self.solve("twice.dat", "sliding.dat", "--hyperstatic")
        analysis = twice["hyperstaticity"]
        self.assertEqual((analysis["rows"], analysis["rank"], analysis["degree"]), (6, 3, 3))
        self.assertEqual([contact["unique"] for contact in analysis["contacts"]], [False, False])
        self.assertIs(analysis["least_solved"], True)
        self.assertEqual(single["hyperstaticity"]["degree"], 0)
        self.assertEqual(single["hyperstaticity"]["contacts"], [{"mode": "sliding", "unique": True}])

    def test_convex(self):
        self.write("sliding.dat", SLIDING)
        self.passes("solve", "sliding.dat", "--convex", "--save-solution", "answer.h5", "-q")

    def test_problems_that_a_run_saved(self):
        self.passes("run", SOURCE / "scenes" / "box-on-corners.yaml", "--time", "0.02", "--save-problems", "every=5",
                    "-q", "-o", "run")
        files = sorted((self.folder / "run/problems").glob("*.h5"))
        self.assertGreater(len(files), 1)
        entries = self.solve(*files)
        self.assertEqual({entry["status"] for entry in entries}, {"solved"})

    def test_unicode_path(self):
        self.write("Größe ▽/球.dat", LCP)
        self.assertEqual(self.solve("Größe ▽/球.dat")[0]["file"], "Größe ▽/球.dat")


class BadSolve(CommandLineTest):
    def test_all_bad_files_at_once_before_anything_is_solved(self):
        self.write("good.dat", SLIDING)
        self.write("cut.dat", SLIDING[:30])
        self.write("text.dat", "nothing of the kind\n")
        self.write("negative.dat", SLIDING.replace("0.5", "-0.5"))
        (self.folder / "binary.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(range(256)))
        message = self.refused("solve", "good.dat", "cut.dat", "text.dat", "negative.dat", "binary.h5", "missing.dat",
                               "-o", "out")
        for name in ("cut.dat", "text.dat", "negative.dat", "binary.h5", "missing.dat"):
            self.assertIn(name, message)
        self.assertNotIn("good.dat", message)

    def test_bad_options(self):
        self.write("a.dat", SLIDING)
        self.write("b.dat", LCP)
        self.assertIn("FILE", self.refused("solve"))
        message = self.refused("solve", "a.dat", "--solver", "nobody")
        self.assertIn("'nobody'", message)
        self.assertIn("auto", message)
        for tolerance in ("0", "-1", "1", "nan", "inf"):
            self.assertIn("--tolerance", self.refused("solve", "a.dat", "--tolerance", tolerance))
        # the problem itself is not written over, under whatever name
        self.assertIn("--save-solution", self.refused("solve", "a.dat", "--save-solution", "./a.dat"))
        self.assertEqual((self.folder / "a.dat").read_text(), SLIDING)
        (self.folder / "folder.h5").mkdir()
        self.assertIn("a folder", self.refused("solve", "folder.h5"))
        self.write("pulls.dat", SLIDING.replace("1 0 0 0 1 0 0 0 1", "-1 0 0 0 1 0 0 0 1"))
        self.assertIn("-1 in row 0", self.refused("solve", "pulls.dat"))
        self.write("steep.dat", SLIDING.replace("0.5", "1e7"))
        self.assertIn("mu[0]", self.refused("solve", "steep.dat"))
        # a solver of the other kind of problems
        self.assertIn("b.dat", self.refused("solve", "a.dat", "b.dat", "--solver", "gauss-seidel"))
        self.assertIn("again", self.refused("solve", "b.dat", "--solver", "lemke,lemke"))
        self.assertIn("a.dat", self.refused("solve", "a.dat", "a.dat"))
        for option, value in (("--tolerance", "0"), ("--tolerance", "-1"), ("--tolerance", "nan"),
                              ("--tolerance", "small"), ("--time-limit", "0"), ("--time-limit", "nan")):
            with self.subTest(f"{option} {value}"):
                self.assertIn(option, self.refused("solve", "a.dat", f"{option}={value}"))

    def test_save_solution_needs_one_file_and_one_solver(self):
        self.write("a.dat", SLIDING)
        self.write("b.dat", LCP)
        self.assertIn("one file and one solver", self.refused("solve", "a.dat", "b.dat", "--save-solution", "s.h5"))
        self.assertIn("one file and one solver",
                      self.refused("solve", "a.dat", "--solver", "all", "--save-solution", "s.h5"))

    def test_unwritable_places(self):
        self.write("a.dat", SLIDING)
        self.write("file", "not a folder")
        for option in ("-o", "--save-solution"):
            for place in ("file/below", "/dev/null/out"):
                self.assertIn(place, self.refused("solve", "a.dat", option, place, "-q"))

