// SPDX-License-Identifier: Apache-2.0
// Copies from place to place in memory, through the unified buffer.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/program/emitter.h"
#include "ir/graph.h"

namespace tpu::compiler {

/// A copy that one LOAD and one STORE can make, repeated by loops of the program.
struct CopyPlan {
  std::vector<ir::Move::Loop> outer;  ///< Outermost first; instructions for each iteration.
  std::vector<ir::Move::Loop> inner;  ///< Outermost first; one pair of instructions.
};

/// Decides which loops over bytes one pair of instructions makes, such that the copy takes the
/// fewest bus beats and instructions. `loops` may be in any order.
CopyPlan PlanCopy(std::vector<ir::Move::Loop> loops, std::int64_t bus_bytes);

/// Copies one byte at the middle of `loops`, whose strides count bytes.
void LowerCopy(std::uint64_t from, std::uint64_t to, const std::vector<ir::Move::Loop>& loops,
               Emitter& emitter);

}  // namespace tpu::compiler
