// SPDX-License-Identifier: Apache-2.0
// Entries of the parameter memory.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/quantise/quantization.h"
#include "isa/element_format.h"
#include "isa/hardware_config.h"

namespace tpu::compiler {

/// One lane's part of an entry.
struct LaneParameters {
  isa::Bias bias = 0;
  Multiplier multiplier;
};

/// The lanes where each channel block has an entry for each of its `pieces` pieces, which the entry
/// has as many times side by side.
std::vector<LaneParameters> InPieces(const std::vector<LaneParameters>& lanes, std::int64_t pieces,
                                     const isa::HardwareConfig& config);

/// The entries as they lie in memory. Missing lanes of the last entry are zero.
std::vector<std::uint8_t> PackParameters(const std::vector<LaneParameters>& lanes,
                                         const isa::HardwareConfig& config);

}  // namespace tpu::compiler
