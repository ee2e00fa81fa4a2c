#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks sim/arrange_statements.py: random cycles in Verilator's forms do the same before and after, and unknown forms stay as they are.

    arrange_statements_test.py [--seed NUMBER] [--programs NUMBER]
"""

import argparse
import pathlib
import random
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sim"))
import arrange_statements
import lane_loops
import statement_order
import verilated_statements

SEED = random.randrange(2**32)
PROGRAMS = 300
CYCLES = 5
MASK = 2**32 - 1
WORDS = 8
PORTS = [f"vlSelf->top__DOT__p{i}" for i in range(3)]
REGISTERS = [f"vlSelf->top__DOT__u__DOT__r{i}" for i in range(4)]
WIRES = [f"vlSelf->top__DOT__u__DOT__w{i}" for i in range(6)]
OUTPUTS = [f"vlSelf->top__DOT__o{i}" for i in range(3)]
MEMORY = "vlSelf->top__DOT__u__DOT__m"
LOCALS = [*(f"__Vdly__r{i}" for i in range(len(REGISTERS))), "__Vdlyvset__m__v0", "__Vdlyvval__m__v0", "__Vdlyvdim0__m__v0"]


def value(expression, state):
    """What a C expression of the tests' forms is worth."""
    text = re.sub(r"\b(0x[0-9a-f]+|\d+)U(?:LL)?\b", r"\1", expression.replace("(IData)", ""))
    text = re.sub(r"(?:vlSelf->)?(\b[A-Za-z_]\w*)", lambda found: f"state[{found[0]!r}]", text)
    return eval(text, {"state": state}) & MASK


def execute(statements, state):
    for statement in statements:
        if statement.condition is not None:
            execute(statement.then if value(statement.condition, state) else statement.other, state)
            continue
        name, index, expression = re.fullmatch(r"([\w>-]+)(?:\[(.*?)\])? = (.*);", statement.text).groups()
        if index is None:
            state[name] = value(expression, state)
        else:
            state[name][value(index, state) % WORDS] = value(expression, state)


