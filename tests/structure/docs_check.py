"""What the documents name exists: paths, links, headings linked to, commands, their options, settings, properties of materials."""

import glob
import json
import os
import re
import subprocess

from source_tree import files_under, read_lines

REQUIRED = ["README.md", "ARCHITECTURE.md"]
SHELL_LANGUAGES = {"", "sh", "bash", "shell", "console", "text"}
SOURCE_ENDINGS = (".h", ".cpp", ".py", ".ts", ".cmake", ".yaml", ".md")
# Folders that exist only after a build or a run.
MADE_FOLDERS = {"build", "out"}


def documents(root):
    return REQUIRED + [path for path in files_under(root, ["docs"], {".md"})]


def split_fences(lines):
    """Lists of (number, line): prose, and shell lines of fenced blocks."""
    prose, shell, language = [], [], None
    for number, line in enumerate(lines, 1):
        fence = re.match(r"\s*(```|~~~)\s*(\S*)", line)
        if fence:
            language = fence[2].lower() if language is None else None
        elif language is None:
            prose.append((number, line))
        elif language in SHELL_LANGUAGES:
            shell.append((number, line))
    return prose, shell


def heading_anchors(lines):
    """The anchors that headings get, the way the usual hosts of Markdown make them."""
    prose, _ = split_fences(lines)
    anchors = set()
    for _, line in prose:
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if heading:
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
            base = anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            repeat = 0
            while anchor in anchors:
                repeat += 1
                anchor = f"{base}-{repeat}"
            anchors.add(anchor)
    return anchors


def looks_like_path(root, text):
    """Whether a code span names a file or folder of this tree, rather than a formula, a name or a file a run writes."""
    if not re.fullmatch(r"[\w./*+{},-]+", text) or text.startswith(("/", "-")) or text.endswith("..."):
        return False
    first = text.split("/")[0]
    if first in MADE_FOLDERS:
        return False
    if text.startswith("./"):
        return True
    if "/" in text:
        # A name such as `stepping/simulation.h` counts as well: it is looked for under src/.
        return os.path.isdir(os.path.join(root, first)) or text.endswith(SOURCE_ENDINGS)
    return text.endswith((".h", ".cpp", ".cmake"))


def expand_braces(text):
    """Every meaning of a pattern such as compile*.{h,cpp}."""
    braces = re.search(r"\{([^{}]*)\}", text)
    if not braces:
        return [text]
    return [
        whole
        for choice in braces[1].split(",")
        for whole in expand_braces(text[: braces.start()] + choice + text[braces.end():])
    ]


def path_exists(root, document, text):
    folders = [root, os.path.join(root, os.path.dirname(document)), os.path.join(root, "src")]
    if "/" not in text:
        folders.append(os.path.join(root, "**"))
    return all(
        any(glob.glob(os.path.join(folder, pattern), recursive="**" in folder) for folder in folders)
        for pattern in expand_braces(text)
    )


def check_paths(root):
    faults = []
    for document in documents(root):
        if not os.path.exists(os.path.join(root, document)):
            faults.append(f"{document} is missing")
            continue
        lines = read_lines(root, document)
        prose, _ = split_fences(lines)
        for number, line in prose:
            for span in re.findall(r"`([^`]+)`", line):
                path = re.sub(r":\d+$", "", span)
                if looks_like_path(root, path) and not path_exists(root, document, path):
                    faults.append(f"{document}:{number}: there is no `{span}`")
            without_code = re.sub(r"`[^`]*`", "", line)
            for target in re.findall(r"\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)", without_code):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                linked = os.path.normpath(os.path.join(os.path.dirname(document), path)) if path else document
                if not os.path.exists(os.path.join(root, linked)):
                    faults.append(f"{document}:{number}: the link {target} leads nowhere")
                elif anchor and linked.endswith(".md") and anchor not in heading_anchors(read_lines(root, linked)):
                    faults.append(f"{document}:{number}: {linked} has no heading #{anchor}")
    return faults


