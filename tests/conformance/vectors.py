#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes models/vectors: few random models that together show every class of every operator, with inputs and expected outputs.

    vectors.py FOLDER INT16_PYTHON

INT16_PYTHON is the interpreter of the environment that int16_requirements.txt describes. The same versions of the packages write the same
bytes. models/vectors/README.md describes the files.
"""
import collections
import importlib.metadata
import itertools
import json
import pathlib
import subprocess
import sys

import features
import fixed_point
import generate
from check import Disagreement, data_of, expectations, left_open
from executor import operator_name
from model_builder import parse
from oddities import ODDITIES
from reference import Reference
from regressions import REGRESSIONS

CANDIDATES = 160  # Of each recipe.
TABLES_SUFFIX = " tables"
MOST = collections.defaultdict(lambda: 5, {
    "CONV_2D": 14, "DEPTHWISE_CONV_2D": 14, "FULLY_CONNECTED": 10, "TRANSPOSE_CONV": 9, "ADD": 9, "SUB": 8, "MUL": 8, "MEAN": 8, "SUM": 8,
    "AVERAGE_POOL_2D": 8, "MAX_POOL_2D": 7, "LOGISTIC": 7, "TANH": 7, "HARD_SWISH": 8, "LEAKY_RELU": 9, "RELU": 7, "PRELU": 8,
    "QUANTIZE": 9, "SOFTMAX": 9, "RESIZE_BILINEAR": 8, "STRIDED_SLICE": 8, "graph": 26, "network": 12})
MOST_INT16 = collections.defaultdict(lambda: 3, {
    "CONV_2D": 10, "DEPTHWISE_CONV_2D": 8, "FULLY_CONNECTED": 8, "TRANSPOSE_CONV": 6, "ADD": 6, "SUB": 6, "MUL": 6, "MEAN": 6, "SUM": 5,
    "AVERAGE_POOL_2D": 6, "MAX_POOL_2D": 5, "QUANTIZE": 6, "LEAKY_RELU": 5, "RELU": 4, "graph": 12, "network": 8, "mixed": 10})
MOST_BYTES = 20_000  # Of one vector.
MOST_INT16_BYTES = 10_000
VERSION = "import importlib.metadata; print(importlib.metadata.version('tflite-micro'))"
ODD, ODD_SEEDS = 3, 40  # Vectors of each oddity, and seeds of all recipes to look for them.
TABLES = 3  # Vectors of each function, of all 256 values in several quantisations.


class Chooser:
    def __init__(self, reference, most, most_bytes):
        self.reference, self.most, self.most_bytes = reference, most, most_bytes
        self.seen = set()

    def vector(self, case):
        """The case with its data; None: it has no expectations, or it is too large."""
        try:
            expected = expectations(case, self.reference)
        except fixed_point.Undefined:
            return None
        model = parse(case.model)
        # What TensorFlow Lite Micro refuses proves nothing, unless it lacks the operator.
        if expected.refused and case.recipe.removesuffix(TABLES_SUFFIX) not in generate.MISSING_IN_TFLM:
            return None
        data = data_of(case, expected)
        by = "executor" if expected.refused or left_open(model) else "TensorFlow Lite Micro"
        return (data, by) if len(case.model) + len(data) <= self.most_bytes else None

    def choose(self, recipe):
        """Of the recipe (seed, case, data, by whom), in the order of their seeds."""
        candidates = []
        for seed in range(CANDIDATES):
            case = generate.from_seed(recipe, seed)
            candidates.append((seed, case, features.of(case)))
        chosen, tables = [], recipe.endswith(TABLES_SUFFIX)

        def worth(candidate):
            _, case, shown = candidate
            size = len(case.model) + sum(a.nbytes for a in case.inputs)
            return len(case.inputs) if tables else len(shown - self.seen) / (2000 + size)

        while candidates and len(chosen) < (TABLES if tables else self.most[recipe.removeprefix(generate.INT16)]):
            best = max(candidates, key=worth)
            candidates.remove(best)
            seed, case, shown = best
            if worth(best) == 0:
                break
            vector = self.vector(case)
            if vector is None:
                continue
            self.seen |= shown
            chosen.append((seed, case, *vector))
        return sorted(chosen, key=lambda c: c[0])


    def with_oddity(self, oddity):
        """(recipe, seed, case, data, by whom) of models that the oddity changes."""
        for seed, recipe in itertools.product(range(ODD_SEEDS), generate.OPERATORS):
            case = generate.from_seed(recipe, seed, [oddity])
            vector = self.vector(case) if case.oddities else None
            if vector is not None:
                yield recipe, seed, case, *vector


def write(folder, name, case, data, by, entry):
    (folder / f"{name}.tflite").write_bytes(case.model)
    (folder / f"{name}.data").write_bytes(data)
    model = parse(case.model)
    operators = [operator_name(model, op) for op in model.subgraphs[0].operators]
    return {"name": name, **entry, "operators": operators, "oddities": case.oddities, "double_rounding_by": by}


def vectors_of(chooser, recipes, folder):
    """Writes what the chooser chooses of the recipes; gives the entries of the index."""
    vectors = []
    for recipe in recipes:
        try:
            for seed, case, data, by in chooser.choose(recipe):
                vectors.append(write(folder, f"{recipe.lower().replace(' ', '_')}_{seed}", case, data, by, {"recipe": recipe, "seed": seed}))
        except Disagreement as difference:
            sys.exit(f"{recipe}: the executor and TensorFlow Lite Micro differ: {difference}; run `make conformance` first")
    return vectors


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for old in (*folder.glob("*.tflite"), *folder.glob("*.data")):
        old.unlink()
    chooser = Chooser(Reference(), MOST, MOST_BYTES)
    int16_chooser = Chooser(Reference(sys.argv[2]), MOST_INT16, MOST_INT16_BYTES)
    vectors = []
    for make in REGRESSIONS:
        case = make()
        data, by = chooser.vector(case)
        vectors.append(write(folder, make.__name__, case, data, by, {"once": make.__doc__}))
    vectors += vectors_of(chooser, generate.INT8_RECIPES, folder)
    for oddity in ODDITIES:
        there = sum(oddity.__name__ in v["oddities"] for v in vectors)
        for recipe, seed, case, data, by in itertools.islice(chooser.with_oddity(oddity), max(ODD - there, 0)):
            name = f"{oddity.__name__}_{recipe.lower()}_{seed}"
            vectors.append(write(folder, name, case, data, by, {"recipe": recipe, "seed": seed, "oddity": oddity.__name__}))
    vectors += vectors_of(int16_chooser, generate.INT16_RECIPES, folder)
    versions = {name: importlib.metadata.version(name) for name in ("tflite-micro", "flatbuffers", "numpy")}
    versions["tflite-micro on int16"] = subprocess.run([sys.argv[2], "-c", VERSION], check=True, capture_output=True, text=True).stdout.strip()
    lines = ",\n".join("  " + json.dumps(v) for v in vectors)
    (folder / "index.json").write_text(f'{{"versions": {json.dumps(versions)},\n "vectors": [\n{lines}\n]}}\n')
    size = sum(f.stat().st_size for f in folder.iterdir())
    print(f"{len(vectors)} vectors, {size:,} bytes, {len(chooser.seen)} features on int8, {len(int16_chooser.seen)} on int16")


if __name__ == "__main__":
    main()
