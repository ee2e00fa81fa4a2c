# SPDX-License-Identifier: Apache-2.0
"""The table of operators that can be compiled."""
import pathlib
import re

TABLE = pathlib.Path(__file__).resolve().parents[2] / "src" / "frontends" / "tflite" / "operators.def"


def names():
    """Names as TensorFlow Lite's schema has them."""
    return set(re.findall(r"^TPU_OPERATOR\((\w+),", TABLE.read_text(), re.MULTILINE))
