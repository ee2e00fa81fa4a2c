// SPDX-License-Identifier: Apache-2.0
// Operators that the host runs, but for those of a type that the machine knows.
#include "compiler/legalise/legalise_rules.h"
#include "host_operators/check.h"

namespace tpu::compiler {

void Legalise(const OperatorView& view, const ir::HostOperator& op) {
  const auto operands = [&](const std::vector<ir::TensorId>& ids) {
    std::vector<host_operators::Operand> result;
    for (const ir::TensorId id : ids) {
      result.push_back(host_operators::OperandOf(view.graph.At(id)));
    }
    return result;
  };
  try {
    host_operators::Check(op.attributes, operands(view.op.inputs), operands(view.op.outputs));
  } catch (const Error& error) {
    view.Require(false, "{}", error.what());
  }
  const auto* extreme = std::get_if<host_operators::ReduceExtreme>(&op.attributes);
  if (extreme != nullptr && LegaliseOnDevice(view, *extreme)) return;
  const auto* product = std::get_if<host_operators::BatchMatMul>(&op.attributes);
  if (product != nullptr && LegaliseOnDevice(view, *product)) return;
  view.graph.AddOperator(view.op);
}

}  // namespace tpu::compiler
