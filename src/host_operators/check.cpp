// SPDX-License-Identifier: Apache-2.0
#include "host_operators/check.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host_operators/checker.h"

namespace tpu::host_operators {
namespace {

using enum ElementType;

// A window's rows and columns, its stride and its padding.
constexpr std::int64_t kMostWindow = 32'767;

void CheckOperator(const Checker& c, const Softmax& op) {
  c.Counts(1, 1);
  c.IsOneOf(c.In(0), {kInt8, kInt16, kFloat32});
  if (c.In(0).type == kInt16) {
    c.SameType(c.In(0), c.Out());
    c.HasScale(c.In(0));
  } else if (c.In(0).type == kInt8) {
    c.IsOneOf(c.Out(), {kInt8, kInt16});
    c.HasScale(c.In(0));
  } else {
    c.SameType(c.In(0), c.Out());
  }
  if (op.of_onnx) {
    c.IsOneOf(c.In(0), {kInt8});
    c.IsOneOf(c.Out(), {kInt8});
    c.HasScale(c.Out());
  }
  c.Require(std::isfinite(op.beta) && op.beta >= 0.0F, "beta is {}", op.beta);
  c.SameElements();
}

void CheckOperator(const Checker& c, const LogSoftmax& /*op*/) {
  c.Counts(1, 1);
  c.IsOneOf(c.In(0), {kInt8, kFloat32});
  c.SameType(c.In(0), c.Out());
  c.HasAxis(c.In(0));
  c.HasShape(c.Out(), c.In(0).shape);
  if (c.In(0).type == kFloat32) return;
  c.HasScale(c.In(0));
  c.Require(c.Out().scale == 1.0F / 16 && c.Out().zero_point == 127,
            "{} must have scale 1/16 and zero point 127", c.Out().name);
}

void CheckOperator(const Checker& c, const ArgExtreme& op) {
  c.Counts(1, 1);
  c.IsOneOf(c.In(0), {kInt8, kUint8, kInt16, kInt32, kInt64, kFloat32});
  c.IsOneOf(c.Out(), {kInt32, kInt64});
  const std::size_t axis = c.Axis(c.In(0), op.axis);
  c.HasElements(c.Out(), Elements(c.In(0).shape) / c.In(0).shape[axis]);
}

void CheckOperator(const Checker& c, const Quantize& op) {
  c.Require(op.steps <= FloatSteps::kProductEven, "unknown rounding {}",
            static_cast<int>(op.steps));
  c.Counts(1, 1);
  c.IsOneOf(c.In(0), {kFloat32, kInt8, kUint8, kInt16, kInt32});
  c.IsOneOf(c.Out(), {kInt8, kUint8, kInt16, kInt32});
  c.HasScale(c.Out());
  if (c.In(0).type != kFloat32) c.HasScale(c.In(0));
  c.SameElements();
}

void CheckOperator(const Checker& c, const Dequantize& /*op*/) {
  c.Counts(1, 1);
  c.IsOneOf(c.In(0), {kInt8, kUint8, kInt16, kInt32});
  c.IsOneOf(c.Out(), {kFloat32});
  c.SameElements();
}

void CheckOperator(const Checker& c, const ResizeBilinear& /*op*/) {
  c.Counts(1, 1);
  c.IsOneOf(c.In(0), {kInt8});
  c.IsOneOf(c.Out(), {kInt8});
  c.HasRank(c.In(0), 4);
  c.HasRank(c.Out(), 4);
  c.HasShape(c.Out(), {c.In(0).shape[0], c.Out().shape[1], c.Out().shape[2], c.In(0).shape[3]});
}

void CheckOperator(const Checker& c, const Unary& op) {
  c.Counts(1, 1);
  c.Require(op.operation <= UnaryOperation::kLogicalNot, "unknown operation {}",
            static_cast<int>(op.operation));
  c.IsOneOf(c.In(0), {op.operation == UnaryOperation::kLogicalNot ? kBool : kFloat32});
  c.SameType(c.In(0), c.Out());
  c.SameElements();
}

void CheckOperator(const Checker& c, const Binary& op) {
  c.Counts(2, 1);
  c.Require(op.operation <= BinaryOperation::kLogicalOr, "unknown operation {}",
            static_cast<int>(op.operation));
  c.Require(op.activation <= Activation::kReluN1To1, "unknown activation {}",
            static_cast<int>(op.activation));
  if (op.operation >= BinaryOperation::kLogicalAnd) {
    c.IsOneOf(c.In(0), {kBool});
  } else {
    c.IsOneOf(c.In(0), {kInt32, kInt64, kFloat32});
  }
  c.SameType(c.In(0), c.In(1));
  c.SameType(c.In(0), c.Out());
  c.Broadcast();
}

void CheckOperator(const Checker& c, const Comparison& op) {
  c.Counts(2, 1);
  c.Require(op.relation <= Relation::kLessEqual, "unknown relation {}",
            static_cast<int>(op.relation));
  const bool orders = op.relation >= Relation::kGreater;
  c.IsOneOf(c.In(0), orders ? Types{kInt8, kInt16, kInt32, kInt64, kFloat32}
                            : Types{kInt8, kInt16, kInt32, kInt64, kFloat32, kBool});
  c.SameType(c.In(0), c.In(1));
  c.IsOneOf(c.Out(), {kBool});
  if (c.In(0).type == kInt8 || c.In(0).type == kInt16) {
    for (std::size_t i = 0; i < 2; ++i) {
      c.HasScale(c.In(i));
      c.Require(c.In(i).scale < 1.0F, "{} has scale {}; it must be below 1 to be compared",
                c.In(i).name, c.In(i).scale);
    }
  }
  c.Broadcast();
}

void CheckOperator(const Checker& c, const Cast& /*op*/) {
  c.Counts(1, 1);
  for (const Operand* tensor : {&c.In(0), &c.Out()}) {
    c.IsOneOf(*tensor, {kInt8, kUint8, kInt16, kInt32, kInt64, kUint32, kFloat32, kBool});
  }
  c.SameElements();
}

void CheckOperator(const Checker& c, const Select& /*op*/) {
  c.Counts(3, 1);
  c.IsOneOf(c.In(0), {kBool});
  c.SameType(c.In(1), c.In(2));
  c.SameType(c.In(1), c.Out());
  c.Broadcast();
}

void CheckOperator(const Checker& c, const ReduceExtreme& op) {
  c.Counts(1, 1);
  c.IsOneOf(c.In(0), {kInt8, kInt16, kInt32, kInt64, kFloat32});
  c.SameType(c.In(0), c.Out());
  std::int64_t elements = Elements(c.In(0).shape);
  std::int64_t last = -1;
  for (const std::int64_t axis : op.axes) {
    c.Require(axis > last, "the axes do not ascend");
    last = axis;
    elements /= c.In(0).shape[c.Axis(c.In(0), axis)];
  }
  c.HasElements(c.Out(), elements);
  if (c.In(0).type != kInt8) return;
  c.Require(c.In(0).scale == c.Out().scale && c.In(0).zero_point == c.Out().zero_point,
            "{} and {} must have the same scale and zero point", c.In(0).name, c.Out().name);
}

void CheckOperator(const Checker& c, const CumulativeSum& op) {
  c.Counts(1, 1);
  c.IsOneOf(c.In(0), {kInt8, kFloat32});
  c.SameType(c.In(0), c.Out());
  c.Axis(c.In(0), op.axis);
  c.HasShape(c.Out(), c.In(0).shape);
  if (c.In(0).type == kFloat32) return;
  c.HasScale(c.In(0));
  c.HasScale(c.Out());
  c.Require(c.In(0).scale < c.Out().scale * (1 << 19),
            "the scale of {}, {}, is too small for an input scale of {}", c.Out().name,
            c.Out().scale, c.In(0).scale);
}

void CheckOperator(const Checker& c, const L2Pool& op) {
  c.Counts(1, 1);
  c.IsOneOf(c.In(0), {kFloat32});
  c.SameType(c.In(0), c.Out());
  c.HasRank(c.In(0), 4);
  c.HasRank(c.Out(), 4);
  c.Require(op.activation <= Activation::kReluN1To1, "unknown activation {}",
            static_cast<int>(op.activation));
  for (const std::int32_t size : {op.filter.h, op.filter.w, op.stride.h, op.stride.w}) {
    c.InRange("a window's size or stride", size, 1, kMostWindow);
  }
  for (const std::int32_t size : {op.padding.top, op.padding.left}) {
    c.InRange("a padding", size, 0, kMostWindow);
  }
  const auto has_pixels = [&](std::size_t axis, std::int32_t filter, std::int32_t stride,
                              std::int32_t before) {
    const std::int64_t last = c.Out().shape[axis] - 1;
    // Each window has a pixel of the image.
    const bool good = before < filter && last < std::numeric_limits<std::int32_t>::max() &&
                      last * stride - before < c.In(0).shape[axis];
    c.Require(good, "windows of {} lie outside of {}", c.Out().name, c.In(0).name);
  };
  has_pixels(1, op.filter.h, op.stride.h, op.padding.top);
  has_pixels(2, op.filter.w, op.stride.w, op.padding.left);
  c.HasShape(c.Out(), {c.In(0).shape[0], c.Out().shape[1], c.Out().shape[2], c.In(0).shape[3]});
}

// Two tensors that broadcast.
void CheckPair(const Checker& c) {
  c.Counts(2, 1);
  for (const Operand* tensor : {&c.In(0), &c.In(1), &c.Out()}) {
    c.IsOneOf(*tensor, {kInt8});
    c.HasScale(*tensor);
  }
  c.Broadcast();
}

void CheckOperator(const Checker& c, const Divide& /*op*/) { CheckPair(c); }

void CheckOperator(const Checker& c, const SquaredDifference& /*op*/) { CheckPair(c); }

void CheckOperator(const Checker& c, const AddN& /*op*/) {
  c.Require(c.Inputs() >= 2, "{} inputs instead of two or more", c.Inputs());
  c.Counts(c.Inputs(), 1);
  c.IsOneOf(c.Out(), {kInt8});
  c.HasScale(c.Out());
  for (std::size_t i = 0; i < c.Inputs(); ++i) {
    c.SameType(c.In(i), c.Out());
    c.HasShape(c.In(i), c.Out().shape);
    c.HasScale(c.In(i));
  }
}

void CheckOperator(const Checker& c, const L2Normalization& /*op*/) {
  c.Counts(1, 1);
  c.IsOneOf(c.In(0), {kInt8});
  c.SameType(c.In(0), c.Out());
  c.HasAxis(c.Out());
  c.HasShape(c.In(0), c.Out().shape);
}

void CheckOperator(const Checker& c, const Gather& op) {
  c.Counts(2, 1);
  c.IsOneOf(c.In(1), {kInt32});
  c.SameType(c.In(0), c.Out());
  const Shape& input = c.In(0).shape;
  const Shape& indices = c.In(1).shape;
  const auto axis = static_cast<std::ptrdiff_t>(c.Axis(c.In(0), op.axis));
  c.InRange("batch_dims", op.batch_dims, 0,
            std::min<std::int64_t>(axis, static_cast<std::int64_t>(indices.size())));
  const auto batch = static_cast<std::ptrdiff_t>(op.batch_dims);
  c.Require(std::equal(indices.begin(), indices.begin() + batch, input.begin()),
            "{} and {} differ in the dimensions of the batch", c.In(0).name, c.In(1).name);
  Shape shape(input.begin(), input.begin() + axis);
  shape.insert(shape.end(), indices.begin() + batch, indices.end());
  shape.insert(shape.end(), input.begin() + axis + 1, input.end());
  c.HasShape(c.Out(), shape);
}

void CheckOperator(const Checker& c, const GatherNd& /*op*/) {
  c.Counts(2, 1);
  c.IsOneOf(c.In(1), {kInt32});
  c.SameType(c.In(0), c.Out());
  c.HasAxis(c.In(1));
  const Shape& input = c.In(0).shape;
  const Shape& indices = c.In(1).shape;
  c.Require(indices.back() <= static_cast<std::int64_t>(input.size()),
            "{} has more indices than {} has dimensions", c.In(1).name, c.In(0).name);
  Shape shape(indices.begin(), indices.end() - 1);
  shape.insert(shape.end(), input.begin() + static_cast<std::ptrdiff_t>(indices.back()),
               input.end());
  c.HasShape(c.Out(), shape);
}

void CheckOperator(const Checker& c, const EmbeddingLookup& /*op*/) {
  c.Counts(2, 1);
  c.IsOneOf(c.In(0), {kInt32});
  c.HasRank(c.In(0), 1);
  c.Require(c.In(1).shape.size() >= 2, "{} should have 2 dimensions or more", c.In(1).name);
  if (c.In(1).type == kInt8 && c.Out().type == kFloat32) {
    c.Require(c.In(1).zero_point == 0, "{} has zero point {}, not 0", c.In(1).name,
              c.In(1).zero_point);
  } else {
    c.SameType(c.In(1), c.Out());
  }
  Shape shape = c.In(1).shape;
  shape[0] = c.In(0).shape[0];
  c.HasShape(c.Out(), shape);
}

void CheckOperator(const Checker& c, const DynamicUpdateSlice& /*op*/) {
  c.Counts(3, 1);
  c.SameType(c.In(0), c.In(1));
  c.SameType(c.In(0), c.Out());
  c.IsOneOf(c.In(2), {kInt32, kInt64});
  c.HasShape(c.Out(), c.In(0).shape);
  const Shape& shape = c.In(0).shape;
  c.HasRank(c.In(1), shape.size());
  c.HasShape(c.In(2), {static_cast<std::int64_t>(shape.size())});
  for (std::size_t i = 0; i < shape.size(); ++i) {
    c.Require(c.In(1).shape[i] <= shape[i], "{} is larger than {}", c.In(1).name, c.In(0).name);
  }
}

void CheckOperator(const Checker& c, const BroadcastArgs& /*op*/) {
  c.Counts(2, 1);
  c.IsOneOf(c.In(0), {kInt32, kInt64});
  c.SameType(c.In(0), c.In(1));
  c.SameType(c.In(0), c.Out());
  c.HasRank(c.In(0), 1);
  c.HasRank(c.In(1), 1);
  c.HasShape(c.Out(), {std::max(c.In(0).shape[0], c.In(1).shape[0])});
}

void CheckOperator(const Checker& c, const BatchMatMul& op) {
  constexpr std::int64_t kMostTerms = 1 << 16;  // Sums stay below 2^47.
  constexpr double kLimit = 128.0;              // Of the factor, for the same reason.
  c.Counts(2, 1);
  for (const Operand* tensor : {&c.In(0), &c.In(1), &c.Out()}) {
    c.IsOneOf(*tensor, {kInt16});
    c.HasScale(*tensor);
    c.Require(tensor->zero_point == 0, "{} has zero point {}; that of int16 is 0", tensor->name,
              tensor->zero_point);
  }
  const auto matrices_of = [&](std::size_t i) {
    Shape shape = c.In(i).shape;
    c.Require(shape.size() >= 2, "{} must have 2 dimensions or more", c.In(i).name);
    if (op.transposed[i]) std::swap(shape.back(), shape[shape.size() - 2]);
    return shape;
  };
  const Shape a = matrices_of(0);
  const Shape b = matrices_of(1);
  c.Require(a.back() == b[b.size() - 2], "{} and {} are no factors of a product", c.In(0).name,
            c.In(1).name);
  c.InRange("the number of terms of a sum", a.back(), 1, kMostTerms);
  const auto batch = [](const Shape& shape) { return Shape(shape.begin(), shape.end() - 2); };
  Shape product = c.BroadcastShape({{c.In(0).name, batch(a)}, {c.In(1).name, batch(b)}});
  product.insert(product.end(), {a[a.size() - 2], b.back()});
  c.HasShape(c.Out(), product);
  const double factor = static_cast<double>(c.In(0).scale) * static_cast<double>(c.In(1).scale) /
                        static_cast<double>(c.Out().scale);
  c.Require(factor < kLimit, "the scale of {}, {}, is too small for the factors' scales {} and {}",
            c.Out().name, c.Out().scale, c.In(0).scale, c.In(1).scale);
}

void CheckOperator(const Checker& c, const DetectionPostprocess& op) {
  c.Counts(3, 4);
  for (std::size_t i = 0; i < 3; ++i) c.IsOneOf(c.In(i), {kFloat32});
  for (std::size_t i = 0; i < 4; ++i) c.IsOneOf(c.Out(i), {kFloat32});
  c.HasRank(c.In(0), 3);
  c.HasRank(c.In(1), 3);
  const std::int64_t boxes = c.In(0).shape[1];
  const std::int64_t columns = c.In(1).shape[2];
  c.Require(c.In(0).shape[0] == 1 && c.In(0).shape[2] >= 4,
            "{} should be the boxes of one image, of 4 numbers each", c.In(0).name);
  c.InRange("num_classes", op.classes, 1, columns);
  c.Require(columns - op.classes <= 1, "{} has scores of {} classes; there are {}", c.In(1).name,
            columns, op.classes);
  c.HasShape(c.In(1), {1, boxes, columns});
  c.HasShape(c.In(2), {boxes, 4});
  const std::int64_t detections = Elements(c.Out(1).shape);
  c.InRange("max_detections", op.max_detections, 1, detections);
  c.HasElements(c.Out(0), 4 * detections);
  c.HasElements(c.Out(2), detections);
  c.HasElements(c.Out(3), 1);
  if (op.each_class) {
    c.InRange("detections_per_class", op.detections_per_class, 1,
              std::numeric_limits<std::int32_t>::max());
  }
  c.Require(op.overlap_threshold > 0.0F && op.overlap_threshold <= 1.0F,
            "nms_iou_threshold is {}, not above 0 and up to 1", op.overlap_threshold);
}

}  // namespace

void Check(const Attributes& attributes, std::span<const Operand> inputs,
           std::span<const Operand> outputs) {
  const Checker checker(inputs, outputs);
  std::visit([&](const auto& op) { CheckOperator(checker, op); }, attributes);
}

}  // namespace tpu::host_operators
