# SPDX-License-Identifier: Apache-2.0
"""Random small models, of every operator that src/frontends/tflite/operators.def names, and of several.

A model follows from a list of choices (choices.py), in which smaller numbers are simpler: so any list can be replayed and made smaller.
"""
import functools
import math
from dataclasses import dataclass, field

import numpy as np
from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema

import compute
import moves
import operator_table
import transformers
from choices import Choices
from control import CONTROL_OPERATORS
from host import HOST_OPERATORS
from model_builder import serialise
from net import Net, options
from oddities import ODDITIES, add_oddities
from recurrent import RECURRENT_OPERATORS
from signal_library import SIGNAL_OPERATORS


def shape_of(n):
    """A RESHAPE to a shape that operators compute from the input's."""
    x = n.take((4, 3))
    rank = len(x.shape)
    whole = n.add((rank,), "int32")
    n.operator("SHAPE", [x], [whole], options("Shape", outType=schema.TensorType.INT32))
    first = n.add((1,), "int32")
    n.operator("STRIDED_SLICE", [whole, n.constant([0]), n.constant([1]), n.constant([1])], [first], options("StridedSlice"))
    for a in (whole, first):
        a.uses += 1
        n.activations.remove(a)
    new = n.add((2,), "int32")
    n.operator("CONCATENATION", [first, n.constant([math.prod(x.shape[1:])])], [new], options("Concatenation", axis=0))
    n.activations.remove(new)
    moves.move(n, "RESHAPE", [x, new], x, (x.shape[0], math.prod(x.shape[1:])))


OPERATORS = {
    "CONV_2D": compute.conv_2d,
    "DEPTHWISE_CONV_2D": compute.depthwise_conv_2d,
    "TRANSPOSE_CONV": compute.transpose_conv,
    "FULLY_CONNECTED": compute.fully_connected,
    "BATCH_MATMUL": compute.batch_matmul,
    "AVERAGE_POOL_2D": lambda n: compute.pool(n, "AVERAGE_POOL_2D"),
    "MAX_POOL_2D": lambda n: compute.pool(n, "MAX_POOL_2D"),
    "MEAN": lambda n: compute.reduce(n, "MEAN"),
    "SUM": lambda n: compute.reduce(n, "SUM"),
    "ADD": lambda n: compute.add_or_sub(n, "ADD"),
    "SUB": lambda n: compute.add_or_sub(n, "SUB"),
    "MUL": compute.mul,
    "DIV": compute.div,
    "SQUARED_DIFFERENCE": compute.squared_difference,
    "ADD_N": compute.add_n,
    "MAXIMUM": lambda n: compute.extreme(n, "MAXIMUM"),
    "MINIMUM": lambda n: compute.extreme(n, "MINIMUM"),
    "RELU": lambda n: compute.unary(n, "RELU"),
    "RELU6": compute.relu6,
    "RELU_N1_TO_1": lambda n: compute.unary(n, "RELU_N1_TO_1"),
    "LEAKY_RELU": lambda n: compute.unary(n, "LEAKY_RELU"),
    "PRELU": compute.prelu,
    "LOGISTIC": lambda n: compute.sigmoid(n, "LOGISTIC", 1 / 256, -128),
    "TANH": lambda n: compute.sigmoid(n, "TANH", 1 / 128, 0),
    "HARD_SWISH": compute.hard_swish,
    "ELU": lambda n: compute.unary(n, "ELU"),
    "ABS": compute.absolute,
    "RSQRT": compute.rsqrt,
    "QUANTIZE": compute.quantize,
    "DEQUANTIZE": compute.dequantize,
    "SOFTMAX": compute.softmax,
    "L2_NORMALIZATION": compute.l2_normalization,
    "ARG_MAX": lambda n: compute.arg_extreme(n, "ARG_MAX"),
    "ARG_MIN": lambda n: compute.arg_extreme(n, "ARG_MIN"),
    "RESHAPE": moves.reshape,
    "SQUEEZE": moves.squeeze,
    "EXPAND_DIMS": moves.expand_dims,
    "PAD": lambda n: moves.pad(n, "PAD"),
    "PADV2": lambda n: moves.pad(n, "PADV2"),
    "CONCATENATION": moves.concatenation,
    "SPLIT": moves.split,
    "SPLIT_V": moves.split_v,
    "SLICE": moves.slice_,
    "STRIDED_SLICE": moves.strided_slice,
    "PACK": moves.pack,
    "UNPACK": moves.unpack,
    "TRANSPOSE": moves.transpose,
    "GATHER": moves.gather,
    "SPACE_TO_BATCH_ND": lambda n: moves.space_to_batch(n, "SPACE_TO_BATCH_ND"),
    "BATCH_TO_SPACE_ND": lambda n: moves.space_to_batch(n, "BATCH_TO_SPACE_ND"),
    "SPACE_TO_DEPTH": moves.space_to_depth,
    "DEPTH_TO_SPACE": moves.depth_to_space,
    "TILE": moves.tile,
    "RESIZE_NEAREST_NEIGHBOR": lambda n: moves.resize(n, "RESIZE_NEAREST_NEIGHBOR", "ResizeNearestNeighbor"),
    "RESIZE_BILINEAR": lambda n: moves.resize(n, "RESIZE_BILINEAR", "ResizeBilinear"),
    "SHAPE": shape_of,
}
# On float32 there are these, too; those with a name from above stand for the ones above.
FLOAT_OPERATORS = {
    "NEG": lambda n: compute.function(n, "NEG"),
    "EXP": lambda n: compute.function(n, "EXP"),
    "LOG": lambda n: compute.function(n, "LOG"),
    "SQRT": lambda n: compute.function(n, "SQRT"),
    "SQUARE": lambda n: compute.function(n, "SQUARE"),
    "QUANTIZE": compute.quantize_floats,
    "DEQUANTIZE": compute.dequantize_to_floats,
}
# What a convolutional network is made of, more often than the rest.
COMMON = ["CONV_2D", "DEPTHWISE_CONV_2D", "ADD", "FULLY_CONNECTED", "AVERAGE_POOL_2D", "MAX_POOL_2D", "PAD", "CONCATENATION", "MUL", "RELU",
          "LOGISTIC", "HARD_SWISH", "QUANTIZE", "MEAN", "RESHAPE"]
