# SPDX-License-Identifier: Apache-2.0
"""What is wrong is said with the words of the command."""

import os
import subprocess

import numpy as np
import pytest

import tpu
from conftest import DIGITS


def words_of_command(*arguments):
    done = subprocess.run([os.environ["TPU_COMMAND"], *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    return done.stderr.strip().removeprefix("tpu: ")


def test_files(tmp_path):
    bad = tmp_path / "bad.tflite"
    bad.write_bytes(DIGITS.read_bytes()[:2000])
    for path in (bad, tmp_path / "missing.tflite", tmp_path):
        with pytest.raises(tpu.Error) as error:
            tpu.load(path)
        assert str(error.value) == words_of_command("run", path)
        assert str(path) in str(error.value)


def test_machines_and_options():
    with pytest.raises(tpu.Error) as error:
        tpu.load(DIGITS, config="N99")
    assert str(error.value).startswith("--config N99: no such machine; there are N16, ")
    with pytest.raises(tpu.Error, match="rounding: up is none of double, single, float"):
        tpu.load(DIGITS, rounding="up")
    with pytest.raises(tpu.Error, match="backend: board is none of golden, rtl"):
        tpu.load(DIGITS, backend="board")
    with pytest.raises(tpu.Error) as error:
        tpu.bench("matmul:64x64")
    assert str(error.value) == words_of_command("bench", "matmul:64x64")


def test_arrays():
    model = tpu.load(DIGITS)
    with pytest.raises(tpu.Error, match="input input: has type float32, tensor input takes int8"):
        model(np.zeros((1, 8, 8, 1), np.float32))
    with pytest.raises(tpu.Error, match="input input: has shape 8x8x1, tensor input takes 1x8x8x1"):
        model(np.zeros((8, 8, 1), np.int8))


def test_a_machine_that_the_rtl_is_not_simulated_for():
    model = tpu.load(DIGITS, config="N8-small-bf16")
    x = np.zeros((1, 8, 8, 1), np.int8)
    assert model(x).shape == (1, 10)
    with pytest.raises(tpu.Error, match="rtl"):
        model.run(x, backend="rtl")


def test_kinds_of_errors():
    assert issubclass(tpu.DeviceError, tpu.Error) and issubclass(tpu.Failure, tpu.Error) and not issubclass(tpu.InternalError, tpu.Error)
    assert tpu.Error.__module__ == "tpu"
