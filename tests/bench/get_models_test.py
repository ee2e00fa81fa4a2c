#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/get_models.sh puts the networks where the suites of bench/ look for them, and takes nothing else for one.

The files come from a folder: a `curl` of this test's own copies them.
"""

import hashlib
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = ROOT / "models/digits/digits.tflite"
CURL = """#!/bin/bash
while [[ $# -gt 1 ]]; do [[ $1 == --output ]] && output=$2; shift; done
cp "${1#file://}" "$output"
"""


class GetModels(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "bin").mkdir()
        (self.root / "bin/curl").write_text(CURL)
        (self.root / "bin/curl").chmod(0o755)
        self.source = self.root / "source.tflite"
        self.source.write_bytes(MODEL.read_bytes())
        self.sha256 = hashlib.sha256(MODEL.read_bytes()).hexdigest()
        self.fetched = self.root / "models/digits/digits.tflite"

    def get(self, *lines):
        (self.root / "list").write_text("\n".join(lines) + "\n")
        return subprocess.run(
            [ROOT / "scripts/get_models.sh", self.root / "models", self.root / "list"],
            env={**os.environ, "PATH": f"{self.root / 'bin'}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            check=False,
        )

    def line(self):
        return f"digits {self.sha256} file://{self.source}"

    def test_every_network_of_the_suites_is_listed(self):
        listed = re.findall(r"^(\w+) [0-9a-f]{64} https://\S+$", (ROOT / "bench/models.txt").read_text(), re.MULTILINE)
        used = []
        for suite in ("mlperf-tiny", "networks"):
            used += re.findall(r"^model:(\S+)", (ROOT / "bench" / suite).read_text(), re.MULTILINE)
        self.assertEqual([f"{name}/{name}.tflite" for name in listed], used)

    def test_each_gets_a_folder_of_its_name(self):
        done = self.get("# networks", "", self.line(), self.line().replace("digits", "same", 1))
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("digits", "same"):
            self.assertEqual((self.root / f"models/{name}/{name}.tflite").read_bytes(), MODEL.read_bytes())

    def test_what_is_right_is_kept_and_what_is_wrong_fetched_again(self):
        self.get(self.line())
        self.fetched.write_bytes(b"spoilt")
        self.assertEqual(self.get(self.line()).returncode, 0)
        self.assertEqual(self.fetched.read_bytes(), MODEL.read_bytes())
        self.source.unlink()
        self.assertEqual(self.get(self.line()).returncode, 0)

    def test_other_contents_are_refused(self):
        self.source.write_bytes(b"<html>not found</html>")
        done = self.get(self.line())
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "digits: what came from file://.* has another SHA-256")
        self.assertEqual(list(self.fetched.parent.iterdir()), [])

    def test_what_does_not_come_is_named(self):
        self.source.unlink()
        done = self.get(self.line())
        self.assertEqual(done.returncode, 1)
        self.assertIn("digits: could not be fetched from file://", done.stderr)


if __name__ == "__main__":
    unittest.main()
