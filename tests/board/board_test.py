#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs networks on boards in simulation with the ordinary `tpu` command, through a serial line, without and with faults.

    board_test.py BIN [--short] [--record]

BIN has tpu and tpu_board_sim. --short leaves out all but the digits network, and boards with LiteX where there are none. MLPerf Tiny's networks come from the folder that TPU_MODELS_DIR
names (docs/testing.md, networks); without it they are skipped, by name. --record writes what they take to the ledger, fpga/boards.json.
"""

import argparse
import collections
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIGITS = ROOT / "models/digits/digits.tflite"
# Folder in TPU_MODELS_DIR, as the networks' cases are named.
NETWORKS = ["resnet8_cifar10", "kws_dscnn", "vww_mobilenetv1_96", "ad_autoencoder"]
# With LiteX and LiteDRAM around the TPU.
SOCS = ["ulx3s-N4", "ulx3s-N8-shared", "ecpix5-N4", "ecpix5-N8-shared"]
# What the memories of these boards bring at most: 16 bits at each edge of the clock, or at both of one twice as fast.
MEMORY_BYTES_A_CYCLE = {"ulx3s": 2, "ecpix5": 8}
# Of a run on a board: N = 8 takes some minutes for ResNet-8 beside other work.
TIMEOUT_SECONDS = 1800


class BoardError(Exception):
    pass


class Board:
    """A board in simulation. `faults` and `bytes` say what happened, once it has ended."""

    def __init__(self, bin_folder, folder, board, *options):
        self.link = pathlib.Path(folder) / f"board-{board}"
        self.process = subprocess.Popen(
            [bin_folder / "tpu_board_sim", "--board", board, "--link", self.link, *map(str, options)], stdout=subprocess.PIPE, text=True
        )
        self.device = self.process.stdout.readline().split()[-1]

    def end(self):
        if self.process.poll() is not None:
            raise BoardError(f"the simulated board ended by itself, with exit status {self.process.returncode}; its error is above")
        self.process.terminate()
        numbers = re.findall(r"\d+", self.process.stdout.read())
        self.process.wait()
        self.bytes, self.faults = int(numbers[0]) + int(numbers[1]), int(numbers[2])


@contextlib.contextmanager
def board_of(*args):
    board = Board(*args)
    try:
        yield board
    finally:
        board.end()


class Bench:
    def __init__(self, bin_folder, folder):
        self.bin = bin_folder
        self.folder = pathlib.Path(folder)
        self.faults = 0
        # Of networks, by board
        self.results = collections.defaultdict(dict)

    def board(self, board, *options):
        return board_of(self.bin, self.folder, board, *options)

    def command(self, board, model, *args):
        return [self.bin / "tpu", "run", model, "--device", board.device, *args]

    def run(self, board, model, *args):
        """The report of a run whose outputs are the golden model's, and those of the files that --expect names."""
        report = self.folder / "report.json"
        done = subprocess.run(
            self.command(board, model, "--report", report, *args), capture_output=True, text=True, timeout=TIMEOUT_SECONDS
        )
        if done.returncode != 0:
            raise BoardError(f"{' '.join(map(str, done.args))}: status {done.returncode}: {done.stderr.strip()}")
        return json.loads(report.read_text())

    def fails(self, board, model, message):
        """A run that must end with an error which says `message`."""
        done = subprocess.run(self.command(board, model), capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
        if done.returncode == 0 or message not in done.stderr:
            raise BoardError(f"status {done.returncode}, expected an error with '{message}': {done.stderr.strip()}")


def require(condition, message):
    if not condition:
        raise BoardError(message)


def clock_of(size):
    return 80_000_000 if size.startswith("ecpix5") else 60_000_000


def digits(bench, size):
    clock = clock_of(size)
    with bench.board(size) as board:
        first = bench.run(board, DIGITS)
        again = bench.run(board, DIGITS)
    require(first["clock_hz"] == clock, f"clock {first['clock_hz']}")
    require(first["cycles"] > 0 and abs(first["milliseconds"] - first["cycles"] / clock * 1e3) < 1e-9, "milliseconds are not those of the cycles")
    # LiteDRAM's memory is refreshed now and then, by its own clock.
    require(abs(again["cycles"] - first["cycles"]) <= (500 if size in SOCS else 0), "two runs take different cycles")
    return f"{first['cycles']} cycles, {first['milliseconds']:.3f} ms at {clock // 1_000_000} MHz"


def resident(bench, size):
    """What the board has goes over once."""
    sent = []
    for runs in (1, 2):
        with bench.board(size) as board:
            for _ in range(runs):
                bench.run(board, DIGITS)
        sent.append(board.bytes)
    second = sent[1] - sent[0]
    require(second < sent[0] / 4, f"the first run takes {sent[0]} bytes, the second one {second}")
    return f"{sent[0]} bytes on the line, {second} for the same again"


def write_npy(path, shape, values):
    """A file of int8."""
    header = f"{{'descr': '|i1', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + bytes(v % 256 for v in values))


def other_commands(bench, size):
    """bench, and eval with the golden model's classes."""
    count = 5
    inputs, labels, report = (bench.folder / name for name in ("inputs.npy", "labels.txt", "eval.json"))
    write_npy(inputs, (count, 8, 8, 1), [(i * i * 7 + i // 64 * 31) % 256 for i in range(64 * count)])
    labels.write_text("\n".join("0" * count))
    evaluation = [bench.bin / "tpu", "eval", DIGITS, "--inputs", inputs, "--labels", labels, "--report", report]

    def results(*command):
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
        require(done.returncode == 0, f"{' '.join(map(str, command))}: status {done.returncode}: {done.stderr.strip()}")
        return done.stdout, json.loads(report.read_text())

    with bench.board(size) as board:
        _, found = results(*evaluation, "--device", board.device)
        _, expected = results(*evaluation, "--backend", "golden", "--config", "N8-small")
        require(found["predicted"] == expected["predicted"], f"classes {found['predicted']}, expected {expected['predicted']}")
        require(abs(found["milliseconds"] - found["cycles"] / 60e3) < 1e-9, "milliseconds are not those of the cycles")
        text, _ = results(bench.bin / "tpu", "bench", f"model:{DIGITS}", "matmul:8x8x8", "--device", board.device)
        require(text.count("inferences a second") == 2, f"bench prints {text}")
    return f"{count} classes, {len(text.splitlines())} lines of bench"


def faulty(bench, size, one_of, seeds):
    """Lost, doubled and flipped bytes change nothing."""
    faults = 0
    for seed in range(1, seeds + 1):
        with bench.board(size, "--faults", one_of, "--seed", seed) as board:
            bench.run(board, DIGITS)
        faults += board.faults
    bench.faults += faults
    require(faults > 0, "there were no faults")
    return f"{faults} faults, {seeds} runs with the golden bytes"


def resets(bench, size, places):
    """A board that is reset under a session says so; the next run is as ever."""
    for place in places:
        with bench.board(size, "--reset-at", place) as board:
            bench.fails(board, DIGITS, "the board was reset during the session")
            bench.run(board, DIGITS)
    return f"{len(places)} places"


def deaths(bench, size, count):
    """Hosts that die at any time leave a board for the next one."""
    with bench.board(size) as board:
        for i in range(count):
            host = subprocess.Popen(bench.command(board, DIGITS), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.3 + 0.35 * i)
            host.kill()
            host.wait()
        bench.run(board, DIGITS)
    return f"{count} hosts"


def silence(bench):
    """A line without a board, and a name that is none."""
    board, other = os.openpty()
    try:
        done = subprocess.run(
            [bench.bin / "tpu", "run", DIGITS, "--device", f"uart:{os.ttyname(other)}"], capture_output=True, text=True, timeout=60
        )
        require(done.returncode == 2 and "no board answers" in done.stderr, f"status {done.returncode}: {done.stderr}")
    finally:
        os.close(board)
        os.close(other)
    for name, message in (("ttyUSB0", "names no board"), ("uart:/dev/x@fast", "no number of bits per second"), ("uart:/dev/x", "/dev/x")):
        done = subprocess.run([bench.bin / "tpu", "run", DIGITS, "--device", name], capture_output=True, text=True, timeout=60)
        require(done.returncode == 2 and message in done.stderr, f"{name}: status {done.returncode}: {done.stderr}")
    return "an error that says so"


def served(bench, size):
    """The board's line behind a TCP server, for clients that have the token."""
    with bench.board(size) as board:
        server = subprocess.Popen([bench.bin / "tpu", "serve", "--device", board.device], stdout=subprocess.PIPE, text=True)
        try:
            token, device = re.match(r"TPU_TOKEN=(\w+) .* (tcp:\S+)", server.stdout.readline()).groups()
            board.device = device
            os.environ["TPU_TOKEN"] = "0" * len(token)
            bench.fails(board, DIGITS, "did not take the token")
            os.environ["TPU_TOKEN"] = token
            report = bench.run(board, DIGITS)
            bench.run(board, DIGITS)
        finally:
            os.environ.pop("TPU_TOKEN", None)
            server.kill()
            server.wait()
    return f"{report['cycles']} cycles"


def network(bench, name, size):
    folder = os.environ.get("TPU_MODELS_DIR")
    model = pathlib.Path(folder or "/nowhere") / name / f"{name}.tflite"
    if not model.exists():
        return "skipped: TPU_MODELS_DIR has no such model"
    stem = model.with_suffix("")
    with bench.board(size) as board:
        report = bench.run(board, model, "--input", f"{stem}_input0.npy", "--expect", f"{stem}_output0.npy")
    share = report["dram_bytes"] / report["cycles"] / MEMORY_BYTES_A_CYCLE[size.split("-")[0]]
    bench.results[size][name] = {**{key: report[key] for key in ("cycles", "milliseconds", "dram_bytes")}, "memory_bandwidth": round(share, 3)}
    return f"{report['cycles']} cycles, {report['milliseconds']:.3f} ms at {clock_of(size) // 1_000_000} MHz, {share:.0%} of the memory's bandwidth"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--record", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(args.bin, folder)
        work = [
            ("no board", lambda: silence(bench)),
            ("N4: digits", lambda: digits(bench, "N4")),
            ("N4: digits, twice", lambda: resident(bench, "N4")),
            ("N4: behind a server", lambda: served(bench, "N4")),
            ("N4: eval and bench", lambda: other_commands(bench, "N4")),
            ("N4: faults on the line", lambda: faulty(bench, "N4", 3000, 1)),
            ("N4: reset in a session", lambda: resets(bench, "N4", [5_000])),
            ("N4: dying hosts", lambda: deaths(bench, "N4", 2)),
            ("N8: digits", lambda: digits(bench, "N8-shared")),
        ]
        if "ulx3s" in subprocess.run([args.bin / "tpu_board_sim", "--help"], capture_output=True, text=True).stdout:
            work += [(f"{board}: digits", lambda b=board: digits(bench, b)) for board in SOCS]
        elif not args.short:
            raise BoardError("tpu_board_sim was built without LiteX: `make board-sim` builds it with")
        if not args.short:
            work += [
                ("N4: more faults", lambda: faulty(bench, "N4", 1500, 3)),
                ("N8: faults", lambda: faulty(bench, "N8-shared", 1500, 2)),
                ("N8: resets in a session", lambda: resets(bench, "N8-shared", [100, 2_000, 12_000, 20_000])),
                ("N8: dying hosts", lambda: deaths(bench, "N8-shared", 6)),
            ]
            work += [(f"{board}: dying hosts", lambda b=board: deaths(bench, b, 3)) for board in SOCS]
            work += [(f"{board}: reset in a session", lambda b=board: resets(bench, b, [5_000])) for board in SOCS]
            work += [(f"{board}: {name}", lambda n=name, b=board: network(bench, n, b)) for name in NETWORKS for board in SOCS]
        for name, run in work:
            begin = time.monotonic()
            print(f"  {name:28} {run()}  ({time.monotonic() - begin:.0f} s)", flush=True)
        if not args.short:
            require(bench.faults >= 200, f"only {bench.faults} faults were injected")
            print(f"  {bench.faults} faults on the line in all, each without consequence")
        if args.record:
            sys.path.append(str(ROOT / "scripts"))
            import fpga
            for board, networks in bench.results.items():
                fpga.record(board, {"networks": networks})


if __name__ == "__main__":
    try:
        main()
    except BoardError as error:
        print(f"board_test: {error}", file=sys.stderr)
        sys.exit(1)
