# SPDX-License-Identifier: Apache-2.0
"""The forms of statements in the functions that Verilator writes. All that is assumed of Verilator's C++ stands here."""

import itertools
import re

# Verilator's spelling of "[3]", the iteration of a generate loop.
ITERATION = re.compile(r"__BRA__(\d+)__KET__")
# A function of every cycle.
HEAD = re.compile(r"(?:VL_INLINE_OPT )?void (\w+___024root___nba_sequent__TOP__\d+)\((\w+)\* vlSelf\) \{$")
# A local variable's declaration.
LOCAL = re.compile(r"\s+(\w+(?:<\d+>)?/\*[\d:]+\*/) (\w+);$")
# A local variable of a Verilog function: module and function, number of the call, name.
CALL = re.compile(r"\b(__Vfunc_\w+)__(\d+)__([A-Za-z]\w*)\b")
COMMENT = re.compile(r"/\*.*?\*/")
# A variable, with the object that it is a member of. Not a function, not a type in a cast.
VARIABLE = re.compile(r"\b[A-Za-z_]\w*(?:(?:->|\.)\w+)*\b(?!\s*\()")
NO_VARIABLES = {"IData", "CData", "SData", "QData", "EData", "else", "vlSelf", "vlSelfRef"}
NAME = re.compile(r"[A-Za-z_]\w*(?:(?:->|\.)\w+)*")
ASSIGNMENT = re.compile(rf"({NAME.pattern})((?:\s*\[[^=]*\])*) = (.*);$")
# No write to a memory is pending.
CLEARED = re.compile(r"((?:vlSelf(?:->|Ref\.))?__Vdlyvset__\w+) = 0U;")
# Of one variable to another
MOVE = re.compile(rf"({NAME.pattern}) = ({NAME.pattern});$")
# Where a statement may end, or something else begins.
MARK = re.compile(r"[;{}(]")
BLOCK = re.compile(r"\s*\{")
ELSE = re.compile(r"\s*else\s*(\{|if \()")
# The bits of a variable that stay as they are.
KEPT = re.compile(r"\(\((?:0x[0-9a-f]+|\d+)U(?:LL)? & (?:\(IData\)\()?([A-Za-z_][\w>.-]*(?:\[\w+\])?)\)?\) \| ")
# No index, or that of a word.
CONSTANT = re.compile(r"(?:\[(?:0x[0-9a-f]+|\d+)U\])?")
# A test of one bit: of word and place, or of mask and word.
BIT = re.compile(r"\((?:1U & \(IData\)\(\((.*) >> (0x[0-9a-f]+|\d+)U\)\)|(0x[0-9a-f]+|\d+)U & (.*))\)$")


class Unknown(Exception):
    """Not a form that Verilator is known to write."""


class Statement:
    """`text`, or `if (condition) { then } else { other }`."""

    def __init__(self, text=None, condition=None, then=(), other=()):
        # The variable that the statement computes, if it does nothing else: from other variables alone, or perhaps from its last value, too.
        self.makes = self.computes = None
        self.text = text
        # Of a load: it does nothing while this is 0.
        self.bit = None
        self.condition = condition
        self.then = list(then)
        self.other = list(other)
        if condition is None:
            assigned = ASSIGNMENT.match(text)
            if assigned and " = " not in assigned[3]:
                self.writes = {assigned[1]}
                self.makes = made(*assigned.groups())
                self.computes = self.makes or (None if assigned[2] else assigned[1])
                self.reads = variables(assigned[2]) | variables(assigned[3]) | ({assigned[1]} if assigned[2] else set())
                self.key = ITERATION.sub("", assigned[1]), assigned[2]
                self.place = tuple(int(i) for i in ITERATION.findall(assigned[1]))
            else:
                self.reads = self.writes = variables(text)
                self.key, self.place = text, ()
        else:
            self.reads = variables(condition).union(*(s.reads for s in self.inner()))
            self.writes = assigned_in(condition).union(*(s.writes for s in self.inner()))
            mask, word = bit(condition)
            self.key, self.place = (("if", word), (mask,)) if mask else (
                ("if", ITERATION.sub("", condition)), tuple(int(i) for i in ITERATION.findall(condition)))

    def inner(self):
        return self.then + self.other

    def load(self):
        """`x = bit ? y : x;` of `if (bit) { x = y; }`, as a compiler makes vector instructions of it; of any other statement None. A variable that
        Verilator tests without an operator has one bit."""
        if not self.condition or not NAME.fullmatch(self.condition) or len(self.then) != 1 or self.other:
            return None
        moved = MOVE.match(self.then[0].text or "")
        # The bits of all iterations are tested before the first one is loaded.
        if not moved or ITERATION.sub("", moved[1]) == ITERATION.sub("", self.condition):
            return None
        load = Statement(f"{moved[1]} = ({moved[1]} ^ (({moved[1]} ^ {moved[2]}) & (0ULL - {self.condition})));")
        load.bit = self.condition
        return load

    def atoms(self):
        """Pairs (reads, writes) in the order of execution."""
        if self.condition is None:
            yield self.reads, self.writes
        else:
            yield variables(self.condition), assigned_in(self.condition)
            for statement in self.inner():
                yield from statement.atoms()

    def lines(self, indent):
        pad = " " * indent
        if self.condition is None:
            return [f"{pad}{self.text}\n"]
        lines = [f"{pad}if ({self.condition}) {{\n", *(line for s in self.then for line in s.lines(indent + 1))]
        if self.other:
            lines += [f"{pad}}} else {{\n", *(line for s in self.other for line in s.lines(indent + 1))]
        return lines + [f"{pad}}}\n"]


