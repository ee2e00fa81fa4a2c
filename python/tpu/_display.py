# SPDX-License-Identifier: Apache-2.0
"""What notebooks show."""

import html
from typing import Any


def frame(page: str, height: int) -> str:
    """A whole page inside of another one, apart from its styles and scripts."""
    return f'<iframe srcdoc="{html.escape(page)}" style="width: 100%; height: {height}px; border: 1px solid #ccc"></iframe>'


def table(rows: list[dict[str, Any]]) -> str:
    """Dictionaries with the same keys, a row each. Whole numbers are grouped, others have three digits."""
    if not rows:
        return "<table></table>"
    head = "".join(f"<th>{html.escape(key)}</th>" for key in rows[0])
    body = "".join("<tr>" + "".join(_cell(value) for value in row.values()) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f'<td style="text-align: right">{value:.3g}</td>'
    if isinstance(value, int):
        return f'<td style="text-align: right">{value:,}</td>'
    return f'<td style="text-align: left">{html.escape(str(value))}</td>'
