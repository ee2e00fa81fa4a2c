// SPDX-License-Identifier: Apache-2.0
// Operators that move values without changing them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "frontends/tflite/operator_reader.h"

namespace tpu::tflite {
namespace {

namespace schema = tflite::schema;

std::int64_t ElementsOf(const ir::Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

// Replaces a dimension of -1 by what makes `elements`.
ir::Shape Resolve(const OperatorReader& op, ir::Shape shape, std::int64_t elements) {
  const ir::Shape given = shape;
  std::int64_t known = 1;
  auto open = shape.end();
  for (auto d = shape.begin(); d != shape.end(); ++d) {
    if (*d == -1 && open == shape.end()) {
      open = d;
      continue;
    }
    op.Require(*d >= 1 && *d <= elements, "the new shape {} does not have {} elements", Text(given),
               elements);
    known *= *d;
    op.Require(known <= elements, "the new shape {} does not have {} elements", Text(given),
               elements);
  }
  if (open != shape.end()) *open = elements / known;
  op.Require(ElementsOf(shape) == elements, "the new shape {} does not have {} elements",
             Text(given), elements);
  return shape;
}

// The shape that RESHAPE's second input or its options ask for; without both, the output's own.
ir::Shape RequestedShape(const OperatorReader& op) {
  if (op.IsKnown(1)) return op.Integers(1, "the new shape");
  const auto options = op.OptionsOrDefault<schema::ReshapeOptionsT>();
  if (op.HasInput(1) || options.new_shape.empty()) return op.Output().shape;
  return {options.new_shape.begin(), options.new_shape.end()};
}

// Sizes along `axis` of outputs that together are `input`.
void SettleParts(OperatorReader& op, const ir::Shape& input, std::size_t axis,
                 const std::vector<std::int64_t>& sizes) {
  ir::Shape shape = input;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    shape[axis] = sizes[i];
    op.SettleOutput(shape, i);
  }
}

// The value around a padded tensor.
std::int64_t FillOf(const OperatorReader& op, const ir::Tensor& value) {
  if (const auto* floats = std::get_if<std::vector<float>>(&value.data)) {
    const float fill = floats->front();
    op.Require(std::trunc(fill) == fill && std::abs(fill) < 32768.0F,
               "the value is {}; of float32 only whole numbers below 32768 are supported", fill);
    return static_cast<std::int64_t>(fill);
  }
  if (const auto* words = std::get_if<std::vector<std::int16_t>>(&value.data))
    return words->front();
  const std::uint8_t byte = value.DataBytes()[0];
  return value.type == ElementType::kInt8 ? static_cast<std::int8_t>(byte) : byte;
}

}  // namespace

ir::Attributes DecodeReshape(OperatorReader& op) {
  op.RequireCounts(1, 2);
  const ir::Tensor& input = op.Moved(0);
  // The shape that the file gives for the output counts, not the shape that the operator asks for.
  if (op.Output().shape.empty() || op.Output().Elements() != input.Elements()) {
    op.SettleOutput(Resolve(op, RequestedShape(op), input.Elements()));
  }
  return ir::Reshape{};
}

ir::Attributes DecodeSqueeze(OperatorReader& op) {
  op.RequireCounts(1, 1);
  const ir::Shape input = op.Moved(0).shape;
  std::vector<bool> dropped(input.size(), false);
  const auto options = op.OptionsOrDefault<schema::SqueezeOptionsT>();
  for (const std::int32_t d : options.squeeze_dims) {
    const std::size_t axis = op.Axis(d, input.size());
    op.Require(input[axis] == 1, "dimension {} of {} is not 1", axis, Text(input));
    dropped[axis] = true;
  }
  ir::Shape shape;
  for (std::size_t i = 0; i < input.size(); ++i) {
    const bool drop = options.squeeze_dims.empty() ? input[i] == 1 : dropped[i];
    if (!drop) shape.push_back(input[i]);
  }
  op.SettleOutput(shape);
  return ir::Reshape{};
}

ir::Attributes DecodeExpandDims(OperatorReader& op) {
  op.RequireCounts(2, 2);
  ir::Shape shape = op.Moved(0).shape;
  const std::size_t axis = op.Axis(op.Integer(1, "the axis"), shape.size() + 1);
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  op.SettleOutput(shape);
  return ir::Reshape{};
}

ir::Attributes DecodePad(OperatorReader& op) {
  const bool has_value = op.Code() == BuiltinOperator::PADV2;
  op.RequireCounts(has_value ? 3 : 2, has_value ? 3 : 2);
  const ir::Tensor& input = op.Moved(0);
  if (input.type != ElementType::kFloat32) {
    op.RequireQuantized(input, {ElementType::kInt8, ElementType::kUint8, ElementType::kInt16});
    op.RequireQuantized(op.Output(), {input.type});
  }
  const std::vector<std::int64_t> paddings = op.Integers(1, "the paddings");
  op.Require(paddings.size() == 2 * input.shape.size(), "there are {} paddings for {} dimensions",
             paddings.size(), input.shape.size());
  ir::Pad pad;
  ir::Shape shape = input.shape;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    for (const std::int64_t padding : {paddings[2 * i], paddings[2 * i + 1]}) {
      op.Require(padding >= 0 && padding <= std::numeric_limits<std::int32_t>::max(),
                 "a padding is {}", padding);
      shape[i] += padding;
    }
    pad.before.push_back(paddings[2 * i]);
    pad.after.push_back(paddings[2 * i + 1]);
  }
  op.SettleOutput(shape);
  pad.fill = op.Output().zero_point;
  if (has_value) {
    const ir::Tensor& value = op.Input(2);
    op.RequireSameType(value, input);
    op.Require(value.IsConstant() && value.Elements() == 1, "the value ({}) must be one constant",
               value.name);
    pad.fill = FillOf(op, value);
  }
  return pad;
}

