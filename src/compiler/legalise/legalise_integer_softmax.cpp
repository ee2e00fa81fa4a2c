// SPDX-License-Identifier: Apache-2.0
// SOFTMAX on int8. The vector unit has nothing across lanes: the array turns rows by 1, 2, 4, ..
// lanes, so that each lane gets the row's largest value, and sums exponentials, whose 20 bits are
// three bytes. The factors of N rows lie in one row of lanes, and become parameter entries.
#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <optional>

#include "arithmetic/exponential_table.h"
#include "compiler/legalise/integer_maps.h"
#include "compiler/legalise/legalise_rules.h"
#include "isa/element_format.h"

namespace tpu::compiler {
namespace {

using Kind = ir::IntegerMap::Kind;
using Rounds = ir::IntegerMap::Rounds;
using enum ElementType;

// Sums of longer rows do not fit 32 bits.
constexpr std::int64_t kMostLength = 4095;
// Weights of the rows' sums, as many bytes at most.
constexpr std::int64_t kMostWeights = 1 << 18;

// The bits of an exponential that count in a sum are three digits of so many bits.
constexpr int kDigits = 3;
constexpr int kDigitBits = 7;

// A row's sum is s = 2^k * (1 + f), k from kLowest to kTop. The byte of a sum's bits from kLowest
// on is exact below 2^kHighest.
constexpr int kLowest = arithmetic::kExponentialSumIntegerBits + kDigitBits;
constexpr int kHighest = kLowest + kDigitBits;
constexpr int kTop = 30;
constexpr int kByteBits = 8;

// The distance 0 as int8.
constexpr std::int32_t kNoDistance = 127;

class IntegerSoftmaxRule {
 public:
  IntegerSoftmaxRule(const OperatorView& view, std::int64_t length)
      : view_(view),
        lanes_(view.graph.Config().n),
        length_(length),
        padded_(ir::RoundUp(length, lanes_)),
        blocks_(padded_ / lanes_),
        rows_(view.Output().Elements() / length),
        together_(std::clamp<std::int64_t>(kMostWeights / (padded_ * lanes_), 1,
                                           std::min(lanes_, rows_))),
        groups_(ir::CeilDiv(rows_, together_)),
        maps_(view, {1, groups_, 1, together_}) {}

  void Run(float beta) {
    const auto exponentials =
        arithmetic::ExponentialTable(beta, view_.Input(0).scale, view_.graph.GetRounding());
    const ir::TensorId distances = Distances(view_.Reshaped(Padded(view_.op.inputs[0]), Blocks()));
    const ir::TensorId entries = Entries(Sum(distances, exponentials));
    ir::WideLookup lookup = {.zero = view_.Output().zero_point};
    for (std::size_t i = 0; i < lookup.table.size(); ++i) {
      lookup.table[lookup.table.size() - 1 - i] = exponentials[i];
    }
    const ir::TensorId result = Raw(kInt8, Blocks(), "result");
    view_.Add({distances, entries}, result, lookup);
    Finish(result);
  }

 private:
  using Exponentials = std::array<std::int32_t, 256>;

  // A pixel for each block of lanes.
  [[nodiscard]] ir::Shape Blocks() const { return {1, rows_, blocks_, lanes_}; }

  // A tensor of integers as they are.
  [[nodiscard]] ir::TensorId Raw(ElementType type, ir::Shape shape, std::string_view suffix,
                                 float scale = 1.0F) const {
    ir::Tensor like;
    like.type = type;
    like.scale = scale;
    return view_.Like(like, std::move(shape), suffix);
  }
  [[nodiscard]] ir::TensorId Constant(std::string_view suffix, ir::Shape shape,
                                      std::vector<std::int8_t> values) const {
    ir::Tensor tensor = {.name = fmt::format("{}/{}", view_.op.name, suffix),
                         .shape = std::move(shape)};
    tensor.data = std::move(values);
    return view_.graph.AddTensor(std::move(tensor));
  }
  // [out, in] of zeros and ones.
  [[nodiscard]] ir::TensorId Ones(
      std::string_view suffix, std::int64_t outputs, std::int64_t inputs,
      const std::function<bool(std::int64_t, std::int64_t)>& is_one) const {
    std::vector<std::int8_t> values;
    for (std::int64_t o = 0; o < outputs; ++o) {
      for (std::int64_t i = 0; i < inputs; ++i) values.push_back(is_one(o, i) ? 1 : 0);
    }
    return Constant(suffix, {outputs, inputs}, std::move(values));
  }

