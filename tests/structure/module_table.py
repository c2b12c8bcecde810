"""What src/CMakeLists.txt says of the folders of src/."""

import re

from source_tree import read_lines

KEYWORDS = ("LINKS", "PACKAGES", "PRIVATE_PACKAGES", "PUBLIC_HEADERS")


def parse_modules(cmake_text):
    """{folder: {keyword: words after it}}, from the calls of slipstick_module."""
    modules = {}
    without_comments = re.sub(r"#.*", "", cmake_text)
    for arguments in re.findall(r"slipstick_module\(([^)]*)\)", without_comments):
        words = arguments.split()
        modules[words[0]] = module = {keyword: [] for keyword in KEYWORDS}
        keyword = None
        for word in words[1:]:
            if word in KEYWORDS:
                keyword = word
            elif keyword:
                module[keyword].append(word)
    return modules


def read_modules(root):
    return parse_modules("\n".join(read_lines(root, "src/CMakeLists.txt")))


def public_headers(modules):
    """Paths below src/ of the headers that are installed."""
    return {f"{folder}/{name}" for folder, module in modules.items() for name in module["PUBLIC_HEADERS"]}


def usable_packages(modules, folder):
    """Its own packages, and the public ones of all that it links."""
    found, waiting, seen = set(modules[folder]["PRIVATE_PACKAGES"]), [folder], set()
    while waiting:
        current = waiting.pop()
        if current in seen or current not in modules:
            continue
        seen.add(current)
        found |= set(modules[current]["PACKAGES"])
        waiting += modules[current]["LINKS"]
    return found
