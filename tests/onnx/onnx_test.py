# SPDX-License-Identifier: Apache-2.0
"""Models of ONNX on the golden model, compared with ONNX Runtime.

In rounding "single", which is near to ONNX Runtime, and in rounding "float", which is ONNX Runtime's own for most operators (compare.py).
"""

import collections
import os
import pathlib
import re
import subprocess
import sys
import zlib

import compare
import networks
import numpy as np
import onnx
import operators
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEEDS = range(6)
ROUNDINGS = pytest.mark.parametrize("rounding", compare.BOUNDS)


def compare_operator(name, case, rounding, integer_operator=None):
    """Random models of a case, and how many elements of their results differ, of how many."""
    different, elements = collections.Counter(), collections.Counter()  # By bound.
    for seed in SEEDS:
        rng = np.random.default_rng([zlib.crc32(name.encode()), seed])
        dtype = [np.int8, np.uint8][seed % 2]
        bound = compare.bound(compare.kind_of(case, dtype, integer_operator), rounding)
        model, feeds = operators.quantised(operators.CASES[case](rng), rng, dtype, integer_operator)
        steps = compare.steps(model.SerializeToString(), feeds, rounding)
        assert steps.max() <= bound.steps, f"seed {seed}"
        different[bound] += np.count_nonzero(steps)
        elements[bound] += steps.size
    for bound, count in different.items():
        assert bound.holds(count, elements[bound]), f"{count} of {elements[bound]}"


@ROUNDINGS
@pytest.mark.parametrize("name", operators.CASES)
def test_operator(name, rounding):
    compare_operator(name, name, rounding)


@ROUNDINGS
@pytest.mark.parametrize("name", operators.INTEGER_OPERATORS)
def test_integer_operator(name, rounding):
    compare_operator(name, operators.INTEGER_OPERATORS[name][0], rounding, name)


def test_every_operator_is_compared():
    rng = np.random.default_rng(1)
    compared = {node.op_type for make in operators.CASES.values() for node in make(rng).nodes}
    compared |= {"QuantizeLinear", "DequantizeLinear", *operators.INTEGER_OPERATORS}
    listed = re.findall(r"^\| (\w+) \| .* \|$", (ROOT / "docs/onnx_operators.md").read_text(), re.MULTILINE)
    assert set(listed) - {"operator"} == compared


@ROUNDINGS
@pytest.mark.parametrize("per_channel", [False, True], ids=["tensor", "channel"])
@pytest.mark.parametrize("unsigned", [False, True], ids=["int8", "uint8"])
@pytest.mark.parametrize("integers", [False, True], ids=["qdq", "qoperator"])
@pytest.mark.parametrize("name", networks.NETWORKS)
def test_network(name, integers, unsigned, per_channel, rounding, tmp_path):
    bound = compare.bound(networks.KINDS.get(name, "network"), rounding)
    model = networks.NETWORKS[name](3)
    shape = [1, *(d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim[1:])]
    path = tmp_path / "model.onnx"
    networks.quantise(model, shape, 4, path, operators=integers, unsigned=unsigned, per_channel=per_channel)
    scale = networks.scale_of_output(onnx.load(path))
    rng = np.random.default_rng(5)
    images = [{"x": rng.standard_normal(shape).astype(np.float32)} for _ in range(4)]
    steps = np.stack([compare.steps(path, feeds, rounding, scale) for feeds in images])
    assert steps.max() <= bound.steps
    assert bound.holds(np.count_nonzero(steps), steps.size), f"{np.count_nonzero(steps)} of {steps.size}"


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
    assert difference <= networks.scale_of_output(onnx.load(tmp_path / "model.onnx")) * 1.01
