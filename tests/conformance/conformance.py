#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random models on TensorFlow Lite Micro, on the golden model and on the RTL: the same bytes, and on float32 numbers within bounds.

    conformance.py BUILD [--seconds N] [--seed S] [--only RECIPE] [--replay FILE] [--rounding float]

In rounding float the models are on int8, and LiteRT with XNNPACK is the reference.

What differs is made smaller and kept in BUILD/conformance: NAME.tflite, NAME.data (inputs and expected outputs), NAME.json (what is
wrong, and what --replay takes).
"""
import argparse
import collections
import itertools
import json
import pathlib
import sys
import time

import generate
import operator_table
from check import FAULTS, Checker, FloatChecker
from choices import smaller
from executor import operator_name
from model_builder import parse

GROUPS = {"int8": list(generate.INT8_RECIPES), "float": list(generate.FLOAT_RECIPES), "int16": list(generate.INT16_RECIPES),
          "host": list(generate.HOST_RECIPES)}  # What --only takes beside recipes.
SHRINK_SECONDS = 30  # For each kind of fault.
PROGRESS_SECONDS = 10


def operators_of(case):
    model = parse(case.model)
    return [case.group() + operator_name(model, op) for op in model.subgraphs[0].operators]


class Tally:
    """What happened, by operator."""
    COLUMNS = {
        "models": None,
        "equal": ("ok", ),
        "equal, TFLM refuses": ("only here", ),
        "wrong": ("executor differs", "reference differs", "differs", "stops", "crashes"),
        "refused by us": ("refused", ),
        "refused by both": ("nowhere", ),
        "undefined": ("undefined", ),
    }

    def __init__(self):
        self.counts = collections.defaultdict(collections.Counter)
        self.bounded = self.elements = 0  # Of outputs on float32.

    def add(self, names, verdict):
        for name in {*names, "all"}:
            self.counts[name]["models"] += 1
            self.counts[name][verdict.kind] += 1
        if verdict.kind == "ok" and verdict.text:
            bounded, elements = map(int, verdict.text.split(" of "))
            self.bounded, self.elements = self.bounded + bounded, self.elements + elements

    def rows(self):
        for name in sorted(self.counts, key=lambda n: (n == "all", n)):
            counts = self.counts[name]
            yield name, {c: counts["models"] if kinds is None else sum(counts[k] for k in kinds) for c, kinds in self.COLUMNS.items()}

    def print(self):
        print(f"{'operator':<26}" + "".join(f"{c:>{len(c) + 3}}" for c in self.COLUMNS))
        for name, row in self.rows():
            print(f"{name:<26}" + "".join(f"{v:>{len(c) + 3}}" for c, v in row.items()))


def shrink(checker, recipe, choices, fault):
    """Choices of a smaller model with the same fault."""

    def fails(candidate):
        case = generate.replay(recipe, candidate, checker.oddities)
        return case.choices if checker.check(case).fault() == fault else None

    return smaller(choices, fails, SHRINK_SECONDS)


def keep(folder, name, case, verdict, checker):
    path = folder / f"{name}.tflite"
    path.write_bytes(case.model)
    try:
        path.with_suffix(".data").write_bytes(checker.kept_data(case))
    except Exception as reason:  # Without expectations there are no data; the model is kept all the same.
        print(f"  {name}: no data: {reason}")
    kept = {"recipe": case.recipe, "choices": case.choices, "operators": operators_of(case), "fault": verdict.kind, "text": verdict.text}
    path.with_suffix(".json").write_text(json.dumps(kept) + "\n")
    print(f"\n{verdict.kind.upper()}: {path}: {', '.join(operators_of(case))}\n  {FAULTS[verdict.kind]}: {verdict.text}", flush=True)


def require_all_operators():
    """Every operator that can be compiled has a generator."""
    missing = operator_table.names() - set(generate.OPERATORS)
    missing |= {generate.FLOAT + name for name in operator_table.float_names()} - set(generate.FLOAT_RECIPES)
    missing |= {generate.INT16 + name for name in operator_table.int16_names()} - set(generate.INT16_RECIPES)
    missing |= {generate.HOST + name for name in operator_table.host_names()} - set(generate.HOST_RECIPES)
    if missing:
        sys.exit(f"{operator_table.TABLE}: generate.py has no generator for {', '.join(sorted(missing))}")


def soak(arguments, checker, folder):
    """Whether all is well."""
    every = list(generate.INT8_RECIPES if arguments.rounding == "float" else generate.RECIPES)
    recipes = GROUPS.get(arguments.only) or ([arguments.only] if arguments.only else every)
    tally, faults = Tally(), collections.Counter()
    start = last = time.monotonic()
    for k in itertools.count():
        if time.monotonic() - start >= arguments.seconds and k >= len(recipes):
            break
        if time.monotonic() - last >= PROGRESS_SECONDS:
            last = time.monotonic()
            print(f"{last - start:6.0f} s, {k} models, {sum(faults.values())} faults", flush=True)
        recipe = recipes[k % len(recipes)]
        seed = f"{arguments.seed}:{k // len(recipes)}"
        try:
            case = generate.from_seed(recipe, seed, checker.oddities)
            verdict = checker.check(case)
        except Exception:
            print(f"{recipe}, seed {seed}:", file=sys.stderr)
            raise
        tally.add(operators_of(case), verdict)
        fault = verdict.fault()
        if fault is None:
            continue
        faults[recipe, fault] += 1
        if faults[recipe, fault] == 1:
            print(f"{recipe}, seed {seed}: {fault[0]}; now with fewer choices", flush=True)
            case = generate.replay(recipe, shrink(checker, recipe, case.choices, fault), checker.oddities)
            keep(folder, f"{recipe}_{seed}".lower().replace(" ", "_").replace(":", "_"), case, checker.check(case), checker)
    tally.print()
    if tally.elements:
        print(f"of {tally.elements} outputs on float32 {100 * tally.bounded / tally.elements:.1f} % have a bound")
    seconds = time.monotonic() - start
    print(f"seed {arguments.seed}, {k} models in {seconds:.0f} s, {sum(faults.values())} faults")
    report = {"seed": arguments.seed, "seconds": seconds, "operators": dict(tally.rows()), "faults": sum(faults.values())}
    (folder / "report.json").write_text(json.dumps(report, indent=1) + "\n")
    return not faults


def replay(file, checker):
    kept = json.loads(file.read_text())
    verdict = checker.check(generate.replay(kept["recipe"], kept["choices"], checker.oddities))
    print(f"{verdict.kind}: {verdict.text}")
    return verdict.fault() is None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=[*GROUPS, *generate.RECIPES], metavar="RECIPE",
                        help="'int8', 'int16', 'float', an operator, 'graph', 'network', 'int16 CONV_2D' and so on")
    parser.add_argument("--replay", type=pathlib.Path, metavar="FILE", help="a .json that an earlier run kept")
    parser.add_argument("--rounding", choices=["float"], help="float: as XNNPACK does, instead of double and single")
    arguments = parser.parse_args()
    program = arguments.build / "bin" / "tpu_conformance"
    other_python = arguments.build / ("litert-env" if arguments.rounding else "int16-env") / "bin" / "python"
    for file in (program, other_python, arguments.replay):
        if file is not None and not file.is_file():
            parser.error(f"{file}: no such file")
    folder = arguments.build / "conformance"
    folder.mkdir(parents=True, exist_ok=True)
    require_all_operators()
    checker = (FloatChecker if arguments.rounding else Checker)(program, folder, other_python)
    print(f"seed {arguments.seed}", flush=True)
    well = replay(arguments.replay, checker) if arguments.replay else soak(arguments, checker, folder)
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    main()
