# SPDX-License-Identifier: Apache-2.0
"""TensorFlow Lite's integer arithmetic on numpy arrays, in both rounding modes.

Written from the definition of the arithmetic. Shares nothing with the C++ sources, so that an error in one of the two shows.
All integers are int64 arrays that hold int32 values; what leaves int32 where C leaves the result open raises Undefined.
"""
import math

import numpy as np

INT32_MAX = 2**31 - 1
INT32_MIN = -2**31


class Undefined(Exception):
    """The result depends on an int32 overflow, which C leaves undefined, or on a multiplier that is not finite."""


def int32(values):
    """The values, which may be floats, as they are; raises Undefined when an int32 cannot hold one."""
    values = np.asarray(values)
    if values.size and (values.max() > INT32_MAX or values.min() < INT32_MIN):
        raise Undefined("an int32 overflows")
    return values.astype(np.int64)


def round_half_away(x):
    """C's round() of a float or an array of floats."""
    whole = np.trunc(x)
    return whole + np.sign(x) * (np.abs(x - whole) >= 0.5)


def truncating_divide(a, b):
    """C's integer division."""
    a, b = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
    return np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b))


def high_product(a, b):
    """The rounded upper half of a doubled product (SaturatingRoundingDoublingHighMul)."""
    a, b = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
    return np.minimum((a * b + (1 << 30)) >> 31, INT32_MAX)


def divide_by_power(x, n):
    """x / 2^n to the nearest, ties away from zero (RoundingDivideByPOT)."""
    x, n = np.asarray(x, dtype=np.int64), np.asarray(n, dtype=np.int64)
    half = np.where(n > 0, np.int64(1) << np.maximum(n - 1, 0), 0)
    return np.where(n > 0, (x + half - (x < 0)) >> n, x)


def saturating_shift_left(x, n):
    x = np.asarray(x, dtype=np.int64)
    limit = (1 << (31 - n)) - 1
    return np.where(x > limit, INT32_MAX, np.where(x < -limit, INT32_MIN, x << n))


class Arithmetic:
    """The two roundings differ in `multiply`, and in what is prepared for it."""

    def __init__(self, single):
        self.single = single

    def quantize_multiplier(self, d):
        """d >= 0 as (M, s): d is about M * 2^(s - 31)."""
        if d == 0:
            return 0, 0
        if not math.isfinite(d):
            raise Undefined("a multiplier is not finite")
        m, s = math.frexp(d)
        q = math.floor(m * 2.0**31 + 0.5)
        if q == 2**31:
            q, s = 2**30, s + 1
        if s < -31:
            q, s = 0, 0
        if self.single and s > 30:
            q, s = INT32_MAX, 30
        return q, s

    def multiply(self, x, multiplier):
        """x * M * 2^(s - 31); M and s may be arrays (MultiplyByQuantizedMultiplier)."""
        m, s = (np.asarray(v, dtype=np.int64) for v in multiplier)
        x = np.asarray(x, dtype=np.int64)
        if np.any(s > 30):  # Ours refuses it, whatever is multiplied.
            raise Undefined("a multiplier is 2^30 or more")
        s = np.minimum(s, 30)
        if self.single:
            return int32((x * m + (np.int64(1) << (30 - s))) >> (31 - s))
        left = np.maximum(s, 0)
        return divide_by_power(high_product(int32(x << left), m), np.maximum(-s, 0))

    def multiply_wide(self, x, multiplier):
        """x * M * 2^(s - 31) of 64-bit sums, by M's upper 15 bits: the same in both roundings."""
        m, s = (np.asarray(v, dtype=np.int64) for v in multiplier)
        x = np.asarray(x, dtype=np.int64)
        if np.any(s > 7) or x.size and (x.max() >= 2**47 or x.min() < -2**47):
            raise Undefined("a sum or a multiplier is beyond what TensorFlow Lite takes")
        reduced = np.where(m < 0x7FFF0000, (m + (1 << 15)) >> 16, 0x7FFF)
        return ((x * reduced + (np.int64(1) << (14 - s))) >> (15 - s)).astype(np.int32).astype(np.int64)

    def multiplied(self, x, d):
        return self.multiply(x, self.quantize_multiplier(float(d)))


def inverse_square_root(v):
    """1 / sqrt(v) of one integer v >= 0 as (M, s); that of 0 is taken for that of 1."""
    if v <= 1:
        return INT32_MAX, 0
    shift = 11
    while v >= 1 << 29:
        v //= 4
        shift += 1
    while v < 1 << 27:
        v *= 4
        shift -= 1
    half = (((v >> 1) + 1) >> 1)
    x = np.int64(1 << 28)
    for _ in range(5):
        cube = saturating_shift_left(high_product(high_product(x, x), x), 6)
        x = saturating_shift_left(high_product(3 << 27, x) - high_product(half, cube), 3)
    x = int(high_product(x, 1518500250))
    return (x << -shift, 0) if shift < 0 else (x, -shift)


