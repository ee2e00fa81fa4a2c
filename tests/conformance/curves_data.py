# SPDX-License-Identifier: Apache-2.0
"""Batches to train with: inputs of float32 with the channels last, and labels of int32, one batch behind the other."""
import pathlib

import numpy as np
import sklearn.datasets

TEXT = pathlib.Path(__file__).with_name("curves_text.txt")
TOKENS, VOCABULARY = 16, 32
ALPHABET = "abcdefghijklmnopqrstuvwxyz .,\n"


def drawn(random, inputs, labels, count):
    """So many examples: a permutation of all, then another one."""
    order = np.concatenate([random.permutation(len(labels)) for _ in range(-(-count // len(labels)))])[:count]
    return inputs[order], labels[order]


def digits(random, count, shape):
    images, labels = sklearn.datasets.load_digits(return_X_y=True)
    return drawn(random, (images / 16).astype(np.float32).reshape(-1, *shape), labels.astype(np.int32), count)


def photos(random, count, shape):
    """Ten coarse patterns under noise."""
    side, _, channels = shape
    patterns = random.standard_normal((10, 4, 4, channels)).repeat(side // 4, 1).repeat(side // 4, 2)
    labels = random.integers(0, 10, count, np.int32)
    return (0.5 * patterns[labels] + random.standard_normal((count, *shape))).astype(np.float32), labels


def text(random, count, shape):
    """Characters as ones among zeros; a label is the character after."""
    del shape
    letters = np.array([ALPHABET.index(letter) for letter in TEXT.read_text("utf-8")], np.int32)
    start = random.integers(0, len(letters) - TOKENS, count)
    window = letters[start[:, None] + np.arange(TOKENS + 1)]
    return np.eye(VOCABULARY, dtype=np.float32)[window[:, :-1]], window[:, 1:].copy()


SOURCES = {
    "mlp": (digits, (64, )),
    "lenet": (digits, (8, 8, 1)),
    "resnet8": (photos, (32, 32, 3)),
    "mobilenet": (photos, (32, 32, 3)),
    "transformer": (text, (TOKENS, VOCABULARY)),
}


def batches(network, count, seed):
    source, shape = SOURCES[network]
    return source(np.random.default_rng(seed), count, shape)
