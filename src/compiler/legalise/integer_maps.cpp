// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/integer_maps.h"

#include <algorithm>

#include "arithmetic/sigmoid_table.h"

namespace tpu::compiler {
namespace {

using Kind = ir::IntegerMap::Kind;
using Rounds = ir::IntegerMap::Rounds;

// A byte's bits, less 128.
constexpr std::int32_t kByteOffset = 128;

// What int8 clamps to; there are no wider bounds than those of int16.
Bounds LimitsOf(ElementType type) {
  if (type != ElementType::kInt8) return {.lo = -32768, .hi = 32767};
  return {};
}

constexpr std::size_t kLastEntry = arithmetic::kSigmoidTable.size() - 1;

// The table's entries, and their distances to the next ones. From the last one on both functions
// are constant: `last`.
struct SigmoidTables {
  std::array<std::int32_t, 256> entries{};
  std::array<std::int32_t, 256> slopes{};

  explicit SigmoidTables(std::int32_t last) {
    for (std::size_t i = 0; i < kLastEntry; ++i) {
      entries[i] = arithmetic::kSigmoidTable[i];
      slopes[i] = arithmetic::kSigmoidTable[i + 1] - entries[i];
    }
    entries[kLastEntry] = last;
  }
};

// What both functions have in common.
struct Interpolation {
  ir::TensorId negative;  // int8: -1 where the argument is negative, else 0.
  ir::TensorId sign;      // int8: -1 or 1.
  ir::TensorId whole;     // int32: the table's entry, times 2^fraction.
  ir::TensorId part;      // int32: the slope times the argument's fraction.
};

Interpolation Interpolate(const IntegerMaps& maps, ir::TensorId input,
                          const SigmoidArgument& argument, int fraction, std::int32_t last) {
  using enum ElementType;
  const SigmoidTables tables(last);
  const ir::TensorId scaled =
      maps.Add(kInt32, {input}, Scaled(argument.multiplier, argument.shift));
  ir::IntegerMap below = WithConstant(Kind::kMinimum, 0);
  below.lo = -1;
  const ir::TensorId negative = maps.Add(kInt8, {scaled}, below);
  ir::IntegerMap twice = WithConstant(Kind::kMul, 2);
  twice.bias = 1;
  const ir::TensorId sign = maps.Add(kInt8, {negative}, twice);
  const ir::TensorId magnitude = maps.Add(kInt32, {scaled, sign}, {.kind = Kind::kMul});
  // The entry's number less 128; numbers above the last one are the last one.
  ir::IntegerMap number = ShiftedDown(fraction);
  number.zero = -kByteOffset;
  const ir::TensorId index = maps.Add(kInt8, {magnitude}, number);
  // What is behind the last entry gets a fraction that is no fraction; the slope there is 0.
  ir::IntegerMap start = WithConstant(Kind::kMul, 1 << fraction);
  start.bias = kByteOffset << fraction;
  const ir::TensorId before = maps.Add(kInt32, {index}, start);
  const ir::TensorId offset = maps.Add(kInt32, {magnitude, before}, {.kind = Kind::kSub});
  const ir::TensorId slope = maps.LookWide(index, tables.slopes);
  return {.negative = negative,
          .sign = sign,
          .whole = maps.Add(kInt32, {maps.LookWide(index, tables.entries)},
                            WithConstant(Kind::kMul, 1 << fraction)),
          .part = maps.Add(kInt32, {offset, slope}, {.kind = Kind::kMul})};
}

}  // namespace

ir::TensorId IntegerMaps::NewTensor(ElementType type) const {
  ir::Tensor like;
  like.type = type;
  return view_.Like(like, shape_, ElementTypeName(type));
}

ir::TensorId IntegerMaps::Add(ElementType type, std::vector<ir::TensorId> inputs,
                              ir::IntegerMap op) const {
  const ir::TensorId output = NewTensor(type);
  AddAs(output, std::move(inputs), op);
  return output;
}

void IntegerMaps::AddAs(ir::TensorId output, std::vector<ir::TensorId> inputs,
                        ir::IntegerMap op) const {
  const Bounds limits = LimitsOf(view_.graph.At(output).type);
  op.lo = std::max(op.lo, limits.lo);
  op.hi = std::min(op.hi, limits.hi);
  view_.Add(std::move(inputs), output, op);
}

ir::TensorId IntegerMaps::Look(ir::TensorId input,
                               const std::array<std::int8_t, 256>& table) const {
  const ir::TensorId output = NewTensor(ElementType::kInt8);
  ir::Lookup lookup;
  for (std::size_t i = 0; i < table.size(); ++i) {
    lookup.table[(i + table.size() / 2) % table.size()] = table[i];
  }
  view_.Add({input}, output, lookup);
  return output;
}

ir::TensorId IntegerMaps::LookWide(ir::TensorId input,
                                   const std::array<std::int32_t, 256>& values) const {
  constexpr std::int32_t kBytes = 256;
  std::array<std::int8_t, 256> high{};
  std::array<std::int8_t, 256> low{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    high[i] = static_cast<std::int8_t>(values[i] / kBytes - kByteOffset);
    low[i] = static_cast<std::int8_t>(values[i] % kBytes - kByteOffset);
  }
  ir::IntegerMap shifted = WithConstant(Kind::kMul, kBytes);
  shifted.bias = kByteOffset * kBytes + kByteOffset;
  const ir::TensorId above = Add(ElementType::kInt32, {Look(input, high)}, shifted);
  return Add(ElementType::kInt32, {above, Look(input, low)}, {.kind = Kind::kAdd});
}

ir::TensorId IntegerMaps::LookWord(ir::TensorId input,
                                   const std::array<std::int32_t, 256>& words) const {
  const ir::TensorId output = NewTensor(ElementType::kInt32);
  view_.Add({input}, output, ir::WideLookup{.table = words});
  return output;
}

ir::IntegerMap Scaled(std::int32_t multiplier, int shift) {
  constexpr int kFraction = 31;
  const Multiplier factor = shift == 0
                                ? Multiplier{.multiplier = 2 * multiplier, .shift = kFraction - 1}
                                : Multiplier{.multiplier = multiplier, .shift = kFraction - shift};
  return {.rounds = Rounds::kHalfUp, .factor = factor};
}

ir::IntegerMap ShiftedDown(int shift) {
  ir::IntegerMap op = Scaled(1, shift);
  op.bias = -(1 << (shift - 1));
  return op;
}

ir::IntegerMap WithConstant(Kind kind, std::int32_t constant) {
  return {.kind = kind, .constant = constant};
}

// For a negative argument 1 less the function of its magnitude.
void AddLogistic(const IntegerMaps& maps, ir::TensorId input, const SigmoidArgument& argument,
                 ir::TensorId output) {
  using enum ElementType;
  constexpr int kFraction = 9;
  constexpr std::int32_t kLast = 0x7FFF << 1;
  const Interpolation sum = Interpolate(maps, input, argument, kFraction, kLast);
  ir::IntegerMap rounded = Scaled(1, kFraction + 1);
  rounded.kind = Kind::kAdd;
  const ir::TensorId magnitude = maps.Add(kInt16, {sum.whole, sum.part}, rounded);
  const ir::TensorId turned = maps.Add(kInt32, {magnitude, sum.sign}, {.kind = Kind::kMul});
  const ir::TensorId one = maps.Add(kInt32, {sum.negative}, WithConstant(Kind::kMul, -32768));
  maps.AddAs(output, {turned, one}, {.kind = Kind::kAdd});
}

// tanh(x) is 2 * logistic(2 x) - 1, and odd.
void AddTanh(const IntegerMaps& maps, ir::TensorId input, const SigmoidArgument& argument,
             ir::TensorId output) {
  using enum ElementType;
  constexpr int kFraction = 8;
  constexpr std::int32_t kLast = 0xFFFF;
  constexpr std::int32_t kHalf = 1 << 23;
  const Interpolation sum = Interpolate(maps, input, argument, kFraction, kLast);
  ir::IntegerMap rounded = Scaled(1, kFraction);
  rounded.kind = Kind::kAdd;
  rounded.bias = -kHalf;
  const ir::TensorId magnitude = maps.Add(kInt16, {sum.whole, sum.part}, rounded);
  maps.AddAs(output, {magnitude, sum.sign}, {.kind = Kind::kMul});
}

// Steps from one sample to the next have 7 bits, and there are 2 * 256. A word of a table has the
// sample in its upper half, and in its lower one the slope up to the next sample. The slope times
// 512 offsets less 1, and the word added, is 2^16 times the result before it is rounded.
ir::TensorId AddInterpolated(const IntegerMaps& maps, ir::TensorId input, std::int32_t bias,
                             const arithmetic::Int16Table& table) {
  using enum ElementType;
  constexpr int kFraction = arithmetic::Int16Table::kFraction;
  constexpr std::int32_t kHalf = 256;
  constexpr int kSampleBits = 16;
  const auto word = [&](std::int32_t place) {
    const auto i = static_cast<std::size_t>(place + kHalf);
    const std::int32_t sample = table.Samples()[i];
    const std::int32_t slope = table.Samples()[i + 1] - sample;
    return (sample << kSampleBits) + slope;
  };
  std::array<std::int32_t, 256> lower{};
  std::array<std::int32_t, 256> more{};  // That words of the upper half are more than lower ones.
  std::array<std::int32_t, 256> offsets{};
  for (std::int32_t byte = 0; byte < kHalf; ++byte) {
    const auto entry = static_cast<std::size_t>((byte + kByteOffset) % kHalf);
    lower[entry] = word(byte - kHalf);
    more[entry] = word(byte) - lower[entry];
    const std::int32_t offset = (byte + bias) & ((1 << kFraction) - 1);
    offsets[entry] = (offset << (kSampleBits - kFraction)) - 1;
  }
  ir::IntegerMap place = ShiftedDown(kFraction);
  place.bias += bias;
  place.lo = -kHalf;
  place.hi = kHalf - 1;
  const ir::TensorId index = maps.Add(kInt16, {input}, place);
  const ir::TensorId is_upper = maps.Add(kInt8, {input}, {.bias = bias + 1, .lo = 0, .hi = 1});
  const ir::TensorId added =
      maps.Add(kInt32, {maps.LookWord(index, more), is_upper}, {.kind = Kind::kMul});
  const ir::TensorId words =
      maps.Add(kInt32, {maps.LookWord(index, lower), added}, {.kind = Kind::kAdd});
  const ir::TensorId part =
      maps.Add(kInt32, {maps.LookWord(input, offsets), words}, {.kind = Kind::kMul});
  ir::IntegerMap sum = Scaled(1, kSampleBits);
  sum.kind = Kind::kAdd;
  return maps.Add(kInt16, {words, part}, sum);
}

}  // namespace tpu::compiler