def assigned_in(expression):
    """What an expression may assign: newer versions of Verilator write a function's statements inside, as a lambda."""
    return variables(expression) if " = " in expression else set()


def variables(text):
    return set(VARIABLE.findall(COMMENT.sub("", text))) - NO_VARIABLES


def member(name):
    """The name without the object."""
    return re.split(r"->|\.", name)[-1]


def made(name, index, value):
    """The name if the assignment computes it, or bits of it, from other variables alone; else None."""
    kept = KEPT.match(value)
    others = value[kept.end():] if kept and kept[1] == name + index else value
    return name if CONSTANT.fullmatch(index) and name not in variables(others) else None


def bit(condition):
    """Mask and word of a condition that tests one bit, or (0, None)."""
    found = BIT.match(condition)
    if not found:
        return 0, None
    mask = int(found[3], 0) if found[3] else 1 << int(found[2], 0)
    word = found[1] or found[4]
    depths = itertools.accumulate({"(": 1, ")": -1}.get(c, 0) for c in word)
    return (mask, word) if mask & (mask - 1) == 0 and all(depth >= 0 for depth in depths) else (0, None)


def closing(text, at):
    """Where the bracket at `at` is closed."""
    pairs = {"(": ")", "{": "}"}[text[at]]
    depth = 0
    for mark in re.compile(rf"[{re.escape(text[at])}{pairs}]").finditer(text, at):
        depth += 1 if mark[0] == text[at] else -1
        if depth == 0:
            return mark.start()
    raise Unknown("a bracket is not closed")


def parse_if(text, at):
    """The statement at `at`, "if (", and where it ends."""
    close = closing(text, at + 3)
    begin = BLOCK.match(text, close + 1)
    if not begin:
        raise Unknown("an if without a block")
    end = closing(text, begin.end() - 1)
    condition, then, other = " ".join(text[at + 4:close].split()), parse(text, begin.end(), end), []
    otherwise = ELSE.match(text, end + 1)
    end += 1
    if otherwise and otherwise[1] == "{":
        end = closing(text, otherwise.end() - 1) + 1
        other = parse(text, otherwise.end(), end - 1)
    elif otherwise:
        statement, end = parse_if(text, otherwise.end() - 4)
        other = [statement]
    return Statement(None, condition, then, other), end


def parse(text, at, end):
    """The statements between `at` and `end`."""
    statements = []
    space = re.compile(r"\s*")
    while (at := space.match(text, at).end()) < end:
        if text.startswith("if (", at):
            statement, at = parse_if(text, at)
            statements.append(statement)
            continue
        if text.startswith("while (", at):
            stop = closing(text, text.index("{", closing(text, at + 6)))
        else:
            stop = at
            # What stands in brackets belongs to the statement.
            while (found := MARK.search(text, stop)) and found[0] == "(":
                stop = closing(text, found.start()) + 1
            if not found or found[0] != ";":
                raise Unknown(f"not a statement: {' '.join(text[at:at + 60].split())}")
            stop = found.start()
        statements.append(Statement(" ".join(text[at:stop + 1].split())))
        at = stop + 1
    return statements


def reads_after_write(statement, read, write):
    """Whether the statement reads the one variable when it has already written the other."""
    written = False
    for reads, writes in statement.atoms():
        if written and read in reads:
            return True
        written = written or write in writes
    return False
