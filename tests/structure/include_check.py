"""Every include in src/ stays within what ARCHITECTURE.md allows: the LINKS of src/CMakeLists.txt and three rules more."""

import os
import re

from module_table import read_modules
from source_tree import files_under, read_lines

# Pairs (from, to) that stay forbidden whatever LINKS says, with the reason.
NEVER = {
    ("stepping", "scene"): "a model is compiled before it is stepped",
}


def allowed_folders(modules):
    """{folder: folders it may include}"""
    return {folder: set(module["LINKS"]) for folder, module in modules.items()}


def forbidden_reason(folder, file_name, target, table):
    """Why src/folder/file_name must not include from src/target; None if it may."""
    if target == folder:
        return None
    if target not in table:
        return f"there is no folder src/{target}"
    if (folder, target) in NEVER:
        return NEVER[folder, target]
    solvers = [name.split("/")[0] == "solver" for name in (folder, target)]
    if folder == "law" and solvers[1]:
        return "laws know programs, not who solves them"
    if solvers[0] and target == "law":
        return "solvers know programs, not where they come from"
    # programs with velocities kept are cone programs: they share the iteration of interior points
    if all(solvers) and (folder, target) != ("solver/velocity", "solver/cone"):
        return "families of solvers share nothing but base"
    if target not in table.get(folder, set()):
        return f"{target} is not among the LINKS of {folder} in src/CMakeLists.txt"
    if (folder, target) == ("model", "scene") and not re.fullmatch(r"compile\w*\.(h|cpp)", file_name):
        return "in src/model only the files compile*.{h,cpp} see the scene"
    return None


def find_cycle(table):
    """Folders that include each other in a circle, as a list that ends where it starts; [] if there are none."""
    finished = set()

    def visit(folder, path):
        if folder in path:
            return path[path.index(folder):] + [folder]
        if folder in finished:
            return []
        for target in sorted(table.get(folder, ())):
            cycle = visit(target, path + [folder])
            if cycle:
                return cycle
        finished.add(folder)
        return []

    for folder in sorted(table):
        cycle = visit(folder, [])
        if cycle:
            return cycle
    return []


def check(root):
    faults = []
    table = allowed_folders(read_modules(root))
    if not table:
        faults.append("src/CMakeLists.txt: no slipstick_module found")
    cycle = find_cycle(table)
    if cycle:
        faults.append("src/CMakeLists.txt: LINKS go in a circle: " + " → ".join(cycle))
    for path in files_under(root, ["src"], {".h", ".cpp"}):
        folder, name = os.path.split(os.path.relpath(path, "src"))
        if folder not in table:
            faults.append(f"{path}: not in a folder that src/CMakeLists.txt makes a module of")
            continue
        for number, line in enumerate(read_lines(root, path), 1):
            include = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
            if not include:
                continue
            ours = re.fullmatch(r"slipstick/(.+)/([^/]+)", include[2])
            if not ours:
                if include[1] == '"':
                    faults.append(f'{path}:{number}: ours are included as "slipstick/<folder>/<file>.h", others in <>')
                continue
            reason = forbidden_reason(folder, name, ours[1], table)
            if reason:
                faults.append(f"{path}:{number}: must not include {include[2]}: {reason}")
            elif not os.path.exists(os.path.join(root, "src", ours[1], ours[2])):
                faults.append(f"{path}:{number}: there is no src/{ours[1]}/{ours[2]}")
    return faults
