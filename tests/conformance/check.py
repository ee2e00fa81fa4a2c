# SPDX-License-Identifier: Apache-2.0
"""One model on TensorFlow Lite Micro, on the executor, on the golden model and on the RTL; of float32 without the executor."""
import dataclasses
import re
import subprocess

import numpy as np
from tflite_micro.tensorflow.lite.micro.python.schema_py_generated import ActivationFunctionType, TensorType

import executor
import fixed_point
from generate import FLOAT, HOST, INT16
from oddities import ODDITIES
from model_builder import parse
from reference import Reference, Refused

# Verdicts that fail the run.
FAULTS = {
    "executor differs": "the executor of this folder and TensorFlow Lite Micro compute different outputs",
    "differs": "an output differs from TensorFlow Lite's, or lies outside its bound",
    "reference differs": "an output of TensorFlow Lite Micro lies outside its bound",
    "stops": "the machine stops with an error",
    "crashes": "our program ends",
    "refused": "we refuse a model that TensorFlow Lite Micro runs",
}
# The others: "ok"; "only here": TensorFlow Lite Micro refuses the model, and our outputs are the executor's; "nowhere": both
# refuse it; "undefined": the result depends on an int32 overflow, or on how one of LiteRT's kernels is compiled.


@dataclasses.dataclass
class Verdict:
    kind: str
    text: str = ""  # Of "ok" on float32: how many elements have a bound, and how many there are.

    def fault(self):
        """What makes two faults the same one; None: there is none."""
        if self.kind not in FAULTS:
            return None
        return self.kind, re.sub(r"[\d.+-]+", "#", self.text) if self.kind in ("refused", "stops") else ""


@dataclasses.dataclass
class Expected:
    double: list
    single: list
    refused: str  # What TensorFlow Lite Micro says when it refuses; empty: it computed `double`.


class Disagreement(Exception):
    """The executor and TensorFlow Lite Micro compute different outputs."""


def left_open(model):
    """Whether TensorFlow Lite Micro reads memory that it has not written: the fill value of SPACE_TO_BATCH_ND is such."""
    for op in model.subgraphs[0].operators:
        if executor.operator_name(model, op) == "SPACE_TO_BATCH_ND":
            paddings = model.buffers[model.subgraphs[0].tensors[op.inputs[2]].buffer].data
            if any(paddings):
                return True
    return False


def expectations(case, reference):
    """The outputs that a case must have. Raises fixed_point.Undefined and Disagreement."""
    model = parse(case.model)
    double = executor.run(model, case.inputs, single=False)
    single = executor.run(model, case.inputs, single=True)
    try:
        theirs = reference.run(case.model, case.inputs, len(double))
    except Refused as refusal:
        return Expected(double, single, str(refusal))
    for i, (ours, wanted) in enumerate(zip(double, theirs)):
        if ours.dtype == wanted.dtype and ours.tobytes() == wanted.tobytes():
            continue
        if left_open(model):
            break
        if ours.size != wanted.size or ours.dtype != wanted.dtype:
            raise Disagreement(f"output {i}: {ours.size} {ours.dtype}, not {wanted.size} {wanted.dtype}")
        wrong = [(k, a, b) for k, (a, b) in enumerate(zip(ours.ravel(), wanted.ravel())) if a.tobytes() != b.tobytes()]
        k, a, b = wrong[0]
        raise Disagreement(f"output {i}: {len(wrong)} of {ours.size} elements, the first is {k}: {a}, not {b}")
    return Expected(double, single, "")


def float_outputs(case, reference):
    """TensorFlow Lite Micro's outputs, none where it says nothing of them; and what it says when it refuses the model."""
    model = parse(case.model)
    try:
        outputs = reference.run(case.model, case.inputs, len(model.subgraphs[0].outputs))
    except Refused as refusal:
        return [], str(refusal)
    return [] if left_open(model) else outputs, ""


def runs_of(case, reference):
    """The inputs and TensorFlow Lite Micro's outputs of each run, and what it says when it refuses the model."""
    outputs = len(parse(case.model).subgraphs[0].outputs)
    try:
        runs = reference.run_all(case.model, [case.inputs, *case.later], outputs)
    except Refused as refusal:
        return b"", str(refusal)
    return b"".join(bytes_of([*ins, *outs]) for ins, outs in zip([case.inputs, *case.later], runs)), ""


def bytes_of(arrays):
    return b"".join(np.ascontiguousarray(a).tobytes() for a in arrays)


def kept_data(case, reference):
    """What stands in NAME.data."""
    if case.floats():
        return bytes_of([*case.inputs, *float_outputs(case, reference)[0]])
    if case.on_host():
        return runs_of(case, reference)[0]
    return data_of(case, expectations(case, reference))


def data_of(case, expected):
    """What stands in NAME.data of a model on int8 or int16 (vector.h)."""
    inputs, double, single = (bytes_of(arrays) for arrays in (case.inputs, expected.double, expected.single))
    return inputs + double + (single if single != double else b"")


