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


def int16_names():
    """Of them those on int16: the restrictions of each name its types."""
    entries = re.findall(r'^TPU_OPERATOR\((\w+),.*?"\s*,\s*"([^"]*)"\)', TABLE.read_text(), re.MULTILINE | re.DOTALL)
    return {name for name, restrictions in entries if "int16" in restrictions or "any type" in restrictions}


def float_names():
    return names_in("TPU_OPERATOR") | names_in("TPU_FLOAT_OPERATOR")


def host_names():
    """Names of operators that the host runs, that move elements, or that the importer carries out; of custom ones as files name them."""
    return names_in("TPU_HOST_OPERATOR") | names_in("TPU_CUSTOM_OPERATOR") | names_in("TPU_IMPORTED_OPERATOR")
