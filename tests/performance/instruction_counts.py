"""Instructions of a step of some small scenes, counted by callgrind, against those in instruction_counts.json.

--renew writes them anew; --shares prints how they are divided among the stages of a step."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SCENES = HERE.parents[1] / "scenes"
STORED = HERE / "instruction_counts.json"
ALLOWED = 0.1
SKIPPED = 77

# scene, steps before, steps counted, overrides
CASES = {
    "stack": ("stack.yaml", 10, 20, []),
    "stack, cone": ("stack.yaml", 10, 20, ["law.name=cone"]),
    "25 boxes fall": ("bench/heap.yaml", 45, 15, ["groups.b.lattice.count=25"]),
    "stack, box": ("stack.yaml", 10, 10, ["law.name=box"]),
    "25 boxes fall, max-dissipation": ("bench/heap.yaml", 45, 5, ["groups.b.lattice.count=25", "law.name=max-dissipation"]),
    "quadruped": ("bench/quadruped.yaml", 200, 100, []),
    "chain of 50, friction": ("chain.yaml", 20, 50, ["repeat.links.count=49", "repeat.links.joints.0.friction=1e-3"]),
    "chain on the ground": ("bench/chain-on-ground.yaml", 3, 5, []),
    "grains": ("grains.yaml", 30, 10, []),
}

# Stages of a step by the functions of other folders that it calls; none of them calls another of them.
STAGES = {
    "detection": ["ContactSelection::Choose", "ContactSelection::TakeInClosing"],
    "assembly": ["AssembleFreeMotion", "AssembleRows"],
    "law and solver": ["TimeStepper::Solve(", "TimeStepper::SolveCausedImpacts"],
    "judging": ["internal::Certify(", "TimeStepper::JudgePath", "JudgeMotion", "TimeStepper::JudgeDriveEfforts"],
}


def cpu_has_avx2():
    try:
        return "avx2" in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


def count(arguments, case):
    """(instructions of a step, the profile's file as text)"""
    scene, before, counted, overrides = CASES[case]
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile"
        done = subprocess.run(
            [arguments.valgrind, "--tool=callgrind", f"--callgrind-out-file={profile}", "--collect-atstart=no",
             "--toggle-collect=*CountedSteps*", arguments.program, SCENES / scene, str(before), str(counted), *overrides],
            capture_output=True, text=True, check=False)
        total = re.search(r"Collected : (\d+)", done.stderr)
        if done.returncode != 0 or total is None or int(total[1]) == 0:
            sys.exit(f"{case}: nothing was counted\n{done.stderr}")
        shares = None
        if arguments.shares:
            shares = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", "--auto=no", profile],
                                    capture_output=True, text=True, check=True).stdout
        return int(total[1]) / counted, shares


def shares_of(text):
    """Stage → share of all instructions of the steps."""
    total = int(re.search(r"([\d,]+).*PROGRAM TOTALS", text)[1].replace(",", ""))
    rows = re.findall(r"^\s*([\d,]+) \([\s\d.]+%\)\s+[^:\s]+:(.*?)(?: \[|$)", text, re.MULTILINE)
    shares = {}
    for stage, functions in STAGES.items():
        found = {name: int(number.replace(",", "")) for number, name in rows if any(f in name for f in functions)}
        shares[stage] = sum(found.values()) / total
    shares["the rest"] = 1 - sum(shares.values())
    return shares


def main():
    parser = argparse.ArgumentParser()
    for name in ("--valgrind", "--program", "--compiler", "--eigen", "--build"):
        parser.add_argument(name, required=True)
    parser.add_argument("--renew", action="store_true")
    parser.add_argument("--shares", action="store_true")
    arguments = parser.parse_args()
    if not arguments.valgrind or arguments.valgrind.endswith("NOTFOUND"):
        print("skipped: valgrind is missing (Debian's valgrind), which ./test installs")
        return SKIPPED
    # what instructions depend on beside the source
    made_by = {"compiler": arguments.compiler, "eigen": arguments.eigen, "build": arguments.build.strip(),
               "libc": os.confstr("CS_GNU_LIBC_VERSION"), "avx2": cpu_has_avx2()}
    stored = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {"made_by": {}, "instructions": {}}
    renews = arguments.renew or arguments.shares
    if not renews and stored["made_by"] != made_by:
        print(f"skipped: the counts stored are of {stored['made_by']}, this is {made_by}; the target "
              "renew_instruction_counts counts anew")
        return SKIPPED
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        counts = dict(zip(CASES, pool.map(lambda case: count(arguments, case), CASES)))
    if arguments.shares:
        stages = [*STAGES, "the rest"]
        print(f"| scene | instructions a step | {' | '.join(stages)} |\n|---|---|{'---|' * len(stages)}")
        for case, (instructions, text) in counts.items():
            shares = shares_of(text)
            print(f"| {case} | {instructions:,.0f} | {' | '.join(f'{100 * shares[stage]:.0f} %' for stage in stages)} |")
        return 0
    found = {case: round(instructions) for case, (instructions, _) in counts.items()}
    if arguments.renew:
        STORED.write_text(json.dumps({"made_by": made_by, "instructions": found}, indent=2) + "\n", encoding="utf-8")
        print(f"written: {STORED}")
        return 0
    failed = False
    for case, instructions in found.items():
        before = stored["instructions"].get(case)
        ratio = instructions / before if before else float("inf")
        fails = not 1 - ALLOWED <= ratio <= 1 + ALLOWED
        failed |= fails
        print(f"{'✗' if fails else '✓'} {case}: {instructions:,} instructions a step, {ratio:.3f} of those stored")
    if failed:
        print("A step costs more or less than it did. If that is meant, for the better or because an answer asks for it: "
              "cmake --build build/release --target renew_instruction_counts, and say in CHANGELOG.md what changed.")
    return 1 if failed else 0


sys.exit(main())
