#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: scripts/docs_api.sh BUILD
#
# The public headers as HTML, in BUILD/docs-api/html. Fails when doxygen has anything to complain about.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1

TPU_VERSION=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
export TPU_VERSION TPU_OUTPUT=$build/docs-api TPU_GENERATED=$build/generated/include/tpu
mkdir -p "$TPU_OUTPUT"
doxygen docs/api/Doxyfile
echo "make docs-api: $TPU_OUTPUT/html/index.html"
