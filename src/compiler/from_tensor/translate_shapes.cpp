// SPDX-License-Identifier: Apache-2.0
// Constants, and other shapes of the same elements.
#include <algorithm>
#include <utility>
#include <variant>

#include "compiler/from_tensor/translation.h"
#include "ir/move.h"

namespace tpu::compiler {
namespace {

using tensor::ValueId;

class Shapes {
 public:
  Shapes(Translation& to, ValueId id) : to_(to), id_(id) {}

  ir::TensorId operator()(const tensor::Constant& op) const {
    std::vector<float> values(op.values.begin(), op.values.end());
    if (op.IsSplat()) {
      values.assign(static_cast<std::size_t>(to_.NodeOf(id_).type.Elements()), values[0]);
    }
    return to_.Constant(std::move(values), Shape());
  }
  ir::TensorId operator()(const tensor::Iota& op) const {
    const ir::Shape shape = Shape();
    const ir::Shape strides = ir::StridesOf(shape);
    const auto d = static_cast<std::size_t>(op.iota_dimension);
    std::vector<float> values;
    for (std::int64_t i = 0; i < to_.NodeOf(id_).type.Elements(); ++i) {
      values.push_back(static_cast<float>(i / strides[d] % shape[d]));
    }
    return to_.Constant(std::move(values), shape);
  }
  ir::TensorId operator()(const tensor::BroadcastInDim& /*op*/) const {
    const ir::TensorId from = to_.Repeated(id_);
    return Moved({from}, ir::BroadcastMove(to_.Tensor(from).shape, Shape()));
  }
  ir::TensorId operator()(const tensor::Reshape& /*op*/) const {
    return to_.Reshaped(Operand(), Shape());
  }
  ir::TensorId operator()(const tensor::Transpose& op) const {
    return to_.Transposed(Operand(), op.permutation);
  }
  ir::TensorId operator()(const tensor::Reverse& op) const {
    const ir::Shape shape = Shape();
    ir::Slice slice = {
        .begin = ir::Shape(shape.size(), 0), .size = shape, .stride = ir::Shape(shape.size(), 1)};
    for (const std::int64_t dimension : op.dimensions) {
      const auto d = static_cast<std::size_t>(dimension);
      slice.begin[d] = shape[d] - 1;
      slice.stride[d] = -1;
    }
    return Moved({Operand()}, ir::MoveOf(slice, shape, shape));
  }
  ir::TensorId operator()(const tensor::Slice& op) const {
    const ir::TensorId from = Operand();
    return Moved(
        {from},
        ir::MoveOf(ir::Slice{.begin = op.start_indices, .size = Shape(), .stride = op.strides},
                   to_.Tensor(from).shape, Shape()));
  }
  ir::TensorId operator()(const tensor::Pad& op) const {
    const auto fill = to_.Splat(to_.NodeOf(id_).operands[1]);
    to_.Require(fill.has_value(), "only a constant may stand around the elements");
    ir::TensorId from = Operand();
    ir::Shape shape = to_.Tensor(from).shape;
    const auto cut = [](std::int64_t padding) { return std::max<std::int64_t>(-padding, 0); };
    ir::Embedding embedding = {.before = ir::Shape(shape.size()), .step = ir::Shape(shape.size())};
    ir::Slice inside = {
        .begin = ir::Shape(shape.size()), .size = shape, .stride = ir::Shape(shape.size(), 1)};
    for (std::size_t d = 0; d < shape.size(); ++d) {
      to_.Require(op.interior_padding[d] == 0 ||
                      (op.edge_padding_low[d] >= 0 && op.edge_padding_high[d] >= 0),
                  "negative padding together with padding inside is not supported");
      embedding.step[d] = op.interior_padding[d] + 1;
      embedding.before[d] = std::max<std::int64_t>(op.edge_padding_low[d], 0);
      inside.begin[d] = cut(op.edge_padding_low[d]);
      inside.size[d] = shape[d] - inside.begin[d] - cut(op.edge_padding_high[d]);
    }
    if (inside.size != shape) {
      const ir::TensorId part = to_.Make(to_.Tensor(from).type, inside.size);
      to_.Add({from}, part, ir::MoveOf(inside, shape, inside.size));
      from = part;
      shape = inside.size;
    }
    const ir::Shape row = {ir::FillElements(Shape())};
    const ir::TensorId around =
        to_.IsNarrow(from) ? to_.NarrowConstant(static_cast<float>(*fill), row)
                           : to_.Constant(std::vector<float>(static_cast<std::size_t>(row[0]),
                                                             static_cast<float>(*fill)),
                                          row);
    return Moved({from, around}, ir::EmbedMove(embedding, shape, Shape()));
  }
  ir::TensorId operator()(const tensor::Concatenate& op) const {
    const std::vector<ValueId>& operands = to_.NodeOf(id_).operands;
    const bool narrow = std::ranges::all_of(
        operands, [&](ValueId operand) { return to_.IsNarrow(to_.Of(operand)); });
    std::vector<ir::TensorId> parts;
    std::vector<ir::Shape> shapes;
    for (const ValueId operand : operands) {
      ir::TensorId part = to_.Of(operand);
      if (!narrow && to_.IsNarrow(part)) {
        const ir::TensorId wide = to_.Make(ElementType::kFloat32, to_.Tensor(part).shape);
        to_.Add({part}, wide, ir::Convert{});
        part = wide;
      }
      parts.push_back(part);
      shapes.push_back(to_.Tensor(part).shape);
    }
    return Moved(parts, ir::MoveOf(ir::Concatenation{.axis = op.dimension}, shapes, Shape()));
  }
  ir::TensorId operator()(const tensor::StopGradient& /*op*/) const { return Operand(); }
  template <typename Other>
  ir::TensorId operator()(const Other& /*op*/) const {
    throw InternalError("{} is no other shape of its operand", Other::kName);
  }

 private:
  [[nodiscard]] ir::Shape Shape() const { return AtLeastOne(to_.ShapeOf(id_)); }
  [[nodiscard]] ir::TensorId Operand() const { return to_.Of(to_.NodeOf(id_).operands[0]); }
  [[nodiscard]] ir::TensorId Moved(std::vector<ir::TensorId> from, ir::Move move) const {
    const ir::TensorId output = to_.Make(to_.Tensor(from[0]).type, Shape());
    to_.Add(std::move(from), output, std::move(move));
    return output;
  }

  Translation& to_;
  ValueId id_;
};

}  // namespace

void TranslateShapes(Translation& to, ValueId id) {
  to.Is(id, std::visit(Shapes(to, id), to.NodeOf(id).operation));
}

}  // namespace tpu::compiler
