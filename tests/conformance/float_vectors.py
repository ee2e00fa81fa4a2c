#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes models/float_vectors: small float32 models with inputs and the outputs of TensorFlow Lite Micro.

    float_vectors.py FOLDER

The same versions of the packages (requirements.txt) write the same bytes. models/float_vectors/README.md describes the files.
"""
import pathlib
import sys
import zlib

import numpy as np
from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema

from model_builder import ModelBuilder, serialise
from reference import Reference

SAME = schema.Padding.SAME
ACTIVATION = schema.ActivationFunctionType


def options(kind, **fields):
    result = getattr(schema, kind + "OptionsT")()
    for name, value in fields.items():
        setattr(result, name, value)
    return result


class Net:
    """A model in the making. Tensors are indices."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.builder = ModelBuilder()
        self.graph = self.builder.graph

    def input(self, *shape):
        self.graph.inputs.append(self.builder.tensor(shape, "float32"))
        return self.graph.inputs[-1]

    def weights(self, *shape):
        return self.builder.tensor(shape, "float32", data=self.random.uniform(-1, 1, shape))

    def floats(self, *values):
        return self.builder.tensor((len(values),), "float32", data=values)

    def integers(self, values):
        return self.builder.tensor(np.shape(values), "int32", data=values)

    def make(self, name, inputs, shape, how=None, dtype="float32", **quantisation):
        output = self.builder.tensor(shape, dtype, **quantisation)
        self.builder.operator(name, inputs, [output], how)
        return output


# Each recipe takes a Net and gives the outputs.
RECIPES = {}


def recipe(name):
    def add(function):
        RECIPES[name] = function
        return function
    return add


def unary(name, how=None, positive=False):
    def build(n):
        x = n.input(2, 5, 19)
        if positive:
            x = n.make("EXP", [x], (2, 5, 19), options("Exp"))
        return n.make(name, [x], (2, 5, 19), how)
    RECIPES[name.lower()] = build


for name in ("RELU", "RELU6", "LOGISTIC", "TANH", "HARD_SWISH"):
    unary(name)
for name, kind in (("NEG", "Neg"), ("ABS", "Abs"), ("EXP", "Exp"), ("SQUARE", "Square")):
    unary(name, options(kind))
for name in ("LOG", "SQRT", "RSQRT"):
    unary(name, positive=True)
unary("LEAKY_RELU", options("LeakyRelu", alpha=0.2))
unary("SOFTMAX", options("Softmax", beta=1.0))


def binary(name, how):
    def build(n, second):
        x = n.input(1, 3, 4, 21)
        return n.make(name, [x, second(n)], (1, 3, 4, 21), how)
    RECIPES[name.lower()] = lambda n: build(n, lambda n: n.input(1, 3, 4, 21))
    RECIPES[name.lower() + "_broadcast"] = lambda n: build(n, lambda n: n.input(1, 1, 4, 1))
    RECIPES[name.lower() + "_constant"] = lambda n: build(n, lambda n: n.floats(1.3))


for name, how in (("ADD", options("Add", fusedActivationFunction=ACTIVATION.RELU)), ("SUB", options("Sub")), ("MUL", options("Mul")),
                  ("MAXIMUM", options("MaximumMinimum")), ("MINIMUM", options("MaximumMinimum")),
                  ("SQUARED_DIFFERENCE", options("SquaredDifference"))):
    binary(name, how)


@recipe("div")
def div(n):
    divisor = n.make("EXP", [n.input(1, 3, 1, 21)], (1, 3, 1, 21), options("Exp"))
    return n.make("DIV", [n.input(1, 3, 4, 21), divisor], (1, 3, 4, 21), options("Div"))


@recipe("prelu")
def prelu(n):
    return n.make("PRELU", [n.input(1, 3, 4, 21), n.weights(1, 1, 21)], (1, 3, 4, 21))


def conv(n, x, shape, kernel, channels, stride=1, activation=ACTIVATION.RELU6):
    how = options("Conv2D", padding=SAME, strideH=stride, strideW=stride, fusedActivationFunction=activation)
    weights = n.weights(shape[3], kernel, kernel, channels)
    return n.make("CONV_2D", [x, weights, n.weights(shape[3])], shape, how)


