# SPDX-License-Identifier: Apache-2.0
"""The table of operators that can be compiled."""
import pathlib
import re

TABLE = pathlib.Path(__file__).resolve().parents[2] / "src" / "frontends" / "tflite" / "operators.def"


def names_in(macro):
    return set(re.findall(rf"^{macro}\((\w+),", TABLE.read_text(), re.MULTILINE))


def int8_names():
    """Names of the operators on int8 alone."""
    return names_in("TPU_INT8_OPERATOR")


def names():
    """Names as TensorFlow Lite's schema has them, of the operators on int8."""
    return names_in("TPU_OPERATOR") | int8_names()


def float_names():
    """Those of the operators on float32."""
    return names_in("TPU_OPERATOR") | names_in("TPU_FLOAT_OPERATOR")
