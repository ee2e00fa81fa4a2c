// SPDX-License-Identifier: Apache-2.0
// CONV_2D, FULLY_CONNECTED, and DEPTHWISE_CONV_2D where it pays, as jobs of the array.
#include "compiler/lower/lower_matrix_operators.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "compiler/lower/lower_conv.h"
#include "compiler/lower/lower_operator.h"
#include "compiler/lower/operations.h"
#include "compiler/place/layout.h"
#include "isa/fields.h"

namespace tpu::compiler {
namespace {

// TensorFlow Lite's sums of int16 products have 64 bits, unless there are biases of int32.
bool HasWideSums(const OperatorContext& context) {
  if (context.Input(0).type != ElementType::kInt16) return false;
  return context.op.inputs.size() <= 2 || context.Input(2).type == ElementType::kInt64;
}

ConvJob MakeJob(const OperatorContext& context, ir::Activation activation) {
  ConvJob job = {.input = context.InputPlacement(0),
                 .output = context.OutputPlacement(),
                 .input_zero = context.Input(0).zero_point,
                 .operation = SumOperation(context, activation),
                 .table = context.Table()};
  if (HasWideSums(context)) {
    std::get<isa::Ivector>(job.operation).requant = isa::IntegerRequant::kWide;
  }
  return job;
}

using MultipliersOf = std::vector<Multiplier>(const ir::Tensor& input, const ir::Tensor& weights,
                                              const ir::Tensor& output, std::int64_t channels,
                                              Rounding rounding);

std::vector<LaneParameters> ParametersOf(const ConvJob& job, const OperatorContext& context,
                                         std::span<const Multiplier> multipliers) {
  const std::int64_t channels = job.weights.oc;
  std::vector<LaneParameters> parameters;
  if (HasWideSums(context)) {
    const auto biases = context.Constants<std::int64_t>(2, channels);
    const std::vector<std::int64_t> sums = SumsOf(job.weights);
    for (std::size_t c = 0; c < sums.size(); ++c) {
      const std::int64_t bias = biases.empty() ? 0 : biases[c];
      parameters.push_back(
          WideParameters(context, bias + isa::kLowByteOffset * sums[c], multipliers[c]));
    }
    return parameters;
  }
  // What is multiplied of int16 is less by kLowByteOffset.
  const bool planes = context.Input(0).type == ElementType::kInt16;
  const std::int32_t zero = planes ? -isa::kLowByteOffset : job.input_zero;
  const auto biases = FoldZeroPoint(job.weights, context.Bias(2, channels), zero);
  for (std::size_t c = 0; c < biases.size(); ++c) {
    parameters.push_back({.bias = biases[c], .multiplier = multipliers[c]});
    RequireProductFits(context, job.weights.ic * job.weights.kh * job.weights.kw,
                       parameters.back());
  }
  return parameters;
}

// Lowers a job whose weights are known. Computes the job's parameters from the weights.
void Finish(ConvJob& job, const OperatorContext& context, MultipliersOf& multipliers_of,
            Emitter& emitter) {
  const std::int64_t channels = job.weights.oc;
  job.parameters = ComputesFloats(context)
                       ? FloatBiases(context, channels)
                       : ParametersOf(job, context,
                                      multipliers_of(context.Input(0), context.Input(1),
                                                     context.Output(), channels, context.rounding));
  LowerConv(job, emitter);
}

// The limits that the fields of all instructions with windows have in common.
constexpr std::int64_t kMostStride =
    std::min({isa::FieldMax<isa::Matmul>("ys_oh"), isa::FieldMax<isa::Vector>("ys_oh"),
              isa::FieldMax<isa::Vector>("xs_ow")});
constexpr std::int64_t kMostDilation =
    std::min({isa::FieldMax<isa::Matmul>("ys_kh"), isa::FieldMax<isa::Vector>("ys_kh"),
              isa::FieldMax<isa::Vector>("xs_kw")});

}  // namespace

WindowPair MakeWindows(const OperatorContext& context, ir::Extent filter, ir::Extent stride,
                       ir::Extent dilation, const ir::Padding& padding) {
  const Images input = ImagesOf(context.Input(0));
  const Images output = ImagesOf(context.Output());
  context.Require(filter.h > 0 && filter.w > 0, "the filter is empty");
  const auto lies_within = [](const ir::Extent& extent, std::int64_t most) {
    return std::min(extent.h, extent.w) >= 1 && std::max(extent.h, extent.w) <= most;
  };
  context.Require(lies_within(stride, kMostStride), "strides must lie between 1 and {}",
                  kMostStride);
  context.Require(lies_within(dilation, kMostDilation), "dilations must lie between 1 and {}",
                  kMostDilation);
  const ir::Extent expected = ir::WindowOutput(
      {.h = static_cast<std::int32_t>(input.h), .w = static_cast<std::int32_t>(input.w)}, filter,
      stride, dilation, padding);
  context.Require(output.n == input.n && output.h == expected.h && output.w == expected.w,
                  "output {} must have {} images of {} x {} pixels", context.Output().name, input.n,
                  expected.h, expected.w);
  return {.y = {.size = filter.h,
                .stride = stride.h,
                .dilation = dilation.h,
                .pad = padding.top,
                .input = input.h},
          .x = {.size = filter.w,
                .stride = stride.w,
                .dilation = dilation.w,
                .pad = padding.left,
                .input = input.w}};
}

namespace {

// A convolution with weights that operators made, whose places among themselves `places` are,
// as dense ones.
void LowerWithPlaces(const OperatorContext& context, ConvJob job, const DenseWeights& shape,
                     const std::vector<WeightIndex>& places, Emitter& emitter) {
  job.weights = shape;
  job.weights.values = std::span(places);
  job.computed_weights = context.InputPlacement(1);
  job.parameters = FloatBiases(context, shape.oc);
  if (context.op.inputs.size() > 2 && !context.Input(2).IsConstant()) {
    job.bias = context.InputPlacement(2);
  }
  LowerConv(job, emitter);
}

// Row and column of the weights.
struct Tap {
  std::int64_t y = 0;
  std::int64_t x = 0;
};

// Those of a convolution's tap number (y, x).
template <typename Convolution>
Tap TapOf(const Convolution& op, std::int64_t y, std::int64_t x, const DenseWeights& dense) {
  if (op.turned) {
    y = dense.kh - 1 - y;
    x = dense.kw - 1 - x;
  }
  return {.y = op.taps.first.h + y * op.taps.step.h, .x = op.taps.first.w + x * op.taps.step.w};
}

void LowerComputedConv(const OperatorContext& context, const ir::Conv2D& op, Emitter& emitter) {
  const ir::Shape& shape = context.Input(1).shape;
  const std::int64_t outputs = op.turned ? shape[3] : shape[0];
  const std::int64_t inputs = op.turned ? shape[0] : shape[3];
  context.Require(inputs == ImagesOf(context.Input(0)).c && outputs == ImagesOf(context.Output()).c,
                  "weights {} do not go with {} and {}", context.Input(1).name,
                  context.Input(0).name, context.Output().name);
  ConvJob job = MakeJob(context, op.activation);
  const WindowPair windows = MakeWindows(context, op);
  job.y = windows.y;
  job.x = windows.x;
  const DenseWeights own = {
      .values = {}, .oc = shape[0], .kh = shape[1], .kw = shape[2], .ic = shape[3]};
  const DenseWeights dense = {
      .values = {}, .oc = outputs, .kh = job.y.size, .kw = job.x.size, .ic = inputs};
  std::vector<WeightIndex> places(static_cast<std::size_t>(outputs * dense.kh * dense.kw * inputs));
  for (std::int64_t o = 0; o < outputs; ++o) {
    for (std::int64_t y = 0; y < dense.kh; ++y) {
      for (std::int64_t x = 0; x < dense.kw; ++x) {
        for (std::int64_t i = 0; i < inputs; ++i) {
          const Tap tap = TapOf(op, y, x, dense);
          const std::int64_t place =
              op.turned ? own.Index(i, tap.y, tap.x, o) : own.Index(o, tap.y, tap.x, i);
          places[static_cast<std::size_t>(dense.Index(o, y, x, i))] =
              static_cast<WeightIndex>(place + 1);
        }
      }
    }
  }
  LowerWithPlaces(context, std::move(job), dense, places, emitter);
}

}  // namespace

void LowerConv2D(const OperatorContext& context, const ir::Conv2D& op, Emitter& emitter) {
  const ir::Tensor& weights = context.Input(1);
  const Images input = ImagesOf(context.Input(0));
  const Images output = ImagesOf(context.Output());
  context.Require(weights.shape.size() == 4, "weights {} must have 4 dimensions", weights.name);
  if (!weights.IsConstant()) {
    LowerComputedConv(context, op, emitter);
    return;
  }
  context.Require(weights.shape[3] == input.c,
                  "weights {} have {} input channels and {} has {}; grouped convolutions are not "
                  "supported",
                  weights.name, weights.shape[3], context.Input(0).name, input.c);
  context.Require(weights.shape[0] == output.c, "output {} must have {} channels",
                  context.Output().name, weights.shape[0]);
  ConvJob job = MakeJob(context, op.activation);
  const WindowPair windows = MakeWindows(context, op);
  job.y = windows.y;
  job.x = windows.x;
  job.weights = {.values = context.Weights(1),
                 .oc = output.c,
                 .kh = job.y.size,
                 .kw = job.x.size,
                 .ic = input.c};
  Finish(job, context, ConvMultipliers, emitter);
}

void LowerFullyConnected(const OperatorContext& context, const ir::FullyConnected& op,
                         Emitter& emitter) {
  const ir::Tensor& weights = context.Input(1);
  context.Require(weights.shape.size() == 2, "weights {} must have 2 dimensions", weights.name);
  const std::int64_t outputs = weights.shape[0];
  const std::int64_t inputs = weights.shape[1];
  const std::int64_t rows = context.Input(0).Elements() / inputs;
  context.Require(rows * inputs == context.Input(0).Elements(),
                  "input {} cannot be cut into rows of {} values", context.Input(0).name, inputs);
  context.Require(rows * outputs == context.Output().Elements(),
                  "output {} must have {} x {} values", context.Output().name, rows, outputs);
  ConvJob job = MakeJob(context, op.activation);
  job.input.images = {.w = rows, .c = inputs};
  job.output.images = {.w = rows, .c = outputs};
  job.x.input = rows;
  job.weights = {.values = context.Weights(1), .oc = outputs, .kh = 1, .kw = 1, .ic = inputs};
  if (op.factors.empty()) {
    Finish(job, context, FullyConnectedMultipliers, emitter);
    return;
  }
  context.Require(std::cmp_equal(op.factors.size(), outputs), "it has {} factors for {} outputs",
                  op.factors.size(), outputs);
  job.parameters = ParametersOf(job, context, op.factors);
  LowerConv(job, emitter);
}

namespace {

// Weights that add up to -`zero_point`, which need not be one itself.
std::vector<std::int8_t> ZeroParts(std::int32_t zero_point) {
  if (zero_point == 0) return {};
  if (zero_point > std::numeric_limits<std::int8_t>::min()) {
    return {static_cast<std::int8_t>(-zero_point)};
  }
  return {static_cast<std::int8_t>(-(zero_point / 2)), static_cast<std::int8_t>(-(zero_point / 2))};
}

// For each column of constant matrices in tiles, and for lanes without one, the sum of the column
// without its zero point, times -`input_zero`.
std::vector<std::int32_t> ColumnBiases(const OperatorContext& context, std::int64_t inputs,
                                       std::int32_t input_zero) {
  const ir::Tensor& matrices = context.Input(1);
  const auto* values = std::get_if<std::vector<std::int8_t>>(&matrices.data);
  context.Require(values != nullptr, "matrices {} must be int8", matrices.name);
  const std::int64_t rows = matrices.shape[2];
  const std::int64_t lanes = matrices.shape[3];
  std::vector<std::int32_t> biases(static_cast<std::size_t>(matrices.shape[0] * lanes));
  for (std::int64_t column = 0; column < std::ssize(biases); ++column) {
    const std::int64_t first = column / lanes * rows * lanes + column % lanes;
    std::int64_t sum = 0;
    for (std::int64_t row = 0; row < inputs; ++row) {
      sum += (*values)[static_cast<std::size_t>(first + row * lanes)] - matrices.zero_point;
    }
    biases[static_cast<std::size_t>(column)] = static_cast<std::int32_t>(-input_zero * sum);
  }
  return biases;
}

// The parameters of products of int8, for each image where it has biases of its own.
void SetProductParameters(ConvJob& job, const OperatorContext& context, std::int64_t lanes) {
  const std::int64_t columns = ir::RoundUp(job.weights.oc, lanes);
  const bool constant = context.Input(1).IsConstant();
  job.subtracts_columns = job.input_zero != 0 && !constant;
  job.parameters_of_images = job.input_zero != 0 && job.input.images.n > 1;
  const Multiplier multiplier = FullyConnectedMultipliers(context.Input(0), context.Input(1),
                                                          context.Output(), 1, context.rounding)
                                    .front();
  RequireProductFits(context, job.weights.ic, {.multiplier = multiplier});
  const std::int64_t images = job.parameters_of_images ? job.input.images.n : 1;
  job.parameters.assign(static_cast<std::size_t>(images * columns), {.multiplier = multiplier});
  if (job.input_zero == 0 || !constant) return;
  const std::vector<std::int32_t> biases = ColumnBiases(context, job.weights.ic, job.input_zero);
  for (std::size_t i = 0; i < job.parameters.size(); ++i) job.parameters[i].bias = biases[i];
}

}  // namespace

void LowerMatMul(const OperatorContext& context, const ir::MatMul& op, Emitter& emitter) {
  const Images input = ImagesOf(context.Input(0));
  const std::int64_t outputs = ImagesOf(context.Output()).c;
  ConvJob job = MakeJob(context, ir::Activation::kNone);
  job.x.input = input.w;
  job.weights = {.values = {}, .oc = outputs, .kh = 1, .kw = 1, .ic = input.c};
  job.matrices = {
      .placement = context.InputPlacement(1), .transposed = op.transposed, .tiled = op.tiled};
  if (ComputesFloats(context)) {
    if (context.op.inputs.size() > 2 && !context.Input(2).IsConstant()) {
      job.bias = context.InputPlacement(2);
    }
    job.parameters = FloatBiases(context, outputs);
  } else {
    job.matrices->zero_point = context.Input(1).zero_point;
    job.matrices->zero_parts = ZeroParts(context.Input(1).zero_point);
    SetProductParameters(job, context, emitter.Lanes());
  }
  LowerConv(job, emitter);
}

void LowerDepthwiseOnArray(const OperatorContext& context, const ir::DepthwiseConv2D& op,
                           Emitter& emitter) {
  const Images input = ImagesOf(context.Input(0));
  const Images output = ImagesOf(context.Output());
  const std::int64_t n = emitter.Lanes();
  ConvJob job = MakeJob(context, op.activation);
  const WindowPair windows = MakeWindows(context, op);
  job.y = windows.y;
  job.x = windows.x;
  job.depthwise = input.c == output.c;
  if (!job.input.row && !job.output.row) {
    job.block = BlockOf(context.graph, context.op, emitter.Config());
  }
  const std::int64_t channels = job.depthwise ? n : input.c;
  const auto input_of = [&](std::int64_t o) {
    return job.depthwise ? o % n : o / (output.c / input.c);
  };
  if (!context.Input(1).IsConstant()) {
    const DenseWeights dense = {
        .values = {}, .oc = output.c, .kh = job.y.size, .kw = job.x.size, .ic = channels};
    std::vector<WeightIndex> places;
    for (std::int64_t y = 0; y < dense.kh; ++y) {
      for (std::int64_t x = 0; x < dense.kw; ++x) {
        const Tap tap = TapOf(op, y, x, dense);
        const std::int64_t first = (tap.y * context.Input(1).shape[2] + tap.x) * output.c;
        for (std::int64_t o = 0; o < output.c; ++o) {
          places.push_back(static_cast<WeightIndex>(first + o + 1));
        }
      }
    }
    LowerWithPlaces(context, std::move(job), dense,
                    ExpandDepthwise(places, dense.kh * dense.kw, output.c, channels, input_of),
                    emitter);
    return;
  }
  std::visit(
      [&](const auto& values) {
        const auto dense =
            ExpandDepthwise(values, job.y.size * job.x.size, output.c, channels, input_of);
        job.weights = {
            .values = dense, .oc = output.c, .kh = job.y.size, .kw = job.x.size, .ic = channels};
        Finish(job, context, ConvMultipliers, emitter);
      },
      context.Weights(1));
}

}  // namespace tpu::compiler
