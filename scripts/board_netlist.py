#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the netlist of a board's bitstream as Verilog, for a simulation of its cells (sim/ecp5).

    board_netlist.py BUILD [--config N4]

The board is the ULX3S, by the same steps as `make fpga`, but with a serial line of 4 cycles a bit. Its pads are left out: each pin of the memory's data becomes
what the design sees, what it drives, and whether it does not (_in, _out, _off). Prints the path of the Verilog.
"""

import argparse
import itertools
import json
import pathlib
import sys

import fit
import fpga
from netlist import write_verilog

BOARD = "ulx3s"
BITS_PER_SECOND = 15_000_000


def without_pads(module):
    """The module with the fabric's side of each pad as its ports. What drives a pad is also read inside, so that it keeps a name of its own."""
    pads = {}
    free = itertools.count(1 + max(bit for wire in module["netnames"].values() for bit in wire["bits"] if isinstance(bit, int)))

    def copied(bit):
        copy = next(free)
        module["cells"][f"pad_{copy}"] = {
            "type": "$_BUF_", "parameters": {}, "port_directions": {"A": "input", "Y": "output"}, "connections": {"A": [bit], "Y": [copy]},
        }
        return copy

    for name in [name for name, cell in module["cells"].items() if cell["type"] == "TRELLIS_IO"]:
        wires = module["cells"].pop(name)["connections"]
        pads[wires["B"][0]] = {"_in": wires["O"][0], "_out": copied(wires["I"][0]), "_off": copied(wires["T"][0])}
    for name in list(module["ports"]):
        bits = module["ports"][name]["bits"]
        if bits[0] in pads:
            del module["ports"][name]
            for side, direction in (("_in", "input"), ("_out", "output"), ("_off", "output")):
                module["ports"][name + side] = {"direction": direction, "bits": [pads[bit][side] for bit in bits]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--config", default="N4", help="of fpga/configs.json (default: N4)")
    options = parser.parse_args()
    build = fit.ROOT / fit.inside(options.build)
    folder = build / "netlist" / f"{BOARD}-{options.config}"
    folder.mkdir(parents=True, exist_ok=True)
    tools = fit.Tools(native=False)
    fpga.generate(build, BOARD, options.config, folder, "--bits-per-second", str(BITS_PER_SECOND))
    netlist = fpga.synthesise(tools, folder)

    module = netlist["modules"][fpga.TOP]
    module["cells"] = {name: cell for name, cell in module["cells"].items() if cell["type"] != "$scopeinfo"}
    without_pads(module)
    module["ports"]["clk"] = module["ports"].pop("clk25")
    here = folder.relative_to(fit.ROOT)
    (folder / "cells.json").write_text(json.dumps({**netlist, "modules": {fpga.TOP: module}}))
    write_verilog(tools, here / "cells.json", here / "cells.v")
    print(folder / "cells.v")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except fit.FitError as error:
        sys.exit(f"board_netlist: {error}")
