// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/fold_functions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/quantise/function_tables.h"
#include "compiler/quantise/quantized_tables.h"

namespace tpu::compiler {
namespace {

// What TensorFlow Lite Micro computes of one float32.
std::optional<float> Value(const ir::Attributes& attributes, float x) {
  const auto* function = std::get_if<ir::Function>(&attributes);
  if (function == nullptr) return std::nullopt;
  switch (function->kind) {
    case ir::FunctionKind::kNegate:
      return -x;
    case ir::FunctionKind::kAbsolute:
      return std::abs(x);
    case ir::FunctionKind::kExp:
      return std::exp(x);
    case ir::FunctionKind::kLog:
      return std::log(x);
    case ir::FunctionKind::kReciprocal:
      return 1.0F / x;
    case ir::FunctionKind::kRsqrt:
      return 1.0F / std::sqrt(x);
    case ir::FunctionKind::kSqrt:
      return std::sqrt(x);
    case ir::FunctionKind::kSquare:
      return x * x;
  }
  return std::nullopt;
}

class Folding {
 public:
  explicit Folding(ir::Graph& graph) : graph_(graph), made_by_(graph.tensors.size()) {
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
      for (const ir::TensorId id : graph.operators[i].outputs) made_by_[id] = i;
    }
  }

  void Run() {
    bool folded = false;
    for (ir::Operator& op : graph_.operators) {
      if (!std::holds_alternative<ir::Quantize>(op.attributes)) continue;
      folded = Fold(op) || folded;
    }
    if (folded) RemoveUnused();
  }

 private:
  [[nodiscard]] const ir::Operator* MakerOf(ir::TensorId id) const {
    return made_by_[id] ? &graph_.operators[*made_by_[id]] : nullptr;
  }

  // Whether the QUANTIZE has become a table.
  bool Fold(ir::Operator& quantize) {
    std::vector<const ir::Operator*> chain;  // From the last operator to the first.
    const ir::Operator* maker = MakerOf(quantize.inputs.at(0));
    while (maker != nullptr && Value(maker->attributes, 1.0F)) {
      chain.push_back(maker);
      maker = MakerOf(maker->inputs.at(0));
    }
    if (chain.empty() || maker == nullptr ||
        !std::holds_alternative<ir::Dequantize>(maker->attributes)) {
      return false;
    }
    const ir::TensorId source = maker->inputs.at(0);
    const ir::Tensor& input = graph_.tensors[source];
    const ir::Tensor& output = graph_.tensors[quantize.outputs.at(0)];
    if (!IsByte(input) || !IsByte(output)) return false;
    std::reverse(chain.begin(), chain.end());
    const ir::Lookup table = FloatTable(input, output, [&](float x) {
      for (const ir::Operator* op : chain) x = *Value(op->attributes, x);
      return x;
    });
    quantize.inputs[0] = source;
    quantize.attributes = table;
    return true;
  }

  // Operators on float32 whose results nobody uses any more.
  void RemoveUnused() {
    std::vector<int> uses(graph_.tensors.size());
    for (const ir::Operator& op : graph_.operators) {
      for (const ir::TensorId id : op.inputs) ++uses[id];
    }
    for (const ir::TensorId id : graph_.outputs) ++uses[id];
    for (std::size_t i = graph_.operators.size(); i-- > 0;) {
      const ir::Operator& op = graph_.operators[i];
      const bool foldable = Value(op.attributes, 1.0F).has_value() ||
                            std::holds_alternative<ir::Dequantize>(op.attributes);
      if (!foldable || uses[op.outputs.at(0)] > 0) continue;
      for (const ir::TensorId id : op.inputs) --uses[id];
      graph_.operators.erase(graph_.operators.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  ir::Graph& graph_;
  std::vector<std::optional<std::size_t>> made_by_;  // By tensor: its operator.
};

}  // namespace

void FoldFunctions(ir::Graph& graph) { Folding(graph).Run(); }

}  // namespace tpu::compiler
