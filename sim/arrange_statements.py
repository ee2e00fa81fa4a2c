# SPDX-License-Identifier: Apache-2.0
"""Reorders the statements of a Verilated machine's cycle so that the code gets shorter.

Verilator puts the statements of a cycle into an order that keeps their dependencies. Among the many such orders this module finds a better
one, in three steps:

  * Copies go. Where a register is read after it is written, Verilator writes to a copy (__Vdly__...) and stores the copy at the end. When all
    readers can come before the writers, the register itself is written. The same holds for writes to memories (__Vdlyvset__...).
  * Equals meet. The statements of all iterations of a generate loop become neighbours, in the order in which sim/arrange_members.py lays
    out their variables: then the compiler makes a few vector instructions of them. Tests of the same condition become one test.
  * Tests of single bits of a word are behind one test of the word, which is mostly zero.

The result is divided into functions, so that several cores compile them. What this module does not know by its form stays as it is: a
statement depends on each statement before it that shares a variable with it, unless both only read that variable.
"""

import bisect
import collections
import heapq
import itertools
import re

ITERATION = re.compile(r"__BRA__(\d+)__KET__")
# A function of every cycle.
HEAD = re.compile(r"(?:VL_INLINE_OPT )?void (\w+___024root___nba_sequent__TOP__\d+)\((\w+)\* vlSelf\) \{$")
# A local variable's declaration.
LOCAL = re.compile(r"\s+(\w+(?:<\d+>)?/\*[\d:]+\*/) (\w+);$")
COMMENT = re.compile(r"/\*.*?\*/")
# A variable, with the object that it is a member of. Not a function, not a type in a cast.
VARIABLE = re.compile(r"\b[A-Za-z_]\w*(?:(?:->|\.)\w+)*\b(?!\s*\()")
NO_VARIABLES = {"IData", "CData", "SData", "QData", "EData", "else", "vlSelf", "vlSelfRef"}
ASSIGNMENT = re.compile(r"([A-Za-z_]\w*(?:(?:->|\.)\w+)*)((?:\s*\[[^=]*\])*) = (.*);$")
# The copy of a register is set up; no write to a memory is pending.
COPY = re.compile(r"((?:vlSelf(?:->|Ref\.))?__Vdly__\w+) = ((?:vlSelf(?:->|Ref\.))?\w+);")
CLEARED = re.compile(r"((?:vlSelf(?:->|Ref\.))?__Vdlyvset__\w+) = 0U;")
BLOCK = re.compile(r"\s*\{")
ELSE = re.compile(r"\s*else\s*(\{|if \()")
# The bits of a variable that stay as they are.
KEPT = re.compile(r"\(\((?:0x[0-9a-f]+|\d+)U(?:LL)? & (?:\(IData\)\()?([A-Za-z_][\w>.-]*(?:\[\w+\])?)\)?\) \| ")
# No index, or that of a word.
CONSTANT = re.compile(r"(?:\[(?:0x[0-9a-f]+|\d+)U\])?")
# A test of one bit: of word and place, or of mask and word.
BIT = re.compile(r"\((?:1U & \(IData\)\(\((.*) >> (0x[0-9a-f]+|\d+)U\)\)|(0x[0-9a-f]+|\d+)U & (.*))\)$")
# Fewer tests are not worth one more.
TESTS = 4
# A register's copy in one iteration goes to that in another; how many make an array of them, and how many are moved at once.
SHIFT = re.compile(r"vlSelf(?:->|Ref\.)(\w+__BRA__\w+) = vlSelf(?:->|Ref\.)(\w+__BRA__\w+);")
MOVES = 32
MOVED_AT_ONCE = 3
ITERATED = re.compile(r"\b\w+__BRA__\d+__KET__\w+")
DECLARED = re.compile(r" {8}(\wData/\*[\d:]+\*/) (\w+__BRA__\w+);\n")
ELEMENTS = re.compile(r" *(vlSelf(?:->|Ref\.))(\w+)((?:\[\d+\])+) = (vlSelf(?:->|Ref\.))(\w+)((?:\[\d+\])+);")
# What a compiler knows of single variables keeps it from combining many equal statements: it forgets that in front of them.
MANY = 64
BARRIER = '    asm volatile("" ::: "memory");\n'
# Passes over all variables in search of what one branch alone needs.
PASSES = 3