def depthwise(n, x, shape, multiplier=1):
    how = options("DepthwiseConv2D", padding=SAME, strideH=1, strideW=1, depthMultiplier=multiplier)
    return n.make("DEPTHWISE_CONV_2D", [x, n.weights(1, 3, 3, shape[3]), n.weights(shape[3])], shape, how)


RECIPES["conv_2d"] = lambda n: conv(n, n.input(2, 7, 9, 19), (2, 4, 5, 23), 3, 19, stride=2)
RECIPES["conv_2d_pointwise"] = lambda n: conv(n, n.input(1, 5, 5, 33), (1, 5, 5, 18), 1, 33, activation=ACTIVATION.NONE)
RECIPES["conv_2d_few_channels"] = lambda n: conv(n, n.input(1, 11, 10, 3), (1, 6, 5, 17), 3, 3, stride=2)
RECIPES["depthwise_conv_2d"] = lambda n: depthwise(n, n.input(1, 6, 7, 19), (1, 6, 7, 19))
RECIPES["depthwise_conv_2d_multiplier"] = lambda n: depthwise(n, n.input(1, 6, 7, 5), (1, 6, 7, 10), multiplier=2)


@recipe("transpose_conv")
def transpose_conv(n):
    how = options("TransposeConv", padding=SAME, strideH=2, strideW=2)
    return n.make("TRANSPOSE_CONV", [n.integers([1, 6, 8, 9]), n.weights(9, 3, 3, 7), n.input(1, 3, 4, 7)], (1, 6, 8, 9), how)


def dense(n, x, rows, inputs, outputs, activation=ACTIVATION.NONE):
    return n.make("FULLY_CONNECTED", [x, n.weights(outputs, inputs), n.weights(outputs)], (rows, outputs),
                  options("FullyConnected", fusedActivationFunction=activation))


RECIPES["fully_connected"] = lambda n: dense(n, n.input(5, 70), 5, 70, 33, ACTIVATION.RELU)


def behind_pole(name, convolve, title):
    """A convolution of a function that is infinite at zero, which lanes without a channel hold."""
    shape = (1, 4, 5, 19)

    def build(n):
        positive = n.make("ABS", [n.input(*shape)], shape, options("Abs"))
        return convolve(n, n.make(name, [positive], shape))
    RECIPES[f"{name.lower()}_{title}"] = build


for name in ("LOG", "RSQRT"):
    behind_pole(name, lambda n, x: conv(n, x, (1, 4, 5, 7), 1, 19), "conv_2d")
    behind_pole(name, lambda n, x: depthwise(n, x, (1, 4, 5, 19)), "depthwise_conv_2d")


def pool(name):
    how = options("Pool2D", padding=SAME, strideH=2, strideW=2, filterHeight=3, filterWidth=3)
    RECIPES[name.lower()] = lambda n: n.make(name, [n.input(1, 7, 9, 19)], (1, 4, 5, 19), how)


pool("AVERAGE_POOL_2D")
pool("MAX_POOL_2D")


def reduce(name, axes, shape):
    how = options("Reducer", keepDims=True)
    title = f"{name.lower()}_{'_'.join(map(str, axes))}"
    RECIPES[title] = lambda n: n.make(name, [n.input(2, 3, 4, 21), n.integers(axes)], shape, how)


for name in ("MEAN", "SUM"):
    reduce(name, (1, 2), (2, 1, 1, 21))
    reduce(name, (3,), (2, 3, 4, 1))


def moved(title, name, shape, output, how=None, constants=lambda n: []):
    """Behind a function, so that bfloat16 is what moves."""
    def build(n):
        x = n.make("TANH", [n.input(*shape)], shape)
        return n.make(name, [x, *constants(n)], output, how)
    RECIPES[title] = build


moved("transpose", "TRANSPOSE", (2, 3, 4, 5), (2, 5, 3, 4), options("Transpose"), lambda n: [n.integers([0, 3, 1, 2])])
moved("pad", "PAD", (1, 3, 4, 5), (1, 5, 4, 6), options("Pad"), lambda n: [n.integers([[0, 0], [1, 1], [0, 0], [0, 1]])])
moved("padv2", "PADV2", (1, 3, 4, 5), (1, 5, 4, 6), options("PadV2"),
      lambda n: [n.integers([[0, 0], [1, 1], [0, 0], [0, 1]]), n.floats(-2)])
