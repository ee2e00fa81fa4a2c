# SPDX-License-Identifier: Apache-2.0
"""A line that says how far something has come, for terminals and notebooks."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Self


class Line:
    """Rewrites one line of standard error, which notebooks show below the cell. Nothing is written in the first second, so that what is short is silent."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._last = self._start
        self._width = 0

    def seconds(self) -> float:
        return time.monotonic() - self._start

    def show(self, text: str) -> None:
        now = time.monotonic()
        if now - self._last < (0.2 if self._width else 1):
            return
        self._last = now
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = max(self._width, len(text))

    def close(self) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextlib.contextmanager
def told(progress: bool | Callable[..., object] | None, line: "Cycles | Steps") -> Iterator[Callable[..., object] | None]:
    """What to call with the progress: the function that the user gave, for True the line, or nothing."""
    if not isinstance(progress, bool):
        yield progress
    elif not progress:
        yield None
    else:
        with line:
            yield line


class Cycles(Line):
    """Told of cycles."""

    def __init__(self, label: str) -> None:
        super().__init__()
        self._label = label

    def __call__(self, cycles: int) -> None:
        rate = cycles / max(self.seconds(), 1e-9)
        self.show(f"{self._label}: {cycles * 1e-6:.1f} million cycles, {rate * 1e-3:.0f} thousand per second")


class Steps(Line):
    """Told of steps of training."""

    def __call__(self, step: int, steps: int, loss: float) -> None:
        self.show(f"step {step} of {steps}: loss {loss:.4f}")
