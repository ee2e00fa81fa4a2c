# SPDX-License-Identifier: Apache-2.0
"""What this build can run on."""

from typing import Any

from tpu import _tpu
from tpu._tpu import Error


def backends() -> dict[str, dict[str, Any]]:
    """By name, what runs programs: a description, whether it counts time and traces instructions, and the machines that it can be (none listed: any)."""
    return _tpu.backends()


def chosen(device: str | None, config: str | None, backend: str | None, defaults: tuple[str, str]) -> tuple[str, str]:
    """The machine to compile for and the backend: those that were given, the defaults, or the board `device`, which is both."""
    if device is None:
        return config or defaults[0], backend or defaults[1]
    if config is not None or backend is not None:
        raise Error(f"device: {device} is a backend with its own machine; give neither config nor backend beside it")
    _tpu.use_board(device)
    return device, device


def machines() -> dict[str, dict[str, int]]:
    """By name, the parameters of the machines that the RTL is simulated for. Behind a name, "-bf16" means the machine with bf16."""
    return {name: _tpu.machine(name) for name in _tpu.machine_names()}
