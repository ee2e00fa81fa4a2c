# SPDX-License-Identifier: Apache-2.0
"""Models that once went wrong, and what was wrong with them; and models that show in which precision scales are divided."""
import numpy as np

from generate import Case
from model_builder import ModelBuilder, serialise
from net import options

ALL_BYTES = np.arange(-128, 128).astype(np.int8).reshape(1, 256)


def finish(name, builder, inputs, outputs, arrays):
    builder.graph.inputs, builder.graph.outputs = inputs, outputs
    return Case(name, [], serialise(builder.model), arrays, [])


def bias_quantized_along_dimension_3():
    """Was refused: the bias of a depthwise convolution says that it is quantised along dimension 3, as person_detect's do."""
    b = ModelBuilder()
    x = b.tensor([1, 4, 4, 3], "int8", [0.5], [3])
    w = b.tensor([1, 3, 3, 3], "int8", [0.01, 0.02, 0.04], [0] * 3, 3, (np.arange(27) * 37 % 255 - 127).astype(np.int8))
    bias = b.tensor([3], "int32", [0.005, 0.01, 0.02], [0] * 3, 3, [100, -200, 300])
    y = b.tensor([1, 4, 4, 3], "int8", [0.7], [-5])
    b.operator("DEPTHWISE_CONV_2D", [x, w, bias], [y], options("DepthwiseConv2D", strideH=1, strideW=1, depthMultiplier=1))
    return finish("bias_quantized_along_dimension_3", b, [x], [y], [(np.arange(48) * 11 % 256 - 128).astype(np.int8).reshape(1, 4, 4, 3)])


def fully_connected_product_in_float():
    """The product of the scales is rounded to float32; in double an output is one less."""
    b = ModelBuilder()
    scales = np.float32(0.5000076293945312), np.float32(0.5156478881835938)
    x = b.tensor([1, 1], "int8", scales[:1], [0])
    w = b.tensor([64, 1], "int8", scales[1:], [0], 0, np.ones((64, 1)))
    bias = b.tensor([64], "int32", [scales[0] * scales[1]], [0], 0, np.arange(64) * 8 - 467)
    y = b.tensor([1, 64], "int8", [2.0626230239868164], [0])
    b.operator("FULLY_CONNECTED", [x, w, bias], [y], options("FullyConnected"))
    return finish("fully_connected_product_in_float", b, [x], [y], [np.zeros((1, 1), np.int8)])


def unary(name, operator, input_scale, output_scale, operator_options=None):
    """All bytes through one operator, zero points 0."""
    b = ModelBuilder()
    x = b.tensor([1, 256], "int8", [input_scale], [0])
    y = b.tensor([1, 256], "int8", [output_scale], [0])
    b.operator(operator, [x], [y], operator_options)
    return finish(name, b, [x], [y], [ALL_BYTES])


def relu_ratio_in_float():
    """The quotient of the scales is rounded to float32, which makes a tie; in double an output is one less."""
    return unary("relu_ratio_in_float", "RELU", 0.5, 0.2844444513320923)


def leaky_relu_slope_in_float():
    """The factor below zero is rounded to float32; in double an output differs by one."""
    return unary("leaky_relu_slope_in_float", "LEAKY_RELU", 0.5, 0.10526315867900848, options("LeakyRelu", alpha=0.10000000149011612))


def hard_swish_ratio_in_float():
    """The quotient of the scales is rounded to float32 before 16 bits of it are taken; in double outputs differ by one."""
    return unary("hard_swish_ratio_in_float", "HARD_SWISH", 0.05000000074505806, 0.059709545224905014)


def sub_factors_in_float():
    """Each factor is rounded to float32; in double the output is one more."""
    b = ModelBuilder()
    x = b.tensor([1], "int8", [0.5], [0])
    y = b.tensor([1], "int8", [0.5], [60])
    z = b.tensor([1], "int8", [0.46511629223823547], [0])
    b.operator("SUB", [x, y], [z], options("Sub"))
    return finish("sub_factors_in_float", b, [x, y], [z], [np.zeros(1, np.int8)] * 2)


def hard_swish_of_tiny_scale():
    """Was off by one: the 16-bit shifts by 16 and more give 1 or -1 in TensorFlow Lite Micro."""
    b = ModelBuilder()
    x = b.tensor([1, 256], "int8", [2.0**-24], [127])
    y = b.tensor([1, 256], "int8", [2.0**-24], [0])
    b.operator("HARD_SWISH", [x], [y])
    return finish("hard_swish_of_tiny_scale", b, [x], [y], [ALL_BYTES])


def hard_swish_of_huge_scale():
    """Overflowed: the 16-bit values are shifted left by up to 30 bits before they are saturated."""
    b = ModelBuilder()
    x = b.tensor([1, 256], "int8", [32768.0], [-128])
    y = b.tensor([1, 256], "int8", [32768.0], [0])
    b.operator("HARD_SWISH", [x], [y])
    return finish("hard_swish_of_huge_scale", b, [x], [y], [ALL_BYTES])


def softmax_of_huge_scale():
    """Was refused: no multiplication depends on the input's scale once it is large."""
    b = ModelBuilder()
    x = b.tensor([1, 256], "int8", [2.0**24], [0])
    y = b.tensor([1, 256], "int8", [1 / 256], [-128])
    b.operator("SOFTMAX", [x], [y], options("Softmax", beta=1.0))
    return finish("softmax_of_huge_scale", b, [x], [y], [ALL_BYTES])


REGRESSIONS = [bias_quantized_along_dimension_3, fully_connected_product_in_float, relu_ratio_in_float, leaky_relu_slope_in_float,
               hard_swish_ratio_in_float, sub_factors_in_float, hard_swish_of_tiny_scale, hard_swish_of_huge_scale, softmax_of_huge_scale]
