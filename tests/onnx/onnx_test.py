# SPDX-License-Identifier: Apache-2.0
"""Models of ONNX on the golden model, compared with ONNX Runtime.

ONNX Runtime multiplies sums by a float and rounds to the nearest; TensorFlow Lite's arithmetic, with which we compute, multiplies by an integer of 31
bits. `rounding="single"`, which rounds once, is nearest to ONNX Runtime. Results may still differ by one step of their scale where a product is almost
half a step; with a rounding that is ONNX Runtime's own they have to be equal.
"""

import os
import pathlib
import re
import subprocess
import sys
import zlib

import networks
import numpy as np
import onnx
import onnxruntime
import operators
import pytest

import tpu

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROUNDING = "single"
# Steps by which a result may differ. Positions of align_corners are multiples of 1/1024 pixel in TensorFlow Lite.
STEPS = {"Resize_linear_corners": 2}
# Of all elements of an operator's results, those that may differ: more where a table behind the operator rounds again, or where halves are frequent.
SHARE = {"Softmax": 0.4, "AveragePool_padded": 0.06, "Resize_linear": 0.15, "Resize_linear_corners": 0.5}
NETWORK_SHARE = {"mobilenet": 0.4}  # The network with Softmax.
SEEDS = range(6)


def expected(model, feeds):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model, options).run(None, feeds)[0]


def scale_of_output(path):
    """What one step of the last DequantizeLinear stands for."""
    graph = onnx.load(path).graph
    last = next(node for node in graph.node if node.output[0] == graph.output[0].name)
    return next(onnx.numpy_helper.to_array(t) for t in graph.initializer if t.name == last.input[1])


def compare(name, case, integer_operator=None):
    """Random models of a case, and how many elements of their results differ, of how many."""
    different, elements = 0, 0
    for seed in SEEDS:
        rng = np.random.default_rng([zlib.crc32(name.encode()), seed])
        model, feeds = operators.quantised(operators.CASES[case](rng), rng, [np.int8, np.uint8][seed % 2], integer_operator)
        want = expected(model.SerializeToString(), feeds)
        got = tpu.load(model.SerializeToString(), rounding=ROUNDING)(*feeds.values())
        assert got.dtype == want.dtype and got.shape == want.shape, f"seed {seed}"
        difference = np.abs(got.astype(int) - want.astype(int))
        assert difference.max() <= STEPS.get(case, 1), f"seed {seed}"
        different += np.count_nonzero(difference)
        elements += want.size
    assert different <= SHARE.get(case, 0.01) * elements, f"{different} of {elements}"


@pytest.mark.parametrize("name", operators.CASES)
def test_operator(name):
    compare(name, name)


@pytest.mark.parametrize("name", operators.INTEGER_OPERATORS)
def test_integer_operator(name):
    compare(name, operators.INTEGER_OPERATORS[name][0], name)


def test_every_operator_is_compared():
    rng = np.random.default_rng(1)
    compared = {node.op_type for make in operators.CASES.values() for node in make(rng).nodes}
    compared |= {"QuantizeLinear", "DequantizeLinear", *operators.INTEGER_OPERATORS}
    listed = re.findall(r"^\| (\w+) \| .* \|$", (ROOT / "docs/onnx_operators.md").read_text(), re.MULTILINE)
    assert set(listed) - {"operator"} == compared


@pytest.mark.parametrize("per_channel", [False, True], ids=["tensor", "channel"])
@pytest.mark.parametrize("unsigned", [False, True], ids=["int8", "uint8"])
@pytest.mark.parametrize("integers", [False, True], ids=["qdq", "qoperator"])
@pytest.mark.parametrize("name", networks.NETWORKS)
def test_network(name, integers, unsigned, per_channel, tmp_path):
    model = networks.NETWORKS[name](3)
    shape = [1, *(d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim[1:])]
    path = tmp_path / "model.onnx"
    networks.quantise(model, shape, 4, path, operators=integers, unsigned=unsigned, per_channel=per_channel)
    network = tpu.load(path, rounding=ROUNDING)
    rng = np.random.default_rng(5)
    different, elements = 0, 0
    for _ in range(4):
        image = rng.standard_normal(shape).astype(np.float32)
        want = expected(str(path), {"x": image})
        got = network(image)
        assert got.dtype == want.dtype and got.shape == want.shape
        difference = np.rint(np.abs(got - want) / scale_of_output(path)).astype(int)
        assert difference.max() <= 1
        different += np.count_nonzero(difference)
        elements += want.size
    assert different <= NETWORK_SHARE.get(name, 0.01) * elements, f"{different} of {elements}"


def test_the_page_runs(tmp_path):
    """docs/onnx.md, its code and its commands, from the beginning to the end."""
    page = (ROOT / "docs/onnx.md").read_text()
    blocks = re.findall(r"^```(python|sh)\n(.*?)^```\n", page, re.MULTILINE | re.DOTALL)
    assert [language for language, _ in blocks] == ["python", "sh", "python"]
    environment = {**os.environ, "PATH": f"{pathlib.Path(os.environ['TPU_COMMAND']).parent}:{os.environ['PATH']}"}
    before = ""
    for language, code in blocks:
        # Later code goes on from the variables of earlier code.
        before += code if language == "python" else ""
        command = [sys.executable, "-c", before] if language == "python" else ["bash", "-ec", code]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    difference = float(re.search(r"largest difference: (\S+)", done.stdout)[1])
    assert difference <= scale_of_output(tmp_path / "model.onnx") * 1.01