  // Whole blocks of lanes. What is added is no larger than any value, and counts in no sum.
  [[nodiscard]] ir::TensorId Padded(ir::TensorId input) const {
    const ir::TensorId x = view_.Reshaped(input, {rows_, length_});
    if (padded_ == length_) return x;
    const ir::Shape shape = {rows_, padded_};
    const ir::TensorId padded = view_.Like(view_.Input(0), shape, "padded");
    const std::int64_t fill = ir::FillElements(shape);
    view_.Add({x, Constant("fill", {fill},
                           std::vector<std::int8_t>(static_cast<std::size_t>(fill), -128))},
              padded, ir::EmbedMove({.before = {0, 0}, .step = {1, 1}}, {rows_, length_}, shape));
    return padded;
  }
  void Finish(ir::TensorId result) const {
    if (padded_ > length_) {
      const ir::TensorId cut = Raw(kInt8, {rows_, length_}, "cut");
      view_.Add({view_.Reshaped(result, {rows_, padded_})}, cut,
                ir::MoveOf(ir::Slice{.begin = {0, 0}, .size = {rows_, length_}, .stride = {1, 1}},
                           {rows_, padded_}, {rows_, length_}));
      result = cut;
    }
    view_.Add({result}, view_.op.outputs[0], ir::Reshape{});
  }

  // Of each row the largest value in all lanes.
  [[nodiscard]] ir::TensorId Largest(ir::TensorId x) const {
    const ir::Tensor like = view_.Input(0);  // New tensors move the old ones.
    const ir::Shape shape = {rows_, lanes_};
    ir::TensorId largest = x;
    if (blocks_ > 1) {
      largest = view_.Like(like, {1, rows_, 1, lanes_}, "largest of lanes");
      view_.Add({x}, largest,
                ir::Pool2D{.kind = ir::PoolKind::kMax,
                           .filter = {.h = 1, .w = static_cast<std::int32_t>(blocks_)}});
    }
    largest = view_.Reshaped(largest, shape);
    for (std::int64_t distance = 1; distance < lanes_; distance *= 2) {
      const ir::TensorId turned = view_.Like(like, shape, "turned");
      view_.Add({largest, Ones("turn", lanes_, lanes_,
                               [&](std::int64_t o, std::int64_t i) {
                                 return (o + distance) % lanes_ == i;
                               })},
                turned, ir::FullyConnected{}, 0);
      const ir::TensorId larger = view_.Like(like, shape, "larger");
      view_.Add({largest, turned}, larger, ir::Binary{.kind = ir::BinaryKind::kMaximum});
      largest = larger;
    }
    return largest;
  }

  // 127 less the distances to the row's largest value.
  [[nodiscard]] ir::TensorId Distances(ir::TensorId x) const {
    ir::Tensor like = view_.Input(0);
    like.zero_point = kNoDistance;
    const ir::TensorId distances = view_.Like(like, Blocks(), "distances");
    view_.Add({x, view_.Reshaped(Largest(x), {1, rows_, 1, lanes_})}, distances,
              ir::Binary{.kind = ir::BinaryKind::kSub});
    return distances;
  }

  // One of the digits of the exponentials.
  [[nodiscard]] ir::TensorId Digit(ir::TensorId distances, const Exponentials& exponentials,
                                   int digit) const {
    ir::Lookup lookup;
    for (std::size_t i = 0; i < exponentials.size(); ++i) {
      const std::int32_t rounded = arithmetic::RoundingDivideByPowerOfTwo(
          exponentials[i], arithmetic::kExponentialSumIntegerBits);
      const std::int32_t bits = rounded >> (kDigitBits * digit);
      const bool last = digit + 1 == kDigits;
      lookup.table[(kNoDistance - i) % lookup.table.size()] =
          static_cast<std::int8_t>(last ? bits : bits & ((1 << kDigitBits) - 1));
    }
    const ir::TensorId digits = Raw(kInt8, Blocks(), "digits");
    view_.Add({distances}, digits, lookup);
    return digits;
  }

