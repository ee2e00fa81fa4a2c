# SPDX-License-Identifier: Apache-2.0
"""Training."""

import collections.abc
import json
import os
import pathlib
import tempfile
from typing import Any

import numpy as np
import numpy.typing as npt

from tpu import _display, _tpu
from tpu._machines import chosen
from tpu._model import Path
from tpu._progress import Steps, told
from tpu._tpu import Error

CHOICES = {"loss": ("cross-entropy", "mse"), "optimizer": ("sgd", "momentum", "adam"), "schedule": ("constant", "cosine", "linear")}
COUNTS = ("batch", "accumulate", "epochs", "steps")
LEAST = {"learning_rate": (0, False), "momentum": (0, True), "weight_decay": (0, True)}


# An array, or the path of a .npy file.
Examples = npt.ArrayLike | os.PathLike[str]


class Training:
    """A trained network: `model`, the contents of its .tflite file, and `report`, what `tpu train --report` writes. Notebooks show the page of `tpu train --html`."""

    def __init__(self, model: bytes, report: dict[str, Any], summary: str, page: str) -> None:
        self.model = model
        self.report = report
        self.summary = summary
        self._page = page

    def save(self, path: Path) -> None:
        """Writes the .tflite file."""
        pathlib.Path(path).write_bytes(self.model)

    def html(self) -> str:
        """The page of `tpu train --html`."""
        return self._page

    def __repr__(self) -> str:
        return f"<tpu.Training: {self.summary}>"

    def _repr_html_(self) -> str:
        return _display.frame(self._page, 700)


def train(model: Path, inputs: Examples, labels: Examples, *, test_inputs: Examples | None = None, test_labels: Examples | None = None,
          config: str | None = None, backend: str | None = None, device: str | None = None,
          progress: bool | collections.abc.Callable[[int, int, float], object] | None = None, checkpoint: Path | None = None, resume: Path | None = None, **options: Any) -> Training:
    """Trains a .tflite model of float32, as `tpu train` does (docs/training.md), and returns a Training.

    inputs, labels, test_inputs, test_labels: arrays, or paths of .npy files
    config, backend: the machine (default: "N16-bf16") and what it is (default: "rtl")
    device: a board in their place, as "uart:/dev/ttyUSB0"; its machine has to have bf16
    checkpoint, resume: paths of files
    progress: True for a line of text, or a function that is called with the step, the number of steps and the step's loss
    also_trained: the name of a constant to train besides weights, or several (`tpu train --also-train`)
    options: loss, optimizer, schedule, learning_rate, momentum, weight_decay, batch, accumulate, epochs, steps, seed, initialise
    """
    if (test_inputs is None) != (test_labels is None):
        raise Error("test_inputs and test_labels: give both or none")
    with tempfile.TemporaryDirectory() as folder:
        files = pathlib.Path(folder)
        flags = _tpu.TrainFlags()
        flags.model = os.fspath(model)
        flags.config, flags.backend = chosen(device, config, backend, ("N16-bf16", "rtl"))
        for name, values in (("inputs", inputs), ("labels", labels), ("test_inputs", test_inputs), ("test_labels", test_labels)):
            if values is not None:
                setattr(flags, name, _file(values, files / f"{name}.npy"))
        flags.checkpoint, flags.resume = os.fspath(checkpoint or ""), os.fspath(resume or "")
        for name, value in options.items():
            setattr(flags, *_checked(name, value))
        if flags.epochs is not None and flags.steps is not None:
            raise Error("epochs and steps: give one of them")
        flags.output, flags.report, flags.html = str(files / "model.tflite"), str(files / "report.json"), str(files / "page.html")
        with told(progress, Steps()) as function:
            summary = _tpu.train(flags, function)
        report = json.loads(pathlib.Path(flags.report).read_text())
        return Training(pathlib.Path(flags.output).read_bytes(), report, summary, pathlib.Path(flags.html).read_text())


def _file(values: Examples, path: pathlib.Path) -> str:
    """The file of an array."""
    if isinstance(values, (str, os.PathLike)):
        return os.fspath(values)
    np.save(path, np.ascontiguousarray(values))
    return str(path)


def _checked(name: str, value: Any) -> tuple[str, Any]:
    """The option, if it may have that value."""
    if name in CHOICES:
        if value not in CHOICES[name]:
            raise Error(f"{name}: {value} is none of {', '.join(CHOICES[name])}")
    elif name in COUNTS:
        if not isinstance(value, int) or not 1 <= value <= (10**6 if name in ("batch", "accumulate") else 2**48):
            raise Error(f"{name}: {value} is no whole number of at least 1, or too large")
    elif name in LEAST:
        least, itself = LEAST[name]
        if not (abs(value) <= np.finfo(np.float32).max and (value > least or (itself and value == least))):
            raise Error(f"{name}: {value} is no number {'of at least' if itself else 'above'} {least} that float32 holds")
    elif name == "also_trained":
        return name, [value] if isinstance(value, str) else list(value)
    elif name not in ("seed", "initialise"):
        raise TypeError(f"train() got an unexpected keyword argument '{name}'")
    return name, value
