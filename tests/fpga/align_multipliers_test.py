#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Multiplies with ECP5's multipliers before and after scripts/align_multipliers.py: the products are those of Verilog's `*`.

    align_multipliers_test.py [SEED]

Multiplications of several widths, synthesised by yosys, rewritten, and simulated by Icarus with a model of MULT18X18D on corner values and
random ones. Exit status 77 (skipped) without yosys or Icarus.
"""

import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import align_multipliers

# Widths of a and b, signedness, constant inputs that stay after the rewrite
CASES = [(8, 8, True, 20), (9, 8, True, 19), (16, 9, True, 11), (17, 9, True, 10), (17, 17, False, 2), (16, 17, False, 3), (18, 18, True, 0)]
# What Lattice's manual says of MULT18X18D without registers: both operands signed or both unsigned
MODEL = f"""
module MULT18X18D ({", ".join(f"input A{i}, B{i}, C{i}" for i in range(18))}, input SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
  {", ".join(f"output P{i}" for i in range(36))});
  wire signed [18:0] a = {{SIGNEDA & A17, {", ".join(f"A{i}" for i in reversed(range(18)))}}};
  wire signed [18:0] b = {{SIGNEDB & B17, {", ".join(f"B{i}" for i in reversed(range(18)))}}};
  wire signed [37:0] p = a * b;
  assign {{{", ".join(f"P{i}" for i in reversed(range(36)))}}} = p[35:0];
endmodule
"""


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def check(folder, case, values):
    wa, wb, signed, constants = case
    kind = "signed" if signed else ""
    name = f"multiply_{wa}_{wb}_{kind}"
    (folder / "source.v").write_text(f"module {name} (input {kind} [{wa - 1}:0] a, input {kind} [{wb - 1}:0] b,"
                                     f" output {kind} [{wa + wb - 1}:0] p); assign p = a * b; endmodule\n")
    run("yosys", "-q", "-p", f"read_verilog source.v; synth_ecp5 -top {name} -json netlist.json", cwd=folder)
    netlist = json.loads((folder / "netlist.json").read_text())
    module = netlist["modules"][name]
    changed = align_multipliers.align(module)
    if changed != (constants > 0):
        return f"{changed} multipliers changed"
    cell, = (cell for cell in module["cells"].values() if cell["type"] == "MULT18X18D")
    found = sum(cell["connections"][f"{operand}{i}"] == ["0"] for operand in "AB" for i in range(18))
    if found != constants:
        return f"{found} inputs of the multiplier are constant, expected {constants}"
    (folder / "aligned.json").write_text(json.dumps(netlist))
    run("yosys", "-q", "-p", "read_json aligned.json; delete */t:$scopeinfo; write_verilog -noattr -selected aligned.v", cwd=folder)
    tests = "".join(f"    a = {a}; b = {b}; #1; if (p !== expected) begin $display(\"%d * %d = %d\", a, b, p); $finish; end\n" for a, b in values)
    (folder / "bench.v").write_text(f"""{MODEL}
module bench;
  reg {kind} [{wa - 1}:0] a;
  reg {kind} [{wb - 1}:0] b;
  wire {kind} [{wa + wb - 1}:0] p;
  wire {kind} [{wa + wb - 1}:0] expected = a * b;
  {name} dut (.a(a), .b(b), .p(p));
  initial begin
{tests}    $display("ok");
  end
endmodule
""")
    run("iverilog", "-g2005", "-s", "bench", "-o", "bench", "bench.v", "aligned.v", cwd=folder)
    said = run("vvp", "-n", "bench", cwd=folder).strip()
    return None if said == "ok" else said


def main():
    if not all(map(shutil.which, ("yosys", "iverilog"))):
        print("align_multipliers_test: yosys or Icarus is missing, skipped")
        return 77
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else random.randrange(2**32)
    print(f"align_multipliers_test: seed {seed}")
    rng = random.Random(seed)
    failed = False
    for case in CASES:
        wa, wb = case[:2]
        corners = [(a, b) for a in (0, 1, 2**(wa - 1) - 1, 2**(wa - 1), 2**wa - 1) for b in (0, 1, 2**(wb - 1) - 1, 2**(wb - 1), 2**wb - 1)]
        values = corners + [(rng.randrange(2**wa), rng.randrange(2**wb)) for _ in range(500)]
        with tempfile.TemporaryDirectory() as folder:
            wrong = check(pathlib.Path(folder), case, values)
        print(f"  {wa} x {wb} {'signed' if case[2] else 'unsigned'}: {wrong or 'ok'}")
        failed |= wrong is not None
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
