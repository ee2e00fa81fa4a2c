# SPDX-License-Identifier: Apache-2.0
"""Operators that compute. Each function adds one to a net, with random shapes, options and quantisation."""
import math

import numpy as np
from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema

from choices import random_words
from net import CHANNELS, RANKS, Activation, options, without

# Products.


def constant_operand(n, shape):
    """Of float32, or of int8 with a quantisation of its own."""
    scale, zero = (0.0, 0) if n.floats else (n.scale(), n.zero())
    return Activation(n.constant(n.numbers(math.prod(shape), n.type), n.type, shape, [scale], [zero]), shape, n.type, scale, zero)


def window_output(size, k, stride, dilation, same):
    return -(-size // stride) if same else (size - (k - 1) * dilation - 1) // stride + 1


def product_weights(n, x, shape, channels, axis):
    """Weights and the largest of their scales; one scale, or one for each channel."""
    base = n.scale()
    count = math.prod(shape)
    kind = n.c.pick(["one", "powers", "any", "any", "any"])
    if kind == "one":
        scales = [base]
    elif kind == "powers" or n.powers:
        scales = [base * 2.0**-(i % 4) for i in range(channels)]
    else:
        words = random_words(n.c.below(1 << 16), channels)
        spread = n.c.pick([1, 3, 20])
        scales = [float(np.float32(base * (0.5 + int(w) % 997 / 1994) * 2.0**-(int(w >> np.uint64(20)) % spread))) for w in words]
    return n.constant(n.weights(count), n.weight_type(), shape, scales, [0] * len(scales), axis if len(scales) > 1 else 0), scales


def bias(n, x, scales, channels, out, left_out=True, narrow=True):
    """`narrow`: whether the operator takes int32 beside int64 for activations of int16."""
    kind = n.c.pick(["missing", "left out" if left_out else "missing", "zero", "usual", "usual", "large"])
    if kind == "missing":
        return []
    if kind == "left out":
        return [-1]
    if n.type == "float32":
        return [n.constant(n.reals(channels) * {"zero": 0, "usual": 1, "large": 1000}[kind], "float32")]
    small = max(scales) * x.scale / out.scale < 2.0**-8
    dtype = "int32"
    if n.type == "int16" and not (narrow and n.c.chance(30)):
        dtype = "int64"
    reach = {"zero": 0, "usual": 1 << 12, "large": (1 << 30) if small else 1 << 16}[kind]
    if dtype == "int64":
        reach = {"zero": 0, "usual": 1 << 20, "large": 1 << n.c.pick([30, 36, 45])}[kind]
    words = random_words(n.c.below(1 << 16), channels).astype(np.int64) if reach else np.zeros(channels, np.int64)
    values = words % (2 * reach + 1) - reach
    return [n.constant(values, dtype, None, [float(np.float32(x.scale * s)) for s in scales], [0] * len(scales))]


def product_output(n, x, shape, scales, terms):
    unit = x.scale * max(scales)
    return n.add(shape, n.type, n.result_scale(unit, max(1.0, 2.0**14 / terms)), n.zero())


def window_options(n, x, kernel_most=5, dilated=True):
    """Kernel, strides, dilations and whether the padding is SAME; the window fits."""
    same = n.c.below(2) == 0
    kernel, stride, dilation = [], [], []
    for size in x.shape[1:3]:
        k = n.c.pick([1, 3, 2, n.c.between(1, kernel_most)])
        d = n.c.pick([1, 1, 2, 3]) if dilated and k > 1 else 1
        if not same:
            k = min(k, size)
            while (k - 1) * d + 1 > size:
                d -= 1
        kernel.append(k)
        dilation.append(d)
        stride.append(n.c.pick([1, 1, 2, n.c.between(1, 4)]))
    if n.c.chance(50):  # Squares are what the machine is made for.
        small = min(kernel)
        kernel, stride, dilation = [small] * 2, [stride[0]] * 2, [min(dilation)] * 2
    return kernel, stride, dilation, same


def windows(x, kernel, stride, dilation, same):
    return tuple(window_output(s, k, st, d, same) for s, k, st, d in zip(x.shape[1:3], kernel, stride, dilation))


def padding(same):
    return schema.Padding.SAME if same else schema.Padding.VALID


def conv_2d(n):
    x = n.take()
    kernel, stride, dilation, same = window_options(n, x)
    depth = x.shape[3]
    groups = n.c.pick([1, 1, 1] + [g for g in (2, 4, depth) if depth % g == 0])
    channels = groups * n.c.pick([1, 2, 3, 8]) if groups > 1 else n.c.pick(CHANNELS)
    shape = (channels, *kernel, depth // groups)
    w, scales = product_weights(n, x, shape, channels, 0)
    out = product_output(n, x, (x.shape[0], *windows(x, kernel, stride, dilation, same), channels), scales, math.prod(shape[1:]))
    n.operator("CONV_2D", [x, w, *bias(n, x, scales, channels, out)], [out],
               options("Conv2D", padding=padding(same), strideH=stride[0], strideW=stride[1], dilationHFactor=dilation[0],
                       dilationWFactor=dilation[1], fusedActivationFunction=n.fused()))


def depthwise_conv_2d(n):
    x = n.take()
    kernel, stride, dilation, same = window_options(n, x)
    multiplier = n.c.pick([1, 1, 1, 2, 3, 8])
    channels = x.shape[3] * multiplier
    w, scales = product_weights(n, x, (1, *kernel, channels), channels, 3)
    out = product_output(n, x, (x.shape[0], *windows(x, kernel, stride, dilation, same), channels), scales, math.prod(kernel))
    # With an explicit -1 in its place, TensorFlow Lite Micro crashes.
    n.operator("DEPTHWISE_CONV_2D", [x, w, *bias(n, x, scales, channels, out, left_out=n.c.chance(5), narrow=False)], [out],
               options("DepthwiseConv2D", padding=padding(same), strideH=stride[0], strideW=stride[1], depthMultiplier=multiplier,
                       dilationHFactor=dilation[0], dilationWFactor=dilation[1], fusedActivationFunction=n.fused()))


def transpose_conv(n):
    x = n.take(fits=lambda a: max(a.shape[1:3]) <= 10)
    same = n.c.below(2) == 0
    kernel = [n.c.pick([1, 2, 3, n.c.between(1, 5)]) for _ in range(2)]
    stride = [n.c.pick([1, 2, 3]) for _ in range(2)]
    size = []
    for k, s, i in zip(kernel, stride, x.shape[1:3]):
        # Several outputs have the same number of windows.
        least = (i - 1) * s + (1 if same else k)
        size.append(least + n.c.below(s))
    channels = n.c.pick(CHANNELS)
    shape = (channels, *kernel, x.shape[3])
    w, scales = product_weights(n, x, shape, channels, 0)
    out = product_output(n, x, (x.shape[0], *size, channels), scales, math.prod(shape[1:]))
    n.operator("TRANSPOSE_CONV", [n.constant(out.shape), w, x, *bias(n, x, scales, channels, out, narrow=False)], [out],
               options("TransposeConv", padding=padding(same), strideH=stride[0], strideW=stride[1], fusedActivationFunction=n.fused()))


def fully_connected(n):
    x = n.take((2, 4, 1, 3))
    keep = len(x.shape) > 1 and n.c.chance(30)
    inputs = x.shape[-1] if keep or len(x.shape) == 2 or n.c.chance(50) else math.prod(x.shape[1:]) if len(x.shape) > 1 else x.shape[0]
    outputs = n.c.pick(CHANNELS)
    w, scales = product_weights(n, x, (outputs, inputs), outputs, 0)
    rows = math.prod(x.shape) // inputs
    out = product_output(n, x, (*x.shape[:-1], outputs) if keep else (rows, outputs), scales, inputs)
    n.operator("FULLY_CONNECTED", [x, w, *bias(n, x, scales, outputs, out)], [out],
               options("FullyConnected", keepNumDims=keep, fusedActivationFunction=n.fused()))


def batch_matmul(n):
    a = n.take((3, 4, 2))
    adjoint = n.c.chance(30), n.c.chance(30)
    rows, terms = a.shape[-2:] if not adjoint[0] else a.shape[:-3:-1]
    columns = n.c.pick(CHANNELS)
    batch = a.shape[:-2] if n.c.chance(50) else tuple(n.c.pick([d, 1]) for d in a.shape[:-2])
    shape = (*batch, columns, terms) if adjoint[1] else (*batch, terms, columns)
    if n.c.chance(20):
        b = constant_operand(n, shape)
    else:
        b = n.take((len(shape),), fits=lambda other: other.shape == shape, shape=shape)
    shape = (*a.shape[:-2], rows, columns)
    out = n.add(shape) if n.floats else product_output(n, a, shape, [b.scale], terms)
    n.operator("BATCH_MATMUL", [a, b], [out], options("BatchMatMul", adjX=adjoint[0], adjY=adjoint[1]))


# Windows and reductions.


def pool(n, name):
    x = n.take()
    kernel, stride, _, same = window_options(n, x, 6, dilated=False)
    out = n.add((x.shape[0], *windows(x, kernel, stride, (1, 1), same), x.shape[3]), n.type, x.scale, x.zero)
    n.operator(name, [x], [out], options("Pool2D", padding=padding(same), strideH=stride[0], strideW=stride[1], filterHeight=kernel[0],
                                         filterWidth=kernel[1], fusedActivationFunction=n.fused()))


def reduce(n, name):
    x = n.take(RANKS)
    rank = len(x.shape)
    image = rank == 4 and n.c.below(2) == 0
    axes = [1, 2] if image else sorted({n.c.below(rank) for _ in range(n.c.between(1, rank))})
    keep = n.c.chance(50)
    shape = [(1 if i in axes else d) for i, d in enumerate(x.shape) if keep or i not in axes]
    same = n.c.chance(30)
    count = math.prod(x.shape[a] for a in axes)
    out = n.add(shape, n.type, *((x.scale, x.zero) if same else (n.result_scale(x.scale, 2.0**12 / count), n.zero())))
    order = axes[::-1] if n.c.chance(10) else axes
    scalar = len(axes) == 1 and n.c.chance(30)
    asked = n.constant([n.axis(a, rank) for a in order], shape=() if scalar else None)
    n.operator(name, [x, asked], [out], options("Reducer", keepDims=keep))


# Two operands.


def broadcast_pair(n):
    """Two operands whose shapes broadcast; one may be constant, or both the same tensor."""
    x = n.take(RANKS)
    kind = n.c.pick(["equal", "equal", "itself", "channel", "scalar", "mixed", "constant", "constant channel", "constant scalar"])
    if kind == "itself":
        x.uses += 1
        return x, x, x.shape
    rank = len(x.shape)
    shape = {"channel": (x.shape[-1],), "scalar": (1,) * n.c.between(1, rank)}.get(kind.split()[-1], x.shape)
    if kind == "mixed":
        shape = tuple(n.c.pick([d, 1]) for d in x.shape)[n.c.below(rank):]
    if kind.startswith("constant"):
        scale, zero = n.scale(), n.zero()
        index = n.constant(n.numbers(math.prod(shape), n.type), n.type, shape, [scale], [zero])
        y = Activation(index, shape, n.type, scale, zero)
    else:
        y = n.take((len(shape),), fits=lambda a: a.shape == shape, shape=shape)
    return (y, x, x.shape) if n.c.chance(30) else (x, y, x.shape)


def add_or_sub(n, name):
    a, b, shape = broadcast_pair(n)
    larger = max(a.scale, b.scale)
    # The sum's factor is 2 * larger / (2^20 * scale), and has to be below 1.
    middle = 1.0 if n.powers else 0.5 + n.c.below(1000) / 1000
    factor = n.c.pick([1.0, middle, middle, 2.0**-n.c.between(0, 10), 2.0**n.c.between(0, 7)])
    out = n.add(shape, n.type, float(np.float32(larger / factor)), n.zero())
    n.operator(name, [a, b], [out], options(name.capitalize(), fusedActivationFunction=n.fused()))


def mul(n):
    a, b, shape = broadcast_pair(n)
    # A product of 30 bits has room for one bit more.
    out = n.add(shape, n.type, n.result_scale(a.scale * b.scale, 1.0 if n.type == "int16" else 16.0), n.zero())
    n.operator("MUL", [a, b], [out], options("Mul", fusedActivationFunction=n.fused()))


def extreme(n, name):
    x = n.take(RANKS)
    kind = n.c.pick(["equal", "itself", "channel", "scalar", "constant"])
    shape = {"channel": (x.shape[-1],), "scalar": (1,)}.get(kind, x.shape)
    if kind == "itself":
        y = x
    elif kind == "constant":
        y = n.constant(n.numbers(math.prod(shape), n.type), n.type, shape, [x.scale], [x.zero])
    else:
        y = n.like(x, shape)
    out = n.add(x.shape, n.type, x.scale, x.zero)
    n.operator(name, [x, y], [out], options("MaximumMinimum"))


def div(n):
    x = n.take(RANKS)
    kind = n.c.pick(["equal", "EXP", "channel", "constant", "constant channel", "constant scalar"])
    shape = {"channel": (x.shape[-1],), "scalar": (1,)}.get(kind.split()[-1], x.shape)
    if kind.startswith("constant") and n.floats:
        values = n.reals(math.prod(shape))
        y = Activation(n.constant(np.where(values == 0, 1, values), "float32", shape), shape, "float32", 0.0, 0)
    elif kind.startswith("constant"):
        scale, zero = n.scale(), n.zero()
        values = without(n.numbers(math.prod(shape), n.type), zero)
        y = Activation(n.constant(values, n.type, shape, [scale], [zero]), shape, n.type, scale, zero)
    elif kind == "EXP" and n.floats:
        y = function_of(n, "EXP", x)
        y.uses += 1
    else:
        y = n.new_input(shape)
        y.positive, y.divides = n.floats, not n.floats
        y.uses += 1
    out = n.add(x.shape) if n.floats else n.add(x.shape, n.type, n.result_scale(x.scale / y.scale), n.zero())
    n.operator("DIV", [x, y], [out], options("Div", fusedActivationFunction=n.fused()))


def squared_difference(n):
    a, b, shape = broadcast_pair(n)
    # A square of int16 has 30 bits, and four times the factor has to be below 1.
    most = 0.25 if n.type == "int16" else 16.0
    out = n.add(shape) if n.floats else n.add(shape, n.type, n.result_scale(max(a.scale, b.scale)**2, most), n.zero())
    n.operator("SQUARED_DIFFERENCE", [a, b], [out], options("SquaredDifference"))


def add_n(n):
    x = n.take(RANKS)
    inputs = [x] + [n.like(x, x.shape) for _ in range(n.c.between(1, 4))]
    # As that of ADD, the factor has to be below 1.
    factor = n.c.pick([1.0, 0.5 + n.c.below(1000) / 1000, 2.0**-n.c.between(0, 10), 2.0**n.c.between(0, 7)])
    out = n.add(x.shape) if n.floats else n.add(x.shape, n.type, float(np.float32(x.scale / factor)), n.zero())
    n.operator("ADD_N", inputs, [out], options("AddN"))


# Functions of one value.


def table_operand(n):
    """Often with all 256 values."""
    if n.all_bytes:
        return n.take((2,), shape=(1, 256))
    if n.reuse == 0 and n.c.chance(60):
        return n.take((4,), shape=n.c.pick([(1, 16, 16, 1), (1, 2, 8, 16), (1, 1, 1, 256)]))
    return n.take(RANKS)


def unary(n, name):
    x = table_operand(n)
    out = n.add(x.shape, n.type, n.result_scale(x.scale, 64.0) if n.c.chance(70) else x.scale, n.zero())
    opts = None
    if name == "LEAKY_RELU":
        opts = options("LeakyRelu", alpha=n.c.pick([0.5, 0.01, 0.1, 0.3, 1.0, 1.5, 0.0, -0.5]))
    n.operator(name, [x], [out], opts)


def absolute(n):
    if n.floats:
        return function_of(n, "ABS", n.take(RANKS))
    return unary(n, "ABS")


def rsqrt(n):
    """TensorFlow Lite Micro stops at integers below zero."""
    if n.floats:
        return function_of(n, "RSQRT", positive_operand(n))
    if n.all_bytes or n.reuse == 0 and n.c.chance(60):
        x = n.take((2,), shape=(1, 256), zero=-128)
    else:
        x = n.take(RANKS, fits=lambda a: a.zero == -128, zero=-128)
    middle = 1.0 if n.powers else 0.5 + n.c.below(1 << 12) / (1 << 11)
    factor = middle * 2.0**n.c.between(-9, 9)
    n.operator("RSQRT", [x], [n.add(x.shape, n.type, float(np.float32(x.scale**-0.5 / factor)), n.zero())])


def relu6(n):
    x = table_operand(n)
    n.operator("RELU6", [x], [n.add(x.shape, n.type, x.scale, x.zero)])


def sigmoid(n, name, scale, zero):
    if n.type == "int16":
        # As it is in networks, near it, and any up to the largest that TensorFlow Lite takes.
        scales = [2.0**-12, 2.0**-11, 2.0**-10, float(np.float32(2.0**-12 * 1.0003)), min(n.scale(), 2.0), min(n.scale(), 2.0)]
        x = n.take(RANKS, fits=lambda a: a.scale <= 2, scale=n.c.pick(scales))
        n.operator(name, [x], [n.add(x.shape, n.type, 2.0**-15, 0)])
        return
    x = table_operand(n)
    n.operator(name, [x], [n.add(x.shape, n.type, scale, zero)])


def hard_swish(n):
    x = table_operand(n)
    # The factor to the output has to be below 1 after the division by 128.
    middle = 1.0 if n.powers else 0.5 + n.c.below(1 << 12) / (1 << 11)
    factor = n.c.pick([1.0, middle, 2.0**-n.c.between(0, 8), 2.0**n.c.between(0, 5)])
    n.operator("HARD_SWISH", [x], [n.add(x.shape, n.type, float(np.float32(x.scale / factor)), n.zero())])


def prelu(n):
    x = table_operand(n)
    rank = len(x.shape)
    last = (x.shape[-1],)
    shape = (1,) if n.all_bytes else n.c.pick([last, (1,), x.shape[n.c.below(rank):], (1,) * (rank - 1) + last, x.shape])
    scale, zero = n.scale(), n.zero()
    slopes = n.constant(n.numbers(math.prod(shape), n.type), n.type, shape, [scale], [zero])
    out = n.add(x.shape, n.type, n.result_scale(x.scale, 16.0), n.zero())
    n.operator("PRELU", [x, slopes], [out])


def quantize_floats(n):
    """Mostly behind an operator: then the device computes it."""
    x = n.take(RANKS)
    if n.reuse == 0 and n.c.chance(70):
        x = function_of(n, "TANH", x)
    n.operator("QUANTIZE", [x], [n.add(x.shape, n.c.pick(["int8", "int8", "int8", "uint8", "int16"]), n.scale(), n.zero())])


def dequantize_to_floats(n):
    """Mostly before an operator: then the device computes it."""
    source = n.c.pick(["int8", "int8", "int8", "uint8", "int16"])
    x = n.take((4, 2, 1, 3, 5), source)
    out = n.add(x.shape, "float32")
    n.operator("DEQUANTIZE", [x], [out])
    if n.reuse == 0 and n.c.chance(70):
        out.uses += 1
        function_of(n, "TANH", out)


def quantize_words(n):
    """From int16 and to int16. Only here zero points of int16 need not be 0."""
    kinds = [("int16", "int8"), ("int8", "int16"), ("int16", "int16")]
    if n.reuse == 0:
        kinds += [("int16", "int32"), ("int32", "int16")]
    source, target = n.c.pick(kinds)

    def zero(dtype):
        return n.c.below(1 << 16) - (1 << 15) if dtype == "int16" and n.reuse == 0 and n.c.chance(20) else n.zero(dtype)

    x = n.take(RANKS, source, scale=n.scale(), zero=zero(source))
    scale = x.scale if n.c.chance(30) else n.result_scale(x.scale, 64.0)
    n.operator("QUANTIZE", [x], [n.add(x.shape, target, scale, zero(target))])


def quantize(n):
    if n.type == "int16":
        return quantize_words(n)
    source = "int8" if n.all_bytes else n.c.pick(["int8", "float32", "uint8", "int16"])
    x = n.take((4, 2, 1, 3, 5), source) if source != "int8" else table_operand(n)
    target = n.c.pick(["int8", "int8", "int16", "uint8"])
    if source == "float32":
        scale = n.scale()
    else:
        scale = x.scale if n.c.chance(30) else n.result_scale(x.scale, 16.0)
    zero = n.zero(target)
    if source in ("int8", "uint8") and target in ("int8", "uint8") and n.c.chance(30):
        scale, zero = x.scale, x.zero + (0 if source == target else 128 if target == "uint8" else -128)
    n.operator("QUANTIZE", [x], [n.add(x.shape, target, scale, zero)])


def dequantize(n):
    source = n.type if n.all_bytes or n.type == "int16" else n.c.pick(["int8", "uint8", "int16"])
    x = n.take((4, 2, 1, 3, 5), source) if source != "int8" else table_operand(n)
    n.operator("DEQUANTIZE", [x], [n.add(x.shape, "float32")])


# On float32 alone.


def function_of(n, name, x):
    out = n.add(x.shape)
    named = name.capitalize() + "Options"
    n.operator(name, [x], [out], options(name.capitalize()) if hasattr(schema, named + "T") else None)
    return out


def sum_with(n, x, value):
    out = n.add(x.shape)
    n.operator("ADD", [x, n.constant([value], "float32")], [out], options("Add"))
    return out


def positive_operand(n):
    kind = n.c.pick(["input", "EXP", "SQUARE", "any"])
    x = n.new_input(n.shape(n.c.pick(RANKS))) if kind == "input" else n.take(RANKS)
    if kind == "input":
        x.positive = True
        x.uses += 1
    elif kind == "EXP":
        x = function_of(n, "EXP", x)
        x.uses += 1
    elif kind == "SQUARE":
        x = function_of(n, "SQUARE", x)
        x.uses += 1
        x = sum_with(n, x, n.c.pick([1, 0.001, 100]))
        x.uses += 1
    return x


def function(n, name):
    function_of(n, name, positive_operand(n) if name in ("LOG", "SQRT", "RSQRT") else n.take(RANKS))


def layer_normalisation(n):
    """The two ways in which converters write it."""
    x = n.take((3, 2, 4))
    last, small = n.constant([len(x.shape) - 1]), (*x.shape[:-1], 1)

    def made(name, inputs, shape, opts):
        out = n.add(shape)
        n.operator(name, inputs, [out], opts)
        for i in inputs:
            if isinstance(i, Activation):
                i.uses += 1
        return out

    def product(a, b):
        return made("MUL", [a, b], x.shape, options("Mul"))

    def weights():
        return n.constant(n.reals(x.shape[-1]), "float32")

    mean = made("MEAN", [x, last], small, options("Reducer", keepDims=True))
    square = made("SQUARED_DIFFERENCE", [x, mean], x.shape, options("SquaredDifference"))
    variance = made("MEAN", [square, last], small, options("Reducer", keepDims=True))
    least = n.constant([n.c.pick([0.001, 1e-5, 1.0])], "float32")
    factor = made("RSQRT", [made("ADD", [variance, least], small, options("Add"))], small, None)
    if n.c.chance(50):
        centred = made("SUB", [x, mean], x.shape, options("Sub"))
        made("ADD", [product(product(centred, factor), weights()), weights()], x.shape, options("Add"))
    else:
        scaled = product(factor, weights())
        offset = made("SUB", [weights(), product(mean, scaled)], x.shape, options("Sub"))
        made("ADD", [product(x, scaled), offset], x.shape, options("Add"))


# Along an axis.


def softmax_to_words(n):
    beta = n.c.pick([1.0, 0.5, 0.1, 2.0, 10.0])
    if n.reuse == 0 and n.c.chance(30):
        x = n.take((2, 4, 1, 3, 5), "int8")
        out = n.add(x.shape, "int16", 2.0**-16, -32768)
    else:
        x = n.take((2, 4, 1, 3, 5), fits=lambda a: a.scale <= 1, scale=min(n.scale(), 1.0))
        out = n.add(x.shape, "int16", 2.0**-15, 0)
    n.operator("SOFTMAX", [x], [out], options("Softmax", beta=beta))
    if n.reuse == 0 and out.zero == 0 and n.c.chance(60):  # The device runs it before an operator of its own.
        out.uses += 1
        n.operator("RELU", [out], [n.add(x.shape, "int16", out.scale, 0)])


def softmax(n):
    if n.type == "int16":
        return softmax_to_words(n)
    if n.all_bytes or n.reuse == 0 and n.c.chance(20):
        x = n.take((2,), shape=(1, 256))
    else:
        x = n.take((2, 4, 1, 3, 5))
    n.operator("SOFTMAX", [x], [n.add(x.shape, n.type, 1 / 256, -128)], options("Softmax", beta=n.c.pick([1.0, 0.5, 0.1, 2.0, 10.0])))


def l2_normalization(n):
    x = n.take((2, 4, 1, 3))
    n.operator("L2_NORMALIZATION", [x], [n.add(x.shape, n.type, 1 / 128, 0)], options("L2Norm"))


def arg_extreme(n, name):
    x = n.take(RANKS)
    axis = n.c.below(len(x.shape))
    wide = n.c.pick(["int32", "int32", "int32", "int64"])
    out = n.add(x.shape[:axis] + x.shape[axis + 1:], wide)
    kind = "ArgMax" if name == "ARG_MAX" else "ArgMin"
    n.operator(name, [x, n.constant([n.axis(axis, len(x.shape))], shape=n.c.pick([(), (1,)]))], [out],
               options(kind, outputType=schema.TensorType.INT32 if wide == "int32" else schema.TensorType.INT64))