FLOAT_COMMON = [name for name in COMMON if name != "QUANTIZE"] + ["BATCH_MATMUL", "SOFTMAX", "DIV", "SUB", "TANH"]
# What the compiler takes on int16.
INT16_NAMES = [
    "CONV_2D", "DEPTHWISE_CONV_2D", "TRANSPOSE_CONV", "FULLY_CONNECTED", "BATCH_MATMUL", "AVERAGE_POOL_2D", "MAX_POOL_2D", "MEAN", "SUM", "ADD", "SUB", "MUL",
    "MAXIMUM", "MINIMUM", "SQUARED_DIFFERENCE", "RELU", "RELU6", "LEAKY_RELU", "LOGISTIC", "TANH", "QUANTIZE", "DEQUANTIZE", "SOFTMAX", "ARG_MAX", "ARG_MIN", "RESHAPE",
    "SQUEEZE", "EXPAND_DIMS", "PAD", "PADV2", "CONCATENATION", "SPLIT", "SPLIT_V", "SLICE", "STRIDED_SLICE", "PACK", "UNPACK", "TRANSPOSE", "GATHER",
    "SPACE_TO_DEPTH", "DEPTH_TO_SPACE", "TILE", "RESIZE_NEAREST_NEIGHBOR", "SHAPE"]
INT16_OPERATORS = {name: OPERATORS[name] for name in INT16_NAMES}
INT16_COMMON = ["CONV_2D", "DEPTHWISE_CONV_2D", "ADD", "FULLY_CONNECTED", "AVERAGE_POOL_2D", "MAX_POOL_2D", "PAD", "CONCATENATION", "MUL", "SUB",
                "RELU", "LEAKY_RELU", "LOGISTIC", "TANH", "MEAN", "QUANTIZE", "RESHAPE"]
# On int8 those, in which the two versions of TensorFlow Lite Micro (int16_requirements.txt) do not differ.
SAME_ON_INT8 = ["CONV_2D", "DEPTHWISE_CONV_2D", "ADD", "AVERAGE_POOL_2D", "MAX_POOL_2D", "MUL", "MEAN", "MAXIMUM", "RELU6", "RESHAPE",
                "CONCATENATION", "TRANSPOSE", "PAD"]
