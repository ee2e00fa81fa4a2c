// SPDX-License-Identifier: Apache-2.0
// Sums and largest elements of dimensions and of windows.
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "compiler/from_tensor/translation.h"
#include "ir/move.h"
#include "ir/range.h"

namespace tpu::compiler {
namespace {

using tensor::Dimensions;
using tensor::Reduction;
using tensor::ValueId;

// A tensor [outer, reduced, inner].
struct Reduced {
  ir::TensorId tensor = 0;
  std::int64_t outer = 1;
  std::int64_t reduced = 1;
  std::int64_t inner = 1;
};

std::int64_t Elements(const ir::Shape& shape, std::size_t begin, std::size_t end) {
  return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(begin),
                         shape.begin() + static_cast<std::ptrdiff_t>(end), std::int64_t{1},
                         std::multiplies<>());
}

// Where the reduced dimensions do not lie together, they come first.
Reduced AsReduced(Translation& to, ValueId operand, const Dimensions& dimensions) {
  const ir::TensorId tensor = to.Of(operand);
  const ir::Shape shape = to.Tensor(tensor).shape;
  Dimensions sorted = dimensions;
  std::ranges::sort(sorted);
  const auto first = static_cast<std::size_t>(sorted.front());
  const auto end = static_cast<std::size_t>(sorted.back()) + 1;
  if (end - first == sorted.size()) {
    return {.tensor = tensor,
            .outer = Elements(shape, 0, first),
            .reduced = Elements(shape, first, end),
            .inner = Elements(shape, end, shape.size())};
  }
  std::vector<std::int64_t> permutation = sorted;
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(shape.size()); ++d) {
    if (std::ranges::find(sorted, d) == sorted.end()) permutation.push_back(d);
  }
  const ir::TensorId moved = to.Transposed(tensor, permutation);
  const std::int64_t reduced = Elements(to.Tensor(moved).shape, 0, sorted.size());
  return {.tensor = moved, .reduced = reduced, .inner = to.Tensor(moved).Elements() / reduced};
}

// The largest factor of `count` that is at most `most`.
std::int64_t LargestFactor(std::int64_t count, std::int64_t most) {
  for (std::int64_t factor = std::min(count, most); factor > 1; --factor) {
    if (count % factor == 0) return factor;
  }
  return 1;
}

class ReduceRule {
 public:
  ReduceRule(Translation& to, ValueId id, Reduction body) : to_(to), id_(id), body_(body) {}

  void Run(Reduced x) {
    const bool narrow = to_.IsNarrow(x.tensor);
    if (body_ == Reduction::kAdd && narrow) {
      Finish(x.inner == 1 ? SumOfRows(x) : SumByProduct(x));
      return;
    }
    if (x.inner == 1 && x.outer > 1) {  // Rows become lanes.
      const ir::TensorId rows = to_.Reshaped(x.tensor, {x.outer, x.reduced});
      x = {.tensor = to_.Transposed(rows, {1, 0}), .reduced = x.reduced, .inner = x.outer};
    }
    Finish(ByWindows(x));
  }

 private:
  void Finish(ir::TensorId result) {
    to_.Is(id_, to_.Reshaped(result, AtLeastOne(to_.ShapeOf(id_))));
  }

  // Each row's lanes, as a product with ones.
  ir::TensorId SumOfRows(const Reduced& x) {
    const ir::TensorId result = to_.Make(to_.FormatOf(id_), {x.outer, 1});
    to_.Add({to_.Reshaped(x.tensor, {x.outer, x.reduced})}, result,
            ir::Reduce{.kind = ir::ReduceKind::kSum, .axes = {1}}, 0);
    return result;
  }

  // Rows, as the second factor of a product with ones.
  ir::TensorId SumByProduct(const Reduced& x) {
    const ir::TensorId result = to_.Make(to_.FormatOf(id_), {x.outer, 1, 1, x.inner});
    to_.Add({to_.NarrowConstant(1.0F, {x.outer, 1, 1, x.reduced}),
             to_.Reshaped(x.tensor, {x.outer, 1, x.reduced, x.inner})},
            result, ir::MatMul{}, 0);
    return result;
  }

