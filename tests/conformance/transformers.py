# SPDX-License-Identifier: Apache-2.0
"""Parts of transformers on int8, as converters write them. Each function adds one to a net."""
import math

import numpy as np
from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema

import compute
from net import Activation, options


def made(n, name, inputs, out, opts=None):
    """The operator's output, and its inputs are used."""
    n.operator(name, inputs, [out], opts)
    for i in inputs:
        if isinstance(i, Activation):
            i.uses += 1
    return out


def result(n, shape, unit, zero=None):
    """A tensor whose integers are about as large as those of products that are worth `unit` each, of two int8 numbers."""
    middle = 1.0 if n.powers else 0.5 + n.c.below(1 << 12) / (1 << 12)
    return n.add(shape, "int8", float(unit * 100 / middle), n.zero() if zero is None else zero)


def projection(n, x):
    width = x.shape[-1]
    w, scales = compute.product_weights(n, x, (width, width), width, 0)
    out = result(n, x.shape, x.scale * max(scales) * math.sqrt(width))
    return made(n, "FULLY_CONNECTED", [x, w, *compute.bias(n, x, scales, width, out)], out, options("FullyConnected", keepNumDims=True))


def reshaped(n, x, shape):
    return made(n, "RESHAPE", [x, n.constant(shape)], n.add(shape, "int8", x.scale, x.zero), options("Reshape", newShape=list(shape)))


def transposed(n, x, permutation):
    shape = tuple(x.shape[a] for a in permutation)
    return made(n, "TRANSPOSE", [x, n.constant(permutation)], n.add(shape, "int8", x.scale, x.zero), options("Transpose"))


def product(n, a, b, adjoint=False):
    columns, terms = b.shape[-2:] if adjoint else b.shape[:-3:-1]
    out = result(n, (*a.shape[:-1], columns), a.scale * b.scale * math.sqrt(terms))
    return made(n, "BATCH_MATMUL", [a, b], out, options("BatchMatMul", adjY=adjoint))


def scaled(n, x):
    """Times a constant, which is the largest integer there is."""
    scale = n.c.pick([0.001, 0.0004, 0.002])
    factor = n.constant([127], "int8", (), [scale], [-128])
    return made(n, "MUL", [x, factor], n.add(x.shape, "int8", x.scale * scale * 255, x.zero), options("Mul"))


def attention(n):
    """Of several heads, with the projections that make its three operands."""
    n.reuse = 90
    heads, size = n.c.pick([1, 2, 4]), n.c.pick([4, 8, 16, 5])
    x = n.take((3,), shape=(n.c.pick([1, 1, 2]), n.c.pick([4, 7, 16, 19]), heads * size))
    cut = (*x.shape[:2], heads, size)
    queries, keys, values = (reshaped(n, projection(n, x), cut) for _ in range(3))
    queries, values = transposed(n, queries, (0, 2, 1, 3)), transposed(n, values, (0, 2, 1, 3))
    if n.c.chance(50):
        scores = product(n, queries, transposed(n, keys, (0, 2, 3, 1)))
    else:
        scores = product(n, queries, transposed(n, keys, (0, 2, 1, 3)), adjoint=True)
    scores = scaled(n, scores)
    shares = made(n, "SOFTMAX", [scores], n.add(scores.shape, "int8", 1 / 256, -128), options("Softmax", beta=1.0))
    joined = reshaped(n, transposed(n, product(n, shares, values), (0, 2, 1, 3)), x.shape)
    out = projection(n, joined)
    total = result(n, x.shape, max(x.scale, out.scale) / 50)
    return made(n, "ADD", [x, out], total, options("Add", fusedActivationFunction=schema.ActivationFunctionType.NONE))


def between(n, shape):
    """A tensor of float32 that is no output: machines without bf16 have none but those of tables."""
    a = n.add(shape, "float32")
    n.activations.remove(a)
    return a


def negated(n, x):
    """On float32, for want of an operator on int8."""
    negative = made(n, "NEG", [made(n, "DEQUANTIZE", [x], between(n, x.shape))], between(n, x.shape), options("Neg"))
    return made(n, "QUANTIZE", [negative], n.add(x.shape, "int8", x.scale, min(127, max(-128, -1 - x.zero))))


def layer_normalisation(n, x=None):
    x = n.take((3, 2, 4)) if x is None else x
    last, small = n.constant([len(x.shape) - 1]), (*x.shape[:-1], 1)

    def mul(a, b, shape):
        return made(n, "MUL", [a, b], result(n, shape, a.scale * b.scale), options("Mul"))

    def channel_constant():
        scale, zero = n.scale(), n.zero()
        values = n.numbers(x.shape[-1], "int8")
        return Activation(n.constant(values, "int8", (x.shape[-1],), [scale], [zero]), (x.shape[-1],), "int8", scale, zero)

    mean = made(n, "MEAN", [x, last], n.add(small, "int8", x.scale / n.c.pick([1, 4, 20]), n.zero()), options("Reducer", keepDims=True))
    square = made(n, "SQUARED_DIFFERENCE", [x, mean], result(n, x.shape, x.scale**2, -128), options("SquaredDifference"))
    variance = made(n, "MEAN", [square, last], n.add(small, "int8", square.scale / n.c.pick([1, 4]), -128), options("Reducer", keepDims=True))
    least = n.constant([127], "int8", (), [float(variance.scale / 2000)], [-128])
    raised = made(n, "ADD", [variance, least], n.add(small, "int8", variance.scale, -128), options("Add"))
    factor = made(n, "RSQRT", [raised], n.add(small, "int8", float(raised.scale**-0.5 / 255), -128))
    weights = mul(factor, channel_constant(), x.shape)
    offset = mul(negated(n, mean), weights, x.shape)
    shifted = made(n, "ADD", [offset, channel_constant()], n.add(x.shape, "int8", offset.scale, offset.zero), options("Add"))
    product_ = mul(x, weights, x.shape)
    made(n, "ADD", [product_, shifted], result(n, x.shape, max(product_.scale, shifted.scale) / 50), options("Add"))


def transformer(n):
    layer_normalisation(n, attention(n))


def functions_of_bytes(n):
    """Functions on float32 between DEQUANTIZE and QUANTIZE; operations with one number are such, too."""
    x = n.take((2, 4, 1))
    wide = made(n, "DEQUANTIZE", [x], between(n, x.shape))
    for _ in range(n.c.between(1, 3)):
        name = n.c.pick(["NEG", "ABS", "SQUARE", "ADD", "SUB", "MUL", "DIV"])
        named = name.capitalize()
        operands = [wide]
        if name in ("ADD", "SUB", "MUL", "DIV"):
            number = n.constant(np.float32([n.c.pick([0.5, 3, -1.25, 0.1, 100])]), "float32", n.c.pick([(), (1,)]))
            operands = [number, wide] if name != "DIV" and n.c.chance(40) else [wide, number]
        wide = made(n, name, operands, between(n, x.shape), options(named) if hasattr(schema, named + "OptionsT") else None)
    made(n, "QUANTIZE", [wide], n.add(x.shape, "int8", n.scale(), n.zero()))