class Unknown(Exception):
    """Not a form that Verilator is known to write."""


class Statement:
    """`text`, or `if (condition) { then } else { other }`."""

    def __init__(self, text=None, condition=None, then=(), other=()):
        # The variable that the statement computes, if it does nothing else.
        self.makes = None
        self.text = text
        self.condition = condition
        self.then = list(then)
        self.other = list(other)
        if condition is None:
            assigned = ASSIGNMENT.match(text)
            if assigned and " = " not in assigned[3]:
                self.writes = {assigned[1]}
                self.makes = made(*assigned.groups())
                self.reads = variables(assigned[2]) | variables(assigned[3]) | ({assigned[1]} if assigned[2] else set())
                self.key = ITERATION.sub("", assigned[1]), assigned[2]
                self.place = tuple(int(i) for i in ITERATION.findall(assigned[1]))
            else:
                self.reads = self.writes = variables(text)
                self.key, self.place = text, ()
        else:
            self.reads = variables(condition).union(*(s.reads for s in self.inner()))
            self.writes = set().union(*(s.writes for s in self.inner()))
            mask, word = bit(condition)
            self.key, self.place = (("if", word), (mask,)) if mask else (("if", condition), ())

    def inner(self):
        return self.then + self.other

    def atoms(self):
        """Pairs (reads, writes) in the order of execution."""
        if self.condition is None:
            yield self.reads, self.writes
        else:
            yield variables(self.condition), set()
            for statement in self.inner():
                yield from statement.atoms()

    def changed(self, change):
        """The statement with `change` made to its texts."""
        if self.condition is None:
            return Statement(change(self.text))
        return Statement(None, change(self.condition), [s.changed(change) for s in self.then], [s.changed(change) for s in self.other])

    def lines(self, indent):
        pad = " " * indent
        if self.condition is None:
            return [f"{pad}{self.text}\n"]
        lines = [f"{pad}if ({self.condition}) {{\n", *(line for s in self.then for line in s.lines(indent + 1))]
        if self.other:
            lines += [f"{pad}}} else {{\n", *(line for s in self.other for line in s.lines(indent + 1))]
        return lines + [f"{pad}}}\n"]


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
    mark = re.compile(r"[;{}]")
    space = re.compile(r"\s*")
    while (at := space.match(text, at).end()) < end:
        if text.startswith("if (", at):
            statement, at = parse_if(text, at)
            statements.append(statement)
            continue
        if text.startswith("while (", at):
            stop = closing(text, text.index("{", closing(text, at + 6)))
        else:
            found = mark.search(text, at)
            if not found or found[0] != ";":
                raise Unknown(f"not a statement: {text[at:at + 60]}")
            stop = found.start()
        statements.append(Statement(" ".join(text[at:stop + 1].split())))
        at = stop + 1
    return statements


def followers(statements):
    """For each statement the later ones that must stay behind it."""
    behind = [set() for _ in statements]
    writer = {}
    readers = collections.defaultdict(list)
    for i, statement in enumerate(statements):
        for name in statement.reads | statement.writes:
            if name in writer:
                behind[writer[name]].add(i)
        for name in statement.writes:
            for reader in readers.pop(name, ()):
                behind[reader].add(i)
            writer[name] = i
        for name in statement.reads:
            readers[name].append(i)
    return behind


