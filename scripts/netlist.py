#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the netlist of a configuration for ECP5 as Verilog, for simulation with the models of the device's parts in sim/ecp5.

    netlist.py FOLDER CONFIG

Run by `make netlist-sim`, which installs yosys (fpga/requirements.txt). CONFIG is one of fpga/configs.json. FOLDER gets netlist.json, made by the
same function, tools and command as what `make fit` and `make fpga` hand to nextpnr, but of tpu_top alone, so that its ports stay; and the same cells
as netlist.v. Each bit of a bus is a net of its own there: where the bits of a bus depend on each other, as in adders, Verilator would find loops.
"""

import argparse
import json
import pathlib
import sys

import fit


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    configs = json.loads((fit.ROOT / "fpga/configs.json").read_text())["configurations"]
    parser.add_argument("config", choices=configs)
    options = parser.parse_args()
    folder = options.folder.resolve()
    if fit.ROOT not in folder.parents:
        raise fit.FitError(f"the folder {folder} has to be inside {fit.ROOT}, as the WebAssembly tools see no other files")
    folder.mkdir(parents=True, exist_ok=True)
    here = folder.relative_to(fit.ROOT)
    tools, netlist = fit.Tools(native=False), here / "netlist.json"

    parameters = "".join(f"chparam -set {name} {value} {fit.TOP}; " for name, value in configs[options.config].items())
    synthesis = fit.SYNTHESIS["ecp5"].format(top=fit.TOP, netlist=netlist)
    script = f"read_verilog -Irtl/include {' '.join(fit.sources())}; {parameters}hierarchy -check -top {fit.TOP}; {synthesis}"
    fit.make_netlist(tools, script, fit.sources(), netlist)
    tools.run(tools.yosys, ["-p", f"read_json {netlist}; splitnets; write_verilog -noattr {here / 'netlist.v'}"], here / "verilog.log")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except fit.FitError as error:
        sys.exit(f"netlist: {error}")
