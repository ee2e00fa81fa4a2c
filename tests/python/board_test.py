# SPDX-License-Identifier: Apache-2.0
"""Boards: one in simulation behind a serial line, if TPU_BOARD_SIM names the program."""

import os
import re
import subprocess

import numpy as np
import pytest

import tpu
from conftest import DIGITS, FLOAT


@pytest.fixture
def boards(tmp_path):
    """A function that begins a board and gives its name. Another board at the same line takes the place of the first one."""
    if "TPU_BOARD_SIM" not in os.environ:
        pytest.skip("TPU_BOARD_SIM is not set")
    running = []

    def begin(size):
        end()
        process = subprocess.Popen([os.environ["TPU_BOARD_SIM"], "--board", size, "--link", tmp_path / "line"], stdout=subprocess.PIPE, text=True)
        running.append(process)
        return process.stdout.readline().split()[-1]

    def end():
        for process in running:
            process.terminate()
            process.wait()
            process.stdout.close()
        running.clear()

    yield begin
    end()


def image():
    return np.arange(64, dtype=np.int8).reshape(1, 8, 8, 1)


def test_networks_run_on_a_board(boards):
    device = boards("N4")
    model = tpu.load(DIGITS, device=device)
    assert model.config["n"] == 4
    result = model.run(image())
    np.testing.assert_array_equal(result.output, tpu.load(DIGITS)(image()))
    assert result.report["backend"] == device and result.report["cycles"] > 0 and result.report["clock_hz"] == 60_000_000
    np.testing.assert_array_equal(model.run(image(), device=device).output, result.output)
    with pytest.raises(tpu.Error, match="uses the line"):
        tpu.load(DIGITS, device=device)


def test_programs_run_where_the_machine_is_theirs(boards, tmp_path):
    device = boards("N4")
    tpu.compile(DIGITS, tmp_path / "digits.tpu", device=device)
    program = tpu.load(tmp_path / "digits.tpu")
    np.testing.assert_array_equal(program.run(image(), device=device).output, program(image()))
    del program
    with pytest.raises(tpu.Error, match=re.escape(f"no device {device} has the parameters N = 16")):
        tpu.load(DIGITS).run(image(), device=device)


def test_another_board_at_the_same_line(boards):
    for size, n in (("N4", 4), ("N8-shared", 8), ("N4", 4)):
        assert tpu.load(DIGITS, device=boards(size)).config["n"] == n


def test_workloads_and_training(boards):
    device = boards("N4")
    (product,) = tpu.bench("matmul:8x8x8", device=device)
    assert product["cycles"] > 0
    with pytest.raises(tpu.Error, match="bf16"):
        tpu.train(FLOAT, np.zeros((8, 70), np.float32), np.zeros((8, 33), np.float32), loss="mse", batch=8, device=device)


@pytest.mark.parametrize("options, words", [
    (dict(device="ttyUSB0"), "ttyUSB0: names no board"),
    (dict(device="uart:/dev/nothing"), "/dev/nothing"),
    (dict(device="uart:/dev/x", config="N16"), "give neither config nor backend"),
    (dict(device="uart:/dev/x", backend="rtl"), "give neither config nor backend"),
])
def test_what_is_refused(options, words):
    with pytest.raises(tpu.Error, match=words):
        tpu.load(DIGITS, **options)
