# SPDX-License-Identifier: Apache-2.0
"""Tensors of a program."""

import dataclasses

import numpy as np

from tpu._tpu import Error


@dataclasses.dataclass(frozen=True)
class TensorInfo:
    """An input or an output. An integer q stands for the real value scale * (q - zero_point)."""
    name: str
    shape: tuple[int, ...]
    dtype: np.dtype
    scale: float
    zero_point: int

    def quantize(self, values):
        """Real values as the tensor's integers: rounded to nearest, ties away from zero, and limited to the type. Tensors of floats take them as they are."""
        values = np.asarray(values, np.float32)
        if self.dtype.kind == "f":
            return values.astype(self.dtype)
        limits = self._limits("quantize")
        steps = values / np.float32(self.scale)
        rounded = np.trunc(steps + np.copysign(np.float32(0.5), steps)) + self.zero_point
        return np.clip(rounded, limits.min, limits.max).astype(self.dtype)

    def dequantize(self, values):
        """What the tensor's values stand for, as float32."""
        values = np.asarray(values)
        if self.dtype.kind == "f":
            return values.astype(np.float32)
        self._limits("dequantize")
        return np.float32(self.scale) * (values.astype(np.int64) - self.zero_point).astype(np.float32)

    def _limits(self, what):
        if self.dtype not in (np.int8, np.uint8, np.int16):
            raise Error(f"{what}: tensor {self.name} has values of {self.dtype}, which have no scale")
        return np.iinfo(self.dtype)

    def check(self, values):
        """The values as a contiguous array, which is no copy if they are one already. Raises Error for another type or shape."""
        array = np.asarray(values)
        if array.dtype != self.dtype:
            raise Error(f"input {self.name}: has type {array.dtype}, tensor {self.name} takes {self.dtype}")
        if array.shape != self.shape:
            raise Error(f"input {self.name}: has shape {_text(array.shape)}, tensor {self.name} takes {_text(self.shape)}")
        return np.ascontiguousarray(array).reshape(self.shape)


def _text(shape):
    return "x".join(map(str, shape)) or "scalar"


def tensors(descriptions):
    """Of what the module says of a program's inputs or outputs."""
    return [TensorInfo(name, shape, np.dtype(dtype), scale, zero_point) for name, shape, dtype, scale, zero_point in descriptions]
