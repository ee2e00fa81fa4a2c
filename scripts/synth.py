#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Synthesises the machine for two FPGA families with yosys, checks what was inferred and prints the resources by module.

Fails on a latch, on a tpu_ram_1r1w that did not become block RAM and on a tpu_mac_int8 whose multiplier is not one DSP block.
The module hierarchy is kept, so that the numbers can be told apart; a flattened design is a little smaller.

    synth.py BUILD [--config N8]                           # a configuration of fpga/configs.json
    synth.py BUILD --top MODULE [--param NAME=VALUE ...]

Writes BUILD/synth/FAMILY.json (resources of every module in the hierarchy) and BUILD/synth/FAMILY.log.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Shallower memories are cheaper in LUT RAM, and yosys decides so.
BLOCK_RAM_ROWS = 128
RESOURCES = ("LUT", "FF", "BRAM", "DSP")

# How many of each resource a cell takes. LUT RAM counts as the LUTs that it occupies, BRAM in blocks of 18 Kbit.
ECP5 = {
    "LUT4": ("LUT", 1),
    "CCU2C": ("LUT", 2),
    "TRELLIS_DPR16X4": ("LUT", 4),
    "TRELLIS_FF": ("FF", 1),
    "DP16KD": ("BRAM", 1),
    "PDPW16KD": ("BRAM", 1),
    "MULT18X18D": ("DSP", 1),
}
XC7 = {
    **{f"LUT{i}": ("LUT", 1) for i in range(1, 7)},
    **dict.fromkeys(("RAM32M", "RAM64M", "RAM128X1D"), ("LUT", 4)),
    **dict.fromkeys(("RAM32X1D", "RAM64X1D"), ("LUT", 2)),
    **dict.fromkeys(("SRL16E", "SRLC32E"), ("LUT", 1)),
    **dict.fromkeys(("FDRE", "FDSE", "FDCE", "FDPE"), ("FF", 1)),
    "RAMB18E1": ("BRAM", 1),
    "RAMB36E1": ("BRAM", 2),
    "DSP48E1": ("DSP", 1),
}
FAMILIES = {
    "ecp5": ("synth_ecp5 -noflatten", ECP5),
    "xc7": ("synth_xilinx -family xc7", XC7),
}


class SynthError(Exception):
    pass


def base_name(module):
    """tpu_fifo for `\\tpu_fifo`, `$paramod\\tpu_fifo\\WIDTH=...` and `$paramod$0123\\tpu_fifo`."""
    return module.split("\\")[1] if "\\" in module else module


