// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/lower_operator.h"

#include <type_traits>
#include <variant>

#include "compiler/legalise/legalise.h"
#include "compiler/lower/lower_host.h"

namespace tpu::compiler {

const ir::Tensor& OperatorContext::Input(std::size_t i) const {
  Require(i < op.inputs.size(), "input {} is missing", i);
  return graph.tensors[op.inputs[i]];
}

std::string OperatorContext::Name() const {
  return fmt::format("{} ({})", op.name,
                     op.origin.empty() ? ir::OperatorName(op.attributes) : op.origin);
}

std::vector<std::uint8_t> OperatorContext::Table() const {
  if (!op.fused) return {};
  return {op.fused->lookup.table.begin(), op.fused->lookup.table.end()};
}

WeightValues OperatorContext::Weights(std::size_t input) const {
  const ir::Tensor& tensor = Input(input);
  if (const auto* floats = std::get_if<std::vector<Bfloat16>>(&tensor.data)) {
    return std::span(*floats);
  }
  const auto* values = std::get_if<std::vector<isa::Weight>>(&tensor.data);
  Require(values != nullptr, "weights {} must be constant int8", tensor.name);
  Require(tensor.zero_point == 0, "weights {} must have zero point 0", tensor.name);
  return std::span(*values);
}

void LowerOperator(const OperatorContext& context, Emitter& emitter) {
  if (std::holds_alternative<ir::Reshape>(context.op.attributes)) return;
  const bool host = RunsOnHost(context.op);
  const std::string own(ir::OperatorName(context.op.attributes));
  emitter.BeginLayer({.name = context.op.name,
                      .op = context.op.origin.empty() ? own : context.op.origin,
                      .macs = context.op.macs.value_or(MacsOf(context)),
                      .host = host});
  if (host) {
    LowerHostCall(context, emitter);
    return;
  }
  std::visit(
      [&](const auto& op) {
        using Op = std::decay_t<decltype(op)>;
        if constexpr (std::is_same_v<Op, ir::Conv2D>) {
          LowerConv2D(context, op, emitter);
        } else if constexpr (std::is_same_v<Op, ir::DepthwiseConv2D>) {
          LowerDepthwise(context, op, emitter);
        } else if constexpr (std::is_same_v<Op, ir::FullyConnected>) {
          LowerFullyConnected(context, op, emitter);
        } else if constexpr (std::is_same_v<Op, ir::MatMul>) {
          LowerMatMul(context, op, emitter);
        } else if constexpr (std::is_same_v<Op, ir::Binary>) {
          LowerBinary(context, op, emitter);
        } else if constexpr (std::is_same_v<Op, ir::Pool2D>) {
          LowerPool(context, op, emitter);
        } else if constexpr (std::is_same_v<Op, ir::IntegerMap>) {
          LowerIntegerMap(context, op, emitter);
        } else if constexpr (std::is_same_v<Op, ir::IntegerSum>) {
          LowerIntegerSum(context, op, emitter);
        } else if constexpr (std::is_same_v<Op, ir::WideLookup>) {
          LowerWideLookup(context, op, emitter);
        } else if constexpr (std::is_same_v<Op, ir::Lookup>) {
          LowerLookup(context, op, emitter);
        } else if constexpr (std::is_same_v<Op, ir::Unary>) {
          LowerUnary(context, op, emitter);
        } else if constexpr (std::is_same_v<Op, ir::Function>) {
          LowerFunction(context, op, emitter);
        } else if constexpr (std::is_same_v<Op, ir::Convert>) {
          LowerConvert(context, emitter);
        } else if constexpr (std::is_same_v<Op, ir::Map>) {
          LowerMap(context, op, emitter);
        } else if constexpr (std::is_same_v<Op, ir::Adam>) {
          LowerAdam(context, op, emitter);
        } else if constexpr (std::is_same_v<Op, ir::Chain>) {
          LowerChain(context, op, emitter);
        } else if constexpr (std::is_same_v<Op, ir::Scale>) {
          LowerScale(context, emitter);
        } else if constexpr (std::is_same_v<Op, ir::ConvWeightGradient>) {
          LowerConvWeightGradient(context, op, emitter);
        } else if constexpr (std::is_same_v<Op, ir::Reduce>) {
          LowerReduce(context, op, emitter);
        } else if constexpr (std::is_same_v<Op, ir::Move>) {
          LowerMove(context, op, emitter);
        } else {
          context.Require(false, "not supported by this compiler");
        }
      },
      context.op.attributes);
}

std::uint64_t MacsOf(const OperatorContext& context) {
  std::int64_t per_output = 0;
  if (const auto& attributes = context.op.attributes;
      std::holds_alternative<ir::Conv2D>(attributes) ||
      std::holds_alternative<ir::FullyConnected>(attributes)) {
    const ir::Tensor& weights = context.Input(1);
    per_output =
        weights.shape.empty() || weights.shape[0] == 0 ? 0 : weights.Elements() / weights.shape[0];
  } else if (std::holds_alternative<ir::DepthwiseConv2D>(attributes)) {
    const ir::Tensor& weights = context.Input(1);
    per_output = weights.shape.size() == 4 ? weights.shape[1] * weights.shape[2] : 0;
  }
  return static_cast<std::uint64_t>(context.Output().Elements() * per_output);
}

}  // namespace tpu::compiler
