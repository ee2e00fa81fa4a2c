// SPDX-License-Identifier: Apache-2.0
// Data movement by plain loops over the output's elements.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/graph.h"

namespace tpu::reference {

using Values = std::vector<std::int8_t>;

/// Whether the operator only moves data.
bool IsMove(const ir::Operator& op);

/// The outputs of such an operator. `inputs` in the order of op.inputs.
std::vector<Values> MoveOutputs(const ir::Graph& graph, const ir::Operator& op,
                                const std::vector<Values>& inputs);

}  // namespace tpu::reference
