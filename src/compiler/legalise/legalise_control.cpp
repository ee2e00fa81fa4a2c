// SPDX-License-Identifier: Apache-2.0
// Operators of which the host decides what runs. Their graphs are made legal by themselves.
#include <utility>

#include "compiler/legalise/legalise_rules.h"
#include "compiler/legalise/settle_regions.h"

namespace tpu::compiler {

void Legalise(const OperatorView& view, const ir::If& /*op*/) { view.graph.AddOperator(view.op); }

// The loop writes over the values that it begins with.
void Legalise(const OperatorView& view, const ir::While& /*op*/) {
  ir::Operator loop = view.op;
  for (ir::TensorId& id : loop.inputs) {
    const ir::TensorId value = view.Like(view.graph.At(id), view.graph.At(id).shape, "value");
    view.Add({id}, value, WholeCopy(view.graph.At(id)));
    id = value;
  }
  view.graph.AddOperator(std::move(loop));
}

}  // namespace tpu::compiler
