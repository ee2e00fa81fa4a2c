// From a legal graph to instructions.
#pragma once

#include <vector>

#include "compiler/graph.h"
#include "compiler/placement.h"
#include "compiler/quantization.h"
#include "compiler/residency.h"
#include "compiler/sequential.h"

namespace tpu::compiler {

struct LoweredNetwork {
  SequentialNetwork network;
  std::vector<Placement> placements;  ///< By tensor.
};

/// Places the tensors and lowers the operators one after the other. Throws DoesNotFit when a layer
/// needs more room on chip than `residency` leaves.
LoweredNetwork LowerNetwork(const Graph& graph, const ResidencyPlan& residency,
                            const isa::HardwareConfig& config, Rounding rounding);

}  // namespace tpu::compiler
