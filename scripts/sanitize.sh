#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: scripts/sanitize.sh BUILD JOBS [REGEX]
#
# Builds the C++ but for the Verilated machines and the board's end of the link, which are those of BUILD, with AddressSanitizer (leaks included) and
# UndefinedBehaviorSanitizer and runs the tests. Left out are the tests of single blocks of RTL, which are not built (tests/CMakeLists.txt), and
# unless REGEX is given, what runs the C++ of other tests once more: the models of TPU_MODELS_DIR (as those of models/ run), the
# ledgers of the benches, the injection of all faults, and the compiler's operators on machines between the smallest and the default one.
set -euo pipefail
plain=$1 build=$1/sanitize jobs=$2

cmake --build "$plain" -j "$jobs" --target tpu_machine_models v_link
[[ -f $build/build.ninja ]] || cmake -S . -B "$build" -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DTPU_SANITIZE=ON \
    -DTPU_MODELS="$(realpath "$plain")" \
    -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG -gline-tables-only"  # -O3 takes twice as long to compile and gives worse stacks
cmake --build "$build" -j "$jobs"
repeated='^models_rtl_test|^models_test|^bench_test.BenchSuite.TakesTheCyclesOfTheLedger|^tpu_faults.all'
repeated+='|MobileNetV2RunsWholeOnTheRtl|^compiler_test.Machines/.*/(N8|N16small|N32|N64)( |$)'
scripts/run_tests.sh "$build" "$jobs" "${3:-}" "$([[ -n ${3:-} ]] || echo "$repeated")"
