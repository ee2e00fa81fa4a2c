# SPDX-License-Identifier: Apache-2.0
"""What a run cost."""

from typing import TYPE_CHECKING, Any

from tpu import _display

if TYPE_CHECKING:
    import pandas

COLUMNS = ("name", "op", "where", "macs", "cycles", "utilization", "dram_bytes", "bound")


class Report(dict[str, Any]):
    """The dictionary that `tpu run --report` writes (docs/commands.md), without "passed". `text` is the table that `tpu run` prints."""

    def __init__(self, values: dict[str, Any], text: str) -> None:
        super().__init__(values)
        self.text = text

    def table(self) -> list[dict[str, Any]]:
        """A dictionary for each layer, all with the same keys: columns of `layers`, and cycles by cause as array_useful and so on."""
        return [{
            **{column: layer[column] for column in COLUMNS},
            **{f"array_{cause}": cycles for cause, cycles in layer["array"].items()}
        } for layer in self["layers"]]

    def to_frame(self) -> "pandas.DataFrame":
        """The table as a pandas.DataFrame."""
        import pandas
        return pandas.DataFrame(self.table())

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        rows = [{column: layer[column] for column in COLUMNS} for layer in self["layers"]]
        total = {**{column: "" for column in COLUMNS}, "name": "all", **{key: self[key] for key in COLUMNS[3:]}}
        return _display.table([*rows, total])