  // Windows of the vector unit, one after the other where they become too large.
  ir::TensorId ByWindows(Reduced x) {
    constexpr std::int64_t kShare = 16;  // Of the buffer, for one lane of a window.
    const std::int64_t most = to_.Config().ub_rows / kShare;
    while (true) {
      const std::int64_t factor = LargestFactor(x.reduced, most);
      to_.Require(factor > 1 || x.reduced == 1, "{} elements are too many for the machine",
                  x.reduced);
      const std::int64_t left = x.reduced / factor;
      const ir::TensorId result =
          to_.Make(to_.Tensor(x.tensor).type == ElementType::kFloat32 ? ElementType::kFloat32
                                                                      : to_.FormatOf(id_),
                   {x.outer * left, 1, 1, x.inner});
      const ir::TensorId windows = to_.Reshaped(x.tensor, {x.outer * left, factor, 1, x.inner});
      if (body_ == Reduction::kAdd) {
        to_.Add({windows}, result, ir::Reduce{.kind = ir::ReduceKind::kSum, .axes = {1, 2}}, 0);
      } else {
        to_.Require(body_ == Reduction::kMaximum, "the smallest element is not supported");
        to_.Add({windows}, result,
                ir::Pool2D{.kind = ir::PoolKind::kMax,
                           .filter = {.h = static_cast<std::int32_t>(factor), .w = 1}});
      }
      x = {.tensor = result, .outer = x.outer, .reduced = left, .inner = x.inner};
      if (left == 1) return result;
    }
  }

  Translation& to_;
  ValueId id_;
  Reduction body_;
};

// Windows over rows and columns of images.
template <typename Op>
bool IsOfImages(const Op& op) {
  return op.window_dimensions.size() == 4 && op.window_dimensions[0] == 1 &&
         op.window_dimensions[3] == 1 && op.window_strides[0] == 1 && op.window_strides[3] == 1;
}

template <typename Op>
ir::Extent Filter(const Op& op) {
  return {.h = static_cast<std::int32_t>(op.window_dimensions[1]),
          .w = static_cast<std::int32_t>(op.window_dimensions[2])};
}
template <typename Op>
ir::Extent Stride(const Op& op) {
  return {.h = static_cast<std::int32_t>(op.window_strides[1]),
          .w = static_cast<std::int32_t>(op.window_strides[2])};
}
template <typename Op>
ir::Padding PaddingOf(const Op& op) {
  return {.top = static_cast<std::int32_t>(op.padding[1][0]),
          .left = static_cast<std::int32_t>(op.padding[2][0]),
          .bottom = static_cast<std::int32_t>(op.padding[1][1]),
          .right = static_cast<std::int32_t>(op.padding[2][1])};
}

// A value goes to the first of its window's largest elements. The places of a window are looked at
// one after the other; what is left of the value after the first one is zero.
class ScatterRule {
 public:
  ScatterRule(Translation& to, ValueId id, const tensor::SelectAndScatter& op)
      : to_(to), id_(id), op_(op) {}

  void Run() {
    to_.Require(IsOfImages(op_), "only windows over rows and columns are supported");
    const ir::TensorId x = to_.Of(to_.NodeOf(id_).operands[0]);
    ir::TensorId left = to_.Of(to_.NodeOf(id_).operands[1]);
    shape_ = to_.Tensor(x).shape;
    windows_ = to_.Tensor(left).shape;
    const ir::TensorId largest = to_.Make(to_.Tensor(x).type, windows_);
    to_.Add({x}, largest,
            ir::Pool2D{.kind = ir::PoolKind::kMax,
                       .filter = Filter(op_),
                       .stride = Stride(op_),
                       .padding = PaddingOf(op_)});
    const auto [rows, columns] = Filter(op_);
    for (std::int32_t y = 0; y < rows; ++y) {
      for (std::int32_t column = 0; column < columns; ++column) {
        const Place place = PlaceOf(y, column);
        if (place.rows.Empty() || place.columns.Empty()) continue;
        left = Take(x, largest, left, place);
      }
    }
    Join();
  }

