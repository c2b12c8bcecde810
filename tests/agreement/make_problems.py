#!/usr/bin/env python3
"""make_problems.py SLIPSTICK: makes tests/agreement/problems anew, from steps of this project's scenes."""

import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# scene, options, steps of it that are kept
CHOICE = [
    ("wheel", [], [1000]),
    ("table", [], [200, 800]),
    ("box-on-corners", [], [100]),
    ("twelve-contacts", [], [100, 300]),
    ("heavy-on-light", [], [50]),
    ("four-bar", [], [200]),
    ("joint-friction", [], [100]),
    ("stack", [], [400]),
    ("pile", [], [300, 500]),
]


def main():
    binary = os.path.abspath(sys.argv[1])
    target = os.path.join(HERE, "problems")
    shutil.rmtree(target, ignore_errors=True)
    os.makedirs(target)
    for scene, options, steps in CHOICE:
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "out")
            subprocess.run([binary, "run", scene, "--law", "coulomb", "--save-problems", "every=50", "-q", "-o", out,
                            *options], check=False, stdout=subprocess.DEVNULL)
            for step in steps:
                shutil.copy(os.path.join(out, "problems", f"every-{step:08d}.h5"),
                            os.path.join(target, f"{scene}-{step}.h5"))
    return 0


sys.exit(main())
