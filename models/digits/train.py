#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the digits network and writes digits.tflite, testset.json and trainset.json next to this file.

Data: the 1,797 8x8 images of scikit-learn's load_digits. Needs numpy, scikit-learn and flatbuffers; the training
itself is written out below in numpy. The same versions on the same kind of processor give the same files.

    python3 train.py    # train, quantise, write, print the accuracies
"""

import json
import pathlib

import numpy as np
from sklearn.datasets import load_digits

from tflite_writer import model_bytes

HERE = pathlib.Path(__file__).resolve().parent
SEED = 2024
TEST_IMAGES = 450
EPOCHS = 40
BATCH = 32
CHANNELS = (16, 32)
CLASSES = 10


# ---- float network -------------------------------------------------------------------------------


def windows(x):
    """All 3x3 windows, zero padding 1: (n, h, w, c) -> (n, h, w, 3, 3, c)."""
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    view = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))
    return view.transpose(0, 1, 2, 4, 5, 3)


def conv(x, weights, bias):
    """3x3 convolution, stride 1, padding 1; weights (oc, 3, 3, ic)."""
    return np.tensordot(windows(x), weights, axes=([3, 4, 5], [1, 2, 3])) + bias


def conv_gradients(x, weights, grad):
    grad_weights = np.tensordot(grad, windows(x), axes=([0, 1, 2], [0, 1, 2]))
    mirrored = weights[:, ::-1, ::-1, :].transpose(3, 1, 2, 0)
    return conv(grad, mirrored, 0), grad_weights, grad.sum(axis=(0, 1, 2))


def pool(x):
    """2x2 maximum, stride 2."""
    n, h, w, c = x.shape
    return x.reshape(n, h // 2, 2, w // 2, 2, c).max(axis=(2, 4))


def pool_gradient(x, pooled, grad):
    def grow(a):
        return a.repeat(2, axis=1).repeat(2, axis=2)

    winners = x == grow(pooled)
    # Equal maxima share the gradient (with ReLU in front, most ties are zeros).
    share = winners / grow(pool_sum(winners))
    return grow(grad) * share


def pool_sum(x):
    n, h, w, c = x.shape
    return x.reshape(n, h // 2, 2, w // 2, 2, c).sum(axis=(2, 4))


def forward(params, x):
    """Activations after every layer: conv1, conv2, pool, logits."""
    a1 = np.maximum(conv(x, params["w1"], params["b1"]), 0)
    a2 = np.maximum(conv(a1, params["w2"], params["b2"]), 0)
    p = pool(a2)
    return a1, a2, p, p.reshape(len(x), -1) @ params["w3"].T + params["b3"]


def gradients(params, x, labels):
    a1, a2, p, logits = forward(params, x)
    exp = np.exp(logits - logits.max(axis=1, keepdims=True))
    grad = exp / exp.sum(axis=1, keepdims=True)
    grad[np.arange(len(x)), labels] -= 1
    grad /= len(x)
    out = {"w3": grad.T @ p.reshape(len(x), -1), "b3": grad.sum(axis=0)}
    grad = pool_gradient(a2, p, (grad @ params["w3"]).reshape(p.shape)) * (a2 > 0)
    grad, out["w2"], out["b2"] = conv_gradients(a1, params["w2"], grad)
    _, out["w1"], out["b1"] = conv_gradients(x, params["w1"], grad * (a1 > 0))
    return out


def train(x, labels, rng):
    c1, c2 = CHANNELS
    fc_inputs = 4 * 4 * c2
    shapes = {"w1": (c1, 3, 3, 1), "w2": (c2, 3, 3, c1), "w3": (CLASSES, fc_inputs)}
    params = {}
    for (name, shape), bias in zip(shapes.items(), ("b1", "b2", "b3")):
        fan_in = int(np.prod(shape[1:]))
        params[name] = rng.normal(0, np.sqrt(2 / fan_in), shape)
        params[bias] = np.zeros(shape[0])
    mean = {k: np.zeros_like(v) for k, v in params.items()}
    square = {k: np.zeros_like(v) for k, v in params.items()}
    steps = EPOCHS * (len(x) // BATCH)
    step = 0
    for _ in range(EPOCHS):
        order = rng.permutation(len(x))
        for begin in range(0, len(x) - BATCH + 1, BATCH):
            step += 1
            batch = order[begin : begin + BATCH]
            grads = gradients(params, shifted(x[batch], rng), labels[batch])
            rate = 2e-3 * 0.5 * (1 + np.cos(np.pi * step / steps))
            for k, g in grads.items():  # Adam
                mean[k] += 0.1 * (g - mean[k])
                square[k] += 0.001 * (g * g - square[k])
                m = mean[k] / (1 - 0.9**step)
                v = square[k] / (1 - 0.999**step)
                params[k] -= rate * m / (np.sqrt(v) + 1e-8)
    return params


def shifted(x, rng):
    """Each image moved by -1, 0 or 1 pixels in each direction (half of them stay)."""
    out = x.copy()
    for image in out:
        if rng.random() < 0.5:
            dy, dx = rng.integers(-1, 2, size=2)
            padded = np.pad(image, ((1, 1), (1, 1), (0, 0)))
            image[...] = padded[1 + dy : 9 + dy, 1 + dx : 9 + dx]
    return out


# ---- quantisation --------------------------------------------------------------------------------


def quantise_weights(weights):
    """Symmetric, one scale per output channel; scales are float32 values."""
    axes = tuple(range(1, weights.ndim))
    scales = (np.abs(weights).max(axis=axes) / 127).astype(np.float32).astype(np.float64)
    column = scales.reshape((-1,) + (1,) * len(axes))
    return np.clip(np.round(weights / column), -127, 127).astype(int), scales


def activation_range(values):
    """Asymmetric int8 scale and zero point for the values seen; zero is represented exactly."""
    low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
    scale = float(np.float32((high - low) / 255))
    return {"scale": scale, "zero_point": int(np.clip(round(-128 - low / scale), -128, 127))}


def quantise(params, x):
    """The network as tflite_writer takes it; the ranges come from the activations that `x` (training images) causes."""
    a1, a2, p, logits = forward(params, x)
    source = activation_range(x)
    layers = []

    def weighted(op, w, b, values, **attributes):
        nonlocal source
        weights, scales = quantise_weights(params[w])
        layer = {
            "op": op,
            "weights": weights,
            "weight_scales": scales.tolist(),
            "bias": np.round(params[b] / (source["scale"] * scales)).astype(int).tolist(),
            **attributes,
            "output": {"shape": [1, *values.shape[1:]], **activation_range(values)},
        }
        source = {k: layer["output"][k] for k in ("scale", "zero_point")}
        layers.append(layer)

    network = {"name": "digits", "input": {"shape": [1, *x.shape[1:]], **source}, "layers": layers}
    weighted("conv2d", "w1", "b1", a1, stride=[1, 1], activation="relu")
    weighted("conv2d", "w2", "b2", a2, stride=[1, 1], activation="relu")
    pooled = {"filter": [2, 2], "stride": [2, 2]}
    layers.append({"op": "max_pool2d", **pooled, "output": {"shape": [1, *p.shape[1:]], **source}})
    weighted("fully_connected", "w3", "b3", logits, activation="none")
    return network


# ---- int8 evaluation -----------------------------------------------------------------------------


def requantise(acc, factors):
    """TensorFlow Lite's two-step rounding: acc * factor, one factor per output channel."""
    mantissa, exponent = np.frexp(factors)
    multiplier = np.floor(mantissa * 2**31 + 0.5).astype(np.int64)
    left, right = np.maximum(exponent, 0), np.maximum(-exponent, 0)
    high = ((acc << left) * multiplier + (1 << 30)) >> 31
    half = np.where(right > 0, 1 << np.maximum(right - 1, 0), 0) - (high < 0) * (right > 0)
    return (high + half) >> right


