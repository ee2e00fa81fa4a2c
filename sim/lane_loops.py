# SPDX-License-Identifier: Apache-2.0
"""Equal statements of all iterations of a generate loop as a loop of C++, which compilers vectorise where they leave single statements alone.

Neighbouring groups of such statements share a loop. Its iterations depend on each other in nothing: each writes variables of its own, which
no other one reads. The variables that differ between the iterations become arrays (shift_registers.py), or variables of the loop if nobody
else uses them.
"""

import collections
import itertools
import re

from verilated_statements import ITERATION, Statement, member, variables

# Iterations that are worth a loop, and how many equal statements are too many to be the iterations of one loop.
FEWEST = 8
MOST = 64
NAME = re.compile(r"(vlSelf(?:->|Ref\.))?\b([A-Za-z_]\w*__BRA__\w+)")
# A generate loop's label with the number of the iteration.
LABEL = re.compile(r"(\w+?__BRA__)(\d+)__KET__")
PLACE = re.compile(r"__BRA__(\w+?)__KET__")
SCALAR = re.compile(r"[CSIQ]Data/\*[\d:]+\*/")
PRAGMA = "#pragma clang loop vectorize(assume_safety) unroll(disable)\n"


def in_iteration(label, number):
    """What names the iteration in the names of its variables."""
    return re.compile(rf"(?:(?<=__)|\b){re.escape(label)}{number}__KET__")


def any_iteration(label, number, text):
    """The text of iteration `number` as that of iteration i."""
    return in_iteration(label, number).sub(f"{label}i__KET__", text)


class Loop:
    """What stands in the place of the groups `groups` of one statement for each of `iterations`."""

    def __init__(self, label, iterations, groups):
        self.label = label
        self.iterations = iterations
        self.groups = groups
        statements = [s for group in groups for s in group]
        self.reads = set().union(*(s.reads for s in statements))
        self.writes = set().union(*(s.writes for s in statements))
        self.key, self.place = ("loop", id(self)), ()
        self.condition = self.bit = self.text = None
        self.local = {}
        self.name = None

    def inner(self):
        return []

    def settle(self, types, uses):
        """Decides which variables belong to the loop: those of `types` that nobody else uses. Returns the other ones, which become arrays."""
        mine = {}
        for number in self.iterations:
            here = in_iteration(self.label, number)
            mine |= {name: here.sub(f"{self.label}i__KET__", name) for name in self.reads | self.writes if here.search(name)}
        others = {general for name, general in mine.items() if name not in types or uses[name] > 1}
        self.local = {general: types[name] for name, general in mine.items() if general not in others}
        arrays = {name for name, general in mine.items() if general in others}
        self.reads -= mine.keys() - arrays
        self.writes -= mine.keys() - arrays
        return arrays

    def lines(self, indent):
        return [f"{' ' * indent}{self.name}(vlSelf);\n"]

    def function(self, of, opening):
        """The text of the loop as a function of its own: its variables do not take registers from the code around the call."""
        first = self.iterations[0]

        def renamed(found):
            owner, name = found.groups()
            general = any_iteration(self.label, first, name)
            if general in self.local or general == name:
                return (owner or "") + general
            return (owner or "vlSelf->") + PLACE.sub("", general) + "".join(f"[{place}]" for place in PLACE.findall(general))

        local = [f"  {kind} {name};\n" for name, kind in sorted(self.local.items())]
        body = [NAME.sub(renamed, line) for group in self.groups for line in group[0].lines(2)]
        return "".join([f"static __attribute__((noinline)) void {self.name}({of}* vlSelf) {{\n", *opening, PRAGMA,
                        f" for (int i = {first}; i != {self.iterations[-1] + 1}; ++i) {{\n", *local, *body, " }\n}\n\n"])


class Loops:
    """Makes loops of statements that use variables of the `types`."""

    def __init__(self, types):
        kinds = collections.defaultdict(set)
        for name, kind in types.items():
            kinds[ITERATION.sub("", member(name))].add(kind)
        self.scalars = {base for base, found in kinds.items() if len(found) == 1 and SCALAR.fullmatch(*found)}

    def iterations(self, group):
        """Label and numbers of the iterations that the statements of the group are the copies in, one in each; None if they are not."""
        names = group[0].reads | group[0].writes
        for label, start in sorted({(found[1].rpartition("__DOT__")[2], int(found[2])) for name in names for found in LABEL.finditer(name)}):
            texts = {any_iteration(label, number, "".join(s.lines(0))) for number, s in enumerate(group, start)}
            mine = {name for name in names if in_iteration(label, start).search(name)}
            # What an iteration writes is its own: no other one reads it, as that would be another text.
            if len(texts) == 1 and group[0].writes <= mine and {ITERATION.sub("", member(name)) for name in mine} <= self.scalars:
                return label, range(start, start + len(group))
        return None

    def make(self, statements):
        result = []
        run = []
        place = None

        def close():
            if run:
                result.append(Loop(*place, list(run)))
            run.clear()

        for _, group in itertools.groupby(statements, key=lambda s: s.key):
            group = list(group)
            found = self.iterations(group) if FEWEST <= len(group) < MOST else None
            if found != place:
                close()
            if found:
                place = found
                run.append(group)
                continue
            close()
            result += [s if s.condition is None else Statement(None, s.condition, self.make(s.then), self.make(s.other)) for s in group]
        close()
        return result


def walk(statements):
    """The loops, and all other statements without blocks, with the variables that each of them uses, and those of conditions."""
    for s in statements:
        if isinstance(s, Loop) or s.condition is None:
            yield s, s.reads | s.writes
        else:
            yield None, variables(s.condition)
            yield from walk(s.inner())


def settle(name, statements, types):
    """Decides for the loops in the statements of a function, whose local variables have the `types`, which variables become arrays, and gives
    the loops names."""
    found = list(walk(statements))
    for number, loop in enumerate(s for s, _ in found if isinstance(s, Loop)):
        loop.name = f"{name}__loop{number}"
    uses = collections.Counter(name for _, names in found for name in names)
    return set().union(*(s.settle(types, uses) for s, _ in found if isinstance(s, Loop)))
