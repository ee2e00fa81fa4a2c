// SPDX-License-Identifier: Apache-2.0
// DEPTHWISE_CONV_2D, pooling, elementwise operators and tables as jobs of the vector unit.
#include <algorithm>
#include <set>
#include <utility>

#include "compiler/lower/lower_matrix_operators.h"
#include "compiler/lower/lower_operator.h"
#include "compiler/lower/lower_vector.h"

namespace tpu::compiler {
namespace {

void SetBounds(isa::Vector& operation, Bounds bounds) {
  operation.lo = bounds.lo;
  operation.hi = bounds.hi;
}

bool SameQuantization(const ir::Tensor& a, const ir::Tensor& b) {
  return a.scale == b.scale && a.zero_point == b.zero_point;
}

// Rows [channel block][tap] of N weights.
std::vector<std::uint8_t> PackDepthwise(std::span<const isa::Weight> weights, std::int64_t taps,
                                        std::int64_t channels, std::int64_t lanes) {
  const std::int64_t blocks = ir::CeilDiv(channels, lanes);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(blocks * taps * lanes), 0);
  for (std::int64_t tap = 0; tap < taps; ++tap) {
    for (std::int64_t c = 0; c < channels; ++c) {
      const std::int64_t row = c / lanes * taps + tap;
      static_assert(
          isa::kWeightFormat == isa::kActivationFormat && isa::kActivationFormat.Bytes() == 1,
          "operand B is a row of the unified buffer");
      bytes[static_cast<std::size_t>(row * lanes + c % lanes)] =
          static_cast<std::uint8_t>(weights[static_cast<std::size_t>(tap * channels + c)]);
    }
  }
  return bytes;
}

// One entry with the same value in every lane, whatever the taps.
void SetUniformParameters(VectorJob& job, const LaneParameters& value, std::int64_t lanes) {
  job.parameters.assign(static_cast<std::size_t>(lanes), value);
  job.entry_of_taps.clear();
  job.shared_parameters = true;
}

// Numbers of taps inside the image that occur along one axis.
std::set<std::int64_t> TapCounts(const ir::Window& window, std::int64_t outputs) {
  std::set<std::int64_t> counts;
  for (std::int64_t o = 0; o < outputs; ++o) counts.insert(window.TapsInside(o));
  return counts;
}

bool AllWindowsMeetImage(const WindowPair& windows, const Images& output) {
  return *TapCounts(windows.y, output.h).begin() > 0 && *TapCounts(windows.x, output.w).begin() > 0;
}

// One shared entry for each number of taps that occurs.
void SetDividers(VectorJob& job, std::int64_t lanes) {
  job.shared_parameters = true;
  job.entry_of_taps.assign(static_cast<std::size_t>(job.y.size * job.x.size) + 1, -1);
  std::int64_t entries = 0;
  for (const std::int64_t rows : TapCounts(job.y, job.output.images.h)) {
    for (const std::int64_t columns : TapCounts(job.x, job.output.images.w)) {
      const std::int64_t taps = rows * columns;
      std::int64_t& entry = job.entry_of_taps[static_cast<std::size_t>(taps)];
      if (entry >= 0) continue;
      entry = entries++;
      const Divider divider = AverageDivider(static_cast<std::int32_t>(taps));
      job.parameters.insert(job.parameters.end(), static_cast<std::size_t>(lanes),
                            {.bias = divider.bias, .multiplier = divider.multiplier});
    }
  }
}

// An operation on bytes alone, not caring which pixel or channel they are. Tensors in memory of one
// layout are runs of bytes: whole rows of N, then what is left.
void LowerBytewise(VectorJob job, Emitter& emitter) {
  const std::int64_t lanes = emitter.Lanes();
  const bool runs = !job.output.row &&
                    std::all_of(job.inputs.begin(), job.inputs.end(), [&](const Placement& input) {
                      return !input.row && input.layout == job.output.layout;
                    });
  const auto lower_as = [&](const Images& images, std::int64_t offset) {
    VectorJob part = job;
    const auto view = [&](Placement& placement) {
      placement.images = images;
      if (!runs) return;
      placement.address += static_cast<std::uint64_t>(offset);
      placement.layout = Layout::kNhwc;
    };
    for (Placement& input : part.inputs) view(input);
    view(part.output);
    part.y.input = images.h;
    part.x.input = images.w;
    LowerVector(part, emitter);
  };
  if (!runs) {
    lower_as(job.output.images, 0);
    return;
  }
  const std::int64_t bytes = job.output.images.n * job.output.ImageBytes(lanes);
  const std::int64_t row = emitter.RowBytes();
  if (bytes >= row) lower_as({.w = bytes / row, .c = row}, 0);
  if (bytes % row != 0) lower_as({.w = 1, .c = bytes % row}, bytes / row * row);
}

void SetSum(VectorJob& job, const SumMultipliers& sum, bool subtract, std::int64_t lanes) {
  // Operand A is the one that is only shifted.
  if (!sum.first_is_larger) std::swap(job.inputs[0], job.inputs[1]);
  job.operation.map = !subtract             ? isa::VectorMap::kAdd
                      : sum.first_is_larger ? isa::VectorMap::kSubtract
                                            : isa::VectorMap::kReverseSubtract;
  job.operation.pre_mult = sum.small.multiplier;
  job.operation.pre_shift = static_cast<std::uint32_t>(-sum.small.shift);
  SetUniformParameters(job, {.bias = 0, .multiplier = sum.output}, lanes);
}

}  // namespace

