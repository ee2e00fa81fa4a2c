#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A digits network that is trained on the device in bfloat16, made int8 by LiteRT's quantiser, and run on the same machine.

    quantise.py BUILD [--epochs 4] [--train-on golden|rtl] [--seed 1]

Prints how many of 450 images, which it has not seen, each stage gets right, beside LiteRT and TensorFlow Lite Micro. Fails where the trained
network is below 95 %, int8 is more than 1 % below it, or the device's int8 scores are not those of TensorFlow Lite Micro to the bit.
BUILD/quantise has the models and table.json.
"""
import argparse
import json
import pathlib
import subprocess
import sys

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from ai_edge_quantizer import quantizer, recipe
from tflite_micro.python.tflite_micro import runtime

from model_builder import ModelBuilder, schema, serialise
from net import options

ROOT = pathlib.Path(__file__).resolve().parents[2]
MACHINE = "N16-bf16"
SIGNATURE = "serving_default"  # The quantiser's name for the graph that it calibrates.
CALIBRATION_IMAGES = 200
LEAST_ACCURACY, MOST_LOST = 0.95, 0.01


def mapped(name, tensor):
    entry = schema.TensorMapT()
    entry.name, entry.tensorIndex = name, tensor
    return entry


def network():
    """A .tflite file: two convolutions of 3x3, a maximum of 2x2 and ten scores, with weights that are zero."""
    b = ModelBuilder()

    def weights(*shape):
        return b.tensor(shape, "float32", data=np.zeros(shape, np.float32))

    def convolution(x, channels, filters):
        y = b.tensor((1, 8, 8, filters), "float32")
        how = options("Conv2D", padding=schema.Padding.SAME, strideH=1, strideW=1, fusedActivationFunction=schema.ActivationFunctionType.RELU)
        b.operator("CONV_2D", [x, weights(filters, 3, 3, channels), weights(filters)], [y], how)
        return y

    images = b.tensor((1, 8, 8, 1), "float32")
    features = convolution(convolution(images, 1, 16), 16, 32)
    pooled, flat, scores = (b.tensor(shape, "float32") for shape in ((1, 4, 4, 32), (1, 512), (1, 10)))
    b.operator("MAX_POOL_2D", [features], [pooled],
               options("Pool2D", padding=schema.Padding.VALID, strideH=2, strideW=2, filterHeight=2, filterWidth=2))
    b.operator("RESHAPE", [pooled, b.tensor((2, ), "int32", data=np.array([1, 512], np.int32))], [flat], options("Reshape", newShape=[1, 512]))
    b.operator("FULLY_CONNECTED", [flat, weights(10, 512), weights(10)], [scores], options("FullyConnected"))
    b.graph.inputs, b.graph.outputs = [images], [scores]
    signature = schema.SignatureDefT()
    signature.signatureKey, signature.subgraphIndex = SIGNATURE, 0
    signature.inputs, signature.outputs = [mapped("images", images)], [mapped("scores", scores)]
    b.model.signatureDefs = [signature]
    return serialise(b.model)


def examples(name):
    """Images [n, 8, 8, 1] between 0 and 1, and labels."""
    data = json.loads((ROOT / "models" / "digits" / f"{name}set.json").read_text())
    return (np.array(data["images"], np.float32) / 16).reshape(-1, 8, 8, 1), np.array(data["labels"], np.int32)


def quantise(model, images):
    """int8 weights for each output channel and int8 activations, whose ranges are those of the images."""
    make = quantizer.Quantizer(str(model), recipe.static_wi8_ai8())
    ranges = make.calibrate({SIGNATURE: [{"images": image[None]} for image in images]})
    return bytes(make.quantize(ranges, enable_progress_report=False).quantized_model)


def litert_scores(model, images):
    """What the kernels compute that LiteRT takes by itself."""
    interpreter = Interpreter(str(model), experimental_op_resolver_type=OpResolverType.AUTO)
    interpreter.allocate_tensors()
    x, y = interpreter.get_input_details()[0]["index"], interpreter.get_output_details()[0]["index"]
    scores = []
    for image in images:
        interpreter.set_tensor(x, image[None])
        interpreter.invoke()
        scores.append(interpreter.get_tensor(y)[0].copy())
    return np.array(scores)


def reference_scores(model, images):
    interpreter = runtime.Interpreter.from_file(str(model))
    scores = []
    for image in images:
        interpreter.set_input(image[None], 0)
        interpreter.invoke()
        scores.append(interpreter.get_output(0)[0].copy())
    return np.array(scores)


class Work:
    """The files of a run, and what `tpu` says of them."""

    def __init__(self, build, seed):
        self.tpu, self.folder, self.seed = build / "bin" / "tpu", build / "quantise", seed
        self.folder.mkdir(parents=True, exist_ok=True)

    def save(self, name, values):
        np.save(self.folder / f"{name}.npy", values)
        return self.folder / f"{name}.npy"

    def run(self, *words):
        subprocess.run([str(word) for word in (self.tpu, *words)], check=True)

    def train(self, images, labels, epochs, backend):
        (self.folder / "untrained.tflite").write_bytes(network())
        self.run("train", self.folder / "untrained.tflite", "--inputs", self.save("train_images", images), "--labels",
                 self.save("train_labels", labels), "--initialise", "--seed", self.seed, "--optimizer", "momentum", "--lr", 0.05,
                 "--lr-schedule", "cosine", "--batch", 32, "--epochs", epochs, "--config", MACHINE, "--backend", backend, "-o",
                 self.folder / "trained.tflite")
        return self.folder / "trained.tflite"

    def evaluate(self, model, images, labels, backend, expected=None):
        """The report of `tpu eval`."""
        report = self.folder / f"{model.stem}.json"
        against = () if expected is None else ("--expected", self.save(f"{model.stem}_expected", expected))
        self.run("eval", model, "--inputs", self.save(f"{model.stem}_images", images), "--labels", self.save("labels", labels), "--config",
                 MACHINE, "--backend", backend, "--report", report, *against)
        return json.loads(report.read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--train-on", choices=("golden", "rtl"), default="golden", help="what trains: the same bits, without cycles or with")
    parser.add_argument("--seed", type=int, default=1, help="of the weights and the order of images")
    arguments = parser.parse_args()
    work = Work(arguments.build, arguments.seed)
    images, labels = examples("test")
    train_images, train_labels = examples("train")

    trained = work.train(train_images, train_labels, arguments.epochs, arguments.train_on)
    bfloat16 = work.evaluate(trained, images, labels, "golden")
    quantised = work.folder / "quantised.tflite"
    quantised.write_bytes(quantise(trained, train_images[:CALIBRATION_IMAGES]))
    scale, zero = Interpreter(str(quantised)).get_input_details()[0]["quantization"]
    int8_images = np.clip(np.round(images / np.float32(scale)) + zero, -128, 127).astype(np.int8)
    reference = reference_scores(quantised, int8_images)
    int8 = work.evaluate(quantised, int8_images, labels, "rtl", reference)

    def right(scores):
        return int((scores.argmax(1) == labels).sum())

    rows = [("trained, bfloat16", "device, golden model", bfloat16["right"]),
            ("the same weights, float32", "LiteRT", right(litert_scores(trained, images))),
            ("quantised, int8", "LiteRT", right(litert_scores(quantised, int8_images))),
            ("quantised, int8", "TensorFlow Lite Micro", right(reference)),
            ("quantised, int8", "device, simulated RTL", int8["right"])]
    for network_, where, count in rows:
        print(f"  {network_:26}{where:24}{count:4} of {len(labels)}   {100 * count / len(labels):6.2f} %")
    largest = int8["reference"]["largest_difference"]
    faults = []
    if bfloat16["accuracy"] < LEAST_ACCURACY:
        faults.append(f"the trained network is below {LEAST_ACCURACY:.0%}")
    if int8["accuracy"] < bfloat16["accuracy"] - MOST_LOST:
        faults.append(f"int8 loses more than {MOST_LOST:.0%}")
    if largest != 0:
        faults.append(f"the device's int8 scores differ from TensorFlow Lite Micro's by up to {largest}")
    table = [{"network": n, "where": where, "right": count, "of": len(labels)} for n, where, count in rows]
    (work.folder / "table.json").write_text(json.dumps({"seed": arguments.seed, "stages": table, "faults": faults}, indent=1) + "\n")
    print("quantise: " + ("; ".join(faults) or "the device's int8 scores are TensorFlow Lite Micro's, to the bit"))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
