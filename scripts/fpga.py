#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the bitstream of a board: LiteX around the RTL, synthesis, place and route, packing.

    fpga.py BUILD BOARD [--config N8-shared] [--seeds 1,2,3,4] [--placer static] [--record]

Run by `make fpga`, which installs LiteX (BUILD/board-env) and the tools (BUILD/fit-env). Everything is kept in BUILD/fpga/BOARD-CONFIG: the
bitstream BOARD.bit, and result.json with resources and clocks, which --record writes to fpga/boards.json. Seeds of placement are
tried in turn until all clocks of the board are reached; there is no bitstream where none does it. A netlist is made
again only when the RTL, the board or yosys changed.

No open tool is used for the Arty's device (Xilinx 7): BOARD arty ends with the project for Vivado, board_soc.tcl, whose Verilog yosys has elaborated
with the vendor's parts.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import fit
import fit_floorplan

# What fpga/board_soc.py calls the top module
TOP = "board_soc"
LEDGER = fit.ROOT / "fpga" / "boards.json"
# Boards of which the vendor's project is all that is made
PROJECTS = ["arty"]
DEVICE = re.compile(r"LFE5(?P<family>U|UM|UM5G)-(?P<size>\d+)F-(?P<speed>\d)BG(?P<pins>\d+)\w?")


def generate(build, board, config, folder, *options):
    """Writes the board's Verilog and pins; returns what board_soc.py says of the board."""
    python = build / "board-env/bin/python"
    command = [python, fit.ROOT / "fpga/board_soc.py", board, config, folder, *options]
    # LiteX writes some parts in the order of a set: the same one each time gives the same netlist.
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONHASHSEED": "0"})
    if done.returncode:
        raise fit.FitError(f"fpga/board_soc.py failed:\n{done.stdout}{done.stderr}")
    return json.loads((folder / "board.json").read_text())


def synthesise(tools, folder):
    """The netlist, netlist.json in the folder."""
    here = folder.relative_to(fit.ROOT)
    netlist = here / "netlist.json"
    files = [*fit.sources(), here / f"{TOP}.v"]
    script = f"read_verilog -defer -Irtl/include {' '.join(map(str, files))}; {fit.SYNTHESIS['ecp5'].format(top=TOP, netlist=netlist)}"
    fit.make_netlist(tools, script, files, netlist)
    return json.loads((fit.ROOT / netlist).read_text())


def check_project(tools, folder, device):
    """Fails unless the project for Vivado is about the device, its files are there, and its modules, the vendor's among them, fit together."""
    here = folder.relative_to(fit.ROOT)
    project = (folder / f"{TOP}.tcl").read_text()
    sources = [pathlib.Path(name) for name in re.findall(r"^read_verilog \{(.*)\}$", project, re.MULTILINE)]
    missing = [str(path) for path in [*sources, folder / f"{TOP}.xdc"] if not path.exists()]
    missing += [name for name in (f"-part {device}", f"read_xdc {TOP}.xdc", "rtl/tpu_top.v", f"{TOP}.v") if name not in project]
    if missing:
        raise fit.FitError(f"{here}/{TOP}.tcl: {', '.join(missing)} missing")
    files = " ".join(str(path.relative_to(fit.ROOT)) for path in sources)
    vendor = "read_verilog -lib +/xilinx/cells_sim.v +/xilinx/cells_xtra.v"
    script = f"{vendor}; read_verilog -defer -Irtl/include {files}; hierarchy -check -top {TOP}; proc; check -assert"
    tools.run(tools.yosys, ["-p", script], here / "check.log")


def device_options(device):
    """nextpnr's options for a device by its vendor's name."""
    found = DEVICE.fullmatch(device)
    if not found:
        raise fit.FitError(f"device {device} is none that is known here: LFE5U-85F-6BG381C")
    family = {"U": "", "UM": "um-", "UM5G": "um5g-"}[found["family"]]
    return [f"--{family}{found['size']}k", "--speed", found["speed"], "--package", f"CABGA{found['pins']}"], f"{found['size']}F"


def place_and_route(tools, folder, netlist, board, seed, placer):
    """Writes board.config; returns resources and clocks."""
    here = folder.relative_to(fit.ROOT)
    options, size = device_options(board["device"])
    fit_floorplan.place(netlist["modules"][TOP]["cells"], size)
    (folder / "placed.json").write_text(json.dumps(netlist))
    fit.say(f"nextpnr {tools.version(tools.nextpnr)} for {board['device']}, seed {seed}, log in {here / 'nextpnr.log'}")
    resources = fit.run_nextpnr(tools, folder.name, board["device"], [
        *options, *fit.PLACERS[placer], "--router", "router2", "--seed", seed, "--freq", board["clock_hz"] / 1e6,
        "--json", here / "placed.json", "--lpf", here / f"{TOP}.lpf", "--textcfg", here / "board.config", "--report", here / "report.json",
        # The clocks are compared here, so that they are shown when they are missed.
        "--timing-allow-fail",
    ], here / "nextpnr.log")
    report = json.loads((folder / "report.json").read_text())
    clocks = {net: {"MHz": round(clock["achieved"], 1), "wanted": round(clock["constraint"], 1)} for net, clock in report["fmax"].items()}
    return {"resources": resources, "clocks": clocks}


