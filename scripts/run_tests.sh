#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: scripts/run_tests.sh BUILD JOBS [REGEX]
#
# Runs ctest and ends with one line that says how it went.
set -euo pipefail
build=$1 jobs=$2 regex=${3:-}

options=(--test-dir "$build" -j "$jobs" --output-on-failure --no-tests=error)
[[ -t 1 ]] && options+=(--progress)
[[ -n $regex ]] && options+=(-R "$regex")

log=$(mktemp)
trap 'rm -f "$log"' EXIT
start=$SECONDS
status=0
ctest "${options[@]}" | tee "$log" || status=$?
summary=$(grep -E '^[0-9]+% tests passed' "$log" || echo "no test ran")
echo
echo "make test: $summary, $((SECONDS - start)) s"
exit "$status"
