#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks waveforms/ against the RTL: every signal of a view exists, and every filter names the values as the RTL does. Checks that
`make wave` finds the first instruction of a recording, where it lets the view begin.

GTKWave drops a signal that it does not find without a word. With an FST recording (and fst2vcd, which comes with
GTKWave) the names are compared with the recording, widths included; without one, with the Verilog text.

    waveforms_test.py [RECORDING.fst]
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import wave_view  # noqa: E402

WAVEFORMS = ROOT / "waveforms"
ISA = "rtl/include/tpu_isa.vh"
# `starts` is above zero at 30 for the first time; another signal of that name is not the machine's.
DUMP = """$scope module TOP $end
$scope module tpu_top $end
$var wire 5 ! starts [4:0] $end
$var wire 1 # clk $end
$scope module u_other $end
$var wire 5 $ starts [4:0] $end
$upscope $end
$upscope $end
$upscope $end
$enddefinitions $end
#10
b00000 !
b00001 $
1#
#20
0#
#30
b00100 !
#40
b00001 !
"""
# Where each filter's names come from: a file and a pattern giving name and value. The others are one-hot or
# numbers of docs/architecture.md, checked by eye.
SOURCES = {
    "opcode": (ISA, r"`define TPU_OP_(\w+) +\d+'h(\w+)"),
    "unit": (ISA, r"`define TPU_UNIT_(\w+) +\d+'d(\d+)"),
    "error": (ISA, r"`define TPU_ERR_(\w+) +\d+'d(\d+)"),
    "load_destination": (ISA, r"`define TPU_LOAD_DESTINATION_(\w+) +\d+'d(\d+)"),
    "vector_map": (ISA, r"`define TPU_VECTOR_MAP_(\w+) +\d+'d(\d+)"),
    "vector_requant": (ISA, r"`define TPU_VECTOR_REQUANT_(\w+) +\d+'d(\d+)"),
    "run_state": ("rtl/host/tpu_run_control.v", r"localparam \[\d:0\] ST_(\w+) *= \d'd(\d+)"),
}


def view_signals(text):
    """Full names in a .gtkw file, with their ranges."""
    for line in text.splitlines():
        if line.startswith("#{"):
            yield line.split("(")[1].split(")")[1].strip()
        elif re.match(r"\w+\.", line):
            yield line


def check_filters(view):
    used = set(re.findall(r"^\^1 (.*)$", view, re.MULTILINE))
    there = {str(p.relative_to(ROOT)) for p in (WAVEFORMS / "filters").glob("*.txt")}
    for name in sorted(used - there):
        yield f"{name}: no such filter"
    for name in sorted(there - used):
        yield f"{name}: no view uses this filter"
    for name, (source, pattern) in SOURCES.items():
        lines = (WAVEFORMS / f"filters/{name}.txt").read_text().split("\n")
        given = {(label.lower(), int(value, 16)) for value, label in (line.split() for line in lines if line)}
        base = 16 if "'h" in pattern else 10
        wanted = {(label.lower(), int(value, base)) for label, value in re.findall(pattern, (ROOT / source).read_text())}
        if not wanted:
            yield f"{source}: nothing matches {pattern}"
        if given != wanted:
            yield f"waveforms/filters/{name}.txt: {source} has {sorted(wanted ^ given)} differently"


def read_modules():
    """Each module's text without comments."""
    return {p.stem: re.sub(r"//.*", "", p.read_text()) for p in (ROOT / "rtl").rglob("*.v")}


def missing_in_rtl(signal, modules):
    """What of a signal's path the Verilog does not have, or None."""
    path = re.sub(r"\[\d+:\d+\]$", "", signal).split(".")
    if path[0] != "TOP" or path[1] not in modules:
        return path[1]
    text = modules[path[1]]
    for scope in path[2:-1]:
        scope = re.sub(r"\[\d+\]", "", scope)
        if scope.startswith("g_"):
            if not re.search(rf"begin *: *{scope}\b", text):
                return scope
            continue
        instance = re.search(rf"\b(tpu_\w+)\s+(?:#\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*)?{scope}\s*\(", text)
        if not instance:
            return scope
        text = modules[instance.group(1)]
    return None if re.search(rf"\b(?:wire|reg)\s+(?:signed\s+)?(?:\[[^]]*\]\s*)?(?:\w+,\s*)*{path[-1]}\b", text) else path[-1]


def recorded_signals(recording):
    """Full names in the header of a recording."""
    names, scopes = set(), []
    with subprocess.Popen(["fst2vcd", recording], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as vcd:
        for line in vcd.stdout:
            words = line.split()
            if words[:1] == ["$scope"]:
                scopes.append(words[2])
            elif words[:1] == ["$upscope"]:
                scopes.pop()
            elif words[:1] == ["$var"]:
                names.add(".".join(scopes) + "." + "".join(words[4:-1]))
            elif words[:1] == ["$enddefinitions"]:
                break
        vcd.kill()
    return names


def check_beginning(view):
    """That the view begins at the first instruction, in made-up data and in the recording, if there is one."""
    if wave_view.first_start(DUMP.splitlines()) != 30:
        yield "scripts/wave_view.py: does not find the first start in a dump"
    if wave_view.first_start(DUMP.replace("starts", "ends").splitlines()) is not None:
        yield "scripts/wave_view.py: finds a start where no signal tells"
    lines = wave_view.begin_at(view, 1000).splitlines()
    changed = sorted(set(lines) - set(view.splitlines()))
    if [line.split()[:2] for line in changed] != [["*-5.0", "1000"], ["[timestart]", "960"]]:
        yield f"scripts/wave_view.py: gives the view other lines than those of marker and left edge: {changed}"
    if len(sys.argv) > 1 and wave_view.recorded_start(sys.argv[1]) is None:
        yield f"{sys.argv[1]}: no instruction starts, says scripts/wave_view.py"


def main():
    problems = []
    for path in sorted(WAVEFORMS.glob("*.gtkw")):
        view = path.read_text()
        signals = [*view_signals(view), wave_view.STARTS + wave_view.STARTS_RANGE]
        if len(signals) < 20:
            problems.append(f"{path.name}: only {len(signals)} signals found")
        if len(sys.argv) > 1:
            names = recorded_signals(sys.argv[1])
            problems += [f"{path.name}: {s} is not in {sys.argv[1]}" for s in signals if s not in names]
        else:
            modules = read_modules()
            found = ((s, missing_in_rtl(s, modules)) for s in signals)
            problems += [f"{path.name}: {s}: rtl/ has no {what}" for s, what in found if what]
        problems += [*check_filters(view), *check_beginning(view)]
    print("\n".join(problems) or "views and filters agree with the RTL")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
