// SPDX-License-Identifier: Apache-2.0
#include "frontends/onnx/window.h"

#include <algorithm>

#include "ir/limits.h"
#include "ir/range.h"

namespace tpu::onnx {
namespace {

// Sizes and margins along one axis.
struct Axis {
  std::int64_t image = 1;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t before = 0;
  std::int64_t after = 0;

  [[nodiscard]] std::int64_t Reach() const { return (kernel - 1) * dilation + 1; }
  // As much padding as makes ceil(image / stride) outputs.
  void PadSame(bool lower) {
    const std::int64_t outputs = ir::CeilDiv(image, stride);
    const std::int64_t total = std::max<std::int64_t>((outputs - 1) * stride + Reach() - image, 0);
    before = lower ? total - total / 2 : total / 2;
    after = total - before;
  }
  // ceil_mode: a last window that begins in the image or its padding before may leave the image.
  void PadCeil() {
    const std::int64_t rest = (image + before + after - Reach()) % stride;
    if (rest == 0) return;
    const std::int64_t begin = image + before + after - Reach() - rest + stride;
    if (begin < image + before) after += stride - rest;
  }
};

std::vector<std::int64_t> ListOf(const NodeReader& op, std::string_view name, std::size_t count,
                                 std::int64_t otherwise) {
  std::vector<std::int64_t> list =
      op.Ints(name).value_or(std::vector<std::int64_t>(count, otherwise));
  NodeReader::Require(list.size() == count, "{} has {} numbers; should have {}", name, list.size(),
                      count);
  for (const std::int64_t number : list) {
    NodeReader::Require(number >= 0 && number <= ir::kMostWindow,
                        "{} has {}, which is out of range", name, number);
  }
  return list;
}

void SetPadding(const NodeReader& op, std::vector<Axis>& axes) {
  const std::string mode = op.Text("auto_pad", "NOTSET");
  NodeReader::Require(
      mode == "NOTSET" || mode == "VALID" || mode == "SAME_UPPER" || mode == "SAME_LOWER",
      "auto_pad is {}", mode);
  const std::vector<std::int64_t> pads = ListOf(op, "pads", 2 * axes.size(), 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Axis& axis = axes[i];
    NodeReader::Require(axis.stride >= 1 && axis.kernel >= 1 && axis.dilation >= 1,
                        "kernel, strides and dilations must be at least 1");
    if (mode == "NOTSET") {
      axis.before = pads[i];
      axis.after = pads[axes.size() + i];
    } else if (mode != "VALID") {
      axis.PadSame(mode == "SAME_LOWER");
    }
    NodeReader::Require(axis.image + axis.before + axis.after >= axis.Reach(),
                        "the window is larger than the image");
    if (op.Int("ceil_mode", 0) != 0) axis.PadCeil();
  }
}

std::int32_t Narrow(std::int64_t number) { return static_cast<std::int32_t>(number); }

}  // namespace

Window ReadWindow(const NodeReader& op, const std::vector<std::int64_t>& image,
                  std::vector<std::int64_t> kernel) {
  const std::size_t rank = image.size();
  NodeReader::Require(rank == 1 || rank == 2, "has {} spatial axes; should have 1 or 2", rank);
  if (kernel.empty()) kernel = ListOf(op, "kernel_shape", rank, 0);
  NodeReader::Require(kernel.size() == rank, "the kernel has {} axes; should have {}",
                      kernel.size(), rank);
  const std::vector<std::int64_t> strides = ListOf(op, "strides", rank, 1);
  const std::vector<std::int64_t> dilations = ListOf(op, "dilations", rank, 1);
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < rank; ++i) {
    axes.push_back(
        {.image = image[i], .kernel = kernel[i], .stride = strides[i], .dilation = dilations[i]});
  }
  SetPadding(op, axes);
  const Axis w = axes.back();
  const Axis h = rank == 2 ? axes.front() : Axis{};
  return {.kernel = {.h = Narrow(h.kernel), .w = Narrow(w.kernel)},
          .options = {.stride = {.h = Narrow(h.stride), .w = Narrow(w.stride)},
                      .dilation = {.h = Narrow(h.dilation), .w = Narrow(w.dilation)},
                      .padding = {.top = Narrow(h.before),
                                  .left = Narrow(w.before),
                                  .bottom = Narrow(h.after),
                                  .right = Narrow(w.after)}}};
}

Graph::Tensor Image(const NodeReader& op, const Value& value) {
  const std::size_t rank = value.shape.size();
  NodeReader::Require(rank == 3 || rank == 4, "{} has {} axes; should have 3 or 4", value.name,
                      rank);
  const Graph::Tensor tensor = op.builder().Stored(value, ChannelsLast(rank));
  if (rank == 4) return tensor;
  const Shape& s = value.shape;
  return op.graph().Reshape(tensor, {s[0], 1, s[2], s[1]});
}

std::vector<std::int64_t> ImageSize(const Value& value) {
  NodeReader::Require(value.shape.size() >= 3, "{} has no spatial axes", value.name);
  return {value.shape.begin() + 2, value.shape.end()};
}

Value MadeImage(const NodeReader& op, const Value& like, Graph::Tensor tensor) {
  const Shape s = op.graph().Info(tensor).shape;
  const std::size_t rank = like.shape.size();
  if (rank == 4) return op.Made({s[0], s[3], s[1], s[2]}, ChannelsLast(rank), tensor);
  const Graph::Tensor line =
      op.graph().Reshape(tensor, {s[0], s[2], s[3]}, {.name = op.ResultName()});
  return op.Made({s[0], s[3], s[2]}, ChannelsLast(rank), line);
}

}  // namespace tpu::onnx
