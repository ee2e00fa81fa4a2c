# SPDX-License-Identifier: Apache-2.0
"""How near our results have to be to those of ONNX Runtime, by rounding and kind of model (docs/onnx.md, exactness)."""

import dataclasses

import numpy as np
import onnxruntime

import tpu


@dataclasses.dataclass(frozen=True)
class Bound:
    """By how many steps of their scale results may differ, and how many of all of them may."""
    steps: int = 0
    share: float = 0.0

    def holds(self, different, elements):
        # A few results say nothing about a share.
        return different <= max(self.share * elements, 1 if self.share else 0)


# What ONNX Runtime computes in float32 and rounds then: another order of the same sum, another approximation of the same function, or another place of a
# rounding counts only where a result is almost half a step.
RARE = Bound(1, 1e-3)
SINGLE = Bound(1, 0.01)
IN_FLOATS = (
    # No operator of integers: sums of floats, or differences.
    "Conv_Relu", "Layouts", "ConvTranspose", "ReduceMean", "Sub", "PRelu",
    # Operators of integers that are defined in floats.
    "AveragePool", "Add", "Mul", "Add_constant", "Mul_constant",
    # Approximations of functions.
    "Softmax", "Sigmoid", "Tanh", "Elu", "Exp", "Erf", "HardSwish")
# With QuantizeLinear and DequantizeLinear around them these become operators of integers, but for activations of int8 on x86 processors.
FUSED_OF_UINT8 = ("Conv", "Conv_1d", "MatMul", "MatMul_batch")
OF_INT8 = " of int8"
FREQUENT = {
    # Halves are frequent, or a table behind the operator rounds again.
    "AveragePool_padded": Bound(1, 0.06), "Resize_linear": Bound(1, 0.15),
    # Positions are multiples of 1/1024 pixel in TensorFlow Lite.
    "Resize_linear_corners": Bound(2, 0.5),
}  # yapf: disable
# TensorFlow Lite's Softmax has other exponentials.
SOFTMAX = Bound(1, 0.4)
BOUNDS = {
    "single": {**FREQUENT, "Softmax": SOFTMAX, "network with Softmax": SOFTMAX},
    # Networks have operators of all kinds.
    "float": {**FREQUENT, **{name: RARE for name in IN_FLOATS}, **{name + OF_INT8: RARE for name in FUSED_OF_UINT8}, "network": Bound(1, 0.01),
              "network with Softmax": Bound(1, 0.01)},
}


def kind_of(case, dtype, integer_operator):
    """What bound() takes for a model of one operator."""
    return case + OF_INT8 if case in FUSED_OF_UINT8 and dtype == np.int8 and integer_operator is None else case


def bound(kind, rounding):
    return BOUNDS[rounding].get(kind, SINGLE if rounding == "single" else Bound())


def expected(model, feeds):
    """ONNX Runtime's first output."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options).run(None, feeds)[0]


def steps(model, feeds, rounding, scale=1):
    """By how many steps of that scale each result differs from ONNX Runtime's. `model`: bytes or a file."""
    want = expected(model if isinstance(model, bytes) else str(model), feeds)
    got = tpu.load(model, rounding=rounding)(*feeds.values())
    assert got.dtype == want.dtype and got.shape == want.shape, f"{got.dtype} {got.shape}, not {want.dtype} {want.shape}"
    return np.rint(np.abs(got.astype(np.float64) - want) / scale).astype(int)
