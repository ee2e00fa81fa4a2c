# SPDX-License-Identifier: Apache-2.0
"""A random model in the making: its tensors, their quantisation and contents."""
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema

from choices import random_words
from model_builder import ModelBuilder

CHANNELS = [1, 2, 3, 4, 8, 16, 5, 7, 15, 17, 24, 32, 33, 40]
MOST_ELEMENTS = 4096
LARGEST_SCALE = 2.0**100
RANKS = (4, 2, 3, 1, 5)
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
    positive: bool = False  # An input of the model without numbers up to zero.
    make: Callable = None  # Gives the contents of an input that are not those of any other one.
    divides: bool = False  # An input of the model without what stands for zero.


def options(name, **fields):
    result = getattr(schema, name + "OptionsT")()
    for field, value in fields.items():
        assert hasattr(result, field), field
        setattr(result, field, value)
    return result


def without(values, zero):
    """The integers with a neighbour of `zero` in its place."""
    return np.where(values == zero, values.dtype.type(zero + 1 if zero < 127 else zero - 1), values)


class Net:
    """A model in the making."""

    def __init__(self, choices, reuse=0, type="int8"):
        self.c = choices
        self.b = ModelBuilder()
        self.floats = type == "float32"  # Operators on float32.
        self.type = type  # What operators take and give that do not say another one.
        self.reuse = reuse  # Per cent of operands that are results of earlier operators.
        self.all_bytes = False  # Inputs have all 256 values.
        self.runs = 1  # One after the other, with a state.
        # All scales are powers of two: then many values lie in the middle between two integers.
        self.powers = choices.chance(20)
        self.activations = []
        self.inputs = []

    # Quantisation.

    def scale(self):
        kind = self.c.below(8)
        if kind == 0:
            return 0.5
        if kind == 1 or self.powers:
            return 2.0**-self.c.between(1, 8)
        mantissa = 1 + self.c.below(1 << 16) / (1 << 16)
        if kind < 5:
            exponent = -self.c.between(1, 8)
        else:
            exponent = self.c.pick([-8, -4, 0, 4, -16, -24])
        return float(np.float32(mantissa * 2.0**exponent))

    def zero(self, dtype=None):
        dtype = dtype or ("int16" if self.type == "int16" else "int8")
        if dtype not in ("int8", "uint8"):
            return 0
        z = self.c.pick([0, -128, 127, -1, 1, None])
        z = self.c.below(256) - 128 if z is None else z
        return z + 128 if dtype == "uint8" else z

    def result_scale(self, unit, most=16.0):
        """An output scale for integers that are worth `unit` each: what they are multiplied by is of some class."""
        kind = 5 if self.powers else self.c.below(6)
        mantissa = 0.5 + self.c.below(1 << 16) / (1 << 17)
        factor = {
            0: lambda: 1 / 128,
            1: lambda: mantissa * 2.0**-self.c.between(2, 12),
            2: lambda: mantissa * 2.0**-self.c.between(2, 12),
            3: lambda: mantissa * 2.0**-self.c.between(13, 36),
            4: lambda: mantissa * min(2.0**self.c.between(0, 5), most),
            5: lambda: 2.0**-self.c.between(0, 20),
        }[kind]()
        # A chain of products would make it infinite.
        return float(np.float32(min(unit / factor, LARGEST_SCALE)))

    # Contents.

    def numbers(self, count, dtype):
        """Contents of a tensor."""
        if self.floats and dtype == "float32":
            return self.reals(count)
        kind = "ramp" if self.all_bytes else self.c.pick(["zero", "random", "random", "extremes", "ramp", "one"])
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
            if self.type == dtype == "int16":
                return (np.arange(count) * 25717 % 65536 + info.min).astype(dtype)
            return (np.arange(count) * 101 % 256 + (info.min if np.dtype(dtype) in BYTES else 0)).astype(dtype)
        if kind == "extremes":
            return np.where(words & np.uint64(1), info.max, info.min).astype(dtype)
        if kind == "one":
            result = np.zeros(count, dtype)
            result[int(words[0] % np.uint64(count))] = info.max
            return result
        return (words >> np.uint64(16)).astype(dtype)

    def reals(self, count):
        """Real numbers: mostly those of networks, and very small and very large ones."""
        kinds = ["usual", "usual", "usual", "usual", "integers", "one", "wide", "zero", "large"]
        kind = self.c.pick(kinds if self.reuse else kinds + ["tiny", "huge", "subnormal"])
        words = random_words(self.c.below(1 << 16), count)
        unit = words.astype(np.int64) / 2.0**63
        spread = (words & np.uint64(31)).astype(np.float64)
        if kind == "one":
            unit[np.arange(count) != int(words[0] % np.uint64(count))] = 0
        values = {
            "usual": lambda: unit * 2,
            "integers": lambda: np.round(unit * 16),
            "one": lambda: unit * 100,
            "wide": lambda: unit * 2.0**(spread - 16),
            "zero": lambda: unit * 0,
            "large": lambda: unit * 1000,
            "tiny": lambda: unit * 2.0**(spread - 126),
            "huge": lambda: unit * 2.0**(spread + 60),
            "subnormal": lambda: unit * 2.0**(spread / 8 - 128),
        }[kind]()
        return values.astype(np.float32)

    def contents(self, a):
        """Contents of an input."""
        if a.make is not None:
            return a.make()
        values = self.numbers(math.prod(a.shape), a.dtype).reshape(a.shape)
        if a.divides:
            return without(values, a.zero)
        return np.where(values == 0, np.float32(1), np.abs(values)) if a.positive else values

    def weight_type(self):
        return "int8" if self.type == "int16" else self.type

    def weights(self, count):
        values = self.numbers(count, self.weight_type())
        if self.type == "float32" or self.c.chance(15):
            return values
        return np.maximum(values, -127)  # Converters leave out -128.

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
        if self.c.chance(8):
            most = 28
        h, w = self.c.between(1, most), self.c.between(1, most)
        return (self.c.pick([1, 1, 1, 2, 3]), h, w, self.c.pick(CHANNELS + [64, 72] * self.c.below(2)))

    def new_input(self, shape, dtype=None, scale=None, zero=None):
        dtype = dtype or self.type
        if dtype in ("int8", "uint8", "int16"):
            scale = self.scale() if scale is None else scale
            zero = self.zero(dtype) if zero is None else zero
        a = self.add(shape, dtype, scale, zero)
        self.inputs.append(a)
        return a

    def add(self, shape, dtype=None, scale=None, zero=None):
        """A tensor. Without a type: of the net's. Tensors of float32 have no scale."""
        dtype = dtype or self.type
        if dtype == "float32":
            scale, zero = None, None
        scales, zeros = ((), ()) if scale is None else ((scale,), (zero,))
        index = self.b.tensor(shape, dtype, scales, zeros)
        a = Activation(index, tuple(shape), dtype, scale or 0.0, zero or 0)
        self.activations.append(a)
        return a

    def take(self, ranks=(4,), dtype=None, fits=lambda a: True, shape=None, **quantisation):
        """An operand: the result of an earlier operator, or an input of the model."""
        dtype = dtype or self.type
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
        if dtype == "float32":
            scales, zeros = (), ()
        return self.b.tensor(values.shape if shape is None else shape, dtype, scales, zeros, axis, values)

    def axis(self, axis, rank):
        return axis - rank if self.c.chance(30) else axis

    def operator(self, name, inputs, outputs, opts=None):
        indices = [i.index if isinstance(i, Activation) else i for i in inputs]
        self.b.operator(name, indices, [o.index for o in outputs], opts)
        for o in outputs:
            o.made_by = len(self.b.graph.operators) - 1

    def custom(self, name, inputs, outputs, **fields):
        indices = [i if isinstance(i, int) else i.index for i in inputs]
        self.b.custom(name, indices, [o.index for o in outputs], fields)
        for o in outputs:
            o.made_by = len(self.b.graph.operators) - 1

    def finish(self):
        """Outputs are what nobody uses, and some of what is used."""
        outputs = [a for a in self.activations if a.made_by >= 0 and (a.uses == 0 or self.c.chance(10))]
        self.b.graph.inputs = [a.index for a in self.inputs]
        self.b.graph.outputs = [a.index for a in outputs]

    def fused(self):
        return self.c.pick(ACTIVATIONS)
