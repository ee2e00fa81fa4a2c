#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Executes the notebooks of examples/notebooks, and looks at what their last cells show.

    notebooks.py BUILD

Fails where a cell raises an exception, e.g. because outputs differ from LiteRT's, and where the accuracy or the cycles are not there.
BUILD/notebooks has the executed notebooks.
"""

import os
import pathlib
import re
import sys

import nbformat
from nbclient import NotebookClient

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEAST_ACCURACY = 95.0


def shown(notebook):
    """The texts of all outputs, and the HTML."""
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    text = "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout")
    html = ["".join(output.data["text/html"]) for output in outputs if output.output_type == "execute_result" and "text/html" in output.data]
    return text, html


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    folder = build / "notebooks"
    folder.mkdir(exist_ok=True)
    os.environ["PYTHONPATH"] = str(build / "python")
    for path in sorted((ROOT / "examples/notebooks").glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(path.parent)}}).execute()
        nbformat.write(notebook, folder / path.name)
        text, html = shown(notebook)
        accuracies = [float(number) for number in re.findall(r"^([\d.]+)% ", text, re.MULTILINE)]
        cycles = re.findall(r"^(\d+) cycles$", text, re.MULTILINE)
        if len(accuracies) != 2 or min(accuracies) < LEAST_ACCURACY or len(cycles) != 1 or int(cycles[0]) == 0:
            sys.exit(f"{path.name}: accuracies {accuracies}, cycles {cycles}:\n{text}")
        if len(html) != 2 or "CONV_2D" not in html[0] or not html[1].startswith("<iframe"):
            sys.exit(f"{path.name}: shows no report and no page")
        print(f"{path.name}: {accuracies[0]} % in float32, {accuracies[1]} % in int8, {cycles[0]} cycles")


if __name__ == "__main__":
    main()