void LowerDepthwise(const OperatorContext& context, const ir::DepthwiseConv2D& op,
                    Emitter& emitter) {
  const ir::Tensor& weights = context.Input(1);
  const Images input = ImagesOf(context.Input(0));
  const Images output = ImagesOf(context.Output());
  context.Require(weights.shape.size() == 4 && weights.shape[0] == 1,
                  "weights {} must have shape [1, height, width, channels]", weights.name);
  context.Require(weights.shape[3] == output.c && output.c % input.c == 0,
                  "weights {} must have {} channels, a multiple of the input's {}", weights.name,
                  output.c, input.c);
  if (output.c != input.c) {
    LowerDepthwiseAsDense(context, op, emitter);
    return;
  }
  const WindowPair windows = MakeWindows(context, op);
  VectorJob job = {.inputs = {context.InputPlacement(0)},
                   .output = context.OutputPlacement(),
                   .y = windows.y,
                   .x = windows.x,
                   .weights = PackDepthwise(context.Weights(1), windows.y.size * windows.x.size,
                                            input.c, emitter.Lanes()),
                   .table = context.Table()};
  job.operation.map = isa::VectorMap::kMultiply;
  job.operation.requant = RequantOf(context.rounding);
  job.operation.a_zero = context.Input(0).zero_point;
  job.operation.o_zero = context.Output().zero_point;
  SetBounds(job.operation, ActivationBounds(op.activation, context.Output()));
  const auto bias = context.Bias(2, output.c);
  const auto multipliers =
      ConvMultipliers(context.Input(0), weights, context.Output(), output.c, context.rounding);
  for (std::size_t c = 0; c < multipliers.size(); ++c) {
    job.parameters.push_back({.bias = bias.empty() ? 0 : bias[c], .multiplier = multipliers[c]});
  }
  LowerVector(job, emitter);
}