def named_commands(root):
    """(document, line number, command, its options) for every `slipstick …` or `./run …` in code."""
    found = []
    for document in documents(root):
        if not os.path.exists(os.path.join(root, document)):
            continue
        prose, shell = split_fences(read_lines(root, document))
        texts = [(number, span) for number, line in prose for span in re.findall(r"`([^`]+)`", line)] + shell
        for number, text in texts:
            match = re.match(r"\s*(?:\$ )?(?:\./run|slipstick)\s+([a-z][a-z-]*)\b(.*)", text)
            if match:
                arguments = re.split(r"\s#|[|;>&]", match[2])[0]
                options = re.findall(r"(?<![\w-])--[a-z][a-z-]*", arguments)
                found.append((document, number, match[1], options))
    return found


def ask(binary, *arguments):
    answer = subprocess.run([binary, *arguments], capture_output=True, text=True, timeout=60, check=False)
    return answer.returncode, answer.stdout


def check_commands(root, binary):
    faults, help_texts = [], {}
    status, overview = ask(binary, "--help")
    if status != 0:
        return [f"slipstick --help ends with {status}"]
    subcommands = set(re.findall(r"^ {2}([a-z][a-z-]*)\b", overview.partition("Subcommands:")[2], re.MULTILINE))
    for document, number, command, options in named_commands(root):
        if command not in subcommands:
            faults.append(f"{document}:{number}: slipstick has no command {command}")
            continue
        if command not in help_texts:
            help_texts[command] = ask(binary, command, "--help")[1] + overview
        for option in options:
            if not re.search(re.escape(option) + r"(?![\w-])", help_texts[command]):
                faults.append(f"{document}:{number}: slipstick {command} has no option {option}")
    return faults


def setting_names(listing):
    """Every name found under a key `settings`, at any depth of the JSON that `slipstick list --json` prints."""
    names = set()
    if isinstance(listing, list):
        for element in listing:
            names |= setting_names(element)
    elif isinstance(listing, dict):
        for key, value in listing.items():
            if key != "settings":
                names |= setting_names(value)
            elif isinstance(value, dict):
                names |= set(value)
            else:
                names |= {entry if isinstance(entry, str) else entry["name"] for entry in value}
    return names


def rows_in_tables(lines, headings):
    """(line number, cells) for each row of each table whose first column has one of the headings."""
    found, in_table = [], False
    for number, line in enumerate(lines, 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.strip().startswith("|") else []
        if not cells:
            in_table = False
        elif cells[0].strip("*").lower() in headings:
            in_table = True
        elif in_table and not re.fullmatch(r":?-+:?", cells[0]):
            found.append((number, cells))
    return found


def names_in(cell):
    return re.findall(r"`([^`]+)`", cell)


def check_settings(root, binary):
    """Tables in docs/methods.md name settings that exist."""
    if not os.path.exists(os.path.join(root, "docs/methods.md")):
        return []
    rows = rows_in_tables(read_lines(root, "docs/methods.md"), ("setting", "settings"))
    status, printed = ask(binary, "list", "--json")
    if status != 0:
        return [f"slipstick list --json ends with {status}"]
    known = setting_names(json.loads(printed))
    if not known:
        return []
    return [
        f"docs/methods.md:{number}: no method has a setting {name}"
        for number, cells in rows
        for name in names_in(cells[0])
        if name not in known and name.rpartition(".")[2] not in known
    ]


def check_materials(root, binary):
    """The table of docs/scene-format.md tells each property of materials, with unit, default and combination."""
    document = "docs/scene-format.md"
    status, printed = ask(binary, "list", "--json")
    if status != 0:
        return [f"slipstick list --json ends with {status}"]
    missing = dict(json.loads(printed)["material_properties"])
    faults = []
    for number, cells in rows_in_tables(read_lines(root, document), ("property",)):
        name = names_in(cells[0])[0]
        if name not in missing:
            faults.append(f"{document}:{number}: materials have no property {name}, or it is told twice")
            continue
        told = missing.pop(name)
        default = told["default"] if isinstance(told["default"], str) else f"{told['default']:g}"
        for cell, what in ((1, told.get("unit", "")), (2, default), (3, told.get("combination", ""))):
            if what not in cells[cell]:
                faults.append(f"{document}:{number}: of {name}, {what} is not told in column {cell + 1}")
    return faults + [f"{document}: nothing on the property {name} of materials" for name in missing]
