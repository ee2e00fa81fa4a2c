# SPDX-License-Identifier: Apache-2.0
"""Reorders the members of a Verilated class so that the code which works on them gets shorter.

Two ends: first, what a function of a cycle names most lies in a block of 256 bytes, and the function gets a pointer to the block's middle:
instructions reach 128 bytes before and behind a pointer with an offset of one byte instead of four. Then a register's copies in all
iterations of a generate loop as neighbours: Verilator declares the registers of lane 0, then those of lane 1 and so on, but evaluates a
pipeline stage for one lane after the other under one enable; side by side the compiler makes a few vector instructions of these equal
statements.

Nothing in the generated code depends on the order of members.
"""

import collections
import re
import sys

# Type and name of a member, or bits and name of a port of a byte.
MEMBER = re.compile(r"\s*(?:([CSIQ]Data)/\*[\d:]+\*/ (\w+);|VL_(?:IN|OUT)8\((\w+),)")
# Verilator's spelling of "[3]", the iteration of a generate loop.
ITERATION = re.compile(r"__BRA__\d+__KET__")
# A member in a statement, as older and as newer versions of Verilator write it.
NAMED = re.compile(r"vlSelf(?:->|Ref\.)(\w+)")
SIZES = {"QData": 8, "IData": 4, "SData": 2, "CData": 1}
# Bytes that short offsets reach before a pointer, or behind it.
REACH = 128
# What is behind a test seldom runs: how much more a statement counts that always does.
ALWAYS = 4
# A function that arrange_statements.py wrote.
PART = re.compile(r"^void (\w+__nba_sequent__TOP__\d+__\d+)\(\w+\* vlSelf\) \{\n(.*?)^\}\n", re.MULTILINE | re.DOTALL)


def kind_and_name(line):
    """("CData", name) and so on, or None of a line that declares no such member."""
    member = MEMBER.match(line)
    return member and ((member[1], member[2]) if member[1] else ("CData", member[3]))


def named(body):
    """How often a function's statements, each on a line, name a member."""
    count = collections.Counter()
    for line in body.splitlines():
        always = ALWAYS if re.match(r" {4}\S", line) else 1
        for name in set(NAMED.findall(line)):
            count[name] += always
    return count


def blocks(kinds, uses):
    """For each function the names of its block, large ones first. `kinds`: of all members; `uses`: how often each function names a member."""
    wanted = sorted(((count / SIZES[kinds[name]], part, name) for part, counts in enumerate(uses) for name, count in counts.items() if name in kinds),
                    key=lambda want: (-want[0], want[1:]))
    found = [[] for _ in uses]
    room = [2 * REACH] * len(uses)
    taken = set()
    for _, part, name in wanted:
        size = SIZES[kinds[name]]
        if name not in taken and size <= room[part]:
            found[part].append(name)
            room[part] -= size
            taken.add(name)
    return [sorted(names, key=lambda name: -SIZES[kinds[name]]) for names in found]


def arrange(lines, blocks):
    """The lines with the members of the blocks first, and each other member behind the first one of its type that differs from it in
    iterations only."""
    members = {found[1]: (found[0], line) for line in lines if (found := kind_and_name(line))}
    first = [members[name][1] for block in blocks for name in block]
    inside = {name for block in blocks for name in block}
    copies = collections.defaultdict(dict)  # type: {name without iteration: its lines}
    for name, (kind, line) in members.items():
        if name not in inside:
            copies[kind].setdefault(ITERATION.sub("", name), []).append(line)
    ordered = {kind: (line for group in groups.values() for line in group) for kind, groups in copies.items()}
    result = []
    for line in lines:
        found = kind_and_name(line)
        if found:
            result += first
            first = []
        if not found or found[1] not in inside:
            result.append(next(ordered[found[0]]) if found else line)
    return result


def to_middle(text, top, functions):
    """The text with the functions called with a pointer to the middle of their blocks."""
    for name in functions:
        text = text.replace(f"void {name}({top}* vlSelf);", f"void {name}(char* middle);")
        text = text.replace(f"void {name}({top}* vlSelf) {{\n",
                            f"void {name}(char* middle) {{\n    {top}* const vlSelf = reinterpret_cast<{top}*>(middle - {name}_middle);\n")
        text = text.replace(f"    {name}(vlSelf);", f"    {name}(reinterpret_cast<char*>(vlSelf) + {name}_middle);")
    return text


def rewrite(header):
    """Arranges the members in V<top>___024root.h, which has Verilator's other files beside it. Returns whether there was anything to do."""
    lines = header.read_text().splitlines(keepends=True)
    # The functions of every cycle, not those of the start.
    texts = {path: path.read_text() for path in header.parent.glob(f"{header.stem}__*.cpp") if "Slow" not in path.name}
    functions = {found[1]: named(found[2]) for _, text in sorted(texts.items()) for found in PART.finditer(text)}
    kinds = {found[1]: found[0] for line in lines if (found := kind_and_name(line))}
    found = dict(zip(functions, blocks(kinds, functions.values())))
    arranged = arrange(lines, found.values())
    if sorted(arranged) != sorted(lines):
        sys.exit(f"{header}: members lost")
    end = max(i for i, line in enumerate(arranged) if line.startswith("#endif"))
    middles = [f"constexpr std::size_t {name}_middle = offsetof({header.stem}, {block[0]}) + {REACH};\n" for name, block in found.items() if block]
    header.write_text("".join([*arranged[:end], *middles, "\n", *arranged[end:]]))
    for path, text in texts.items():
        path.write_text(to_middle(text, header.stem, [name for name, block in found.items() if block]))
    return arranged != lines
