// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/legalise_int16.h"

#include <algorithm>
#include <cmath>

namespace tpu::compiler {
namespace {

// A factor of 1.
constexpr Multiplier kIdentity = {.multiplier = 1 << 30, .shift = 1};

ir::Rescale RescaleBy(const Multiplier& factor, const ir::Tensor& output,
                      ir::Activation activation = ir::Activation::kNone) {
  const Bounds bounds = ActivationBounds(activation, output);
  return {.factor = factor, .lo = bounds.lo, .hi = bounds.hi};
}

// On int16 all factors are computed in double (docs/arithmetic.md).
double Ratio(const ir::Tensor& input, const ir::Tensor& output) {
  return static_cast<double>(input.scale) / static_cast<double>(output.scale);
}

bool IsInt8OrInt16(const ir::Tensor& tensor) {
  return tensor.type == ElementType::kInt8 || tensor.type == ElementType::kInt16;
}

}  // namespace

ir::Rescale RescaleOf(const ir::Tensor& input, const ir::Tensor& output, Rounding rounding) {
  return RescaleBy(QuantizeMultiplier(Ratio(input, output), rounding), output);
}

bool RescalesInt16(const OperatorView& view) {
  const ir::Tensor& input = view.Input(0);
  const ir::Tensor& output = view.Output();
  return view.graph.Config().int16 != 0 && IsInt8OrInt16(input) && IsInt8OrInt16(output);
}

void LegaliseInt16(const OperatorView& view, const ir::Unary& op) {
  const ir::Tensor input = view.Input(0);
  const ir::Tensor output = view.Output();
  switch (op.kind) {
    case ir::UnaryKind::kRelu:
      view.Add(view.op.inputs, view.op.outputs[0],
               RescaleBy(QuantizeMultiplier(Ratio(input, output), view.graph.GetRounding()), output,
                         ir::Activation::kRelu));
      return;
    case ir::UnaryKind::kRelu6: {
      // TensorFlow Lite does not rescale here: output and input have one scale.
      ir::Rescale rescale = RescaleBy(kIdentity, output, ir::Activation::kRelu);
      const float steps = std::round(6.0F / input.scale);
      rescale.hi = static_cast<std::int32_t>(std::min(steps, static_cast<float>(rescale.hi)));
      view.Add(view.op.inputs, view.op.outputs[0], rescale);
      return;
    }
    case ir::UnaryKind::kReluN1To1:
    case ir::UnaryKind::kLogistic:
    case ir::UnaryKind::kTanh:
    case ir::UnaryKind::kHardSwish:
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
  const auto part = [&](ir::Rescale::Part which, double factor, std::string_view name) {
    ir::Rescale rescale = RescaleBy(QuantizeMultiplier(std::abs(factor), rounding), output);
    rescale.part = which;
    const ir::TensorId id = view.Like(output, output.shape, name);
    view.Add({view.Reshaped(view.op.inputs[0], output.shape)}, id, rescale);
    return id;
  };
  const ir::TensorId positive = part(ir::Rescale::Part::kPositive, identity, "positive");
  const ir::TensorId negative = part(ir::Rescale::Part::kNegative, slope, "negative");
  const ir::BinaryKind kind = slope < 0.0 ? ir::BinaryKind::kSub : ir::BinaryKind::kAdd;
  view.Add({positive, negative}, view.op.outputs[0], ir::Binary{.kind = kind});
}

}  // namespace tpu::compiler