def missed(clocks, clock_hz):
    """Why the board's clocks are not reached, or an empty text."""
    slow = [f"{net} reaches {clock['MHz']} of {clock['wanted']} MHz" for net, clock in clocks.items() if clock["MHz"] < clock["wanted"]]
    if not any(abs(clock["wanted"] * 1e6 - clock_hz) < 1e5 for clock in clocks.values()):
        slow.append(f"nextpnr knows no clock of {clock_hz / 1e6:g} MHz")
    return "; ".join(slow)


def pack(tools, folder, board):
    """Writes the bitstream; returns its path."""
    here = folder.relative_to(fit.ROOT)
    bitstream = here / f"{board}.bit"
    command = [tools.program("yowasp-ecppack"), "--compress", "--input", here / "board.config", "--bit", bitstream]
    done = subprocess.run(command, cwd=fit.ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise fit.FitError(f"ecppack failed: {done.stdout}{done.stderr}")
    return bitstream


def record(name, values):
    """Adds values to the ledger's entry of a board with a configuration."""
    entries = json.loads(LEDGER.read_text()) if LEDGER.exists() else {}
    entries[name] = entries.get(name, {}) | values
    LEDGER.write_text(json.dumps(entries, indent=1, sort_keys=True) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    configs = json.loads((fit.ROOT / "fpga/configs.json").read_text())["configurations"]
    parser.add_argument("board", choices=["ulx3s", "ecpix5", *PROJECTS])
    parser.add_argument("--config", choices=configs, default="N8-shared", help="of fpga/configs.json (default: N8-shared)")
    parser.add_argument("--seeds", default="1,2,3,4", help="of placement, tried until the clocks are reached (default: 1,2,3,4)")
    parser.add_argument("--placer", choices=fit.PLACERS, default="static", help="of nextpnr (default: static)")
    parser.add_argument("--record", action="store_true", help="write the result to fpga/boards.json if its clocks are reached")
    options = parser.parse_args()
    build = fit.ROOT / fit.inside(options.build)
    if not re.fullmatch(r"\d+(,\d+)*", options.seeds):
        raise fit.FitError(f"--seeds {options.seeds} is no list of numbers: 1,2,3")
    start = time.monotonic()
    tools = fit.Tools(native=False)
    folder = build / "fpga" / f"{options.board}-{options.config}"
    folder.mkdir(parents=True, exist_ok=True)
    # An older one says nothing about this run.
    (folder / f"{options.board}.bit").unlink(missing_ok=True)
    board = generate(build, options.board, options.config, folder)
    if options.board in PROJECTS:
        check_project(tools, folder, board["device"])
        fit.say(f"{folder.relative_to(fit.ROOT)}/{TOP}.tcl for {board['device']}; there: vivado -mode batch -source {TOP}.tcl. No such run was made yet")
        return 0
    netlist = synthesise(tools, folder)
    for seed in options.seeds.split(","):
        result = {
            **board, "board": options.board, "config": options.config, "seed": int(seed), "placer": options.placer,
            "tools": [f"yosys {tools.version(tools.yosys)}", f"nextpnr {tools.version(tools.nextpnr)}"],
            **place_and_route(tools, folder, netlist, board, seed, options.placer),
        }
        (folder / "result.json").write_text(json.dumps(result, indent=1) + "\n")
        print(f"\n{options.board} with {options.config}, {board['device']}, seed {seed}")
        fit.print_utilisation(result["resources"])
        for net, clock in result["clocks"].items():
            print(f"  {clock['MHz']:6.1f} MHz of {clock['wanted']:6.1f}  {net}", flush=True)
        why = missed(result["clocks"], board["clock_hz"])
        if not why:
            break
    else:
        raise fit.FitError(f"no bitstream: {why}. Other --seeds or another --placer may do; {folder.relative_to(fit.ROOT)}/nextpnr.log has the path")
    if options.record:
        record(f"{options.board}-{options.config}", {"bitstream": result})
    fit.say(f"{pack(tools, folder, options.board)} after {time.monotonic() - start:.0f} s")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except fit.FitError as error:
        sys.exit(f"fpga: {error}")
