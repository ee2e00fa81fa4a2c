// SPDX-License-Identifier: Apache-2.0
// DEPTHWISE_CONV_2D, pooling, elementwise operators and tables as jobs of the vector unit.
#include <cstring>
#include <set>
#include <utility>

#include "compiler/lower/lower_elementwise.h"
#include "compiler/lower/lower_float_operators.h"
#include "compiler/lower/lower_int16_operators.h"
#include "compiler/lower/lower_matrix_operators.h"
#include "compiler/lower/lower_operator.h"
#include "compiler/lower/lower_vector.h"
#include "compiler/lower/operations.h"
#include "compiler/quantise/float_rounding.h"
#include "compiler/quantise/float_sum.h"

namespace tpu::compiler {
namespace {

void SetBounds(isa::Vector& operation, Bounds bounds) {
  operation.lo = bounds.lo;
  operation.hi = bounds.hi;
}

bool SameQuantization(const ir::Tensor& a, const ir::Tensor& b) {
  return a.scale == b.scale && a.zero_point == b.zero_point;
}

// Rows [channel block][tap] of N weights, as bytes.
template <typename T>
std::vector<std::uint8_t> PackDepthwise(std::span<const T> weights, std::int64_t taps,
                                        std::int64_t channels, std::int64_t lanes) {
  const std::int64_t blocks = ir::CeilDiv(channels, lanes);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(blocks * taps * lanes) * sizeof(T), 0);
  for (std::int64_t tap = 0; tap < taps; ++tap) {
    for (std::int64_t c = 0; c < channels; ++c) {
      const std::int64_t row = c / lanes * taps + tap;
      std::memcpy(&bytes[static_cast<std::size_t>(row * lanes + c % lanes) * sizeof(T)],
                  &weights[static_cast<std::size_t>(tap * channels + c)], sizeof(T));
    }
  }
  return bytes;
}

// One entry for each channel of a depthwise convolution.
std::vector<LaneParameters> DepthwiseParameters(const OperatorContext& context,
                                                std::int64_t channels) {
  if (ComputesFloats(context)) return FloatBiases(context, channels);
  const auto bias = context.Bias(2, channels);
  const auto multipliers = ConvMultipliers(context.Input(0), context.Input(1), context.Output(),
                                           channels, context.rounding);
  std::vector<LaneParameters> parameters;
  const ir::Shape& weights = context.Input(1).shape;
  for (std::size_t c = 0; c < multipliers.size(); ++c) {
    parameters.push_back({.bias = bias.empty() ? 0 : bias[c], .multiplier = multipliers[c]});
    RequireProductFits(context, weights[1] * weights[2], parameters.back());
  }
  return parameters;
}

// The operation on products of inputs and weights.
VectorOperation ProductOperation(const OperatorContext& context, ir::Activation activation) {
  VectorOperation operation = SumOperation(context, activation);
  if (auto* floats = std::get_if<isa::Fvector>(&operation)) {
    floats->map = isa::FloatMap::kMultiply;
  } else {
    auto& bytes = std::get<isa::Vector>(operation);
    bytes.map = isa::VectorMap::kMultiply;
    bytes.a_zero = context.Input(0).zero_point;
  }
  return operation;
}

// Whether the array is sooner done with a depthwise convolution in floating point than the vector
// unit. The array takes a tap of a row of pixels per cycle, and N cycles for a weight tile at
// least. The vector unit starts the taps of a sum four cycles apart.
bool ArrayPays(const Images& output, std::int64_t lanes) {
  constexpr std::int64_t kCyclesBetweenTaps = 4;
  return output.h * output.w * kCyclesBetweenTaps > lanes;
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
template <typename EntryOf>
void SetDividers(VectorJob& job, std::int64_t lanes, EntryOf entry_of) {
  job.shared_parameters = true;
  job.entry_of_taps.assign(static_cast<std::size_t>(job.y.size * job.x.size) + 1, -1);
  std::int64_t entries = 0;
  for (const std::int64_t rows : TapCounts(job.y, job.output.images.h)) {
    for (const std::int64_t columns : TapCounts(job.x, job.output.images.w)) {
      const std::int64_t taps = rows * columns;
      std::int64_t& entry = job.entry_of_taps[static_cast<std::size_t>(taps)];
      if (entry >= 0) continue;
      entry = entries++;
      job.parameters.insert(job.parameters.end(), static_cast<std::size_t>(lanes), entry_of(taps));
    }
  }
}

LaneParameters QuantizedDivider(std::int64_t taps) {
  const Divider divider = AverageDivider(static_cast<std::int32_t>(taps));
  return {.bias = divider.bias, .multiplier = divider.multiplier};
}

LaneParameters FloatDivider(std::int64_t taps) {
  return FloatParameters(0.0F, 1.0F / static_cast<float>(taps));
}

void SetFloatPool(VectorJob& job, const ir::Pool2D& op, std::int64_t lanes) {
  isa::Fvector operation = FloatOperation(op.activation);
  if (op.kind == ir::PoolKind::kMax) {
    operation.reduce = isa::FloatReduce::kMaximum;
    SetUniformParameters(job, {}, lanes);
  } else {
    operation.scale = 1;
    SetDividers(job, lanes, FloatDivider);
  }
  job.operation = operation;
}

void SetQuantizedPool(VectorJob& job, const ir::Pool2D& op, const ir::Tensor& output,
                      std::int64_t lanes) {
  isa::Vector operation;
  SetBounds(operation, ActivationBounds(op.activation, output));
  if (op.kind == ir::PoolKind::kMax) {
    operation.reduce = isa::VectorReduce::kMaximum;
    SetUniformParameters(job, {}, lanes);
  } else {
    operation.requant = isa::VectorRequant::kDivide;
    SetDividers(job, lanes, QuantizedDivider);
  }
  job.operation = operation;
}

void SetIntegerPool(VectorJob& job, const OperatorContext& context, const ir::Pool2D& op,
                    std::int64_t lanes) {
  isa::Ivector operation = IntegerOperation(context, op.activation);
  operation.o_zero = 0;
  if (op.kind == ir::PoolKind::kMax) {
    operation.reduce = isa::VectorReduce::kMaximum;
    operation.requant = isa::IntegerRequant::kNone;
    SetUniformParameters(job, {}, lanes);
  } else {
    operation.requant = isa::IntegerRequant::kDivide;
    SetDividers(job, lanes, QuantizedDivider);
  }
  job.operation = operation;
}

void SetSum(VectorJob& job, isa::Vector& operation, const VectorSum& vector_sum, bool subtract,
            std::int64_t lanes) {
  const SumMultipliers& sum = vector_sum.multipliers;
  // Operand A is the one that is only shifted.
  if (!sum.first_is_larger) {
    std::swap(job.inputs[0], job.inputs[1]);
    std::swap(operation.a_zero, operation.b_zero);
  }
  SetRequant(operation, vector_sum.rounding);
  operation.o_zero = vector_sum.zero_point;
  operation.map = !subtract             ? isa::VectorMap::kAdd
                  : sum.first_is_larger ? isa::VectorMap::kSubtract
                                        : isa::VectorMap::kReverseSubtract;
  operation.pre_mult = sum.small.multiplier;
  operation.pre_shift = static_cast<std::uint32_t>(-sum.small.shift);
  SetUniformParameters(job, {.bias = vector_sum.bias, .multiplier = sum.output}, lanes);
}

// ADD and SUB. In rounding float LiteRT leaves some to its own kernel, which rounds as in double.
void SetQuantizedSum(VectorJob& job, isa::Vector& operation, const OperatorContext& context,
                     const ir::Binary& op, std::int64_t lanes) {
  const ir::Tensor& first = context.Input(0);
  const ir::Tensor& second = context.Input(1);
  const ir::Tensor& output = context.Output();
  const bool subtract = op.kind == ir::BinaryKind::kSub;
  Rounding rounding = context.rounding;
  if (IsFloat(rounding)) {
    if (const auto sum = FloatSumOf(op.kind, first, second, output, rounding)) {
      SetSum(job, operation, VectorSumOf(op.kind, first, second, output, rounding, *sum), subtract,
             lanes);
      return;
    }
    rounding = Rounding::kDouble;
    SetBounds(operation, ActivationBounds(op.activation, output, rounding));
  }
  const SumMultipliers multipliers = subtract ? SubMultipliers(first, second, output, rounding)
                                              : AddMultipliers(first, second, output, rounding);
  SetSum(job, operation,
         {.multipliers = multipliers, .rounding = rounding, .zero_point = output.zero_point},
         subtract, lanes);
}

void SetProduct(VectorJob& job, isa::Vector& operation, const OperatorContext& context,
                std::int64_t lanes) {
  LaneParameters parameters = {.bias = 0,
                               .multiplier = MulMultiplier(context.Input(0), context.Input(1),
                                                           context.Output(), context.rounding)};
  if (context.rounding == Rounding::kOnnxRuntime) {
    MoveZeroPoint(operation.o_zero, parameters.bias, parameters.multiplier);
  }
  operation.map = isa::VectorMap::kMultiply;
  SetUniformParameters(job, parameters, lanes);
}

void SetQuantizedBinary(VectorJob& job, const OperatorContext& context, const ir::Binary& op,
                        std::int64_t lanes) {
  const ir::Tensor& first = context.Input(0);
  const ir::Tensor& second = context.Input(1);
  const ir::Tensor& output = context.Output();
  isa::Vector operation;
  SetBounds(operation, ActivationBounds(op.activation, output, context.rounding));
  SetRequant(operation, context.rounding);
  operation.a_zero = first.zero_point;
  operation.b_zero = second.zero_point;
  operation.o_zero = output.zero_point;
  switch (op.kind) {
    case ir::BinaryKind::kAdd:
    case ir::BinaryKind::kSub:
      SetQuantizedSum(job, operation, context, op, lanes);
      break;
    case ir::BinaryKind::kMul:
      SetProduct(job, operation, context, lanes);
      break;
    case ir::BinaryKind::kMaximum:
    case ir::BinaryKind::kMinimum:
      context.Require(SameQuantization(first, output) && SameQuantization(second, output),
                      "{}, {} and {} must have the same scale and zero point", first.name,
                      second.name, output.name);
      operation.map =
          op.kind == ir::BinaryKind::kMaximum ? isa::VectorMap::kMaximum : isa::VectorMap::kMinimum;
      operation.requant = isa::VectorRequant::kNone;
      operation.a_zero = operation.b_zero = operation.o_zero = 0;
      SetUniformParameters(job, {}, lanes);
      break;
  }
  job.operation = operation;
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
  if (output.c != input.c || !weights.IsConstant() || ComputesInt16(context) ||
      (ComputesFloats(context) && ArrayPays(output, emitter.Lanes()))) {
    LowerDepthwiseOnArray(context, op, emitter);
    return;
  }
  const WindowPair windows = MakeWindows(context, op);
  const WeightValues values = context.Weights(1);
  VectorJob job = {.inputs = {context.InputPlacement(0)},
                   .output = context.OutputPlacement(),
                   .y = windows.y,
                   .x = windows.x,
                   .operation = ProductOperation(context, op.activation),
                   .weights = std::visit(
                       [&](const auto& span) {
                         return PackDepthwise(span, windows.y.size * windows.x.size, input.c,
                                              emitter.Lanes());
                       },
                       values),
                   .weight_format = FormatOf(values),
                   .parameters = DepthwiseParameters(context, output.c),
                   .table = context.Table()};
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
  if (ComputesFloats(context)) {
    SetFloatPool(job, op, emitter.Lanes());
  } else if (ComputesInt16(context)) {
    SetIntegerPool(job, context, op, emitter.Lanes());
  } else {
    SetQuantizedPool(job, op, context.Output(), emitter.Lanes());
  }
  LowerVector(job, emitter);
}

void LowerBinary(const OperatorContext& context, const ir::Binary& op, Emitter& emitter) {
  if (ComputesFloats(context)) {
    LowerFloatBinary(context, op, emitter);
    return;
  }
  if (ComputesInt16(context)) {
    LowerInt16Binary(context, op, emitter);
    return;
  }
  VectorJob job = {.inputs = ElementwiseInputs(context, {0, 1}, emitter.Lanes()),
                   .output = context.OutputPlacement(),
                   .table = context.Table()};
  SetQuantizedBinary(job, context, op, emitter.Lanes());
  LowerElementwise(std::move(job), emitter);
}

void LowerLookup(const OperatorContext& context, const ir::Lookup& op, Emitter& emitter) {
  context.Require(context.Input(0).shape == context.Output().shape,
                  "{} and {} must have the same shape", context.Input(0).name,
                  context.Output().name);
  VectorJob job = {.inputs = {context.InputPlacement(0)}, .output = context.OutputPlacement()};
  isa::Vector operation;
  SetBounds(operation, {});
  job.operation = operation;
  for (const std::int8_t value : op.table) job.table.push_back(static_cast<std::uint8_t>(value));
  SetUniformParameters(job, {}, emitter.Lanes());
  LowerElementwise(std::move(job), emitter);
}

}  // namespace tpu::compiler
