# SPDX-License-Identifier: Apache-2.0
"""What this build can run on."""

from typing import Any

from tpu import _tpu


def backends() -> dict[str, dict[str, Any]]:
    """By name, what runs programs: a description, whether it counts time and traces instructions, and the machines that it can be (none listed: any)."""
    return _tpu.backends()


def machines() -> dict[str, dict[str, int]]:
    """By name, the parameters of the machines that the RTL is simulated for. Behind a name, "-bf16" means the machine with bf16."""
    return {name: _tpu.machine(name) for name in _tpu.machine_names()}
