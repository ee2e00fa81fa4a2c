# SPDX-License-Identifier: Apache-2.0
"""Compiles TensorFlow Lite networks for the open TPU, runs them on its golden model or its simulated RTL, and trains them.

    model = tpu.load("model.tflite", config="N16")
    y = model(x)
    model.run(x, backend="rtl").report
"""

from tpu._bench import Bench, bench
from tpu._litert import delegate_path
from tpu._machines import backends, machines
from tpu._model import Model, Result, compile, load
from tpu._report import Report
from tpu._tensor import TensorInfo
from tpu._tpu import DeviceError, Error, Failure, InternalError, __version__
from tpu._train import Training, train

__all__ = [
    "Bench", "DeviceError", "Error", "Failure", "InternalError", "Model", "Report", "Result", "TensorInfo", "Training", "__version__", "backends",
    "bench", "compile", "delegate_path", "load", "machines", "train"
]
