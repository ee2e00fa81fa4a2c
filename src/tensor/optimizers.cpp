// SPDX-License-Identifier: Apache-2.0
#include "tensor/optimizers.h"

#include <cmath>

namespace tpu::tensor {
namespace {

struct UpdateContext {
  Builder& b;
  StepScalars scalars;
  ValueId parameter;
  ValueId gradient;
  const std::vector<ValueId>& moments;

  // A scalar as a tensor of the parameter's shape.
  [[nodiscard]] ValueId Everywhere(ValueId scalar) const {
    return b.BroadcastTo(scalar, b.ShapeOf(parameter));
  }
  // parameter - learning_rate * direction.
  [[nodiscard]] ValueId Moved(ValueId direction) const {
    return b.Subtract(parameter, b.Multiply(direction, Everywhere(scalars.learning_rate)));
  }
};

Updated Step(const Sgd& /*op*/, const UpdateContext& c) { return {c.Moved(c.gradient), {}}; }

Updated Step(const Momentum& op, const UpdateContext& c) {
  const ValueId velocity = c.b.Add(c.b.Scale(c.moments.at(0), op.momentum), c.gradient);
  return {c.Moved(velocity), {velocity}};
}

// 1 / (1 - beta^step): what corrects a mean that began with zero.
ValueId Correction(const UpdateContext& c, double beta) {
  Builder& b = c.b;
  const ValueId power = b.Exponential(b.Scale(c.scalars.step, std::log(beta)));
  const ValueId one = b.SplatLike(power, 1);
  return b.Divide(one, b.Subtract(one, power));
}

Updated Step(const Adam& op, const UpdateContext& c) {
  Builder& b = c.b;
  const ValueId square = b.Multiply(c.gradient, c.gradient);
  const ValueId first =
      b.Add(b.Scale(c.moments.at(0), op.beta1), b.Scale(c.gradient, 1 - op.beta1));
  const ValueId second = b.Add(b.Scale(c.moments.at(1), op.beta2), b.Scale(square, 1 - op.beta2));
  const ValueId mean = b.Multiply(first, c.Everywhere(Correction(c, op.beta1)));
  const ValueId spread = b.Sqrt(b.Multiply(second, c.Everywhere(Correction(c, op.beta2))));
  ValueId direction = b.Divide(mean, b.Add(spread, b.SplatLike(spread, op.epsilon)));
  if (op.weight_decay != 0) {
    direction = b.Add(direction, b.Scale(c.parameter, op.weight_decay));
  }
  return {c.Moved(direction), {first, second}};
}

}  // namespace

std::vector<std::string_view> MomentNames(const Optimizer& optimizer) {
  if (std::holds_alternative<Momentum>(optimizer)) return {"momentum"};
  if (std::holds_alternative<Adam>(optimizer)) return {"first_moment", "second_moment"};
  return {};
}

bool UsesStepNumber(const Optimizer& optimizer) { return std::holds_alternative<Adam>(optimizer); }

Updated Update(Builder& builder, const Optimizer& optimizer, const StepScalars& scalars,
               ValueId parameter, ValueId gradient, const std::vector<ValueId>& moments) {
  const UpdateContext context = {builder, scalars, parameter, gradient, moments};
  return std::visit([&](const auto& op) { return Step(op, context); }, optimizer);
}

}  // namespace tpu::tensor
