# SPDX-License-Identifier: Apache-2.0
"""Cycles of workloads."""

import collections.abc
import os
from typing import TYPE_CHECKING, Any

from tpu import _display, _tpu
from tpu._machines import chosen
from tpu._model import Path, Progress
from tpu._progress import Cycles, told

if TYPE_CHECKING:
    import pandas

COLUMNS = ("name", "count", "macs", "cycles", "utilization", "dram_bytes", "sim_seconds")


class Bench(list[dict[str, Any]]):
    """A dictionary for each workload: those that `tpu bench --json` writes."""

    def table(self) -> list[dict[str, Any]]:
        """A dictionary for each workload, all with the same keys."""
        return [{column: workload[column] for column in COLUMNS} for workload in self]

    def to_frame(self) -> "pandas.DataFrame":
        """The table as a pandas.DataFrame."""
        import pandas
        return pandas.DataFrame(self.table())

    def _repr_html_(self) -> str:
        return _display.table(self.table())


def bench(workloads: Path | collections.abc.Iterable[Path], *, config: str | None = None, backend: str | None = None, device: str | None = None,
          seed: int = 1, check: bool = True, models: Path | None = None, progress: Progress = None) -> Bench:
    """Runs workloads with random data, each on a machine after power-on.

    workloads: as `tpu bench` takes them (docs/commands.md): "matmul:64x64x64", "model:FILE", or the file of a suite; one or several
    config, backend: the machine (default: "N16") and what it is (default: "rtl")
    device: a board in their place, as "uart:/dev/ttyUSB0"
    check: compare outputs with the golden model's; raises Failure where they differ
    models: a folder where model files are looked for, too (default: the environment variable TPU_MODELS_DIR)
    progress: True for a line of text, or a function that is called with the cycles of the workload so far
    """
    config, backend = chosen(device, config, backend, ("N16", "rtl"))
    texts = [workloads] if isinstance(workloads, (str, os.PathLike)) else workloads
    folder = os.environ.get("TPU_MODELS_DIR", "") if models is None else os.fspath(models)
    results = Bench()
    for workload in _tpu.read_workloads([os.fspath(text) for text in texts]):
        with told(progress, Cycles(workload.text)) as function:
            results.append(_tpu.run_workload(workload, config, backend, seed, check, folder, function))
    return results
