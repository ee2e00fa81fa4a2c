#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Moves the operands of ECP5's multipliers to the left, in a netlist that yosys wrote as JSON.

synth_ecp5 extends narrow operands of a MULT18X18D to 18 bits. Of the 36 inputs of a signed 8 x 8 multiplication, 20 are therefore copies
of the two sign bits, and the wires that lead to them end at one place, where the router runs out of wires. An operand of w bits may as well
be multiplied by 2^(18 - w): its lower inputs are then constant zeros, which take no wires, and the product lies in the upper outputs.

    align_multipliers.py NETLIST     rewrites the file, prints how many multipliers changed
"""

import json
import pathlib
import sys

OPERAND = 18
PRODUCT = 2 * OPERAND


def width(bits, signed):
    """Bits of an operand without the copies of its sign, or without the zeros above it."""
    kept = OPERAND
    if signed:
        while kept > 1 and bits[kept - 1] == bits[kept - 2]:
            kept -= 1
    else:
        while kept > 1 and bits[kept - 1] == "0":
            kept -= 1
    return kept


def align(module):
    """Rewrites the multipliers of one module of a netlist; returns the number of those that changed."""
    changed = 0
    readers = {bit for cell in module["cells"].values() for port, bits in cell["connections"].items()
               if cell["port_directions"][port] == "input" for bit in bits}
    readers |= {bit for port in module["ports"].values() if port["direction"] == "output" for bit in port["bits"]}
    for cell in module["cells"].values():
        if cell["type"] != "MULT18X18D":
            continue
        nets = cell["connections"]
        signs = nets["SIGNEDA"], nets["SIGNEDB"]
        if signs not in ((["0"], ["0"]), (["1"], ["1"])):
            continue
        operands = {name: [nets[f"{name}{i}"][0] for i in range(OPERAND)] for name in "AB"}
        product = [nets[f"P{i}"][0] for i in range(PRODUCT)]
        shift = {name: OPERAND - width(bits, signs[0] == ["1"]) for name, bits in operands.items()}
        up = shift["A"] + shift["B"]
        # Outputs above the product are copies of its sign. yosys has merged their readers with those of the sign itself.
        if up == 0 or any(bit in readers for bit in product[PRODUCT - up:]):
            continue
        for name, bits in operands.items():
            for i in range(OPERAND):
                nets[f"{name}{i}"] = ["0" if i < shift[name] else bits[i - shift[name]]]
        # Nobody reads the outputs that come from above the product.
        for i in range(PRODUCT):
            nets[f"P{i}"] = [product[i - up]]
        changed += 1
    return changed


def rewrite(path):
    """Rewrites a netlist's file; returns the number of multipliers that changed."""
    netlist = json.loads(path.read_text())
    changed = sum(align(module) for module in netlist["modules"].values())
    path.write_text(json.dumps(netlist))
    return changed


if __name__ == "__main__":
    print(f"align_multipliers: {rewrite(pathlib.Path(sys.argv[1]))} multipliers of {sys.argv[1]}")
