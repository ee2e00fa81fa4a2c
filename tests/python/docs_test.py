# SPDX-License-Identifier: Apache-2.0
"""The code of docs/python.md runs from its beginning to its end."""

import os
import re
import subprocess
import sys

from conftest import ROOT

BLOCK = re.compile(r"^```python\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def test_the_page_runs(tmp_path):
    blocks = BLOCK.findall((ROOT / "docs/python.md").read_text())
    assert len(blocks) >= 7
    (tmp_path / "models").symlink_to(ROOT / "models")
    done = subprocess.run([sys.executable, "-c", "\n".join(blocks)], cwd=tmp_path, env=os.environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "is the digit" in done.stdout and "--config N99: no such machine" in done.stdout
    assert (tmp_path / "report.html").read_text().startswith("<!DOCTYPE html>")
