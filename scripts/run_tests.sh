#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: scripts/run_tests.sh BUILD JOBS [REGEX [WITHOUT]]
#
# Runs ctest, of the tests that REGEX names without those that WITHOUT names, and ends with one line that says how it went.
set -euo pipefail
build=$1 jobs=$2 regex=${3:-} without=${4:-}

options=(--test-dir "$build" -j "$jobs" --output-on-failure --no-tests=error)
[[ -n $regex ]] && options+=(-R "$regex")
[[ -n $without ]] && options+=(-E "$without")

log=$(mktemp)
trap 'rm -f "$log"' EXIT
start=$SECONDS
status=0
# One line for each test would bury the failures.
ctest "${options[@]}" -O "$log" | { grep --line-buffered -vE '^ +Start +[0-9]+:| Passed +[0-9.]+ sec$' || true; } || status=$?
summary=$(grep -E '^[0-9]+% tests passed' "$log" || echo "no test ran")
echo
echo "make test: $summary, $((SECONDS - start)) s"
exit "$status"
