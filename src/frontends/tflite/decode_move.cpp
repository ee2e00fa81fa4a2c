// SPDX-License-Identifier: Apache-2.0
// Operators that move values without changing them.
#include <algorithm>
#include <limits>
#include <numeric>

#include "frontends/tflite/operator_reader.h"

namespace tpu::compiler {
namespace {

namespace schema = tflite::schema;

// Of pixels that move into the batch or into the channels.
constexpr std::int64_t kMostBlock = 255;

void RequireSameType(const OperatorReader& op, const Tensor& input, const Tensor& output) {
  op.Require(input.type == output.type, "{} is {} and {} is {}", input.name,
             ElementTypeName(input.type), output.name, ElementTypeName(output.type));
}

// The operand that is moved; all outputs are of its type.
const Tensor& Moved(OperatorReader& op, std::size_t i) {
  const Tensor& input = op.Operand(i);
  for (std::size_t o = 0; o < op.Outputs(); ++o) RequireSameType(op, input, op.Output(o));
  return input;
}

std::int64_t ElementsOf(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

// Replaces a dimension of -1 by what makes `elements`.
Shape Resolve(const OperatorReader& op, Shape shape, std::int64_t elements) {
  const Shape given = shape;
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
Shape RequestedShape(const OperatorReader& op) {
  if (op.IsKnown(1)) return op.Integers(1, "the new shape");
  const auto options = op.OptionsOrDefault<schema::ReshapeOptionsT>();
  if (op.HasInput(1) || options.new_shape.empty()) return op.Output().shape;
  return {options.new_shape.begin(), options.new_shape.end()};
}

// Sizes along `axis` of outputs that together are `input`.
void SettleParts(OperatorReader& op, const Shape& input, std::size_t axis,
                 const std::vector<std::int64_t>& sizes) {
  Shape shape = input;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    shape[axis] = sizes[i];
    op.SettleOutput(shape, i);
  }
}

// Where a strided slice begins along one axis of `size`, and how many elements it takes.
struct AxisSlice {
  std::int64_t begin = 0;
  std::int64_t stride = 1;
  std::int64_t count = 0;
};

struct AxisBounds {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t stride = 1;
  bool whole_begin = false;
  bool whole_end = false;
  bool shrink = false;
};

AxisSlice SliceAxis(const OperatorReader& op, const AxisBounds& bounds, std::int64_t size) {
  op.Require(bounds.stride != 0, "a stride is 0");
  const bool forward = bounds.stride > 0;
  // Positions count from the end when negative; an open one lies beyond the axis's either end.
  const std::int64_t lowest = forward ? 0 : -1;
  const std::int64_t highest = forward ? size : size - 1;
  const auto position = [&](std::int64_t value) {
    return std::clamp(value < 0 ? value + size : value, lowest, highest);
  };
  const std::int64_t begin = bounds.whole_begin ? (forward ? 0 : size - 1) : position(bounds.begin);
  if (bounds.shrink) {
    op.Require(forward && begin < size, "index {} is outside a dimension of {}", bounds.begin,
               size);
    return {.begin = begin, .stride = 1, .count = 1};
  }
  const std::int64_t end = bounds.whole_end ? (forward ? size : -1) : position(bounds.end);
  const std::int64_t span = forward ? end - begin : begin - end;
  const std::int64_t step = forward ? bounds.stride : -bounds.stride;
  return {.begin = begin, .stride = bounds.stride, .count = span <= 0 ? 0 : (span - 1) / step + 1};
}

bool Bit(std::int32_t mask, std::size_t i) {
  return ((static_cast<std::uint32_t>(mask) >> i) & 1U) != 0;
}

}  // namespace

Attributes DecodeReshape(OperatorReader& op) {
  op.RequireCounts(1, 2);
  const Tensor& input = Moved(op, 0);
  // What the file knows of the output counts, whatever shape is asked for.
  if (op.Output().shape.empty() || op.Output().Elements() != input.Elements()) {
    op.SettleOutput(Resolve(op, RequestedShape(op), input.Elements()));
  }
  return Reshape{};
}

Attributes DecodeSqueeze(OperatorReader& op) {
  op.RequireCounts(1, 1);
  const Shape input = Moved(op, 0).shape;
  std::vector<bool> dropped(input.size(), false);
  const auto options = op.OptionsOrDefault<schema::SqueezeOptionsT>();
  for (const std::int32_t d : options.squeeze_dims) {
    const std::size_t axis = op.Axis(d, input.size());
    op.Require(input[axis] == 1, "dimension {} of {} is not 1", axis, Text(input));
    dropped[axis] = true;
  }
  Shape shape;
  for (std::size_t i = 0; i < input.size(); ++i) {
    const bool drop = options.squeeze_dims.empty() ? input[i] == 1 : dropped[i];
    if (!drop) shape.push_back(input[i]);
  }
  op.SettleOutput(shape);
  return Reshape{};
}

Attributes DecodeExpandDims(OperatorReader& op) {
  op.RequireCounts(2, 2);
  Shape shape = Moved(op, 0).shape;
  const std::size_t axis = op.Axis(op.Integer(1, "the axis"), shape.size() + 1);
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  op.SettleOutput(shape);
  return Reshape{};
}

Attributes DecodePad(OperatorReader& op) {
  const bool has_value = op.Code() == tflite::BuiltinOperator::PADV2;
  op.RequireCounts(has_value ? 3 : 2, has_value ? 3 : 2);
  const Tensor& input = Moved(op, 0);
  op.RequireQuantized(input, {ElementType::kInt8, ElementType::kUint8});
  op.RequireQuantized(op.Output(), {input.type});
  const std::vector<std::int64_t> paddings = op.Integers(1, "the paddings");
  op.Require(paddings.size() == 2 * input.shape.size(), "there are {} paddings for {} dimensions",
             paddings.size(), input.shape.size());
  Pad pad;
  Shape shape = input.shape;
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
    const Tensor& value = op.Input(2);
    RequireSameType(op, value, input);
    op.Require(value.IsConstant() && value.Elements() == 1, "the value ({}) must be one constant",
               value.name);
    const std::uint8_t byte = value.DataBytes()[0];
    pad.fill = input.type == ElementType::kInt8 ? static_cast<std::int8_t>(byte) : byte;
  }
  return pad;
}

Attributes DecodeConcatenation(OperatorReader& op) {
  op.RequireCounts(1, std::numeric_limits<std::size_t>::max());
  const auto options = op.OptionsOrDefault<schema::ConcatenationOptionsT>();
  Shape shape = op.Input(0).shape;
  const std::size_t axis = op.Axis(options.axis, shape.size());
  std::int64_t total = 0;
  for (std::size_t i = 0; i < op.Inputs(); ++i) {
    const Tensor& input = Moved(op, i);
    op.Require(input.scale == op.Output().scale && input.zero_point == op.Output().zero_point,
               "{} and {} must have the same scale and zero point", input.name, op.Output().name);
    Shape other = input.shape;
    op.Require(other.size() == shape.size(), "{} does not have {} dimensions", input.name,
               shape.size());
    total += other[axis];
    other[axis] = shape[axis];
    op.Require(other == shape, "{} {} does not fit {} along axis {}", input.name, Text(input.shape),
               Text(shape), axis);
  }
  shape[axis] = total;
  op.SettleOutput(shape);
  return Concatenation{.axis = static_cast<std::int64_t>(axis),
                       .activation = op.FusedActivation(options.fused_activation_function)};
}

// Inputs: the axis, the tensor.
Attributes DecodeSplit(OperatorReader& op) {
  op.RequireCounts(2, 2, std::max<std::size_t>(op.Outputs(), 1));
  const Shape input = Moved(op, 1).shape;
  const std::size_t axis = op.Axis(op.Integer(0, "the axis"), input.size());
  const auto parts = static_cast<std::int64_t>(op.Outputs());
  op.Require(input[axis] % parts == 0, "a dimension of {} does not split into {}", input[axis],
             parts);
  SettleParts(op, input, axis, std::vector<std::int64_t>(op.Outputs(), input[axis] / parts));
  return SplitAxis{.axis = static_cast<std::int64_t>(axis)};
}

// Inputs: the tensor, sizes of which one may be -1, the axis.
Attributes DecodeSplitV(OperatorReader& op) {
  op.RequireCounts(3, 3, std::max<std::size_t>(op.Outputs(), 1));
  const Shape input = Moved(op, 0).shape;
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
  return SplitAxis{.axis = static_cast<std::int64_t>(axis)};
}

Attributes DecodeSlice(OperatorReader& op) {
  op.RequireCounts(3, 3);
  const Shape input = Moved(op, 0).shape;
  Slice slice = {.begin = op.Integers(1, "the begin"),
                 .size = op.Integers(2, "the size"),
                 .stride = std::vector<std::int64_t>(input.size(), 1)};
  op.Require(slice.begin.size() == input.size() && slice.size.size() == input.size(),
             "begin and size must have {} values", input.size());
  for (std::size_t i = 0; i < input.size(); ++i) {
    const std::int64_t begin = slice.begin[i];
    op.Require(begin >= 0 && begin <= input[i], "begin {} is outside a dimension of {}", begin,
               input[i]);
    if (slice.size[i] == -1) slice.size[i] = input[i] - begin;
    op.Require(slice.size[i] >= 0 && slice.size[i] <= input[i] - begin,
               "size {} from {} is outside a dimension of {}", slice.size[i], begin, input[i]);
  }
  op.SettleOutput(slice.size);
  return slice;
}

// Inputs: the tensor, begin, end, strides.
Attributes DecodeStridedSlice(OperatorReader& op) {
  op.RequireCounts(4, 4);
  const auto options = op.OptionsOrDefault<schema::StridedSliceOptionsT>();
  op.Require(options.ellipsis_mask == 0 && options.new_axis_mask == 0 && !options.offset,
             "ellipsis, new axes and offsets are not supported");
  const Shape input = Moved(op, 0).shape;
  const std::vector<std::int64_t> begin = op.Integers(1, "the begin");
  const std::vector<std::int64_t> end = op.Integers(2, "the end");
  const std::vector<std::int64_t> strides = op.Integers(3, "the strides");
  op.Require(
      begin.size() <= input.size() && end.size() == begin.size() && strides.size() == begin.size(),
      "begin, end and strides must have the same number of values, at most {}", input.size());
  Slice slice;
  Shape shape;
  for (std::size_t i = 0; i < input.size(); ++i) {
    AxisBounds bounds = {.whole_begin = true, .whole_end = true};
    if (i < begin.size()) {
      bounds = {.begin = begin[i],
                .end = end[i],
                .stride = strides[i],
                .whole_begin = Bit(options.begin_mask, i),
                .whole_end = Bit(options.end_mask, i),
                .shrink = Bit(options.shrink_axis_mask, i)};
    }
    const AxisSlice axis = SliceAxis(op, bounds, input[i]);
    slice.begin.push_back(axis.begin);
    slice.size.push_back(axis.count);
    slice.stride.push_back(axis.stride);
    if (!bounds.shrink) shape.push_back(axis.count);
  }
  op.SettleOutput(shape);
  return slice;
}

Attributes DecodePack(OperatorReader& op) {
  op.RequireCounts(1, std::numeric_limits<std::size_t>::max());
  Shape shape = op.Input(0).shape;
  for (std::size_t i = 0; i < op.Inputs(); ++i) {
    const Tensor& input = Moved(op, i);
    op.Require(input.shape == shape, "{} is {}, not {}", input.name, Text(input.shape),
               Text(shape));
  }
  const std::size_t axis =
      op.Axis(op.OptionsOrDefault<schema::PackOptionsT>().axis, shape.size() + 1);
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis),
               static_cast<std::int64_t>(op.Inputs()));
  op.SettleOutput(shape);
  return Pack{.axis = static_cast<std::int64_t>(axis)};
}

