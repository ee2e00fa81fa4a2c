// SPDX-License-Identifier: Apache-2.0
// Where the tensors of a legal graph lie.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/place/residency.h"
#include "compiler/program/emitter.h"
#include "ir/graph.h"

namespace tpu::compiler {

/// Tensors, mostly inputs of the graph, that lie at addresses that were handed out before.
using FixedInputs = std::vector<std::pair<ir::TensorId, std::uint64_t>>;

/// By tensor. Tensors in memory share it where their lifetimes do not meet; graph inputs and
/// outputs keep theirs from the first to the last operator. The outputs of While take the places of
/// its inputs. Constants that operators take as
/// activations are placed, weights are not.
std::vector<Placement> PlaceTensors(const ir::Graph& graph, const ResidencyPlan& residency,
                                    Emitter& emitter, const FixedInputs& fixed = {});

}  // namespace tpu::compiler
