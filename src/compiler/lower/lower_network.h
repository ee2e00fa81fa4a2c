// SPDX-License-Identifier: Apache-2.0
// From a legal graph to instructions.
#pragma once

#include <vector>

#include "compiler/place/residency.h"
#include "compiler/program/placement.h"
#include "compiler/program/sequential.h"
#include "compiler/quantise/quantization.h"
#include "ir/graph.h"

namespace tpu::compiler {

struct LoweredNetwork {
  SequentialNetwork network;
  std::vector<Placement> placements;  ///< By tensor.
};

/// Places the tensors and lowers the operators one after the other. Throws DoesNotFit when a layer
/// needs more room on chip than `residency` leaves. With `tries_tilings` operators that can be cut
/// in several ways are lowered in each and take the one that the timing model finds fastest.
LoweredNetwork LowerNetwork(const Graph& graph, const ResidencyPlan& residency,
                            const isa::HardwareConfig& config, Rounding rounding,
                            bool tries_tilings);

}  // namespace tpu::compiler
