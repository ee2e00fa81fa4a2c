// SPDX-License-Identifier: Apache-2.0
// Where the tensors of a legal graph lie.
#pragma once

#include <vector>

#include "compiler/place/residency.h"
#include "compiler/program/emitter.h"
#include "ir/graph.h"

namespace tpu::compiler {

/// By tensor. Tensors in memory share it where their lifetimes do not meet; graph inputs and
/// outputs keep theirs from the first to the last operator. Constants that operators take as
/// activations are placed, weights are not.
std::vector<Placement> PlaceTensors(const ir::Graph& graph, const ResidencyPlan& residency,
                                    Emitter& emitter);

}  // namespace tpu::compiler
