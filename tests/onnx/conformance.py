#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random quantised models of ONNX on the golden model, compared with ONNX Runtime: each operator in both forms of quantisation, and networks.

    conformance.py BUILD [--seconds N] [--seed S] [--only NAME] [--rounding single]

A model whose results differ by more steps than docs/onnx.md says is kept in BUILD/onnx_conformance: NAME.onnx, and NAME.npz with its inputs. At the end the
share of different results is compared, too.
"""
import argparse
import collections
import itertools
import logging
import pathlib
import sys
import time
import zlib

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
PROGRESS_SECONDS = 10


def recipes():
    """Names, and what makes a model of a random generator: (kind of bound, model's bytes, inputs, scale of a step)."""
    import compare
    import networks
    import operators

    def of_operator(name, case, integer_operator):

        def make(rng):
            dtype = [np.int8, np.uint8][rng.integers(2)]
            model, feeds = operators.quantised(operators.CASES[case](rng), rng, dtype, integer_operator)
            return compare.kind_of(case, dtype, integer_operator), model.SerializeToString(), feeds, 1

        return make

    def of_network(name):
        return lambda rng: networks.random_model(name, rng)

    made = {name: of_operator(name, name, None) for name in operators.CASES}
    made |= {name: of_operator(name, case, name) for name, (case, *_) in operators.INTEGER_OPERATORS.items()}
    return made | {f"network {name}": of_network(name) for name in networks.NETWORKS}


class Tally:

    def __init__(self):
        self.models, self.different, self.elements, self.faults = (collections.Counter() for _ in range(4))
        self.kinds, self.different_of_kinds = collections.Counter(), collections.Counter()  # By name and kind of bound.

    def print(self):
        print(f"{'operator':<26}{'models':>8}{'results':>12}{'different':>12}{'faults':>8}")
        for name in [*sorted(self.models), "all"]:
            row = [sum(counts.values()) if name == "all" else counts[name] for counts in (self.models, self.elements, self.different, self.faults)]
            print(f"{name:<26}{row[0]:>8}{row[1]:>12}{row[2]:>12}{row[3]:>8}")


def keep(folder, name, model, feeds, text):
    path = folder / f"{name}.onnx".lower().replace(" ", "_").replace(":", "_")
    path.write_bytes(model)
    np.savez(path.with_suffix(".npz"), **feeds)
    print(f"\n{path}: {text}", flush=True)


def soak(arguments, folder):
    """Whether all is well."""
    import compare
    chosen = {name: make for name, make in recipes().items() if arguments.only in (None, name)}
    if not chosen:
        sys.exit(f"--only {arguments.only}: no such operator; the names are {', '.join(recipes())}")
    tally = Tally()
    logging.disable(logging.WARNING)  # ONNX Runtime's quantiser has advice for each network.
    start = last = time.monotonic()
    for k in itertools.count():
        if time.monotonic() - start >= arguments.seconds and k >= len(chosen):
            break
        if time.monotonic() - last >= PROGRESS_SECONDS:
            last = time.monotonic()
            print(f"{last - start:6.0f} s, {k} models, {sum(tally.faults.values())} faults", flush=True)
        name = list(chosen)[k % len(chosen)]
        turn = k // len(chosen)
        if name.startswith("network") and turn % 8:  # They take as long as all operators together.
            continue
        kind, model, feeds, scale = chosen[name](np.random.default_rng([zlib.crc32(name.encode()), arguments.seed, turn]))
        tally.models[name] += 1
        try:
            steps = compare.steps(model, feeds, arguments.rounding, scale)
        except Exception as reason:  # Whatever it is, it is a fault.
            tally.faults[name] += 1
            keep(folder, f"{name}_{arguments.seed}:{turn}", model, feeds, f"{type(reason).__name__}: {reason}")
            continue
        tally.different[name] += np.count_nonzero(steps)
        tally.elements[name] += steps.size
        tally.different_of_kinds[name, kind] += np.count_nonzero(steps)
        tally.kinds[name, kind] += steps.size
        if steps.max(initial=0) > compare.bound(kind, arguments.rounding).steps:
            tally.faults[name] += 1
            keep(folder, f"{name}_{arguments.seed}:{turn}", model, feeds, f"{np.count_nonzero(steps)} of {steps.size} results differ, by up to {steps.max()}")
    for (name, kind), elements in tally.kinds.items():
        bound, different = compare.bound(kind, arguments.rounding), tally.different_of_kinds[name, kind]
        if not bound.holds(different, elements):
            tally.faults[name] += 1
            print(f"{name} ({kind}): {different} of {elements} results differ, more than {bound.share} of them")
    tally.print()
    models, faults = sum(tally.models.values()), sum(tally.faults.values())
    print(f"seed {arguments.seed}, {models} models in {time.monotonic() - start:.0f} s, {faults} faults")
    return not faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", metavar="NAME", help="an operator, e.g. Conv or QLinearConv, or 'network resnet' and so on")
    parser.add_argument("--rounding", choices=["float", "single"], default="float")
    arguments = parser.parse_args()
    module = arguments.build / "python"
    if not module.is_dir():
        parser.error(f"{module}: no such folder; `make onnx-conformance` builds the Python module there")
    sys.path[:0] = [str(HERE), str(module)]
    folder = arguments.build / "onnx_conformance"
    folder.mkdir(parents=True, exist_ok=True)
    sys.exit(0 if soak(arguments, folder) else 1)


if __name__ == "__main__":
    main()
