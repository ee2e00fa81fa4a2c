// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/legalise_int16.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "compiler/legalise/integer_maps.h"

namespace tpu::compiler {
namespace {

// A factor of 1.
constexpr Multiplier kIdentity = {.multiplier = 1 << 30, .shift = 1};

// The values less the input's zero point, times a factor.
ir::IntegerMap RescaleBy(const Multiplier& factor, const ir::Tensor& input,
                         const ir::Tensor& output,
                         ir::Activation activation = ir::Activation::kNone) {
  const Bounds bounds = ActivationBounds(activation, output);
  return {.bias = -input.zero_point,
          .rounds = ir::IntegerMap::Rounds::kAsNetwork,
          .factor = factor,
          .zero = output.zero_point,
          .lo = bounds.lo,
          .hi = bounds.hi};
}

// On int16 all factors are computed in double (docs/arithmetic.md).
double Ratio(const ir::Tensor& input, const ir::Tensor& output) {
  return static_cast<double>(input.scale) / static_cast<double>(output.scale);
}

// What LOGISTIC and TANH multiply by. Scales of 2^-12 up to 2^(most_shift - 12) make no rounding.
SigmoidArgument ArgumentOf(const ir::Tensor& input, int most_shift) {
  constexpr int kFraction = 12;
  constexpr double kSteps = 3 * 4096.0;
  constexpr double kMost = 32767.0 / 2.0;
  constexpr int kMostShift = 30;
  if (const std::optional<int> log = Log2(input.scale)) {
    const int shift = *log + kFraction;
    if (shift >= 0 && shift <= most_shift) return {.multiplier = 3 << shift};
  }
  SigmoidArgument argument;
  double multiplier = static_cast<double>(input.scale) * kSteps;
  while (multiplier <= kMost && argument.shift <= kMostShift) {
    ++argument.shift;
    multiplier *= 2;
  }
  argument.multiplier = static_cast<std::int32_t>(multiplier);
  return argument;
}

// Fields of instructions hold zero points of int8.
bool HoldsZeroPoint(const ir::Tensor& tensor) {
  return tensor.type == ElementType::kInt8 ||
         (tensor.type == ElementType::kInt16 && tensor.zero_point == 0);
}

}  // namespace

ir::IntegerMap RescaleOf(const ir::Tensor& input, const ir::Tensor& output, Rounding rounding) {
  return RescaleBy(QuantizeMultiplier(Ratio(input, output), rounding), input, output);
}

bool RescalesInt16(const OperatorView& view) {
  return view.graph.Config().int16 != 0 && HoldsZeroPoint(view.Input(0)) &&
         HoldsZeroPoint(view.Output());
}

void LegaliseInt16(const OperatorView& view, const ir::Unary& op) {
  const ir::Tensor input = view.Input(0);
  const ir::Tensor output = view.Output();
  switch (op.kind) {
    case ir::UnaryKind::kRelu:
      view.Add(view.op.inputs, view.op.outputs[0],
               RescaleBy(QuantizeMultiplier(Ratio(input, output), view.graph.GetRounding()), input,
                         output, ir::Activation::kRelu));
      return;
    case ir::UnaryKind::kRelu6: {
      // TensorFlow Lite does not rescale here: output and input have one scale.
      ir::IntegerMap rescale = RescaleBy(kIdentity, input, output, ir::Activation::kRelu);
      const float steps = std::round(6.0F / input.scale);
      rescale.hi = static_cast<std::int32_t>(std::min(steps, static_cast<float>(rescale.hi)));
      view.Add(view.op.inputs, view.op.outputs[0], rescale);
      return;
    }
    case ir::UnaryKind::kLogistic:
      AddLogistic(IntegerMaps(view, output.shape),
                  view.Reshaped(view.op.inputs[0], ir::Shape(output.shape)), ArgumentOf(input, 0),
                  view.op.outputs[0]);
      return;
    case ir::UnaryKind::kTanh:
      AddTanh(IntegerMaps(view, output.shape),
              view.Reshaped(view.op.inputs[0], ir::Shape(output.shape)), ArgumentOf(input, 1),
              view.op.outputs[0]);
      return;
    case ir::UnaryKind::kReluN1To1:
    case ir::UnaryKind::kHardSwish:
    case ir::UnaryKind::kElu:
      break;
  }
  view.Require(false, "{} is int16, which this operator is not supported on", input.name);
}

// The values above zero plus those below zero times alpha: one of the two terms is always zero, and
// a sum of tensors of one scale is exact.
void LegaliseInt16(const OperatorView& view, const ir::LeakyRelu& op) {
  const ir::Tensor input = view.Input(0);
  const ir::Tensor output = view.Output();
  const Rounding rounding = view.graph.GetRounding();
  const double identity = Ratio(input, output);
  const double slope = static_cast<double>(input.scale) * static_cast<double>(op.alpha) /
                       static_cast<double>(output.scale);
  const auto part = [&](ir::IntegerMap::Kind kind, double factor, std::string_view name) {
    ir::IntegerMap rescale =
        RescaleBy(QuantizeMultiplier(std::abs(factor), rounding), input, output);
    rescale.kind = kind;
    rescale.constant = 0;
    const ir::TensorId id = view.Like(output, output.shape, name);
    view.Add({view.Reshaped(view.op.inputs[0], output.shape)}, id, rescale);
    return id;
  };
  const ir::TensorId positive = part(ir::IntegerMap::Kind::kMaximum, identity, "positive");
  const ir::TensorId negative = part(ir::IntegerMap::Kind::kMinimum, slope, "negative");
  const ir::BinaryKind kind = slope < 0.0 ? ir::BinaryKind::kSub : ir::BinaryKind::kAdd;
  view.Add({positive, negative}, view.op.outputs[0], ir::Binary{.kind = kind});
}

}  // namespace tpu::compiler
