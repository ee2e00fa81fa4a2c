#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that `make conformance` makes models of every operator that can be compiled."""
import ast
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import operator_table


def generators(name):
    """The keys of a table, or a list of names, in generate.py, which needs packages that `make test` does not install."""
    tree = ast.parse((pathlib.Path(__file__).parent / "generate.py").read_text())
    table = next(s.value for s in tree.body if isinstance(s, ast.Assign) and s.targets[0].id == name)
    return {key.value for key in (table.keys if isinstance(table, ast.Dict) else table.elts)}


def keys_in(module, name):
    """Texts in the expression that a table of a module is made by."""
    tree = ast.parse((pathlib.Path(__file__).parent / f"{module}.py").read_text())
    table = next(s.value for s in tree.body if isinstance(s, ast.Assign) and s.targets[0].id == name)
    return {node.value for node in ast.walk(table) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


class Operators(unittest.TestCase):

    def test_each_has_a_generator(self):
        self.assertGreater(len(operator_table.names()), 40)
        self.assertLessEqual(operator_table.names(), generators("OPERATORS"))

    def test_each_has_a_generator_of_float32(self):
        self.assertGreater(len(operator_table.float_names()), len(operator_table.names()))
        self.assertLessEqual(operator_table.float_names(), generators("OPERATORS") | generators("FLOAT_OPERATORS"))

    def test_each_has_a_generator_of_int16(self):
        self.assertGreater(len(operator_table.int16_names()), 30)
        self.assertLessEqual(operator_table.int16_names(), generators("INT16_NAMES"))

    def test_each_has_a_generator_for_the_host(self):
        tables = (("host", "HOST_OPERATORS"), ("control", "CONTROL_OPERATORS"), ("recurrent", "RECURRENT_OPERATORS"), ("signal_library", "SIGNAL_OPERATORS"))
        there = set().union(*(keys_in(module, name) for module, name in tables))
        self.assertGreater(len(operator_table.host_names()), 40)
        self.assertLessEqual(operator_table.host_names(), there)


if __name__ == "__main__":
    unittest.main()
