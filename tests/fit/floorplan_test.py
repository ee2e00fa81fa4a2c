#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks scripts/fit_floorplan.py: each multiplier has a place of its own, in the slice of its column or lane."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import fit_floorplan

N = 8
OTHER = "u_fit.u_host.product_q_TRELLIS_FF_Q_DI_MULT18X18D_P0"
LANES = "u_fit.u_vector.u_lanes.g_group[{}].u_lanes"


def names(lanes_of_group, of_lane):
    array = [f"u_fit.u_matrix.u_array.g_row[{r}].g_column[{c}].u_mac.p_q_MULT18X18D_P" for r in range(N) for c in range(N)]
    lane = [f"{LANES.format(i // lanes_of_group)}.g_lane[{i % lanes_of_group}].u_map.product{k}_q_MULT18X18D_P"
            for i in range(N) for k in range(of_lane)]
    requantiser = [f"{LANES.format(group)}.u_requantize.product{k}_q_MULT18X18D_P" for group in range(N // lanes_of_group) for k in range(4)]
    return array, lane, requantiser


def placed(multipliers, device="85F"):
    cells = {name: {"type": "MULT18X18D", "attributes": {}} for name in multipliers} | {"logic": {"type": "LUT4", "attributes": {}}}
    count = fit_floorplan.place(cells, device)
    return count, {name: cell["attributes"]["BEL"] for name, cell in cells.items() if "BEL" in cell["attributes"]}


class FloorplanTest(unittest.TestCase):
    def test_each_in_its_slice(self):
        for lanes_of_group, of_lane in ((1, 4), (2, 6), (4, 6)):
            array, lane, requantiser = names(lanes_of_group, of_lane)
            count, places = placed(array + lane + requantiser)
            self.assertEqual(count, len(places))
            self.assertEqual(set(places), {*array, *lane, *requantiser})
            self.assertEqual(len(set(places.values())), count)
            for name, place in places.items():
                x = int(re.match(r"X(\d+)/", place)[1])
                place_in_row = [at for at, _ in fit_floorplan.PLACES["85F"]].index(x)
                along = max(s for s in range(N) if 52 * s // N <= place_in_row)
                if column := re.search(r"g_column\[(\d+)\]", name):
                    self.assertEqual(along, int(column[1]), f"{name} at {place}")
                elif own := re.search(r"g_group\[(\d+)\].*g_lane\[(\d+)\]", name):
                    self.assertEqual(along, int(own[1]) * lanes_of_group + int(own[2]), f"{name} at {place}")
                else:
                    self.assertEqual(along // lanes_of_group, int(re.search(r"g_group\[(\d+)\]", name)[1]), f"{name} at {place}")

    def test_places_exist(self):
        # The device has 156: three rows of 13 blocks of four.
        self.assertEqual(len(fit_floorplan.ROWS["85F"]) * len(fit_floorplan.PLACES["85F"]), 156)

    def test_what_finds_no_place_is_left(self):
        array, lane, requantiser = names(1, 16)
        count, places = placed(array + lane + requantiser)
        self.assertEqual(len(set(places.values())), count)
        self.assertGreater(len(array + lane + requantiser), 156)
        self.assertLess(count, 157)

    def test_others_and_other_devices_are_left(self):
        array, lane, requantiser = names(2, 6)
        self.assertNotIn(OTHER, placed([*array, OTHER])[1])
        self.assertEqual(placed(array + lane + requantiser, "25F"), (0, {}))


if __name__ == "__main__":
    unittest.main()