  // The sum of each row in a lane of its own, `together_` rows side by side.
  [[nodiscard]] ir::TensorId Sum(ir::TensorId distances, const Exponentials& exponentials) const {
    std::vector<std::int8_t> ones;
    for (std::int64_t o = 0; o < together_; ++o) {
      for (std::int64_t row = 0; row < together_; ++row) {
        for (std::int64_t i = 0; i < padded_; ++i) ones.push_back(o == row && i < length_ ? 1 : 0);
      }
    }
    const ir::TensorId weights =
        Constant("ones", {together_, together_, blocks_, lanes_}, std::move(ones));
    // A digit is looked up while the one before is summed.
    std::array<ir::TensorId, kDigits> sums{};
    ir::TensorId next = Digit(distances, exponentials, 0);
    for (int digit = 0; digit < kDigits; ++digit) {
      const ir::TensorId digits = next;
      if (digit + 1 < kDigits) next = Digit(distances, exponentials, digit + 1);
      // The last factor is halved, or a sum would have 32 bits before its rounding.
      const int bits = kDigitBits * digit - (digit + 1 == kDigits ? 1 : 0);
      sums[static_cast<std::size_t>(digit)] =
          Raw(kInt32, {1, groups_, 1, together_}, "sums", 1.0F / static_cast<float>(1 << bits));
      view_.Add(
          {digits, weights}, sums[static_cast<std::size_t>(digit)],
          ir::Conv2D{.stride = {.h = static_cast<std::int32_t>(together_)},
                     .padding = {.bottom = static_cast<std::int32_t>(groups_ * together_ - rows_)}},
          0);
    }
    const ir::TensorId upper = maps_.Add(kInt32, {sums[2]}, WithConstant(Kind::kMul, 2));
    const ir::TensorId lower = maps_.Add(kInt32, {sums[0], sums[1]}, {.kind = Kind::kAdd});
    return maps_.Add(kInt32, {lower, upper}, {.kind = Kind::kAdd});
  }

  // The logarithm k of sums, as an index of tables, or as two: what one knows is 0 in the other.
  struct Logarithm {
    ir::TensorId low;  // Bits from kLowest on.
    std::optional<ir::TensorId>
        high;  // Those from kHighest on, unless all sums are less than that.
  };
  [[nodiscard]] ir::TensorId Bits(ir::TensorId sum, int from) const {
    ir::IntegerMap bits = ShiftedDown(from);
    bits.zero = -128;
    return maps_.Add(kInt8, {sum}, bits);
  }
  [[nodiscard]] Logarithm LogarithmOf(ir::TensorId sum) const {
    Logarithm k = {.low = Bits(sum, kLowest), .high = {}};
    if (length_ >= 1 << kByteBits) k.high = Bits(sum, kHighest);
    return k;
  }
  // of(k), where bits from `from` up to `to` are the highest ones.
  template <typename Of>
  [[nodiscard]] ir::TensorId Look(ir::TensorId index, int from, int to, Of of) const {
    ir::WideLookup lookup;
    for (int bits = 1; bits < 1 << (to - from); ++bits) {
      lookup.table[static_cast<std::size_t>(bits)] =
          of(from + static_cast<int>(std::bit_width(static_cast<unsigned>(bits))) - 1);
    }
    const ir::TensorId output = Raw(kInt32, {1, groups_, 1, together_}, "looked up");
    view_.Add({index}, output, lookup);
    return output;
  }
  template <typename Of>
  [[nodiscard]] ir::TensorId OfLogarithm(const Logarithm& k, ElementType type, Of of) const {
    const ir::TensorId low = Look(k.low, kLowest, k.high ? kHighest : kLowest + kByteBits, of);
    if (k.high)
      return maps_.Add(type, {low, Look(*k.high, kHighest, kTop + 1, of)}, {.kind = Kind::kAdd});
    return type == kInt32 ? low : maps_.Add(type, {low}, {});
  }

  [[nodiscard]] ir::TensorId Product(ir::TensorId x, ir::TensorId factor) const {
    return maps_.Add(kInt32, {x, factor}, {.rounds = Rounds::kProduct});
  }

  // 1 / (1 + f) in 2^31sts: Newton's steps on 2 / (1 + f) in 2^29ths, from half of 1 + f in
  // 2^31sts.
  [[nodiscard]] ir::TensorId Reciprocal(ir::TensorId half) const {
    constexpr std::int32_t k48Over17 = 1515870810;
    constexpr std::int32_t k32Over17 = 1010580540;
    constexpr std::int32_t kOne = 1 << 29;
    ir::IntegerMap first = WithConstant(Kind::kMul, -1);
    first.rounds = Rounds::kHalfUp;
    first.factor = {.multiplier = k32Over17, .shift = 0};
    ir::TensorId r =
        maps_.Add(kInt32, {maps_.Add(kInt32, {half}, first)}, WithConstant(Kind::kAdd, k48Over17));
    for (int step = 0; step < 3; ++step) {
      ir::IntegerMap less = WithConstant(Kind::kMul, -1);
      less.bias = kOne;
      const ir::TensorId error = maps_.Add(kInt32, {Product(half, r)}, less);
      const ir::TensorId change =
          maps_.Add(kInt32, {Product(error, r)}, WithConstant(Kind::kMul, 4));
      r = maps_.Add(kInt32, {r, change}, {.kind = Kind::kAdd});
    }
    // Twice that, but of 2^31 one less.
    const ir::TensorId twice = maps_.Add(kInt32, {r}, WithConstant(Kind::kMul, 2));
    const ir::TensorId whole = maps_.Add(kInt8, {r}, ShiftedDown(30));
    return maps_.Add(kInt32, {twice, whole}, {.kind = Kind::kSub});
  }

