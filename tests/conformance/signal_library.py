# SPDX-License-Identifier: Apache-2.0
"""The signal library of TensorFlow Lite Micro. Each function adds one of its operators to a net, with random shapes and options."""
import math

import numpy as np

from choices import random_words
from host import given, integers
from model_builder import TYPES

FFT_LENGTHS = [16, 4, 8, 32, 64, 6, 10, 12, 20, 24, 30, 40, 60, 90, 100, 256]


def samples(n, shape, bits=15):
    words = random_words(n.c.below(1 << 16), math.prod(shape)).astype(np.int64)
    return (words >> (63 - bits)).astype(np.int16).reshape(shape)


def window(n):
    size = n.c.pick([8, 1, 5, 16, 40])
    shape = tuple([n.c.between(1, 3)] * n.c.below(2)) + (size,)
    x = given(n, shape, "int16", lambda: samples(n, shape), zero=0)
    weights = n.constant(samples(n, (size,)), "int16", (size,))
    n.custom("SignalWindow", [x, weights], [n.add(shape, "int16")], shift=n.c.between(0, 16))


def fft_auto_scale(n):
    size, bits = n.c.pick([8, 1, 5, 40]), n.c.between(1, 15)
    x = given(n, (size,), "int16", lambda: samples(n, (size,), bits))
    n.custom("SignalFftAutoScale", [x], [n.add((size,), "int16"), n.add((), "int32")])


