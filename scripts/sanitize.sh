#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: scripts/sanitize.sh BUILD JOBS [REGEX]
#
# Builds everything but the Verilated models with AddressSanitizer (leaks included) and UndefinedBehaviorSanitizer and runs the tests.
# The models are those of BUILD. Unless REGEX is given, whole networks on the RTL, the largest ones on the golden model and the ledgers of the benches
# are left out: a third of the time goes into them, and no C++ runs in them that does not run in other tests.
set -euo pipefail
plain=$1 build=$1/sanitize jobs=$2

cmake --build "$plain" -j "$jobs" --target tpu_models
[[ -f $build/build.ninja ]] || cmake -S . -B "$build" -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DTPU_SANITIZE=ON \
    -DTPU_MODELS="$(realpath "$plain")" \
    -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG -gline-tables-only"  # -O3 takes twice as long to compile and gives worse stacks
cmake --build "$build" -j "$jobs"
repeated='^models_rtl_test|^models_test.*mobilenet_v2|^bench_test.BenchSuite.TakesTheCyclesOfTheLedger'
scripts/run_tests.sh "$build" "$jobs" "${3:-}" "$([[ -n ${3:-} ]] || echo "$repeated")"
