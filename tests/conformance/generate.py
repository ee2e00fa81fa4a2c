# SPDX-License-Identifier: Apache-2.0
"""Random small models, of every operator that src/compiler/operators.def names, and of several.

A model follows from a list of choices (choices.py), in which smaller numbers are simpler: so any list can be replayed and made smaller.
"""
import math
from dataclasses import dataclass

import numpy as np
from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema

from choices import Choices, random_words
from model_builder import ModelBuilder, serialise
from oddities import add_oddities

CHANNELS = [1, 2, 3, 4, 8, 16, 5, 7, 15, 17, 24, 32, 33, 40]
MOST_ELEMENTS = 4096
ACTIVATIONS = [schema.ActivationFunctionType.NONE, schema.ActivationFunctionType.RELU, schema.ActivationFunctionType.RELU6,
               schema.ActivationFunctionType.RELU_N1_TO_1]
BYTES = np.dtype("int8"), np.dtype("uint8")


@dataclass
class Activation:
    """A tensor that an operator can take."""
    index: int
    shape: tuple
    dtype: str
    scale: float
    zero: int
    made_by: int = -1
    uses: int = 0


def options(name, **fields):
    result = getattr(schema, name + "OptionsT")()
    for field, value in fields.items():
        assert hasattr(result, field), field
        setattr(result, field, value)
    return result


