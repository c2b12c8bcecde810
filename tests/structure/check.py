"""check.py CHECK [--binary SLIPSTICK]: one structure check over the whole tree; prints every fault, exits 1 if any."""

import argparse
import os
import sys

import docs_check
import header_check
import include_check
import text_check

CHECKS = {
    "includes": include_check.check,
    "headers": header_check.check,
    "lengths": text_check.check_lengths,
    "words": text_check.check_words,
    "scenes": text_check.check_scenes,
    "paths": docs_check.check_paths,
}
CHECKS_OF_BINARY = {"commands": docs_check.check_commands, "settings": docs_check.check_settings,
                    "materials": docs_check.check_materials}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("check", choices=[*CHECKS, *CHECKS_OF_BINARY])
    parser.add_argument("--binary", help="the slipstick program")
    arguments = parser.parse_args()
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if arguments.check in CHECKS:
        faults = CHECKS[arguments.check](root)
    elif arguments.binary:
        faults = CHECKS_OF_BINARY[arguments.check](root, arguments.binary)
    else:
        parser.error(f"{arguments.check} needs --binary")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


sys.exit(main())
