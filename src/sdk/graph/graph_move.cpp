// SPDX-License-Identifier: Apache-2.0
// Operators that move values without changing them.
#include <algorithm>
#include <limits>
#include <numeric>

#include "ir/limits.h"
#include "sdk/graph/graph_state.h"

namespace tpu {
namespace {

constexpr std::int64_t kMostMargin = std::numeric_limits<std::int32_t>::max();

std::ptrdiff_t Offset(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

// A list has an entry for each axis.
template <typename Operator>
void RequireEach(const Operator& op, const std::vector<std::int64_t>& list, std::size_t axes,
                 std::string_view what) {
  op.Require(list.size() == axes, "there are {} {} for {} axes", list.size(), what, axes);
}

template <typename Operator>
void RequireMargins(const Operator& op, const std::vector<std::int64_t>& before,
                    const std::vector<std::int64_t>& after, std::size_t axes) {
  for (const auto* margins : {&before, &after}) {
    RequireEach(op, *margins, axes, "margins");
    for (const std::int64_t margin : *margins) {
      op.Require(margin >= 0 && margin <= kMostMargin, "a margin is {}", margin);
    }
  }
}

// The least and the most that a tensor can be padded with.
std::pair<std::int64_t, std::int64_t> FillsOf(ElementType type) {
  if (type == ElementType::kFloat32) return {-32767, 32767};
  return type == ElementType::kInt8 ? std::pair{-128, 127} : std::pair{0, 255};
}

// The input as shapes of these sizes along an axis.
std::vector<Shape> Parts(const Shape& input, std::size_t axis,
                         const std::vector<std::int64_t>& sizes) {
  std::vector<Shape> shapes(sizes.size(), input);
  for (std::size_t i = 0; i < sizes.size(); ++i) shapes[i][axis] = sizes[i];
  return shapes;
}

}  // namespace

Graph::Tensor Graph::Reshape(Tensor input, Shape shape, const Result& result) {
  NewOperator op(*state_, ir::Reshape{}, result);
  const ir::Tensor& x = op.Operand(input);
  op.RequireMoved(x);
  op.Require(sdk::ElementsOf(shape) == x.Elements(), "the new shape {} does not have {} elements",
             sdk::Text(shape), x.Elements());
  return op.Make(ir::Reshape{}, std::move(shape));
}

Graph::Tensor Graph::Pad(Tensor input, const std::vector<std::int64_t>& before,
                         const std::vector<std::int64_t>& after, std::optional<std::int64_t> fill,
                         const Result& result) {
  NewOperator op(*state_, ir::Pad{}, result);
  const ir::Tensor& x = op.Operand(input);
  op.RequireType(x, {ElementType::kInt8, ElementType::kUint8, ElementType::kFloat32});
  op.RequireMoved(x);
  RequireMargins(op, before, after, x.shape.size());
  Shape shape = x.shape;
  for (std::size_t a = 0; a < shape.size(); ++a) shape[a] += before[a] + after[a];
  const std::int64_t value = fill.value_or(op.OnFloats() ? 0 : op.Output().zero_point);
  const auto [least, most] = FillsOf(x.type);
  op.Require(value >= least && value <= most, "the fill {} is not from {} to {}", value, least,
             most);
  return op.Make(ir::Pad{.before = before, .after = after, .fill = value}, std::move(shape));
}

Graph::Tensor Graph::Concatenation(std::span<const Tensor> inputs, std::int64_t axis,
                                   const Result& result) {
  NewOperator op(*state_, ir::Concatenation{}, result);
  op.Require(!inputs.empty(), "has no inputs");
  Shape shape;
  std::size_t a = 0;
  std::int64_t total = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ir::Tensor& x = op.Operand(inputs[i]);
    op.RequireMoved(x);
    op.RequireSameQuantization(x);
    if (i == 0) {
      shape = x.shape;
      a = op.Axis(axis, shape.size());
    }
    Shape other = x.shape;
    op.Require(other.size() == shape.size(), "{} does not have {} dimensions", x.name,
               shape.size());
    total += other[a];
    other[a] = shape[a];
    op.Require(other == shape, "{} {} does not fit {} along axis {}", x.name, sdk::Text(x.shape),
               sdk::Text(shape), a);
  }
  shape[a] = total;
  return op.Make(ir::Concatenation{.axis = static_cast<std::int64_t>(a)}, std::move(shape));
}

std::vector<Graph::Tensor> Graph::Split(Tensor input, std::int64_t axis,
                                        const std::vector<std::int64_t>& sizes,
                                        std::span<const Result> results) {
  NewOperator op(*state_, ir::SplitAxis{}, results.empty() ? Result{} : results.front());
  const ir::Tensor& x = op.Operand(input);
  op.RequireMoved(x);
  const std::size_t a = op.Axis(axis, x.shape.size());
  std::int64_t rest = x.shape[a];
  for (const std::int64_t size : sizes) {
    op.Require(size >= 1 && size <= rest, "the sizes [{}] do not make the dimension of {}",
               fmt::join(sizes, ", "), x.shape[a]);
    rest -= size;
  }
  op.Require(rest == 0, "the sizes [{}] do not make the dimension of {}", fmt::join(sizes, ", "),
             x.shape[a]);
  return op.MakeAll(ir::SplitAxis{.axis = static_cast<std::int64_t>(a)}, Parts(x.shape, a, sizes),
                    results);
}

Graph::Tensor Graph::Slice(Tensor input, const std::vector<std::int64_t>& begin,
                           const std::vector<std::int64_t>& size,
                           const std::vector<std::int64_t>& stride, const Result& result) {
  NewOperator op(*state_, ir::Slice{}, result);
  const ir::Tensor& x = op.Operand(input);
  op.RequireMoved(x);
  const std::size_t rank = x.shape.size();
  ir::Slice slice = {.begin = begin, .size = size, .stride = stride};
  if (stride.empty()) slice.stride.assign(rank, 1);
  RequireEach(op, begin, rank, "beginnings");
  RequireEach(op, size, rank, "sizes");
  RequireEach(op, slice.stride, rank, "strides");
  for (std::size_t a = 0; a < rank; ++a) {
    const std::int64_t d = x.shape[a];
    const bool starts_inside = begin[a] >= 0 && begin[a] < d && size[a] >= 1 && size[a] <= d &&
                               slice.stride[a] != 0 && std::abs(slice.stride[a]) <= kMostMargin;
    const std::int64_t last = starts_inside ? begin[a] + (size[a] - 1) * slice.stride[a] : -1;
    op.Require(last >= 0 && last < d,
               "{} elements from {} on with stride {} leave a dimension of {}", size[a], begin[a],
               slice.stride[a], d);
  }
  return op.Make(slice, size, /*may_be_reshaped=*/true);
}

Graph::Tensor Graph::Pack(std::span<const Tensor> inputs, std::int64_t axis, const Result& result) {
  NewOperator op(*state_, ir::Pack{}, result);
  op.Require(!inputs.empty(), "has no inputs");
  Shape shape;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ir::Tensor& x = op.Operand(inputs[i]);
    op.RequireMoved(x);
    if (i == 0) shape = x.shape;
    op.Require(x.shape == shape, "{} is {}, not {}", x.name, sdk::Text(x.shape), sdk::Text(shape));
  }
  const std::size_t a = op.Axis(axis, shape.size() + 1);
  shape.insert(shape.begin() + Offset(a), static_cast<std::int64_t>(inputs.size()));
  return op.Make(ir::Pack{.axis = static_cast<std::int64_t>(a)}, std::move(shape));
}

