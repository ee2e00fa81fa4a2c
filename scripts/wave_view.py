#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a GTKWave view that begins where the first instruction starts in a recording of the whole machine, with the marker there.

    wave_view.py RECORDING.fst VIEW.gtkw

Before that the host has written memory and registers and the machine has fetched its program, which takes most of a small recording.
Needs fst2vcd, which comes with GTKWave.
"""

import pathlib
import re
import subprocess
import sys

# A bit for each unit: an instruction starts.
STARTS = "TOP.tpu_top.starts"
STARTS_RANGE = "[4:0]"
# Shown before the first start: the end of the fetch.
LEAD = 40


def first_start(vcd):
    """Time at which `starts` first is above zero, from the lines of a value change dump; None: never, or there is no such signal."""
    scopes, code, time = [], None, 0
    for line in vcd:
        words = line.split()
        if words[:1] == ["$scope"]:
            scopes.append(words[2])
        elif words[:1] == ["$upscope"]:
            scopes.pop()
        elif words[:1] == ["$var"] and ".".join([*scopes, words[4]]) == STARTS:
            code = words[3]
        elif words[:1] == ["$enddefinitions"] and code is None:
            return None
        elif line.startswith("#"):
            time = int(line[1:])
        elif line.startswith("b") and words[1] == code and "1" in words[0]:
            return time
    return None


def recorded_start(recording):
    """first_start of an FST file."""
    with subprocess.Popen(["fst2vcd", recording], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        time = first_start(process.stdout)
        process.kill()
    return time


def begin_at(view, time):
    """The view with its left edge before, and its marker at, this time."""
    view = re.sub(r"^\[timestart\] \d+$", f"[timestart] {max(time - LEAD, 0)}", view, flags=re.MULTILINE)
    return re.sub(r"^(\*-?[\d.]+) \S+", rf"\1 {time}", view, flags=re.MULTILINE)


def main():
    recording, view = sys.argv[1:]
    time = recorded_start(recording)
    text = pathlib.Path(view).read_text()
    print(text if time is None else begin_at(text, time), end="")


if __name__ == "__main__":
    main()
