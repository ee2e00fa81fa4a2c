# SPDX-License-Identifier: Apache-2.0
"""The package's types, which mypy checks, are there for users, too."""

import ast
import pathlib
import shutil
import subprocess
import sys

import tpu
from tpu import _tpu

USE = """
import numpy as np
import tpu
model = tpu.load("m.tflite", config="N16")
result = model.run(np.zeros(3), backend="rtl")
cycles: int = result.report["cycles"]
page: str = result.html()
"""


def names(tree):
    """What a stub says that there is, with the members of classes."""
    for node in tree.body:
        name = getattr(node, "name", None) or getattr(getattr(node, "target", None), "id", None)
        if name is None:
            continue
        yield name
        if isinstance(node, ast.ClassDef):
            yield from (f"{name}.{member}" for member in names(node))


def test_the_stub_has_all_that_the_module_has():
    stub = set(names(ast.parse((pathlib.Path(tpu.__file__).parent / "_tpu.pyi").read_text())))
    there = {name for name in dir(_tpu) if not name.startswith("__")}
    members = {f"{name}.{member}" for name in there if isinstance(getattr(_tpu, name), type) and not issubclass(getattr(_tpu, name), Exception)
               for member in dir(getattr(_tpu, name)) if not member.startswith("_")}
    assert {name for name in stub if "__" not in name} == there | members


def mypy(*arguments, folder):
    command = [sys.executable, "-m", "mypy", "--strict", "--disable-error-code=import-untyped", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_types(tmp_path):
    # A copy: mypy refuses to look at sources that lie among installed packages.
    package = pathlib.Path(tpu.__file__).parent
    (tmp_path / "tpu").mkdir()
    for file in (*package.glob("*.py"), package / "_tpu.pyi", package / "py.typed"):
        shutil.copy(file, tmp_path / "tpu")
    (tmp_path / "use.py").write_text(USE)
    done = mypy("tpu", "use.py", folder=tmp_path)
    assert done.returncode == 0, done.stdout
    (tmp_path / "use.py").write_text(USE + "number: int = result.html()\n")
    assert mypy("use.py", folder=tmp_path).returncode == 1
