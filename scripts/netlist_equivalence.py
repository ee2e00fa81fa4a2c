#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves that yosys' netlist of each module of a machine for ECP5 does what the module's RTL does.

    netlist_equivalence.py FOLDER CONFIG [MODULE...] [--seconds 10] [--break COMMAND]

Run by `make equivalence`. Each module of CONFIG (fpga/configs.json) is taken with the parameters that it has in that machine. Modules in it are
left out: what goes into them must be equal, what comes out of them is anything. The pinned yosys makes one circuit of the module's RTL and of the
netlist that the command of `make fit` gives, with the models of sim/ecp5. berkeley-abc proves that no output ever differs, for any inputs in
any number of cycles, from power-on with zeros everywhere. In modules with a reset, differences count from the first reset on: yosys takes a
register that is only ever given one value for a constant, which the register is not before its first cycle.

Ends of a module: "proved", "differs" (abc knows inputs that tell the two apart) or "open" (no proof in time). Exit status 1: some differ. Memories in
block RAM are not tried.

FOLDER, inside the repository, keeps results.json and the last circuit. MODULE, a name of rtl/: that one alone. --break changes each netlist by a
command of yosys, to see the proofs fail: --break 'setparam -set REGSET "SET" t:TRELLIS_FF'.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import time

import fit
import miter

MODELS = fit.ROOT / "sim/ecp5"
PARTS = ["LUT4", "PFUMX", "L6MUX21", "CCU2C", "TRELLIS_FF", "TRELLIS_DPR16X4", "MULT18X18D"]
# In block RAM: a circuit of so many registers is none that abc looks at.
LEFT_OUT = ["tpu_ram_1r1w"]

READ = "read_verilog -Irtl/include {files}; {parameters}hierarchy -check -top {top}"
ELABORATE = f"{READ}; write_rtlil {{here}}/all.il; proc; write_json {{here}}/all.json"
SIDES = """read_rtlil {work}/all.il
rename {module} unit
hierarchy -top unit
blackbox * unit %d
expose -evert unit/t:*tpu_*
hierarchy -top unit
design -save unit

proc
{gates}
rename unit gold
design -stash gold

design -load unit
{synthesis}
design -reset
read_json {work}/netlist.json
delete =* unit %d
delete t:$scopeinfo
{broken}
read_verilog {models}
hierarchy -top unit
proc
flatten
{gates}
rename unit gate
design -stash gate

design -copy-from gold -as gold gold
design -copy-from gate -as gate gate
miter -equiv -flatten gold gate miter
hierarchy -top miter
setundef -init -zero
write_rtlil {work}/miter.il
"""
AIGER = "read_rtlil {work}/miter.il; hierarchy -top miter; techmap; aigmap; opt_clean; write_aiger -I -B -zinit {work}/miter.aig"
# In RTLIL: the difference counts behind the first cycle with a reset.
ARMED = """\
  attribute \\init 1'0
  wire \\armed
  wire \\arming
  wire output {number} \\difference
  cell $or \\arm
    parameter \\A_SIGNED 0
    parameter \\B_SIGNED 0
    parameter \\A_WIDTH 1
    parameter \\B_WIDTH 1
    parameter \\Y_WIDTH 1
    connect \\A \\armed
    connect \\B \\in_rst
    connect \\Y \\arming
  end
  cell $dff \\keep
    parameter \\CLK_POLARITY 1
    parameter \\WIDTH 1
    connect \\CLK \\in_clk
    connect \\D \\arming
    connect \\Q \\armed
  end
  cell $and \\look
    parameter \\A_SIGNED 0
    parameter \\B_SIGNED 0
    parameter \\A_WIDTH 1
    parameter \\B_WIDTH 1
    parameter \\Y_WIDTH 1
    connect \\A \\armed
    connect \\B \\trigger
    connect \\Y \\difference
  end
"""


