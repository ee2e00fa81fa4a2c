#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the netlist of a configuration for ECP5 as Verilog, for simulation with the models of the device's parts in sim/ecp5.

    netlist.py FOLDER CONFIG

Run by `make netlist-sim`, which installs yosys (fpga/requirements.txt). CONFIG is one of fpga/configs.json. FOLDER gets netlist.json, made by the
same function, tools and command as what `make fit` and `make fpga` hand to nextpnr, but of tpu_top alone, so that its ports stay; and the same cells
as netlist.v.
"""

import argparse
import json
import pathlib
import sys

import fit


def write_verilog(tools, netlist, verilog):
    """A netlist in yosys' JSON as Verilog. Each bit of a bus is a net of its own there: where bits of a bus depend on each other, as in adders, Verilator
    would find loops."""
    tools.run(tools.yosys, ["-p", f"read_json {netlist}; splitnets; write_verilog -noattr {verilog}"], verilog.with_name("verilog.log"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    configs = json.loads((fit.ROOT / "fpga/configs.json").read_text())["configurations"]
    parser.add_argument("config", choices=configs)
    options = parser.parse_args()
    here = fit.inside(options.folder)
    (fit.ROOT / here).mkdir(parents=True, exist_ok=True)
    tools, netlist = fit.Tools(native=False), here / "netlist.json"

    parameters = "".join(f"chparam -set {name} {value} {fit.TOP}; " for name, value in configs[options.config].items())
    synthesis = fit.SYNTHESIS["ecp5"].format(top=fit.TOP, netlist=netlist)
    script = f"read_verilog -Irtl/include {' '.join(fit.sources())}; {parameters}hierarchy -check -top {fit.TOP}; {synthesis}"
    fit.make_netlist(tools, script, fit.sources(), netlist)
    write_verilog(tools, netlist, here / "netlist.v")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except fit.FitError as error:
        sys.exit(f"netlist: {error}")