class Cycle:
    """The statements of a function with what must stay behind what, while copies are taken out."""

    def __init__(self, statements):
        self.statements = dict(enumerate(statements))
        self.behind = dict(enumerate(followers(statements)))
        self.before = {i: set() for i in self.behind}
        for i, later in self.behind.items():
            for j in later:
                self.before[j].add(i)
        self.users = collections.defaultdict(set)
        for i, statement in self.statements.items():
            for name in statement.reads | statement.writes:
                self.users[name].add(i)

    def remove(self, i):
        """Takes statement i out; what was behind it stays behind what was before it."""
        for j in self.before[i]:
            self.behind[j] |= self.behind[i]
            self.behind[j].discard(i)
        for j in self.behind[i]:
            self.before[j] |= self.before[i]
            self.before[j].discard(i)
        statement = self.statements.pop(i)
        for name in statement.reads | statement.writes:
            self.users[name].discard(i)
        del self.behind[i], self.before[i]

    def replace(self, i, statement):
        for name in self.statements[i].reads | self.statements[i].writes:
            self.users[name].discard(i)
        self.statements[i] = statement
        for name in statement.reads | statement.writes:
            self.users[name].add(i)

    def may_precede(self, readers, writers):
        """Whether all readers can come before all writers."""
        reached = set()
        todo = list(writers)
        while todo:
            for j in self.behind[todo.pop()]:
                if j in readers:
                    return False
                if j not in reached:
                    reached.add(j)
                    todo.append(j)
        return True

    def precede(self, readers, writers):
        for i in readers:
            for j in writers:
                if i != j:
                    self.behind[i].add(j)
                    self.before[j].add(i)

    def take_out(self, copy, target, first, last):
        """Lets the writers of `copy` write `target` at once, if they can: statement `first` sets up the copy, `last` stores it in the
        target."""
        users = self.users[target] - {first, last}
        if any(target in self.statements[i].writes for i in users):
            return False
        writers = self.users[copy] - {first, last}
        new = {i for i in users if i > last}
        old = users - new
        if any(reads_after_write(self.statements[i], target, copy) for i in writers & users) or not self.may_precede(old, writers):
            return False
        self.precede(old, writers)
        self.precede(writers, new)
        return True

    def take_out_copies(self):
        """Of registers."""
        for i, statement in list(self.statements.items()):
            found = COPY.fullmatch(statement.text or "")
            if not found:
                continue
            copy, register = found.groups()
            stores = [j for j in self.users[copy] if self.statements[j].text == f"{register} = {copy};"]
            if len(stores) != 1 or any(j < i for j in self.users[copy]) or any(j > stores[0] for j in self.users[copy]):
                continue
            if self.take_out(copy, register, i, stores[0]):
                writers = self.users[copy] - {i, stores[0]}
                self.remove(stores[0])
                self.remove(i)
                name = re.compile(rf"(?<![\w>.]){re.escape(copy)}\b")
                for j in writers:
                    self.replace(j, self.statements[j].changed(lambda text: name.sub(register, text)))

    def take_out_writes(self):
        """Of memories: a flag is cleared, set with data and address, and tested to write the memory."""
        for i, statement in list(self.statements.items()):
            cleared = CLEARED.fullmatch(statement.text or "")
            if not cleared or len(self.users[cleared[1]]) != 3:
                continue
            flag = cleared[1]
            first, where, last = sorted(self.users[flag])
            write = self.statements[last]
            if first != i or write.condition != flag or write.other or len(write.writes) != 1:
                continue
            (memory,) = write.writes
            if any(self.users[name] != {where, last} for name in write.reads - {flag, memory}):
                continue
            setting = moved(self.statements[where], f"{flag} = 1U;", write.then)
            if setting and self.take_out(flag, memory, i, last):
                self.remove(last)
                self.remove(i)
                self.replace(where, setting)


    def reach(self, starts, goal):
        """Whether one of the statements must come before the goal."""
        reached = set(starts)
        todo = list(starts)
        while todo:
            i = todo.pop()
            if i == goal:
                return True
            for j in self.behind[i] - reached:
                reached.add(j)
                todo.append(j)
        return False

    def merge_tests(self):
        """Tests of the same condition become one, where nothing must come between them."""
        tests = collections.defaultdict(list)
        for i, statement in self.statements.items():
            if statement.condition is not None and not statement.writes & variables(statement.condition):
                tests[statement.condition].append(i)
        for group in tests.values():
            kept = []
            for i in group:
                for j in kept:
                    if not self.reach(self.behind[j] - {i}, i) and not self.reach(self.behind[i] - {j}, j):
                        first, second = (i, j) if j in self.behind[i] else (j, i)
                        a, b = self.statements[first], self.statements[second]
                        self.absorb(j, [i], Statement(None, a.condition, a.then + b.then, a.other + b.other))
                        break
                else:
                    kept.append(i)

    def absorb(self, i, others, statement):
        """Lets statement i become `statement`, which does what the others did, too."""
        for j in others:
            for k in self.before.pop(j):
                self.behind[k].discard(j)
                if k != i:
                    self.behind[k].add(i)
                    self.before[i].add(k)
            for k in self.behind.pop(j):
                self.before[k].discard(j)
                if k != i:
                    self.before[k].add(i)
                    self.behind[i].add(k)
            gone = self.statements.pop(j)
            for name in gone.reads | gone.writes:
                self.users[name].discard(j)
        self.before[i] -= {i, *others}
        self.behind[i] -= {i, *others}
        self.replace(i, statement)

    def postpone(self, private, fixed):
        """What is computed at the end of a cycle for the next one alone is computed at the beginning of the next one, where sink() finds who
        needs it. `fixed` names do not change between two cycles."""
        makers = collections.defaultdict(set)
        writers = collections.defaultdict(set)
        for i, statement in self.statements.items():
            for name in statement.writes:
                writers[name].add(i)
                if statement.makes == name:
                    makers[name].add(i)
        names = {name for name in writers if name in private and makers[name] == writers[name]}

        def fits(name):
            behind = set().union(*(self.behind[i] for i in makers[name]))
            for i in self.users[name] - makers[name]:
                if (i in behind) != (self.statements[i].makes in names):
                    return False
            inputs = set().union(*(self.statements[i].reads for i in makers[name])) - {name}
            return all(other in names or other in fixed and not writers[other] & behind for other in inputs)

        while unfit := {name for name in names if not fits(name)}:
            names -= unfit
        moved_up = set().union(*(makers[name] for name in names))
        for i in moved_up:
            for j in self.before[i] - moved_up:
                self.behind[j].discard(i)
            for j in self.behind[i] - moved_up:
                self.before[j].discard(i)
            self.before[i] &= moved_up
            self.behind[i] &= moved_up
        for name in names:
            for i in makers[name]:
                later = (self.users[name] | set().union(*(writers[other] for other in self.statements[i].reads))) - moved_up
                self.behind[i] |= later
                for j in later:
                    self.before[j].add(i)

    def sink(self, private):
        """What only one branch of a test needs is computed there."""
        for name in sorted((name for name, users in self.users.items() if users and name in private),
                           key=lambda name: (-min(self.users[name]), name)):
            makers = {i for i in self.users[name] if name in self.statements[i].writes and self.statements[i].makes == name}
            takers = self.users[name] - makers
            if len(takers) != 1 or not makers:
                continue
            (taker,) = takers
            if makers & self.behind[taker]:
                continue
            test = self.statements[taker]
            if test.condition is None or name in variables(test.condition) or name in test.writes:
                continue
            in_then = any(name in s.reads for s in test.then)
            if in_then and any(name in s.reads for s in test.other):
                continue
            if self.reach(set().union(*(self.behind[i] for i in makers)) - makers - {taker}, taker):
                continue
            moved_in = [self.statements[i] for i in sorted(makers)]
            # A test must not change what is computed behind it.
            self.absorb(taker, makers, Statement(None, test.condition, moved_in + test.then, test.other) if in_then
                        else Statement(None, test.condition, test.then, moved_in + test.other))