std::vector<Graph::Tensor> Graph::Unpack(Tensor input, std::int64_t axis,
                                         std::span<const Result> results) {
  NewOperator op(*state_, ir::Unpack{}, results.empty() ? Result{} : results.front());
  const ir::Tensor& x = op.Operand(input);
  op.RequireMoved(x);
  const std::size_t a = op.Axis(axis, x.shape.size());
  Shape shape = x.shape;
  shape.erase(shape.begin() + Offset(a));
  return op.MakeAll(ir::Unpack{.axis = static_cast<std::int64_t>(a)},
                    std::vector<Shape>(static_cast<std::size_t>(x.shape[a]), shape), results);
}

Graph::Tensor Graph::Transpose(Tensor input, const std::vector<std::int64_t>& permutation,
                               const Result& result) {
  NewOperator op(*state_, ir::Transpose{}, result);
  const ir::Tensor& x = op.Operand(input);
  op.RequireMoved(x);
  Shape sorted = permutation;
  std::ranges::sort(sorted);
  Shape axes(x.shape.size());
  std::iota(axes.begin(), axes.end(), 0);
  op.Require(sorted == axes, "{} is no permutation of {} axes", sdk::Text(permutation),
             x.shape.size());
  Shape shape;
  for (const std::int64_t axis : permutation) {
    shape.push_back(x.shape[static_cast<std::size_t>(axis)]);
  }
  return op.Make(ir::Transpose{.permutation = permutation}, std::move(shape));
}

Graph::Tensor Graph::Gather(Tensor input, std::int64_t axis,
                            const std::vector<std::int64_t>& indices,
                            const std::optional<Shape>& indices_shape, const Result& result) {
  NewOperator op(*state_, ir::Gather{}, result);
  const ir::Tensor& x = op.Operand(input);
  op.RequireMoved(x);
  const std::size_t a = op.Axis(axis, x.shape.size());
  for (const std::int64_t index : indices) {
    op.Require(index >= 0 && index < x.shape[a], "index {} is outside a dimension of {}", index,
               x.shape[a]);
  }
  const auto count = static_cast<std::int64_t>(indices.size());
  const Shape inner = indices_shape.value_or(Shape{count});
  op.Require(sdk::ElementsOf(inner) == count, "{} indices do not make a shape of {}", count,
             sdk::Text(inner));
  Shape shape(x.shape.begin(), x.shape.begin() + Offset(a));
  shape.insert(shape.end(), inner.begin(), inner.end());
  shape.insert(shape.end(), x.shape.begin() + Offset(a) + 1, x.shape.end());
  return op.Make(ir::Gather{.axis = static_cast<std::int64_t>(a), .indices = indices},
                 std::move(shape));
}

