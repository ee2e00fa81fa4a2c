// SPDX-License-Identifier: Apache-2.0
// Which tensors stay in the unified buffer between the operator that makes them and those that use
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/program/overlap.h"
#include "ir/graph.h"
#include "ir/range.h"
#include "isa/hardware_config.h"

namespace tpu::compiler {

struct ResidencyPlan {
  /// By tensor: its first UB row, channel block after channel block; none: the tensor is in memory.
  std::vector<std::optional<std::int64_t>> row;
  /// By operator: UB rows that no resident tensor uses meanwhile.
  std::vector<ir::Range> free;
  /// Of the graphs that operators run, the two of an operator behind those of the one before. No
  /// tensor stays resident while they run.
  std::vector<ResidencyPlan> regions = {};
};

/// Keeps as many tensors resident as leave room for the tiles of the others.
ResidencyPlan PlanResidency(const ir::Graph& graph, const isa::HardwareConfig& config,
                            Overlap overlap = Overlap::kEnds);

/// All tensors in memory.
ResidencyPlan NoResidency(const ir::Graph& graph, const isa::HardwareConfig& config);

}  // namespace tpu::compiler
