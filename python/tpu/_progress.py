# SPDX-License-Identifier: Apache-2.0
"""A line that says how far something has come, for terminals and notebooks."""

import sys
import time


class Line:
    """Rewrites one line of standard error, which notebooks show below the cell. Nothing is written in the first second, so that what is short is silent."""

    def __init__(self):
        self._start = time.monotonic()
        self._last = self._start
        self._width = 0

    def seconds(self):
        return time.monotonic() - self._start

    def show(self, text):
        now = time.monotonic()
        if now - self._last < (0.2 if self._width else 1):
            return
        self._last = now
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = max(self._width, len(text))

    def close(self):
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Cycles(Line):
    """Told of cycles."""

    def __init__(self, label):
        super().__init__()
        self._label = label

    def __call__(self, cycles):
        rate = cycles / max(self.seconds(), 1e-9)
        self.show(f"{self._label}: {cycles * 1e-6:.1f} million cycles, {rate * 1e-3:.0f} thousand per second")


class Steps(Line):
    """Told of steps of training."""

    def __call__(self, step, steps, loss):
        self.show(f"step {step} of {steps}: loss {loss:.4f}")
