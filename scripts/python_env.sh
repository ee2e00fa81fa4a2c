#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: scripts/python_env.sh FOLDER REQUIREMENTS
#
# Makes FOLDER a Python environment with the packages that the file REQUIREMENTS names, unless FOLDER is that already.
set -euo pipefail
folder=$1 requirements=$2

cmp --silent "$requirements" "$folder/installed.txt" && exit
echo "python_env: installing the packages of $requirements into $folder"
rm -rf "$folder"
python3 -m venv "$folder"
if ! "$folder/bin/pip" --disable-pip-version-check install --quiet --only-binary=:all: -r "$requirements"; then
  echo "python_env: pip did not get the packages. They come from pypi.org, or from the index that PIP_INDEX_URL names: is it reachable," \
       "and does it have them for $(python3 --version) on $(uname -m)?" >&2
  exit 1
fi
cp "$requirements" "$folder/installed.txt"
