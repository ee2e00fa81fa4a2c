#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: scripts/wave.sh BUILD JOBS [REGEX]
#
# Without REGEX: records a small matrix product and a small convolution on the whole machine and opens the first with the
# prepared view, at the first instruction. With REGEX: records the ctest cases whose names match, in models built with tracing, and opens
# the first. Without a display it prints the command that opens the recording.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 jobs=$2 regex=${3:-}
folder=$build/waves

record_demo() {
  cmake --build "$build" -j "$jobs" --target tpu_wave
  rm -rf "$folder"
  mkdir -p "$folder"
  "$build/bin/tpu_wave" --output "$folder"
  # GTKWave leaves out a signal that it does not find without a word.
  if command -v fst2vcd >/dev/null; then python3 tests/waveforms/waveforms_test.py "$folder/matmul.fst"; fi
}

record_tests() {
  local traced=$build/traced cases program name
  # Chosen by the untraced build, so that only the programs of the wanted cases are built with tracing.
  cmake --build "$build" -j "$jobs"
  mapfile -t cases < <(ctest --test-dir "$build" -N -R "$regex" | sed -nE 's/^ *Test +#[0-9]+: (\w+)\.([^ ]*).*/\1 \2/p')
  [[ ${#cases[@]} -gt 0 ]] || { echo "make wave: no test case matches '$regex' (ctest --test-dir $build -N lists them)" >&2; exit 1; }
  [[ ${#cases[@]} -le 20 ]] || { echo "make wave: '$regex' matches ${#cases[@]} test cases; choose at most 20" >&2; exit 1; }
  test -f "$traced/build.ninja" || cmake -S . -B "$traced" -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DTPU_WAVES=ON
  cmake --build "$traced" -j "$jobs" --target $(printf '%s\n' "${cases[@]% *}" | sort -u)
  rm -rf "$folder"
  mkdir -p "$folder"
  for entry in "${cases[@]}"; do
    read -r program name <<<"$entry"
    # A failing case is what one most wants to see.
    TPU_WAVE=$folder/${name//\//-} "$traced/bin/$program" --gtest_brief=1 --gtest_filter="$name" || true
  done
}

if [[ -n $regex ]]; then record_tests; else record_demo; fi

# In the order in which they were recorded.
mapfile -t files < <(find "$folder" -name '*.fst' -printf '%T@ %p\n' | sort -n | cut -d ' ' -f 2-)
[[ ${#files[@]} -gt 0 ]] || { echo "make wave: nothing was recorded: the test uses no Verilated model" >&2; exit 1; }

display=${DISPLAY:-}${WAYLAND_DISPLAY:-}
if [[ -n $display ]]; then scripts/require_tools.sh wave; fi

view=
# The prepared view names signals of the whole machine at N = 16.
if [[ -z $regex || ${files[0]} == *n16_rtl* ]]; then
  view=waveforms/tpu.gtkw
  if command -v fst2vcd >/dev/null; then
    scripts/wave_view.py "${files[0]}" "$view" >"$folder/tpu.gtkw"
    view=$folder/tpu.gtkw
  fi
fi
echo
echo "recorded:"
printf '  %s\n' "${files[@]}"
if [[ -n $display ]]; then
  exec gtkwave "${files[0]}" ${view:+"$view"}
fi
echo "no display here; to look at one:"
echo "  gtkwave ${files[0]} $view"
