# SPDX-License-Identifier: Apache-2.0
"""Shift registers of generate loops as arrays, moved in one piece: compilers do not see that in single statements."""

import collections
import math
import re

from verilated_statements import ITERATION, member

# A register's copy in one iteration goes to that in another; how many make an array of them, and how many are moved at once.
SHIFT = re.compile(r"vlSelf(?:->|Ref\.)(\w+__BRA__\w+) = vlSelf(?:->|Ref\.)(\w+__BRA__\w+);")
MOVES = 32
MOVED_AT_ONCE = 3
ITERATED = re.compile(r"\b\w+__BRA__\d+__KET__\w+")
DECLARED = re.compile(r" {4,8}(\wData/\*[\d:]+\*/) (\w+__BRA__\w+);\n")
ELEMENT = re.compile(r"(vlSelf(?:->|Ref\.))(\w+)((?:\[\d+\])+)")
ASSIGNED = re.compile(rf" *{ELEMENT.pattern} = (.*);")
# Of eight elements or more
TEST = re.compile(rf"\bif \(((?:vlSelf(?:->|Ref\.)\w+(?:\[\d+\])+ \| ){{7,}}vlSelf(?:->|Ref\.)\w+(?:\[\d+\])+)\) {{")


class Arrays:
    """Shift registers of generate loops as arrays, moved in one piece: compilers do not see that in single statements."""

    def __init__(self, others, texts, declarations):
        others = {ITERATION.sub("", member(name)) for name in others}
        moves = collections.Counter(ITERATION.sub("", found[1]) for text in texts for found in SHIFT.finditer(text)
                                    if ITERATION.sub("", found[1]) == ITERATION.sub("", found[2]))
        self.sizes = {}
        self.bytes = set()
        names = collections.defaultdict(list)
        for kind, name in DECLARED.findall(declarations):
            base = ITERATION.sub("", name)
            if moves[base] >= MOVES or base in others:
                names[base].append(name)
                if kind.startswith("CData"):
                    self.bytes.add(base)
                places = [int(i) for i in ITERATION.findall(name)]
                self.sizes[base] = [max(i + 1, size) for i, size in zip(places, self.sizes.get(base, [0] * len(places)))]
        self.used = {base: {self.place(base, self.element(name)[len(base):]) for name in found} for base, found in names.items()}

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
        """A file with elements instead of variables, with the copies of a shift register as one move, and with tests of many elements as
        one."""
        if not self.sizes:
            return text
        for _, name in DECLARED.findall(text):
            if self.element(name) != name:
                raise ValueError(f"{name} is a local variable of a function, and an element of an array in another one")
        lines = []
        # Assignments to elements of one array: line, array, place, and the place of the element that is copied or None.
        block = []
        for line in ITERATED.sub(lambda found: self.element(found[0]), text).splitlines(keepends=True):
            assigned = ASSIGNED.fullmatch(line.rstrip("\n"))
            owner, base, index, value = assigned.groups() if assigned else (None, None, None, "")
            copy = ELEMENT.fullmatch(value)
            source = self.place(*copy.groups()[1:]) if copy and copy[2] == base else None
            if base not in self.sizes or source is None and base in value:
                lines += [*self.moved(block), TEST.sub(self.test, line)]
                block = []
                continue
            to = self.place(base, index)
            if block and (block[0][1] != owner + base or {source, to} & {other for _, _, other, _ in block}):
                lines += self.moved(block)
                block = []
            block.append((line, owner + base, to, source))
        return "".join([*lines, *self.moved(block)])

    def moved(self, block):
        """The lines of a block of assignments. None of them uses or assigns what another one in front of it assigns, so copies can come first.
        Neighbouring copies are one move, over places between them that nobody uses, or that the block assigns anyway."""
        copies = {to: source for _, _, to, source in block if source is not None}
        steps = {to - source for to, source in copies.items()}
        if len(copies) < MOVED_AT_ONCE or len(steps) > 1:
            return [line for line, *_ in block]
        (step,) = steps
        array = block[0][1]
        base = member(array)
        free = {to for _, _, to, _ in block} | (set(range(math.prod(self.sizes[base]))) - self.used[base])
        runs = []
        for to in sorted(copies):
            if runs and all(place in free for place in range(runs[-1][1] + 1, to)):
                runs[-1][1] = to
            else:
                runs.append([to, to])
        # What a run writes is what the next one reads, if they meet.
        if step > 0:
            runs.reverse()
        moves = [f"    std::memmove(&{array}{self.index(base, first)}, &{array}{self.index(base, first - step)}, "
                 f"{last - first + 1} * sizeof({array}{self.index(base, first)}));\n" for first, last in runs]
        return [*moves, *(line for line, _, _, source in block if source is None)]

    def test(self, found):
        """Whether one of neighbouring bytes is not zero, instead of a test of each."""
        elements = [ELEMENT.fullmatch(element).groups() for element in found[1].split(" | ")]
        owner, base, first = min(elements, key=lambda element: self.place(*element[1:]))
        places = sorted(self.place(*element[1:]) for element in elements)
        if base not in self.bytes or {element[:2] for element in elements} != {(owner, base)} or places != list(range(places[0], places[0] + len(places))):
            return found[0]
        return f"if (AnyByte(&{owner}{base}{first}, {len(places)})) {{"

    def index(self, base, place):
        index = ""
        for size in reversed(self.sizes[base]):
            place, i = divmod(place, size)
            index = f"[{i}]{index}"
        return index

    def place(self, base, index):
        place = 0
        for i, size in zip(re.findall(r"\d+", index), self.sizes[base]):
            place = place * size + int(i)
        return place