class Program:
    """A random cycle as Verilator writes it: copies of registers are set up, statements in an order that keeps the dependences, copies
    stored."""

    def __init__(self, rng):
        self.rng = rng
        # Few, so that there are equal ones.
        self.conditions = [self.condition() for _ in range(4)]
        copies = [i for i in range(len(REGISTERS)) if rng.random() < 0.7]
        lines = [f"__Vdly__r{i} = {REGISTERS[i]};" for i in copies]
        memory = rng.random() < 0.7
        if memory:
            lines.append("__Vdlyvset__m__v0 = 0U;")
        middle = [self.write(f"__Vdly__r{i}") for i in copies for _ in range(rng.randrange(1, 3))]
        middle += [self.write(rng.choice(WIRES)) for _ in range(rng.randrange(4))]
        if memory:
            # Now and then somebody else looks at the data, or the block reads the memory behind the write.
            middle.append(f"if ({rng.choice(self.conditions)}) {{ __Vdlyvval__m__v0 = {self.expression()}; __Vdlyvset__m__v0 = 1U; "
                          f"__Vdlyvdim0__m__v0 = (7U & {self.expression()}); {self.write(rng.choice(WIRES)) if rng.random() < 0.5 else ''} }}")
            if rng.random() < 0.3:
                middle.append(f"{rng.choice(WIRES)} = __Vdlyvval__m__v0;")
        rng.shuffle(middle)
        stores = [f"{REGISTERS[i]} = __Vdly__r{i};" for i in copies]
        if memory:
            stores.append(f"if (__Vdlyvset__m__v0) {{ {MEMORY}[__Vdlyvdim0__m__v0] = __Vdlyvval__m__v0; }}")
        rng.shuffle(stores)
        end = [self.write(rng.choice([*WIRES, *OUTPUTS, *(r for i, r in enumerate(REGISTERS) if i not in copies)]))
               for _ in range(rng.choice([3, 4, 5, 6, 10, 15]))]
        self.text = "\n".join([*lines, *middle, *stores, *end])

    def atom(self):
        kind = self.rng.random()
        if kind < 0.1:
            return f"{self.rng.randrange(256):#x}U"
        if kind < 0.2:
            return f"{MEMORY}[(7U & {self.rng.choice([*PORTS, *REGISTERS, *WIRES])})]"
        return self.rng.choice(["(IData)({})", "{}"]).format(self.rng.choice([*PORTS, *REGISTERS, *WIRES]))

    def expression(self):
        return f"({self.atom()} {self.rng.choice('+^&|-')} {self.atom()})" if self.rng.random() < 0.8 else self.atom()

    def condition(self):
        word = self.rng.choice([*PORTS, *REGISTERS, *WIRES])
        bit = self.rng.randrange(8)
        return self.rng.choice([f"(1U & (IData)(({word} >> {bit}U)))", f"({1 << bit:#x}U & {word})", f"(IData)({word})"])

    def write(self, name, depth=0):
        kind = self.rng.random()
        if depth < 2 and kind < 0.35:
            then = " ".join(self.write(self.rng.choice([name, *WIRES]), depth + 1) for _ in range(self.rng.randrange(1, 3)))
            other = f" else {{ {self.write(self.rng.choice([name, *WIRES]), depth + 1)} }}" if self.rng.random() < 0.4 else ""
            return f"if ({self.rng.choice([*self.conditions, self.condition()])}) {{ {then} }}{other}"
        if kind < 0.5:
            return f"{name} = ((0xff00U & {name}) | (0xffU & {self.expression()}));"
        return f"{name} = {self.expression()};"

    def many_bits(self):
        """More tests of bits of one word than are left without a test of the word; some change the word, or test two bits."""
        word = self.rng.choice([*REGISTERS, *WIRES])
        tests = [f"if (({1 << bit | self.rng.choice([0, 0, 0, 1]):#x}U & {word})) {{ {self.rng.choice([*WIRES, *OUTPUTS])} = {self.expression()}; }}"
                 for bit in self.rng.sample(range(16), statement_order.TESTS + 4)]
        self.text += "\n" + "\n".join(tests)
        return self

    def statements(self):
        return verilated_statements.parse(self.text, 0, len(self.text))


def visible(state, private):
    return {name: list(held) if isinstance(held, list) else held for name, held in state.items() if name not in private}


def run(statements, state, rng):
    """What is visible after each of several cycles with other inputs each."""
    seen = []
    state = {name: list(held) if isinstance(held, list) else held for name, held in state.items()}
    for _ in range(CYCLES):
        state.update({port: rng.randrange(256) for port in PORTS})
        execute(statements, state)
        seen.append(visible(state, {*REGISTERS, *WIRES, *LOCALS}))
    return seen


