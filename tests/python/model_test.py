# SPDX-License-Identifier: Apache-2.0
"""Networks from file to outputs."""

import gc

import numpy as np
import pytest

import tpu
from conftest import DIGITS, FLOAT, ROOT, vector, vector_names


def test_digits_on_both_backends(images):
    inputs, expected = images
    model = tpu.load(DIGITS)
    for image, scores in zip(inputs[:40], expected):
        assert np.array_equal(model(model.inputs[0].quantize(image)), scores)
    x = model.inputs[0].quantize(inputs[0])
    assert np.array_equal(model.run(x, backend="rtl").output, expected[0])


@pytest.mark.parametrize("rounding", ["double", "single"])
def test_all_vectors_on_the_golden_model(rounding):
    several = different = 0
    for name in vector_names():
        model = tpu.load(ROOT / f"models/vectors/{name}.tflite", rounding=rounding)
        inputs, expected = vector(model, name, rounding)
        outputs = model.run(*inputs).outputs
        assert len(outputs) == len(expected)
        for tensor, values in zip(model.outputs, expected):
            assert outputs[tensor.name].dtype == tensor.dtype
            assert np.array_equal(outputs[tensor.name], values), (name, tensor.name)
        several += len(outputs) > 1
        different += any(not np.array_equal(a, b) for a, b in zip(expected, vector(model, name)[1]))
    assert several > 10 and (different > 10) == (rounding == "single")


@pytest.mark.parametrize("machine", ["N4-small", "N8-small", "N16"])
def test_vectors_on_the_rtl(machine):
    for name in [name for name in vector_names() if not name.startswith("int16")][::60]:
        model = tpu.load(ROOT / f"models/vectors/{name}.tflite", config=machine, backend="rtl")
        inputs, expected = vector(model, name)
        for values, right in zip(model.run(*inputs).outputs.values(), expected):
            assert np.array_equal(values, right), name


def test_inputs_by_place_and_by_name():
    model = tpu.load(ROOT / "models/vectors/add_46.tflite")
    (a, b), (expected, ) = vector(model, "add_46")
    first, second = (tensor.name for tensor in model.inputs)
    for y in (model(a, b), model({second: b, first: a}), model(**{second: b, first: a}), model.run(inputs={first: a, second: b}).output):
        assert np.array_equal(y, expected)
    with pytest.raises(tpu.Error, match=f"input {second} is missing"):
        model({first: a})
    with pytest.raises(tpu.Error, match=f"the program has no input named z; it has: {first}, {second}"):
        model({"z": a})
    with pytest.raises(tpu.Error, match="given 1 inputs, the program has 2"):
        model(a)
    with pytest.raises(tpu.Error, match="by place and by name"):
        model.run(a, inputs={second: b})


def test_names_that_occur_twice_have_numbers():
    model = tpu.load(ROOT / "models/vectors/relu6_tables_31.tflite")
    assert len({tensor.name for tensor in model.outputs}) == len(model.outputs) == 12
    assert any(tensor.name.endswith(":1") for tensor in model.outputs)


def test_contiguous_inputs_are_not_copied():
    tensor = tpu.load(DIGITS).inputs[0]
    x = np.zeros(tensor.shape, np.int8)
    x.flags.writeable = False
    assert np.shares_memory(tensor.check(x), x)
    wide = np.zeros((1, 8, 16, 1), np.int8)
    assert tensor.check(wide[:, :, ::2]).flags.c_contiguous


def test_layouts_give_the_same_outputs(images):
    model = tpu.load(DIGITS)
    x = model.inputs[0].quantize(images[0][3])
    wide = np.zeros((1, 8, 16, 1), np.int8)
    wide[:, :, ::2] = x
    for layout in (np.asfortranarray(x), wide[:, :, ::2], x[:, ::-1].copy()[:, ::-1]):
        assert np.array_equal(model(layout), images[1][3])


def test_outputs_outlive_the_model(images):
    model = tpu.load(DIGITS)
    y = model(model.inputs[0].quantize(images[0][0]))
    assert y.flags.writeable and not y.flags.owndata
    del model
    gc.collect()
    assert np.array_equal(y, images[1][0])


def test_a_saved_program_gives_the_same(tmp_path, images):
    path = tmp_path / "digits.tpu"
    compiled = tpu.compile(DIGITS, path, config="N8-small")
    for program in (tpu.load(path), tpu.load(path.read_bytes())):
        assert program.config == compiled.config == tpu.machines()["N8-small"]
        assert np.array_equal(program(program.inputs[0].quantize(images[0][5])), images[1][5])


def test_states_are_kept_and_reset():
    model = tpu.load(ROOT / "models/host_vectors/assign_variable_0.tflite")
    rng = np.random.default_rng(1)
    inputs = [[tensor.quantize(rng.normal(size=tensor.shape)) if tensor.dtype.kind != "f" else rng.normal(size=tensor.shape).astype(np.float32)
               for tensor in model.inputs] for _ in range(2)]
    first = model.run(*inputs[0]).outputs
    model.run(*inputs[1])
    model.reset_states()
    again = model.run(*inputs[0]).outputs
    assert all(np.array_equal(first[name], again[name]) for name in first)


def test_float32_runs_on_machines_with_bf16():
    with pytest.raises(tpu.Error, match="float32"):
        tpu.load(FLOAT)
    model = tpu.load(FLOAT, config="N16-bf16")
    x = np.random.default_rng(1).normal(size=model.inputs[0].shape).astype(np.float32)
    golden, rtl = model(x), model.run(x, backend="rtl").output
    assert golden.dtype == np.float32 and np.array_equal(golden, rtl)


def test_quantize_rounds_ties_away_from_zero():
    tensor = tpu.TensorInfo("x", (6, ), np.dtype(np.int8), 0.5, -3)
    assert tensor.quantize([0.25, -0.25, 0.2, 1000, -1000, 0.75]).tolist() == [-2, -4, -3, 127, -128, -1]
    assert tensor.dequantize(np.array([-2, -4, -3], np.int8)).tolist() == [0.5, -0.5, 0]
    with pytest.raises(tpu.Error, match="values of int32"):
        tpu.TensorInfo("y", (), np.dtype(np.int32), 1.0, 0).quantize(1)
