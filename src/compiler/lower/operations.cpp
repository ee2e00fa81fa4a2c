// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/operations.h"

#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "base/error.h"

namespace tpu::compiler {
namespace {

std::pair<float, float> FloatBounds(ir::Activation activation) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  switch (activation) {
    case ir::Activation::kNone:
      break;
    case ir::Activation::kRelu:
      return {0.0F, kInfinity};
    case ir::Activation::kRelu6:
      return {0.0F, 6.0F};
    case ir::Activation::kReluN1To1:
      return {-1.0F, 1.0F};
  }
  return {-kInfinity, kInfinity};
}

isa::Fvector Apply(isa::FloatFunction function) {
  isa::Fvector operation = FloatOperation(ir::Activation::kNone);
  operation.function = function;
  return operation;
}

struct Functions {
  isa::Fvector operator()(ir::UnaryKind kind) const {
    switch (kind) {
      case ir::UnaryKind::kRelu:
        return FloatOperation(ir::Activation::kRelu);
      case ir::UnaryKind::kRelu6:
        return FloatOperation(ir::Activation::kRelu6);
      case ir::UnaryKind::kReluN1To1:
        return FloatOperation(ir::Activation::kReluN1To1);
      case ir::UnaryKind::kLogistic:
        return Apply(isa::FloatFunction::kLogistic);
      case ir::UnaryKind::kTanh:
        return Apply(isa::FloatFunction::kTanh);
      case ir::UnaryKind::kHardSwish:
      case ir::UnaryKind::kElu:
        break;
    }
    throw InternalError("a function that the vector unit does not have");
  }
  isa::Fvector operator()(ir::FunctionKind kind) const {
    switch (kind) {
      case ir::FunctionKind::kNegate:
        return Apply(isa::FloatFunction::kNegate);
      case ir::FunctionKind::kAbsolute:
        return Apply(isa::FloatFunction::kAbsolute);
      case ir::FunctionKind::kExp:
        return Apply(isa::FloatFunction::kExp);
      case ir::FunctionKind::kLog:
        return Apply(isa::FloatFunction::kLog);
      case ir::FunctionKind::kReciprocal:
        return Apply(isa::FloatFunction::kReciprocal);
      case ir::FunctionKind::kRsqrt:
        return Apply(isa::FloatFunction::kRsqrt);
      case ir::FunctionKind::kSqrt:
      case ir::FunctionKind::kSquare:
        break;
    }
    throw InternalError("a function that the vector unit does not have");
  }
};

}  // namespace

bool ComputesFloats(const OperatorContext& context) {
  const ElementType type = context.Output().type;
  return type == ElementType::kBfloat16 || type == ElementType::kFloat32;
}

bool ComputesInt16(const OperatorContext& context) {
  const ElementType output = context.Output().type;
  return context.Input(0).type == ElementType::kInt16 || output == ElementType::kInt16 ||
         output == ElementType::kInt32;
}

VectorOperation SumOperation(const OperatorContext& context, ir::Activation activation) {
  if (ComputesFloats(context)) {
    isa::Fvector operation = FloatOperation(context, activation);
    operation.scale = 1;
    return operation;
  }
  if (ComputesInt16(context)) return IntegerOperation(context, activation);
  const Bounds bounds = ActivationBounds(activation, context.Output(), context.rounding);
  isa::Vector operation;
  SetRequant(operation, context.rounding);
  operation.o_zero = context.Output().zero_point;
  operation.lo = bounds.lo;
  operation.hi = bounds.hi;
  return operation;
}

void RequireProductFits(const OperatorContext& context, std::int64_t products,
                        const LaneParameters& parameters) {
  if (!IsFloat(context.rounding) || context.Output().type != ElementType::kInt8) return;
  constexpr double kLargestProduct = 255.0 * 128.0;
  constexpr int kMostShift = 14;
  const double sum = kLargestProduct * static_cast<double>(products) +
                     std::abs(static_cast<double>(parameters.bias));
  const Multiplier& factor = parameters.multiplier;
  const double scale = std::ldexp(static_cast<double>(factor.multiplier), factor.shift - 31);
  context.Require(factor.shift <= kMostShift && sum * scale < 0x1p31,
                  "rounding float: sums of up to {:.0f} times {} may leave 32 bits; take rounding "
                  "double or single",
                  sum, scale);
}

isa::Ivector IntegerOperation(const OperatorContext& context, ir::Activation activation) {
  const Bounds bounds = ActivationBounds(activation, context.Output());
  isa::Ivector operation;
  operation.requant = context.rounding == Rounding::kSingle ? isa::IntegerRequant::kSingle
                                                            : isa::IntegerRequant::kDouble;
  operation.o_zero = context.Output().zero_point;
  operation.lo = bounds.lo;
  operation.hi = bounds.hi;
  return operation;
}

LaneParameters WideParameters(const OperatorContext& context, std::int64_t bias,
                              const Multiplier& factor) {
  constexpr std::int64_t kMostBias = std::int64_t{1} << 46;
  constexpr int kMostShift = 7;
  context.Require(bias >= -kMostBias && bias < kMostBias, "a bias of {} is too large", bias);
  context.Require(factor.shift <= kMostShift, "the scales make a factor of 2^{}, more than 2^{}",
                  factor.shift, kMostShift);
  const auto high = static_cast<std::uint32_t>(static_cast<std::uint64_t>(bias) >> 32);
  const std::uint32_t word = high << 16 | static_cast<std::uint32_t>(ReducedMultiplier(factor));
  return {
      .bias = static_cast<isa::Bias>(static_cast<std::uint32_t>(bias)),
      .multiplier = {.multiplier = std::bit_cast<isa::Multiplier>(word), .shift = factor.shift}};
}

isa::Fvector FloatOperation(ir::Activation activation) {
  const auto [lo, hi] = FloatBounds(activation);
  isa::Fvector operation;
  operation.lo = std::bit_cast<std::uint32_t>(lo);
  operation.hi = std::bit_cast<std::uint32_t>(hi);
  return operation;
}

isa::Fvector FloatOperation(const OperatorContext& context, ir::Activation activation) {
  return context.op.function ? FunctionOperation(*context.op.function) : FloatOperation(activation);
}

isa::Fvector FunctionOperation(const ir::FusedFunction& function) {
  return std::visit(Functions{}, function);
}

LaneParameters FloatParameters(float bias, float multiplier) {
  return {.bias = std::bit_cast<isa::Bias>(bias),
          .multiplier = {.multiplier = std::bit_cast<isa::Multiplier>(multiplier)}};
}

std::vector<LaneParameters> FloatBiases(const OperatorContext& context, std::int64_t channels) {
  const bool computed = context.op.inputs.size() > 2 && !context.Input(2).IsConstant();
  const std::span<const float> biases =
      computed ? std::span<const float>() : context.Constants<float>(2, channels);
  std::vector<LaneParameters> parameters(static_cast<std::size_t>(channels),
                                         FloatParameters(0.0F, 1.0F));
  for (std::size_t c = 0; c < biases.size(); ++c) {
    parameters[c] = FloatParameters(biases[c], 1.0F);
  }
  return parameters;
}

}  // namespace tpu::compiler