void LowerPool(const OperatorContext& context, const ir::Pool2D& op, Emitter& emitter) {
  context.Require(ImagesOf(context.Input(0)).c == ImagesOf(context.Output()).c,
                  "input {} and output {} must have equally many channels", context.Input(0).name,
                  context.Output().name);
  context.Require(SameQuantization(context.Input(0), context.Output()),
                  "input {} and output {} must have the same scale and zero point",
                  context.Input(0).name, context.Output().name);
  const WindowPair windows = MakeWindows(context, op.filter, op.stride, {}, op.padding);
  context.Require(AllWindowsMeetImage(windows, ImagesOf(context.Output())),
                  "a window lies wholly in the padding");
  VectorJob job = {.inputs = {context.InputPlacement(0)},
                   .output = context.OutputPlacement(),
                   .y = windows.y,
                   .x = windows.x,
                   .table = context.Table()};
  SetBounds(job.operation, ActivationBounds(op.activation, context.Output()));
  if (op.kind == ir::PoolKind::kMax) {
    job.operation.reduce = isa::VectorReduce::kMaximum;
    SetUniformParameters(job, {}, emitter.Lanes());
  } else {
    job.operation.requant = isa::VectorRequant::kDivide;
    SetDividers(job, emitter.Lanes());
  }
  LowerVector(job, emitter);
}

void LowerBinary(const OperatorContext& context, const ir::Binary& op, Emitter& emitter) {
  const ir::Tensor& first = context.Input(0);
  const ir::Tensor& second = context.Input(1);
  const ir::Tensor& output = context.Output();
  context.Require(first.shape == output.shape && second.shape == output.shape,
                  "{}, {} and {} must have the same shape; broadcasting is not supported",
                  first.name, second.name, output.name);
  VectorJob job = {.inputs = {context.InputPlacement(0), context.InputPlacement(1)},
                   .output = context.OutputPlacement(),
                   .table = context.Table()};
  const std::int64_t lanes = emitter.Lanes();
  SetBounds(job.operation, ActivationBounds(op.activation, output));
  job.operation.requant = RequantOf(context.rounding);
  job.operation.a_zero = first.zero_point;
  job.operation.b_zero = second.zero_point;
  job.operation.o_zero = output.zero_point;
  switch (op.kind) {
    case ir::BinaryKind::kAdd:
    case ir::BinaryKind::kSub: {
      const bool subtract = op.kind == ir::BinaryKind::kSub;
      const SumMultipliers sum = subtract ? SubMultipliers(first, second, output, context.rounding)
                                          : AddMultipliers(first, second, output, context.rounding);
      if (!sum.first_is_larger) std::swap(job.operation.a_zero, job.operation.b_zero);
      SetSum(job, sum, subtract, lanes);
      break;
    }
    case ir::BinaryKind::kMul:
      job.operation.map = isa::VectorMap::kMultiply;
      SetUniformParameters(
          job, {.bias = 0, .multiplier = MulMultiplier(first, second, output, context.rounding)},
          lanes);
      break;
    case ir::BinaryKind::kMaximum:
    case ir::BinaryKind::kMinimum:
      context.Require(SameQuantization(first, output) && SameQuantization(second, output),
                      "{}, {} and {} must have the same scale and zero point", first.name,
                      second.name, output.name);
      job.operation.map =
          op.kind == ir::BinaryKind::kMaximum ? isa::VectorMap::kMaximum : isa::VectorMap::kMinimum;
      job.operation.requant = isa::VectorRequant::kNone;
      job.operation.a_zero = job.operation.b_zero = job.operation.o_zero = 0;
      SetUniformParameters(job, {}, lanes);
      break;
  }
  LowerBytewise(std::move(job), emitter);
}

void LowerLookup(const OperatorContext& context, const ir::Lookup& op, Emitter& emitter) {
  context.Require(context.Input(0).shape == context.Output().shape,
                  "{} and {} must have the same shape", context.Input(0).name,
                  context.Output().name);
  VectorJob job = {.inputs = {context.InputPlacement(0)}, .output = context.OutputPlacement()};
  SetBounds(job.operation, {});
  for (const std::int8_t value : op.table) job.table.push_back(static_cast<std::uint8_t>(value));
  SetUniformParameters(job, {}, emitter.Lanes());
  LowerBytewise(std::move(job), emitter);
}

}  // namespace tpu::compiler