ir::Attributes DecodeConcatenation(OperatorReader& op) {
  op.RequireCounts(1, std::numeric_limits<std::size_t>::max());
  const auto options = op.OptionsOrDefault<schema::ConcatenationOptionsT>();
  ir::Shape shape = op.Input(0).shape;
  const std::size_t axis = op.Axis(options.axis, shape.size());
  std::int64_t total = 0;
  for (std::size_t i = 0; i < op.Inputs(); ++i) {
    const ir::Tensor& input = op.Moved(i);
    op.Require(input.scale == op.Output().scale && input.zero_point == op.Output().zero_point,
               "{} and {} must have the same scale and zero point", input.name, op.Output().name);
    ir::Shape other = input.shape;
    op.Require(other.size() == shape.size(), "{} does not have {} dimensions", input.name,
               shape.size());
    total += other[axis];
    other[axis] = shape[axis];
    op.Require(other == shape, "{} {} does not fit {} along axis {}", input.name, Text(input.shape),
               Text(shape), axis);
  }
  shape[axis] = total;
  op.SettleOutput(shape);
  return ir::Concatenation{.axis = static_cast<std::int64_t>(axis),
                           .activation = op.FusedActivation(options.fused_activation_function)};
}

// Inputs: the axis, the tensor.
ir::Attributes DecodeSplit(OperatorReader& op) {
  op.RequireCounts(2, 2, std::max<std::size_t>(op.Outputs(), 1));
  const ir::Shape input = op.Moved(1).shape;
  const std::size_t axis = op.Axis(op.Integer(0, "the axis"), input.size());
  const auto parts = static_cast<std::int64_t>(op.Outputs());
  op.Require(input[axis] % parts == 0, "a dimension of {} does not split into {}", input[axis],
             parts);
  SettleParts(op, input, axis, std::vector<std::int64_t>(op.Outputs(), input[axis] / parts));
  return ir::SplitAxis{.axis = static_cast<std::int64_t>(axis)};
}

