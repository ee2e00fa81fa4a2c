#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records inputs and outputs of networks for `make test`, with TensorFlow Lite Micro's reference kernels.

    pip install numpy tflite-micro
    record_models.py FOLDER [--cases K]

For each FOLDER/NAME/NAME.tflite without recorded outputs it draws K inputs, seeded by the case's number, and writes them and what the
interpreter makes of them beside the network. docs/testing.md describes the files. The kernels round twice.
"""

import argparse
import pathlib

import numpy as np
from tflite_micro.python.tflite_micro import runtime


def details(get):
    """Those of all inputs or outputs. The interpreter does not tell how many there are, and prints a line when asked for one more."""
    found = []
    while True:
        try:
            found.append(get(len(found)))
        except IndexError:
            return found


def draw(random, tensor):
    if tensor["dtype"] == np.float32:
        return random.standard_normal(tensor["shape"], dtype=np.float32)
    limits = np.iinfo(tensor["dtype"])
    return random.integers(limits.min, limits.max, tensor["shape"], dtype=tensor["dtype"], endpoint=True)


def save(prefix, letter, arrays):
    """PREFIX.npy, or of several PREFIX_<letter>0.npy, PREFIX_<letter>1.npy ..."""
    for i, array in enumerate(arrays):
        np.save(f"{prefix}.npy" if len(arrays) == 1 else f"{prefix}_{letter}{i}.npy", array)


def record(model, cases):
    base = model.with_suffix("")
    interpreter = runtime.Interpreter.from_file(str(model))
    inputs = details(interpreter.get_input_details)
    outputs = details(interpreter.get_output_details)
    for k in range(cases):
        random = np.random.default_rng(k)
        values = [draw(random, tensor) for tensor in inputs]
        for i, value in enumerate(values):
            interpreter.set_input(value, i)
        interpreter.invoke()
        save(f"{base}_input{k}", "i", values)
        save(f"{base}_output{k}", "o", [interpreter.get_output(i) for i in range(len(outputs))])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--cases", type=int, default=4, metavar="K")
    arguments = parser.parse_args()
    models = [path for path in sorted(arguments.folder.glob("*/*.tflite")) if path.stem == path.parent.name]
    if not models:
        parser.error(f"{arguments.folder}: holds no NAME/NAME.tflite")
    for model in models:
        if list(model.parent.glob(f"{model.stem}_output0*.npy")):
            print(f"{model.stem}: recorded before")
            continue
        record(model, arguments.cases)
        print(f"{model.stem}: {arguments.cases} cases")


if __name__ == "__main__":
    main()
