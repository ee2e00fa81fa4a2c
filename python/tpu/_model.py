# SPDX-License-Identifier: Apache-2.0
"""Networks, compiled for a machine, and what they compute."""

import collections.abc
import os
import threading
from typing import Any

import numpy.typing as npt

from tpu import _display, _tpu
from tpu._machines import chosen
from tpu._progress import Cycles, told
from tpu._report import Report
from tpu._tensor import TensorInfo, tensors
from tpu._tpu import Error

Array = npt.NDArray[Any]
Path = str | os.PathLike[str]
# Whether to show progress, or a function that is called with the cycles so far.
Progress = bool | collections.abc.Callable[[int], object] | None


class Result:
    """What a run computed and what it cost. Notebooks show the page of `tpu run --html`, if the backend traces instructions, or the report."""

    def __init__(self, outputs: dict[str, Array], result: _tpu.Result, trace: bool) -> None:
        self.outputs = outputs
        self._result = result
        self._trace = trace
        self._report: Report | None = None

    @property
    def output(self) -> Array:
        """The only output."""
        if len(self.outputs) != 1:
            raise Error(f"there are {len(self.outputs)} outputs, not one: {', '.join(self.outputs)}")
        return next(iter(self.outputs.values()))

    @property
    def report(self) -> Report:
        if self._report is None:
            self._report = Report(self._result.report(), self._result.table())
        return self._report

    def html(self) -> str:
        """The page of `tpu run --html`: report, roofline and timeline."""
        return self._result.html()

    def timeline(self) -> str:
        """The text of `tpu run --timeline`, for ui.perfetto.dev."""
        return self._result.chrome_trace()

    def _repr_html_(self) -> str:
        return _display.frame(self.html(), 900) if self._trace else self.report._repr_html_()


class Model:
    """A network, compiled for a machine. It keeps a device of each backend that it has run on, with the program in the device's memory. Several threads may use it."""

    def __init__(self, program: _tpu.Program, backend: str) -> None:
        self._program = program
        self._runners: dict[str, _tpu.Runner] = {}
        self._lock = threading.Lock()
        self.backend = backend
        self.inputs: list[TensorInfo] = tensors(program.inputs)
        self.outputs: list[TensorInfo] = tensors(program.outputs)

    @property
    def name(self) -> str:
        return self._program.name

    @property
    def config(self) -> dict[str, int]:
        """The parameters of the machine."""
        return self._program.config

    @property
    def macs(self) -> int:
        """Multiply-accumulates that the network needs."""
        return self._program.macs

    def save(self, path: Path) -> None:
        """Writes a .tpu file."""
        self._program.save(os.fspath(path))

    def __call__(self, *args: Any, **kwargs: npt.ArrayLike) -> Array | dict[str, Array]:
        """The output, of several outputs a dictionary by name. Inputs are arrays in the model's order, one dictionary by name, or named arguments."""
        result = self.run(*args, inputs=kwargs or None)
        return result.output if len(result.outputs) == 1 else result.outputs

    def run(self, *args: Any, inputs: collections.abc.Mapping[str, npt.ArrayLike] | None = None, backend: str | None = None,
            device: str | None = None, progress: Progress = None) -> Result:
        """Runs once, by default on the model's backend.

        device: a board that runs it, whose machine must be the one that the model is compiled for.
        progress: True for a line of text, or a function that is called with the cycles so far.
        """
        arrays = self._arrays(args, inputs)
        if device is not None and (backend is not None or device not in self._runners):
            chosen(device, None, backend, ("", ""))
        backend = device or backend or self.backend
        runner = self._runner(backend)
        try:
            with told(progress, Cycles(self.name)) as function:
                result = runner.run(arrays, function)
        except BaseException:
            # The device may be in the middle of a program.
            self._runners.pop(backend, None)
            raise
        outputs = dict(zip((tensor.name for tensor in self.outputs), result.take_outputs()))
        return Result(outputs, result, _tpu.backends()[backend]["trace"])

    def reset_states(self) -> None:
        """Forgets what earlier runs left for the next one: variables are again as they were before the first run."""
        for runner in list(self._runners.values()):
            runner.reset_states()

    def _runner(self, backend: str) -> _tpu.Runner:
        with self._lock:
            if backend not in self._runners:
                self._runners[backend] = _tpu.Runner(self._program, backend)
            return self._runners[backend]

    def _arrays(self, args: tuple[Any, ...], named: collections.abc.Mapping[str, npt.ArrayLike] | None) -> list[Array]:
        places = list(args)
        if len(places) == 1 and isinstance(places[0], collections.abc.Mapping):
            named = {**places.pop(), **(named or {})}
        if places and named:
            raise Error(f"{self.name}: inputs by place and by name; give all in one way")
        if named is None:
            if len(places) != len(self.inputs):
                raise Error(f"{self.name}: given {len(places)} inputs, the program has {len(self.inputs)}: {self._names()}")
            return [tensor.check(array) for tensor, array in zip(self.inputs, places)]
        for name in named:
            if name not in [tensor.name for tensor in self.inputs]:
                raise Error(f"the program has no input named {name}; it has: {self._names()}")
        for tensor in self.inputs:
            if tensor.name not in named:
                raise Error(f"{self.name}: input {tensor.name} is missing")
        return [tensor.check(named[tensor.name]) for tensor in self.inputs]

    def _names(self) -> str:
        return ", ".join(tensor.name for tensor in self.inputs)

    def __repr__(self) -> str:
        lines = [f"{kind} {t.name}: {t.dtype} {list(t.shape)}" for kind, all in (("input", self.inputs), ("output", self.outputs)) for t in all]
        return "\n".join([f"<tpu.Model {self.name}>", *lines])


def load(model: Path | bytes | bytearray | memoryview, *, config: str | None = None, rounding: str = "double", strict: bool = False,
         backend: str | None = None, device: str | None = None) -> Model:
    """A network that can be called.

    model: the path of a .tflite or .onnx model or of a .tpu file, or the contents of one as bytes
    config: the machine to compile for, see tpu.machines(); a .tpu file brings its own (default: "N16")
    rounding: requantisation as in TensorFlow Lite's default build ("double") or as with TFLITE_SINGLE_ROUNDING ("single"),
        or as XNNPACK and ONNX Runtime do ("float")
    strict: refuse operators that would run on the host
    backend: what runs it, see tpu.backends(): "golden", which has no cycles (default), or "rtl"
    device: a board that runs it, for whose machine it is compiled, as "uart:/dev/ttyUSB0" (`tpu run --device`)
    """
    config, backend = chosen(device, config, backend, ("N16", "golden"))
    _require_backend(backend)
    if isinstance(model, (bytes, bytearray, memoryview)):
        program = _tpu.Program.read(bytes(model), "model", config, rounding, strict)
    else:
        program = _tpu.Program.load(os.fspath(model), config, rounding, strict)
    return Model(program, backend)


def compile(model: Path | bytes | bytearray | memoryview, output: Path, **options: Any) -> Model:
    """Compiles a model, as load() takes it, and writes a .tpu file. Returns the model."""
    compiled = load(model, **options)
    compiled.save(output)
    return compiled


def _require_backend(name: str) -> None:
    if name not in _tpu.backends():
        raise Error(f"backend: {name} is none of {', '.join(_tpu.backends())}")
