// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/fuse.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/legalise/uses.h"
#include "compiler/quantise/quantized_tables.h"
#include "ir/limits.h"

namespace tpu::compiler {
namespace {

// Looks for operators whose first input is made by a `Producer` and used by nobody else. Calls
// fuse(op, producer, attributes of the producer) for each of them, and removes the producer if the
// call returns true.
template <typename Producer, typename Fuse>
void FuseInto(ir::Graph& graph, Fuse fuse) {
  const Uses uses(graph);
  std::vector<bool> gone(graph.operators.size(), false);
  for (ir::Operator& op : graph.operators) {
    const ir::TensorId input = op.inputs.at(0);
    const auto* producer = uses.OnlyFor<Producer>(graph, input);
    if (producer == nullptr) continue;
    const std::size_t index = *uses.made_by[input];
    const ir::Operator& made = graph.operators[index];
    if (!fuse(op, made, *producer)) continue;
    op.inputs[0] = made.inputs.at(0);
    gone[index] = true;
  }
  RemoveOperators(graph, gone);
}

// A convolution's padding with a pad around its input; nothing if the pad is not one of rows and
// columns alone, or if it is so wide that an instruction might not reach over it.
std::optional<ir::Padding> WithPad(const ir::Padding& padding, const ir::Pad& pad) {
  const auto flat = [&](std::size_t axis) { return pad.before[axis] == 0 && pad.after[axis] == 0; };
  const auto grows = [](const std::vector<std::int64_t>& counts) {
    return std::ranges::all_of(counts, [](std::int64_t count) { return count >= 0; });
  };
  if (pad.before.size() != 4 || !flat(0) || !flat(3)) return std::nullopt;
  if (!grows(pad.before) || !grows(pad.after)) return std::nullopt;
  const std::array sums{padding.top + pad.before[1], padding.left + pad.before[2],
                        padding.bottom + pad.after[1], padding.right + pad.after[2]};
  const auto fits = [](std::int64_t sum) { return sum <= ir::kMostPadding; };
  if (!std::ranges::all_of(sums, fits)) return std::nullopt;
  return ir::Padding{.top = static_cast<std::int32_t>(sums[0]),
                     .left = static_cast<std::int32_t>(sums[1]),
                     .bottom = static_cast<std::int32_t>(sums[2]),
                     .right = static_cast<std::int32_t>(sums[3])};
}

void JoinLookups(ir::Graph& graph) {
  FuseInto<ir::Lookup>(graph, [](ir::Operator& op, const ir::Operator&, const ir::Lookup& first) {
    auto* second = std::get_if<ir::Lookup>(&op.attributes);
    if (second == nullptr) return false;
    *second = Compose(first, *second);
    return true;
  });
}

// Whether the operator ends in the vector unit, whose last stages are the table and the format.
bool EndsInVectorUnit(const ir::Attributes& attributes) {
  return ir::HoldsAnyOf<ir::Conv2D, ir::DepthwiseConv2D, ir::FullyConnected, ir::Pool2D, ir::Binary,
                        ir::MatMul, ir::Map, ir::Reduce>(attributes);
}

// Whether one FVECTOR without activation ends the operator.
struct EndsInFvector {
  bool operator()(const ir::Conv2D& op) const { return op.activation == ir::Activation::kNone; }
  bool operator()(const ir::FullyConnected& op) const {
    return op.activation == ir::Activation::kNone;
  }
  bool operator()(const ir::Binary& op) const { return op.activation == ir::Activation::kNone; }
  bool operator()(const ir::MatMul& /*op*/) const { return true; }
  bool operator()(const ir::Map& /*op*/) const { return true; }
  template <typename Other>
  bool operator()(const Other& /*op*/) const {
    return false;
  }
};

// Looks for operators of type Op whose input is made in the vector unit, for them alone. Calls
// fuse(maker, op, attributes of op) for each of them. If the call returns true, the maker makes
// what the operator would.
template <typename Op, typename Fuse>
void FuseIntoMakers(ir::Graph& graph, Fuse fuse) {
  const Uses uses(graph);
  std::vector<bool> gone(graph.operators.size(), false);
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    const ir::Operator& op = graph.operators[i];
    const auto* attributes = std::get_if<Op>(&op.attributes);
    const ir::TensorId input = op.inputs.at(0);
    if (attributes == nullptr || !uses.made_by[input] || uses.count[input] != 1) continue;
    ir::Operator& maker = graph.operators[*uses.made_by[input]];
    if (!EndsInVectorUnit(maker.attributes) || !fuse(maker, op, *attributes)) continue;
    maker.outputs = op.outputs;
    gone[i] = true;
  }
  RemoveOperators(graph, gone);
}

}  // namespace

