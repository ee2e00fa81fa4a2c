// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/fuse_adam.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "compiler/legalise/uses.h"

namespace tpu::compiler {
namespace {

// A step that was found: the operators that it replaces, the last one at the end.
struct Found {
  ir::Adam adam;
  ir::TensorId squares = 0, gradients = 0, moments = 0, weights = 0;
  ir::TensorId new_squares = 0, new_moments = 0;
  ir::TensorId slope = 0, base = 0;
  std::optional<ir::TensorId> factor;
  std::vector<std::size_t> operators;
};

// Looks for a step from its last operation backwards.
class AdamSearch {
 public:
  explicit AdamSearch(const ir::Graph& graph) : graph_(graph), uses_(graph) {}

  // The step whose new weights are the first output of this operator.
  std::optional<Found> EndingAt(std::size_t last) {
    found_ = {};
    const auto move = Pair(graph_.operators[last].outputs[0], ir::MapKind::kAdd, false);
    if (!move || !Elements(move->a) || !Elements(move->b)) return std::nullopt;
    const auto change = Pair(move->b, ir::MapKind::kMul, true);
    if (!change || !Weights(move->a) || !Moments(change->a) || !Divisor(change->b)) {
      return std::nullopt;
    }
    return MadeInTime(last) ? std::optional(found_) : std::nullopt;
  }

 private:
  struct Operands {
    ir::TensorId a = 0;
    ir::TensorId b = 0;
  };

  [[nodiscard]] const ir::Tensor& At(ir::TensorId id) const { return graph_.tensors[id]; }
  [[nodiscard]] bool Elements(ir::TensorId id) const {
    return At(id).type == ElementType::kFloat32 && At(id).Elements() > 1;
  }
  [[nodiscard]] bool Scalar(ir::TensorId id) const {
    return At(id).type == ElementType::kFloat32 && At(id).Elements() == 1;
  }

  // Whether the step may stand where its last operation does: only its own operations use what it
  // makes before that.
  [[nodiscard]] bool MadeInTime(std::size_t last) const {
    for (std::size_t i = 0; i < last; ++i) {
      if (std::ranges::find(found_.operators, i) != found_.operators.end()) continue;
      for (const ir::TensorId id : graph_.operators[i].inputs) {
        if (id == found_.new_squares || id == found_.new_moments) return false;
      }
    }
    return true;
  }

  // What makes the tensor, if that is such an operation with so many operands; it becomes a part
  // of the step. `inner`: nothing else uses the tensor.
  template <typename Op>
  const Op* Maker(ir::TensorId id, std::size_t operands, bool inner) {
    const auto maker = uses_.made_by[id];
    if (!maker || (inner && uses_.count[id] != 1)) return nullptr;
    const ir::Operator& op = graph_.operators[*maker];
    const auto* attributes = std::get_if<Op>(&op.attributes);
    if (attributes == nullptr || op.inputs.size() != operands || op.function) return nullptr;
    found_.operators.push_back(*maker);
    inputs_ = &op.inputs;
    return attributes;
  }
  std::optional<Operands> Pair(ir::TensorId id, ir::MapKind kind, bool inner) {
    const auto* map = Maker<ir::Map>(id, 2, inner);
    if (map == nullptr || map->kind != kind) return std::nullopt;
    constant_ = map->constant;
    return Operands{inputs_->at(0), inputs_->at(1)};
  }
  // The tensor that an operation takes besides its constant.
  std::optional<ir::TensorId> WithConstant(ir::TensorId id, ir::MapKind kind, bool inner) {
    const auto* map = Maker<ir::Map>(id, 1, inner);
    if (map == nullptr || map->kind != kind) return std::nullopt;
    constant_ = map->constant;
    return inputs_->at(0);
  }

  bool Weights(ir::TensorId id) {
    found_.weights = id;
    if (Maker<ir::Scale>(id, 2, true) == nullptr) return true;
    found_.weights = inputs_->at(0);
    found_.factor = inputs_->at(1);
    return true;
  }

  // moment_scale * (g + moment_factor * m)
  bool Moments(ir::TensorId id) {
    found_.new_moments = id;
    const auto sum = WithConstant(id, ir::MapKind::kMul, false);
    if (!sum) return false;
    found_.adam.moment_scale = constant_;
    const auto operands = Pair(*sum, ir::MapKind::kMultiplyAdd, true);
    if (!operands) return false;
    found_.adam.moment_factor = constant_;
    found_.moments = operands->a;
    found_.gradients = operands->b;
    return true;
  }

  // 1 / (base + slope * c' / sqrt(max(c', least))) with c' = square_scale * (c + g * g)
  bool Divisor(ir::TensorId id) {
    const auto* reciprocal = Maker<ir::Function>(id, 1, true);
    if (reciprocal == nullptr || reciprocal->kind != ir::FunctionKind::kReciprocal) return false;
    const auto sum = Pair(inputs_->at(0), ir::MapKind::kAdd, true);
    if (!sum || !Scalar(sum->b)) return false;
    found_.base = sum->b;
    if (Maker<ir::Scale>(sum->a, 2, true) == nullptr) return false;
    const ir::TensorId root = inputs_->at(0);
    found_.slope = inputs_->at(1);
    const auto product = Pair(root, ir::MapKind::kMul, true);
    if (!product) return false;
    found_.new_squares = product->a;
    const auto* rsqrt = Maker<ir::Function>(product->b, 1, true);
    if (rsqrt == nullptr || rsqrt->kind != ir::FunctionKind::kRsqrt) return false;
    const auto least = WithConstant(inputs_->at(0), ir::MapKind::kMaximum, true);
    if (least != product->a || constant_ != std::numeric_limits<float>::min()) return false;
    const auto squares = WithConstant(product->a, ir::MapKind::kMul, false);
    if (!squares) return false;
    found_.adam.square_scale = constant_;
    const auto operands = Pair(*squares, ir::MapKind::kAddSquare, true);
    if (!operands || operands->b != found_.gradients) return false;
    found_.squares = operands->a;
    const std::int64_t elements = At(found_.weights).Elements();
    return std::ranges::all_of(
        std::initializer_list<ir::TensorId>{found_.squares, found_.gradients, found_.moments},
        [&](ir::TensorId tensor) { return Elements(tensor) && At(tensor).Elements() == elements; });
  }

  const ir::Graph& graph_;
  Uses uses_;
  Found found_;
  // Of the operation that was looked at last.
  const std::vector<ir::TensorId>* inputs_ = nullptr;
  float constant_ = 0.0F;
};

}  // namespace

void FuseAdam(ir::Graph& graph) {
  std::vector<bool> gone(graph.operators.size(), false);
  AdamSearch search(graph);
  std::vector<std::optional<Found>> steps;
  for (std::size_t i = 0; i < graph.operators.size(); ++i) steps.push_back(search.EndingAt(i));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i]) continue;
    const Found& step = *steps[i];
    for (const std::size_t member : step.operators) gone[member] = member != i;
    ir::Operator& last = graph.operators[i];
    last.inputs = {step.squares, step.gradients, step.moments, step.weights, step.slope, step.base};
    if (step.factor) last.inputs.push_back(*step.factor);
    last.outputs.insert(last.outputs.begin(), {step.new_squares, step.new_moments});
    last.attributes = step.adam;
  }
  RemoveOperators(graph, gone);
}

}  // namespace tpu::compiler
