#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: scripts/lint.sh JOBS
#
# Static checks, all but clang-tidy (scripts/tidy.py); ends with a table of what passed and fails if anything did not.
set -uo pipefail
cd "$(dirname "$0")/.."
jobs=$1

mapfile -t sources < <(git ls-files 'include/*.h' 'examples/*.cpp' 'src/*.cpp' 'tb/*.cpp' 'tests/*.cpp' 'src/*.h' 'tb/*.h' 'tests/*.h')

check_format() {
  local unformatted
  unformatted=$(clang-format --dry-run -Werror "${sources[@]}" 2>&1 | sed -n 's/:[0-9:]* error:.*//p' | sort -u)
  [[ -z $unformatted ]] || { printf '  not formatted (make format): %s\n' $unformatted; return 1; }
}

table=()
failed=0
step() {  # NAME COMMAND...
  local name=$1 start=$SECONDS result=ok
  shift
  echo "== $name"
  "$@" || { result=FAILED; failed=1; }
  table+=("$(printf '  %-34s %-7s %4d s' "$name" "$result" $((SECONDS - start)))")
}

step "Verilator, Icarus, yosys: rtl/" python3 scripts/lint_rtl.py "$jobs"
step "licence of every source" python3 scripts/licence.py
step "length of every source" python3 scripts/lint_length.py
step "clang-format: ${#sources[@]} files" check_format

echo
echo "make lint:"
printf '%s\n' "${table[@]}"
exit "$failed"