def run_int8(network, images):
    """Labels predicted from pixels (n, 64) with exact int8 arithmetic."""
    source = network["input"]
    q = np.round(images / 16 / source["scale"]).astype(np.int64) + source["zero_point"]
    q = q.reshape(-1, *source["shape"][1:])
    for layer in network["layers"]:
        out = layer["output"]
        if layer["op"] == "max_pool2d":
            q = pool(q)
            source = out
            continue
        weights = layer["weights"]
        x = q - source["zero_point"]
        if layer["op"] == "conv2d":
            acc = conv(x, weights, np.array(layer["bias"]))
        else:
            acc = x.reshape(len(x), -1) @ weights.T + np.array(layer["bias"])
        factors = source["scale"] * np.array(layer["weight_scales"]) / out["scale"]
        low = out["zero_point"] if layer["activation"] == "relu" else -128
        q = np.clip(requantise(acc, factors) + out["zero_point"], low, 127)
        source = out
    return q.argmax(axis=1)


# ---- files ---------------------------------------------------------------------------------------


def write_images(name, images, labels):
    rows = ",\n".join(json.dumps(row) for row in images.astype(int).tolist())
    (HERE / name).write_text(f'{{"images": [\n{rows}\n],\n"labels": {json.dumps(labels.tolist())}}}\n')


def main():
    digits = load_digits()
    rng = np.random.default_rng(SEED)
    order = rng.permutation(len(digits.target))
    held_out, training = order[:TEST_IMAGES], order[TEST_IMAGES:]
    x = digits.data.reshape(-1, 8, 8, 1) / 16
    params = train(x[training], digits.target[training], rng)
    network = quantise(params, x[training])
    (HERE / "digits.tflite").write_bytes(model_bytes(network))
    for name, chosen in [("testset.json", held_out), ("trainset.json", training)]:
        write_images(name, digits.data[chosen], digits.target[chosen])
    labels = digits.target[held_out]
    for name, predicted in [
        ("float", forward(params, x[held_out])[-1].argmax(axis=1)),
        ("int8", run_int8(network, digits.data[held_out])),
    ]:
        right = int((predicted == labels).sum())
        print(f"{name} accuracy: {right} of {len(labels)} held-out images = {100 * right / len(labels):.2f} %")


if __name__ == "__main__":
    main()
