// SPDX-License-Identifier: Apache-2.0
// Resize.
#include <algorithm>
#include <cmath>

#include "frontends/onnx/convert.h"
#include "frontends/onnx/window.h"
#include "ir/limits.h"

namespace tpu::onnx {
namespace {

// Along one axis.
struct Resized {
  std::int64_t from = 1;
  std::int64_t to = 1;
  float scale = 1.0F;
};

std::vector<Resized> ReadSizes(const NodeReader& op, const Value& x) {
  std::vector<Resized> axes;
  for (const std::int64_t d : x.shape) axes.push_back({.from = d});
  NodeReader::Require(!op.Ints("axes"), "axes are not supported");
  NodeReader::Require(op.Text("keep_aspect_ratio_policy", "stretch") == "stretch",
                      "keep_aspect_ratio_policy is not supported");
  if (op.HasInput(3)) {
    const std::vector<std::int64_t> sizes = op.Integers(3);
    NodeReader::Require(sizes.size() == axes.size(), "{} sizes for {} axes", sizes.size(),
                        axes.size());
    for (std::size_t i = 0; i < axes.size(); ++i) {
      axes[i].to = sizes[i];
      axes[i].scale = static_cast<float>(sizes[i]) / static_cast<float>(axes[i].from);
    }
  } else {
    const Array& scales = op.Constant(2);
    NodeReader::Require(scales.type == ElementType::kFloat32, "{} must be float32", scales.name);
    const std::vector<float> factors = scales.Floats();
    NodeReader::Require(factors.size() == axes.size(), "{} scales for {} axes", factors.size(),
                        axes.size());
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const float size = std::floor(static_cast<float>(axes[i].from) * factors[i]);
      NodeReader::Require(size >= 1 && size <= static_cast<float>(ir::kMostImage),
                          "the scale {} is out of range", factors[i]);
      axes[i].to = static_cast<std::int64_t>(size);
      axes[i].scale = factors[i];
    }
  }
  for (const Resized& axis : axes) {
    NodeReader::Require(axis.to >= 1 && axis.to <= ir::kMostImage, "the size {} is out of range",
                        axis.to);
  }
  NodeReader::Require(axes.size() == 4 && axes[0].from == axes[0].to && axes[1].from == axes[1].to,
                      "only the two spatial axes of an image can be resized");
  return axes;
}

// Where a pixel of the result lies in the image.
float Coordinate(const Resized& axis, std::int64_t pixel, const std::string& mode) {
  const auto i = static_cast<float>(pixel);
  if (mode == "asymmetric") return i / axis.scale;
  if (mode == "align_corners") {
    return axis.to == 1 ? 0.0F
                        : i * static_cast<float>(axis.from - 1) / static_cast<float>(axis.to - 1);
  }
  NodeReader::Require(mode == "half_pixel" || mode == "pytorch_half_pixel",
                      "coordinate_transformation_mode {} is not supported", mode);
  if (mode == "pytorch_half_pixel" && axis.to == 1) return 0.0F;
  return (i + 0.5F) / axis.scale - 0.5F;
}

float Nearest(float x, const std::string& mode) {
  if (mode == "floor") return std::floor(x);
  if (mode == "ceil") return std::ceil(x);
  if (mode == "round_prefer_ceil") return std::floor(x + 0.5F);
  NodeReader::Require(mode == "round_prefer_floor", "nearest_mode {} is not supported", mode);
  return std::ceil(x - 0.5F);
}

Graph::Tensor TakeNearest(const NodeReader& op, Graph::Tensor image, const Resized& axis,
                          std::int64_t position) {
  if (axis.from == axis.to) return image;
  const std::string mode = op.Text("coordinate_transformation_mode", "half_pixel");
  const std::string rounding = op.Text("nearest_mode", "round_prefer_floor");
  std::vector<std::int64_t> indices;
  for (std::int64_t i = 0; i < axis.to; ++i) {
    const float pixel = Nearest(Coordinate(axis, i, mode), rounding);
    indices.push_back(std::clamp<std::int64_t>(static_cast<std::int64_t>(pixel), 0, axis.from - 1));
  }
  return op.graph().Gather(image, position, indices, {}, {.name = op.ResultName()});
}

Graph::Tensor Interpolate(const NodeReader& op, Graph::Tensor image,
                          const std::vector<Resized>& axes) {
  const Value& x = op.Activations(0);
  const std::string mode = op.Text("coordinate_transformation_mode", "half_pixel");
  // Checks the mode. TensorFlow Lite's scales are quotients of the sizes.
  (void)Coordinate(axes[2], 0, mode);
  for (const Resized& axis : {axes[2], axes[3]}) {
    NodeReader::Require(axis.scale * static_cast<float>(axis.from) == static_cast<float>(axis.to),
                        "the scale {} does not make a whole number of pixels of {}", axis.scale,
                        axis.from);
  }
  if (op.FindTarget()) {
    NodeReader::Require(op.To().scale >= x.meaning->scale,
                        "the result's scale {} is below the input's {}, which would lose precision",
                        op.To().scale, x.meaning->scale);
  }
  return op.graph().Resize(
      ResizeKind::kBilinear, image,
      {.h = static_cast<std::int32_t>(axes[2].to), .w = static_cast<std::int32_t>(axes[3].to)},
      mode == "align_corners", mode == "half_pixel" || mode == "pytorch_half_pixel",
      {.name = op.ResultName(), .operator_name = op.OperatorName()});
}

}  // namespace

Value ConvertResize(const NodeReader& op) {
  const Value& x = op.Input(0);
  NodeReader::Require(x.constant == nullptr, "{} is constant", x.name);
  NodeReader::Require(op.Int("antialias", 0) == 0, "antialias is not supported");
  const std::vector<Resized> axes = ReadSizes(op, x);
  const std::string mode = op.Text("mode", "nearest");
  NodeReader::Require(mode == "nearest" || mode == "linear", "mode {} is not supported", mode);
  Graph::Tensor resized = Image(op, x);
  if (mode == "nearest") {
    resized = TakeNearest(op, TakeNearest(op, resized, axes[2], 1), axes[3], 2);
  } else {
    resized = Interpolate(op, resized, axes);
  }
  const Shape s = op.graph().Info(resized).shape;
  return Builder::Moved(x, op.ResultName(), {s[0], s[3], s[1], s[2]}, ChannelsLast(4), resized);
}

}  // namespace tpu::onnx
