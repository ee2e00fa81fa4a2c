// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/lower_int16_operators.h"

#include <utility>

#include "compiler/lower/lower_elementwise.h"
#include "compiler/lower/operations.h"

namespace tpu::compiler {
namespace {

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

bool SameScale(const ir::Tensor& a, const ir::Tensor& b) { return a.scale == b.scale; }

}  // namespace

void LowerInt16Binary(const OperatorContext& context, const ir::Binary& op, Emitter& emitter) {
  const ir::Tensor& first = context.Input(0);
  const ir::Tensor& second = context.Input(1);
  const ir::Tensor& output = context.Output();
  const std::int64_t lanes = emitter.Lanes();
  VectorJob job = {.inputs = ElementwiseInputs(context, {0, 1}),
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

void LowerRescale(const OperatorContext& context, const ir::Rescale& op, Emitter& emitter) {
  isa::Ivector operation = IntegerOperation(context, ir::Activation::kNone);
  operation.lo = op.lo;
  operation.hi = op.hi;
  if (op.part != ir::Rescale::Part::kAll) {  // The constant is 0.
    operation.map = op.part == ir::Rescale::Part::kPositive ? isa::IntegerMap::kMaximum
                                                            : isa::IntegerMap::kMinimum;
    operation.operand = isa::IntegerOperand::kConstant;
  }
  VectorJob job = {.inputs = ElementwiseInputs(context, {0}),
                   .output = context.OutputPlacement(),
                   .operation = operation};
  SetUniformParameters(job, {.bias = -context.Input(0).zero_point, .multiplier = op.factor},
                       emitter.Lanes());
  LowerElementwise(std::move(job), emitter);
}

}  // namespace tpu::compiler