def synthesise(build, family, top, parameters):
    """Runs yosys; returns the memories' rows by module and the cell counts by module."""
    command = FAMILIES[family][0]
    folder = build / "synth"
    folder.mkdir(parents=True, exist_ok=True)
    lines = (ROOT / "rtl/files.f").read_text().splitlines()
    files = " ".join(line for line in map(str.strip, lines) if line.endswith(".v"))
    # Not `hierarchy -chparam`: yosys 0.23 then stops at an assertion of its own for some modules.
    chosen = "".join(f"chparam -set {k} {v} {top}; " for k, v in parameters.items())
    memories, cells = folder / f"{family}_memories.txt", folder / f"{family}_cells.json"
    script = (
        f"read_verilog -Irtl/include {files}; {chosen}hierarchy -check -top {top}; proc; "
        f"select -assert-none t:$dlatch; tee -q -o {memories} dump -m m:*; "
        f"{command} -top {top}; check -assert; tee -q -o {cells} stat -json"
    )
    log = folder / f"{family}.log"
    done = subprocess.run(["yosys", "-q", "-l", log, "-p", script], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SynthError(f"{family}: yosys failed (see {log}):\n{(done.stdout + done.stderr)[-2000:]}")
    return read_memories(memories), read_cells(cells)


def read_memories(path):
    """Rows of each module's memory, from `dump -m m:*`."""
    rows, module = {}, None
    for line in path.read_text().splitlines():
        words = line.split()
        if words[:1] == ["module"]:
            module = words[1]
        elif words[:1] == ["memory"]:
            rows[module] = int(words[words.index("size") + 1])
    return rows


def read_cells(path):
    """Cell counts by module from `stat -json`, behind whose modules yosys 0.23 writes plain text."""
    modules, _, _ = path.read_text().partition("\n   },\n")
    stats = json.loads(modules + "}}")["modules"]
    # Modules without parameters are called `\\name` as modules, `name` as cells.
    return {name.removeprefix("\\"): module["num_cells_by_type"] for name, module in stats.items()}


def own_resources(cells, costs):
    total = collections.Counter()
    for cell, count in cells.items():
        if cell in costs:
            resource, amount = costs[cell]
            total[resource] += amount * count
    return total


def tree(modules, costs, module, instances=1):
    """The hierarchy below a module: equal modules under one parent are one node, resources are of all instances."""
    node = {"module": base_name(module), "instances": instances, "children": []}
    own = own_resources(modules[module], costs)
    total = collections.Counter({k: v * instances for k, v in own.items()})
    below = collections.defaultdict(list)
    for cell, count in modules[module].items():
        if cell in modules:
            below[base_name(cell)].append(tree(modules, costs, cell, count * instances))
    for same in below.values():
        child = merge(same)
        node["children"].append(child)
        total.update({k: child[k] for k in RESOURCES})
    node.update({k: total[k] for k in RESOURCES})
    return node


def merge(nodes):
    """Several parametrisations of one module under one parent as one node."""
    merged = {"module": nodes[0]["module"], "instances": sum(n["instances"] for n in nodes)}
    merged.update({k: sum(n[k] for n in nodes) for k in RESOURCES})
    below = collections.defaultdict(list)
    for node in nodes:
        for child in node["children"]:
            below[child["module"]].append(child)
    merged["children"] = [merge(same) for same in below.values()]
    return merged


def check(family, costs, memory_rows, modules):
    """Messages about what was inferred wrongly."""
    for module, cells in modules.items():
        name = base_name(module)
        own = own_resources(cells, costs)
        if any(cell in ("LDCE", "LDPE", "$_DLATCH_P_", "$_DLATCH_N_") for cell in cells):
            yield f"{family}: {name} has a latch"
        rows = memory_rows.get(module, 0)
        if name == "tpu_ram_1r1w" and rows >= BLOCK_RAM_ROWS and (not own["BRAM"] or own["FF"] or own["LUT"]):
            yield f"{family}: a tpu_ram_1r1w of {rows} rows is not pure block RAM but {dict(cells)}"
        if name == "tpu_mac_int8" and own["DSP"] != 1:
            yield f"{family}: tpu_mac_int8 has {own['DSP']} DSP blocks instead of one: {dict(cells)}"


def print_tree(node, depth=0):
    count = f" x{node['instances']}" if node["instances"] > 1 else ""
    name = "  " * depth + node["module"] + count
    print(f"  {name:40}" + "".join(f"{node[k]:9,}" for k in RESOURCES))
    for child in sorted(node["children"], key=lambda c: (-c["LUT"], c["module"])):
        print_tree(child, depth + 1)


def run(build, family, top, parameters):
    costs = FAMILIES[family][1]
    memory_rows, modules = synthesise(build, family, top, parameters)
    result = {"family": family, "parameters": parameters, **tree(modules, costs, top)}
    (build / "synth" / f"{family}.json").write_text(json.dumps(result, indent=1) + "\n")
    return result, list(check(family, costs, memory_rows, modules))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--config", default="N8", help="of fpga/configs.json (default: N8)")
    parser.add_argument("--top", default="tpu_top")
    parser.add_argument("--param", action="append", metavar="NAME=VALUE", help="instead of the configuration's")
    options = parser.parse_args()
    configurations = json.loads((ROOT / "fpga/configs.json").read_text())["configurations"]
    if options.config not in configurations:
        raise SynthError(f"there is no configuration {options.config}; fpga/configs.json has {', '.join(configurations)}")
    parameters = configurations[options.config]
    if options.param or options.top != "tpu_top":
        parameters = dict(p.split("=") for p in options.param or [])

    complaints = []
    with concurrent.futures.ThreadPoolExecutor() as pool:
        jobs = [pool.submit(run, options.build.resolve(), f, options.top, parameters) for f in FAMILIES]
        for job in jobs:
            result, messages = job.result()
            shown = " ".join(f"{k}={v}" for k, v in parameters.items())
            print(f"\n{result['family']}: {options.top} {shown}")
            print(f"  {'module':40}" + "".join(f"{k:>9}" for k in RESOURCES))
            print_tree(result)
            complaints += messages
    print()
    print("\n".join(complaints) or "no latches; block RAM and multipliers as intended")
    return 1 if complaints else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SynthError as error:
        sys.exit(f"synth: {error}")
