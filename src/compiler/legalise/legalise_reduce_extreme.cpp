// SPDX-License-Identifier: Apache-2.0
// REDUCE_MAX and REDUCE_MIN of int8 and int16: windows of a pooling. The smallest value is the
// complement of the largest complement, -1 - x.
#include <algorithm>
#include <numeric>
#include <vector>

#include "compiler/legalise/integer_maps.h"
#include "compiler/legalise/legalise_rules.h"

namespace tpu::compiler {
namespace {

class ReduceExtremeRule {
 public:
  ReduceExtremeRule(const OperatorView& view, const host_operators::ReduceExtreme& op)
      : view_(view), op_(op), input_(view.Input(0)) {
    for (std::size_t a = 0; a < input_.shape.size(); ++a) {
      const bool reduced =
          std::ranges::find(op.axes, static_cast<std::int64_t>(a)) != op.axes.end();
      (reduced ? reduced_ : kept_).push_back(static_cast<std::int64_t>(a));
    }
  }

  void Run() {
    ir::TensorId x = view_.op.inputs[0];
    if (op_.smallest) x = Complement(x);
    x = Largest(x);
    if (op_.smallest) x = Complement(x);
    view_.Add({x}, view_.op.outputs[0], ir::Reshape{});
  }

 private:
  [[nodiscard]] ir::TensorId Complement(ir::TensorId x) const {
    const IntegerMaps maps(view_, view_.graph.At(x).shape);
    if (input_.type == ElementType::kInt16) {
      ir::IntegerMap op = WithConstant(ir::IntegerMap::Kind::kMul, -1);
      op.bias = -1;
      return maps.Add(ElementType::kInt16, {x}, op);
    }
    std::array<std::int8_t, 256> table;
    std::iota(table.rbegin(), table.rend(), std::int8_t{-128});
    return maps.Look(x, table);
  }

  // Axes in a row in front of others are the rows of images already. Where the last ones are
  // reduced, windows leave as many values of them as a row of the array has first. All others move.
  [[nodiscard]] ir::TensorId Largest(ir::TensorId x) const {
    const std::int64_t count = Elements(reduced_);
    const bool in_a_row = reduced_.back() - reduced_.front() + 1 == std::ssize(reduced_);
    if (!in_a_row) return LargestRow(Moved(x, input_.shape), 1, count, Elements(kept_));
    std::int64_t outer = 1;
    for (std::int64_t a = 0; a < reduced_.front(); ++a) outer *= Size(a);
    const std::int64_t inner = Elements(kept_) / outer;
    if (inner > 1 || count == 1) return LargestRow(x, outer, count, inner);
    const std::int64_t lanes = std::gcd(count, std::int64_t{view_.graph.Config().n});
    x = view_.Reshaped(LargestRow(x, outer, count / lanes, lanes), {outer, lanes});
    const ir::Shape turned = {lanes, outer};
    const ir::Move move = ir::MoveOf(ir::Transpose{.permutation = {1, 0}}, {outer, lanes}, turned);
    const ir::TensorId result = Like(x, turned, "turned");
    view_.Add({x}, result, move);
    return LargestRow(result, 1, lanes, outer);
  }

  // Reduced axes in front of the kept ones.
  [[nodiscard]] ir::TensorId Moved(ir::TensorId x, const ir::Shape& shape) const {
    ir::Transpose transpose = {.permutation = reduced_};
    transpose.permutation.insert(transpose.permutation.end(), kept_.begin(), kept_.end());
    ir::Shape transposed;
    for (const std::int64_t axis : transpose.permutation) transposed.push_back(Size(axis));
    const ir::TensorId moved = Like(x, transposed, "transposed");
    view_.Add({x}, moved, ir::MoveOf(transpose, shape, transposed));
    return moved;
  }

  // Of images [outer, rows, 1, inner] the largest row. A window has to fit the unified buffer.
  [[nodiscard]] ir::TensorId LargestRow(ir::TensorId x, std::int64_t outer, std::int64_t rows,
                                        std::int64_t inner) const {
    constexpr std::int64_t kMostStride = 255;
    const std::int64_t most =
        std::min(kMostStride, view_.graph.Config().ub_rows / (4 * ElementBytes(input_.type)));
    x = view_.Reshaped(x, {outer, rows, 1, inner});
    while (rows > 1) {
      const auto window = static_cast<std::int32_t>(std::min(rows, most));
      const std::int64_t windows = (rows + window - 1) / window;
      const ir::TensorId larger = Like(x, {outer, windows, 1, inner}, "largest");
      const auto below = static_cast<std::int32_t>(windows * window - rows);
      view_.Add({x}, larger,
                ir::Pool2D{.kind = ir::PoolKind::kMax,
                           .filter = {.h = window, .w = 1},
                           .stride = {.h = window, .w = 1},
                           .padding = {.bottom = below}});
      x = larger;
      rows = windows;
    }
    return x;
  }

  [[nodiscard]] ir::TensorId Like(ir::TensorId x, ir::Shape shape, std::string_view suffix) const {
    return view_.Like(ir::Tensor(view_.graph.At(x)), std::move(shape), suffix);
  }
  [[nodiscard]] std::int64_t Size(std::int64_t axis) const {
    return input_.shape[static_cast<std::size_t>(axis)];
  }
  [[nodiscard]] std::int64_t Elements(const std::vector<std::int64_t>& axes) const {
    std::int64_t elements = 1;
    for (const std::int64_t axis : axes) elements *= Size(axis);
    return elements;
  }

  const OperatorView& view_;
  const host_operators::ReduceExtreme& op_;
  const ir::Tensor input_;  // New tensors move the old ones.
  std::vector<std::int64_t> reduced_;
  std::vector<std::int64_t> kept_;
};

}  // namespace

bool LegaliseOnDevice(const OperatorView& view, const host_operators::ReduceExtreme& op) {
  const ir::Tensor& input = view.Input(0);
  const bool computes = input.type == ElementType::kInt8 ||
                        (input.type == ElementType::kInt16 && view.graph.Config().int16 != 0);
  if (!computes || op.axes.empty() || input.Elements() == 0) return false;
  ReduceExtremeRule(view, op).Run();
  return true;
}

}  // namespace tpu::compiler
