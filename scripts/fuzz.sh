#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: scripts/fuzz.sh BUILD JOBS SECONDS
#
# Fuzzes import and compilation with sanitizers. Starts from tests/fuzz/corpus, from what earlier runs found, and from the models
# of $TPU_MODELS_DIR. A file that goes wrong is left in BUILD/fuzz and named.
set -euo pipefail
build=$1/fuzz jobs=$2 seconds=$3

[[ -f $build/build.ninja ]] || cmake -S . -B "$build" -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DTPU_FUZZ=ON
cmake --build "$build" -j "$jobs" --target fuzz_models

mkdir -p "$build"/found "$build"/models
if [[ -n ${TPU_MODELS_DIR:-} ]]; then
  find "$TPU_MODELS_DIR" \( -name '*.tflite' -o -name '*.onnx' \) -exec cp -t "$build/models" {} +
fi
"$build"/bin/fuzz_models -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
  -artifact_prefix="$build/" "$build/found" "$build/models" tests/fuzz/corpus
