// SPDX-License-Identifier: Apache-2.0
// The last pass on the graphs of IF and WHILE: where what they make has to lie is settled outside
// of them, so that copies may be needed. States are already inputs and outputs (ExposeStates).
#pragma once

#include <cstddef>
#include <string>

#include "ir/graph.h"

namespace tpu::compiler {

/// A copy of all elements, which is an operator even though it changes nothing.
ir::Move WholeCopy(const ir::Tensor& tensor);

/// A graph of IF, or the condition of WHILE: the first `outputs` outputs are each made by an
/// operator of their own, and can be placed anywhere. The states take the places of those before.
/// `layer` names the copies' layer, `origin` their operator.
void SettleBranch(ir::Graph& graph, std::size_t outputs, const std::string& layer,
                  const std::string& origin);

/// The body of WHILE: each output takes the place of the input of the same number.
void SettleBody(ir::Graph& graph, const std::string& layer, const std::string& origin);

}  // namespace tpu::compiler
