#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names sources that are longer than a reader takes in at once and do not say why in their opening comment:

    C++ of src/ and include/           400 lines      (functions: .clang-tidy)
    modules of rtl/                    300 lines, 40 ports

The reason stands in a sentence that begins with `More than`, e.g. "More than 300 lines: the register map ...".
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMITS = {"src": 400, "include": 400, "rtl": 300}
PORTS = 40


def opening(text):
    """The comment that the file begins with."""
    return re.match(r"(?:\s*//.*\n)*", text).group()


def ports(text):
    head = re.search(r"\bmodule\b.*?\)\s*;\s*\n", text, re.DOTALL)
    return len(re.findall(r"\b(?:input|output|inout)\b", re.sub(r"//.*", "", head.group()))) if head else 0


def main():
    long = []
    for folder, limit in LIMITS.items():
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".cpp", ".h", ".v"):
                continue
            text = path.read_text()
            lines = text.count("\n")
            count = ports(text) if path.suffix == ".v" else 0
            if (lines > limit or count > PORTS) and not re.search(r"\bMore than \d+", opening(text)):
                long.append(f"  {path.relative_to(ROOT)}: {lines} lines" + (f", {count} ports" if count > PORTS else ""))
    if long:
        print("\n".join(["More than a reader takes in at once, without a reason in the opening comment:", *long]))
        sys.exit(1)


if __name__ == "__main__":
    main()
