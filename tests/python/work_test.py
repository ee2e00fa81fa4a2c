# SPDX-License-Identifier: Apache-2.0
"""Long work: other threads go on meanwhile, progress is told, signals and exceptions end it."""

import json
import os
import signal
import threading
import time

import numpy as np
import pytest

import tpu
from conftest import DIGITS
from tpu._progress import Cycles, told

# Some 300,000 cycles, which take about a second.
LONG = "matmul:512x512x256"


class Stop(Exception):
    pass


def test_bench_is_the_commands(command, tmp_path):
    command("bench", "matmul:16x16x16", "add:4x4x16", "--json", "b.json")
    expected = json.loads((tmp_path / "b.json").read_text())["workloads"]
    results = tpu.bench(["matmul:16x16x16", "add:4x4x16"])
    for ours, theirs in zip(results, expected, strict=True):
        assert {key: ours[key] for key in ("name", "count", "macs", "cycles", "counters", "passed")} == {
            key: theirs[key] for key in ("name", "count", "macs", "cycles", "counters", "passed")}
    assert list(results.to_frame()["cycles"]) == [row["cycles"] for row in expected]
    assert "matmul:16x16x16" in results._repr_html_()


def test_other_threads_go_on():
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.01):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    calls = []
    tpu.bench(LONG, check=False, progress=lambda cycles: calls.append((cycles, time.monotonic())))
    end = time.monotonic()
    done.set()
    thread.join()
    assert [cycles for cycles, _ in calls] == [100_000 * (i + 1) for i in range(len(calls))] and len(calls) >= 2
    # Between two calls of Python, too.
    between = [t for t in ticks if calls[0][1] < t < calls[1][1]]
    assert len(between) >= 3, (begin, calls, end)


def test_an_exception_of_the_progress_function_ends_the_run():

    def stop(_):
        raise Stop

    with pytest.raises(Stop):
        tpu.bench(LONG, check=False, progress=stop)


def test_a_signal_ends_the_run():
    # A shell lets what it starts in the background ignore the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            tpu.bench(LONG, check=False, progress=lambda _: os.kill(os.getpid(), signal.SIGINT))
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_line_of_progress(monkeypatch, capsys):
    times = iter([0.0, 0.5, 0.5, 2.0, 2.0, 2.1, 2.1, 4.0, 4.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(times))
    with told(True, Cycles("m")) as function:
        for cycles in (100_000, 400_000, 500_000, 800_000):
            function(cycles)
    first, second = (f"m: 0.{tenths} million cycles, 200 thousand per second" for tenths in (4, 8))
    assert capsys.readouterr().err == f"\r{first}\r{second}\r{' ' * len(first)}\r"


def test_no_progress_is_no_function():
    with told(None, Cycles("m")) as none, told(False, Cycles("m")) as neither, told(print, Cycles("m")) as function:
        assert none is None and neither is None and function is print


def test_threads_share_a_model(images):
    model = tpu.load(DIGITS)
    wrong = []

    def work(first):
        for i in range(first, 60, 4):
            y = model.run(model.inputs[0].quantize(images[0][i]), backend=("golden", "rtl")[i % 2]).output
            if not np.array_equal(y, images[1][i]):
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(first, )) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
