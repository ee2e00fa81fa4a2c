// SPDX-License-Identifier: Apache-2.0
// MEAN and SUM: over height and width as one window of the vector unit, over channels as a product
// with ones.
#include "compiler/lower/lower_conv.h"
#include "compiler/lower/lower_operator.h"
#include "compiler/lower/lower_vector.h"
#include "ir/move.h"

namespace tpu::compiler {
namespace {

void LowerWindow(const OperatorContext& context, const Multiplier& multiplier, Emitter& emitter) {
  const Images images = ImagesOf(context.Input(0));
  VectorJob job = {.inputs = {context.InputPlacement(0)},
                   .output = context.OutputPlacement(),
                   .y = {.size = images.h, .input = images.h},
                   .x = {.size = images.w, .input = images.w},
                   .table = context.Table()};
  job.operation.requant = RequantOf(context.rounding);
  job.operation.a_zero = context.Input(0).zero_point;
  job.operation.o_zero = context.Output().zero_point;
  job.operation.lo = Bounds().lo;
  job.operation.hi = Bounds().hi;
  job.parameters.assign(static_cast<std::size_t>(emitter.Lanes()),
                        {.bias = 0, .multiplier = multiplier});
  job.shared_parameters = true;
  LowerVector(job, emitter);
}

void LowerRows(const OperatorContext& context, const Multiplier& multiplier, Emitter& emitter) {
  const std::int64_t rows = context.Input(0).shape[0];
  const std::int64_t columns = context.Input(0).shape[1];
  const std::vector<std::int8_t> ones(static_cast<std::size_t>(columns), 1);
  ConvJob job = {.input = context.InputPlacement(0),
                 .output = context.OutputPlacement(),
                 .weights = {.values = ones, .oc = 1, .kh = 1, .kw = 1, .ic = columns},
                 .input_zero = context.Input(0).zero_point,
                 .output_zero = context.Output().zero_point,
                 .rounding = context.rounding,
                 .table = context.Table()};
  job.input.images = {.w = rows, .c = columns};
  job.output.images = {.w = rows, .c = 1};
  job.x.input = rows;
  job.parameters = {
      {.bias = FoldZeroPoint(job.weights, {}, job.input_zero)[0], .multiplier = multiplier}};
  LowerConv(job, emitter);
}

}  // namespace

void LowerReduce(const OperatorContext& context, const ir::Reduce& op, Emitter& emitter) {
  const ir::Shape& shape = context.Input(0).shape;
  const bool window = shape.size() == 4 && op.axes == ir::Shape{1, 2};
  context.Require(window || (shape.size() == 2 && op.axes == ir::Shape{1}),
                  "not in the form that is lowered");
  const std::int64_t count = window ? shape[1] * shape[2] : shape[1];
  const Multiplier multiplier =
      ReduceMultiplier(op.kind, count, context.Input(0), context.Output(), context.rounding);
  if (window) {
    LowerWindow(context, multiplier, emitter);
  } else {
    LowerRows(context, multiplier, emitter);
  }
}

}  // namespace tpu::compiler