MISSING_IN_TFLM = ("RELU_N1_TO_1", "TILE")
MISSING_IN_TFLM_ON_INT16 = ("ARG_MAX", "ARG_MIN", "GATHER", "SPACE_TO_DEPTH", "DEPTH_TO_SPACE")
INT8_ALONE = sorted(operator_table.int8_names())


def graph(n):
    """Operators at random, each mostly behind others."""
    n.reuse = 90
    operators = {**OPERATORS, **FLOAT_OPERATORS} if n.floats else INT16_OPERATORS if n.type == "int16" else OPERATORS
    left_out = (*MISSING_IN_TFLM, *(MISSING_IN_TFLM_ON_INT16 if n.type == "int16" else ()), *(INT8_ALONE if n.floats else ()), "SHAPE")
    names = [name for name in operators if name not in left_out]
    common = FLOAT_COMMON if n.floats else INT16_COMMON if n.type == "int16" else COMMON
    for _ in range(n.c.between(1, 8)):
        operators[n.c.pick(common if n.c.below(2) == 0 else names)](n)


def network(n):
    """A small convolutional network with a residual connection."""
    n.reuse = 100
    compute.conv_2d(n)
    for _ in range(n.c.between(0, 2)):
        compute.depthwise_conv_2d(n)
        compute.conv_2d(n)
        if n.c.chance(70):
            compute.add_or_sub(n, "ADD")
    compute.pool(n, n.c.pick(["AVERAGE_POOL_2D", "MAX_POOL_2D"]))
    if n.c.chance(50):
        compute.reduce(n, "MEAN")
    else:
        compute.fully_connected(n)
    compute.softmax(n)


def tables(n, name):
    """Functions of one value, each of all 256 values, with several quantisations."""
    n.all_bytes = True
    for _ in range(n.c.between(1, 12)):
        OPERATORS[name](n)


def attention(n):
    """Of one head, with the projections that make its three operands."""
    n.reuse = 90
    x = n.take((3,))
    rows, width = x.shape[1:]
    parts = []
    for _ in range(3):
        out = n.add(x.shape)
        n.operator("FULLY_CONNECTED", [x, n.constant(n.reals(width * width), "float32", (width, width))], [out],
                   options("FullyConnected", keepNumDims=True))
        out.uses += 1
        parts.append(out)
    scores, scaled, shares = (n.add((x.shape[0], rows, rows)) for _ in range(3))
    for a in (scores, scaled, shares):
        a.uses += 1
    n.operator("BATCH_MATMUL", parts[:2], [scores], options("BatchMatMul", adjY=True))
    n.operator("MUL", [scores, n.constant([width**-0.5], "float32")], [scaled], options("Mul"))
    n.operator("SOFTMAX", [scaled], [shares], options("Softmax", beta=1.0))
    n.operator("BATCH_MATMUL", [shares, parts[2]], [n.add(x.shape)], options("BatchMatMul"))


def transformer(n):
    attention(n)
    compute.layer_normalisation(n)


def mixed(n):
    """Operators on int8, on float32, and moves of int8."""
    n.reuse, n.type = 100, "int8"
    for _ in range(n.c.below(4)):
        OPERATORS[n.c.pick(["CONV_2D", "DEPTHWISE_CONV_2D", "ADD", "FULLY_CONNECTED", "AVERAGE_POOL_2D", "MAX_POOL_2D", "MUL"])](n)
    x = n.take((4, 2))
    out = n.add(x.shape, "float32")
    n.operator("DEQUANTIZE", [x], [out])
    n.type, n.activations = "float32", [out]
    for _ in range(n.c.between(1, 4)):
        {**OPERATORS, **FLOAT_OPERATORS}[n.c.pick([name for name in FLOAT_COMMON if name != "RESHAPE"])](n)
    x = n.take((4, 2, 3, 1, 5))
    out = n.add(x.shape, "int8", n.scale(), n.zero())
    n.operator("QUANTIZE", [x], [out])
    n.type = "int8"
    for _ in range(n.c.below(3)):
        OPERATORS[n.c.pick(["RESHAPE", "TRANSPOSE", "SLICE", "STRIDED_SLICE", "SPLIT"])](n)
    if n.c.chance(50):
        x = n.take((4, 2, 3, 1, 5))
        n.operator("DEQUANTIZE", [x], [n.add(x.shape, "float32")])


