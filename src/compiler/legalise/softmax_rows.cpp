// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/softmax_rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "ir/range.h"

namespace tpu::compiler {
namespace {

using Kind = ir::IntegerMap::Kind;
using enum ElementType;

// Sums of longer rows do not fit 32 bits.
constexpr std::int64_t kMostLength = 4095;

// Of the bits that a byte tells the logarithm of, so many are below those of the second byte.
constexpr int kFirstBits = 7;
constexpr int kByteBits = 8;

// What is no larger than any value of the type, which is int8 or int16.
decltype(ir::Tensor::data) Lowest(ElementType type, std::int64_t count) {
  const auto size = static_cast<std::size_t>(count);
  if (type == kInt16) {
    return std::vector<std::int16_t>(size, std::numeric_limits<std::int16_t>::min());
  }
  return std::vector<std::int8_t>(size, std::numeric_limits<std::int8_t>::min());
}

}  // namespace

std::int64_t LengthOfRows(const ir::Tensor& tensor) {
  return tensor.shape.empty() ? 1 : tensor.shape.back();
}

bool ComputesSoftmax(const OperatorView& view, ElementType type) {
  const isa::HardwareConfig& config = view.graph.Config();
  const std::int64_t rows = std::int64_t{config.ub_rows} / 4;
  return config.int16 != 0 && view.Input(0).type == type && view.Output().type == type &&
         LengthOfRows(view.Input(0)) <=
             std::min(kMostLength, rows * config.n / ElementBytes(type)) &&
         view.graph.FeedsDevice(view.op.outputs[0]);
}

SoftmaxRows::SoftmaxRows(const OperatorView& view, std::int64_t length)
    : view_(view),
      lanes_(view.graph.Config().n),
      length_(length),
      blocks_(ir::CeilDiv(length, lanes_)),
      rows_(view.Output().Elements() / length) {}

ir::TensorId SoftmaxRows::Raw(ElementType type, ir::Shape shape, std::string_view suffix,
                              float scale) const {
  ir::Tensor like;
  like.type = type;
  like.scale = scale;
  return view_.Like(like, std::move(shape), suffix);
}

ir::TensorId SoftmaxRows::Constant(std::string_view suffix, ir::Shape shape,
                                   std::vector<std::int8_t> values) const {
  ir::Tensor tensor = {.name = fmt::format("{}/{}", view_.op.name, suffix),
                       .shape = std::move(shape)};
  tensor.data = std::move(values);
  return view_.graph.AddTensor(std::move(tensor));
}

ir::TensorId SoftmaxRows::Ones(
    std::string_view suffix, std::int64_t outputs, std::int64_t inputs,
    const std::function<bool(std::int64_t, std::int64_t)>& is_one) const {
  std::vector<std::int8_t> values;
  for (std::int64_t o = 0; o < outputs; ++o) {
    for (std::int64_t i = 0; i < inputs; ++i) values.push_back(is_one(o, i) ? 1 : 0);
  }
  return Constant(suffix, {outputs, inputs}, std::move(values));
}

ir::TensorId SoftmaxRows::Input() const {
  const ir::TensorId x = view_.Reshaped(view_.op.inputs[0], {rows_, length_});
  if (Padded() == length_) return view_.Reshaped(x, Blocks());
  const ir::Tensor like = view_.Input(0);  // New tensors move the old ones.
  const ir::Shape shape = {rows_, Padded()};
  const ir::TensorId padded = view_.Like(like, shape, "padded");
  const std::int64_t count = ir::FillElements(shape);
  ir::Tensor fill = {
      .name = fmt::format("{}/fill", view_.op.name), .type = like.type, .shape = {count}};
  fill.data = Lowest(like.type, count);
  view_.Add({x, view_.graph.AddTensor(std::move(fill))}, padded,
            ir::EmbedMove({.before = {0, 0}, .step = {1, 1}}, {rows_, length_}, shape));
  return view_.Reshaped(padded, Blocks());
}

ir::TensorId SoftmaxRows::Largest(ir::TensorId blocks) const {
  const ir::Tensor like = view_.Input(0);
  const ir::Shape shape = {rows_, lanes_};
  ir::TensorId largest = blocks;
  if (blocks_ > 1) {
    largest = view_.Like(like, OfEachRow(), "largest of lanes");
    view_.Add({blocks}, largest,
              ir::Pool2D{.kind = ir::PoolKind::kMax,
                         .filter = {.h = 1, .w = static_cast<std::int32_t>(blocks_)}});
  }
  largest = view_.Reshaped(largest, shape);
  for (std::int64_t distance = 1; distance < lanes_; distance *= 2) {
    const ir::TensorId turned = view_.Like(like, shape, "turned");
    view_.Add({largest,
               Ones("turn", lanes_, lanes_,
                    [&](std::int64_t o, std::int64_t i) { return (o + distance) % lanes_ == i; })},
              turned, ir::FullyConnected{}, 0);
    const ir::TensorId larger = view_.Like(like, shape, "larger");
    view_.Add({largest, turned}, larger, ir::Binary{.kind = ir::BinaryKind::kMaximum});
    largest = larger;
  }
  return view_.Reshaped(largest, OfEachRow());
}

void SoftmaxRows::Finish(ir::TensorId blocks) const {
  ir::TensorId result = blocks;
  if (Padded() > length_) {
    const ElementType type = view_.Output().type;
    const ir::TensorId cut = Raw(type, {rows_, length_}, "cut");
    view_.Add({view_.Reshaped(blocks, {rows_, Padded()})}, cut,
              ir::MoveOf(ir::Slice{.begin = {0, 0}, .size = {rows_, length_}, .stride = {1, 1}},
                         {rows_, Padded()}, {rows_, length_}));
    result = cut;
  }
  view_.Add({result}, view_.op.outputs[0], ir::Reshape{});
}

SumLogarithm::SumLogarithm(const IntegerMaps& maps, ir::TensorId sum, int lowest, int top,
                           bool longer)
    : maps_(maps), lowest_(lowest), top_(top) {
  const auto bits = [&](int from) {
    ir::IntegerMap op = ShiftedDown(from);
    op.zero = std::numeric_limits<std::int8_t>::min();
    return maps.Add(kInt8, {sum}, op);
  };
  low_ = bits(lowest);
  if (longer) high_ = bits(lowest + kFirstBits);
}

ir::TensorId SumLogarithm::Look(ir::TensorId index, int from, int to,
                                const std::function<std::int32_t(int)>& of) const {
  std::array<std::int32_t, 256> table{};
  for (int i = 1; i < 1 << (to - from); ++i) {
    table[static_cast<std::size_t>(i)] =
        of(from + static_cast<int>(std::bit_width(static_cast<unsigned>(i))) - 1);
  }
  return maps_.LookWord(index, table);
}

ir::TensorId SumLogarithm::Map(ElementType type, const std::function<std::int32_t(int)>& of) const {
  if (high_) {
    const ir::TensorId low = Look(low_, lowest_, lowest_ + kFirstBits, of);
    const ir::TensorId high = Look(*high_, lowest_ + kFirstBits, top_ + 1, of);
    return maps_.Add(type, {low, high}, {.kind = Kind::kAdd});
  }
  const ir::TensorId low = Look(low_, lowest_, lowest_ + kByteBits, of);
  return type == kInt32 ? low : maps_.Add(type, {low}, {});
}

}  // namespace tpu::compiler
