// SPDX-License-Identifier: Apache-2.0
#include "tensor/optimizers.h"

#include <cmath>
#include <limits>

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

// 1 - beta^step: the share of numbers that a mean which began with zero has seen.
ValueId Seen(const UpdateContext& c, double beta) {
  Builder& b = c.b;
  const ValueId power = b.Exponential(b.Scale(c.scalars.step, std::log(beta)));
  return b.Subtract(b.SplatLike(power, 1), power);
}

// The square root of what is not negative, as x / sqrt(x): a machine has that function. The least
// number that is not subnormal keeps zero times infinity away.
ValueId Root(Builder& b, ValueId x) {
  const ValueId least = b.SplatLike(x, std::numeric_limits<float>::min());
  return b.Multiply(x, b.Rsqrt(b.Maximum(x, least)));
}

// What is the same for all elements comes first. The rate divides what divides the moment: so a
// machine needs one instruction (docs/training.md). A rate of zero counts as the least number that
// is not subnormal.
Updated Step(const Adam& op, const UpdateContext& c) {
  Builder& b = c.b;
  const ValueId rate = b.Divide(c.scalars.learning_rate, Seen(c, op.beta1));
  const ValueId least = b.SplatLike(rate, std::numeric_limits<float>::min());
  const ValueId slowness = b.Divide(b.SplatLike(rate, -1), b.Maximum(rate, least));
  // Kept is a multiple of the mean of squares, which one pass computes: the sum of squares that are
  // forgotten by and by.
  const double share = (1 - op.beta2) / op.beta2;
  const ValueId spread_factor = b.Scale(b.Rsqrt(Seen(c, op.beta2)), std::sqrt(share));
  const ValueId slope = b.Multiply(spread_factor, slowness);
  const ValueId base = b.Scale(slowness, op.epsilon);
  ValueId kept = c.parameter;
  if (op.weight_decay != 0) {
    const ValueId lost = b.Scale(c.scalars.learning_rate, op.weight_decay);
    kept = b.Multiply(kept, c.Everywhere(b.Subtract(b.SplatLike(lost, 1), lost)));
  }
  const ValueId sum = b.Add(b.Scale(c.moments.at(0), op.beta1 / (1 - op.beta1)), c.gradient);
  const ValueId first = b.Scale(sum, 1 - op.beta1);
  const ValueId square = b.Multiply(c.gradient, c.gradient);
  const ValueId squares = b.Scale(b.Add(c.moments.at(1), square), op.beta2);
  const ValueId spread = b.Multiply(Root(b, squares), c.Everywhere(slope));
  const ValueId divisor = b.Add(spread, c.Everywhere(base));
  const ValueId factor = b.Divide(b.SplatLike(divisor, 1), divisor);
  const ValueId moved = b.Add(kept, b.Multiply(first, factor));
  return {moved, {first, squares}};
}

}  // namespace

std::vector<std::string_view> MomentNames(const Optimizer& optimizer) {
  if (std::holds_alternative<Momentum>(optimizer)) return {"momentum"};
  if (std::holds_alternative<Adam>(optimizer)) return {"first_moment", "square_sum"};
  return {};
}

bool UsesStepNumber(const Optimizer& optimizer) { return std::holds_alternative<Adam>(optimizer); }

Updated Update(Builder& builder, const Optimizer& optimizer, const StepScalars& scalars,
               ValueId parameter, ValueId gradient, const std::vector<ValueId>& moments) {
  const UpdateContext context = {builder, scalars, parameter, gradient, moments};
  return std::visit([&](const auto& op) { return Step(op, context); }, optimizer);
}

}  // namespace tpu::tensor
