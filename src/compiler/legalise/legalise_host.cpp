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
  const bool on_device = std::visit(
      [&](const auto& attributes) {
        if constexpr (requires { LegaliseOnDevice(view, attributes); }) {
          return LegaliseOnDevice(view, attributes);
        }
        return false;
      },
      op.attributes);
  if (on_device) return;
  view.graph.AddOperator(view.op);
}

}  // namespace tpu::compiler
