# SPDX-License-Identifier: Apache-2.0
"""Tensors of a program."""

import collections.abc
import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from tpu._tpu import Error


@dataclasses.dataclass(frozen=True)
class TensorInfo:
    """An input or an output. An integer q stands for the real value scale * (q - zero_point)."""
    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    scale: float
    zero_point: int

    def quantize(self, values: npt.ArrayLike) -> npt.NDArray[Any]:
        """Real values as the tensor's integers: rounded to nearest, ties away from zero, and limited to the type. Tensors of floats take them as they are."""
        real = np.asarray(values, np.float32)
        if self.dtype.kind == "f":
            return real.astype(self.dtype)
        limits = self._limits("quantize")
        steps = real / np.float32(self.scale)
        rounded = np.trunc(steps + np.copysign(np.float32(0.5), steps)) + self.zero_point
        quantized: npt.NDArray[Any] = np.clip(rounded, limits.min, limits.max).astype(self.dtype)
        return quantized

    def dequantize(self, values: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """What the tensor's values stand for, as float32."""
        steps = np.asarray(values)
        if self.dtype.kind == "f":
            return steps.astype(np.float32)
        self._limits("dequantize")
        return (np.float32(self.scale) * (steps.astype(np.int64) - self.zero_point)).astype(np.float32)

    def _limits(self, what: str) -> "np.iinfo[Any]":
        if self.dtype not in (np.int8, np.uint8, np.int16):
            raise Error(f"{what}: tensor {self.name} has values of {self.dtype}, which have no scale")
        return np.iinfo(self.dtype)

    def check(self, values: npt.ArrayLike) -> npt.NDArray[Any]:
        """The values as a contiguous array, which is no copy if they are one already. Raises Error for another type or shape."""
        array = np.asarray(values)
        if array.dtype != self.dtype:
            raise Error(f"input {self.name}: has type {array.dtype}, tensor {self.name} takes {self.dtype}")
        if array.shape != self.shape:
            raise Error(f"input {self.name}: has shape {_text(array.shape)}, tensor {self.name} takes {_text(self.shape)}")
        return np.ascontiguousarray(array).reshape(self.shape)


def _text(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape)) or "scalar"


def tensors(descriptions: collections.abc.Iterable[tuple[Any, ...]]) -> list[TensorInfo]:
    """Of what the module says of a program's inputs or outputs. A name that occurs again gets a number behind it: y, y:1."""
    names: set[str] = set()
    infos = []
    for name, shape, dtype, scale, zero_point in descriptions:
        unique, number = name, 0
        while unique in names:
            number += 1
            unique = f"{name}:{number}"
        names.add(unique)
        infos.append(TensorInfo(unique, shape, np.dtype(dtype), scale, zero_point))
    return infos
