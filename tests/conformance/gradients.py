#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random graphs of the tensor language: values and gradients against JAX, and their text on XLA.

    gradients.py BUILD [--seconds N] [--seed S] [--only KIND]

Each graph has one operation, or is a small network. Three things must be the same, in double precision: what our evaluator computes of
the graph with gradients, what JAX computes and differentiates (jax.vjp), and what XLA computes of the simplified graph's text. What
differs is kept in BUILD/conformance/gradient_KIND_SEED.json.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import time

import numpy as np

import stablehlo_in_jax

TOLERANCE = 1e-9
GRADIENT = "gradient of "


def difference(name, ours, theirs):
    """What is wrong with an output; None: nothing."""
    ours, theirs = np.ravel(ours), np.ravel(np.asarray(theirs, np.float64))
    if ours.shape != theirs.shape:
        return f"{name}: {ours.size} elements, not {theirs.size}"
    wrong = np.flatnonzero(~(np.abs(ours - theirs) <= TOLERANCE * (1 + np.abs(theirs))))
    return f"{name}: element {wrong[0]} is {ours[wrong[0]]}, not {theirs[wrong[0]]}" if wrong.size else None


def problems(case):
    """What differs in a case."""
    nodes, arguments = case["nodes"], case["arguments"]
    inputs = [np.array(values, stablehlo_in_jax.TYPES[nodes[i]["element"]]).reshape(nodes[i]["shape"])
              for i, values in zip(arguments, case["inputs"])]
    cotangent = np.array(case["inputs"][-1]).reshape(nodes[case["result"]]["shape"])
    ours = dict(zip(case["names"], case["outputs"]))

    floats = [k for k, i in enumerate(arguments) if nodes[i]["element"] == "f32"]  # The others have no gradient.
    result, gradients = stablehlo_in_jax.differentiated(nodes, arguments, case["result"], floats)(inputs, cotangent)
    yield difference("result", ours["result"], result)
    for k, gradient in zip(floats, gradients):
        name = GRADIENT + nodes[arguments[k]]["attributes"]["name"]
        yield difference(name, ours[name], gradient)

    text = stablehlo_in_jax.in_double(case["text"])
    for name, output in zip(case["names"], stablehlo_in_jax.run_text(text, [*inputs, cotangent])):
        yield difference(f"{name} by XLA", ours[name], output)


def cases(program, arguments):
    """Cases of one seed after the other."""
    for seed in range(arguments.seed, arguments.seed + 2**20):
        command = [program, "--seed", str(seed)] + (["--only", arguments.only] if arguments.only else [])
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        if not lines:
            sys.exit(f"{program}: no graphs of the kind {arguments.only}")
        yield seed, [json.loads(line) for line in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=60, help="no seed is begun afterwards")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", metavar="KIND", help="'convolution', 'mlp' and so on")
    arguments = parser.parse_args()
    program = arguments.build / "bin" / "tpu_gradients"
    if not program.is_file():
        parser.error(f"{program}: no such file")
    folder = arguments.build / "conformance"
    folder.mkdir(parents=True, exist_ok=True)
    start, graphs, faults = time.monotonic(), 0, collections.Counter()
    operations = set()
    for seed, batch in cases(program, arguments):
        for case in batch:
            graphs += 1
            operations |= {node["op"] for node in case["nodes"]}
            try:
                found = [problem for problem in problems(case) if problem]
            except Exception as error:  # What JAX refuses is a fault as well.
                found = [f"{type(error).__name__}: {str(error)[:500]}"]
            if found:
                faults[case["kind"]] += 1
                path = folder / f"gradient_{case['kind']}_{seed}.json".replace(" ", "_")
                path.write_text(json.dumps(case) + "\n")
                print(f"DIFFERS: {path}\n  " + "\n  ".join(found), flush=True)
        if time.monotonic() - start >= arguments.seconds:
            break
    missing = stablehlo_in_jax.OPERATIONS.keys() - operations
    if missing and not arguments.only:
        sys.exit(f"no graph has {', '.join(sorted(missing))}")
    print(f"gradients, seeds {arguments.seed} to {seed}: {graphs} graphs in {time.monotonic() - start:.0f} s, {faults.total()} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
