// SPDX-License-Identifier: Apache-2.0
// The timing model's estimate for an executable.
#pragma once

#include <cstdint>
#include <vector>

#include "executable/executable.h"
#include "runtime/session.h"
#include "timing/estimate.h"

namespace tpu::tools {

struct CycleEstimate {
  std::uint64_t cycles = 0;           ///< Of all programs that run together.
  std::vector<std::uint64_t> layers;  ///< By layer, in the sense of profile/layer_use.h.
};

/// For the simulated machine with this memory, and a run that takes this course.
CycleEstimate EstimateCycles(const executable::Executable& executable,
                             const runtime::Course& course, const timing::Memory& memory = {});

}  // namespace tpu::tools