def reads_after_write(statement, read, write):
    """Whether the statement reads the one variable when it has already written the other."""
    written = False
    for reads, writes in statement.atoms():
        if written and read in reads:
            return True
        written = written or write in writes
    return False


def moved(statement, text, write):
    """The statement with `write` at the end of the block that holds `text`, instead of `text`; None if no block holds it."""
    if statement.condition is None:
        return None
    for block in "then", "other":
        inner = getattr(statement, block)
        if any(s.text == text for s in inner):
            inner = [s for s in inner if s.text != text] + write
        else:
            found = [(k, new) for k, s in enumerate(inner) if (new := moved(s, text, write))]
            if not found:
                continue
            inner = [*inner[:found[0][0]], found[0][1], *inner[found[0][0] + 1:]]
        blocks = {"then": statement.then, "other": statement.other, block: inner}
        return Statement(None, statement.condition, blocks["then"], blocks["other"])
    return None


def arrange(statements, private, fixed=None):
    """The statements in a better order. Nobody else uses the variables named `private`. With `fixed`, these are all statements of a cycle, and
    nobody else changes the variables named so."""
    cycle = Cycle(statements)
    cycle.take_out_copies()
    cycle.take_out_writes()
    cycle.merge_tests()
    if fixed is not None:
        cycle.postpone(private, fixed)
    for _ in range(PASSES):
        cycle.sink(private)
    return schedule(cycle, private)


