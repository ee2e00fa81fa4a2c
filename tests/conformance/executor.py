# SPDX-License-Identifier: Apache-2.0
"""Runs a TensorFlow Lite model on integers, as TensorFlow Lite defines its operators, in either rounding mode.

It is slow and plain, and shares nothing with the C++ sources. `make conformance` holds it to TensorFlow Lite Micro in double rounding;
the expected outputs in single rounding, for which there is no TensorFlow Lite Micro to install, are this executor's.
"""
import itertools
import math

import numpy as np
from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema

import fixed_point as fp

DTYPES = {
    schema.TensorType.INT8: np.int8,
    schema.TensorType.UINT8: np.uint8,
    schema.TensorType.INT16: np.int16,
    schema.TensorType.INT32: np.int32,
    schema.TensorType.INT64: np.int64,
    schema.TensorType.FLOAT32: np.float32,
    schema.TensorType.BOOL: np.bool_,
}
OPERATOR_NAMES = {v: k for k, v in vars(schema.BuiltinOperator).items() if isinstance(v, int)}


class Value:
    """A tensor: its array, scales and zero point."""

    def __init__(self, tensor):
        self.dtype = np.dtype(DTYPES[tensor.type])
        self.shape = tuple(int(d) for d in tensor.shape) if tensor.shape is not None else ()
        q = tensor.quantization
        scales = [] if q is None or q.scale is None else list(q.scale)
        zeros = [] if q is None or q.zeroPoint is None else list(q.zeroPoint)
        if not zeros:
            scales = []  # TensorFlow Lite Micro takes neither without the other.
        self.scales = [np.float32(s) for s in scales]
        self.scale = self.scales[0] if scales else np.float32(0)
        self.zero = int(zeros[0]) if scales else 0
        self.array = None

    def real_scale(self):
        return float(self.scale)

    def codes(self):
        return self.array.astype(np.int64)

    def centred(self):
        return self.codes() - self.zero

    def limits(self):
        info = np.iinfo(self.dtype)
        return int(info.min), int(info.max)


def operator_name(model, op):
    code = model.operatorCodes[op.opcodeIndex]
    if code.customCode:
        return bytes(code.customCode).decode()
    return OPERATOR_NAMES[max(code.builtinCode, code.deprecatedBuiltinCode)]


def run(model, inputs, single):
    """The model's outputs as arrays. `model` is a schema ModelT."""
    graph = model.subgraphs[0]
    values = []
    for tensor in graph.tensors:
        value = Value(tensor)
        data = model.buffers[tensor.buffer].data
        if data is not None and len(data):
            value.array = np.frombuffer(bytes(bytearray(data)), value.dtype).reshape(value.shape)
        values.append(value)
    for index, array in zip(graph.inputs, inputs):
        values[index].array = array.reshape(values[index].shape)
    for op in graph.operators:
        step = Step(op, values, fp.Arithmetic(single))
        name = operator_name(model, op)
        results = getattr(Step, name.lower())(step)
        if not isinstance(results, list):
            results = [results]
        for index, result in zip(op.outputs, results):
            output = values[index]
            output.array = np.asarray(result).astype(output.dtype).reshape(output.shape)
    return [values[index].array for index in graph.outputs]


class Defaults:
    """The options of an operator that has none in the file."""

    def __getattr__(self, name):
        return 0


