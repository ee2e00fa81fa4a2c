// SPDX-License-Identifier: Apache-2.0
// Operators that reduce axes. MEAN and SUM are windows or products with ones; REDUCE_MAX and
// REDUCE_MIN of int8 and int16 are windows of a pooling, and the smallest value is the complement
// of the largest complement, -1 - x.
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <vector>

#include "compiler/legalise/integer_maps.h"
#include "compiler/legalise/legalise_int16.h"
#include "compiler/legalise/legalise_rules.h"
#include "compiler/quantise/float_rounding.h"
#include "compiler/quantise/float_tables.h"
#include "compiler/quantise/quantized_tables.h"

namespace tpu::compiler {
namespace {

// The input's axes as runs of kept and of reduced ones; axes of size 1 belong to either.
struct AxisRun {
  bool reduced = false;
  std::int64_t size = 1;
};

std::vector<AxisRun> RunsOf(const ir::Shape& shape, const std::vector<std::int64_t>& axes) {
  std::vector<AxisRun> runs;
  for (std::size_t a = 0; a < shape.size(); ++a) {
    const auto axis = static_cast<std::int64_t>(a);
    const bool reduced = std::find(axes.begin(), axes.end(), axis) != axes.end();
    if (runs.empty() ||
        (shape[a] != 1 && runs.back().size != 1 && runs.back().reduced != reduced)) {
      runs.push_back({.reduced = reduced});
    }
    if (runs.back().size == 1) runs.back().reduced = reduced;
    runs.back().size *= shape[a];
  }
  return runs;
}

std::int64_t ReducedElements(const ir::Shape& shape, const std::vector<std::int64_t>& axes) {
  std::int64_t count = 1;
  for (const std::int64_t axis : axes) count *= shape[static_cast<std::size_t>(axis)];
  return count;
}

// The tensor with its reduced axes in front of the kept ones, or behind them.
enum class ReducedAxes { kFirst, kLast };

ir::TensorId Gathered(const OperatorView& view, ir::TensorId input,
                      const std::vector<std::int64_t>& axes, ReducedAxes where) {
  const ir::Tensor like = view.graph.At(input);  // New tensors move the old ones.
  ir::Transpose transpose;
  for (std::size_t a = 0; a < like.shape.size(); ++a) {
    transpose.permutation.push_back(static_cast<std::int64_t>(a));
  }
  std::stable_partition(transpose.permutation.begin(), transpose.permutation.end(),
                        [&](std::int64_t axis) {
                          const bool reduced = std::ranges::find(axes, axis) != axes.end();
                          return reduced == (where == ReducedAxes::kFirst);
                        });
  ir::Shape shape;
  for (const std::int64_t axis : transpose.permutation) {
    shape.push_back(like.shape[static_cast<std::size_t>(axis)]);
  }
  const ir::Move move = ir::MoveOf(transpose, like.shape, shape);
  if (ir::IsIdentity(move)) return input;
  const ir::TensorId gathered = view.Like(like, shape, "transposed");
  view.Add({input}, gathered, move);
  return gathered;
}

// One or two runs of kept axes around one of reduced ones, as [n,h,w,c] to be reduced over h and w.
std::optional<ir::Shape> AsImages(const ir::Shape& shape, const std::vector<std::int64_t>& axes) {
  if (shape.size() == 4 && axes == std::vector<std::int64_t>{1, 2}) return shape;
  std::int64_t outer = 1;
  std::int64_t reduced = 1;
  std::int64_t inner = 1;
  for (const AxisRun& run : RunsOf(shape, axes)) {
    if (run.reduced) {
      if (inner != 1 || reduced != 1) return {};
      reduced = run.size;
    } else {
      (reduced == 1 ? outer : inner) *= run.size;
    }
  }
  return ir::Shape{outer, reduced, 1, inner};
}

class ReduceExtremeRule {
 public:
  ReduceExtremeRule(const OperatorView& view, const host_operators::ReduceExtreme& op)
      : view_(view), op_(op), shape_(view.Input(0).shape), type_(view.Input(0).type) {}

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
    if (type_ == ElementType::kInt16) {
      ir::IntegerMap op = WithConstant(ir::IntegerMap::Kind::kMul, -1);
      op.bias = -1;
      return maps.Add(ElementType::kInt16, {x}, op);
    }
    std::array<std::int8_t, 256> table;
    std::iota(table.rbegin(), table.rend(), std::int8_t{-128});
    return maps.Look(x, table);
  }

