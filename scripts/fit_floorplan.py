# SPDX-License-Identifier: Apache-2.0
"""Places the multipliers of an ECP5 netlist; nextpnr places all else around them.

The multipliers lie in a few rows across the chip, and are the only cells of the machine that cannot move with the rest. Left to nextpnr, those
of one lane end up all over the chip when most of them are used: at N = 8 their wires are then a quarter of all, and routing does not end. Here
the chip is cut into as many upright slices as the array has columns. A slice takes one column of the array, and the lane that drains it:

    bottom row      the column's first rows
    middle row      its last two rows; the lane's requantiser, or its share of one
    top row         the rest of the lane
"""

import collections
import re

# Rows of multipliers from the top, their places along a row, and what nextpnr calls them.
ROWS = {"85F": [10, 34, 58]}
PLACES = {"85F": [(block + place, place) for block in (*range(4, 60, 9), *range(69, 116, 9)) for place in (0, 1, 4, 5)]}
CELL = "MULT18X18D"
ELEMENT = re.compile(r"\.g_row\[(\d+)\]\.g_column\[(\d+)\]")
LANE = re.compile(r"\.g_group\[(\d+)\]\.[^[]*\.g_lane\[(\d+)\]")
GROUP = re.compile(r"\.g_group\[(\d+)\]")
# Of a column, in the middle row
LAST_ROWS = 2


def slices(names):
    """{slice: (the column's multipliers, the requantiser's, the others of the lane)}."""
    found = collections.defaultdict(lambda: ([], [], []))
    lanes = 1 + max((int(lane[2]) for name in names if (lane := LANE.search(name))), default=0)
    shared = collections.defaultdict(list)
    for name in sorted(names):
        if element := ELEMENT.search(name):
            found[int(element[2])][0].append((int(element[1]), name))
        elif lane := LANE.search(name):
            found[int(lane[1]) * lanes + int(lane[2])][2].append((0, name))
        elif group := GROUP.search(name):
            shared[int(group[1])].append(name)
    for group, requantiser in shared.items():
        for i, name in enumerate(requantiser):
            found[group * lanes + i * lanes // len(requantiser)][1].append((0, name))
    return {index: tuple([name for _, name in sorted(part)] for part in parts) for index, parts in found.items()}


def place(cells, device):
    """Gives the multipliers among the cells ({name: cell} of yosys' JSON) their places. Returns how many got one: where a row of a slice is full,
    the next one takes the rest; what is left then is nextpnr's to place, and so are all on a device that this module does not know."""
    if device not in ROWS:
        return 0
    parts = slices([name for name, cell in cells.items() if cell["type"] == CELL])
    placed = 0
    for number, (column, requantiser, lane) in sorted(parts.items()):
        first, last = (len(PLACES[device]) * (number + i) // len(parts) for i in (0, 1))
        free = [[f"X{x}/Y{y}/MULT18_{place}" for x, place in PLACES[device][first:last]] for y in ROWS[device]]
        top, middle, bottom = free
        wishes = [(column[-LAST_ROWS:], (middle, bottom)), (column[:-LAST_ROWS], (bottom, middle)), (requantiser, (middle, top)),
                  (lane, (top, middle))]
        for names, rows in wishes:
            for name in names:
                if row := next((row for row in (*rows, *free) if row), None):
                    cells[name]["attributes"]["BEL"] = row.pop(0)
                    placed += 1
    return placed
