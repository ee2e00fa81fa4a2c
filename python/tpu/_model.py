# SPDX-License-Identifier: Apache-2.0
"""Networks, compiled for a machine, and what they compute."""

import collections.abc
import os
import threading

from tpu import _display, _tpu
from tpu._progress import Cycles
from tpu._report import Report
from tpu._tensor import tensors
from tpu._tpu import Error

ROUNDINGS = ("double", "single")


class Result:
    """What a run computed and what it cost. Notebooks show the page of `tpu run --html`, if the backend traces instructions, or the report."""

    def __init__(self, outputs, result, trace):
        self.outputs = outputs
        self._result = result
        self._trace = trace
        self._report = None

    @property
    def output(self):
        """The only output."""
        if len(self.outputs) != 1:
            raise Error(f"there are {len(self.outputs)} outputs, not one: {', '.join(self.outputs)}")
        return next(iter(self.outputs.values()))

    @property
    def report(self):
        if self._report is None:
            self._report = Report(self._result.report(), self._result.table())
        return self._report

    def html(self):
        """The page of `tpu run --html`: report, roofline and timeline."""
        return self._result.html()

    def timeline(self):
        """The text of `tpu run --timeline`, for ui.perfetto.dev."""
        return self._result.chrome_trace()

    def _repr_html_(self):
        return _display.frame(self.html(), 900) if self._trace else self.report._repr_html_()


class Model:
    """A network, compiled for a machine. It keeps a device of each backend that it has run on, with the program in the device's memory. Several threads may use it."""

    def __init__(self, program, backend):
        self._program = program
        self._runners = {}
        self._lock = threading.Lock()
        self.backend = backend
        self.inputs = tensors(program.inputs)
        self.outputs = tensors(program.outputs)

    @property
    def name(self):
        return self._program.name

    @property
    def config(self):
        """The parameters of the machine."""
        return self._program.config

    @property
    def macs(self):
        """Multiply-accumulates that the network needs."""
        return self._program.macs

    def save(self, path):
        """Writes a .tpu file."""
        self._program.save(os.fspath(path))

    def __call__(self, *args, **kwargs):
        """The output, of several outputs a dictionary by name. Inputs are arrays in the model's order, one dictionary by name, or named arguments."""
        result = self.run(*args, inputs=kwargs or None)
        return result.output if len(result.outputs) == 1 else result.outputs

    def run(self, *args, inputs=None, backend=None, progress=None):
        """Runs once, by default on the model's backend.

        progress: True for a line of text, or a function that is called with the cycles so far.
        """
        arrays = self._arrays(args, inputs)
        backend = backend or self.backend
        runner = self._runner(backend)
        try:
            if progress is True:
                with Cycles(self.name) as line:
                    result = runner.run(arrays, line)
            else:
                result = runner.run(arrays, progress)
        except BaseException:
            # The device may be in the middle of a program.
            self._runners.pop(backend, None)
            raise
        outputs = dict(zip((tensor.name for tensor in self.outputs), result.take_outputs()))
        return Result(outputs, result, _tpu.backends()[backend]["trace"])

    def reset_states(self):
        """Forgets what earlier runs left for the next one: variables are again as they were before the first run."""
        for runner in list(self._runners.values()):
            runner.reset_states()

    def _runner(self, backend):
        with self._lock:
            if backend not in self._runners:
                self._runners[backend] = _tpu.Runner(self._program, backend)
            return self._runners[backend]

    def _arrays(self, args, named):
        if len(args) == 1 and isinstance(args[0], collections.abc.Mapping):
            args, named = (), {**args[0], **(named or {})}
        if args and named:
            raise Error(f"{self.name}: inputs by place and by name; give all in one way")
        if named is not None and not isinstance(named, collections.abc.Mapping):
            args, named = tuple(named), None
        if named is None:
            if len(args) != len(self.inputs):
                raise Error(f"{self.name}: given {len(args)} inputs, the program has {len(self.inputs)}: {self._names()}")
            return [tensor.check(array) for tensor, array in zip(self.inputs, args)]
        for name in named:
            if name not in [tensor.name for tensor in self.inputs]:
                raise Error(f"the program has no input named {name}; it has: {self._names()}")
        for tensor in self.inputs:
            if tensor.name not in named:
                raise Error(f"{self.name}: input {tensor.name} is missing")
        return [tensor.check(named[tensor.name]) for tensor in self.inputs]

    def _names(self):
        return ", ".join(tensor.name for tensor in self.inputs)

    def __repr__(self):
        lines = [f"{kind} {t.name}: {t.dtype} {list(t.shape)}" for kind, all in (("input", self.inputs), ("output", self.outputs)) for t in all]
        return "\n".join([f"<tpu.Model {self.name}>", *lines])


def load(model, *, config="N16", rounding="double", strict=False, backend="golden"):
    """A network that can be called.

    model: the path of a .tflite model or of a .tpu file, or the contents of one as bytes
    config: the machine to compile for, see tpu.machines(); a .tpu file brings its own
    rounding: requantisation as in TensorFlow Lite's default build ("double") or as with TFLITE_SINGLE_ROUNDING ("single")
    strict: refuse operators that would run on the host
    backend: what runs it, see tpu.backends(): "golden", which has no cycles, or "rtl"
    """
    if rounding not in ROUNDINGS:
        raise Error(f"rounding: {rounding} is none of {', '.join(ROUNDINGS)}")
    _require_backend(backend)
    if isinstance(model, (bytes, bytearray, memoryview)):
        program = _tpu.Program.read(bytes(model), "model", config, rounding, strict)
    else:
        program = _tpu.Program.load(os.fspath(model), config, rounding, strict)
    return Model(program, backend)


def compile(model, output, **options):
    """Compiles a model, as load() takes it, and writes a .tpu file. Returns the model."""
    compiled = load(model, **options)
    compiled.save(output)
    return compiled


def _require_backend(name):
    if name not in _tpu.backends():
        raise Error(f"backend: {name} is none of {', '.join(_tpu.backends())}")
