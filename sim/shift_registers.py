# SPDX-License-Identifier: Apache-2.0
"""Shift registers of generate loops as arrays, moved in one piece: compilers do not see that in single statements."""

import collections
import re

from verilated_statements import ITERATION, member

# A register's copy in one iteration goes to that in another; how many make an array of them, and how many are moved at once.
SHIFT = re.compile(r"vlSelf(?:->|Ref\.)(\w+__BRA__\w+) = vlSelf(?:->|Ref\.)(\w+__BRA__\w+);")
MOVES = 32
MOVED_AT_ONCE = 3
ITERATED = re.compile(r"\b\w+__BRA__\d+__KET__\w+")
DECLARED = re.compile(r" {4,8}(\wData/\*[\d:]+\*/) (\w+__BRA__\w+);\n")
ELEMENTS = re.compile(r" *(vlSelf(?:->|Ref\.))(\w+)((?:\[\d+\])+) = (vlSelf(?:->|Ref\.))(\w+)((?:\[\d+\])+);")


class Arrays:
    """Shift registers of generate loops as arrays, moved in one piece: compilers do not see that in single statements."""

    def __init__(self, others, texts, declarations):
        others = {ITERATION.sub("", member(name)) for name in others}
        moves = collections.Counter(ITERATION.sub("", found[1]) for text in texts for found in SHIFT.finditer(text)
                                    if ITERATION.sub("", found[1]) == ITERATION.sub("", found[2]))
        self.sizes = {}
        for _, name in DECLARED.findall(declarations):
            base = ITERATION.sub("", name)
            if moves[base] >= MOVES or base in others:
                places = [int(i) for i in ITERATION.findall(name)]
                self.sizes[base] = [max(i + 1, size) for i, size in zip(places, self.sizes.get(base, [0] * len(places)))]

    def element(self, name):
        """The name, or that of the array's element."""
        base = ITERATION.sub("", name)
        return base + "".join(f"[{i}]" for i in ITERATION.findall(name)) if base in self.sizes else name

    def declare(self, text):
        """The header with the arrays in place of their first elements."""
        declared = set()

        def declaration(found):
            kind, name = found.groups()
            base = ITERATION.sub("", name)
            if base not in self.sizes:
                return found[0]
            again = base in declared
            declared.add(base)
            return "" if again else f"        {kind} {base}{''.join(f'[{size}]' for size in self.sizes[base])};\n"

        return DECLARED.sub(declaration, text)

    def use(self, text):
        """A file with elements instead of variables, and with runs of copies as one move each."""
        if not self.sizes:
            return text
        lines = []
        run = []

        def close():
            if len(run) < MOVED_AT_ONCE:
                lines.extend(line for line, *_ in run)
            else:
                first = min(run, key=lambda move: move[2])
                lines.append(f"    std::memmove(&{first[4]}, &{first[5]}, {len(run)} * sizeof({first[4]}));\n")
            run.clear()

        for line in ITERATED.sub(lambda found: self.element(found[0]), text).splitlines(keepends=True):
            copy = ELEMENTS.fullmatch(line.rstrip("\n"))
            if copy and copy[2] == copy[5]:
                to, source = (self.place(copy[2], index) for index in (copy[3], copy[6]))
                if run:
                    # What the run has written must not be what it reads later.
                    step = to - run[-1][2]
                    apart = abs(to - source) > len(run) or (to > source) == (step < 0)
                    steady = abs(step) == 1 and source - run[-1][3] == step and run[0][2] + step * len(run) == to
                    if run[0][1] != copy[2] or not apart or not steady:
                        close()
                run.append((line, copy[2], to, source, copy[1] + copy[2] + copy[3], copy[4] + copy[5] + copy[6]))
            else:
                close()
                lines.append(line)
        close()
        return "".join(lines)

    def place(self, base, index):
        place = 0
        for i, size in zip(re.findall(r"\d+", index), self.sizes[base]):
            place = place * size + int(i)
        return place