 private:
  // Windows of which one place lies in the image, and where that of the first one does.
  struct Place {
    ir::Range rows;
    ir::Range columns;
    std::int64_t y = 0;
    std::int64_t x = 0;
    std::int64_t group = 0;  // Places of one group do not meet.
  };

  static ir::Range Inside(std::int64_t tap, std::int64_t stride, std::int64_t pad,
                          std::int64_t windows, std::int64_t size) {
    ir::Range range = {.begin = 0, .end = windows};
    while (!range.Empty() && range.begin * stride + tap - pad < 0) ++range.begin;
    while (!range.Empty() && (range.end - 1) * stride + tap - pad >= size) --range.end;
    return range;
  }

  [[nodiscard]] Place PlaceOf(std::int64_t y, std::int64_t x) const {
    const ir::Extent stride = Stride(op_);
    const ir::Padding padding = PaddingOf(op_);
    Place place = {.rows = Inside(y, stride.h, padding.top, windows_[1], shape_[1]),
                   .columns = Inside(x, stride.w, padding.left, windows_[2], shape_[2])};
    place.y = place.rows.begin * stride.h + y - padding.top;
    place.x = place.columns.begin * stride.w + x - padding.left;
    place.group = y / stride.h * ir::CeilDiv(op_.window_dimensions[2], stride.w) + x / stride.w;
    return place;
  }

  // Elements of the windows' places or, of a tensor of windows, of the windows themselves.
  ir::TensorId Part(ir::TensorId tensor, const Place& place, bool of_windows) {
    const ir::Shape size = {shape_[0], place.rows.Size(), place.columns.Size(), shape_[3]};
    const ir::Extent stride = Stride(op_);
    const ir::Slice slice = {
        .begin = {0, of_windows ? place.rows.begin : place.y,
                  of_windows ? place.columns.begin : place.x, 0},
        .size = size,
        .stride = {1, of_windows ? 1 : stride.h, of_windows ? 1 : stride.w, 1}};
    const ir::Shape from = to_.Tensor(tensor).shape;
    if (from == size && of_windows) return tensor;
    const ir::TensorId part = to_.Make(to_.Tensor(tensor).type, size);
    to_.Add({tensor}, part, ir::MoveOf(slice, from, size));
    return part;
  }

  // The values that go to this place; returns what is left for those behind.
  ir::TensorId Take(ir::TensorId x, ir::TensorId largest, ir::TensorId left, const Place& place) {
    const bool whole = place.rows.Size() == windows_[1] && place.columns.Size() == windows_[2];
    const ir::TensorId values = Part(x, place, false);
    const ir::TensorId rest = Part(left, place, true);
    const ir::Shape shape = to_.Tensor(values).shape;
    const ir::TensorId is_largest = to_.Make(ElementType::kBfloat16, shape);
    to_.Add({values, Part(largest, place, true)}, is_largest,
            ir::Map{.kind = ir::MapKind::kGreaterOrEqual});
    const ir::TensorId taken = to_.Make(to_.Tensor(left).type, shape);
    to_.Add({is_largest, rest}, taken, ir::Map{.kind = ir::MapKind::kSelect});
    taken_.push_back({.tensor = taken, .place = place});
    const ir::TensorId after = to_.Make(to_.Tensor(left).type, shape);
    to_.Add({rest, taken}, after, ir::Map{.kind = ir::MapKind::kSub});
    if (whole) return after;
    const ir::TensorId all = to_.Make(to_.Tensor(left).type, windows_);
    ir::Move move = {.copies = {WholeCopy(0, windows_)}};
    move.copies.push_back(ir::CopyBox(1, shape, windows_,
                                      {.size = shape,
                                       .from = {0, 0, 0, 0},
                                       .to = {0, place.rows.begin, place.columns.begin, 0}}));
    to_.Add({left, after}, all, std::move(move));
    return all;
  }