class Step:
    """One operator; the methods are named as the operators are, in lower case, and give the outputs' arrays."""

    def __init__(self, op, values, arithmetic):
        self.options = Defaults() if op.builtinOptions is None else op.builtinOptions
        self.ins = [values[i] if i >= 0 else None for i in op.inputs]
        self.outs = [values[i] for i in op.outputs]
        self.out = self.outs[0]
        self.a = arithmetic

    def integers(self, i):
        return [int(v) for v in np.ravel(self.ins[i].array)]

    # Ends of operators.

    def clamp(self, values, activation=0):
        lo, hi = self.out.limits()

        def bound(real):
            return self.out.zero + int(fp.int32(fp.round_half_away(np.float32(real) / self.out.scale)))

        kinds = schema.ActivationFunctionType
        if activation in (kinds.RELU, kinds.RELU6):
            lo = max(lo, bound(0))
        if activation == kinds.RELU6:
            hi = min(hi, bound(6))
        if activation == kinds.RELU_N1_TO_1:
            lo, hi = max(lo, bound(-1)), min(hi, bound(1))
        # As min(max()): where the bounds cross, the upper one wins.
        return np.minimum(np.maximum(values, lo), hi)

    def shifted(self, values, activation=0):
        return self.clamp(fp.int32(values + self.out.zero), activation)

    def real(self):
        """The type in which some operators compute with scales: on int8 float32, on int16 double."""
        return np.float64 if self.on_int16() else np.float32

    def fused(self):
        return self.options.fusedActivationFunction

    # Sums of products.

    def channel_multipliers(self, x, w, channels, real):
        """`real` is the type in which the product of two scales is computed."""
        pairs = [self.a.quantize_multiplier(float(real(x.scale) * real(s)) / self.out.real_scale()) for s in w.scales]
        if len(pairs) == 1:
            pairs = pairs * channels
        return np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs])

    def bias(self, i):
        present = len(self.ins) > i and self.ins[i] is not None
        return self.ins[i].codes() if present else 0

    def window(self, height, width, kernel, stride, dilation, same):
        """Rows and columns of padding before the image, and the output's size."""
        sizes, before = [], []
        for size, k, s, d in zip((height, width), kernel, stride, dilation):
            reach = (k - 1) * d + 1
            out = -(-size // s) if same else (size - reach) // s + 1
            total = max(0, (out - 1) * s + reach - size) if same else 0
            sizes.append(out)
            before.append(total // 2)
        return before, sizes

    def taps(self, x, kernel, stride, dilation, same, fill):
        """For each tap of the kernel the pixels it meets, [n, oh, ow, c], and which of them are inside the image."""
        n, h, w, c = x.shape
        before, (oh, ow) = self.window(h, w, kernel, stride, dilation, same)
        rows = np.arange(oh) * stride[0] - before[0]
        columns = np.arange(ow) * stride[1] - before[1]
        for i, j in itertools.product(range(kernel[0]), range(kernel[1])):
            r, q = rows + i * dilation[0], columns + j * dilation[1]
            inside = ((r >= 0) & (r < h))[:, None] & ((q >= 0) & (q < w))[None, :]
            pixels = x[:, np.clip(r, 0, h - 1)][:, :, np.clip(q, 0, w - 1)]
            yield (i, j), np.where(inside[None, :, :, None], pixels, fill), inside

    def stride(self):
        return self.options.strideH, self.options.strideW

    def dilation(self):
        return self.options.dilationHFactor, self.options.dilationWFactor

    def same(self):
        return self.options.padding == schema.Padding.SAME

    def conv_2d(self):
        x, w = self.ins[0], self.ins[1]
        weights = w.codes()
        channels, kh, kw, depth = weights.shape
        groups = x.shape[3] // depth
        each = channels // groups
        acc = 0
        for (i, j), pixels, _ in self.taps(x.centred(), (kh, kw), self.stride(), self.dilation(), self.same(), 0):
            parts = [pixels[..., g * depth:(g + 1) * depth] @ weights[g * each:(g + 1) * each, i, j].T for g in range(groups)]
            acc = acc + np.concatenate(parts, axis=3)
        return self.requantized(acc, x, w, channels, 2)

    def requantized(self, acc, x, w, channels, bias, real=np.float64):
        multipliers = self.channel_multipliers(x, w, channels, real)
        acc = acc + self.bias(bias)
        if self.on_int16() and not self.has_int32(bias):  # Sums of int64.
            return self.shifted(self.a.multiply_wide(acc, multipliers), self.fused())
        return self.shifted(self.a.multiply(fp.int32(acc), multipliers), self.fused())

    def on_int16(self):
        return self.out.dtype == np.int16

    def has_int32(self, i):
        return len(self.ins) > i and self.ins[i] is not None and self.ins[i].dtype == np.int32

    def depthwise_conv_2d(self):
        x, w = self.ins[0], self.ins[1]
        weights = w.codes()[0]
        kh, kw, channels = weights.shape
        acc = 0
        for (i, j), pixels, _ in self.taps(x.centred(), (kh, kw), self.stride(), self.dilation(), self.same(), 0):
            acc = acc + np.repeat(pixels, channels // x.shape[3], axis=3) * weights[i, j]
        return self.requantized(acc, x, w, channels, 2)

    def transpose_conv(self):
        w, x = self.ins[1], self.ins[2]
        weights, pixels = w.codes(), x.centred()
        channels, kh, kw, _ = weights.shape
        n, oh, ow, _ = self.out.shape
        stride = self.stride()
        before, _ = self.window(oh, ow, (kh, kw), stride, (1, 1), self.same())
        acc = np.zeros((n, oh, ow, channels), dtype=np.int64)
        for y, z, i, j in itertools.product(range(x.shape[1]), range(x.shape[2]), range(kh), range(kw)):
            r, q = y * stride[0] - before[0] + i, z * stride[1] - before[1] + j
            if 0 <= r < oh and 0 <= q < ow:
                acc[:, r, q] += pixels[:, y, z] @ weights[:, i, j].T
        return self.requantized(acc, x, w, channels, 3)

    def fully_connected(self):
        x, w = self.ins[0], self.ins[1]
        acc = x.centred().reshape(-1, w.shape[1]) @ w.codes().T
        return self.requantized(acc, x, w, w.shape[0], 2, self.real() if len(w.scales) == 1 else np.float64)

    def batch_matmul(self):
        a, b = self.ins
        x = np.swapaxes(a.centred(), -1, -2) if self.options.adjX else a.centred()
        y = np.swapaxes(b.centred(), -1, -2) if self.options.adjY else b.centred()
        if self.on_int16():  # Sums of int64.
            d = a.real_scale() * b.real_scale() / self.out.real_scale()
            return self.shifted(self.a.multiply_wide(np.matmul(x, y), self.a.quantize_multiplier(d)))
        d = float(a.scale * b.scale) / self.out.real_scale()
        return self.shifted(self.a.multiplied(fp.int32(np.matmul(x, y)), d))

    # Windows and reductions.

    def pool(self):
        kernel = (self.options.filterHeight, self.options.filterWidth)
        return kernel, self.stride(), (1, 1), self.same()

    def average_pool_2d(self):
        total = count = 0
        for _, pixels, inside in self.taps(self.ins[0].codes(), *self.pool(), 0):
            total = total + pixels
            count = count + inside[None, :, :, None].astype(np.int64)
        half = fp.truncating_divide(count, 2)
        return self.clamp(fp.truncating_divide(np.where(total > 0, total + half, total - half), count), self.fused())

    def max_pool_2d(self):
        largest = lowest = self.ins[0].limits()[0]
        for _, pixels, _ in self.taps(self.ins[0].codes(), *self.pool(), lowest):
            largest = np.maximum(largest, pixels)
        return self.clamp(largest, self.fused())

    def reduced(self, mean):
        x = self.ins[0]
        axes = tuple({axis % len(x.shape) for axis in self.integers(1)})
        count = math.prod(x.shape[axis] for axis in axes)
        m, s = self.a.quantize_multiplier(x.real_scale() / self.out.real_scale())
        if mean:
            k = min(count.bit_length() - 1, 32, 31 + s)
            m, s = (m << k) // count, s - k
        total = fp.int32(x.codes().sum(axis=axes) - x.zero * count)
        return self.shifted(self.a.multiply(total, (m, s)))

    def mean(self):
        return self.reduced(True)

    def sum(self):
        return self.reduced(False)

    # Two operands.

    def add_or_sub(self, sign, real):
        """`real` is the type in which the scales are divided."""
        x, y = self.ins
        s1, s2, so = real(x.scale), real(y.scale), real(self.out.scale)
        twice = real(2) * max(s1, s2)
        left = 15 if self.on_int16() else 20
        out = twice / (real(1 << left) * so)
        a = self.a.multiplied(x.centred() << left, s1 / twice)
        b = self.a.multiplied(y.centred() << left, s2 / twice)
        return self.shifted(self.a.multiplied(a + sign * b, out), self.fused())

    def on_floats(self):
        return self.out.dtype == np.float32

    def add(self):
        if self.on_floats():
            return self.ins[0].array + self.ins[1].array
        return self.add_or_sub(1, np.float64)

    def sub(self):
        if self.on_floats():
            return self.ins[0].array - self.ins[1].array
        return self.add_or_sub(-1, self.real())

    def mul(self):
        x, y = self.ins
        if self.on_floats():
            return x.array * y.array
        d = x.real_scale() * y.real_scale() / self.out.real_scale()
        return self.shifted(self.a.multiplied(x.centred() * y.centred(), d), self.fused())

    def maximum(self):
        return np.maximum(self.ins[0].array, self.ins[1].array)

    def minimum(self):
        return np.minimum(self.ins[0].array, self.ins[1].array)

    def div(self):
        x, y = self.ins
        if self.on_floats():
            return x.array / y.array
        a, b = np.broadcast_arrays(x.centred(), y.centred())
        if np.any(b == 0):
            raise fp.Undefined("a division by zero")
        a, b = a * np.sign(b), np.abs(b)
        m, s = self.a.quantize_multiplier(float(x.scale / (y.scale * self.out.scale)))
        above = fp.leading_zeros32(b)
        reciprocal = fp.one_over_one_plus((b << above) - 2**31)
        room = fp.leading_zeros32(np.where(a < 0, ~a, a)) - 1
        shift = s - (31 - above) - room
        if self.a.single:
            right = 31 - room
            quotient = np.where(right == 0, a * reciprocal, (a * reciprocal + (1 << np.maximum(right - 1, 0))) >> right)
            scaled = np.where(shift < -31, 0, self.a.multiply(quotient, (m, np.maximum(shift, -31))))
        else:
            high = fp.high_product(a << room, reciprocal)
            # Beyond 31 bits x86 shifts by the rest: a mask of what falls out modulo 64, which may be the whole word, and a word modulo 32.
            product = fp.high_product(high, m)
            far = np.where(-shift & 32, (product >> (-shift & 31)) + (product >= 0), fp.divide_by_power(product, -shift & 31))
            scaled = np.where(shift < -31, far, self.a.multiply(high, (m, np.maximum(shift, -31))))
        return self.shifted(scaled, self.fused())

    def squared_difference(self):
        x, y = self.ins
        bits = 0 if x.dtype == np.int16 else 7
        twice = 2.0 * max(x.real_scale(), y.real_scale())
        a = self.a.multiplied(x.centred() << bits, x.real_scale() / twice)
        b = self.a.multiplied(y.centred() << bits, y.real_scale() / twice)
        out = twice * twice / float(np.float32(1 << 2 * bits) * self.out.scale)
        return self.shifted(self.a.multiplied(fp.int32((a - b)**2), out))

    def add_n(self):
        twice = 2.0 * self.ins[0].real_scale()
        terms = [np.full(self.out.shape, -self.ins[0].zero)] + [x.centred() for x in self.ins]
        total = sum(self.a.multiplied(fp.int32(term << 20), 0.5) for term in terms)
        return self.shifted(self.a.multiplied(fp.int32(total), twice / (float(1 << 20) * self.out.real_scale())))

    # Functions of one value.

    def abs(self):
        x = self.ins[0]
        if x.dtype == np.float32:
            return np.abs(x.array)
        v = np.abs(x.centred())
        return self.shifted(v if x.scale == self.out.scale else self.a.multiplied(v, x.real_scale() / self.out.real_scale()))

    def rsqrt(self):
        x = self.ins[0]
        m, s = self.a.quantize_multiplier(1.0 / (math.sqrt(x.real_scale()) * self.out.real_scale()))

        def root(v):
            if v == 0:
                return self.out.limits()[1]
            m1, s1 = fp.inverse_square_root(v)
            return int(self.shifted(self.a.multiply(self.a.multiply(1, (m1, s1 + 20)), (m, s - 20))))

        known = {int(v): root(int(v)) for v in np.unique(x.centred())}
        return np.vectorize(known.get)(x.centred())

    def elu(self):
        x = self.ins[0]
        real = (x.scale * x.centred().astype(np.float32)).astype(np.float32)
        below = np.array([np.float32(math.exp(v)) for v in np.ravel(np.minimum(real, 0))], np.float32).reshape(real.shape) - np.float32(1)
        steps = fp.round_half_away(np.where(real < 0, below, real).astype(np.float32) * (np.float32(1) / self.out.scale))
        return self.clamp(fp.int32((steps + np.float32(self.out.zero)).astype(np.float32)))

    def relu(self):
        x, real = self.ins[0], self.real()
        y = self.a.multiplied(x.centred(), real(x.scale) / real(self.out.scale)) + self.out.zero
        lo, hi = self.out.limits()
        return np.clip(y, max(lo, self.out.zero), hi)

    def relu_n1_to_1(self):
        x = self.ins[0]
        return self.shifted(self.a.multiplied(x.centred(), x.scale / self.out.scale), schema.ActivationFunctionType.RELU_N1_TO_1)

    def relu6(self):
        x = self.ins[0]
        lo, hi = x.limits()
        six = x.zero + fp.round_half_away(np.float32(6) / x.scale)
        return np.minimum(np.maximum(x.codes(), x.zero), min(hi, max(lo, int(six))))

    def leaky_relu(self):
        x, real = self.ins[0], self.real()
        scale, alpha, out = real(x.scale), real(np.float32(self.options.alpha)), real(self.out.scale)
        v = x.centred()
        positive = self.a.multiplied(v, scale / out)
        slope = scale * alpha / out
        negative = self.a.multiplied(v, abs(slope)) * (-1 if slope < 0 else 1)
        return self.shifted(np.where(v >= 0, positive, negative))

    def prelu(self):
        x, slopes = self.ins
        v = x.centred()
        positive = self.a.multiplied(v, x.real_scale() / self.out.real_scale())
        negative = self.a.multiplied(v * slopes.centred(), x.real_scale() * slopes.real_scale() / self.out.real_scale())
        return self.shifted(np.where(v >= 0, positive, negative))

    def sigmoid_argument(self):
        """The input as Q4.27, and where it is beyond what that holds: -1, 0 or 1."""
        x = self.ins[0]
        m, shift = math.frexp(x.real_scale() * 2.0**27)
        m = math.floor(m * 2.0**31 + 0.5)
        if m == 2**31:
            m, shift = 2**30, shift + 1
        if shift > 62:
            raise fp.Undefined("a scale of 2^35 or more, by which TensorFlow Lite Micro shifts 64-bit integers too far")
        radius = math.floor(15.0 * 2.0**27 / 2.0**shift)
        v = x.centred()
        beyond = np.where(v <= -radius, -1, np.where(v >= radius, 1, 0))
        inside = np.where(beyond == 0, v, 0)
        return self.a.multiply(inside, (m, shift)), beyond

    def sigmoid_steps(self, most_shift):
        m, shift = fp.sigmoid_factor(self.ins[0].scale, most_shift)
        return fp.int32(self.ins[0].codes() * m + (1 << shift >> 1)) >> shift

    def logistic(self):
        if self.on_int16():
            z = self.sigmoid_steps(0)
            r = fp.sigmoid_entry(np.abs(z), 9, 0x7FFF << 10)
            return np.where(z >= 0, r + 512, (1 << 25) - r + 511) >> 10
        z, beyond = self.sigmoid_argument()
        p = fp.one_over_one_plus(fp.exp_on_negative(-np.abs(z), 4))
        r = np.where(z == 0, 1 << 30, np.where(z > 0, p, fp.INT32_MAX - p))
        y = np.clip(fp.divide_by_power(r, 23) - 128, -128, 127)
        return np.where(beyond < 0, -128, np.where(beyond > 0, 127, y))

    def tanh(self):
        if self.on_int16():
            z = self.sigmoid_steps(1)
            r = fp.sigmoid_entry(np.abs(z), 8, 0xFFFF << 8) - (1 << 23)
            return np.where(z >= 0, r + 128, 127 - r) >> 8
        z, beyond = self.sigmoid_argument()
        t = fp.saturating_shift_left(fp.newton_reciprocal(fp.exp_on_negative(-np.abs(z), 5)) - (1 << 29), 2)
        r = np.where(z == 0, 0, np.where(z < 0, -t, t))
        y = np.clip(fp.divide_by_power(r, 24), -128, 127)
        return np.where(beyond < 0, -128, np.where(beyond > 0, 127, y))

    def hard_swish(self):
        x = self.ins[0]

        def high_product16(a, b):
            return np.minimum((a * b + (1 << 14)) >> 15, 32767)

        def divide_by_power16(v, n):
            # TensorFlow Lite's mask of the bits that fall out is 16 bits wide, and -1 from n = 16 on.
            return fp.divide_by_power(v, n) if n < 16 else np.where(v < 0, -1, 1)

        def saturate16(v):
            return np.clip(v, -32768, 32767)

        def multiplier16(d):
            m, e = self.a.quantize_multiplier(float(d))
            return (32767 if m >= 2**31 - 1 - 2**15 else (m + 2**15) >> 16), e

        fine = np.float32(x.scale * np.float32(1.0 / 128.0))
        mo, eo = multiplier16(np.float32(fine / self.out.scale))
        mr, er = multiplier16(np.float32(fine / np.float32(np.float32(3.0) / np.float32(32768.0))))
        if eo > 0 or er > 31:
            raise fp.Undefined("HARD_SWISH shifts too far")
        h = x.centred() << 7
        pre = high_product16(h, mo)
        r = h
        if er > 0:
            r = saturate16(r << (er - 1))
        r = high_product16(r, mr)
        if er > 0:
            r = saturate16(r << 1)
        if er < 0:
            r = divide_by_power16(r, -er)
        r = (r + 32768) >> 1
        return self.shifted(divide_by_power16(fp.truncating_divide(r * pre, 1 << 15), -eo))

    def quantize(self):
        x = self.ins[0]
        if x.dtype == np.float32:
            steps = fp.round_half_away((x.array / self.out.scale).astype(np.float32))
            return self.shifted(fp.int32(steps))
        return self.shifted(self.a.multiplied(x.centred(), x.real_scale() / self.out.real_scale()))

    def dequantize(self):
        x = self.ins[0]
        return (x.real_scale() * x.centred()).astype(np.float32)

    # Along an axis.

    def softmax_words(self):
        x = self.ins[0]
        q = x.codes()
        factor = x.real_scale() * float(np.float32(self.options.beta)) / (10.0 / 65535.0)
        steps = self.a.multiplied(q - q.max(axis=-1, keepdims=True), factor)
        e = fp.look_up_words(fp.word_table(-10, 0, np.exp), np.clip(steps + 32767, -32768, 32767))
        total = e.sum(axis=-1, keepdims=True)
        high = fp.leading_zeros32(total)
        part = ((total << (high - 1)) + (1 << 13)) >> 14
        reciprocal = fp.look_up_words(fp.word_table(0, 1, lambda v: 1 / (1 + v)), np.clip(part - 3 * (1 << 15), -32768, 32767))
        return np.clip((e * reciprocal + (np.int64(1) << (30 - high))) >> (31 - high), 0, 32767)

    def softmax(self):
        x = self.ins[0]
        if x.dtype == np.int16:
            return self.softmax_words()
        d = min(float(np.float32(self.options.beta)) * x.real_scale() * 2.0**26, float((1 << 30) - 1 if self.a.single else fp.INT32_MAX))
        m, left = self.a.quantize_multiplier(d)
        least = -math.floor(31.0 * 2.0**26 / 2.0**left)
        q = x.codes()
        difference = q - q.max(axis=-1, keepdims=True)
        counted = difference >= least
        z = self.a.multiply(np.where(counted, difference, 0), (m, left))
        e = np.where(counted, fp.exp_on_negative(z, 5), 0)
        total = fp.int32(fp.divide_by_power(e, 12).sum(axis=-1, keepdims=True))
        high = fp.leading_zeros32(total)
        bits = 12 - high
        reciprocal = fp.one_over_one_plus((total << high) - 2**31)
        lo, hi = self.out.limits()
        y = fp.divide_by_power(fp.high_product(reciprocal, e), bits + (15 if self.on_int16() else 23)) + lo
        return np.where(counted, np.clip(y, lo, hi), lo)

    def l2_normalization(self):
        v = self.ins[0].centred()
        squares = np.sum(v * v, axis=-1)
        known = {int(q): fp.inverse_square_root(int(q)) for q in np.unique(squares)}
        m = np.vectorize(lambda q: known[q][0])(squares)[..., None]
        s = np.vectorize(lambda q: known[q][1])(squares)[..., None]
        return self.clamp(self.a.multiply(v, (m, s + 7)))

    def arg_max(self):
        return np.argmax(self.ins[0].array, axis=self.integers(1)[0])

    def arg_min(self):
        return np.argmin(self.ins[0].array, axis=self.integers(1)[0])

    # The same values elsewhere.

    def reshape(self):
        return self.ins[0].array

    squeeze = expand_dims = reshape

    def neg(self):
        return -self.ins[0].array

    def square(self):
        return self.ins[0].array * self.ins[0].array

    def shape(self):
        return np.array(self.ins[0].shape)

    def pad(self):
        x = self.ins[0]
        paddings = np.array(self.integers(1)).reshape(-1, 2)
        return np.pad(x.array, paddings, constant_values=self.pad_value())

    padv2 = pad

    def pad_value(self):
        if len(self.ins) > 2:
            return self.ins[2].array.reshape(())
        return np.array(self.out.zero, dtype=self.out.dtype)

    def concatenation(self):
        return np.concatenate([x.array for x in self.ins], axis=self.options.axis)

    def split(self):
        return np.split(self.ins[1].array, len(self.outs), axis=self.integers(0)[0])

    def split_v(self):
        x, axis = self.ins[0].array, self.integers(2)[0]
        return np.split(x, np.cumsum([out.shape[axis] for out in self.outs])[:-1], axis=axis)

    def slice(self):
        x = self.ins[0].array
        begin, size = self.integers(1), self.integers(2)
        return x[tuple(np.s_[b:(n if s < 0 else b + s)] for b, s, n in zip(begin, size, x.shape))]

    def strided_slice(self):
        x = self.ins[0].array
        index = []
        for i, (b, e, s) in enumerate(zip(*(self.integers(k) for k in (1, 2, 3)))):
            bit = 1 << i
            if self.options.shrinkAxisMask & bit:
                index.append(0 if self.options.beginMask & bit else b)
                continue
            index.append(np.s_[None if self.options.beginMask & bit else b:None if self.options.endMask & bit else e:s])
        return x[tuple(index)]

    def pack(self):
        return np.stack([x.array for x in self.ins], axis=self.options.axis)

    def unpack(self):
        return list(np.moveaxis(self.ins[0].array, self.options.axis, 0))

    def transpose(self):
        return np.transpose(self.ins[0].array, self.integers(1))

    def gather(self):
        return np.take(self.ins[0].array, self.ins[1].array, axis=self.options.axis)

    def space_to_batch_nd(self):
        x, block, paddings = self.ins[0], self.integers(1), np.array(self.integers(2)).reshape(-1, 2)
        margins = [(0, 0), *paddings] + [(0, 0)] * (len(x.shape) - 1 - len(block))
        padded = np.pad(x.array, margins, constant_values=np.array(self.out.zero, dtype=x.dtype))
        parts = []
        for offset in itertools.product(*(range(b) for b in block)):
            parts.append(padded[(np.s_[:], *(np.s_[o::b] for o, b in zip(offset, block)))])
        return np.concatenate(parts, axis=0)

    def batch_to_space_nd(self):
        x, block, crops = self.ins[0].array, self.integers(1), np.array(self.integers(2)).reshape(-1, 2)
        batches = x.shape[0] // math.prod(block)
        spread = np.zeros((batches, *(n * b for n, b in zip(x.shape[1:], block)), *x.shape[1 + len(block):]), dtype=x.dtype)
        for k, offset in enumerate(itertools.product(*(range(b) for b in block))):
            spread[(np.s_[:], *(np.s_[o::b] for o, b in zip(offset, block)))] = x[k * batches:(k + 1) * batches]
        return spread[(np.s_[:], *(np.s_[before:n - after] for (before, after), n in zip(crops, spread.shape[1:])))]

    def space_to_depth(self):
        x, b = self.ins[0].array, self.options.blockSize
        n, h, w, c = x.shape
        return x.reshape(n, h // b, b, w // b, b, c).transpose(0, 1, 3, 2, 4, 5)

    def depth_to_space(self):
        x, b = self.ins[0].array, self.options.blockSize
        n, h, w, c = x.shape
        return x.reshape(n, h, w, b, b, c // (b * b)).transpose(0, 1, 3, 2, 4, 5)

    def tile(self):
        return np.tile(self.ins[0].array, self.integers(1))

    def resize_nearest_neighbor(self):
        x = self.ins[0].array

        def sources(size, out):
            corners = self.options.alignCorners and out > 1
            scale = np.float32(size - 1) / np.float32(out - 1) if corners else np.float32(size) / np.float32(out)
            offset = np.float32(0.5 if self.options.halfPixelCenters else 0)
            at = (np.arange(out).astype(np.float32) + offset) * scale
            at = fp.round_half_away(at) if self.options.alignCorners else np.floor(at)
            return np.minimum(at.astype(np.int64), size - 1)

        height, width = self.integers(1)
        return x[:, sources(x.shape[1], height)][:, :, sources(x.shape[2], width)]

    def resize_bilinear(self):
        x = self.ins[0].codes()

        def sources(size, out):
            """Both neighbours, and the fraction of the way to the second, in 1024ths."""
            if self.options.alignCorners and out > 1:
                scale = (1024 * (size - 1) + (out - 1) // 2) // (out - 1)
            else:
                scale = (1024 * size + out // 2) // out
            p = np.arange(out) * scale
            if self.options.halfPixelCenters:
                p = p + scale // 2 - 512
            first = np.maximum(fp.truncating_divide(p, 1024), 0)
            second = np.minimum(fp.truncating_divide(p + 1023, 1024), size - 1)
            return first, second, p - 1024 * first

        height, width = self.integers(1)
        y0, y1, fy = sources(x.shape[1], height)
        x0, x1, fx = sources(x.shape[2], width)
        fy, fx = fy[None, :, None, None], fx[None, None, :, None]
        total = 0
        for rows, wy in ((y0, 1024 - fy), (y1, fy)):
            for columns, wx in ((x0, 1024 - fx), (x1, fx)):
                total = total + x[:, rows][:, :, columns] * wy * wx
        if self.a.single:
            return (total + (1 << 19)) >> 20
        return fp.truncating_divide(total + np.where(total > 0, 1 << 19, -(1 << 19)), 1 << 20)