def fft(n, inverse):
    dtype = n.c.pick(["int16", "int32", "float32"])
    length = n.c.pick(FFT_LENGTHS)
    outer = tuple([n.c.between(1, 3)] * n.c.below(2))
    size = length + 2 if inverse else n.c.between(max(length // 2, 1), length)

    def make():
        # Half of the range: sums of complex numbers then fit.
        words = random_words(n.c.below(1 << 16), math.prod(outer) * size).astype(np.int64).reshape(outer + (size,))
        if dtype == "float32":
            return (words / 2.0**63).astype(np.float32)
        return (words >> (50 if dtype == "int16" else 34)).astype(dtype)

    x = given(n, outer + (size,), dtype, make)
    out = n.add(outer + (length if inverse else length + 2,), dtype)
    n.custom("SignalIrfft" if inverse else "SignalRfft", [x], [out], T=TYPES[dtype], fft_length=length)


def energy(n):
    pairs = n.c.pick([9, 1, 5, 33])
    x = given(n, (2 * pairs,), "int16", lambda: samples(n, (2 * pairs,)))
    # Others than those from start to end are what memory holds.
    n.custom("SignalEnergy", [x], [n.add((pairs,), "uint32")], start_index=0, end_index=pairs)


def numbers(n, shape, dtype, most=None):
    """Unsigned numbers of very different size."""
    words = random_words(n.c.below(1 << 16), math.prod(shape))
    bits = np.uint64(np.dtype(dtype).itemsize * 8 if most is None else most)
    return (words >> (np.uint64(64) - bits + (words & np.uint64(15)) % bits)).astype(dtype).reshape(shape)


def filter_bank(n):
    channels, energies = n.c.between(1, 8), n.c.pick([33, 17, 65])
    x = given(n, (energies,), "uint32", lambda: numbers(n, (energies,), "uint32", 31))
    counts = [n.c.between(0, 4) for _ in range(channels + 1)]
    starts = [n.c.between(0, energies - 4) for _ in counts]
    first_weights = [sum(counts[:i]) for i in range(len(counts))]
    total = max(sum(counts), 1)
    weights = integers(n, 0, 4096, (total,), "int16")
    constants = [weights, 4096 - weights, starts, first_weights, counts]
    inputs = [x] + [n.constant(np.array(c, "int16"), "int16", (len(c),)) for c in constants]
    n.custom("SignalFilterBank", inputs, [n.add((channels,), "uint64")], num_channels=channels)


def square_root(n):
    size = n.c.pick([8, 1, 40])
    x = given(n, (size,), "uint64", lambda: numbers(n, (size,), "uint64"))
    shift = given(n, (), "int32", lambda: integers(n, 0, 8, (), "int32"))
    n.custom("SignalFilterBankSquareRoot", [x, shift], [n.add((size,), "uint32")])


def spectral_subtraction(n):
    n.runs = 3
    size, bits = n.c.pick([8, 1, 40]), n.c.pick([14, 10])
    x = given(n, (size,), "uint32", lambda: numbers(n, (size,), "uint32", 20))
    smoothing, alternate = n.c.between(1, 1 << (bits - 2)), n.c.between(1, 1 << (bits - 2))
    outputs = [n.add((size,), "uint32"), n.add((size,), "uint32")]
    n.custom("SignalFilterBankSpectralSubtraction", [x], outputs, num_channels=size, smoothing=smoothing, smoothing_bits=n.c.pick([10, 4]),
             one_minus_smoothing=(1 << bits) - smoothing, alternate_smoothing=alternate, spectral_subtraction_bits=bits,
             alternate_one_minus_smoothing=(1 << bits) - alternate, clamping=n.c.chance(50), min_signal_remaining=n.c.between(0, 1 << (bits - 3)))


def pcan(n):
    size = n.c.pick([8, 1, 40])
    x, noise = (given(n, (size,), "uint32", lambda: numbers(n, (size,), "uint32", 24)) for _ in range(2))
    # Falling gains, with the differences that interpolate between them.
    gains = np.zeros(125, np.int16)
    for bits in range(2, 33):
        at = 4 * bits - 6
        gains[at:at + 3] = 32000 >> (bits // 2), -(8000 >> (bits // 2)), 1000 >> (bits // 2)
    gains[:3] = 32767, 32000, 31000
    n.custom("SignalPCAN", [x, noise, n.constant(gains, "int16", (125,))], [n.add((size,), "uint32")], snr_shift=n.c.between(3, 12))


def log(n):
    size = n.c.pick([8, 1, 40])
    x = given(n, (size,), "uint32", lambda: numbers(n, (size,), "uint32"))
    n.custom("SignalFilterBankLog", [x], [n.add((size,), "int16")], output_scale=n.c.pick([1600, 64, 1]), input_correction_bits=n.c.between(0, 4))


def delay(n):
    n.runs = 3
    shape = tuple([n.c.between(1, 3)] * n.c.below(2)) + (n.c.pick([4, 1, 5, 16]),)
    x = given(n, shape, "int16", lambda: samples(n, shape))
    n.custom("SignalDelay", [x], [n.add(shape, "int16")], delay_length=n.c.between(1, 12))


def framer(n):
    """With samples from the beginning: frames that are not valid are what memory holds."""
    n.runs = 3
    step = n.c.pick([4, 1, 5])
    size, frames = step + n.c.between(0, 7), n.c.between(1, 3)
    outer = tuple([n.c.between(1, 3)] * n.c.below(2))
    x = given(n, outer + (step * frames,), "int16", lambda: samples(n, outer + (step * frames,)))
    n.custom("SignalFramer", [x], [n.add(outer + (frames, size), "int16"), n.add((), "bool")], frame_size=size, frame_step=step, prefill=True)


def overlap_add(n):
    n.runs = 3
    dtype = n.c.pick(["int16", "float32"])
    size, frames = n.c.between(1, 9), n.c.between(1, 3)
    step = n.c.between(1, size)
    outer = tuple([n.c.between(1, 3)] * n.c.below(2))
    shape = outer + (frames, size)
    x = given(n, shape, dtype, lambda: samples(n, shape) if dtype == "int16" else (samples(n, shape) / 1000).astype(np.float32))
    n.custom("SignalOverlapAdd", [x], [n.add(outer + (frames * step,), dtype)], T=TYPES[dtype], frame_step=step)


def stacker(n):
    """Valid from the first frame on, for the same reason."""
    n.runs = 4
    channels, left = n.c.between(1, 5), n.c.between(0, 3)
    x = given(n, (channels,), "int16", lambda: samples(n, (channels,)))
    out = n.add((channels * (left + 1),), "int16")
    n.custom("SignalStacker", [x], [out, n.add((), "bool")], num_channels=channels, stacker_left_context=left, stacker_right_context=0, stacker_step=1)


SIGNAL_OPERATORS = {
    "SignalWindow": window,
    "SignalFftAutoScale": fft_auto_scale,
    "SignalRfft": lambda n: fft(n, False),
    "SignalIrfft": lambda n: fft(n, True),
    "SignalEnergy": energy,
    "SignalFilterBank": filter_bank,
    "SignalFilterBankSquareRoot": square_root,
    "SignalFilterBankSpectralSubtraction": spectral_subtraction,
    "SignalPCAN": pcan,
    "SignalFilterBankLog": log,
    "SignalDelay": delay,
    "SignalFramer": framer,
    "SignalOverlapAdd": overlap_add,
    "SignalStacker": stacker,
}
