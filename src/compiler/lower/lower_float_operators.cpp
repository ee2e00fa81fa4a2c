// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/lower_float_operators.h"

#include <bit>
#include <optional>
#include <utility>

#include "base/error.h"
#include "compiler/lower/lower_elementwise.h"
#include "compiler/lower/operations.h"
#include "compiler/quantise/bfloat16.h"

namespace tpu::compiler {
namespace {

isa::FloatMap MapOf(ir::BinaryKind kind) {
  switch (kind) {
    case ir::BinaryKind::kAdd:
      return isa::FloatMap::kAdd;
    case ir::BinaryKind::kSub:
      return isa::FloatMap::kSubtract;
    case ir::BinaryKind::kMul:
      return isa::FloatMap::kMultiply;
    case ir::BinaryKind::kMaximum:
      return isa::FloatMap::kMaximum;
    case ir::BinaryKind::kMinimum:
      return isa::FloatMap::kMinimum;
  }
  return isa::FloatMap::kCopy;
}

// The element of a constant that has one alone.
std::optional<float> ScalarOf(const ir::Tensor& tensor) {
  const auto* values = std::get_if<std::vector<Bfloat16>>(&tensor.data);
  if (values == nullptr || values->size() != 1) return {};
  return ToFloat(values->front());
}

// A job with one entry of parameters that the operation may use.
void LowerWith(const OperatorContext& context, const isa::Fvector& operation,
               std::vector<Placement> inputs, const LaneParameters& parameters, Emitter& emitter) {
  VectorJob job = {
      .inputs = std::move(inputs), .output = context.OutputPlacement(), .operation = operation};
  SetUniformParameters(job, parameters, emitter.Lanes());
  LowerElementwise(std::move(job), emitter);
}

}  // namespace

isa::FloatMap MapOf(ir::MapKind kind) {
  switch (kind) {
    case ir::MapKind::kAdd:
      return isa::FloatMap::kAdd;
    case ir::MapKind::kSub:
      return isa::FloatMap::kSubtract;
    case ir::MapKind::kReverseSub:
      return isa::FloatMap::kReverseSubtract;
    case ir::MapKind::kMul:
      return isa::FloatMap::kMultiply;
    case ir::MapKind::kMaximum:
      return isa::FloatMap::kMaximum;
    case ir::MapKind::kMinimum:
      return isa::FloatMap::kMinimum;
    case ir::MapKind::kGreater:
      return isa::FloatMap::kGreater;
    case ir::MapKind::kGreaterOrEqual:
      return isa::FloatMap::kGreaterEqual;
    case ir::MapKind::kEqual:
      return isa::FloatMap::kEqual;
    case ir::MapKind::kSelect:
      return isa::FloatMap::kSelect;
    case ir::MapKind::kMultiplyAdd:
      return isa::FloatMap::kFma;
    case ir::MapKind::kAddSquare:
      return isa::FloatMap::kAddSquare;
  }
  return isa::FloatMap::kCopy;
}

void LowerFloatBinary(const OperatorContext& context, const ir::Binary& op, Emitter& emitter) {
  isa::Fvector operation = FloatOperation(context, op.activation);
  operation.map = MapOf(op.kind);
  std::vector<std::size_t> inputs;
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    const std::optional<float> scalar = ScalarOf(context.Input(i));
    if (!scalar || context.Input(i).shape == context.Output().shape) {
      inputs.push_back(i);
      continue;
    }
    operation.operand = isa::FloatOperand::kConstant;
    operation.constant = std::bit_cast<std::uint32_t>(*scalar);
    if (i == 0 && op.kind == ir::BinaryKind::kSub) {
      operation.map = isa::FloatMap::kReverseSubtract;
    }
  }
  LowerWith(context, operation, ElementwiseInputs(context, inputs, emitter.Lanes()), {}, emitter);
}

void LowerMap(const OperatorContext& context, const ir::Map& op, Emitter& emitter) {
  isa::Fvector operation = FloatOperation(context, ir::Activation::kNone);
  operation.map = MapOf(op.kind);
  operation.constant = std::bit_cast<std::uint32_t>(op.constant);
  std::vector<std::size_t> inputs = {0};
  if (context.op.inputs.size() > 1) {
    inputs.push_back(1);
  } else {
    operation.operand = isa::FloatOperand::kConstant;
  }
  VectorJob job = {.inputs = ElementwiseInputs(context, inputs, emitter.Lanes()),
                   .output = context.OutputPlacement(),
                   .operation = operation};
  if (context.op.outputs.size() > 1) job.copy = context.placements[context.op.outputs[1]];
  SetUniformParameters(job, {}, emitter.Lanes());
  LowerElementwise(std::move(job), emitter);
}

void LowerScale(const OperatorContext& context, Emitter& emitter) {
  isa::Fvector operation = FloatOperation(ir::Activation::kNone);
  operation.scale = 1;
  VectorJob job = {.inputs = {context.InputPlacement(0)},
                   .output = context.OutputPlacement(),
                   .operation = operation,
                   .multiplier = context.InputPlacement(1)};
  SetUniformParameters(job, FloatParameters(0.0F, 0.0F), emitter.Lanes());
  LowerElementwise(std::move(job), emitter);
}

void LowerUnary(const OperatorContext& context, const ir::Unary& op, Emitter& emitter) {
  LowerWith(context, FunctionOperation(op.kind), {context.InputPlacement(0)}, {}, emitter);
}

void LowerFunction(const OperatorContext& context, const ir::Function& op, Emitter& emitter) {
  LowerWith(context, FunctionOperation(op.kind), {context.InputPlacement(0)}, {}, emitter);
}

void LowerConvert(const OperatorContext& context, Emitter& emitter) {
  const ir::Tensor& input = context.Input(0);
  const ir::Tensor& output = context.Output();
  isa::Fvector operation = FloatOperation(ir::Activation::kNone);
  LaneParameters parameters;
  if (input.type == ElementType::kInt8) {  // The difference is exact.
    operation.map = isa::FloatMap::kSubtract;
    operation.operand = isa::FloatOperand::kConstant;
    operation.constant = std::bit_cast<std::uint32_t>(static_cast<float>(input.zero_point));
    operation.scale = 1;
    parameters = FloatParameters(0.0F, input.scale);
  } else if (output.type == ElementType::kInt8) {
    operation.scale = 1;
    parameters = FloatParameters(static_cast<float>(output.zero_point), 1.0F / output.scale);
  }
  LowerWith(context, operation, {context.InputPlacement(0)}, parameters, emitter);
}

}  // namespace tpu::compiler