  // Where the last axes are reduced, windows leave as many values of them as a row of the array has
  // first. Axes that make no rows of images move.
  [[nodiscard]] ir::TensorId Largest(ir::TensorId x) const {
    const std::int64_t count = ReducedElements(shape_, op_.axes);
    const std::optional<ir::Shape> images = AsImages(shape_, op_.axes);
    if (!images) {
      x = Gathered(view_, x, op_.axes, ReducedAxes::kFirst);
      return LargestRow(x, 1, count, view_.Output().Elements());
    }
    const std::int64_t outer = images->front();
    const std::int64_t inner = images->back();
    if (inner > 1 || count == 1) return LargestRow(x, outer, count, inner);
    const std::int64_t lanes = std::gcd(count, std::int64_t{view_.graph.Config().n});
    x = view_.Reshaped(LargestRow(x, outer, count / lanes, lanes), {outer, lanes});
    return LargestRow(Gathered(view_, x, {1}, ReducedAxes::kFirst), 1, lanes, outer);
  }

  // Of images [outer, rows, 1, inner] the largest row. A window has to fit the unified buffer.
  [[nodiscard]] ir::TensorId LargestRow(ir::TensorId x, std::int64_t outer, std::int64_t rows,
                                        std::int64_t inner) const {
    constexpr std::int64_t kMostStride = 255;
    const std::int64_t most =
        std::min(kMostStride, view_.graph.Config().ub_rows / (4 * ElementBytes(type_)));
    x = view_.Reshaped(x, {outer, rows, 1, inner});
    while (rows > 1) {
      const auto window = static_cast<std::int32_t>(std::min(rows, most));
      const std::int64_t windows = (rows + window - 1) / window;
      const ir::TensorId larger =
          view_.Like(ir::Tensor(view_.graph.At(x)), {outer, windows, 1, inner}, "largest");
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

  const OperatorView& view_;
  const host_operators::ReduceExtreme& op_;
  const ir::Shape shape_;
  const ElementType type_;
};

}  // namespace

void Legalise(const OperatorView& view, const ir::Reduce& op) {
  view.RequireComputable({&view.Input(0), &view.Output()});
  const ir::Shape shape = view.Input(0).shape;
  for (const std::int64_t axis : op.axes) {
    view.Require(axis >= 0 && axis < static_cast<std::int64_t>(shape.size()),
                 "axis {} does not exist", axis);
  }
  const std::int64_t count = ReducedElements(shape, op.axes);
  view.Require(view.Output().Elements() * count == view.Input(0).Elements(),
               "output {} has the wrong size", view.Output().name);
  if (count == 1) {
    const ir::TensorId input = view.Reshaped(view.op.inputs[0], ir::Shape(view.Output().shape));
    if (view.ComputesFloats()) {
      view.Add({input}, view.op.outputs[0], ir::Reshape{});
    } else if (view.ComputesInt16()) {
      view.Add({input}, view.op.outputs[0],
               RescaleOf(view.Input(0), view.Output(), view.graph.GetRounding()));
    } else {
      const Rounding rounding =
          RoundingOf(ir::OperatorName(view.op.attributes), view.graph.GetRounding());
      view.Add({input}, view.op.outputs[0],
               rounding == Rounding::kFloat
                   ? FloatMeanTable(view.Input(0), view.Output())
                   : QuantizeTable(view.Input(0), view.Output(), rounding));
    }
    return;
  }
  // A window must fit the buffer; sums over the array's input lanes may be of any length.
  const std::int64_t most_taps =
      view.graph.Config().ub_rows / (4 * ElementBytes(view.Input(0).type));
  const std::optional<ir::Shape> images = AsImages(shape, op.axes);
  // The array multiplies no float32.
  const bool by_window = view.Input(0).type == ElementType::kFloat32;
  if (images && ((*images)[3] > 1 || by_window) && count <= most_taps) {
    const ir::TensorId reduced =
        view.Like(view.Output(), {(*images)[0], 1, 1, (*images)[3]}, "reduced");
    view.Add({view.Reshaped(view.op.inputs[0], *images)}, reduced,
             ir::Reduce{.kind = op.kind, .axes = {1, 2}});
    view.Add({reduced}, view.op.outputs[0], ir::Reshape{});
    return;
  }
  const ir::TensorId rows =
      view.Reshaped(Gathered(view, view.op.inputs[0], op.axes, ReducedAxes::kLast),
                    {view.Output().Elements(), count});
  const ir::TensorId reduced = view.Like(view.Output(), {view.Output().Elements(), 1}, "reduced");
  view.Add({rows}, reduced, ir::Reduce{.kind = op.kind, .axes = {1}});
  view.Add({reduced}, view.op.outputs[0], ir::Reshape{});
}

bool LegaliseOnDevice(const OperatorView& view, const host_operators::ReduceExtreme& op) {
  const ir::Tensor& input = view.Input(0);
  const bool computes = input.type == ElementType::kInt8 ||
                        (input.type == ElementType::kInt16 && view.graph.Config().int16 != 0);
  if (!computes || op.axes.empty() || input.Elements() == 0) return false;
  ReduceExtremeRule(view, op).Run();
  return true;
}

}  // namespace tpu::compiler