def schedule(cycle, private):
    """Groups of equal statements one after another, the group that began first as soon as it can be whole; then tests merged, and all of
    that inside of tests, too."""
    statements = cycle.statements
    groups = collections.defaultdict(list)
    for i, statement in statements.items():
        groups[statement.key].append(i)
    rank = {i: k for group in groups.values() for k, i in enumerate(sorted(group, key=lambda i: (statements[i].place, i)))}
    waits = {i: len(before) for i, before in cycle.before.items()}
    # Per group, statements of others that must come first, and what is left of the group.
    outside = collections.Counter()
    for j, before in cycle.before.items():
        outside[statements[j].key] += sum(statements[i].key != statements[j].key for i in before)
    left = {key: len(group) for key, group in groups.items()}
    free = collections.defaultdict(list)
    earliest = []
    whole = []

    def release(i):
        bisect.insort(free[statements[i].key], (rank[i], i))
        heapq.heappush(earliest, i)

    for i, count in waits.items():
        if not count:
            release(i)
    for key, group in groups.items():
        if not outside[key]:
            heapq.heappush(whole, (group[0], key))
    done = set()
    result = []
    while len(result) < len(statements):
        while whole and not left[whole[0][1]]:
            heapq.heappop(whole)
        while earliest[0] in done:
            heapq.heappop(earliest)
        key = whole[0][1] if whole else statements[earliest[0]].key
        queue = free[key]
        at = -1
        while queue:
            # The neighbour of the last one, the one behind it first.
            k = bisect.bisect(queue, (at, len(statements)))
            if k == len(queue) or (k and at - queue[k - 1][0] < queue[k][0] - at):
                k -= 1
            at, i = queue.pop(k)
            done.add(i)
            left[key] -= 1
            result.append(statements[i])
            for j in cycle.behind[i]:
                waits[j] -= 1
                if statements[j].key != key:
                    outside[statements[j].key] -= 1
                    if not outside[statements[j].key]:
                        heapq.heappush(whole, (groups[statements[j].key][0], statements[j].key))
                if not waits[j]:
                    release(j)
    return behind_words([deeper(s, private) for s in merged(result)])


def deeper(statement, private):
    if statement.condition is None:
        return statement
    return Statement(None, statement.condition, arrange(statement.then, private), arrange(statement.other, private))


def merged(statements):
    """Neighbours with the same condition as one statement."""
    result = []
    for statement in statements:
        last = result[-1] if result else None
        if (last and statement.condition is not None and last.condition == statement.condition
                and not last.writes & variables(statement.condition)):
            result[-1] = Statement(None, last.condition, last.then + statement.then, last.other + statement.other)
        else:
            result.append(statement)
    return result


def behind_words(statements):
    """Neighbours that test bits of the same word behind a test of the word."""
    result = []
    run = []

    def close():
        if len(run) < TESTS:
            result.extend(run)
        else:
            masks, words = zip(*(bit(s.condition) for s in run))
            result.append(Statement(None, f"({words[0]} & {sum(set(masks)):#x}ULL)", run))
        run.clear()

    for statement in statements:
        mask, word = bit(statement.condition) if statement.condition and not statement.other else (0, None)
        if run and (word != bit(run[0].condition)[1] or run[-1].writes & variables(word)):
            close()
        if mask:
            run.append(statement)
        else:
            result.append(statement)
    close()
    return result