void FusePadding(ir::Graph& graph) {
  FuseInto<ir::Pad>(graph, [&](ir::Operator& op, const ir::Operator& made, const ir::Pad& pad) {
    const ir::Tensor& padded = graph.tensors[op.inputs[0]];
    const ir::Tensor& input = graph.tensors[made.inputs.at(0)];
    // A convolution's own padding reads as its input's zero point.
    const bool neutral = pad.fill == padded.zero_point && input.zero_point == padded.zero_point &&
                         input.scale == padded.scale;
    if (!neutral) return false;
    ir::Padding* padding = nullptr;
    if (auto* conv = std::get_if<ir::Conv2D>(&op.attributes)) padding = &conv->padding;
    if (auto* depthwise = std::get_if<ir::DepthwiseConv2D>(&op.attributes)) {
      padding = &depthwise->padding;
    }
    if (padding == nullptr) return false;
    const std::optional<ir::Padding> sum = WithPad(*padding, pad);
    if (sum) *padding = *sum;
    return sum.has_value();
  });
}

void FuseLookups(ir::Graph& graph) {
  JoinLookups(graph);
  FuseIntoMakers<ir::Lookup>(
      graph, [](ir::Operator& maker, const ir::Operator& op, const ir::Lookup& lookup) {
        maker.fused = ir::FusedLookup{.lookup = lookup, .before = op.inputs.at(0)};
        return true;
      });
}

void FuseFunctions(ir::Graph& graph) {
  const auto fuse = [&](ir::Operator& maker, const ir::Operator& op, const auto& function) {
    const bool takes = graph.tensors[op.inputs.at(0)].type == ElementType::kBfloat16 &&
                       !maker.function && std::visit(EndsInFvector{}, maker.attributes);
    if (takes) maker.function = function.kind;
    return takes;
  };
  FuseIntoMakers<ir::Unary>(graph, fuse);
  FuseIntoMakers<ir::Function>(graph, fuse);
}

namespace {

// The output that an operator can make in bfloat16, too.
ir::TensorId RoundedOutputOf(const ir::Operator& op) {
  return op.outputs[std::holds_alternative<ir::Adam>(op.attributes) ? 2 : 0];
}

// Whether the operator does not do so yet.
bool RoundsToo(const ir::Operator& op) {
  if (std::holds_alternative<ir::Map>(op.attributes)) return op.outputs.size() == 1;
  if (std::holds_alternative<ir::Adam>(op.attributes)) return op.outputs.size() == 3;
  const auto* gradient = std::get_if<ir::ConvWeightGradient>(&op.attributes);
  return gradient != nullptr && op.outputs.size() == (gradient->bias ? 2 : 1);
}

}  // namespace

void FuseRounding(ir::Graph& graph) {
  const Uses uses(graph);
  std::vector<bool> gone(graph.operators.size(), false);
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    const ir::Operator& op = graph.operators[i];
    if (!std::holds_alternative<ir::Convert>(op.attributes)) continue;
    const ir::TensorId input = op.inputs.at(0);
    const ir::TensorId output = op.outputs.at(0);
    if (!uses.made_by[input] || graph.tensors[input].type != ElementType::kFloat32 ||
        graph.tensors[output].type != ElementType::kBfloat16 ||
        std::ranges::find(graph.outputs, output) == graph.outputs.end()) {
      continue;
    }
    ir::Operator& maker = graph.operators[*uses.made_by[input]];
    if (!RoundsToo(maker) || RoundedOutputOf(maker) != input) continue;
    maker.outputs.push_back(output);
    gone[i] = true;
  }
  RemoveOperators(graph, gone);
}

void FuseWidening(ir::Graph& graph) {
  FuseIntoMakers<ir::Convert>(
      graph, [&](const ir::Operator& /*maker*/, const ir::Operator& op, const ir::Convert&) {
        return graph.tensors[op.inputs.at(0)].type == ElementType::kBfloat16 &&
               graph.tensors[op.outputs.at(0)].type == ElementType::kFloat32;
      });
}

}  // namespace tpu::compiler
