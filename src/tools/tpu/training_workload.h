// SPDX-License-Identifier: Apache-2.0
// Workloads of training, compiled.
#pragma once

#include <cstdint>
#include <optional>

#include "executable/executable.h"
#include "isa/hardware_config.h"
#include "tools/tpu/workload_spec.h"

namespace tpu::tools {

/// Nothing when the workload is none of training. Throws tpu::Error when the machine cannot train.
std::optional<executable::Executable> CompileTrainingWorkload(const WorkloadSpec& spec,
                                                              std::uint64_t seed,
                                                              const isa::HardwareConfig& config);

}  // namespace tpu::tools