  // A parameter entry for each row, that divides by its sum.
  [[nodiscard]] ir::TensorId Entries(ir::TensorId sum) const {
    constexpr int kMostShift = 31;
    constexpr int kOutputBits = 4;
    const Logarithm k = LogarithmOf(sum);
    const ir::TensorId power =
        OfLogarithm(k, kInt32, [](int log) { return std::int32_t{1} << (kTop - log); });
    const ir::TensorId half = maps_.Add(kInt32, {sum, power}, {.kind = Kind::kMul});
    ir::TensorId factor = Reciprocal(half);
    const auto shift_of = [](int log) { return log + kOutputBits; };
    // Of longer rows all quotients may be 0.
    if (length_ >= 1 << (kMostShift - kOutputBits - kLowest + 1)) {
      const ir::TensorId counts =
          OfLogarithm(k, kInt32, [&](int log) { return shift_of(log) <= kMostShift ? 1 : 0; });
      factor = maps_.Add(kInt32, {factor, counts}, {.kind = Kind::kMul});
    }
    const ir::TensorId shift =
        OfLogarithm(k, kInt8, [&](int log) { return -std::min(shift_of(log), kMostShift); });
    return Joined(factor, shift);
  }

  // Of each row a bias of 0, the factor and the shift, where an entry has those of lane 0.
  [[nodiscard]] ir::TensorId Joined(ir::TensorId factor, ir::TensorId shift) const {
    constexpr std::int64_t kFactorBytes = isa::kMultiplierFormat.Bytes();
    constexpr std::int64_t kBiasBytes = isa::kBiasFormat.Bytes();
    const std::int64_t rows = groups_ * together_;
    const std::int64_t size = isa::kLaneParameterBytes * lanes_;
    const ir::TensorId bias = Constant("bias", {kBiasBytes}, std::vector<std::int8_t>(kBiasBytes));
    const ir::TensorId bytes = Raw(kInt8, {rows, kFactorBytes}, "bytes");
    view_.Add({factor}, bytes, ir::Reshape{});
    ir::Move move;
    const auto copy = [&](std::size_t input, std::int64_t bytes_of_row, std::int64_t stride,
                          std::int64_t to) {
      move.copies.push_back({.input = input,
                             .to = to,
                             .loops = {{.count = rows, .from_stride = stride, .to_stride = size},
                                       {.count = bytes_of_row, .from_stride = 1, .to_stride = 1}}});
    };
    copy(0, kBiasBytes, 0, 0);
    copy(1, kFactorBytes, kFactorBytes, kBiasBytes * lanes_);
    copy(2, 1, 1, (kBiasBytes + kFactorBytes) * lanes_);
    const ir::TensorId entries = Raw(kInt8, {rows, size}, "entries");
    view_.Add({bias, bytes, view_.Reshaped(shift, {rows, 1})}, entries, std::move(move));
    return entries;
  }

  const OperatorView& view_;
  std::int64_t lanes_;
  std::int64_t length_;
  std::int64_t padded_;
  std::int64_t blocks_;
  std::int64_t rows_;
  std::int64_t together_;
  std::int64_t groups_;
  IntegerMaps maps_;
};

}  // namespace

bool LegaliseInteger(const OperatorView& view, const ir::Softmax& op) {
  const isa::HardwareConfig& config = view.graph.Config();
  const std::int64_t length = view.Input(0).shape.empty() ? 1 : view.Input(0).shape.back();
  if (config.int16 == 0 || view.Output().type != kInt8 ||
      length > std::min<std::int64_t>(kMostLength, std::int64_t{config.ub_rows} / 4 * config.n) ||
      !view.graph.FeedsDevice(view.op.outputs[0])) {
    return false;
  }
  IntegerSoftmaxRule(view, length).Run(op.beta);
  return true;
}

}  // namespace tpu::compiler
