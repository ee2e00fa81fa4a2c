// SPDX-License-Identifier: Apache-2.0
#include "tests/tensor/random_graph.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/error.h"

namespace tpu::tensor {
namespace {

// Grows a graph from a few inputs. All values stay small.
class GraphGrower {
 public:
  explicit GraphGrower(std::uint32_t seed) : c_(seed) {
    for (int i = 0; i < 3; ++i) values_.push_back(c_.Input(c_.Ints(2, 1, 3)));
  }

  Case Grow() {
    for (std::int64_t steps = c_.Int(8, 20); steps > 0; --steps) {
      const ValueId next = Next(Any());
      if (c_.builder.TypeOf(next).Elements() <= 64) values_.push_back(next);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      c_.builder.Output(fmt::format("y{}", i), values_[values_.size() - 1 - i]);
    }
    return {c_.builder.Take(), std::move(c_.inputs)};
  }

 private:
  ValueId Any() {
    return values_[static_cast<std::size_t>(
        c_.Int(0, static_cast<std::int64_t>(values_.size()) - 1))];
  }
  // A value of the same shape: another one, or a constant.
  ValueId Like(ValueId x) {
    const ValueId other = Any();
    if (c_.builder.ShapeOf(other) == c_.builder.ShapeOf(x) && c_.Coin()) return other;
    return c_.builder.SplatLike(x, static_cast<double>(c_.Int(-1, 2)));
  }
  ValueId Next(ValueId x) {
    switch (c_.Int(0, 3)) {
      case 0:
        return Elements(x);
      case 1:
        return Moved(x);
      case 2:
        return Sums(x);
      default:
        return c_.Coin() ? Elements(x) : Moved(x);
    }
  }
  ValueId Elements(ValueId x) {
    Builder& b = c_.builder;
    switch (c_.Int(0, 8)) {
      case 0:
        return b.Tanh(x);
      case 1:
        return b.Negate(x);
      case 2:
        return b.Add(x, Like(x));
      case 3:
        return b.Subtract(Like(x), x);
      case 4:
        return b.Tanh(b.Multiply(Like(x), x));
      case 5:
        return b.Maximum(x, Like(x));
      case 6:
        return b.Divide(x, b.SplatLike(x, static_cast<double>(c_.Int(1, 2))));
      case 7:
        return b.Multiply(
            b.Convert(b.Compare(ComparisonDirection::kLt, x, Like(x)), ElementType::kF32), Like(x));
      default:
        return b.Select(b.Compare(ComparisonDirection::kGe, x, Like(x)), Like(x), x);
    }
  }
  ValueId Moved(ValueId x) {
    Builder& b = c_.builder;
    const TensorType type = b.TypeOf(x);
    switch (c_.Int(0, 5)) {
      case 0:
        return b.Transpose(x, c_.Permutation(type.Rank()));
      case 1: {
        Shape shape = type.shape;
        shape.insert(shape.begin() + c_.Int(0, type.Rank()), 1);
        return b.Reshape(x, shape);
      }
      case 2:
        return b.Reshape(x, {type.Elements()});
      case 3: {
        Shape shape = type.shape;
        if (c_.Coin()) shape.insert(shape.begin(), c_.Int(1, 2));
        for (std::int64_t& size : shape) size = size == 1 ? c_.Int(1, 3) : size;
        return b.BroadcastTo(x, shape);
      }
      case 4:
        return b.Reverse(x, c_.Subset(type.Rank()));
      default:
        return b.Slice(x, Dimensions(type.shape.size(), 0), type.shape,
                       Dimensions(type.shape.size(), 1));
    }
  }
  ValueId Sums(ValueId x) {
    Builder& b = c_.builder;
    const TensorType type = b.TypeOf(x);
    if (type.Rank() != 2 || c_.Coin()) {
      const auto body = c_.Coin() ? Reduction::kAdd : Reduction::kMaximum;
      return b.Reduce(x, body, c_.Subset(type.Rank()));
    }
    const ValueId other = b.Transpose(x, {1, 0});
    const bool inner = c_.Coin();
    const ValueId product = b.DotGeneral(x, inner ? other : x,
                                         {.lhs_batching_dimensions = {},
                                          .rhs_batching_dimensions = {},
                                          .lhs_contracting_dimensions = {1},
                                          .rhs_contracting_dimensions = {inner ? 0 : 1}});
    return b.Tanh(c_.Coin() ? b.Transpose(product, {1, 0}) : product);
  }

  RandomCase c_;
  std::vector<ValueId> values_;
};

}  // namespace

Case RandomGraph(std::uint32_t seed) { return GraphGrower(seed).Grow(); }

}  // namespace tpu::tensor
