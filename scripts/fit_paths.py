# SPDX-License-Identifier: Apache-2.0
"""Longest paths between registers of a routed design, from the delays that nextpnr writes as SDF.

nextpnr itself reports one path, the longest. The next ones are often of the same logic, bit by bit, and what matters is which other logic
comes next.
"""

import collections
import re

INTERCONNECT = re.compile(r"\(INTERCONNECT (\S+) (\S+) \(\d+:\d+:(\d+)\)")
IOPATH = re.compile(r"\(IOPATH (\S+) (\S+) \(\d+:\d+:(\d+)\)")
SETUP = re.compile(r"\(SETUPHOLD \(posedge (\S+)\) \(\S+ \S+\) \(-?\d+:-?\d+:(-?\d+)\)")
# What the global clock buffer drives.
CLOCK_SOURCE = "/CLKO"

Path = collections.namedtuple("Path", "picoseconds routing cells")


class Timing:
    """Pins are CELL/PORT. Delays are in picoseconds, the slowest of each triple."""

    def __init__(self, sdf):
        self.before = collections.defaultdict(list)  # pin: (pin before it, delay, whether a wire)
        self.setup = {}
        self.clocks = set()
        instance = ""
        with open(sdf, encoding="utf-8") as lines:
            for raw in lines:
                line = raw.replace("\\", "")
                if found := INTERCONNECT.search(line):
                    if found[1].endswith(CLOCK_SOURCE):
                        self.clocks.add(found[2])
                    else:
                        self.before[found[2]].append((found[1], int(found[3]), True))
                elif found := IOPATH.search(line):
                    self.before[f"{instance}/{found[2]}"].append((f"{instance}/{found[1]}", int(found[3]), False))
                elif found := SETUP.search(line):
                    self.setup[f"{instance}/{found[1]}"] = int(found[2])
                elif "(INSTANCE" in line:
                    instance = line.split("(INSTANCE")[1].strip().removesuffix(")")
        self.arrival = {}

    def compute(self, end):
        """When a pin's signal arrives, None if from no register; computed without recursion, as paths are long."""
        stack = [end]
        while stack:
            pin = stack[-1]
            if pin in self.arrival:
                stack.pop()
                continue
            if pin in self.clocks:
                self.arrival[pin] = (0, None, False)
                continue
            waits = [p for p, _, _ in self.before[pin] if p not in self.arrival]
            if waits:
                stack += waits
                continue
            reached = [(self.arrival[p][0] + d, p, wire) for p, d, wire in self.before[pin] if self.arrival[p] is not None]
            self.arrival[pin] = max(reached, default=None)
        return self.arrival[end]

    def path(self, end):
        """The longest path to a pin."""
        cells, routing, pin = [], 0, end
        while pin:
            if not cells or cells[-1] != pin.rpartition("/")[0]:
                cells.append(pin.rpartition("/")[0])
            at, source, wire = self.arrival[pin]
            if wire:
                routing += at - self.arrival[source][0]
            pin = source
        return Path(self.arrival[end][0] + self.setup[end], routing, cells[::-1])

    def longest(self):
        """Paths to every register's inputs, the longest first."""
        ends = [(found[0] + setup, end) for end, setup in self.setup.items() if (found := self.compute(end)) is not None]
        for _, end in sorted(ends, reverse=True):
            yield self.path(end)
