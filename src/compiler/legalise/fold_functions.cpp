// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/fold_functions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/quantise/function_tables.h"
#include "compiler/quantise/quantized_tables.h"

namespace tpu::compiler {
namespace {

using FloatFunction = std::function<float(float)>;

// What TensorFlow Lite Micro computes.
float Value(ir::FunctionKind kind, float x) {
  switch (kind) {
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
      break;
  }
  return x * x;
}

float Value(ir::BinaryKind kind, float x, float y) {
  switch (kind) {
    case ir::BinaryKind::kAdd:
      return x + y;
    case ir::BinaryKind::kSub:
      return x - y;
    case ir::BinaryKind::kMul:
      return x * y;
    case ir::BinaryKind::kMaximum:
      return std::max(x, y);
    case ir::BinaryKind::kMinimum:
      break;
  }
  return std::min(x, y);
}

float Activated(float x, ir::Activation activation) {
  switch (activation) {
    case ir::Activation::kNone:
      break;
    case ir::Activation::kRelu:
      return std::max(x, 0.0F);
    case ir::Activation::kRelu6:
      return std::clamp(x, 0.0F, 6.0F);
    case ir::Activation::kReluN1To1:
      return std::clamp(x, -1.0F, 1.0F);
  }
  return x;
}

// A constant float32 that is everywhere the same.
std::optional<float> UniformFloat(const ir::Tensor& tensor) {
  const auto* values = std::get_if<std::vector<float>>(&tensor.data);
  if (values == nullptr || values->empty()) return std::nullopt;
  const float first = values->front();
  const bool uniform =
      std::all_of(values->begin(), values->end(), [&](float value) { return value == first; });
  return uniform ? std::optional(first) : std::nullopt;
}

// An operator on float32 as a function of each element of one of its inputs.
struct ElementFunction {
  std::size_t input = 0;
  FloatFunction function;
};

// Of an operation of two operands, one of which is everywhere the same.
template <typename Operation>
std::optional<ElementFunction> FunctionWithConstant(const ir::Graph& graph, const ir::Operator& op,
                                                    ir::Activation activation,
                                                    Operation operation) {
  const ir::Shape& shape = graph.tensors[op.outputs.at(0)].shape;
  for (const std::size_t constant : {std::size_t{0}, std::size_t{1}}) {
    const std::optional<float> value = UniformFloat(graph.tensors[op.inputs.at(constant)]);
    if (!value || graph.tensors[op.inputs.at(1 - constant)].shape != shape) continue;
    return ElementFunction{
        .input = 1 - constant, .function = [=](float x) {
          return Activated(constant == 0 ? operation(*value, x) : operation(x, *value), activation);
        }};
  }
  return std::nullopt;
}

std::optional<ElementFunction> FunctionOf(const ir::Graph& graph, const ir::Operator& op) {
  if (const auto* function = std::get_if<ir::Function>(&op.attributes)) {
    return ElementFunction{.function = [kind = function->kind](float x) { return Value(kind, x); }};
  }
  if (const auto* binary = std::get_if<ir::Binary>(&op.attributes)) {
    return FunctionWithConstant(
        graph, op, binary->activation,
        [kind = binary->kind](float x, float y) { return Value(kind, x, y); });
  }
  if (const auto* divide = std::get_if<ir::Divide>(&op.attributes)) {
    return FunctionWithConstant(graph, op, divide->activation,
                                [](float x, float y) { return x / y; });
  }
  return std::nullopt;
}

class Folding {
 public:
  Folding(ir::Graph& graph, Rounding rounding)
      : graph_(graph), rounding_(rounding), made_by_(graph.tensors.size()) {
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
    std::vector<FloatFunction> chain;  // From the last operator to the first.
    const ir::Operator* maker = MakerOf(quantize.inputs.at(0));
    while (maker != nullptr) {
      const std::optional<ElementFunction> function = FunctionOf(graph_, *maker);
      if (!function) break;
      chain.push_back(function->function);
      maker = MakerOf(maker->inputs.at(function->input));
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
    const ir::Lookup table = FloatTable(input, output, rounding_, [&](float x) {
      for (const FloatFunction& function : chain) x = function(x);
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
      const bool foldable = std::holds_alternative<ir::Dequantize>(op.attributes) ||
                            FunctionOf(graph_, op).has_value();
      if (!foldable || uses[op.outputs.at(0)] > 0) continue;
      for (const ir::TensorId id : op.inputs) --uses[id];
      graph_.operators.erase(graph_.operators.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  ir::Graph& graph_;
  Rounding rounding_;
  std::vector<std::optional<std::size_t>> made_by_;  // By tensor: its operator.
};

}  // namespace

void FoldFunctions(ir::Graph& graph, Rounding rounding) { Folding(graph, rounding).Run(); }

}  // namespace tpu::compiler