class ArrangeTest(unittest.TestCase):
    def test_random_cycles_do_the_same(self):
        changed = 0
        for number in range(PROGRAMS):
            rng = random.Random(f"{SEED} {number}")
            program = Program(rng)
            if number % 3 == 0:
                program.many_bits()
            before = program.statements()
            own = [name for name in [*REGISTERS, *WIRES] if rng.random() < 0.8]
            after = statement_order.arrange(program.statements(), {*own, *LOCALS}, set(own))
            state = {name: rng.randrange(256) for name in [*PORTS, *REGISTERS, *WIRES, *OUTPUTS, *LOCALS]}
            state[MEMORY] = [rng.randrange(256) for _ in range(WORDS)]
            # What follows from other variables does so when a machine begins.
            execute(before, state)
            inputs = rng.randrange(2**32)
            self.assertEqual(run(before, state, random.Random(inputs)), run(after, state, random.Random(inputs)),
                             f"--seed {SEED}, program {number}:\n{program.text}\n\nbecame\n"
                             + "".join(line for s in after for line in s.lines(0)))
            changed += [s.lines(0) for s in before] != [s.lines(0) for s in after]
        self.assertGreater(changed, PROGRAMS // 2)

    def test_corner_cases_do_the_same(self):
        bits = " ".join(f"if (({1 << i:#x}U & vlSelf->w)) {{ vlSelf->{'w' if i == 2 else f'o{i}'} = vlSelf->a; }}" for i in range(8))
        for text, private in (
                ("vlSelf->w = vlSelf->a; if (vlSelf->w) { vlSelf->o = vlSelf->w; }", "w"),
                ("if (vlSelf->a) { vlSelf->w = vlSelf->b; if (vlSelf->c) { vlSelf->o = vlSelf->w; } } else { vlSelf->o = vlSelf->w; }", "w"),
                ("if (vlSelf->w) { vlSelf->w = vlSelf->b; if (vlSelf->c) { vlSelf->o = vlSelf->w; } } else { vlSelf->w = vlSelf->a; }", "w"),
                ("vlSelf->w = vlSelf->a; if (vlSelf->c) { vlSelf->o = vlSelf->w; } else { vlSelf->q = vlSelf->w; }", "w"),
                (bits, ""),
                ("__Vdlyvset__m = 0U; if (vlSelf->c) { if (vlSelf->b) { __Vdlyvval__m = vlSelf->a; __Vdlyvset__m = 1U; "
                 "__Vdlyvdim0__m = (7U & vlSelf->d); } vlSelf->o = vlSelf->m[(7U & vlSelf->d)]; } "
                 "if (__Vdlyvset__m) { vlSelf->m[__Vdlyvdim0__m] = __Vdlyvval__m; }", ""),
                ("__Vdlyvset__m = 0U; if (vlSelf->c) { __Vdlyvval__m = vlSelf->a; __Vdlyvset__m = 1U; __Vdlyvdim0__m = (7U & vlSelf->d); } "
                 "__Vdlyvval__m = vlSelf->b; if (__Vdlyvset__m) { vlSelf->m[__Vdlyvdim0__m] = __Vdlyvval__m; }", "")):
            text = text.replace("; if", ";\nif")
            names = set(re.findall(r"(?:vlSelf->|__)\w+", text)) - {"vlSelf->m"}
            hidden = {f"vlSelf->{name}" for name in private.split()} | {name for name in names if name.startswith("__")}
            before, after = (verilated_statements.parse(text, 0, len(text)) for _ in range(2))
            after = statement_order.arrange(after, hidden, set())
            for number in range(200):
                rng = random.Random(number)
                states = [{name: rng.randrange(16) for name in sorted(names)} | {"vlSelf->m": [rng.randrange(16) for _ in range(WORDS)]}]
                states.append(states[0] | {"vlSelf->m": list(states[0]["vlSelf->m"])})
                for _ in range(3):
                    inputs = {f"vlSelf->{name}": rng.randrange(16) for name in "abcd"}
                    for statements, state in zip((before, after), states):
                        state.update(inputs)
                        execute(statements, state)
                    self.assertEqual(visible(states[0], hidden), visible(states[1], hidden), text)

    def arranged(self, text, private=(), fixed=None):
        statements = statement_order.arrange(verilated_statements.parse(text, 0, len(text)), set(private), fixed)
        return [line.strip() for s in statements for line in s.lines(0)]

    def test_iterations_of_a_loop_are_neighbours(self):
        name = "vlSelf->g__BRA__{}__KET____DOT__{}_q"
        text = "\n".join(f"{name.format(i, x)} = {name.format(i, y)};" for i in range(3) for x, y in ("ba", "dc"))
        self.assertEqual(self.arranged(text), [f"{name.format(i, x)} = {name.format(i, y)};" for x, y in ("ba", "dc") for i in range(3)])

    # A write to a memory, which is made at the end of the cycle; %s stands for a reader.
    WRITE = """
        __Vdlyvset__m = 0U;
        if (vlSelf->c) { __Vdlyvval__m = vlSelf->a; __Vdlyvset__m = 1U; __Vdlyvdim0__m = vlSelf->b; vlSelf->x = vlSelf->a; }
        %s
        if (__Vdlyvset__m) { vlSelf->m[__Vdlyvdim0__m] = __Vdlyvval__m; }"""

    def test_a_write_needs_no_copy_when_readers_can_come_first(self):
        reader = "vlSelf->o = vlSelf->m[vlSelf->p];"
        arranged = self.arranged(self.WRITE % reader)
        self.assertEqual(arranged[:2], [reader, "if (vlSelf->c) {"])
        self.assertIn("vlSelf->m[__Vdlyvdim0__m] = __Vdlyvval__m;", arranged)
        self.assertNotIn("__Vdlyvset__m = 0U;", arranged)

    def test_a_write_keeps_its_copy_when_a_reader_needs_the_writer(self):
        arranged = self.arranged(self.WRITE % "vlSelf->o = (vlSelf->x + vlSelf->m[vlSelf->p]);")
        self.assertIn("__Vdlyvset__m = 0U;", arranged)

    def test_neighbours_with_the_same_test_are_one(self):
        text = "if (vlSelf->c) { vlSelf->a = 1U; } vlSelf->x = vlSelf->y; if (vlSelf->c) { vlSelf->b = 1U; }"
        self.assertEqual(sum(line.startswith("if") for line in self.arranged(text)), 1)

    def test_what_one_branch_needs_is_computed_there(self):
        text = "vlSelf->w = vlSelf->a; if (vlSelf->c) { vlSelf->o = vlSelf->w; }"
        self.assertEqual(self.arranged(text, ["vlSelf->w"])[0], "if (vlSelf->c) {")
        self.assertEqual(self.arranged(text)[0], "vlSelf->w = vlSelf->a;")

    def test_what_the_next_cycle_needs_is_computed_there(self):
        text = "if (vlSelf->c) { vlSelf->o = vlSelf->w; } vlSelf->r = vlSelf->p; vlSelf->w = (vlSelf->r + 1U);"
        self.assertEqual(self.arranged(text, ["vlSelf->w", "vlSelf->r"], {"vlSelf->w", "vlSelf->r"})[:2],
                         ["if (vlSelf->c) {", "vlSelf->w = (vlSelf->r + 1U);"])

    def test_what_is_added_up_for_one_branch_is_added_up_there(self):
        first, second, taker = "vlSelf->w = vlSelf->a;", "vlSelf->w = (vlSelf->w | vlSelf->b);", "if (vlSelf->c) { vlSelf->o = vlSelf->w; }"
        self.assertEqual(self.arranged(f"{first} {second} {taker}", ["vlSelf->w"])[:3], ["if (vlSelf->c) {", first, second])
        # It goes on from cycle to cycle.
        self.assertEqual(self.arranged(f"{second} {taker}", ["vlSelf->w"])[0], second)
        text = f"{taker} vlSelf->r = vlSelf->p; vlSelf->w = vlSelf->r; {second}"
        names = ["vlSelf->w", "vlSelf->r", "vlSelf->b"]
        self.assertEqual(self.arranged(text, names, set(names))[:3], ["if (vlSelf->c) {", "vlSelf->w = vlSelf->r;", second])

    def test_a_load_without_a_branch_is_the_same(self):
        text = "if (vlSelf->b) { vlSelf->x = vlSelf->y; }"
        conditional, = verilated_statements.parse(text, 0, len(text))
        for bit in 0, 1:
            states = [{"vlSelf->b": bit, "vlSelf->x": 0x5A, "vlSelf->y": 0xC3} for _ in range(2)]
            execute([conditional], states[0])
            execute([conditional.load()], states[1])
            self.assertEqual(*states)

    def test_other_statements_are_no_loads(self):
        for text in ("if ((1U & vlSelf->b)) { vlSelf->x = vlSelf->y; }", "if (vlSelf->b) { vlSelf->x = (vlSelf->y + 1U); }",
                     "if (vlSelf->b) { vlSelf->x = vlSelf->y; } else { vlSelf->x = vlSelf->z; }",
                     "if (vlSelf->b) { vlSelf->x = vlSelf->y; vlSelf->z = vlSelf->y; }", "vlSelf->x = vlSelf->y;",
                     "if (vlSelf->g__BRA__0__KET____DOT__x) { vlSelf->g__BRA__1__KET____DOT__x = vlSelf->y; }"):
            statement, = verilated_statements.parse(text, 0, len(text))
            self.assertIsNone(statement.load(), text)


LANES = 8
LANE = "vlSelf->top__DOT__g_lane__BRA__{}__KET____DOT__{}_q"
LANE_LOCAL = "__Vfunc_top__DOT__g_lane__BRA__{}__KET____DOT__f__0__{}"


class LaneProgram:
    """Random statements, most of them the same in all lanes. Some lanes look at another one, some statements write what all lanes share."""

    def __init__(self, rng):
        self.types = {form.format(i, x): "CData/*7:0*/" for form in (LANE, LANE_LOCAL) for i in range(LANES) for x in "abc"}
        self.shared = ["vlSelf->top__DOT__s0", "vlSelf->top__DOT__s1"]
        lines = []
        for _ in range(rng.randrange(2, 10)):
            forms = [(form, x) for form in (LANE, LANE_LOCAL) for x in "abc"]
            to, one, two = rng.choice(forms), rng.choice(forms), rng.choice(forms)
            other = rng.choice([0, 0, 0, 1, 7])
            test = rng.choice([None, None, self.shared[0], LANE])
            odd = rng.randrange(LANES) if rng.random() < 0.2 else None
            everyone = rng.random() < 0.1
            for i in range(LANES):
                name = self.shared[1] if everyone else to[0].format(i, to[1])
                text = (f"{name} = ({one[0].format(i, one[1])} {'-' if i == odd else '+'} "
                        f"{two[0].format((i + other) % LANES, two[1])});")
                lines.append(text if test is None else f"if ({test.format(i, 'a')}) {{ {text} }}")
        self.text = "\n".join(lines)

    def statements(self):
        return verilated_statements.parse(self.text, 0, len(self.text))


def unrolled(statements):
    """The statements with the iterations of their loops, which are read from the loops' C++, with variables instead of elements."""
    result = []
    for s in statements:
        if isinstance(s, lane_loops.Loop):
            body = s.function("Vtop", []).split("++i) {\n")[1].rpartition(" }\n}")[0]
            body = "".join(line for line in body.splitlines(keepends=True) if not verilated_statements.LOCAL.match(line))
            for i in s.iterations:
                text = body.replace("BRA__i__", f"BRA__{i}__")
                text = re.sub(r"vlSelf->top__DOT__g_lane__DOT__(\w+)_q\[i\]", lambda found: LANE.format(i, found[1]), text)
                text = re.sub(r"vlSelf->(__Vfunc\w+)__DOT__g_lane__DOT__f__0__(\w+)\[i\]", lambda found: LANE_LOCAL.format(i, found[2]), text)
                result += verilated_statements.parse(text, 0, len(text))
        elif s.condition is not None:
            result.append(verilated_statements.Statement(None, s.condition, unrolled(s.then), unrolled(s.other)))
        else:
            result.append(s)
    return result


class LaneLoopsTest(unittest.TestCase):
    def loops(self, text, types):
        statements = lane_loops.Loops(types).make(verilated_statements.parse(text, 0, len(text)))
        return statements, lane_loops.settle("f", statements, {name: kind for name, kind in types.items() if "->" not in name})

    def test_random_lanes_do_the_same(self):
        made = 0
        for number in range(PROGRAMS):
            rng = random.Random(f"{SEED} lanes {number}")
            program = LaneProgram(rng)
            statements, _ = self.loops(program.text, program.types)
            made += any(isinstance(s, lane_loops.Loop) for s in statements)
            state = {name: rng.randrange(256) for name in [*program.types, *program.shared]}
            states = [dict(state), dict(state)]
            execute(program.statements(), states[0])
            execute(unrolled(statements), states[1])
            self.assertEqual(*states, f"--seed {SEED}, lanes {number}:\n{program.text}")
        self.assertGreater(made, PROGRAMS // 2)

    def test_neighbours_share_a_loop(self):
        types = {LANE.format(i, x): "CData/*7:0*/" for i in range(LANES) for x in "ab"}
        types |= {LANE_LOCAL.format(i, x): "SData/*8:0*/" for i in range(LANES) for x in "ab"}
        text = "\n".join([*(f"{LANE_LOCAL.format(i, 'a')} = {LANE.format(i, 'a')};" for i in range(LANES)),
                          *(f"{LANE.format(i, 'b')} = ({LANE_LOCAL.format(i, 'a')} + {LANE_LOCAL.format(i, 'b')});" for i in range(LANES)),
                          f"vlSelf->o = {LANE_LOCAL.format(3, 'b')};"])
        statements, arrays = self.loops(text, types)
        self.assertEqual([isinstance(s, lane_loops.Loop) for s in statements], [True, False])
        lines = statements[0].function("Vtop", []).splitlines()
        local = LANE_LOCAL.format("i", "a")
        # What the last statement reads, too, is no variable of the loop.
        self.assertEqual(lines[2:-3], [f" for (int i = 0; i != {LANES}; ++i) {{", f"  SData/*8:0*/ {local};",
                                       f"  {local} = vlSelf->top__DOT__g_lane__DOT__a_q[i];",
                                       f"  vlSelf->top__DOT__g_lane__DOT__b_q[i] = ({local} + vlSelf->__Vfunc_top__DOT__g_lane__DOT__f__0__b[i]);"])
        self.assertEqual(arrays, {form.format(i, x) for form, x in ((LANE, "a"), (LANE, "b"), (LANE_LOCAL, "b")) for i in range(LANES)})

    def test_what_is_not_the_same_stays(self):
        kinds = {"a": "CData/*7:0*/", "b": "CData/*7:0*/", "w": "VlWide<3>/*79:0*/"}
        types = {LANE.format(i, x): kind for i in range(LANES) for x, kind in kinds.items()}
        for form in ("{a} = {after};", "vlSelf->s = {b};", "if (vlSelf->p) {{ {a} = {b}; vlSelf->s = {b}; }}", "{a} = (vlSelf->s >> {i}U);",
                     "{w} = {b};"):
            text = "\n".join(form.format(a=LANE.format(i, "a"), b=LANE.format(i, "b"), w=LANE.format(i, "w"), i=i,
                                         after=LANE.format((i + 1) % LANES, "a")) for i in range(LANES))
            statements, arrays = self.loops(text, types)
            self.assertFalse(arrays, form)
            self.assertFalse(any(isinstance(s, lane_loops.Loop) for s in statements), form)


HEADER = """\
class Vtop___024root final : public VerilatedModule {
    struct {
        CData/*7:0*/ g__BRA__0__KET____DOT__a_q;
%s    };
    // INTERNAL VARIABLES
    Vtop__Syms* const vlSymsp;
};
"""
FUNCTION = """\
#include "Vtop.h"

VL_INLINE_OPT void Vtop___024root___nba_sequent__TOP__0(Vtop___024root* vlSelf) {
    if (false && vlSelf) {}  // Prevent unused
    Vtop__Syms* const __restrict vlSymsp VL_ATTR_UNUSED = vlSelf->vlSymsp;
    // Init
    CData/*7:0*/ __Vdly__r;
    // Body
%s
}
"""


class RewriteTest(unittest.TestCase):
    def rewritten(self, body, members=""):
        """Whether the function was known, and all files."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "Vtop___024root.h").write_text(HEADER % members)
            (folder / "Vtop___024root__DepSet_h1__0.cpp").write_text(FUNCTION % body)
            known = arrange_statements.rewrite(folder, "Vtop")
            return known, {file.name: file.read_text() for file in folder.iterdir()}

    def test_a_function_is_divided(self):
        known, files = self.rewritten("    __Vdly__r = vlSelf->r;\n    __Vdly__r = vlSelf->a;\n    vlSelf->r = __Vdly__r;")
        self.assertTrue(known)
        self.assertIn("    vlSelf->r = __Vdly__r;\n", files["Vtop___024root__0_0.cpp"])
        self.assertIn("Vtop___024root___nba_sequent__TOP__0__0(vlSelf);", files["Vtop___024root__DepSet_h1__0.cpp"])

    def test_equal_statements_stay_in_one_part(self):
        copies = [f"vlSelf->g_row__BRA__{i}__KET____DOT__x" for i in range(4)]
        text = "".join(f"{copy} = vlSelf->a;" for copy in copies) + "if (vlSelf->c) { vlSelf->o = vlSelf->a; vlSelf->p = vlSelf->a; }"
        parts = arrange_statements.divide(verilated_statements.parse(text, 0, len(text)), 5)
        self.assertEqual([len(part) for part in parts], [4, 1])

    def test_lanes_become_a_loop_over_arrays(self):
        names = {x: [LANE.format(i, x)[len("vlSelf->"):] for i in range(LANES)] for x in "bc"}
        calls = [f"__Vfunc_top__DOT__g_lane__BRA__{i}__KET____DOT__f__{3 * i + 5}__x" for i in range(LANES)]
        body = "".join(f"    CData/*7:0*/ {call};\n" for call in calls) + "".join(
            f"    {call} = vlSelf->{b};\n    vlSelf->{c} = {call};\n" for call, b, c in zip(calls, names["b"], names["c"]))
        known, files = self.rewritten(body, "".join(f"        CData/*7:0*/ {name};\n" for x in "bc" for name in names[x]))
        self.assertTrue(known)
        self.assertIn("".join(f"        CData/*7:0*/ top__DOT__g_lane__DOT__{x}_q[8];\n" for x in "bc"), files["Vtop___024root.h"])
        text = "".join(files.values())
        call = "__Vfunc_top__DOT__g_lane__BRA__i__KET____DOT__f__0__x"
        self.assertIn(f"  {call} = vlSelf->top__DOT__g_lane__DOT__b_q[i];\n  vlSelf->top__DOT__g_lane__DOT__c_q[i] = {call};\n", text)
        self.assertEqual(text.count("loop0(vlSelf);"), 1)

    def test_a_lane_beside_the_loop_uses_the_array_too(self):
        names = [LANE.format(i, "b")[len("vlSelf->"):] for i in range(LANES)]
        *lanes, last = local = [LANE_LOCAL.format(i, "x") for i in range(LANES + 1)]
        # The last lane has a value of its own; all lanes' are used again behind the loop.
        body = "".join(f"    CData/*7:0*/ {x};\n" for x in local) + "".join(
            f"    {x} = vlSelf->{b};\n" for x, b in zip(lanes, names)) + (
            f"    if (vlSelf->s) {{\n     {last} = 1U;\n    }} else {{\n     {last} = 2U;\n    }}\n") + "".join(
            f"    vlSelf->o{i} = {x};\n    vlSelf->p{i} = {x};\n" for i, x in enumerate(local))
        known, files = self.rewritten(body, "".join(f"        CData/*7:0*/ {name};\n" for name in names))
        self.assertTrue(known)
        array = "__Vfunc_top__DOT__g_lane__DOT__f__0__x"
        self.assertRegex(files["Vtop___024root.h"], rf"CData/\*7:0\*/ {array}\[{LANES + 1}\];")
        text = files["Vtop___024root__0_0.cpp"]
        self.assertIn("loop0(vlSelf);", text)
        self.assertIn(f"vlSelf->{array}[{LANES}] = 1U;\n", text)
        self.assertIn(f"vlSelf->o{LANES} = vlSelf->{array}[{LANES}];\n", text)
        self.assertNotRegex(text, rf"(?<!vlSelf->){array}\[")

    def shifted(self, stages, kind="CData/*0:0*/", others=()):
        """The name of an array, and the text of a function in which row r of 1 to 9 has stages 1 to r. `stages`: in which order a row of so many
        assigns them. `others`: rows and stages of elements that are not assigned."""
        rows = 10
        name = "vlSelf->top__DOT__g_row__BRA__{}__KET____DOT__g_stage__BRA__{}__KET____DOT__q"
        elements = [name.format(row, stage) for row in range(1, rows) for stage in range(1, row + 1)]
        body = [f"    {name.format(row, stage)} = {name.format(row, stage - 1) if stage > 1 else f'(1U & (vlSelf->in >> {row}U))'};\n"
                for row in range(1, rows) for stage in stages(row)]
        body += [f"    if ({' | '.join(name.format(row, stage) for stage in range(1, row + 1))}) {{\n     vlSelf->o{row} = 1U;\n    }}\n"
                 for row in range(7, rows)]
        elements += [name.format(row, stage) for row, stage in others]
        _, files = self.rewritten("".join(body), "".join(f"        {kind} {element[len('vlSelf->'):]};\n" for element in elements))
        return "vlSelf->top__DOT__g_row__DOT__g_stage__DOT__q", files["Vtop___024root__0_0.cpp"]

    def test_shift_registers_are_one_move_and_one_test(self):
        array, text = self.shifted(lambda row: range(row, 0, -1))
        # From stage 2 of row 2 to the last one of the last row
        self.assertEqual(re.findall(r"std::memmove.*", text), [f"std::memmove(&{array}[2][2], &{array}[2][1], 78 * sizeof({array}[2][2]));"])
        self.assertEqual([line for line in text.splitlines() if line.startswith(f"    {array}")],
                         [f"    {array}[{row}][1] = (1U & (vlSelf->in >> {row}U));" for row in range(1, 10)])
        self.assertIn(f"if (AnyByte(&{array}[8][1], 8)) {{", text)
        self.assertIn(" | ".join(f"{array}[7][{stage}]" for stage in range(1, 8)), text)

    def test_a_move_spares_other_registers(self):
        array, text = self.shifted(lambda row: range(row, 0, -1), others=[(5, 9)])
        # The second half first: it takes nothing that the first one writes.
        self.assertEqual(re.findall(r"std::memmove\(&([^,]*), &([^,]*), (\d+)", text),
                         [(f"{array}[6][2]", f"{array}[6][1]", "38"), (f"{array}[2][2]", f"{array}[2][1]", "34")])

    def test_words_are_tested_one_by_one(self):
        array, text = self.shifted(lambda row: range(row, 0, -1), kind="SData/*8:0*/")
        self.assertIn(" | ".join(f"{array}[9][{stage}]" for stage in range(1, 10)), text)

    def test_copies_of_what_is_new_stay(self):
        array, text = self.shifted(lambda row: range(1, row + 1))
        self.assertNotIn("memmove", text)
        places = [text.index(f"{array}[9][{stage}] = ") for stage in range(1, 10)]
        self.assertEqual(places, sorted(places))

    def test_loads_of_a_loop_have_a_test_for_each_inner_loop(self):
        name = "vlSelf->g_row__BRA__{}__KET____DOT__g_column__BRA__{}__KET____DOT__{}"
        loads = [(name.format(r, c, "enable"), name.format(r, c, "x_q"), name.format(r, c, "y")) for r in range(8) for c in range(8)]
        for count in arrange_statements.MANY, arrange_statements.MANY - 1:
            _, files = self.rewritten("\n".join(f"    if ({bit}) {{ {x} = {y}; }}" for bit, x, y in loads[:count]))
            lines = "".join(files[file] for file in sorted(files) if file.startswith("Vtop___024root__0_")).splitlines()
            many = count == arrange_statements.MANY
            tests = [f"    if ({' | '.join(bit for bit, _, _ in loads[8 * r:8 * r + 8])}) {{" for r in range(8)]
            self.assertEqual([test for test in tests if test in lines], tests if many else [])
            for bit, x, y in loads[:count]:
                self.assertIn(f"    {x} = ({x} ^ (({x} ^ {y}) & (0ULL - {bit})));" if many else f"     {x} = {y};", lines)

    def test_unknown_forms_stay(self):
        for body in ("    for (;;) {}", "    if (vlSelf->a) vlSelf->b = 1U;", "    do { vlSelf->a = 1U; } while (vlSelf->b);",
                     "    {vlSelf->a = 1U;}", "    if (vlSelf->a) { vlSelf->b = 1U;"):
            known, files = self.rewritten(body)
            self.assertFalse(known, body)
            self.assertEqual(files, {"Vtop___024root.h": HEADER % "", "Vtop___024root__DepSet_h1__0.cpp": FUNCTION % body})


def main():
    global SEED, PROGRAMS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--programs", type=int, default=PROGRAMS)
    arguments = parser.parse_args()
    SEED, PROGRAMS = arguments.seed, arguments.programs
    print(f"seed {SEED}")
    unittest.main(argv=sys.argv[:1])


if __name__ == "__main__":
    main()
