#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loss curves of the golden model beside PyTorch's, from the same weights and with the same batches.

    curves.py BUILD [--only RUN] [--self-test] [--reuse] [--plots FOLDER]

docs/training.md says which bounds are checked, and why. --self-test makes mistakes on PyTorch's side, each of which has to break a
bound. BUILD/curves has what the runs leave; BUILD/curves/report.json is the table.
"""
import argparse
import dataclasses
import json
import pathlib
import subprocess
import sys
import time

import numpy as np
import torch

import curves_data
import curves_networks
import curves_plot

EARLY = 10  # Steps.
LOSS_BOUND = 2**-8  # Of the loss, or of 1 when it is below: the first steps.
UPDATE_BOUND = {"sgd": 2**-4, "momentum": 2**-4, "adam": 2**-3}  # Of what the first steps change in a tensor.
ROUNDING_FACTOR = 2  # Or so many times what rounding changes in PyTorch.
END_BOUND = 2**-3  # Of the mean loss over the last tenth.
AUTOCAST_FACTOR = 4  # How much farther from float32 than autocast.


@dataclasses.dataclass(frozen=True)
class Run:
    network: str
    optimizer: str
    rate: float
    batch: int
    steps: int

    @property
    def name(self):
        return f"{self.network}-{self.optimizer}"

    @property
    def early(self):
        return min(EARLY, self.steps)


RUNS = [
    Run("mlp", "sgd", 0.1, 32, 200),
    Run("mlp", "momentum", 0.02, 32, 200),
    Run("mlp", "adam", 0.002, 32, 200),
    Run("lenet", "momentum", 0.02, 32, 60),
    Run("mobilenet", "momentum", 0.02, 16, 40),
    Run("transformer", "adam", 0.002, 16, 60),
    Run("resnet8", "sgd", 0.02, 32, 4),
]


class Folder:
    """What a run of the device took and left."""

    def __init__(self, path, run):
        self.path, self.run = path, run
        self.inputs, self.labels = curves_data.batches(run.network, run.batch * run.steps, seed=1)

    def train(self, program, reuse):
        report = self.path / "device.json"
        if not (reuse and report.is_file()):
            self.path.mkdir(parents=True, exist_ok=True)
            report.unlink(missing_ok=True)
            np.save(self.path / "inputs.npy", self.inputs)
            np.save(self.path / "labels.npy", self.labels)
            subprocess.run([
                program, self.run.network, self.path, "--optimizer", self.run.optimizer, "--lr", str(self.run.rate),
                "--batch", str(self.run.batch), "--weights-after", "0", str(self.run.early)
            ], check=True)
        self.report = json.loads(report.read_text())
        assert len(self.report["loss"]) == self.run.steps, f"{report}: of another run; leave --reuse out"

    @property
    def losses(self):
        return np.array(self.report["loss"])

    def weights(self, step):
        return [np.load(self.path / f"weights_{step}_{i}.npy") for i in range(len(self.report["weights"]))]


def in_pytorch(folder, mistake=None):
    """Losses and early weights, by arithmetic."""
    run = folder.run
    trained = {a: curves_networks.train(run, folder, a, mistake, (run.early, )) for a in curves_networks.ARITHMETIC}
    return {a: (np.array(losses), kept[run.early]) for a, (losses, kept) in trained.items()}


def update_differences(folder, theirs):
    """Of each tensor: its name, the share of its early change that differs, and the share that may."""
    run, bound = folder.run, UPDATE_BOUND[folder.run.optimizer]
    for name, before, ours, rounded, *others in zip(folder.report["weights"], folder.weights(0), folder.weights(run.early),
                                                    *(theirs[a][1] for a in ("operands", "float32", "autocast"))):
        if name in curves_networks.WITHOUT_GRADIENT.get(run.network, ()):
            continue
        change = np.linalg.norm(rounded - before)
        if change < 1e-30:
            yield name, float("inf") if (ours != rounded).any() else 0.0, bound
        else:
            yield (name, float(np.linalg.norm(ours - rounded) / change),
                   max(bound, *(float(ROUNDING_FACTOR * np.linalg.norm(other - rounded) / change) for other in others)))


def compare(folder, theirs):
    """A row of the table. "broken" says which bounds are."""
    run, ours = folder.run, folder.losses
    exact, autocast = theirs["float32"][0], theirs["autocast"][0]
    early = float((np.abs(ours - exact) / np.maximum(exact, 1))[:run.early].max())
    tensor, update, allowed = max(update_differences(folder, theirs), key=lambda found: found[1] / found[2])
    tenth = -max(run.steps // 10, 1)
    ends = {"device": ours[tenth:].mean(), "float32": exact[tenth:].mean(), "autocast": autocast[tenth:].mean()}
    end = float(abs(ends["device"] / ends["float32"] - 1))
    distances = {"device": np.sqrt(np.mean((ours - exact)**2)), "autocast": np.sqrt(np.mean((autocast - exact)**2))}
    broken = []
    if not early <= LOSS_BOUND:
        broken.append(f"loss of the first {run.early} steps: {early:.2g} apart, {LOSS_BOUND:.2g} allowed")
    if not update <= allowed:
        broken.append(f"{tensor} after {run.early} steps: {update:.2g} apart, {allowed:.2g} allowed")
    if not end <= END_BOUND:
        broken.append(f"loss of the last {-tenth} steps: {end:.2g} apart, {END_BOUND:.2g} allowed")
    if not distances["device"] <= AUTOCAST_FACTOR * distances["autocast"] + LOSS_BOUND:
        broken.append(f"{distances['device']:.2g} from float32, autocast {distances['autocast']:.2g}")
    return {
        **dataclasses.asdict(run), "end": {k: float(v) for k, v in ends.items()},
        "early_loss_difference": early,
        "update_difference": update,
        "update_allowed": allowed,
        "end_difference": end,
        "rms_from_float32": {k: float(v) for k, v in distances.items()},
        "broken": broken
    }


HEADER = (f"{'network':12} {'optimiser':9} {'steps':>5}   {'device':>7} {'float32':>7} {'autocast':>8}   {'early loss':>10} {'update':>8}"
          f" {'end':>8}   {'device':>8} {'autocast':>8}")


def line(row):
    end, rms = row["end"], row["rms_from_float32"]
    return (f"{row['network']:12} {row['optimizer']:9} {row['steps']:5}   {end['device']:7.4f} {end['float32']:7.4f} {end['autocast']:8.4f}"
            f"   {row['early_loss_difference']:10.1e} {row['update_difference']:8.1e} {row['end_difference']:8.1e}"
            f"   {rms['device']:8.1e} {rms['autocast']:8.1e}  {'; '.join(row['broken'])}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", metavar="RUN", choices=sorted({run.name for run in RUNS}), help="'mlp-sgd' and so on")
    parser.add_argument("--self-test", action="store_true", help="mistakes in PyTorch have to break a bound")
    parser.add_argument("--reuse", action="store_true", help="take the device's curves of the last time")
    parser.add_argument("--plots", metavar="FOLDER", type=pathlib.Path, help="where an SVG of each run is written")
    arguments = parser.parse_args()
    program = arguments.build / "bin" / "tpu_curves"
    if not program.is_file():
        parser.error(f"{program}: no such file")
    torch.set_num_threads(1)  # The order of sums is always the same.
    start, rows, unnoticed = time.monotonic(), [], 0
    print(f"{'':31}mean loss of the last tenth   {'difference':>26}     rms from float32\n{HEADER}", flush=True)
    for run in RUNS:
        if arguments.only not in (None, run.name):
            continue
        folder = Folder(arguments.build / "curves" / run.name, run)
        folder.train(program, arguments.reuse)
        theirs = in_pytorch(folder)
        rows.append(compare(folder, theirs))
        print(line(rows[-1]), flush=True)
        rows[-1]["loss"] = {"device": folder.report["loss"], **{a: list(losses) for a, (losses, _) in theirs.items()}}
        if arguments.plots:
            arguments.plots.mkdir(parents=True, exist_ok=True)
            curves = [("PyTorch, float32", theirs["float32"][0]), ("device", folder.losses)]
            (arguments.plots / f"{run.name}.svg").write_text(curves_plot.svg(f"{run.network}, {run.optimizer}: loss", curves))
        for mistake in curves_networks.MISTAKES if arguments.self_test else ():
            broken = compare(folder, in_pytorch(folder, mistake))["broken"]
            unnoticed += not broken
            print(f"    mistake in {mistake}: {'; '.join(broken) or 'NOT NOTICED'}", flush=True)
    (arguments.build / "curves").mkdir(exist_ok=True)
    (arguments.build / "curves" / "report.json").write_text(json.dumps(rows, indent=1) + "\n")
    faults = sum(bool(row["broken"]) for row in rows)
    print(f"curves: {len(rows)} in {time.monotonic() - start:.0f} s, {faults} outside of the bounds"
          + (f", {unnoticed} mistakes not noticed" if arguments.self_test else ""))
    sys.exit(1 if faults or unnoticed else 0)


if __name__ == "__main__":
    main()