def window_output(size, k, stride, dilation, same):
    return -(-size // stride) if same else (size - (k - 1) * dilation - 1) // stride + 1


class Net:
    """A model in the making."""

    def __init__(self, choices, reuse=0):
        self.c = choices
        self.b = ModelBuilder()
        self.reuse = reuse  # Per cent of operands that are results of earlier operators.
        self.activations = []
        self.inputs = []

    # Quantisation.

    def scale(self):
        kind = self.c.below(8)
        if kind == 0:
            return 0.5
        mantissa = 1 + self.c.below(1 << 16) / (1 << 16)
        if kind < 5:
            exponent = -self.c.between(1, 8)
        else:
            exponent = self.c.pick([-8, -4, 0, 4, -16, -24])
        return float(np.float32(mantissa * 2.0**exponent))

    def zero(self, dtype="int8"):
        if dtype not in ("int8", "uint8"):
            return 0
        z = self.c.pick([0, -128, 127, -1, 1, None])
        z = self.c.below(256) - 128 if z is None else z
        return z + 128 if dtype == "uint8" else z

    def result_scale(self, unit, most=16.0):
        """An output scale for integers that are worth `unit` each: what they are multiplied by is of some class."""
        kind = self.c.below(6)
        mantissa = 0.5 + self.c.below(1 << 16) / (1 << 17)
        factor = {
            0: lambda: 1 / 128,
            1: lambda: mantissa * 2.0**-self.c.between(2, 12),
            2: lambda: mantissa * 2.0**-self.c.between(2, 12),
            3: lambda: mantissa * 2.0**-self.c.between(13, 36),
            4: lambda: mantissa * min(2.0**self.c.between(0, 5), most),
            5: lambda: 2.0**-self.c.between(0, 20),
        }[kind]()
        return float(np.float32(unit / factor))

    # Contents.

    def numbers(self, count, dtype):
        """Contents of a tensor."""
        kind = self.c.pick(["zero", "random", "random", "extremes", "ramp", "one"])
        words = random_words(self.c.below(1 << 16), count) if kind in ("random", "extremes", "one") else None
        if dtype == "float32":
            unit = {"zero": lambda: np.zeros(count), "ramp": lambda: np.arange(count) - count // 2}.get(
                kind, lambda: words.astype(np.int64) / 2.0**63 * 100)()
            return unit.astype(np.float32)
        if dtype == "bool":
            return np.zeros(count, bool) if words is None else (words & np.uint64(1)).astype(bool)
        info = np.iinfo(dtype)
        if kind == "zero":
            return np.zeros(count, dtype)
        if kind == "ramp":
            return (np.arange(count) * 101 % 256 + (info.min if np.dtype(dtype) in BYTES else 0)).astype(dtype)
        if kind == "extremes":
            return np.where(words & np.uint64(1), info.max, info.min).astype(dtype)
        if kind == "one":
            result = np.zeros(count, dtype)
            result[int(words[0] % np.uint64(count))] = info.max
            return result
        return (words >> np.uint64(16)).astype(dtype)

    def weights(self, count):
        values = self.numbers(count, "int8")
        return values if self.c.chance(15) else np.maximum(values, -127)  # Converters leave out -128.

    # Tensors.

    def shape(self, rank):
        """A random shape of few elements."""
        if rank == 4:
            return self.image()
        dims = [self.c.pick([1, 2, 3, 4, 5, 8, 16, 17]) for _ in range(rank - 1)] + [self.c.pick(CHANNELS)]
        while math.prod(dims) > MOST_ELEMENTS:
            dims[dims.index(max(dims))] //= 2
        return tuple(dims)

    def image(self, most=10):
        h, w = self.c.between(1, most), self.c.between(1, most)
        return (self.c.pick([1, 1, 1, 2, 3]), h, w, self.c.pick(CHANNELS))

    def new_input(self, shape, dtype="int8", scale=None, zero=None):
        if dtype in ("int8", "uint8", "int16"):
            scale = self.scale() if scale is None else scale
            zero = self.zero(dtype) if zero is None else zero
        a = self.add(shape, dtype, scale, zero)
        self.inputs.append(a)
        return a

    def add(self, shape, dtype="int8", scale=None, zero=None):
        scales, zeros = ((), ()) if scale is None else ((scale,), (zero,))
        index = self.b.tensor(shape, dtype, scales, zeros)
        a = Activation(index, tuple(shape), dtype, scale or 0.0, zero or 0)
        self.activations.append(a)
        return a

    def take(self, ranks=(4,), dtype="int8", fits=lambda a: True, shape=None, **quantisation):
        """An operand: the result of an earlier operator, or an input of the model."""
        found = [a for a in self.activations if a.dtype == dtype and len(a.shape) in ranks and fits(a)]
        if found and self.c.below(100) < self.reuse:
            # The last one is the simplest: a chain.
            a = found[-1 - self.c.below(min(len(found), 1 + 3 * self.c.below(2)))]
        else:
            a = self.new_input(self.shape(self.c.pick(ranks)) if shape is None else shape, dtype, **quantisation)
        a.uses += 1
        return a

    def like(self, a, shape):
        """An operand of this shape and of the quantisation of `a`."""
        return self.take((len(shape),), a.dtype, lambda b: b.shape == tuple(shape) and (b.scale, b.zero) == (a.scale, a.zero),
                         shape, scale=a.scale if a.scale else None, zero=a.zero if a.scale else None)

    def constant(self, values, dtype="int32", shape=None, scales=(), zeros=(), axis=0):
        values = np.array(values)
        return self.b.tensor(values.shape if shape is None else shape, dtype, scales, zeros, axis, values)

    def axis(self, axis, rank):
        return axis - rank if self.c.chance(30) else axis

    def operator(self, name, inputs, outputs, opts=None):
        indices = [i.index if isinstance(i, Activation) else i for i in inputs]
        self.b.operator(name, indices, [o.index for o in outputs], opts)
        for o in outputs:
            o.made_by = len(self.b.graph.operators) - 1

    def finish(self):
        """Outputs are what nobody uses, and some of what is used."""
        outputs = [a for a in self.activations if a.made_by >= 0 and (a.uses == 0 or self.c.chance(10))]
        self.b.graph.inputs = [a.index for a in self.inputs]
        self.b.graph.outputs = [a.index for a in outputs]

    def fused(self):
        return self.c.pick(ACTIVATIONS)


# Products.


def product_weights(n, x, shape, channels, axis):
    """Weights and the largest of their scales; one scale, or one for each channel."""
    base = n.scale()
    count = math.prod(shape)
    if not n.c.chance(60):
        scales = [base]
    else:
        words = random_words(n.c.below(1 << 16), channels)
        spread = n.c.pick([1, 3, 20])
        scales = [float(np.float32(base * (0.5 + int(w) % 997 / 1994) * 2.0**-(int(w >> np.uint64(20)) % spread))) for w in words]
    return n.constant(n.weights(count), "int8", shape, scales, [0] * len(scales), axis if len(scales) > 1 else 0), scales


def bias(n, x, scales, channels, small, left_out=True):
    kind = n.c.pick(["missing", "left out" if left_out else "missing", "zero", "usual", "usual", "large"])
    if kind == "missing":
        return []
    if kind == "left out":
        return [-1]
    reach = {"zero": 0, "usual": 1 << 12, "large": (1 << 30) if small else 1 << 16}[kind]
    words = random_words(n.c.below(1 << 16), channels).astype(np.int64) if reach else np.zeros(channels, np.int64)
    values = words % (2 * reach + 1) - reach
    return [n.constant(values, "int32", None, [float(np.float32(x.scale * s)) for s in scales], [0] * len(scales))]


def product_output(n, x, shape, scales, terms):
    unit = x.scale * max(scales)
    return n.add(shape, "int8", n.result_scale(unit, max(1.0, 2.0**14 / terms)), n.zero())


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
    small = max(scales) * x.scale / out.scale < 2.0**-8
    n.operator("CONV_2D", [x, w, *bias(n, x, scales, channels, small)], [out],
               options("Conv2D", padding=padding(same), strideH=stride[0], strideW=stride[1], dilationHFactor=dilation[0],
                       dilationWFactor=dilation[1], fusedActivationFunction=n.fused()))


def depthwise_conv_2d(n):
    x = n.take()
    kernel, stride, dilation, same = window_options(n, x)
    multiplier = n.c.pick([1, 1, 1, 2, 3, 8])
    channels = x.shape[3] * multiplier
    w, scales = product_weights(n, x, (1, *kernel, channels), channels, 3)
    out = product_output(n, x, (x.shape[0], *windows(x, kernel, stride, dilation, same), channels), scales, math.prod(kernel))
    small = max(scales) * x.scale / out.scale < 2.0**-8
    # With an explicit -1 in its place, TensorFlow Lite Micro crashes.
    n.operator("DEPTHWISE_CONV_2D", [x, w, *bias(n, x, scales, channels, small, left_out=n.c.chance(5))], [out],
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
    small = max(scales) * x.scale / out.scale < 2.0**-8
    n.operator("TRANSPOSE_CONV", [n.constant(out.shape), w, x, *bias(n, x, scales, channels, small)], [out],
               options("TransposeConv", padding=padding(same), strideH=stride[0], strideW=stride[1], fusedActivationFunction=n.fused()))


def fully_connected(n):
    x = n.take((2, 4, 1, 3))
    keep = len(x.shape) > 1 and n.c.chance(30)
    inputs = x.shape[-1] if keep or len(x.shape) == 2 or n.c.chance(50) else math.prod(x.shape[1:]) if len(x.shape) > 1 else x.shape[0]
    outputs = n.c.pick(CHANNELS)
    w, scales = product_weights(n, x, (outputs, inputs), outputs, 0)
    rows = math.prod(x.shape) // inputs
    out = product_output(n, x, (*x.shape[:-1], outputs) if keep else (rows, outputs), scales, inputs)
    small = max(scales) * x.scale / out.scale < 2.0**-8
    n.operator("FULLY_CONNECTED", [x, w, *bias(n, x, scales, outputs, small)], [out],
               options("FullyConnected", keepNumDims=keep, fusedActivationFunction=n.fused()))


# Windows and reductions.


def pool(n, name):
    x = n.take()
    kernel, stride, _, same = window_options(n, x, 6, dilated=False)
    out = n.add((x.shape[0], *windows(x, kernel, stride, (1, 1), same), x.shape[3]), "int8", x.scale, x.zero)
    n.operator(name, [x], [out], options("Pool2D", padding=padding(same), strideH=stride[0], strideW=stride[1], filterHeight=kernel[0],
                                         filterWidth=kernel[1], fusedActivationFunction=n.fused()))


def reduce(n, name):
    x = n.take((4, 3, 2, 1))
    rank = len(x.shape)
    image = rank == 4 and n.c.below(2) == 0
    axes = [1, 2] if image else sorted({n.c.below(rank) for _ in range(n.c.between(1, rank))})
    keep = n.c.chance(50)
    shape = [(1 if i in axes else d) for i, d in enumerate(x.shape) if keep or i not in axes]
    same = n.c.chance(30)
    count = math.prod(x.shape[a] for a in axes)
    out = n.add(shape, "int8", *((x.scale, x.zero) if same else (n.result_scale(x.scale, 2.0**12 / count), n.zero())))
    order = axes[::-1] if n.c.chance(10) else axes
    n.operator(name, [x, n.constant([n.axis(a, rank) for a in order])], [out], options("Reducer", keepDims=keep))


# Two operands.


def broadcast_pair(n):
    """Two operands whose shapes broadcast; one may be constant, or both the same tensor."""
    x = n.take((4, 2, 3, 1))
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
        index = n.constant(n.numbers(math.prod(shape), "int8"), "int8", shape, [scale], [zero])
        y = Activation(index, shape, "int8", scale, zero)
    else:
        y = n.take((len(shape),), fits=lambda a: a.shape == shape, shape=shape)
    return (y, x, x.shape) if n.c.chance(30) else (x, y, x.shape)


def add_or_sub(n, name):
    a, b, shape = broadcast_pair(n)
    larger = max(a.scale, b.scale)
    kind = n.c.below(5)
    # The sum's factor is 2 * larger / (2^20 * scale), and has to be below 1.
    factor = {0: 1.0, 1: 0.5 + n.c.below(1000) / 1000, 2: 0.5 + n.c.below(1000) / 1000, 3: 2.0**-n.c.between(0, 10), 4: 2.0**n.c.between(0, 7)}[kind]
    out = n.add(shape, "int8", float(np.float32(larger / factor)), n.zero())
    n.operator(name, [a, b], [out], options(name.capitalize(), fusedActivationFunction=n.fused()))


def mul(n):
    a, b, shape = broadcast_pair(n)
    out = n.add(shape, "int8", n.result_scale(a.scale * b.scale), n.zero())
    n.operator("MUL", [a, b], [out], options("Mul", fusedActivationFunction=n.fused()))


def extreme(n, name):
    x = n.take((4, 2, 3, 1))
    kind = n.c.pick(["equal", "itself", "channel", "scalar", "constant"])
    shape = {"channel": (x.shape[-1],), "scalar": (1,)}.get(kind, x.shape)
    if kind == "itself":
        y = x
    elif kind == "constant":
        y = n.constant(n.numbers(math.prod(shape), "int8"), "int8", shape, [x.scale], [x.zero])
    else:
        y = n.like(x, shape)
    out = n.add(x.shape, "int8", x.scale, x.zero)
    n.operator(name, [x, y], [out], options("MaximumMinimum"))


# Functions of one value.


def table_operand(n):
    """Often with all 256 values."""
    if n.reuse == 0 and n.c.chance(60):
        return n.take((4,), shape=n.c.pick([(1, 16, 16, 1), (1, 2, 8, 16), (1, 1, 1, 256)]))
    return n.take((4, 2, 3, 1))


def unary(n, name):
    x = table_operand(n)
    out = n.add(x.shape, "int8", n.result_scale(x.scale, 64.0) if n.c.chance(70) else x.scale, n.zero())
    n.operator(name, [x], [out], options("LeakyRelu", alpha=n.c.pick([0.5, 0.01, 0.1, 0.3, 1.0, 1.5, 0.0, -0.5])) if name == "LEAKY_RELU" else None)


def relu6(n):
    x = table_operand(n)
    n.operator("RELU6", [x], [n.add(x.shape, "int8", x.scale, x.zero)])


def sigmoid(n, name, scale, zero):
    x = table_operand(n)
    n.operator(name, [x], [n.add(x.shape, "int8", scale, zero)])


def hard_swish(n):
    x = table_operand(n)
    # The factor to the output has to be below 1 after the division by 128.
    factor = n.c.pick([1.0, 0.5 + n.c.below(1 << 12) / (1 << 11), 2.0**-n.c.between(0, 8), 2.0**n.c.between(0, 5)])
    n.operator("HARD_SWISH", [x], [n.add(x.shape, "int8", float(np.float32(x.scale / factor)), n.zero())])


def prelu(n):
    x = table_operand(n)
    rank = len(x.shape)
    shape = n.c.pick([(x.shape[-1],), (1,), x.shape[n.c.below(rank):], (1,) * (rank - 1) + (x.shape[-1],), x.shape])
    scale, zero = n.scale(), n.zero()
    slopes = n.constant(n.numbers(math.prod(shape), "int8"), "int8", shape, [scale], [zero])
    out = n.add(x.shape, "int8", n.result_scale(x.scale, 16.0), n.zero())
    n.operator("PRELU", [x, slopes], [out])


def quantize(n):
    source = n.c.pick(["int8", "float32", "uint8", "int16"])
    x = n.take((4, 2, 1, 3), source) if source != "int8" else table_operand(n)
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
    source = n.c.pick(["int8", "uint8", "int16"])
    x = n.take((4, 2, 1, 3), source) if source != "int8" else table_operand(n)
    n.operator("DEQUANTIZE", [x], [n.add(x.shape, "float32")])


# Along an axis.


def softmax(n):
    if n.reuse == 0 and n.c.chance(20):
        x = n.take((2,), shape=(1, 256))
    else:
        x = n.take((2, 4, 1, 3))
    n.operator("SOFTMAX", [x], [n.add(x.shape, "int8", 1 / 256, -128)], options("Softmax", beta=n.c.pick([1.0, 0.5, 0.1, 2.0, 10.0])))


def arg_extreme(n, name):
    x = n.take((4, 2, 3, 1))
    axis = n.c.below(len(x.shape))
    wide = n.c.pick(["int32", "int32", "int32", "int64"])
    out = n.add(x.shape[:axis] + x.shape[axis + 1:], wide)
    kind = "ArgMax" if name == "ARG_MAX" else "ArgMin"
    n.operator(name, [x, n.constant([n.axis(axis, len(x.shape))], shape=n.c.pick([(), (1,)]))], [out],
               options(kind, outputType=schema.TensorType.INT32 if wide == "int32" else schema.TensorType.INT64))


# The same values elsewhere.

ANY_TYPE = ["int8", "int8", "int8", "int16", "int32", "float32", "uint8", "int64", "bool"]


def moved_quantisation(n, x):
    """As the input's; seldom another one, which changes no code."""
    if not x.scale:
        return None, None  # Not a quantised type.
    return (n.scale(), n.zero(x.dtype)) if n.c.chance(8) else (x.scale, x.zero)


def moved(n, ranks=(4, 3, 2, 1), dtypes=ANY_TYPE):
    dtype = n.c.pick(dtypes) if n.reuse == 0 else "int8"
    return n.take(ranks, dtype)


def results(n, x, shapes):
    quantisation = moved_quantisation(n, x)
    return [n.add(shape, x.dtype, *quantisation) for shape in shapes]


def move(n, name, inputs, x, shape, opts=None):
    n.operator(name, inputs, results(n, x, [shape]), opts)


def reshape(n):
    x = moved(n, (4, 2, 3, 1, 5))
    count = math.prod(x.shape)
    shape = [count]
    for _ in range(n.c.below(4)):
        factors = [f for f in (1, 2, 3, 4, 5, 7, 8) if shape[-1] % f == 0]
        f = n.c.pick(factors)
        shape[-1:] = [f, shape[-1] // f]
    asked = list(shape)
    if n.c.chance(40):
        asked[n.c.below(len(asked))] = -1
    given = n.c.pick(["input", "options", "both"])
    inputs = [x] if given == "options" else [x, n.constant(asked)]
    move(n, "RESHAPE", inputs, x, shape, None if given == "input" else options("Reshape", newShape=asked))


def squeeze(n):
    x = moved(n, (4, 3, 2, 1))
    ones = [i for i, d in enumerate(x.shape) if d == 1]
    dropped = [i for i in ones if n.c.chance(50)] if n.c.below(2) else ones
    listed = dropped if dropped != ones or n.c.chance(50) else []
    dropped = listed or ones
    move(n, "SQUEEZE", [x], x, [d for i, d in enumerate(x.shape) if i not in dropped], options("Squeeze", squeezeDims=[n.axis(d, len(x.shape)) for d in listed]))


def expand_dims(n):
    x = moved(n, (3, 2, 1, 4))
    axis = n.c.below(len(x.shape) + 1)
    shape = x.shape[:axis] + (1,) + x.shape[axis:]
    move(n, "EXPAND_DIMS", [x, n.constant([n.axis(axis, len(x.shape) + 1)], shape=n.c.pick([(1,), ()]))], x, shape, options("ExpandDims"))


def pad(n, name):
    x = moved(n, (4, 3, 2, 1), ["int8", "int8", "int8", "uint8"])
    margins = [[n.c.pick([0, 1, 2, 3]), n.c.pick([0, 1, 2, 3])] for _ in x.shape]
    if len(x.shape) == 4 and n.c.chance(60):
        margins[0] = margins[3] = [0, 0]
    shape = [d + sum(m) for d, m in zip(x.shape, margins)]
    inputs = [x, n.constant(np.array(margins), "int64" if n.c.chance(5) else "int32")]
    if name == "PADV2":
        inputs.append(n.constant(n.numbers(1, x.dtype), x.dtype, n.c.pick([(1,), ()]), [x.scale], [x.zero]))
        n.operator(name, inputs, [n.add(shape, x.dtype, x.scale, x.zero)], options("PadV2"))
    else:
        move(n, name, inputs, x, shape, options("Pad"))


def concatenation(n):
    x = moved(n, (4, 3, 2, 1))
    rank = len(x.shape)
    axis = n.c.below(rank)
    parts = [x]
    for _ in range(n.c.between(0, 4)):
        if n.c.chance(15):
            parts.append(x)
            continue
        if n.c.chance(15) and x.dtype == "int8":
            parts.append(Activation(n.constant(n.numbers(math.prod(x.shape), "int8"), "int8", x.shape, [x.scale], [x.zero]), x.shape, "int8", x.scale, x.zero))
            continue
        shape = list(x.shape)
        shape[axis] = n.c.pick([shape[axis], 1, 3, 16])
        parts.append(n.like(x, shape))
    shape = list(x.shape)
    shape[axis] = sum(p.shape[axis] for p in parts)
    n.operator("CONCATENATION", parts, [n.add(shape, x.dtype, x.scale or None, x.zero)], options("Concatenation", axis=n.axis(axis, rank)))


def split(n):
    x = moved(n)
    axis = n.c.below(len(x.shape))
    parts = n.c.pick([k for k in (1, 2, 3, 4, x.shape[axis]) if x.shape[axis] % k == 0 and k <= 8])
    shape = list(x.shape)
    shape[axis] //= parts
    n.operator("SPLIT", [n.constant([n.axis(axis, len(shape))], shape=n.c.pick([(1,), ()])), x], results(n, x, [shape] * parts), options("Split", numSplits=parts))


def split_v(n):
    x = moved(n)
    axis = n.c.below(len(x.shape))
    sizes, rest = [], x.shape[axis]
    while rest > 1 and len(sizes) < 3 and n.c.chance(70):
        sizes.append(n.c.between(1, rest - 1))
        rest -= sizes[-1]
    sizes.append(rest)
    shapes = [x.shape[:axis] + (s,) + x.shape[axis + 1:] for s in sizes]
    asked = list(sizes)
    if n.c.chance(30):
        asked[n.c.below(len(asked))] = -1
    n.operator("SPLIT_V", [x, n.constant(asked), n.constant([n.axis(axis, len(x.shape))], shape=n.c.pick([(1,), ()]))], results(n, x, shapes),
               options("SplitV", numSplits=len(sizes)))


def slice_(n):
    x = moved(n)
    begin = [n.c.below(d) for d in x.shape]
    size = [d - b - n.c.below(d - b) for d, b in zip(x.shape, begin)]
    asked = [-1 if s == d - b and n.c.chance(40) else s for s, d, b in zip(size, x.shape, begin)]
    kind = n.c.pick(["int32", "int64"])
    move(n, "SLICE", [x, n.constant(begin, kind), n.constant(asked, kind)], x, size, options("Slice"))


def strided_slice(n):
    x = moved(n)
    begins, ends, strides, shape = [], [], [], []
    masks = dict(beginMask=0, endMask=0, shrinkAxisMask=0)
    for i, d in enumerate(x.shape):
        stride = n.c.pick([1, 1, 2, 3, -1, -2])
        first = n.c.below(d)
        last = first + n.c.below(d - first) if stride > 0 else first - n.c.below(first + 1)
        begin = first - d if n.c.chance(20) else first
        end = last + (1 if stride > 0 else -1)
        if end == -1 and stride < 0:
            end = -d - 1
        if n.c.chance(15):  # Beyond the end is the end.
            end, last = (d + 3, d - 1) if stride > 0 else (-d - 4, 0)
        if n.c.chance(12) and stride > 0:
            masks["shrinkAxisMask"] |= 1 << i
            begins, ends, strides = begins + [begin], ends + [begin + 1], strides + [1]
            continue
        if n.c.chance(20):
            masks["beginMask"] |= 1 << i
            first = 0 if stride > 0 else d - 1
        if n.c.chance(20):
            masks["endMask"] |= 1 << i
            last = d - 1 if stride > 0 else 0
        if (last - first) * stride < 0:
            last, end = (d - 1, d) if stride > 0 else (0, -d - 1)
        begins, ends, strides = begins + [begin], ends + [end], strides + [stride]
        shape.append(abs(last - first) // abs(stride) + 1)
    move(n, "STRIDED_SLICE", [x, n.constant(begins), n.constant(ends), n.constant(strides)], x, shape, options("StridedSlice", **masks))


def pack(n):
    x = moved(n, (3, 2, 1))
    parts = [x] + [n.like(x, x.shape) for _ in range(n.c.below(4))]
    axis = n.c.below(len(x.shape) + 1)
    shape = x.shape[:axis] + (len(parts),) + x.shape[axis:]
    n.operator("PACK", parts, results(n, x, [shape]), options("Pack", axis=n.axis(axis, len(shape)), valuesCount=len(parts)))


def unpack(n):
    x = moved(n, (3, 4, 2), ANY_TYPE)
    small = [i for i, d in enumerate(x.shape) if d <= 8]
    if not small:
        return reshape(n)
    axis = n.c.pick(small)
    shape = x.shape[:axis] + x.shape[axis + 1:]
    n.operator("UNPACK", [x], results(n, x, [shape] * x.shape[axis]), options("Unpack", axis=n.axis(axis, len(x.shape)), num=x.shape[axis]))


def transpose(n):
    x = moved(n, (4, 3, 2, 1, 5))
    left, order = list(range(len(x.shape))), []
    while left:
        order.append(left.pop(n.c.below(len(left))))
    move(n, "TRANSPOSE", [x, n.constant(order)], x, [x.shape[i] for i in order], options("Transpose"))


def gather(n):
    x = moved(n, (3, 2, 1, 4))
    axis = n.c.below(len(x.shape))
    inner = n.c.pick([(1,), (3,), (2, 2), ()])
    indices = np.array([n.c.below(x.shape[axis]) for _ in range(math.prod(inner))]).reshape(inner)
    shape = x.shape[:axis] + inner + x.shape[axis + 1:]
    move(n, "GATHER", [x, n.constant(indices)], x, shape, options("Gather", axis=n.axis(axis, len(x.shape)), batchDims=0))


def space_to_batch(n, name):
    x = moved(n, (4, 4, 3), ["int8", "int8", "uint8"])
    axes = len(x.shape) - 2
    block = [n.c.pick([1, 2, 3]) for _ in range(axes)]
    if name == "SPACE_TO_BATCH_ND":
        before = [n.c.below(3) for _ in block]
        after = [-(d + b) % k for d, b, k in zip(x.shape[1:], before, block)]
        shape = [x.shape[0] * math.prod(block), *((d + b + a) // k for d, b, a, k in zip(x.shape[1:], before, after, block)), x.shape[-1]]
        code = "SpaceToBatchND"
    else:
        if x.shape[0] % math.prod(block):
            block = [1] * axes
            block[-1] = x.shape[0]
        before = [n.c.below(min(3, d * k)) for d, k in zip(x.shape[1:], block)]
        after = [n.c.below(min(3, d * k - b)) for d, k, b in zip(x.shape[1:], block, before)]
        shape = [x.shape[0] // math.prod(block), *(d * k - b - a for d, b, a, k in zip(x.shape[1:], before, after, block)), x.shape[-1]]
        code = "BatchToSpaceND"
    move(n, name, [x, n.constant(block), n.constant(np.array(list(zip(before, after))))], x, shape, options(code))


def space_to_depth(n):
    x = moved(n, (4,))
    b = n.c.pick([k for k in (1, 2, 3, 4) if x.shape[1] % k == 0 and x.shape[2] % k == 0])
    move(n, "SPACE_TO_DEPTH", [x], x, [x.shape[0], x.shape[1] // b, x.shape[2] // b, x.shape[3] * b * b], options("SpaceToDepth", blockSize=b))


def depth_to_space(n):
    x = moved(n, (4,))
    b = n.c.pick([k for k in (1, 2, 3, 4) if x.shape[3] % (k * k) == 0])
    move(n, "DEPTH_TO_SPACE", [x], x, [x.shape[0], x.shape[1] * b, x.shape[2] * b, x.shape[3] // (b * b)], options("DepthToSpace", blockSize=b))


def tile(n):
    x = moved(n)
    times = [n.c.pick([1, 2, 3]) for _ in x.shape]
    move(n, "TILE", [x, n.constant(times, n.c.pick(["int32", "int64"]))], x, [d * t for d, t in zip(x.shape, times)])


def resize(n, name, kind):
    x = n.take()
    size = [d * n.c.pick([1, 2, 4, 8]) if d <= 4 else d * n.c.pick([1, 2]) for d in x.shape[1:3]]
    if n.c.chance(60):
        size = [n.c.between(1, 20) for _ in size]
    corners = n.c.chance(30)
    half = not corners and n.c.chance(50)
    move(n, name, [x, n.constant(size)], x, [x.shape[0], *size, x.shape[3]], options(kind, alignCorners=corners, halfPixelCenters=half))


# Shape arithmetic.


def shape_of(n):
    """A RESHAPE to a shape that operators compute from the input's."""
    x = n.take((4, 3))
    rank = len(x.shape)
    whole = n.add((rank,), "int32")
    n.operator("SHAPE", [x], [whole], options("Shape", outType=schema.TensorType.INT32))
    first = n.add((1,), "int32")
    n.operator("STRIDED_SLICE", [whole, n.constant([0]), n.constant([1]), n.constant([1])], [first], options("StridedSlice", beginMask=0, endMask=0))
    for a in (whole, first):
        a.uses += 1
        n.activations.remove(a)
    new = n.add((2,), "int32")
    n.operator("CONCATENATION", [first, n.constant([math.prod(x.shape[1:])])], [new], options("Concatenation", axis=0))
    n.activations.remove(new)
    move(n, "RESHAPE", [x, new], x, (x.shape[0], math.prod(x.shape[1:])))


OPERATORS = {
    "CONV_2D": conv_2d,
    "DEPTHWISE_CONV_2D": depthwise_conv_2d,
    "TRANSPOSE_CONV": transpose_conv,
    "FULLY_CONNECTED": fully_connected,
    "AVERAGE_POOL_2D": lambda n: pool(n, "AVERAGE_POOL_2D"),
    "MAX_POOL_2D": lambda n: pool(n, "MAX_POOL_2D"),
    "MEAN": lambda n: reduce(n, "MEAN"),
    "SUM": lambda n: reduce(n, "SUM"),
    "ADD": lambda n: add_or_sub(n, "ADD"),
    "SUB": lambda n: add_or_sub(n, "SUB"),
    "MUL": mul,
    "MAXIMUM": lambda n: extreme(n, "MAXIMUM"),
    "MINIMUM": lambda n: extreme(n, "MINIMUM"),
    "RELU": lambda n: unary(n, "RELU"),
    "RELU6": relu6,
    "RELU_N1_TO_1": lambda n: unary(n, "RELU_N1_TO_1"),
    "LEAKY_RELU": lambda n: unary(n, "LEAKY_RELU"),
    "PRELU": prelu,
    "LOGISTIC": lambda n: sigmoid(n, "LOGISTIC", 1 / 256, -128),
    "TANH": lambda n: sigmoid(n, "TANH", 1 / 128, 0),
    "HARD_SWISH": hard_swish,
    "QUANTIZE": quantize,
    "DEQUANTIZE": dequantize,
    "SOFTMAX": softmax,
    "ARG_MAX": lambda n: arg_extreme(n, "ARG_MAX"),
    "ARG_MIN": lambda n: arg_extreme(n, "ARG_MIN"),
    "RESHAPE": reshape,
    "SQUEEZE": squeeze,
    "EXPAND_DIMS": expand_dims,
    "PAD": lambda n: pad(n, "PAD"),
    "PADV2": lambda n: pad(n, "PADV2"),
    "CONCATENATION": concatenation,
    "SPLIT": split,
    "SPLIT_V": split_v,
    "SLICE": slice_,
    "STRIDED_SLICE": strided_slice,
    "PACK": pack,
    "UNPACK": unpack,
    "TRANSPOSE": transpose,
    "GATHER": gather,
    "SPACE_TO_BATCH_ND": lambda n: space_to_batch(n, "SPACE_TO_BATCH_ND"),
    "BATCH_TO_SPACE_ND": lambda n: space_to_batch(n, "BATCH_TO_SPACE_ND"),
    "SPACE_TO_DEPTH": space_to_depth,
    "DEPTH_TO_SPACE": depth_to_space,
    "TILE": tile,
    "RESIZE_NEAREST_NEIGHBOR": lambda n: resize(n, "RESIZE_NEAREST_NEIGHBOR", "ResizeNearestNeighbor"),
    "RESIZE_BILINEAR": lambda n: resize(n, "RESIZE_BILINEAR", "ResizeBilinear"),
    "SHAPE": shape_of,
}
# What a convolutional network is made of, more often than the rest.
COMMON = ["CONV_2D", "DEPTHWISE_CONV_2D", "ADD", "FULLY_CONNECTED", "AVERAGE_POOL_2D", "MAX_POOL_2D", "PAD", "CONCATENATION", "MUL", "RELU",
          "LOGISTIC", "HARD_SWISH", "QUANTIZE", "MEAN", "RESHAPE"]
MISSING_IN_TFLM = ("RELU_N1_TO_1", "TILE")


def graph(n):
    """Operators at random, each mostly behind others."""
    n.reuse = 90
    names = [name for name in OPERATORS if name not in MISSING_IN_TFLM and name != "SHAPE"]
    for _ in range(n.c.between(1, 8)):
        OPERATORS[n.c.pick(COMMON if n.c.below(2) == 0 else names)](n)


def network(n):
    """A small convolutional network with a residual connection."""
    n.reuse = 100
    conv_2d(n)
    for _ in range(n.c.between(0, 2)):
        depthwise_conv_2d(n)
        conv_2d(n)
        if n.c.chance(70):
            add_or_sub(n, "ADD")
    pool(n, n.c.pick(["AVERAGE_POOL_2D", "MAX_POOL_2D"]))
    if n.c.chance(50):
        reduce(n, "MEAN")
    else:
        fully_connected(n)
    softmax(n)


RECIPES = {**OPERATORS, "graph": graph, "network": network}


@dataclass
class Case:
    """A model with one set of inputs."""
    recipe: str
    choices: list
    model: bytes
    inputs: list
    oddities: list


def generate(recipe, choices):
    """The model of a recipe that these choices make."""
    net = Net(choices)
    odd = choices.chance(35)
    RECIPES[recipe](net)
    net.finish()
    arrays = [net.numbers(math.prod(a.shape), a.dtype).reshape(a.shape) for a in net.inputs]
    oddities = add_oddities(choices, net.b.model) if odd else []
    # An oddity may add an input, which nothing reads.
    arrays += [np.zeros_like(arrays[0])] * (len(net.b.graph.inputs) - len(arrays))
    return Case(recipe, choices.taken, serialise(net.b.model), arrays, oddities)


def from_seed(recipe, seed):
    return generate(recipe, Choices(seed=f"{recipe}:{seed}"))


def replay(recipe, choices):
    return generate(recipe, Choices(replay=list(choices)))