Graph::Tensor Graph::MoveBlocks(Tensor input, const std::vector<std::int64_t>& block,
                                const std::vector<std::int64_t>& before,
                                const std::vector<std::int64_t>& after, bool inverse,
                                const Result& result) {
  ir::SpaceToBatch attributes = {.inverse = inverse};
  NewOperator op(*state_, attributes, result);
  const ir::Tensor& x = op.Operand(input);
  op.RequireType(x, {ElementType::kInt8, ElementType::kUint8, ElementType::kFloat32});
  op.RequireMoved(x);
  Shape shape = x.shape;
  op.Require(shape.size() == 3 || shape.size() == 4, "{} has {} dimensions instead of 3 or 4",
             x.name, shape.size());
  const std::size_t axes = shape.size() - 2;
  RequireEach(op, block, axes, "block sizes");
  RequireMargins(op, before, after, axes);
  for (std::size_t a = 0; a < axes; ++a) {
    op.Require(block[a] >= 1 && block[a] <= ir::kMostBlock, "a block size is {} instead of 1 to {}",
               block[a], ir::kMostBlock);
    std::int64_t& size = shape[a + 1];
    const std::int64_t both = before[a] + after[a];
    if (inverse) {
      op.Require(shape[0] % block[a] == 0, "the batch of {} is no multiple of the blocks", x.name);
      shape[0] /= block[a];
      size = size * block[a] - both;
      op.Require(size >= 1, "the margins leave nothing of axis {}", a + 1);
    } else {
      op.Require((size + both) % block[a] == 0,
                 "axis {} with its margins, {}, is no multiple of {}", a + 1, size + both,
                 block[a]);
      shape[0] *= block[a];
      size = (size + both) / block[a];
    }
    attributes.block.at(a) = block[a];
    attributes.before.at(a) = before[a];
  }
  return op.Make(attributes, std::move(shape));
}

Graph::Tensor Graph::SpaceToBatch(Tensor input, const std::vector<std::int64_t>& block,
                                  const std::vector<std::int64_t>& before,
                                  const std::vector<std::int64_t>& after, const Result& result) {
  return MoveBlocks(input, block, before, after, false, result);
}

Graph::Tensor Graph::BatchToSpace(Tensor input, const std::vector<std::int64_t>& block,
                                  const std::vector<std::int64_t>& before,
                                  const std::vector<std::int64_t>& after, const Result& result) {
  return MoveBlocks(input, block, before, after, true, result);
}

Graph::Tensor Graph::SpaceToDepth(Tensor input, std::int64_t block, const Result& result) {
  NewOperator op(*state_, ir::SpaceToDepth{}, result);
  const ir::Tensor& x = op.Operand(input);
  op.RequireMoved(x);
  op.RequireRank(x, 4);
  op.Require(block >= 1 && block <= ir::kMostBlock, "the block size is {} instead of 1 to {}",
             block, ir::kMostBlock);
  const Shape& s = x.shape;
  op.Require(s[1] % block == 0 && s[2] % block == 0, "{} x {} pixels are no multiple of {}", s[1],
             s[2], block);
  return op.Make(ir::SpaceToDepth{.block = block},
                 {s[0], s[1] / block, s[2] / block, s[3] * block * block});
}

Graph::Tensor Graph::DepthToSpace(Tensor input, std::int64_t block, const Result& result) {
  NewOperator op(*state_, ir::SpaceToDepth{.inverse = true}, result);
  const ir::Tensor& x = op.Operand(input);
  op.RequireMoved(x);
  op.RequireRank(x, 4);
  op.Require(block >= 1 && block <= ir::kMostBlock, "the block size is {} instead of 1 to {}",
             block, ir::kMostBlock);
  const Shape& s = x.shape;
  op.Require(s[3] % (block * block) == 0, "{} channels are no multiple of {}", s[3], block * block);
  return op.Make(ir::SpaceToDepth{.block = block, .inverse = true},
                 {s[0], s[1] * block, s[2] * block, s[3] / (block * block)});
}

Graph::Tensor Graph::Tile(Tensor input, const std::vector<std::int64_t>& multiples,
                          const Result& result) {
  NewOperator op(*state_, ir::Replicate{}, result);
  const ir::Tensor& x = op.Operand(input);
  op.RequireMoved(x);
  RequireEach(op, multiples, x.shape.size(), "multiples");
  Shape shape = x.shape;
  for (std::size_t a = 0; a < shape.size(); ++a) {
    op.Require(multiples[a] >= 1 && multiples[a] <= kMostMargin / shape[a], "a multiple is {}",
               multiples[a]);
    shape[a] *= multiples[a];
  }
  return op.Make(ir::Replicate{.multiples = multiples}, std::move(shape));
}

}  // namespace tpu
