#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the digits network on a board's netlist in simulation, whose registers and memories start with random values.

    netlist_test.py BIN [--seeds 1,2,3]

BIN has tpu, and tpu_board_sim with the netlist (`make netlist-sim`). Outputs must be the golden model's.
"""

import argparse
import pathlib
import sys
import tempfile
import time

from board_test import DIGITS, Bench, BoardError


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--seeds", default="1,2,3", help="of the values that registers and memories start with (default: 1,2,3)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(args.bin, folder)
        for seed in args.seeds.split(","):
            begin = time.monotonic()
            with bench.board("netlist", "--seed", seed) as board:
                report = bench.run(board, DIGITS)
            print(f"  netlist: digits, seed {seed}    the golden bytes, {report['cycles']} cycles  ({time.monotonic() - begin:.0f} s)", flush=True)


if __name__ == "__main__":
    try:
        main()
    except BoardError as error:
        print(f"netlist_test: {error}", file=sys.stderr)
        sys.exit(1)
