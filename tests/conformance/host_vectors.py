#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes models/host_vectors: random models of the operators that the host runs, with the outputs of TensorFlow Lite Micro.

    host_vectors.py FOLDER

The same versions of the packages (requirements.txt) write the same bytes. models/host_vectors/README.md describes the files.
"""
import pathlib
import sys

import generate
from check import runs_of
from control import CONTROL_OPERATORS
from executor import operator_name
from model_builder import parse
from reference import Reference

CANDIDATES = 40  # Of each recipe.
MOST = 4  # Vectors of each recipe.
MOST_BYTES = 2_500  # Of one vector.
GRAPHS = {"most": 10, "most_bytes": 4_500}  # The same of recipes of models with graphs inside.


def shown(case):
    """What the vectors of a recipe should differ in: types, ranks and options."""
    model = parse(case.model)
    graph = model.subgraphs[0]
    tensors = frozenset((i, t.type, len(t.shape)) for i, t in enumerate(graph.tensors))
    fields = [sorted(vars(op.builtinOptions).items()) if op.builtinOptions else () for op in graph.operators]
    operators = [tuple(operator_name(model, op) for op in g.operators) for g in model.subgraphs]
    return tensors, repr(fields), operators[0], frozenset(operators[1:])


def choose(recipe, reference):
    """(seed, case, data): the first ones of which each shows what those before do not show."""
    chosen, seen = [], set()
    most, most_bytes = GRAPHS.values() if recipe.removeprefix(generate.HOST) in CONTROL_OPERATORS else (MOST, MOST_BYTES)
    for seed in range(CANDIDATES):
        case = generate.from_seed(recipe, seed)
        data, refused = runs_of(case, reference)
        new = set(enumerate(shown(case)))
        if refused or len(case.model) + len(data) > most_bytes or new <= seen:
            continue
        seen |= new
        chosen.append((seed, case, data))
        if len(chosen) == most:
            break
    return chosen


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for old in (*folder.glob("*.tflite"), *folder.glob("*.data")):
        old.unlink()
    reference, count, size = Reference(), 0, 0
    for recipe in generate.HOST_RECIPES:
        for seed, case, data in choose(recipe, reference):
            name = f"{recipe.removeprefix(generate.HOST).lower()}_{seed}"
            (folder / f"{name}.tflite").write_bytes(case.model)
            (folder / f"{name}.data").write_bytes(data)
            count, size = count + 1, size + len(case.model) + len(data)
    print(f"{count} vectors, {size:,} bytes")


if __name__ == "__main__":
    main()
