#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs the library in a temporary folder, builds examples/ against what is there and runs the examples.

    examples_test.py ROOT BUILD CMAKE COMPILER VERSION
"""

import pathlib
import re
import subprocess
import sys
import tempfile


def run(*command):
    """What a command prints; the test ends when the command fails."""
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def require(pattern, text):
    """The test ends unless the pattern is found."""
    if not re.search(pattern, text):
        sys.exit(f"expected {pattern!r} in:\n{text}")


def main():
    root, build, cmake, compiler, version = sys.argv[1:]
    model = pathlib.Path(root) / "models/digits/digits.tflite"
    with tempfile.TemporaryDirectory() as folder:
        temporary = pathlib.Path(folder)
        # The sources are copied, so that nothing finds the repository by a relative path.
        examples = temporary / "examples"
        run("cp", "-r", pathlib.Path(root) / "examples", examples)
        run(cmake, "--install", build, "--component", "sdk", "--prefix", temporary / "installed")
        headers = sorted((temporary / "installed/include/tpu").glob("*.h"))
        require(re.escape(version), (temporary / "installed/include/tpu/version.h").read_text())
        for header in headers:
            # Each header compiles alone, with warnings, and without any include path but the installed one.
            run(compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++", "-Wno-pragma-once-outside-header",
                f"-I{temporary / 'installed/include'}", header)
        run(cmake, "-S", examples, "-B", temporary / "build", f"-DCMAKE_CXX_COMPILER={compiler}",
            f"-DCMAKE_PREFIX_PATH={temporary / 'installed'}")
        run(cmake, "--build", temporary / "build")
        require(r"^op0: CONV_2D\n(.*\n)+\d+ multiply-accumulates, 0 beats loaded", run(temporary / "build/run_network", model))
        picture = "........ .####... .#..#... .#..#... .#..###. .#....#. .######. ........".replace(" ", "\n")
        require(re.escape(picture), run(temporary / "build/build_network"))
        # The logistic function of +-4 or so.
        require(r"0 xor 0: 0\.02.*\n0 xor 1: 0\.97.*\n1 xor 0: 0\.97.*\n1 xor 1: 0\.02", run(temporary / "build/float_network"))
        require("all 256 elements of the product are right", run(temporary / "build/matrix_product"))
        require(r"^[1-9]\d* bytes crossed", run(temporary / "build/new_device", model))
        print(f"{len(headers)} headers and 5 examples use the installed library {version}")


if __name__ == "__main__":
    main()