class Checker:
    oddities = ODDITIES

    def __init__(self, program, folder, int16_python):
        self.program, self.folder = program, folder
        usual = Reference()
        self.references = {"": usual, FLOAT: usual, HOST: usual, INT16: Reference(int16_python)}
        self.ours = None

    def reference(self, case):
        """The version of TensorFlow Lite Micro that the case is held to."""
        return self.references[case.group()]

    def kept_data(self, case):
        return kept_data(case, self.reference(case))

    def ask(self, question):
        """What our program says."""
        if self.ours is None:
            self.ours = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.ours.stdin.write(f"{question}\n")
        self.ours.stdin.flush()
        answer = self.ours.stdout.readline()
        if not answer.startswith(("ok", "differs:", "reference differs:", "stops:", "refused:")):
            rest = self.ours.communicate()[0] if self.ours.poll() is None else self.ours.stdout.read()
            status, self.ours = self.ours.wait(), None
            return f"crashes: status {status}: {(answer + rest).strip()}"
        return answer.strip()

    def check(self, case):
        if case.floats():
            outputs, refused = float_outputs(case, self.reference(case))
            return self.judge(case, bytes_of([*case.inputs, *outputs]), refused)
        if case.on_host():
            data, refused = runs_of(case, self.reference(case))
            return Verdict("nowhere", refused) if refused else self.judge(case, data, "")
        try:
            expected = expectations(case, self.reference(case))
        except fixed_point.Undefined as reason:
            return Verdict("undefined", str(reason))
        except Disagreement as difference:
            return Verdict("executor differs", str(difference))
        return self.judge(case, data_of(case, expected), expected.refused)

    def judge(self, case, data, refused, group=None):
        """What our program says about the case; `refused`: why TensorFlow Lite Micro refuses it, if so."""
        group = case.group() if group is None else group
        path = self.folder / "now.tflite"
        path.write_bytes(case.model)
        path.with_suffix(".data").write_bytes(data)
        kind, _, text = self.ask(f"{group}{path}").partition(": ")
        text = text.removeprefix(f"{path}: ")
        if kind == "refused" and refused:
            return Verdict("nowhere", f"here: {text}; there: {refused}")
        if kind == "ok" and refused:
            return Verdict("only here", refused)
        return Verdict(kind, text)


def left_to_kernels(model):
    """Whether one of LiteRT's kernels has a part in the outputs that rounds in its own way (docs/arithmetic.md, float rounding)."""
    graph = model.subgraphs[0]
    for op in graph.operators:
        name, options = executor.operator_name(model, op), op.builtinOptions
        if name in ("BATCH_MATMUL", "SUM"):
            return True
        # A bound that no int32 holds is converted to one.
        bound = {ActivationFunctionType.RELU_N1_TO_1: 1, ActivationFunctionType.RELU6: 6}.get(getattr(options, "fusedActivationFunction", None))
        if bound is not None and bound / graph.tensors[op.outputs[0]].quantization.scale[0] >= 2**31:
            return True
        if name == "TRANSPOSE_CONV":
            _, height, width, _ = graph.tensors[op.inputs[1]].shape
            if options.padding == 0 and (height < options.strideH or width < options.strideW):
                return True
        operands = {"ADD": 2, "SUB": 2, "QUANTIZE": 1}.get(name)
        tensors = [graph.tensors[i] for i in (*op.inputs[:operands], op.outputs[0])] if operands else []
        if not tensors or not {t.type for t in tensors} <= {TensorType.INT8, TensorType.UINT8}:
            continue
        factor = max(t.quantization.scale[0] for t in tensors[:-1]) / tensors[-1].quantization.scale[0]
        same_type = tensors[0].type == tensors[-1].type
        if factor >= 256 or (name == "QUANTIZE" and not (same_type and 1 / 256 <= factor <= 128)):
            return True
    return False


def may_be_a_step_off(model):
    """Whether MEAN or LiteRT's kernel of SOFTMAX, whose results may be a step off where they are almost half a step, have a part in the outputs."""
    return any(executor.operator_name(model, op) in ("MEAN", "SOFTMAX") for op in model.subgraphs[0].operators)


def is_one_step(text):
    """Whether the first byte that differs does so by one."""
    got, expected = (int(n) for n in re.search(r"got (\d+), expected (\d+)", text).groups())
    return (got - expected) % 256 in (1, 255)


class FloatChecker(Checker):
    """The same in rounding float, against LiteRT with XNNPACK, which alone says what the outputs are. LiteRT has less patience with odd files."""
    oddities = ()

    def __init__(self, program, folder, litert_python):
        super().__init__(program, folder, None)
        self.xnnpack = Reference(litert_python, "xnnpack")

    def reference(self, case):
        return self.xnnpack

    def kept_data(self, case):
        return runs_of(case, self.xnnpack)[0]

    def check(self, case):
        data, refused = runs_of(case, self.xnnpack)
        if refused:
            return Verdict("nowhere", refused)
        verdict = self.judge(case, data, "", "xnnpack ")
        model = parse(case.model)
        if verdict.kind == "differs" and (left_to_kernels(model) or (may_be_a_step_off(model) and is_one_step(verdict.text))):
            return Verdict("undefined", verdict.text)
        return verdict
