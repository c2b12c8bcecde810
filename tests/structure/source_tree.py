"""The files that the structure checks look at."""

import os

# Made by tools or by other people; not ours to check.
SKIPPED_FOLDERS = {".git", "build", "out", "node_modules", "dist", "__pycache__", ".cache"}
TEXT_ENDINGS = {
    ".h", ".cpp", ".c", ".py", ".ts", ".tsx", ".js", ".mjs", ".css", ".html", ".cmake", ".txt", ".in", ".md", ".yaml",
    ".yml", ".json", ".urdf", ".bash", ".sh", ".toml", "",
}


def files_under(root, folders=(".",), endings=None):
    """Paths relative to root, sorted, of the files in the folders given that have one of the endings."""
    found = set()
    for folder in folders:
        for place, subfolders, names in os.walk(os.path.join(root, folder)):
            subfolders[:] = [name for name in subfolders if name not in SKIPPED_FOLDERS]
            for name in names:
                if endings is None or os.path.splitext(name)[1] in endings:
                    found.add(os.path.relpath(os.path.join(place, name), root))
    return sorted(found)


def read_lines(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return file.read().splitlines()
