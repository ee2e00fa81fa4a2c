// SPDX-License-Identifier: Apache-2.0
#include "tensor/losses.h"

#include <cstddef>

#include "base/error.h"
#include "tensor/print.h"

namespace tpu::tensor {
namespace {

void RequireSameType(const Builder& b, ValueId values, ValueId targets) {
  const TensorType type = b.TypeOf(values);
  if (type.element != ElementType::kF32 || type != b.TypeOf(targets)) {
    throw TypeError(fmt::format("a loss of {} and targets of {}: both have to be the same, of f32",
                                TypeText(type), TypeText(b.TypeOf(targets))));
  }
}

Dimensions LastDimension(const TensorType& type) {
  if (type.Rank() < 1) throw TypeError("softmax of a scalar");
  return {type.Rank() - 1};
}

// x less the largest along these dimensions. The result does not depend on what is subtracted, so
// that no gradient need pass through it.
ValueId Shifted(Builder& b, ValueId x, const Dimensions& along) {
  const ValueId largest = b.StopGradient(b.Reduce(x, Reduction::kMaximum, along));
  return b.Subtract(x, b.BroadcastBack(largest, b.ShapeOf(x), along));
}

ValueId MeanOf(Builder& b, ValueId x) {
  const TensorType type = b.TypeOf(x);
  const ValueId sum = b.Reduce(x, Reduction::kAdd, AllDimensions(type.Rank()));
  return b.Scale(sum, 1 / static_cast<double>(type.Elements()));
}

}  // namespace

ValueId Softmax(Builder& builder, ValueId logits) {
  const TensorType type = builder.TypeOf(logits);
  const Dimensions last = LastDimension(type);
  const ValueId powers = builder.Exponential(Shifted(builder, logits, last));
  const ValueId sum = builder.Reduce(powers, Reduction::kAdd, last);
  // A division for each row; the sum is at least 1.
  const ValueId factor = builder.Divide(builder.SplatLike(sum, 1), sum);
  return builder.Multiply(powers, builder.BroadcastBack(factor, type.shape, last));
}

ValueId OneHot(Builder& builder, ValueId labels, std::int64_t classes, std::int64_t dimension) {
  TensorType type = builder.TypeOf(labels);
  if (type.element != ElementType::kS32) {
    throw TypeError(fmt::format("labels of {}, not of i32", TypeText(type)));
  }
  if (dimension < 0 || dimension > type.Rank()) {
    throw TypeError(
        fmt::format("classes as dimension {} of labels of {}", dimension, TypeText(type)));
  }
  type.shape.insert(type.shape.begin() + dimension, classes);
  const ValueId here = builder.Compare(ComparisonDirection::kEq, builder.Iota(type, dimension),
                                       builder.BroadcastBack(labels, type.shape, {dimension}));
  return builder.Convert(here, ElementType::kF32);
}

ValueId SoftmaxCrossEntropy(Builder& builder, ValueId logits, ValueId targets,
                            std::int64_t dimension) {
  RequireSameType(builder, logits, targets);
  const Dimensions classes = {dimension};
  const ValueId shifted = Shifted(builder, logits, classes);
  const ValueId sum = builder.Reduce(builder.Exponential(shifted), Reduction::kAdd, classes);
  const ValueId aimed =
      builder.Reduce(builder.Multiply(targets, shifted), Reduction::kAdd, classes);
  return MeanOf(builder, builder.Subtract(builder.Log(sum), aimed));
}

ValueId MeanSquaredError(Builder& builder, ValueId predictions, ValueId targets) {
  RequireSameType(builder, predictions, targets);
  const ValueId difference = builder.Subtract(predictions, targets);
  return MeanOf(builder, builder.Multiply(difference, difference));
}

void CheckLabels(std::span<const std::int32_t> labels, std::int64_t classes) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] < 0 || labels[i] >= classes) {
      throw Error::Format("label {} is {}: with {} classes it has to be 0 to {}", i, labels[i],
                          classes, classes - 1);
    }
  }
}

}  // namespace tpu::tensor
