#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reorders the members of a Verilated class so that a register's copies in all iterations of a generate loop are neighbours.

    group_copies.py HEADER          (V<top>___024root.h, rewritten in place)

Verilator declares the registers of lane 0, then those of lane 1 and so on, but evaluates a pipeline stage for one lane after the other
under one enable. Where the copies of a register lie side by side, the compiler makes a few vector instructions of these equal statements.
Members change places with others of their type only, and nothing in the generated code depends on their order.
"""

import pathlib
import re
import sys

MEMBER = re.compile(r"\s*([CSIQ]Data)/\*[\d:]+\*/ \w+;")
# Verilator's spelling of "[3]", the iteration of a generate loop. Of nested loops the outermost counts.
ITERATION = re.compile(r"__BRA__\d+__KET__")


def group(lines):
    """The lines with each member behind the first one that differs from it in the iteration only."""
    copies = {}  # type: {name without iteration: its lines}
    for line in lines:
        if member := MEMBER.match(line):
            copies.setdefault(member[1], {}).setdefault(ITERATION.sub("", line, count=1), []).append(line)
    ordered = {kind: (line for group in groups.values() for line in group) for kind, groups in copies.items()}
    return [next(ordered[member[1]]) if (member := MEMBER.match(line)) else line for line in lines]


def main():
    header = pathlib.Path(sys.argv[1])
    lines = header.read_text().splitlines(keepends=True)
    grouped = group(lines)
    if sorted(grouped) != sorted(lines):
        sys.exit(f"{header}: members lost")
    header.write_text("".join(grouped))


if __name__ == "__main__":
    main()
