# SPDX-License-Identifier: Apache-2.0
"""Reorders the statements of a Verilated machine's cycle so that the code gets shorter.

Verilator puts the statements of a cycle into an order that keeps their dependences. Among the many such orders statement_order.py finds a
better one:

  * Writes to memories need no copy. Verilator keeps data and address (__Vdlyvset__...), and writes them at the end of the cycle. When all
    readers can come first, the memory is written at once.
  * What is computed for one branch of a test alone is computed in that branch, also when Verilator computes it at the end of the cycle before.
  * Equals meet. The statements of all iterations of a generate loop become neighbours, in the order in which arrange_members.py lays out
    their variables: then the compiler makes a few vector instructions of them.
  * Tests of single bits of a word are behind one test of the word, which is mostly zero.
  * Many registers of generate loops that each take another one's value when a bit of their own says so do it without branches, which no
    vector instruction knows, behind one test for all iterations of the innermost loop.

Equal statements of many iterations then become a loop (lane_loops.py). Shift registers along a generate loop become arrays, moved in one
piece (shift_registers.py). The result is divided into functions, each of which gets members of its own near (arrange_members.py); several cores compile
them. verilated_statements.py knows the forms
of Verilator's statements; a function with any other form stays as it is. Of a statement only the form is known, so it depends on each
statement before it that shares a variable with it, unless both only read that variable.
"""

import collections
import itertools
import re

from lane_loops import Loop, Loops, settle, walk
from shift_registers import DECLARED, Arrays
from statement_order import arrange
from verilated_statements import CALL, HEAD, ITERATION, LOCAL, Unknown, member, parse, variables

# What a compiler knows of single variables keeps it from combining many equal statements: it forgets that in front of them.
MANY = 64
# A large function is divided into so many, of more than so many lines.
FUNCTIONS = 16
LARGE = 10000
BARRIER = '    asm volatile("" ::: "memory");\n'


