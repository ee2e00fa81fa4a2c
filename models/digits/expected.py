#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes expected.npy: the ten scores that TensorFlow Lite Micro gives each image of testset.json, int8, one row per image.

TensorFlow Lite Micro's reference kernels come from Python's package index, so that no code of this project takes part.

    pip install numpy tflite-micro
    python3 expected.py
"""

import json
import pathlib

import numpy as np
from tflite_micro.python.tflite_micro import runtime

HERE = pathlib.Path(__file__).resolve().parent


def main():
    interpreter = runtime.Interpreter.from_file(str(HERE / "digits.tflite"))
    details = interpreter.get_input_details(0)
    scale = details["quantization_parameters"]["scales"][0]
    zero_point = details["quantization_parameters"]["zero_points"][0]
    scores = []
    for pixels in json.loads((HERE / "testset.json").read_text())["images"]:
        real = np.array(pixels, dtype=np.float32).reshape(1, 8, 8, 1) / 16
        quantised = np.clip(np.floor(real / scale + 0.5) + zero_point, -128, 127).astype(np.int8)
        interpreter.set_input(quantised, 0)
        interpreter.invoke()
        scores.append(interpreter.get_output(0).reshape(-1))
    np.save(HERE / "expected.npy", np.array(scores, dtype=np.int8))


if __name__ == "__main__":
    main()
