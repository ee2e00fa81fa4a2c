// SPDX-License-Identifier: Apache-2.0
// Windows at the image's edges have fewer taps inside of it.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/range.h"

namespace tpu::compiler {

/// Neighbouring outputs whose windows have equally many taps in the image.
struct EqualRun {
  ir::Range outputs;
  std::int64_t taps = 0;
};

inline std::vector<EqualRun> EqualRuns(const ir::Window& window, ir::Range outputs) {
  std::vector<EqualRun> runs;
  for (std::int64_t o = outputs.begin; o < outputs.end; ++o) {
    const std::int64_t taps = window.TapsInside(o);
    if (runs.empty() || runs.back().taps != taps) {
      runs.push_back({.outputs = {.begin = o, .end = o}, .taps = taps});
    }
    runs.back().outputs.end = o + 1;
  }
  return runs;
}

}  // namespace tpu::compiler