def divide(statements, count):
    """At most `count` lists of about the same length of text that runs in every cycle. Equal statements stay together."""
    groups = [list(group) for _, group in itertools.groupby(statements, key=lambda s: s.key)]
    sizes = [sum(len(s.lines(0)[0]) for s in group) for group in groups]
    lists = [[] for _ in range(count)]
    total = 0
    for group, size in zip(groups, sizes):
        lists[min(total * count // max(sum(sizes), 1), count - 1)] += group
        total += size
    return [part for part in lists if part]


def without_branches(statements):
    """Loads of MANY registers of one name, each by a bit of its own, as choices between the new value and the old one."""
    loads = [s.load() for s in statements]
    counts = collections.Counter(load.key for load in loads if load)
    return [load if load and counts[load.key] >= MANY else statement for statement, load in zip(statements, loads)]


def tested(statements):
    """The lines of equal statements; of loads behind a test that one of those in the innermost loop does something."""
    lines = []
    for bit, loads in itertools.groupby(statements, key=lambda s: s.bit and s.place[:-1]):
        loads = list(loads)
        block = [line for s in loads for line in s.lines(4)]
        lines += [f"    if ({' | '.join(s.bit for s in loads)}) {{\n", *block, "    }\n"] if bit is not None else block
    return lines


def counted_anew(lines):
    """The lines of a function with the calls numbered inside of each module: Verilator counts the calls of Verilog's functions over all modules,
    in the names of their local variables, so that the same call has another number in each iteration of a generate loop."""
    local = {found[2]: call for line in lines if (found := LOCAL.match(line)) and (call := CALL.fullmatch(found[2]))}
    calls = collections.defaultdict(set)
    for call in local.values():
        calls[call[1]].add(int(call[2]))
    places = {module: {number: place for place, number in enumerate(sorted(numbers))} for module, numbers in calls.items()}
    names = {name: f"{call[1]}__{places[call[1]][int(call[2])]}__{call[3]}" for name, call in local.items()}
    return [CALL.sub(lambda found: names.get(found[0], found[0]), line) for line in lines]


class Function:
    """A function of every cycle, from its head in `lines` on."""

    def __init__(self, lines, others, declared):
        self.name, self.of = HEAD.match(lines[0]).groups()
        self.length = lines.index("}\n") + 1
        lines = counted_anew(lines[:self.length])
        body = next(i for i, line in enumerate(lines[:self.length]) if line.strip() == "// Body")
        # Verilator 5.032 declares the counters of its loops among the statements.
        self.types = {found[2]: found[1] for line in lines[:self.length] if (found := LOCAL.match(line))}
        # What a function begins with in front of its local variables.
        self.opening = [line for line in lines[1:body] if "vlSymsp" in line or "vlSelfRef" in line]
        text = "".join(line for line in lines[body + 1:self.length - 1] if not LOCAL.match(line))
        statements = without_branches(parse(text, 0, len(text)))
        elsewhere = {member(name) for name in variables(others)}
        names = {name for name in set().union(*(s.reads | s.writes for s in statements)) if "vlSymsp" not in name}
        # Ports are the test bench's, which may watch other signals of the top, too.
        inner = {name for name in names if name.count("__DOT__") > 1}
        private = {name for name in inner if member(name) not in elsewhere} | (names & set(self.types))
        fixed = private - set(self.types)
        self.statements = Loops({**declared, **self.types}).make(arrange(statements, private, fixed))
        self.arrays = settle(self.name, self.statements, self.types)

    def part(self, number, statements, members):
        """The text of a function of these statements, with the names of local variables that became members."""
        used = set().union(*(s.reads | s.writes for s in statements))
        name = re.compile(r"(?<![\w>.])(?:" + "|".join(map(re.escape, sorted(members & used))) + r")\b") if members & used else None
        lines = []
        for _, equals in itertools.groupby(statements, key=lambda s: s.key):
            equals = list(equals)
            around = [BARRIER] if len(equals) >= MANY else []
            lines += [*around, *tested(equals), *around]
        if name:
            lines = [name.sub(lambda found: f"vlSelf->{found[0]}", line) for line in lines]
        local = [f"    {self.types[local]} {local};\n" for local in sorted(used & set(self.types) - members)]
        loops = [s.function(self.of, self.opening) for s, _ in walk(statements) if isinstance(s, Loop)]
        return "".join([*loops, f"void {self.name}__{number}({self.of}* vlSelf) {{\n", *self.opening, *local, *lines, "}\n"])


def rewrite(folder, prefix):
    """Arranges the statements of the top's functions of every cycle among the files in the folder, and divides the largest function. Returns
    whether there was anything to do."""
    done = False
    header = folder / f"{prefix}___024root.h"
    texts = {file: file.read_text() for file in folder.glob("*.cpp") if "Slow" not in file.name}
    declared = {name: kind for kind, name in DECLARED.findall(header.read_text())}
    arrays = set()
    for file in [f for f in texts if f.name.startswith(f"{prefix}___024root__DepSet")]:
        lines = file.read_text().splitlines(keepends=True)
        outside = [line for line in lines if line.startswith(("#include", "extern "))]
        for i in reversed([i for i, line in enumerate(lines) if HEAD.match(line)]):
            try:
                own = "".join(lines[i:lines.index("}\n", i)])
                function = Function(lines[i:], "".join(texts.values()).replace(own, ""), declared)
            except Unknown as problem:
                print(f"{file.name}: {problem}")
                continue
            lists = divide(function.statements, FUNCTIONS if function.length > LARGE else 1)
            uses = collections.Counter(name for part in lists for name in set().union(*(s.reads | s.writes for s in part)))
            # Of an array all copies are members, also those of lanes that are not in the loop.
            bases = {ITERATION.sub("", name) for name in function.arrays}
            members = {name for name in function.types if uses[name] > 1 or ITERATION.sub("", name) in bases}
            arrays |= function.arrays
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
    arrays = Arrays(arrays, [file.read_text() for file in folder.glob(f"{prefix}___024root__[0-9]_*.cpp")], header.read_text())
    header.write_text(arrays.declare(header.read_text()))
    for file in folder.glob("*.cpp"):
        file.write_text(arrays.use(file.read_text()))
    return done