class Prover:
    def __init__(self, tools, folder, seconds, broken):
        self.tools, self.folder, self.seconds, self.broken = tools, folder, seconds, broken
        (fit.ROOT / folder).mkdir(parents=True, exist_ok=True)

    def yosys(self, script, name):
        (fit.ROOT / self.folder / f"{name}.ys").write_text(script.replace("; ", "\n"))
        self.tools.run(self.tools.yosys, ["-s", self.folder / f"{name}.ys"], self.folder / f"{name}.log")

    def elaborate(self, parameters):
        """The machine's modules by their names in RTLIL, as yosys' JSON describes them."""
        settings = "".join(f"chparam -set {name} {value} {fit.TOP}; " for name, value in parameters.items())
        self.yosys(ELABORATE.format(files=" ".join(fit.sources()), parameters=settings, top=fit.TOP, here=self.folder), "all")
        return json.loads((fit.ROOT / self.folder / "all.json").read_text())["modules"]

    def prove(self, module):
        models = " ".join(str((MODELS / f"{part}.v").relative_to(fit.ROOT)) for part in PARTS)
        synthesis = fit.SYNTHESIS["ecp5"].format(top="unit", netlist=self.folder / "netlist.json")
        self.yosys(SIDES.format(module=module, gates=miter.GATES, work=self.folder, models=models, synthesis=synthesis, broken=self.broken), "sides")
        circuit = fit.ROOT / self.folder / "miter.il"
        circuit.write_text(armed(circuit.read_text()))
        self.yosys(AIGER.format(work=self.folder), "aiger")
        command = f"read_aiger miter.aig; {miter.ENGINE.format(seconds=self.seconds)}"
        try:
            done = subprocess.run(
                ["berkeley-abc", "-c", command], cwd=fit.ROOT / self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                timeout=6 * self.seconds, check=False,
            )
        except subprocess.TimeoutExpired:
            return "open"
        (fit.ROOT / self.folder / "abc.log").write_text(done.stdout + done.stderr)
        if "Property proved" in done.stdout:
            return "proved"
        return "differs" if "was asserted in frame" in done.stdout else "open"


def armed(circuit):
    """The circuit in RTLIL, whose difference counts from the first reset on, if there is a reset."""
    output = re.search(r"wire output (\d+) \\trigger\n", circuit)
    if not re.search(r"wire input \d+ \\in_rst\n", circuit):
        return circuit
    return circuit[: output.start()] + "wire \\trigger\n" + ARMED.format(number=output[1]) + circuit[output.end() :]


def plain(name):
    """A module's name in rtl/."""
    return re.search(r"tpu_\w+", name)[0]


def registers(module):
    return sum(len(cell["connections"]["Q"]) for cell in module["cells"].values() if "Q" in cell["connections"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    configs = json.loads((fit.ROOT / "fpga/configs.json").read_text())["configurations"]
    parser.add_argument("config", choices=configs)
    parser.add_argument("module", nargs="*", help="names of rtl/ (default: all)")
    parser.add_argument("--seconds", type=int, default=10, help="that abc looks for an invariant (default: 10)")
    parser.add_argument("--break", dest="broken", default="", metavar="COMMAND", help="of yosys, which changes each netlist")
    options = parser.parse_args()
    here = fit.inside(options.folder)
    folder = fit.ROOT / here
    prover = Prover(fit.Tools(native=False), here, options.seconds, options.broken)
    modules = prover.elaborate(configs[options.config])
    chosen = [name for name in modules if plain(name) not in LEFT_OUT and (not options.module or plain(name) in options.module)]
    results = []
    for name in sorted(chosen, key=lambda name: registers(modules[name])):
        start = time.monotonic()
        end = prover.prove(name)
        results.append({"module": plain(name), "registers": registers(modules[name]), "end": end, "seconds": round(time.monotonic() - start)})
        print("{module:24}{registers:6} flip-flops  {end:8}{seconds:5} s".format(**results[-1]), flush=True)
        (folder / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    ends = [result["end"] for result in results]
    counts = ", ".join(f"{ends.count(end)} {end}" for end in ("proved", "open", "differs"))
    print(f"{options.config}: {len(ends)} modules with their parameters, {counts}")
    return 1 if "differs" in ends else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except fit.FitError as error:
        sys.exit(f"netlist_equivalence: {error}")