def mixed_widths(n):
    """Operators on int8 and on int16, with QUANTIZE in between."""
    n.reuse, n.type = 100, n.c.pick(["int8", "int16"])
    for _ in range(n.c.between(1, 3)):
        for _ in range(n.c.between(1, 3)):
            OPERATORS[n.c.pick(SAME_ON_INT8 if n.type == "int8" else INT16_COMMON[:-2])](n)
        x = n.take((4, 2, 3, 1, 5))
        n.type = "int8" if n.type == "int16" else "int16"
        n.operator("QUANTIZE", [x], [n.add(x.shape, n.type, n.result_scale(x.scale), n.zero())])


# Functions of int8 values; the compiler or the host makes tables of them.
TABLES = ["RELU", "RELU6", "RELU_N1_TO_1", "LEAKY_RELU", "PRELU", "LOGISTIC", "TANH", "HARD_SWISH", "ELU", "ABS", "RSQRT", "QUANTIZE", "DEQUANTIZE", "SOFTMAX"]
INT8_RECIPES = {**OPERATORS, **{f"{name} tables": functools.partial(tables, name=name) for name in TABLES}, "graph": graph,
                "network": network, "attention": transformers.attention, "layer normalisation": transformers.layer_normalisation,
                "transformer": transformers.transformer, "functions of bytes": transformers.functions_of_bytes}
FLOAT = "float "  # Names of recipes of models on float32 begin so.
FLOAT_RECIPES = {FLOAT + name: recipe for name, recipe in {
    **OPERATORS, **FLOAT_OPERATORS, "layer normalisation": compute.layer_normalisation, "transformer": transformer, "mixed": mixed,
    "graph": graph, "network": network}.items() if name not in INT8_ALONE}
INT16 = "int16 "  # Likewise.
INT16_RECIPES = {INT16 + name: recipe for name, recipe in {
    **INT16_OPERATORS, "graph": graph, "network": network, "mixed": mixed_widths}.items()}
HOST = "host "  # Names of recipes of operators that the host runs, some of them in several runs with a state, begin so.
HOST_RECIPES = {HOST + name: recipe for name, recipe in {**HOST_OPERATORS, **CONTROL_OPERATORS, **SIGNAL_OPERATORS, **RECURRENT_OPERATORS}.items()}
RECIPES = {**INT8_RECIPES, **FLOAT_RECIPES, **INT16_RECIPES, **HOST_RECIPES}


def group(recipe):
    """FLOAT, INT16, HOST or, for int8, nothing."""
    return next((prefix for prefix in (FLOAT, INT16, HOST) if recipe.startswith(prefix)), "")


@dataclass
class Case:
    """A model with one set of inputs."""
    recipe: str
    choices: list
    model: bytes
    inputs: list
    oddities: list
    later: list = field(default_factory=list)  # The inputs of further runs.

    def group(self):
        return group(self.recipe)

    def floats(self):
        """Whether the outputs are near TensorFlow Lite's, and not its bytes."""
        return self.group() == FLOAT

    def on_host(self):
        """Whether TensorFlow Lite Micro alone says what the outputs are, of all runs."""
        return self.group() == HOST


def generate(recipe, choices, oddities=ODDITIES):
    """The model of a recipe that these choices make; a third of them are odd."""
    net = Net(choices, type={FLOAT: "float32", INT16: "int16"}.get(group(recipe), "int8"))
    odd = choices.chance(35) or len(oddities) == 1
    RECIPES[recipe](net)
    net.finish()
    arrays = [net.contents(a) for a in net.inputs]
    if recipe.startswith(HOST):
        later = [[net.contents(a) for a in net.inputs] for _ in range(net.runs - 1)]
        return Case(recipe, choices.taken, serialise(net.b.model), arrays, [], later)
    added = add_oddities(choices, net.b.model, oddities) if odd and oddities else []
    # An oddity may add an input, which nothing reads.
    arrays += [np.zeros_like(arrays[0])] * (len(net.b.graph.inputs) - len(arrays))
    return Case(recipe, choices.taken, serialise(net.b.model), arrays, added)


def from_seed(recipe, seed, oddities=ODDITIES):
    return generate(recipe, Choices(seed=f"{recipe}:{seed}"), oddities)


def replay(recipe, choices, oddities=ODDITIES):
    return generate(recipe, Choices(replay=list(choices)), oddities)
