// SPDX-License-Identifier: Apache-2.0
// The same elements under other shapes, and arithmetic on shapes.
#include <algorithm>
#include <functional>
#include <numeric>

#include "frontends/onnx/convert.h"
#include "frontends/onnx/window.h"
#include "ir/limits.h"

namespace tpu::onnx {
namespace {

Value WithShape(const NodeReader& op, const Value& x, const Shape& shape) {
  NodeReader::Require(!x.quantisation || x.quantisation->scales.size() == 1,
                      "{} has several scales", x.name);
  return op.builder().Reshaped(x, op.ResultName(), shape);
}

std::int64_t Product(const Shape& shape, std::size_t begin, std::size_t end) {
  return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(begin),
                         shape.begin() + static_cast<std::ptrdiff_t>(end), std::int64_t{1},
                         std::multiplies<>());
}

std::vector<std::size_t> AxesOf(const std::vector<std::int64_t>& list, std::size_t rank) {
  std::vector<std::size_t> axes;
  for (const std::int64_t axis : list) axes.push_back(NodeReader::Axis(axis, rank));
  std::ranges::sort(axes);
  NodeReader::Require(std::ranges::adjacent_find(axes) == axes.end(), "an axis stands twice");
  return axes;
}

std::int64_t BlockSize(const NodeReader& op) {
  const std::int64_t block = op.Int("blocksize", 0);
  NodeReader::Require(block >= 1 && block <= ir::kMostBlock, "blocksize is {}", block);
  NodeReader::Require(op.Input(0).constant == nullptr && op.Input(0).shape.size() == 4,
                      "{} must have 4 axes", op.Input(0).name);
  return block;
}

Value MovedImage(const NodeReader& op, Graph::Tensor image) {
  const Shape s = op.graph().Info(image).shape;
  return Builder::Moved(op.Input(0), op.ResultName(), {s[0], s[3], s[1], s[2]}, ChannelsLast(4),
                        image);
}

}  // namespace

Value ConvertReshape(const NodeReader& op) {
  const Value& x = op.Input(0);
  Shape shape = op.Integers(1);
  const bool zeros_copy = op.Int("allowzero", 0) == 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0 && zeros_copy && i < x.shape.size()) shape[i] = x.shape[i];
  }
  const auto open = std::ranges::find(shape, -1);
  std::int64_t known = 1;
  for (const std::int64_t d : shape) {
    NodeReader::Require(d == -1 || (d >= 1 && d <= ir::kMostElements / known),
                        "[{}] is no shape of a tensor", fmt::join(shape, ", "));
    if (d != -1) known *= d;
  }
  const std::int64_t elements = Product(x.shape, 0, x.shape.size());
  if (open != shape.end()) *open = elements / known;
  NodeReader::Require(
      std::ranges::count(shape, -1) == 0 && Product(shape, 0, shape.size()) == elements,
      "the shape [{}] does not have the {} elements of {}", fmt::join(shape, ", "), elements,
      x.name);
  return WithShape(op, x, shape);
}

Value ConvertFlatten(const NodeReader& op) {
  const Value& x = op.Input(0);
  const std::size_t rank = x.shape.size();
  const std::int64_t given = op.Int("axis", 1);
  const std::size_t axis =
      given == static_cast<std::int64_t>(rank) ? rank : NodeReader::Axis(given, rank);
  return WithShape(op, x, {Product(x.shape, 0, axis), Product(x.shape, axis, rank)});
}

Value ConvertSqueeze(const NodeReader& op) {
  const Value& x = op.Input(0);
  const std::size_t rank = x.shape.size();
  const auto list = op.IntsOrInput("axes", 1);
  const std::vector<std::size_t> axes = AxesOf(list.value_or(std::vector<std::int64_t>{}), rank);
  Shape shape;
  for (std::size_t i = 0; i < rank; ++i) {
    const bool drops = list ? std::ranges::binary_search(axes, i) : x.shape[i] == 1;
    NodeReader::Require(!drops || x.shape[i] == 1, "axis {} has {} elements", i, x.shape[i]);
    if (!drops) shape.push_back(x.shape[i]);
  }
  return WithShape(op, x, shape);
}

Value ConvertUnsqueeze(const NodeReader& op) {
  const Value& x = op.Input(0);
  const auto list = op.IntsOrInput("axes", 1);
  NodeReader::Require(list.has_value(), "axes are missing");
  Shape shape = x.shape;
  for (const std::size_t axis : AxesOf(*list, x.shape.size() + list->size())) {
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  }
  return WithShape(op, x, shape);
}

Value ConvertDepthToSpace(const NodeReader& op) {
  const std::int64_t block = BlockSize(op);
  const std::string mode = op.Text("mode", "DCR");
  NodeReader::Require(mode == "DCR" || mode == "CRD", "mode {} is not supported", mode);
  Graph::Tensor image = Image(op, op.Input(0));
  const std::int64_t channels = op.Input(0).shape[1];
  NodeReader::Require(channels <= ir::kMostImage, "{} channels are too many", channels);
  NodeReader::Require(channels % (block * block) == 0, "{} channels are no multiple of {}",
                      channels, block * block);
  if (mode == "CRD") {
    // The channels of one pixel of the result lie together afterwards.
    std::vector<std::int64_t> order;
    for (std::int64_t i = 0; i < block * block; ++i) {
      for (std::int64_t c = i; c < channels; c += block * block) order.push_back(c);
    }
    image = op.graph().Gather(image, 3, order);
  }
  return MovedImage(
      op, op.graph().DepthToSpace(image, block,
                                  {.name = op.ResultName(), .operator_name = op.OperatorName()}));
}

Value ConvertSpaceToDepth(const NodeReader& op) {
  const std::int64_t block = BlockSize(op);
  return MovedImage(
      op, op.graph().SpaceToDepth(Image(op, op.Input(0)), block,
                                  {.name = op.ResultName(), .operator_name = op.OperatorName()}));
}

Value ConvertShape(const NodeReader& op) {
  NodeReader::Require(op.Int("start", 0) == 0 && op.Find("end") == nullptr,
                      "start and end are not supported");
  const Shape& shape = op.Input(0).shape;
  const Shape list = {static_cast<std::int64_t>(shape.size())};
  return {.name = op.ResultName(),
          .shape = list,
          .type = ElementType::kInt64,
          .constant = std::make_shared<const Array>(
              IntegerArray(op.ResultName(), ElementType::kInt64, list, shape))};
}

Value ConvertCast(const NodeReader& op) {
  const Array& array = op.Constant(0);
  // TensorProto's numbers of int32 and int64.
  const std::int64_t to = op.Int("to", 0);
  NodeReader::Require(array.type != ElementType::kFloat32 && (to == 6 || to == 7),
                      "only integers are converted, to int32 or int64");
  const ElementType type = to == 6 ? ElementType::kInt32 : ElementType::kInt64;
  Value result = op.Input(0);
  result.name = op.ResultName();
  result.type = type;
  result.constant = std::make_shared<const Array>(
      IntegerArray(op.ResultName(), type, result.shape, array.Integers()));
  return result;
}

}  // namespace tpu::onnx
