# SPDX-License-Identifier: Apache-2.0
"""Reorders the members of a Verilated class so that the code which works on them gets shorter.

Two ends: first the bytes that most statements name, as instructions reach the first 128 bytes of an object with an offset of one byte
instead of four. Then a register's copies in all iterations of a generate loop as neighbours: Verilator declares the registers of lane 0,
then those of lane 1 and so on, but evaluates a pipeline stage for one lane after the other under one enable; side by side the compiler
makes a few vector instructions of these equal statements.

Members change places with others of their type only, and nothing in the generated code depends on the order.
"""

import collections
import re
import sys

# Type and name of a member, or name of a port of a byte.
MEMBER = re.compile(r"\s*(?:([CSIQ]Data)/\*[\d:]+\*/ (\w+);|VL_(?:IN|OUT)8\((\w+),)")
# Verilator's spelling of "[3]", the iteration of a generate loop.
ITERATION = re.compile(r"__BRA__\d+__KET__")
# A member in a statement, as older and as newer versions of Verilator write it.
NAMED = re.compile(r"vlSelf(?:->|Ref\.)(\w+)")
# Bytes that short offsets reach, less those of the base class.
NEAR = 128 - 16


def kind_and_name(line):
    """("CData", name) and so on, or None of a line that declares no such member."""
    member = MEMBER.match(line)
    return member and ((member[1], member[2]) if member[1] else ("CData", member[3]))


def arrange(lines, statements):
    """The lines with the bytes first that most statements name, and each other member behind the first one that differs from it in
    iterations only."""
    named = collections.Counter(name for statement in statements for name in set(NAMED.findall(statement)))
    members = [(line, *found) for line in lines if (found := kind_and_name(line))]
    bytes_by_use = sorted((m for m in members if m[1] == "CData"), key=lambda m: -named[m[2]])
    near = {line for line, _, name in bytes_by_use[:NEAR] if named[name]}
    copies = collections.defaultdict(dict)  # type: {name without iteration: its lines}
    copies["CData"][""] = [line for line, _, _ in bytes_by_use if line in near]
    for line, kind, name in members:
        if line not in near:
            copies[kind].setdefault(ITERATION.sub("", name), []).append(line)
    ordered = {kind: (line for group in groups.values() for line in group) for kind, groups in copies.items()}
    return [next(ordered[found[0]]) if (found := kind_and_name(line)) else line for line in lines]


def rewrite(header):
    """Arranges the members in V<top>___024root.h, which has Verilator's other files beside it. Returns whether there was anything to do."""
    lines = header.read_text().splitlines(keepends=True)
    # The functions of every cycle, not those of the start.
    code = [path.read_text() for path in header.parent.glob(f"{header.stem}__*.cpp") if "Slow" not in path.name]
    arranged = arrange(lines, [statement for text in code for statement in text.split(";\n")])
    if sorted(arranged) != sorted(lines):
        sys.exit(f"{header}: members lost")
    header.write_text("".join(arranged))
    return arranged != lines