// Inputs: the tensor, sizes of which one may be -1, the axis.
ir::Attributes DecodeSplitV(OperatorReader& op) {
  op.RequireCounts(3, 3, std::max<std::size_t>(op.Outputs(), 1));
  const ir::Shape input = op.Moved(0).shape;
  const std::size_t axis = op.Axis(op.Integer(2, "the axis"), input.size());
  std::vector<std::int64_t> sizes = op.Integers(1, "the sizes");
  op.Require(sizes.size() == op.Outputs(), "there are {} sizes for {} outputs", sizes.size(),
             op.Outputs());
  std::int64_t rest = input[axis];
  for (const std::int64_t size : sizes) {
    op.Require(size == -1 || (size >= 1 && size <= input[axis]), "a size is {}", size);
    if (size > 0) rest -= size;
  }
  if (const auto open = std::find(sizes.begin(), sizes.end(), -1); open != sizes.end()) {
    *open = rest;
    rest = 0;
  }
  op.Require(rest == 0 && std::find(sizes.begin(), sizes.end(), -1) == sizes.end(),
             "the sizes do not make the dimension of {}", input[axis]);
  SettleParts(op, input, axis, sizes);
  return ir::SplitAxis{.axis = static_cast<std::int64_t>(axis)};
}

ir::Attributes DecodePack(OperatorReader& op) {
  op.RequireCounts(1, std::numeric_limits<std::size_t>::max());
  ir::Shape shape = op.Input(0).shape;
  for (std::size_t i = 0; i < op.Inputs(); ++i) {
    const ir::Tensor& input = op.Moved(i);
    op.Require(input.shape == shape, "{} is {}, not {}", input.name, Text(input.shape),
               Text(shape));
  }
  const std::size_t axis =
      op.Axis(op.OptionsOrDefault<schema::PackOptionsT>().axis, shape.size() + 1);
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis),
               static_cast<std::int64_t>(op.Inputs()));
  op.SettleOutput(shape);
  return ir::Pack{.axis = static_cast<std::int64_t>(axis)};
}

ir::Attributes DecodeUnpack(OperatorReader& op) {
  op.RequireCounts(1, 1, std::max<std::size_t>(op.Outputs(), 1));
  ir::Shape shape = op.Moved(0).shape;
  const std::size_t axis =
      op.Axis(op.OptionsOrDefault<schema::UnpackOptionsT>().axis, shape.size());
  op.Require(shape[axis] == static_cast<std::int64_t>(op.Outputs()),
             "there are {} outputs for a dimension of {}", op.Outputs(), shape[axis]);
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
  for (std::size_t i = 0; i < op.Outputs(); ++i) op.SettleOutput(shape, i);
  return ir::Unpack{.axis = static_cast<std::int64_t>(axis)};
}

ir::Attributes DecodeTranspose(OperatorReader& op) {
  op.RequireCounts(2, 2);
  const ir::Shape input = op.Moved(0).shape;
  ir::Transpose transpose = {.permutation = op.Integers(1, "the permutation")};
  ir::Shape sorted = transpose.permutation;
  std::sort(sorted.begin(), sorted.end());
  ir::Shape axes(input.size());
  std::iota(axes.begin(), axes.end(), 0);
  op.Require(sorted == axes, "{} is no permutation of {} axes", Text(transpose.permutation),
             input.size());
  ir::Shape shape;
  for (const std::int64_t axis : transpose.permutation) {
    shape.push_back(input[static_cast<std::size_t>(axis)]);
  }
  op.SettleOutput(shape);
  return transpose;
}

ir::Attributes DecodeTile(OperatorReader& op) {
  op.RequireCounts(2, 2);
  ir::Shape shape = op.Moved(0).shape;
  ir::Replicate tile = {.multiples = op.Integers(1, "the multiples")};
  op.Require(tile.multiples.size() == shape.size(), "there are {} multiples for {} dimensions",
             tile.multiples.size(), shape.size());
  for (std::size_t a = 0; a < shape.size(); ++a) {
    op.Require(tile.multiples[a] >= 1 &&
                   tile.multiples[a] <= std::numeric_limits<std::int32_t>::max() / shape[a],
               "a multiple is {}", tile.multiples[a]);
    shape[a] *= tile.multiples[a];
  }
  op.SettleOutput(shape);
  return tile;
}

}  // namespace tpu::tflite