def exp_on_negative(z, integer_bits):
    """exp(z) for z <= 0 with so many integer bits, as Q0.31."""
    z = np.asarray(z, dtype=np.int64)
    fraction = 31 - integer_bits
    quarter = 1 << (fraction - 2)
    u = (z & (quarter - 1)) - quarter
    x = saturating_shift_left(u, integer_bits) + (1 << 28)
    x2 = high_product(x, x)
    x3 = high_product(x2, x)
    x4 = high_product(x2, x2)
    t = divide_by_power(high_product(divide_by_power(x4, 2) + x3, 715827883) + x2, 1)
    e = 1895147668 + high_product(1895147668, x + t)
    remainder = u - z
    factors = [1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242]
    for k, factor in zip(range(-2, integer_bits), factors):
        e = np.where((remainder >> (fraction + k)) & 1, high_product(e, factor), e)
    return np.where(z == 0, INT32_MAX, e)


def newton_reciprocal(a):
    """2 / (1 + a) in Q2.29, halved, for a in Q0.31."""
    half = (np.asarray(a, dtype=np.int64) + 2**31) >> 1
    x = 1515870810 + high_product(half, -1010580540)
    for _ in range(3):
        x = x + saturating_shift_left(high_product(x, (1 << 29) - high_product(half, x)), 2)
    return x


def one_over_one_plus(a):
    return saturating_shift_left(newton_reciprocal(a), 1)


# The logistic function of i / 24 in 65536ths: the nearest integers, but for those that TensorFlow Lite's table has one more.
ONE_MORE = {4, 8, 12, 14, 15, 16, 17, 19, 20, 21, 22, 25, 27, 28, 29, 30, 31, 33, 34, 35, 37, 39, 40, 41, 43, 44, 45, 46, 49, 50, 54, 62, 63, 64,
            66, 82, 86, 93, 100, 103, 112, 116, 135, 255}
SIGMOID_TABLE = np.array([math.floor(65536 / (1 + math.exp(-i / 24)) + 0.5) + (i in ONE_MORE) for i in range(256)])


def sigmoid_factor(scale, most_shift):
    """Multiplier and right shift that make 4096 * 3 steps of a value of int16. A scale of 2^-12 up to 2^(most_shift - 12) is not rounded."""
    log = np.log(np.float32(scale)) * np.float32(1 / np.log(np.float32(2)))
    nearest = int(round_half_away(log))
    if abs(log - nearest) < np.float32(1e-3) and 0 <= nearest + 12 <= most_shift:
        return 3 << (nearest + 12), 0
    m, shift = float(scale) * 4096 * 3, 0
    while m <= 32767 / 2 and shift <= 30:
        m, shift = m * 2, shift + 1
    if m >= 32768:
        raise Undefined("a scale of 8/3 or more, for which TensorFlow Lite Micro overflows")
    return int(m), shift


def sigmoid_entry(magnitude, bits, last):
    """Between two entries of the table; `bits` of the magnitude are the fraction. `last` is what comes behind the table."""
    at, fraction = magnitude >> bits, magnitude & ((1 << bits) - 1)
    low = np.minimum(at, 254)
    below, above = SIGMOID_TABLE[low], SIGMOID_TABLE[low + 1]
    return np.where(at >= 255, last, (below << bits) + fraction * (above - below))


def word_table(least, most, function):
    """513 samples of a function from `least` to `most` as 32768ths, each moved by half of what interpolation misses behind it; in float32."""
    real = np.float32
    step = (real(most) - real(least)) / real(512)
    places = real(least) + np.arange(513, dtype=real) * step

    def scaled(x):
        return function(x.astype(np.float64)).astype(real) * real(32768)

    samples, middles = round_half_away(scaled(places)), round_half_away(scaled(places[:-1] + step / real(2)))
    miss = round_half_away((scaled(places)[1:] + samples[:-1]) / real(2)) - middles
    samples[:-1] -= round_half_away(miss / real(2))
    return np.clip(samples, -32768, 32767).astype(np.int64)


def look_up_words(table, x):
    """Interpolated; x from -32768 to 32767."""
    at, offset = 256 + (x >> 7), x & 127
    return table[at] + (((table[at + 1] - table[at]) * offset + 64) >> 7)


def leading_zeros32(x):
    return np.array([32 - int(v).bit_length() for v in np.ravel(x)], dtype=np.int64).reshape(np.shape(x))
