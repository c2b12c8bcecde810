"""File lengths, and words and paths that have no place in a finished tree."""

import re

from source_tree import TEXT_ENDINGS, files_under, read_lines

LONGEST = 600
# Written apart, since this file is checked too.
UNFINISHED = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X"]) + r")\b")
# A path that starts at the root of some machine's disk: nobody else has it. Not one inside an address or a longer path.
MACHINE_PATH = re.compile(r"(?<![\w.~:/)>}$*-])/(?:" + "|".join(["home", "root", "work", "tmp", "Users", "mnt", "opt"]) + r")/\w")
CHECKED_ENDINGS = {".h", ".cpp", ".ts", ".tsx", ".js", ".mjs", ".css", ".html", ".py"}


def check_lengths(root):
    faults = []
    for path in files_under(root, ["src", "apps", "tests", "viewer/src"], CHECKED_ENDINGS):
        count = len(read_lines(root, path))
        if count > LONGEST:
            faults.append(f"{path}: {count} lines; past {LONGEST} a file is split by meaning")
    return faults


def check_words(root):
    faults = []
    for path in files_under(root, ["."], TEXT_ENDINGS):
        if path.endswith("package-lock.json"):
            continue
        for number, line in enumerate(read_lines(root, path), 1):
            word = UNFINISHED.search(line)
            if word:
                faults.append(f"{path}:{number}: says {word[0]}: do it, or leave it out")
            machine_path = MACHINE_PATH.search(line)
            if machine_path:
                faults.append(f"{path}:{number}: a path of one machine: {line[machine_path.start():].split()[0]}")
    return faults


def check_scenes(root):
    """Every scene is described in docs/scenes.md."""
    scenes = [path for path in files_under(root, ["scenes"], {".yaml"})]
    try:
        text = "\n".join(read_lines(root, "docs/scenes.md"))
    except FileNotFoundError:
        return ["docs/scenes.md is missing"] if scenes else []
    faults = []
    for path in scenes:
        name = path.rsplit("/", 1)[-1][: -len(".yaml")]
        if not re.search(r"(?<![\w-])" + re.escape(name) + r"(?![\w-])", text):
            faults.append(f"docs/scenes.md does not mention {path}")
    return faults
