// SPDX-License-Identifier: Apache-2.0
// Operators that copy what other tensors point to: moves where these are constant. And operators
// that repeat or mirror elements.
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "frontends/tflite/operator_reader.h"

namespace tpu::tflite {
namespace {

namespace schema = tflite::schema;

void RequireIndex(const OperatorReader& op, std::int64_t index, std::int64_t size) {
  op.Require(index >= 0 && index < size, "index {} is outside a dimension of {}", index, size);
}

}  // namespace

ir::Attributes DecodeGather(OperatorReader& op) {
  op.RequireCounts(2, 2);
  const auto options = op.OptionsOrDefault<schema::GatherOptionsT>();
  const ir::Shape input = op.Moved(0).shape;
  const ir::Shape indices = op.Input(1).shape;
  const std::size_t axis = op.Axis(options.axis, input.size());
  const std::int64_t batch_dims =
      options.batch_dims + (options.batch_dims < 0 ? static_cast<std::int64_t>(indices.size()) : 0);
  op.Require(
      batch_dims >= 0 && batch_dims <= static_cast<std::int64_t>(std::min(axis, indices.size())),
      "{} dimensions of a batch before axis {}", batch_dims, axis);
  const auto at = input.begin() + static_cast<std::ptrdiff_t>(axis);
  ir::Shape shape(input.begin(), at);
  shape.insert(shape.end(), indices.begin() + static_cast<std::ptrdiff_t>(batch_dims),
               indices.end());
  shape.insert(shape.end(), at + 1, input.end());
  op.SettleOutput(shape);
  if (!op.IsKnown(1) || batch_dims > 0) {
    op.Operand(1);
    return ir::HostOperator{
        host_operators::Gather{.axis = static_cast<std::int64_t>(axis), .batch_dims = batch_dims}};
  }
  ir::Gather gather = {.axis = static_cast<std::int64_t>(axis),
                       .indices = op.Integers(1, "the indices")};
  for (const std::int64_t index : gather.indices) RequireIndex(op, index, input[axis]);
  return gather;
}

ir::Attributes DecodeGatherNd(OperatorReader& op) {
  op.RequireCounts(2, 2);
  const ir::Shape input = op.Moved(0).shape;
  const ir::Shape indices = op.Input(1).shape;
  op.Require(!indices.empty() && indices.back() >= 1 &&
                 indices.back() <= static_cast<std::int64_t>(input.size()),
             "indices {} do not fit {}", Text(indices), Text(input));
  const auto depth = static_cast<std::size_t>(indices.back());
  ir::Shape shape(indices.begin(), indices.end() - 1);
  shape.insert(shape.end(), input.begin() + static_cast<std::ptrdiff_t>(depth), input.end());
  op.SettleOutput(shape);
  if (!op.IsKnown(1)) {
    op.Operand(1);
    return ir::HostOperator{host_operators::GatherNd{}};
  }
  ir::Gather gather = {.axis = 0, .indices = {}, .axes = indices.back()};
  const std::vector<std::int64_t> values = op.Integers(1, "the indices");
  for (std::size_t i = 0; i < values.size(); i += depth) {
    std::int64_t place = 0;
    for (std::size_t d = 0; d < depth; ++d) {
      RequireIndex(op, values[i + d], input[d]);
      place = place * input[d] + values[i + d];
    }
    gather.indices.push_back(place);
  }
  return gather;
}

// Inputs: the rows, the table.
ir::Attributes DecodeEmbeddingLookup(OperatorReader& op) {
  op.RequireCounts(2, 2);
  op.RequireRank(op.Input(0), 1);
  ir::Shape shape = op.Input(1).shape;
  op.Require(shape.size() >= 2, "{} must have 2 dimensions or more", op.Input(1).name);
  const std::int64_t rows = shape[0];
  shape[0] = op.Input(0).shape[0];
  if (!op.IsKnown(0) || op.Input(1).type != op.Output().type) {
    op.Operand(0);
    op.Operand(1);
    op.SettleOutput(shape);
    return ir::HostOperator{host_operators::EmbeddingLookup{}};
  }
  op.Moved(1);
  op.SettleOutput(shape);
  ir::Gather gather = {.axis = 0, .indices = op.Integers(0, "the rows")};
  for (const std::int64_t index : gather.indices) RequireIndex(op, index, rows);
  return gather;
}

ir::Attributes DecodeDynamicUpdateSlice(OperatorReader& op) {
  op.RequireCounts(3, 3);
  const ir::Shape shape = op.Moved(0).shape;
  const ir::Shape part = op.Moved(1).shape;
  op.SettleOutput(shape);
  op.Require(part.size() == shape.size(), "{} and {} differ in rank", Text(shape), Text(part));
  for (std::size_t i = 0; i < shape.size(); ++i) {
    op.Require(part[i] <= shape[i], "{} is larger than {}", Text(part), Text(shape));
  }
  if (!op.IsKnown(2)) {
    op.Operand(2);
    return ir::HostOperator{host_operators::DynamicUpdateSlice{}};
  }
  ir::UpdateSlice update = {.begin = op.Integers(2, "the begin")};
  op.Require(update.begin.size() == shape.size(), "the begin must have {} values", shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) {
    update.begin[i] = std::min(std::max<std::int64_t>(update.begin[i], 0), shape[i] - part[i]);
  }
  return update;
}

ir::Attributes DecodeBroadcastTo(OperatorReader& op) {
  op.RequireCounts(2, 2);
  const ir::Shape shape = op.Integers(1, "the new shape");
  op.Require(Broadcast(op, op.Moved(0).shape, shape) == shape, "{} does not broadcast to {}",
             Text(op.Input(0).shape), Text(shape));
  op.SettleOutput(shape);
  return ir::BroadcastTo{};
}

// Inputs: the shape, the value.
ir::Attributes DecodeFill(OperatorReader& op) {
  op.RequireCounts(2, 2);
  op.Require(op.Moved(1).Elements() == 1, "the value ({}) must be one", op.Input(1).name);
  if (op.IsKnown(0)) {
    op.SettleOutput(op.Integers(0, "the shape"));
  } else {
    op.Require(!op.OutputIsOpen(), "the shape ({}) must be constant", op.Input(0).name);
  }
  return ir::BroadcastTo{};
}

ir::Attributes DecodeReverse(OperatorReader& op) {
  op.RequireCounts(2, 2);
  const ir::Shape shape = op.Moved(0).shape;
  op.SettleOutput(shape);
  ir::Slice slice = {
      .begin = ir::Shape(shape.size(), 0), .size = shape, .stride = ir::Shape(shape.size(), 1)};
  for (const std::int64_t value : op.Integers(1, "the axes")) {
    const std::size_t axis = op.Axis(value, shape.size());
    slice.begin[axis] = shape[axis] - 1;
    slice.stride[axis] = -1;
  }
  return slice;
}

ir::Attributes DecodeMirrorPad(OperatorReader& op) {
  op.RequireCounts(2, 2);
  const auto options = op.OptionsOrDefault<schema::MirrorPadOptionsT>();
  ir::Shape shape = op.Moved(0).shape;
  const std::vector<std::int64_t> paddings = op.Integers(1, "the paddings");
  op.Require(paddings.size() == 2 * shape.size(), "there are {} paddings for {} dimensions",
             paddings.size(), shape.size());
  ir::MirrorPad pad = {
      .before = {}, .after = {}, .offset = options.mode == schema::MirrorPadMode::REFLECT ? 1 : 0};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    for (const std::int64_t padding : {paddings[2 * i], paddings[2 * i + 1]}) {
      op.Require(padding >= 0 && padding <= shape[i] - pad.offset,
                 "a padding of {} is more than a dimension of {} has to mirror", padding, shape[i]);
    }
    pad.before.push_back(paddings[2 * i]);
    pad.after.push_back(paddings[2 * i + 1]);
    shape[i] += paddings[2 * i] + paddings[2 * i + 1];
  }
  op.SettleOutput(shape);
  return pad;
}

}  // namespace tpu::tflite
