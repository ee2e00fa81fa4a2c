#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks sim/arrange_members.py on a header written by hand, and that the header of a machine came out as it should.

    arrange_members_test.py [HEADER of the N = 16 machine]
"""

import pathlib
import re
import sys

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
"""
STATEMENTS = ["if (vlSelf->top__DOT__en & vlSelf->top__DOT__en) { vlSelf->irq = 0", "vlSelf->irq = vlSelf->top__DOT__en", "vlSelf->clk = 1",
              "vlSelf->top__DOT__en = 1"]
AFTER = """\
class Vtop___024root final : public VerilatedModule {
  public:
    // DESIGN SPECIFIC STATE
    struct {
        CData/*0:0*/ top__DOT__en;
        VL_OUT8(irq,0,0);
        VL_IN8(clk,0,0);
        CData/*0:0*/ top__DOT__seldom;
        CData/*7:0*/ g_lane__BRA__0__KET____DOT__g_row__BRA__0__KET____DOT__w_q;
        CData/*7:0*/ g_lane__BRA__0__KET____DOT__g_row__BRA__1__KET____DOT__w_q;
        CData/*7:0*/ g_lane__BRA__1__KET____DOT__g_row__BRA__0__KET____DOT__w_q;
    };
    struct {
        CData/*7:0*/ g_lane__BRA__0__KET____DOT__g_row__BRA__0__KET____DOT__v_q;
        IData/*31:0*/ g_lane__BRA__0__KET____DOT__a_q;
        IData/*31:0*/ g_lane__BRA__1__KET____DOT__a_q;
        VlWide<4>/*127:0*/ g_lane__BRA__0__KET____DOT__wide_q;
        IData/*31:0*/ g_lane__BRA__0__KET____DOT__b_q;
        IData/*31:0*/ g_lane__BRA__1__KET____DOT__b_q;
    };

    // INTERNAL VARIABLES
    Vtop__Syms* const vlSymsp;
"""


def main():
    problems = []
    arranged = arrange_members.arrange(BEFORE.splitlines(), STATEMENTS)
    if arranged != AFTER.splitlines():
        problems.append("the header written by hand is ordered wrongly:\n" + "\n".join(arranged))
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
