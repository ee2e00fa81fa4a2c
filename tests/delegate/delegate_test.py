# SPDX-License-Identifier: Apache-2.0
"""LiteRT's interpreter with the delegate gives the answers of TensorFlow Lite Micro that models/ has. What is compared here also holds src/delegate/litert_*.h to the
structures of the ai-edge-litert package: a member at another place would give other answers."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import flatbuffers
import numpy as np
import pytest
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter, OpResolverType, load_delegate

import tpu

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIGITS = ROOT / "models/digits/digits.tflite"
FLOAT = ROOT / "models/float_vectors/fully_connected.tflite"


class Network:
    """A model with the delegate, and the delegate's report."""

    def __init__(self, model, report, **options):
        self._report = report
        self.delegate = load_delegate(tpu.delegate_path(), {"report": str(report), **options})
        where = {"model_content": model} if isinstance(model, bytes) else {"model_path": str(model)}
        self.interpreter = Interpreter(**where, experimental_delegates=[self.delegate])
        self.interpreter.allocate_tensors()

    @property
    def report(self):
        return json.loads(self._report.read_text())

    def __call__(self, *inputs):
        return run(self.interpreter, *inputs)


def run(interpreter, *inputs):
    for tensor, array in zip(interpreter.get_input_details(), inputs, strict=True):
        interpreter.set_tensor(tensor["index"], array)
    interpreter.invoke()
    return [interpreter.get_tensor(tensor["index"]) for tensor in interpreter.get_output_details()]


