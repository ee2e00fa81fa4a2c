// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/lower_int16_operators.h"

#include <limits>
#include <utility>

#include "compiler/lower/lower_elementwise.h"
#include "compiler/lower/operations.h"

namespace tpu::compiler {
namespace {

// The premultiplier with which addp adds the lower 16 bits of B as they are.
constexpr std::int32_t kJoinedOnce = 1 << 16;

// Operand A is the one that is only shifted.
void SetSum(VectorJob& job, isa::Ivector& operation, const SumMultipliers& sum, bool subtract,
            std::int64_t lanes) {
  if (!sum.first_is_larger) std::swap(job.inputs[0], job.inputs[1]);
  operation.map = !subtract             ? isa::IntegerMap::kAddScaled
                  : sum.first_is_larger ? isa::IntegerMap::kSubtractScaled
                                        : isa::IntegerMap::kReverseSubtractScaled;
  operation.constant = sum.small.multiplier;
  operation.pre_shift = static_cast<std::uint32_t>(-sum.small.shift);
  SetUniformParameters(job, {.bias = 0, .multiplier = sum.output}, lanes);
}

isa::IntegerMap MapOf(ir::IntegerMap::Kind kind) {
  switch (kind) {
    case ir::IntegerMap::Kind::kCopy:
      break;
    case ir::IntegerMap::Kind::kAdd:
      return isa::IntegerMap::kAdd;
    case ir::IntegerMap::Kind::kSub:
      return isa::IntegerMap::kSubtract;
    case ir::IntegerMap::Kind::kMul:
      return isa::IntegerMap::kMultiply;
    case ir::IntegerMap::Kind::kMaximum:
      return isa::IntegerMap::kMaximum;
    case ir::IntegerMap::Kind::kMinimum:
      return isa::IntegerMap::kMinimum;
    case ir::IntegerMap::Kind::kJoin:
      return isa::IntegerMap::kAddScaled;
    case ir::IntegerMap::Kind::kJoinNegative:
      return isa::IntegerMap::kSubtractScaled;
  }
  return isa::IntegerMap::kCopy;
}

isa::Ivector RoundedAs(const OperatorContext& context, ir::IntegerMap::Rounds rounds) {
  isa::Ivector operation;
  switch (rounds) {
    case ir::IntegerMap::Rounds::kNot:
      break;
    case ir::IntegerMap::Rounds::kAsNetwork:
      operation.requant = context.rounding == Rounding::kSingle ? isa::IntegerRequant::kSingle
                                                                : isa::IntegerRequant::kDouble;
      break;
    case ir::IntegerMap::Rounds::kHalfUp:
      operation.requant = isa::IntegerRequant::kSingle;
      break;
    case ir::IntegerMap::Rounds::kProduct:
      operation.requant = isa::IntegerRequant::kProduct;
      break;
    case ir::IntegerMap::Rounds::kWide:
      operation.requant = isa::IntegerRequant::kWide;
      break;
  }
  return operation;
}

bool SameScale(const ir::Tensor& a, const ir::Tensor& b) { return a.scale == b.scale; }

}  // namespace

void LowerInt16Binary(const OperatorContext& context, const ir::Binary& op, Emitter& emitter) {
  const ir::Tensor& first = context.Input(0);
  const ir::Tensor& second = context.Input(1);
  const ir::Tensor& output = context.Output();
  const std::int64_t lanes = emitter.Lanes();
  VectorJob job = {.inputs = ElementwiseInputs(context, {0, 1}, lanes),
                   .output = context.OutputPlacement()};
  isa::Ivector operation = IntegerOperation(context, op.activation);
  switch (op.kind) {
    case ir::BinaryKind::kAdd:
      SetSum(job, operation, AddMultipliers(first, second, output, context.rounding), false, lanes);
      break;
    case ir::BinaryKind::kSub:
      SetSum(job, operation, SubMultipliers(first, second, output, context.rounding), true, lanes);
      break;
    case ir::BinaryKind::kMul:
      operation.map = isa::IntegerMap::kMultiply;
      SetUniformParameters(
          job, {.bias = 0, .multiplier = MulMultiplier(first, second, output, context.rounding)},
          lanes);
      break;
    case ir::BinaryKind::kMaximum:
    case ir::BinaryKind::kMinimum:
      context.Require(SameScale(first, output) && SameScale(second, output),
                      "{}, {} and {} must have the same scale", first.name, second.name,
                      output.name);
      operation.map = op.kind == ir::BinaryKind::kMaximum ? isa::IntegerMap::kMaximum
                                                          : isa::IntegerMap::kMinimum;
      operation.requant = isa::IntegerRequant::kNone;
      SetUniformParameters(job, {}, lanes);
      break;
  }
  job.operation = operation;
  LowerElementwise(std::move(job), emitter);
}

void LowerIntegerMap(const OperatorContext& context, const ir::IntegerMap& op, Emitter& emitter) {
  isa::Ivector operation = RoundedAs(context, op.rounds);
  operation.map = MapOf(op.kind);
  operation.o_zero = op.zero;
  operation.lo = op.lo;
  operation.hi = op.hi;
  std::vector<std::size_t> inputs = {0};
  if (op.constant) {
    operation.operand = isa::IntegerOperand::kConstant;
    operation.constant = *op.constant;
  } else if (op.kind != ir::IntegerMap::Kind::kCopy ||
             op.rounds == ir::IntegerMap::Rounds::kProduct) {
    inputs.push_back(1);
  }
  if (op.kind == ir::IntegerMap::Kind::kJoin || op.kind == ir::IntegerMap::Kind::kJoinNegative) {
    operation.constant = kJoinedOnce << op.low_shift;
  }
  VectorJob job = {.inputs = ElementwiseInputs(context, inputs, emitter.Lanes()),
                   .output = context.OutputPlacement(),
                   .operation = operation};
  const LaneParameters parameters = op.rounds == ir::IntegerMap::Rounds::kWide
                                        ? WideParameters(context, op.bias, op.factor)
                                        : LaneParameters{.bias = op.bias, .multiplier = op.factor};
  SetUniformParameters(job, parameters, emitter.Lanes());
  LowerElementwise(std::move(job), emitter);
}

// Four tables have a byte each of the numbers, the lowest one first.
void LowerWideLookup(const OperatorContext& context, const ir::WideLookup& op, Emitter& emitter) {
  constexpr std::size_t kByteBits = 8;
  isa::Ivector operation;
  operation.map = isa::IntegerMap::kLook;
  operation.operand = isa::IntegerOperand::kConstant;
  operation.constant = std::numeric_limits<std::int8_t>::min();
  operation.o_zero = op.zero;
  operation.lo = std::numeric_limits<std::int8_t>::min();
  operation.hi = std::numeric_limits<std::int8_t>::max();
  VectorJob job = {.inputs = ElementwiseInputs(context, {0}, emitter.Lanes()),
                   .output = context.OutputPlacement()};
  for (std::size_t byte = 0; byte < sizeof(std::int32_t); ++byte) {
    for (const std::int32_t number : op.table) {
      job.table.push_back(
          static_cast<std::uint8_t>(static_cast<std::uint32_t>(number) >> (kByteBits * byte)));
    }
  }
  if (context.op.inputs.size() == 1) {
    job.operation = operation;
    SetUniformParameters(job, {}, emitter.Lanes());
    LowerElementwise(std::move(job), emitter);
    return;
  }
  operation.requant = isa::IntegerRequant::kDouble;
  operation.uniform = 1;
  job.operation = operation;
  job.row_entries = context.InputPlacement(1);
  job.y.input = job.output.images.h;
  job.x.input = job.output.images.w;
  LowerVector(job, emitter);
}

void LowerIntegerSum(const OperatorContext& context, const ir::IntegerSum& op, Emitter& emitter) {
  const Images images = ImagesOf(context.Input(0));
  const auto biases = context.Constants<std::int32_t>(1, images.c);
  isa::Ivector operation = RoundedAs(context, ir::IntegerMap::Rounds::kAsNetwork);
  operation.o_zero = op.zero;
  operation.lo = op.lo;
  operation.hi = op.hi;
  VectorJob job = {.inputs = {context.InputPlacement(0)},
                   .output = context.OutputPlacement(),
                   .y = {.size = images.h, .input = images.h},
                   .x = {.size = images.w, .input = images.w},
                   .operation = operation};
  for (std::int64_t c = 0; c < images.c; ++c) {
    job.parameters.push_back({.bias = biases.empty() ? 0 : biases[static_cast<std::size_t>(c)],
                              .multiplier = op.factor});
  }
  LowerVector(job, emitter);
}

}  // namespace tpu::compiler
