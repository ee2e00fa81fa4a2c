// SPDX-License-Identifier: Apache-2.0
// SOFTMAX on int8. The array sums exponentials, whose 20 bits are three bytes. The factors of N
// rows lie in one row of lanes, and become parameter entries.
#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <optional>

#include "arithmetic/exponential_table.h"
#include "compiler/legalise/integer_maps.h"
#include "compiler/legalise/legalise_rules.h"
#include "compiler/legalise/softmax_rows.h"
#include "ir/range.h"
#include "isa/element_format.h"

namespace tpu::compiler {
namespace {

using Kind = ir::IntegerMap::Kind;
using Rounds = ir::IntegerMap::Rounds;
using enum ElementType;

// Weights of the rows' sums, as many bytes at most.
constexpr std::int64_t kMostWeights = 1 << 18;

// The bits of an exponential that count in a sum are three digits of so many bits.
constexpr int kDigits = 3;
constexpr int kDigitBits = 7;

// A row's sum is s = 2^k * (1 + f), k from kLowest to kTop. Rows of so many values have sums whose
// bits from kLowest on are more than a byte.
constexpr int kLowest = arithmetic::kExponentialSumIntegerBits + kDigitBits;
constexpr int kTop = 30;
constexpr std::int64_t kLonger = 256;

// The distance 0 as int8.
constexpr std::int32_t kNoDistance = 127;

class IntegerSoftmaxRule {
 public:
  IntegerSoftmaxRule(const OperatorView& view, std::int64_t length)
      : view_(view),
        rows_(view, length),
        together_(std::clamp<std::int64_t>(kMostWeights / (rows_.Padded() * rows_.Lanes()), 1,
                                           std::min(rows_.Lanes(), rows_.Rows()))),
        groups_(ir::CeilDiv(rows_.Rows(), together_)),
        maps_(view, {1, groups_, 1, together_}) {}

  void Run(float beta) {
    const auto exponentials =
        arithmetic::ExponentialTable(beta, view_.Input(0).scale, view_.graph.GetRounding());
    const ir::TensorId distances = Distances(rows_.Input());
    const ir::TensorId entries = Entries(Sum(distances, exponentials));
    ir::WideLookup lookup = {.zero = view_.Output().zero_point};
    for (std::size_t i = 0; i < lookup.table.size(); ++i) {
      lookup.table[lookup.table.size() - 1 - i] = exponentials[i];
    }
    const ir::TensorId result = rows_.Raw(kInt8, rows_.Blocks(), "result");
    view_.Add({distances, entries}, result, lookup);
    rows_.Finish(result);
  }

 private:
  using Exponentials = std::array<std::int32_t, 256>;

  // 127 less the distances to the row's largest value.
  [[nodiscard]] ir::TensorId Distances(ir::TensorId x) const {
    ir::Tensor like = view_.Input(0);
    like.zero_point = kNoDistance;
    const ir::TensorId distances = view_.Like(like, rows_.Blocks(), "distances");
    view_.Add({x, rows_.Largest(x)}, distances, ir::Binary{.kind = ir::BinaryKind::kSub});
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
    const ir::TensorId digits = rows_.Raw(kInt8, rows_.Blocks(), "digits");
    view_.Add({distances}, digits, lookup);
    return digits;
  }