Attributes DecodeUnpack(OperatorReader& op) {
  op.RequireCounts(1, 1, std::max<std::size_t>(op.Outputs(), 1));
  Shape shape = Moved(op, 0).shape;
  const std::size_t axis =
      op.Axis(op.OptionsOrDefault<schema::UnpackOptionsT>().axis, shape.size());
  op.Require(shape[axis] == static_cast<std::int64_t>(op.Outputs()),
             "there are {} outputs for a dimension of {}", op.Outputs(), shape[axis]);
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
  for (std::size_t i = 0; i < op.Outputs(); ++i) op.SettleOutput(shape, i);
  return Unpack{.axis = static_cast<std::int64_t>(axis)};
}

Attributes DecodeTranspose(OperatorReader& op) {
  op.RequireCounts(2, 2);
  const Shape input = Moved(op, 0).shape;
  Transpose transpose = {.permutation = op.Integers(1, "the permutation")};
  Shape sorted = transpose.permutation;
  std::sort(sorted.begin(), sorted.end());
  Shape axes(input.size());
  std::iota(axes.begin(), axes.end(), 0);
  op.Require(sorted == axes, "{} is no permutation of {} axes", Text(transpose.permutation),
             input.size());
  Shape shape;
  for (const std::int64_t axis : transpose.permutation) {
    shape.push_back(input[static_cast<std::size_t>(axis)]);
  }
  op.SettleOutput(shape);
  return transpose;
}

