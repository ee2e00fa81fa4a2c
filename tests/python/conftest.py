# SPDX-License-Identifier: Apache-2.0
"""What the tests of the Python package share: models of the repository, and the `tpu` command (TPU_COMMAND)."""

import json
import os
import pathlib
import subprocess

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIGITS = ROOT / "models/digits/digits.tflite"
# A matrix product of float32, [5, 70] to [5, 33].
FLOAT = ROOT / "models/float_vectors/fully_connected.tflite"


def vector_names():
    """Of all vectors, int8 and int16."""
    return [vector["name"] for vector in json.loads((ROOT / "models/vectors/index.json").read_text())["vectors"]]


def vector(model, name, rounding="double"):
    """The inputs and the outputs that models/vectors has of a model."""
    data = (ROOT / "models/vectors" / f"{name}.data").read_bytes()
    place, parts = 0, []
    inputs = len(model.inputs)
    for tensor in [*model.inputs, *model.outputs, *model.outputs]:
        # Outputs in single rounding stand there where they differ.
        if place == len(data):
            parts.append(parts[-len(model.outputs)])
            continue
        count = int(np.prod(tensor.shape))
        parts.append(np.frombuffer(data, tensor.dtype, count, place).reshape(tensor.shape))
        place += parts[-1].nbytes
    assert place == len(data)
    outputs = parts[inputs:inputs + len(model.outputs)] if rounding == "double" else parts[inputs + len(model.outputs):]
    return parts[:inputs], outputs


@pytest.fixture(scope="session")
def images():
    """Digits, as digits.tflite takes them, and the scores that TensorFlow Lite Micro gives them."""
    values = json.loads((ROOT / "models/digits/testset.json").read_text())["images"]
    return np.array(values, np.float32).reshape(-1, 1, 8, 8, 1) / 16, np.load(ROOT / "models/digits/expected.npy").reshape(-1, 1, 10)


@pytest.fixture
def command(tmp_path):
    """Calls `tpu` in a folder of its own, and returns what it prints."""

    def call(*arguments):
        done = subprocess.run([os.environ["TPU_COMMAND"], *map(str, arguments)], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call
