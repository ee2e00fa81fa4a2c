#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: scripts/pip_install.sh BUILD
#
# Proves that `pip install .` works: into a new virtual environment, without what BUILD/python-env has, and runs tests/python and tests/delegate there. The
# Verilated machines are those of BUILD, which otherwise take most of the time; `pip install .` without this script makes them.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "$1")
folder=$build/pip-install
rm -rf "$folder"
mkdir -p "$folder"
start=$SECONDS
python3 -m venv "$folder/env"
pip=("$folder/env/bin/pip" --disable-pip-version-check)
"${pip[@]}" install --quiet . --config-settings=build-dir="$folder/build" --config-settings=cmake.define.TPU_MODELS="$build"
echo "make wheel: pip install . took $((SECONDS - start)) s, with machines that were built before"
# What tests need beside the package; nanobind is there already for the build alone.
grep -v '^nanobind' python/requirements.txt | "${pip[@]}" install --quiet --only-binary=:all: -r /dev/stdin
cd "$folder"
TPU_COMMAND=$build/bin/tpu "$folder/env/bin/python" -m pytest -q -p no:cacheprovider "$OLDPWD/tests/python" "$OLDPWD/tests/delegate"
