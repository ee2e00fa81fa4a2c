# SPDX-License-Identifier: Apache-2.0
"""The delegate for LiteRT."""

import pathlib


def delegate_path() -> str:
    """The library that `ai_edge_litert.interpreter.load_delegate` takes (docs/litert.md)."""
    return str(pathlib.Path(__file__).parent / "libtpu_delegate.so")