  static ir::Move::Copy WholeCopy(std::size_t input, const ir::Shape& shape) {
    return ir::CopyBox(input, shape, shape,
                       {.size = shape, .from = {0, 0, 0, 0}, .to = {0, 0, 0, 0}});
  }

  // The values at their places; of several groups the sum.
  void Join() {
    const ir::Extent stride = Stride(op_);
    std::optional<ir::TensorId> sum;
    std::vector<std::int64_t> groups;
    for (const Taken& taken : taken_) groups.push_back(taken.place.group);
    std::ranges::sort(groups);
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    for (const std::int64_t group : groups) {
      std::vector<ir::TensorId> inputs = {
          to_.IsNarrow(taken_[0].tensor)
              ? to_.NarrowConstant(0.0F, {shape_[3]})
              : to_.Constant(std::vector<float>(static_cast<std::size_t>(shape_[3])), {shape_[3]})};
      ir::Move move = ir::BroadcastMove({shape_[3]}, shape_);
      for (const Taken& taken : taken_) {
        if (taken.place.group != group) continue;
        const ir::Shape shape = to_.Tensor(taken.tensor).shape;
        move.copies.push_back(ir::CopyBox(inputs.size(), shape, shape_,
                                          {.size = shape,
                                           .from = {0, 0, 0, 0},
                                           .to = {0, taken.place.y, taken.place.x, 0},
                                           .to_step = {1, stride.h, stride.w, 1}}));
        inputs.push_back(taken.tensor);
      }
      const ir::TensorId part = to_.Make(to_.Tensor(taken_[0].tensor).type, shape_);
      to_.Add(std::move(inputs), part, std::move(move));
      if (sum) {
        const ir::TensorId next = to_.Make(to_.Tensor(part).type, shape_);
        to_.Add({*sum, part}, next, ir::Map{.kind = ir::MapKind::kAdd});
        sum = next;
      } else {
        sum = part;
      }
    }
    to_.Is(id_, *sum);
  }

  struct Taken {
    ir::TensorId tensor = 0;
    Place place;
  };

  Translation& to_;
  ValueId id_;
  const tensor::SelectAndScatter& op_;
  ir::Shape shape_;    // Of the image.
  ir::Shape windows_;  // A value for each window.
  std::vector<Taken> taken_;
};

}  // namespace

void Translate(Translation& to, ValueId id, const tensor::Reduce& op) {
  if (const auto product = to.ProductOf(id)) {
    to.Of(UpdateBy(to, *product).value_or(*product));  // Makes this value, too.
    return;
  }
  ReduceRule(to, id, op.body).Run(AsReduced(to, to.NodeOf(id).operands[0], op.dimensions));
}

void Translate(Translation& to, ValueId id, const tensor::ReduceWindow& op) {
  const auto is_one = [](std::int64_t size) { return size == 1; };
  to.Require(IsOfImages(op) && std::ranges::all_of(op.base_dilations, is_one) &&
                 std::ranges::all_of(op.window_dilations, is_one),
             "only windows over rows and columns without dilations are supported");
  const ValueId operand = to.NodeOf(id).operands[0];
  const ir::TensorId result = to.Make(id);
  if (op.body == Reduction::kMaximum) {
    const ir::TensorId x = to.Of(operand);
    to.Add({x}, result,
           ir::Pool2D{.kind = ir::PoolKind::kMax,
                      .filter = Filter(op),
                      .stride = Stride(op),
                      .padding = PaddingOf(op)});
  } else {
    to.Require(op.body == Reduction::kAdd, "the smallest element is not supported");
    const ir::TensorId x = to.Narrow(operand);
    const ir::Extent filter = Filter(op);
    to.Add({x, to.NarrowConstant(1.0F, {1, filter.h, filter.w, to.Tensor(x).shape[3]})}, result,
           ir::DepthwiseConv2D{.stride = Stride(op), .dilation = {}, .padding = PaddingOf(op)}, 0);
  }
  to.Is(id, result);
}

void Translate(Translation& to, ValueId id, const tensor::SelectAndScatter& op) {
  ScatterRule(to, id, op).Run();
}

}  // namespace tpu::compiler
