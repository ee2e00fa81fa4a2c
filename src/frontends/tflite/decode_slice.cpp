// SPDX-License-Identifier: Apache-2.0
// Operators that take a part of a tensor.
#include <algorithm>

#include "frontends/tflite/operator_reader.h"

namespace tpu::tflite {
namespace {

namespace schema = tflite::schema;

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

ir::Attributes DecodeSlice(OperatorReader& op) {
  op.RequireCounts(3, 3);
  const ir::Shape input = op.Moved(0).shape;
  ir::Slice slice = {.begin = op.Integers(1, "the begin"),
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
ir::Attributes DecodeStridedSlice(OperatorReader& op) {
  op.RequireCounts(4, 4);
  const auto options = op.OptionsOrDefault<schema::StridedSliceOptionsT>();
  op.Require(options.ellipsis_mask == 0 && options.new_axis_mask == 0 && !options.offset,
             "ellipsis, new axes and offsets are not supported");
  const ir::Shape input = op.Moved(0).shape;
  const std::vector<std::int64_t> begin = op.Integers(1, "the begin");
  const std::vector<std::int64_t> end = op.Integers(2, "the end");
  const std::vector<std::int64_t> strides = op.Integers(3, "the strides");
  op.Require(
      begin.size() <= input.size() && end.size() == begin.size() && strides.size() == begin.size(),
      "begin, end and strides must have the same number of values, at most {}", input.size());
  ir::Slice slice;
  ir::Shape shape;
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

}  // namespace tpu::tflite