def without_delegate(model):
    """The model in LiteRT alone, with its plain kernels."""
    interpreter = Interpreter(model_path=str(model), experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
    interpreter.allocate_tensors()
    return interpreter


def recorded(model, interpreter):
    """Of each recorded run the inputs and the outputs."""
    data = model.with_suffix(".data").read_bytes()
    inputs, outputs = interpreter.get_input_details(), interpreter.get_output_details()
    place = 0
    while place < len(data):
        arrays = []
        for tensor in [*inputs, *outputs]:
            arrays.append(np.frombuffer(data, tensor["dtype"], int(np.prod(tensor["shape"])), place).reshape(tensor["shape"]))
            place += arrays[-1].nbytes
        yield arrays[:len(inputs)], arrays[len(inputs):]
        # Behind the run of models/vectors stand the outputs in single rounding, where they differ.
        if model.parent.name == "vectors":
            return


# How many models of a folder LiteRT takes at least, with all nodes for the delegate.
@pytest.mark.parametrize("folder, least", [("vectors", 550), ("host_vectors", 160)])
def test_recorded_answers(folder, least, tmp_path):
    compared = 0
    for model in sorted((ROOT / "models" / folder).glob("*.tflite")):
        try:
            network = Network(model, tmp_path / "report.json")
        except (RuntimeError, ValueError):
            # The models have oddities that TensorFlow Lite Micro takes and LiteRT does not.
            with pytest.raises((RuntimeError, ValueError)):
                without_delegate(model)
            continue
        if network.report["refused"]:
            continue
        compared += 1
        for inputs, expected in recorded(model, network.interpreter):
            for found, wanted in zip(network(*inputs), expected, strict=True):
                np.testing.assert_array_equal(found, wanted, err_msg=model.name)
    assert compared >= least


# Operators that XNNPACK computes in its own way. (LiteRT's kernels round QUANTIZE between int8 and uint8 otherwise: docs/arithmetic.md.)
XNNPACK = re.compile("(add|sub|mul|mean|logistic|tanh|elu|leaky_relu|resize_bilinear|fully_connected|conv)(_tables)?_[0-9]+")


def test_float_rounding_is_that_of_litert(tmp_path):
    """In rounding float the delegate's answers are those of LiteRT as it comes, with XNNPACK."""
    compared = different = 0
    for model in sorted((ROOT / "models/vectors").glob("*.tflite")):
        if not XNNPACK.fullmatch(model.stem):
            continue
        try:
            interpreter = Interpreter(model_path=str(model))
            interpreter.allocate_tensors()
            network = Network(model, tmp_path / "report.json", rounding="float")
        except (RuntimeError, ValueError):  # Oddities that LiteRT does not take, with XNNPACK or without.
            continue
        assert network.report["refused"] == []
        compared += 1
        for inputs, in_double in recorded(model, interpreter):
            for found, wanted, plain in zip(network(*inputs), run(interpreter, *inputs), in_double, strict=True):
                np.testing.assert_array_equal(found, wanted, err_msg=model.name)
                different += not np.array_equal(wanted, plain)
    assert compared >= 60 and different >= 10, (compared, different)


def test_floats_are_those_of_the_package(tmp_path):
    """models/float_vectors has no bits to compare with, but the package computes the same bits as the delegate."""
    models = sorted((ROOT / "models/float_vectors").glob("*.tflite"))
    for path in models:
        network, model = Network(path, tmp_path / "report.json", config="N16-bf16"), tpu.load(path, config="N16-bf16")
        assert network.report["refused"] == []
        inputs = [np.random.default_rng(1).normal(size=tensor.shape).astype(tensor.dtype) for tensor in model.inputs]
        for found, wanted in zip(network(*inputs), model.run(*inputs).outputs.values(), strict=True):
            np.testing.assert_array_equal(found, wanted, err_msg=path.name)
    assert len(models) >= 60


def test_the_simulated_hardware(tmp_path):
    network = Network(DIGITS, tmp_path / "report.json", backend="rtl")
    image = np.arange(64, dtype=np.int8).reshape(1, 8, 8, 1)
    np.testing.assert_array_equal(network(image)[0], tpu.load(DIGITS)(image))
    (part,) = network.report["parts"]
    expected = tpu.load(DIGITS, backend="rtl").run(image).report
    assert part["nodes"] == [0, 1, 2, 3] and part["cycles"] == expected["cycles"] > 0
    assert network.report["refused"] == []


def test_floats_need_a_machine_with_bf16(tmp_path):
    x = np.random.default_rng(1).normal(size=(5, 70)).astype(np.float32)
    expected = run(without_delegate(FLOAT), x)[0]
    refused = Network(FLOAT, tmp_path / "report.json")
    np.testing.assert_allclose(refused(x)[0], expected, rtol=1e-4, atol=1e-4)
    assert refused.report["parts"] == [] and "the machine has no bf16" in refused.report["refused"][0]["reason"]
    taken = Network(FLOAT, tmp_path / "report.json", config="N16-bf16")
    np.testing.assert_array_equal(taken(x)[0], tpu.load(FLOAT, config="N16-bf16")(x))
    assert taken.report["refused"] == []


def tensor(shape, kind, signature=None, quantised=False):
    result = schema.TensorT()
    result.name, result.shape, result.shapeSignature, result.type, result.buffer = "t", shape, signature, kind, 0
    if quantised:
        result.quantization = schema.QuantizationParametersT()
        result.quantization.scale, result.quantization.zeroPoint = [0.05], [3]
    return result


def chain(path, tensors, operators):
    """Writes a model: these operators, with their versions, each between one tensor and the next one."""
    graph, model = schema.SubGraphT(), schema.ModelT()
    graph.tensors, graph.operators, graph.inputs, graph.outputs = tensors, [], [0], [len(operators)]
    model.version, model.subgraphs, model.buffers, model.operatorCodes = 3, [graph], [schema.BufferT()], []
    for i, (code, version) in enumerate(operators):
        entry, operator = schema.OperatorCodeT(), schema.OperatorT()
        entry.builtinCode, entry.deprecatedBuiltinCode, entry.version = code, min(code, 127), version
        operator.opcodeIndex, operator.inputs, operator.outputs = i, [i], [i + 1]
        model.operatorCodes.append(entry)
        graph.operators.append(operator)
    builder = flatbuffers.Builder()
    builder.Finish(model.Pack(builder), b"TFL3")
    path.write_bytes(builder.Output())


def test_what_is_refused_stays_with_litert(tmp_path):
    model, relu = tmp_path / "chain.tflite", (schema.BuiltinOperator.RELU, 2)
    chain(model, [tensor([1, 40], schema.TensorType.INT8, quantised=True) for _ in range(4)], [relu, (schema.BuiltinOperator.GELU, 1), relu])
    network = Network(model, tmp_path / "report.json")
    x = np.arange(-20, 20, dtype=np.int8).reshape(1, 40)
    np.testing.assert_array_equal(network(x)[0], run(without_delegate(model), x)[0])
    assert [part["nodes"] for part in network.report["parts"]] == [[0], [2]]
    (refused,) = network.report["refused"]
    assert refused["node"] == 1 and "this operator is not supported" in refused["reason"]


def test_sizes_that_a_run_tells(tmp_path):
    """WHERE, which LiteRT runs, gives as many places as there are ones."""
    model, kinds = tmp_path / "chain.tflite", schema.TensorType
    chain(model, [tensor([8], kinds.BOOL), *(tensor([1, 1], kind, [-1, 1]) for kind in (kinds.INT64, kinds.FLOAT32, kinds.FLOAT32))],
          [(schema.BuiltinOperator.WHERE, 1), (schema.BuiltinOperator.CAST, 1), (schema.BuiltinOperator.FLOOR, 1)])
    network = Network(model, tmp_path / "report.json")
    for ones in (3, 8, 1):
        np.testing.assert_array_equal(network(np.arange(8) < ones)[0], np.arange(ones, dtype=np.float32).reshape(ones, 1))
    assert [part["nodes"] for part in network.report["parts"]] == [[1, 2]]
    for _ in range(2):
        with pytest.raises(RuntimeError, match="no elements"):
            network(np.zeros(8, bool))


@pytest.mark.skipif("TPU_BOARD_SIM" not in os.environ, reason="TPU_BOARD_SIM does not name the simulated board")
def test_parts_take_turns_on_a_board(tmp_path):
    model, relu = tmp_path / "chain.tflite", (schema.BuiltinOperator.RELU, 2)
    chain(model, [tensor([1, 40], schema.TensorType.INT8, quantised=True) for _ in range(4)], [relu, (schema.BuiltinOperator.GELU, 1), relu])
    board = subprocess.Popen([os.environ["TPU_BOARD_SIM"], "--board", "N4", "--link", tmp_path / "line"], stdout=subprocess.PIPE, text=True)
    try:
        device = board.stdout.readline().split()[-1]
        network = Network(model, tmp_path / "report.json", device=device)
        for start in (-20, -60):
            x = np.arange(start, start + 40, dtype=np.int8).reshape(1, 40)
            np.testing.assert_array_equal(network(x)[0], run(without_delegate(model), x)[0])
        assert [(part["nodes"], part["backend"], part["cycles"] > 0) for part in network.report["parts"]] == [([0], device, True), ([2], device, True)]
    finally:
        board.terminate()
        board.wait()
        board.stdout.close()


def test_states_are_kept_and_reset(tmp_path):
    model = next(iter(sorted((ROOT / "models/host_vectors").glob("svdf_*.tflite"))))
    network = Network(model, tmp_path / "report.json")
    runs = list(recorded(model, network.interpreter))
    assert len(runs) > 1 and network.report["refused"] == []
    for _ in range(2):
        for inputs, expected in runs:
            np.testing.assert_array_equal(network(*inputs), expected)
        network.interpreter.reset_all_variables()


def test_inputs_of_other_shapes(tmp_path):
    images = np.random.default_rng(1).integers(-128, 128, size=(3, 8, 8, 1), dtype=np.int8)
    network = Network(DIGITS, tmp_path / "report.json")
    one_by_one = [network(image[np.newaxis])[0][0] for image in images]
    network.interpreter.resize_tensor_input(network.interpreter.get_input_details()[0]["index"], images.shape)
    network.interpreter.allocate_tensors()
    np.testing.assert_array_equal(network(images)[0], one_by_one)
    assert network.report["refused"] == []


@pytest.mark.parametrize("options, words", [
    ({"colour": "red"}, "option colour: there is none of that name; there are backend, config, device, report, rounding"),
    ({"backend": "board"}, "there is no device board; there are: golden, rtl"),
    ({"config": "N99"}, "N99: no such machine; there are N16, "),
    ({"backend": "rtl", "config": "N4-small-bf16"}, "no device rtl has the parameters N = 4"),
    ({"device": "ttyUSB0"}, "ttyUSB0: names no board"),
    ({"rounding": "up"}, "rounding: up is none of double, single, float"),
    ({"device": "uart:/dev/x", "config": "N16"}, "option device: uart:/dev/x is a backend with its own machine"),
    ({"report": "/nowhere/report.json"}, "/nowhere/report.json"),
])
def test_options(options, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        load_delegate(tpu.delegate_path(), options)


def test_a_run_that_fails_is_an_error_of_litert(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    network = Network(DIGITS, folder / "report.json")
    image = np.zeros((1, 8, 8, 1), np.int8)
    expected = network(image)
    shutil.rmtree(folder)
    with pytest.raises(RuntimeError, match="tpu: .*report.json"):
        network(image)
    folder.mkdir()
    np.testing.assert_array_equal(network(image), expected)


def test_the_page_runs(tmp_path):
    """The code of docs/litert.md runs from its beginning to its end."""
    blocks = re.findall(r"^```python\n(.*?)^```\n", (ROOT / "docs/litert.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 2
    (tmp_path / "models").symlink_to(ROOT / "models")
    done = subprocess.run([sys.executable, "-c", "\n".join(blocks)], cwd=tmp_path, env=os.environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "cycles" in done.stdout and "colour" in done.stdout
