# SPDX-License-Identifier: Apache-2.0
"""A better order for the statements of a cycle, of the many that keep its dependences: see arrange_statements.py."""

import bisect
import collections
import heapq
import re

from verilated_statements import CLEARED, Statement, bit, reads_after_write, variables

# Fewer tests are not worth one more.
TESTS = 4
# Passes over all variables in search of what one branch alone needs.
PASSES = 3


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
    """The statements of a function with what must stay behind what."""

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

    def anew(self, name, makers):
        """Whether the makers of a variable compute it in each cycle anew: if some only add to it, the first one does not."""
        return all(self.statements[i].makes for i in makers) or name not in self.statements[min(makers)].reads

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
                if name == statement.computes:
                    makers[name].add(i)
        names = {name for name in writers if name in private and makers[name] == writers[name] and self.anew(name, makers[name])}

        def fits(name):
            behind = set().union(*(self.behind[i] for i in makers[name]))
            for i in self.users[name] - makers[name]:
                if (i in behind) != (self.statements[i].computes in names):
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
            makers = {i for i in self.users[name] if name in self.statements[i].writes and self.statements[i].computes == name}
            takers = self.users[name] - makers
            if len(takers) != 1 or not makers or not self.anew(name, makers):
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
    cycle.take_out_writes()
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
    result = merged(result)
    uses = collections.Counter(name for statement in result for name in statement.reads | statement.writes)
    inner = {name for name in private if uses[name] == 1}
    return behind_words([deeper(s, inner) for s in result])


def deeper(statement, private):
    """The statement with its blocks arranged. No other statement uses the variables named `private`."""
    if statement.condition is None:
        return statement
    then, other = (set().union(*(s.reads | s.writes for s in block)) for block in (statement.then, statement.other))
    private = private - variables(statement.condition)
    return Statement(None, statement.condition, arrange(statement.then, private - other), arrange(statement.other, private - then))


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
