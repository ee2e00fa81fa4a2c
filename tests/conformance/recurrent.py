# SPDX-License-Identifier: Apache-2.0
"""Operators with a state. Each function adds one to a net, with random shapes and quantisation."""
import math

import numpy as np
from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema

from choices import random_words
from net import options

SIZES = [1, 2, 3, 4, 8, 16, 5, 7, 15, 17, 20, 33]


def variable(n, shape, dtype, scale, zero):
    """A tensor that keeps its contents from run to run."""
    index = n.b.tensor(shape, dtype, [scale], [zero])
    n.b.graph.tensors[index].isVariable = True
    return index


def weights(n, shape, terms):
    """Of such a scale that sums of `terms` products with numbers of about 1 are of about 1."""
    scale = float(np.float32((0.5 + n.c.below(1 << 12) / (1 << 12)) / 127 / math.sqrt(terms) * n.c.pick([1, 4, 0.25])))
    return n.constant(n.weights(math.prod(shape)), "int8", shape, [scale], [0]), scale


def lstm(n):
    n.runs = n.c.pick([1, 2, 3])
    dtype = n.c.pick(["int8", "int16"])
    batch, steps, inputs, cells = n.c.pick([1, 1, 2, 3]), n.c.pick([2, 1, 3, 5, 8]), n.c.pick(SIZES), n.c.pick(SIZES)
    time_major = n.c.chance(30)
    shape = (steps, batch, inputs) if time_major else (batch, steps, inputs)
    one = 1 / 128 if dtype == "int8" else 1 / 32768
    scale = float(np.float32(one * (0.5 + n.c.below(1 << 12) / (1 << 12)) * n.c.pick([1, 4])))
    x = n.take((3,), dtype, lambda a: a.shape == shape, shape, scale=scale, zero=n.zero(dtype))
    hidden_scale = float(np.float32(one * n.c.pick([1.0, 0.9997, 0.37, 2.0])))
    hidden_zero = n.c.pick([0, 0, n.zero()]) if dtype == "int8" else 0
    out_shape = (*shape[:2], cells)
    y = n.add(out_shape, dtype, hidden_scale, hidden_zero)
    gates = [weights(n, (cells, inputs), inputs) for _ in range(4)]
    recurrent = [weights(n, (cells, cells), cells) for _ in range(4)]
    biases = []
    for _, weight_scale in gates:
        reach = n.c.pick([0, 1 << 6, 1 << 10]) * (1 if dtype == "int8" else 256)
        values = random_words(n.c.below(1 << 16), cells).astype(np.int64) % (2 * reach + 1) - reach
        biases.append(n.constant(values, "int32" if dtype == "int8" else "int64", None, [float(np.float32(x.scale * weight_scale))], [0]))
    hidden = variable(n, (batch, cells), dtype, hidden_scale, hidden_zero)
    cell = variable(n, (batch, cells), "int16", 2.0**-n.c.pick([11, 12, 13, 10, 9, 14]), 0)
    left_out = [-1] * 3
    n.operator("UNIDIRECTIONAL_SEQUENCE_LSTM",
               [x, *(w for w, _ in gates), *(w for w, _ in recurrent), *left_out, *biases, -1, -1, hidden, cell, -1, -1, -1, -1], [y],
               options("UnidirectionalSequenceLSTM", fusedActivationFunction=schema.ActivationFunctionType.TANH,
                       cellClip=n.c.pick([0.0, 10.0, 1.0, 0.25]), timeMajor=time_major))
    # What converters add for the quantisation of the gates; no kernel of these types looks at it.
    op = n.b.graph.operators[-1]
    op.intermediates = [n.b.tensor((0,), "float32") for _ in range(4)] + [n.b.tensor((0,), dtype, [hidden_scale], [hidden_zero])]


def svdf(n):
    n.runs = n.c.pick([3, 4, 12])
    batch, inputs, rank, units, memory = n.c.pick([1, 1, 2, 3]), n.c.pick(SIZES), n.c.pick([1, 2, 3]), n.c.pick(SIZES), n.c.pick([4, 1, 2, 3, 8, 10])
    filters = units * rank
    x = n.take((2,), shape=(batch, inputs), fits=lambda a: a.shape == (batch, inputs))
    width = n.c.pick(["int16", "int8"])
    features, features_scale = weights(n, (filters, inputs), inputs)
    time_scale = n.scale()
    time = n.constant(n.numbers(filters * memory, width) if width == "int8" else
                      n.numbers(filters * memory, width) // n.c.pick([1, 64]), width, (filters, memory), [time_scale], [0])
    state_scale = n.result_scale(x.scale * features_scale)
    zero = n.zero() if width == "int8" else 0
    state = variable(n, (batch, filters * memory), width, state_scale, zero)
    out = n.add((batch, units), "int8", n.result_scale(state_scale * time_scale), n.zero())
    reach = n.c.pick([0, 1 << 8, 1 << 16])
    values = random_words(n.c.below(1 << 16), units).astype(np.int64) % (2 * reach + 1) - reach
    bias = n.constant(values, "int32", None, [float(np.float32(state_scale * time_scale))], [0])
    n.operator("SVDF", [x, features, time, bias, state], [out],
               options("SVDF", rank=rank, fusedActivationFunction=n.c.pick([schema.ActivationFunctionType.RELU, 0])))


RECURRENT_OPERATORS = {"UNIDIRECTIONAL_SEQUENCE_LSTM": lstm, "SVDF": svdf}
