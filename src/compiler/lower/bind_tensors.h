// SPDX-License-Identifier: Apache-2.0
// The facts about tensors that the runtime needs: name, type, shape, scale and address.
#pragma once

#include <vector>

#include "compiler/program/placement.h"
#include "executable/executable.h"
#include "ir/graph.h"

namespace tpu::compiler {

/// The facts about a tensor at this place.
executable::TensorBinding BindingOf(const ir::Tensor& tensor, const Placement& placement);

/// Sets the inputs and outputs of the executable to those of the graph, in the graph's order, and
/// adds its states to those of its branches and loops.
/// `placements` are by tensor.
void BindTensors(const ir::Graph& graph, const std::vector<Placement>& placements,
                 executable::Executable& executable);

}  // namespace tpu::compiler
