#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks sim/arrange_members.py on a header written by hand, and that the header of a machine came out as it should.

    arrange_members_test.py [HEADER of the N = 16 machine]
"""

import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sim"))
import arrange_members

BEFORE = """\
class Vtop___024root final : public VerilatedModule {
  public:
    // DESIGN SPECIFIC STATE
    struct {
        VL_IN8(clk,0,0);
        VL_OUT8(irq,0,0);
        CData/*0:0*/ top__DOT__seldom;
        CData/*0:0*/ top__DOT__en;
        CData/*7:0*/ g_lane__BRA__0__KET____DOT__g_row__BRA__0__KET____DOT__w_q;
        CData/*7:0*/ g_lane__BRA__0__KET____DOT__g_row__BRA__0__KET____DOT__v_q;
        CData/*7:0*/ g_lane__BRA__0__KET____DOT__g_row__BRA__1__KET____DOT__w_q;
    };
    struct {
        CData/*7:0*/ g_lane__BRA__1__KET____DOT__g_row__BRA__0__KET____DOT__w_q;
        IData/*31:0*/ g_lane__BRA__0__KET____DOT__a_q;
        IData/*31:0*/ g_lane__BRA__0__KET____DOT__b_q;
        VlWide<4>/*127:0*/ g_lane__BRA__0__KET____DOT__wide_q;
        IData/*31:0*/ g_lane__BRA__1__KET____DOT__a_q;
        IData/*31:0*/ g_lane__BRA__1__KET____DOT__b_q;
    };

    // INTERNAL VARIABLES
    Vtop__Syms* const vlSymsp;
};

#endif  // guard
"""
FIRST = """\
extern void Vtop___024root___nba_sequent__TOP__0__loop0(Vtop___024root* vlSelf);

void Vtop___024root___nba_sequent__TOP__0__0(Vtop___024root* vlSelf) {
    if (vlSelf->top__DOT__en & vlSelf->top__DOT__en) {
     vlSelf->top__DOT__seldom = 0U;
    }
    vlSelf->irq = vlSelf->top__DOT__en;
    vlSelf->g_lane__BRA__1__KET____DOT__a_q = vlSelf->irq;
}
"""
SECOND = """\
void Vtop___024root___nba_sequent__TOP__0__1(Vtop___024root* vlSelf) {
    vlSelf->clk = vlSelf->g_lane__BRA__1__KET____DOT__a_q;
}
"""
CALLER = """\
void Vtop___024root___nba_sequent__TOP__0__0(Vtop___024root* vlSelf);
void Vtop___024root___nba_sequent__TOP__0(Vtop___024root* vlSelf) {
    Vtop___024root___nba_sequent__TOP__0__0(vlSelf);
}
"""
# The first function's members, of which it names en more often than `seldom`, then the second one's, then all others.
AFTER = """\
class Vtop___024root final : public VerilatedModule {
  public:
    // DESIGN SPECIFIC STATE
    struct {
        IData/*31:0*/ g_lane__BRA__1__KET____DOT__a_q;
        VL_OUT8(irq,0,0);
        CData/*0:0*/ top__DOT__en;
        CData/*0:0*/ top__DOT__seldom;
        VL_IN8(clk,0,0);
        CData/*7:0*/ g_lane__BRA__0__KET____DOT__g_row__BRA__0__KET____DOT__w_q;
        CData/*7:0*/ g_lane__BRA__0__KET____DOT__g_row__BRA__1__KET____DOT__w_q;
        CData/*7:0*/ g_lane__BRA__1__KET____DOT__g_row__BRA__0__KET____DOT__w_q;
    };
    struct {
        CData/*7:0*/ g_lane__BRA__0__KET____DOT__g_row__BRA__0__KET____DOT__v_q;
        IData/*31:0*/ g_lane__BRA__0__KET____DOT__a_q;
        IData/*31:0*/ g_lane__BRA__0__KET____DOT__b_q;
        VlWide<4>/*127:0*/ g_lane__BRA__0__KET____DOT__wide_q;
        IData/*31:0*/ g_lane__BRA__1__KET____DOT__b_q;
    };

    // INTERNAL VARIABLES
    Vtop__Syms* const vlSymsp;
};

constexpr std::size_t Vtop___024root___nba_sequent__TOP__0__0_middle = offsetof(Vtop___024root, g_lane__BRA__1__KET____DOT__a_q) + 128;
constexpr std::size_t Vtop___024root___nba_sequent__TOP__0__1_middle = offsetof(Vtop___024root, clk) + 128;

#endif  // guard
"""
NAME = "Vtop___024root___nba_sequent__TOP__0__0"


def rewritten():
    """The files of a machine written by hand, arranged."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files = {"Vtop___024root.h": BEFORE, "Vtop___024root__0_0.cpp": FIRST, "Vtop___024root__0_1.cpp": SECOND, "Vtop___024root__DepSet.cpp": CALLER}
        for file, text in files.items():
            (folder / file).write_text(text)
        arrange_members.rewrite(folder / "Vtop___024root.h")
        return {file: (folder / file).read_text() for file in files}


def main():
    problems = []
    files = rewritten()
    if files["Vtop___024root.h"] != AFTER:
        problems.append("the header written by hand is ordered wrongly:\n" + files["Vtop___024root.h"])
    shifted = f"void {NAME}(char* middle) {{\n    Vtop___024root* const vlSelf = reinterpret_cast<Vtop___024root*>(middle - {NAME}_middle);\n"
    if files["Vtop___024root__0_0.cpp"] != FIRST.replace(f"void {NAME}(Vtop___024root* vlSelf) {{\n", shifted):
        problems.append("the function does not get the middle of its block:\n" + files["Vtop___024root__0_0.cpp"])
    if files["Vtop___024root__DepSet.cpp"] != CALLER.replace(f"{NAME}(Vtop___024root* vlSelf);", f"{NAME}(char* middle);").replace(
            f"{NAME}(vlSelf);", f"{NAME}(reinterpret_cast<char*>(vlSelf) + {NAME}_middle);"):
        problems.append("the call does not pass the middle of the block:\n" + files["Vtop___024root__DepSet.cpp"])
    # One function has more than a block holds, which the other one names, too: what is named most comes first, and is in one block only.
    kinds = {**{f"q{i}": "QData" for i in range(40)}, "c": "CData"}
    first, second = arrange_members.blocks(kinds, [{**{f"q{i}": 1 + i for i in range(40)}, "c": 10}, {"q39": 39, "q0": 1}])
    if first != [f"q{i}" for i in range(39, 8, -1)] + ["c"] or second != ["q0"]:
        problems.append(f"blocks hold {first} and {second}")
    for header in sys.argv[1:]:
        # Also when another Verilator spells its names otherwise: the machine would be right, but slow. Which registers are in loops over the
        # lanes depends on how Verilator writes the calls of functions: this one is in versions 5.006 and 5.032.
        text = pathlib.Path(header).read_text()
        if not re.search(r"IData/\*31:0\*/ \w*g_lane__DOT__u_map__DOT__sum8_q\[16\]\[1\];", text):
            problems.append(f"{header}: the lanes' copies of sum8_q are no array")
    print("\n".join(problems) or "ok")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