moved("strided_slice", "STRIDED_SLICE", (1, 6, 4, 5), (1, 3, 4, 5), options("StridedSlice"),
      lambda n: [n.integers([0, 0, 0, 0]), n.integers([1, 6, 4, 5]), n.integers([1, 2, 1, 1])])
moved("resize_nearest_neighbor", "RESIZE_NEAREST_NEIGHBOR", (1, 3, 4, 5), (1, 6, 8, 5), options("ResizeNearestNeighbor"),
      lambda n: [n.integers([6, 8])])
for half in (False, True):
    moved(f"resize_bilinear{'_half_pixel_centers' * half}", "RESIZE_BILINEAR", (1, 3, 4, 5), (1, 6, 8, 5),
          options("ResizeBilinear", halfPixelCenters=half), lambda n: [n.integers([6, 8])])


@recipe("concatenation")
def concatenation(n):
    a = n.make("TANH", [n.input(1, 3, 4, 5)], (1, 3, 4, 5))
    b = n.make("RELU", [n.input(1, 3, 4, 7)], (1, 3, 4, 7))
    return n.make("CONCATENATION", [a, b], (1, 3, 4, 12), options("Concatenation", axis=3))


def matmul(adj_x, adj_y):
    def build(n):
        a = n.input(*((2, 19, 7) if adj_x else (2, 7, 19)))
        b = n.input(*((2, 21, 19) if adj_y else (2, 19, 21)))
        return n.make("BATCH_MATMUL", [a, b], (2, 7, 21), options("BatchMatMul", adjX=adj_x, adjY=adj_y))
    RECIPES[f"batch_matmul{'_adj_x' * adj_x}{'_adj_y' * adj_y}"] = build


matmul(False, False)
matmul(True, False)
matmul(False, True)


@recipe("layer_normalisation")
def layer_normalisation(n):
    x, last = n.input(6, 19), n.integers([1])
    mean = n.make("MEAN", [x, last], (6, 1), options("Reducer", keepDims=True))
    square = n.make("SQUARED_DIFFERENCE", [x, mean], (6, 19), options("SquaredDifference"))
    variance = n.make("MEAN", [square, last], (6, 1), options("Reducer", keepDims=True))
    factor = n.make("RSQRT", [n.make("ADD", [variance, n.floats(0.001)], (6, 1), options("Add"))], (6, 1))
    centred = n.make("SUB", [x, mean], (6, 19), options("Sub"))
    return n.make("MUL", [n.make("MUL", [centred, factor], (6, 19), options("Mul")), n.weights(19)], (6, 19), options("Mul"))


@recipe("network")
def network(n):
    """A stem, an inverted residual, a mean, a classifier."""
    stem = conv(n, n.input(1, 12, 12, 3), (1, 6, 6, 24), 3, 3, stride=2)
    wide = conv(n, stem, (1, 6, 6, 48), 1, 24)
    deep = depthwise(n, wide, (1, 6, 6, 48))
    narrow = conv(n, deep, (1, 6, 6, 24), 1, 48, activation=ACTIVATION.NONE)
    total = n.make("ADD", [stem, narrow], (1, 6, 6, 24), options("Add"))
    mean = n.make("MEAN", [total, n.integers([1, 2])], (1, 24), options("Reducer", keepDims=False))
    return dense(n, mean, 1, 24, 10)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    reference = Reference()
    for name, build in sorted(RECIPES.items()):
        net = Net(zlib.crc32(name.encode()))
        net.graph.outputs = [build(net)]
        model = serialise(net.builder.model)
        shapes = [tuple(net.graph.tensors[i].shape) for i in net.graph.inputs]
        inputs = [net.random.uniform(-2, 2, shape).astype(np.float32) for shape in shapes]
        outputs = reference.run(model, inputs, 1)
        (folder / f"{name}.tflite").write_bytes(model)
        (folder / f"{name}.data").write_bytes(b"".join(np.ascontiguousarray(a).tobytes() for a in [*inputs, *outputs]))
    print(f"{len(RECIPES)} vectors")


if __name__ == "__main__":
    main()
