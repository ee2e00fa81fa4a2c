#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Executes docs/pytorch.md, its code and its commands, from the beginning to the end. Needs PyTorch, which is too large for every run of the tests.

    page.py BUILD

Fails where a step fails, where the network reads fewer than nine of ten digits, in float32 or in int8, and where a result is not ONNX Runtime's.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEAST = 135  # Of 150 digits.


def execute(build):
    """What the blocks print."""
    blocks = re.findall(r"^```(python|sh)\n(.*?)^```\n", (ROOT / "docs/pytorch.md").read_text(), re.MULTILINE | re.DOTALL)
    if [language for language, _ in blocks] != ["python", "python", "sh", "python"]:
        sys.exit(f"docs/pytorch.md: unexpected blocks: {[language for language, _ in blocks]}")
    environment = {**os.environ, "PATH": f"{build / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(build / "python")}
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ROOT / "models", pathlib.Path(folder) / "models")
        program = "import subprocess\n"
        for language, code in blocks:
            program += code if language == "python" else f"subprocess.run(['bash', '-ec', {code!r}], check=True)\n"
        done = subprocess.run([sys.executable, "-c", program], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout)
    if done.returncode != 0:
        sys.exit("docs/pytorch.md: a step failed")
    return done.stdout


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    said = execute(pathlib.Path(sys.argv[1]).resolve())
    for kind in ("float32", "int8"):
        digits = int(re.search(rf"^{kind}: (\d+) of 150$", said, re.MULTILINE)[1])
        if digits < LEAST:
            sys.exit(f"{kind}: {digits} of 150 digits, fewer than {LEAST}")
    if not re.search(r"^different results: 0 of 1500$", said, re.MULTILINE):
        sys.exit("results differ from ONNX Runtime's")


if __name__ == "__main__":
    main()