def divide(statements, count):
    """`count` lists of about the same length of text."""
    sizes = [sum(map(len, statement.lines(0))) for statement in statements]
    lists = [[] for _ in range(count)]
    total = 0
    for statement, size in zip(statements, sizes):
        lists[min(total * count // max(sum(sizes), 1), count - 1)].append(statement)
        total += size
    return lists


class Function:
    """A function of every cycle, from its head in `lines` on."""

    def __init__(self, lines, others):
        self.name, self.of = HEAD.match(lines[0]).groups()
        self.length = lines.index("}\n") + 1
        body = next(i for i, line in enumerate(lines[:self.length]) if line.strip() == "// Body")
        self.types = {found[2]: found[1] for line in lines[:body] if (found := LOCAL.match(line))}
        # What a function begins with in front of its local variables.
        self.opening = [line for line in lines[1:body] if "vlSymsp" in line or "vlSelfRef" in line]
        text = "".join(lines[body + 1:self.length - 1])
        statements = parse(text, 0, len(text))
        elsewhere = {member(name) for name in variables(others)}
        names = {name for name in set().union(*(s.reads | s.writes for s in statements)) if "vlSymsp" not in name}
        # Ports are the test bench's, which may watch other signals of the top, too.
        inner = {name for name in names if name.count("__DOT__") > 1}
        private = {name for name in inner if member(name) not in elsewhere} | (names & set(self.types))
        fixed = private - set(self.types)
        self.statements = arrange(statements, private, fixed)

    def part(self, number, statements, members):
        """The text of a function of these statements, with the names of local variables that became members."""
        used = set().union(*(s.reads | s.writes for s in statements))
        name = re.compile(r"(?<![\w>.])(?:" + "|".join(map(re.escape, sorted(members & used))) + r")\b") if members & used else None
        lines = []
        for _, equals in itertools.groupby(statements, key=lambda s: s.key):
            equals = list(equals)
            around = [BARRIER] if len(equals) >= MANY else []
            lines += [*around, *(line for s in equals for line in s.lines(4)), *around]
        if name:
            lines = [name.sub(lambda found: f"vlSelf->{found[0]}", line) for line in lines]
        local = [f"    {self.types[local]} {local};\n" for local in sorted(used & set(self.types) - members)]
        return "".join([f"void {self.name}__{number}({self.of}* vlSelf) {{\n", *self.opening, *local, *lines, "}\n"])


class Arrays:
    """Shift registers of generate loops as arrays, moved in one piece: compilers do not see that in single statements."""

    def __init__(self, texts, declarations):
        moves = collections.Counter(ITERATION.sub("", found[1]) for text in texts for found in SHIFT.finditer(text)
                                    if ITERATION.sub("", found[1]) == ITERATION.sub("", found[2]))
        self.sizes = {}
        for _, name in DECLARED.findall(declarations):
            base = ITERATION.sub("", name)
            if moves[base] >= MOVES:
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


def rewrite(folder, prefix, count):
    """Arranges the statements of the top's functions of every cycle among the files in the folder, and divides the largest function into
    `count` files. Returns whether there was anything to do."""
    done = False
    header = folder / f"{prefix}___024root.h"
    texts = {file: file.read_text() for file in folder.glob("*.cpp") if "Slow" not in file.name}
    for file in [f for f in texts if f.name.startswith(f"{prefix}___024root__DepSet")]:
        lines = file.read_text().splitlines(keepends=True)
        outside = [line for line in lines if line.startswith(("#include", "extern "))]
        for i in reversed([i for i, line in enumerate(lines) if HEAD.match(line)]):
            try:
                own = "".join(lines[i:lines.index("}\n", i)])
                function = Function(lines[i:], "".join(texts.values()).replace(own, ""))
            except Unknown as problem:
                print(f"{file.name}: {problem}")
                continue
            lists = divide(function.statements, count if function.length > 10000 else 1)
            uses = collections.Counter(name for part in lists for name in set().union(*(s.reads | s.writes for s in part)))
            members = {name for name in function.types if uses[name] > 1}
            calls = []
            for number, part in enumerate(lists):
                declaration = f"void {function.name}__{number}({function.of}* vlSelf);\n"
                text = function.part(number, part, members)
                (folder / f"{prefix}___024root__{function.name[-1]}_{number}.cpp").write_text("".join([*outside, "\n", text]))
                calls.append(declaration)
            lines[i:i + function.length] = [
                *calls, lines[i], *(f"    {function.name}__{number}(vlSelf);\n" for number in range(len(lists))), "}\n"]
            text = header.read_text()
            mark = "    // INTERNAL VARIABLES\n"
            header.write_text(text.replace(mark, "".join(f"    {function.types[name]} {name};\n" for name in sorted(members)) + "\n" + mark))
            done = True
        file.write_text("".join(lines))
    arrays = Arrays([file.read_text() for file in folder.glob(f"{prefix}___024root__[0-9]_*.cpp")], header.read_text())
    header.write_text(arrays.declare(header.read_text()))
    for file in folder.glob("*.cpp"):
        file.write_text(arrays.use(file.read_text()))
    return done
