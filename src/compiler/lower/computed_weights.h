// SPDX-License-Identifier: Apache-2.0
// Weights that operators made, copied into the order in which the array takes them.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/lower/conv_instructions.h"
#include "compiler/program/emitter.h"
#include "compiler/program/placement.h"

namespace tpu::compiler {

/// `places` are tiles as PackWeights makes them of places of weights (WeightIndex) in `weights`,
/// which lies in memory. Appends the copies.
WeightTiles CopyWeights(const Placement& weights, const std::vector<std::uint8_t>& places,
                        std::int64_t lanes, Emitter& emitter);

}  // namespace tpu::compiler