  // The sum of each row in a lane of its own, `together_` rows side by side.
  [[nodiscard]] ir::TensorId Sum(ir::TensorId distances, const Exponentials& exponentials) const {
    std::vector<std::int8_t> ones;
    for (std::int64_t o = 0; o < together_; ++o) {
      for (std::int64_t row = 0; row < together_; ++row) {
        for (std::int64_t i = 0; i < rows_.Padded(); ++i)
          ones.push_back(o == row && i < rows_.Length() ? 1 : 0);
      }
    }
    const ir::TensorId weights = rows_.Constant(
        "ones", {together_, together_, rows_.BlocksOfRow(), rows_.Lanes()}, std::move(ones));
    // A digit is looked up while the one before is summed.
    std::array<ir::TensorId, kDigits> sums{};
    ir::TensorId next = Digit(distances, exponentials, 0);
    for (int digit = 0; digit < kDigits; ++digit) {
      const ir::TensorId digits = next;
      if (digit + 1 < kDigits) next = Digit(distances, exponentials, digit + 1);
      // The last factor is halved, or a sum would have 32 bits before its rounding.
      const int bits = kDigitBits * digit - (digit + 1 == kDigits ? 1 : 0);
      sums[static_cast<std::size_t>(digit)] = rows_.Raw(kInt32, {1, groups_, 1, together_}, "sums",
                                                        1.0F / static_cast<float>(1 << bits));
      view_.Add({digits, weights}, sums[static_cast<std::size_t>(digit)],
                ir::Conv2D{.stride = {.h = static_cast<std::int32_t>(together_)},
                           .padding = {.bottom = static_cast<std::int32_t>(groups_ * together_ -
                                                                           rows_.Rows())}},
                0);
    }
    const ir::TensorId upper = maps_.Add(kInt32, {sums[2]}, WithConstant(Kind::kMul, 2));
    const ir::TensorId lower = maps_.Add(kInt32, {sums[0], sums[1]}, {.kind = Kind::kAdd});
    return maps_.Add(kInt32, {lower, upper}, {.kind = Kind::kAdd});
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
    const SumLogarithm k(maps_, sum, kLowest, kTop, rows_.Length() >= kLonger);
    const ir::TensorId power =
        k.Map(kInt32, [](int log) { return std::int32_t{1} << (kTop - log); });
    const ir::TensorId half = maps_.Add(kInt32, {sum, power}, {.kind = Kind::kMul});
    ir::TensorId factor = Reciprocal(half);
    const auto shift_of = [](int log) { return log + kOutputBits; };
    // Of longer rows all quotients may be 0.
    if (rows_.Length() >= 1 << (kMostShift - kOutputBits - kLowest + 1)) {
      const ir::TensorId counts =
          k.Map(kInt32, [&](int log) { return shift_of(log) <= kMostShift ? 1 : 0; });
      factor = maps_.Add(kInt32, {factor, counts}, {.kind = Kind::kMul});
    }
    const ir::TensorId shift =
        k.Map(kInt8, [&](int log) { return -std::min(shift_of(log), kMostShift); });
    return Joined(factor, shift);
  }

  // Of each row a bias of 0, the factor and the shift, where an entry has those of lane 0.
  [[nodiscard]] ir::TensorId Joined(ir::TensorId factor, ir::TensorId shift) const {
    constexpr std::int64_t kFactorBytes = isa::kMultiplierFormat.Bytes();
    constexpr std::int64_t kBiasBytes = isa::kBiasFormat.Bytes();
    const std::int64_t rows = groups_ * together_;
    const std::int64_t size = isa::kLaneParameterBytes * rows_.Lanes();
    const ir::TensorId bias =
        rows_.Constant("bias", {kBiasBytes}, std::vector<std::int8_t>(kBiasBytes));
    const ir::TensorId bytes = rows_.Raw(kInt8, {rows, kFactorBytes}, "bytes");
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
    copy(1, kFactorBytes, kFactorBytes, kBiasBytes * rows_.Lanes());
    copy(2, 1, 1, (kBiasBytes + kFactorBytes) * rows_.Lanes());
    const ir::TensorId entries = rows_.Raw(kInt8, {rows, size}, "entries");
    view_.Add({bias, bytes, view_.Reshaped(shift, {rows, 1})}, entries, std::move(move));
    return entries;
  }

  const OperatorView& view_;
  SoftmaxRows rows_;
  std::int64_t together_;
  std::int64_t groups_;
  IntegerMaps maps_;
};

}  // namespace

bool LegaliseInteger(const OperatorView& view, const ir::Softmax& op) {
  if (!ComputesSoftmax(view, kInt8)) return false;
  IntegerSoftmaxRule(view, LengthOfRows(view.Input(0))).Run(op.beta);
  return true;
}

}  // namespace tpu::compiler