Attributes DecodeGather(OperatorReader& op) {
  op.RequireCounts(2, 2);
  const auto options = op.OptionsOrDefault<schema::GatherOptionsT>();
  op.Require(options.batch_dims == 0, "batch dimensions are not supported");
  const Shape input = Moved(op, 0).shape;
  const std::size_t axis = op.Axis(options.axis, input.size());
  Gather gather = {.axis = static_cast<std::int64_t>(axis),
                   .indices = op.Integers(1, "the indices")};
  for (const std::int64_t index : gather.indices) {
    op.Require(index >= 0 && index < input[axis], "index {} is outside a dimension of {}", index,
               input[axis]);
  }
  const Shape& inner = op.Input(1).shape;
  const auto at = input.begin() + static_cast<std::ptrdiff_t>(axis);
  Shape shape(input.begin(), at);
  shape.insert(shape.end(), inner.begin(), inner.end());
  shape.insert(shape.end(), at + 1, input.end());
  op.SettleOutput(shape);
  return gather;
}

Attributes DecodeSpaceToBatch(OperatorReader& op, bool inverse) {
  op.RequireCounts(3, 3);
  const Tensor& input = Moved(op, 0);
  op.RequireQuantized(input, {ElementType::kInt8, ElementType::kUint8});
  op.RequireQuantized(op.Output(), {input.type});
  Shape shape = input.shape;
  op.Require(shape.size() == 3 || shape.size() == 4, "{} has {} dimensions instead of 3 or 4",
             input.name, shape.size());
  const std::size_t axes = shape.size() - 2;
  const char* margins = inverse ? "the crops" : "the paddings";
  const std::vector<std::int64_t> block = op.Integers(1, "the block shape");
  const std::vector<std::int64_t> margin = op.Integers(2, margins);
  op.Require(block.size() == axes && margin.size() == 2 * axes,
             "there are {} block sizes and {} margins for {} axes", block.size(), margin.size(),
             axes);
  SpaceToBatch result = {.inverse = inverse};
  for (std::size_t a = 0; a < axes; ++a) {
    std::int64_t& size = shape[a + 1];
    op.Require(block[a] >= 1 && block[a] <= kMostBlock, "a block size is {} instead of 1 to {}",
               block[a], kMostBlock);
    for (const std::int64_t m : {margin[2 * a], margin[2 * a + 1]}) {
      op.Require(m >= 0 && m <= std::numeric_limits<std::int32_t>::max(), "one of {} is {}",
                 margins, m);
    }
    const std::int64_t both = margin[2 * a] + margin[2 * a + 1];
    if (inverse) {
      op.Require(shape[0] % block[a] == 0, "the batch of {} is no multiple of the blocks",
                 input.name);
      shape[0] /= block[a];
      size = size * block[a] - both;
      op.Require(size >= 1, "the crops leave nothing of axis {}", a + 1);
    } else {
      op.Require((size + both) % block[a] == 0,
                 "axis {} with its paddings, {}, is no multiple of {}", a + 1, size + both,
                 block[a]);
      shape[0] *= block[a];
      size = (size + both) / block[a];
    }
    result.block.at(a) = block[a];
    result.before.at(a) = margin[2 * a];
  }
  op.SettleOutput(shape);
  return result;
}

