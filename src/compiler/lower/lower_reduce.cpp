// SPDX-License-Identifier: Apache-2.0
// MEAN and SUM: over height and width as one window of the vector unit, over channels as a product
// with ones.
#include "compiler/lower/lower_conv.h"
#include "compiler/lower/lower_elementwise.h"
#include "compiler/lower/lower_operator.h"
#include "compiler/lower/lower_vector.h"
#include "compiler/lower/operations.h"
#include "compiler/quantise/bfloat16.h"
#include "compiler/quantise/float_rounding.h"
#include "ir/move.h"

namespace tpu::compiler {
namespace {

// What the sum of `count` values is multiplied by.
LaneParameters FactorOf(const OperatorContext& context, ir::ReduceKind kind, std::int64_t count) {
  if (ComputesFloats(context)) {
    return FloatParameters(0.0F,
                           kind == ir::ReduceKind::kMean ? 1.0F / static_cast<float>(count) : 1.0F);
  }
  const LaneParameters factor = {
      .bias = 0,
      .multiplier =
          ReduceMultiplier(kind, count, context.Input(0), context.Output(), context.rounding)};
  RequireProductFits(context, count, factor);
  return factor;
}

// XNNPACK rounds a mean together with the zero point.
void JoinZeroPoint(const OperatorContext& context, VectorOperation& operation,
                   LaneParameters& factor) {
  auto* const bytes = std::get_if<isa::Vector>(&operation);
  if (bytes == nullptr || context.rounding != Rounding::kFloat) return;
  MoveZeroPoint(bytes->o_zero, factor.bias, factor.multiplier);
}

void LowerWindow(const OperatorContext& context, LaneParameters factor, Emitter& emitter) {
  const Images images = ImagesOf(context.Input(0));
  VectorJob job = {.inputs = {context.InputPlacement(0)},
                   .output = context.OutputPlacement(),
                   .y = {.size = images.h, .input = images.h},
                   .x = {.size = images.w, .input = images.w},
                   .operation = SumOperation(context, ir::Activation::kNone),
                   .table = context.Table()};
  if (auto* bytes = std::get_if<isa::Vector>(&job.operation)) {
    bytes->a_zero = context.Input(0).zero_point;
  }
  JoinZeroPoint(context, job.operation, factor);
  SetUniformParameters(job, factor, emitter.Lanes());
  LowerVector(job, emitter);
}

template <typename T>
void LowerRows(const OperatorContext& context, LaneParameters factor, T one, Emitter& emitter) {
  const std::int64_t rows = context.Input(0).shape[0];
  const std::int64_t columns = context.Input(0).shape[1];
  const std::vector<T> ones(static_cast<std::size_t>(columns), one);
  ConvJob job = {.input = context.InputPlacement(0),
                 .output = context.OutputPlacement(),
                 .weights = {.values = ones, .oc = 1, .kh = 1, .kw = 1, .ic = columns},
                 .input_zero = context.Input(0).zero_point,
                 .operation = SumOperation(context, ir::Activation::kNone),
                 .table = context.Table()};
  job.input.images = {.w = rows, .c = columns};
  job.output.images = {.w = rows, .c = 1};
  job.x.input = rows;
  if (ComputesInt16(context)) {
    factor.bias = static_cast<isa::Bias>(isa::kLowByteOffset * columns);
  } else if (!ComputesFloats(context)) {
    JoinZeroPoint(context, job.operation, factor);
    factor.bias += FoldZeroPoint(job.weights, {}, job.input_zero)[0];
  }
  job.parameters = {factor};
  LowerConv(job, emitter);
}

}  // namespace

void LowerReduce(const OperatorContext& context, const ir::Reduce& op, Emitter& emitter) {
  const ir::Shape& shape = context.Input(0).shape;
  const bool window = shape.size() == 4 && op.axes == ir::Shape{1, 2};
  context.Require(window || (shape.size() == 2 && op.axes == ir::Shape{1}),
                  "not in the form that is lowered");
  const std::int64_t count = window ? shape[1] * shape[2] : shape[1];
  const LaneParameters factor = FactorOf(context, op.kind, count);
  if (window) {
    LowerWindow(context, factor, emitter);
  } else if (ComputesFloats(context)) {
    LowerRows(context, factor, kBfloat16One, emitter);
  } else {
    LowerRows(context, factor, isa::Weight{1}, emitter);
  }
}

}  // namespace tpu::compiler
