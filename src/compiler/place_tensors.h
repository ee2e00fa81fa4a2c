// Where the tensors of a legal graph lie.
#pragma once

#include <vector>

#include "compiler/emitter.h"
#include "compiler/graph.h"
#include "compiler/residency.h"

namespace tpu::compiler {

/// By tensor. Tensors in memory share it where their lifetimes do not meet; graph inputs and
/// outputs keep theirs from the first to the last operator. Constants that operators take as
/// activations are placed, weights are not.
std::vector<Placement> PlaceTensors(const Graph& graph, const ResidencyPlan& residency,
                                    Emitter& emitter);

}  // namespace tpu::compiler