Attributes DecodeSpaceToDepth(OperatorReader& op, bool inverse) {
  op.RequireCounts(1, 1);
  Shape shape = Moved(op, 0).shape;
  op.Require(shape.size() == 4, "{} has {} dimensions instead of 4", op.Input(0).name,
             shape.size());
  const std::int64_t block = inverse ? op.OptionsAs<schema::DepthToSpaceOptionsT>().block_size
                                     : op.OptionsAs<schema::SpaceToDepthOptionsT>().block_size;
  op.Require(block >= 1 && block <= kMostBlock, "the block size is {} instead of 1 to {}", block,
             kMostBlock);
  if (inverse) {
    op.Require(shape[3] % (block * block) == 0, "{} channels are no multiple of {}", shape[3],
               block * block);
    shape = {shape[0], shape[1] * block, shape[2] * block, shape[3] / (block * block)};
  } else {
    op.Require(shape[1] % block == 0 && shape[2] % block == 0,
               "{} x {} pixels are no multiple of {}", shape[1], shape[2], block);
    shape = {shape[0], shape[1] / block, shape[2] / block, shape[3] * block * block};
  }
  op.SettleOutput(shape);
  return SpaceToDepth{.block = block, .inverse = inverse};
}

Attributes DecodeTile(OperatorReader& op) {
  op.RequireCounts(2, 2);
  Shape shape = Moved(op, 0).shape;
  Replicate tile = {.multiples = op.Integers(1, "the multiples")};
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

}  // namespace tpu::compiler
