// SPDX-License-Identifier: Apache-2.0
// IVECTOR (docs/isa.md, 11.3).
#include <algorithm>
#include <array>
#include <bit>

#include "golden/arithmetic.h"
#include "golden/execute.h"
#include "golden/numbers.h"
#include "golden/vector_walk.h"

namespace tpu::golden {
namespace {

/// What a window's taps are combined with first.
constexpr std::int64_t kLeast = -(std::int64_t{1} << 47);

std::int64_t NumberAt(isa::IntegerFormat format, const std::uint8_t* bytes) {
  switch (format) {
    case isa::IntegerFormat::kInt8:
      break;
    case isa::IntegerFormat::kInt16:
      return std::bit_cast<std::int16_t>(LittleEndian16(bytes));
    case isa::IntegerFormat::kInt32:
    case isa::IntegerFormat::kPair:
      return std::bit_cast<std::int32_t>(LittleEndian32(bytes));
  }
  return std::bit_cast<std::int8_t>(*bytes);
}

/// The lanes of one instruction while it runs.
class IntegerLanes {
 public:
  IntegerLanes(const isa::Ivector& v, State& state)
      : v_(v),
        state_(state),
        reads_b_(isa::ReadsSourceB(v)),
        a_(state.config.n),
        b_(state.config.n, v.constant),
        result_(state.config.n) {}

  /// Combines the taps of one window that lie inside the bounds, and maps the combination.
  void Reduce(const VectorStep& output) {
    const bool is_max = v_.reduce == isa::VectorReduce::kMaximum;
    any_ = false;
    std::ranges::fill(result_, is_max ? kLeast : 0);
    ForEachTap(v_, output, [&](const VectorStep& at) {
      any_ = true;
      ReadA(RowOfA(v_, at));
      if (reads_b_) ReadNumbers(v_.b_format, RowOfB(v_, at), b_);
      for (std::size_t i = 0; i < result_.size(); ++i) {
        result_[i] = is_max ? std::max(result_[i], a_[i]) : Wrap48(result_[i] + a_[i]);
      }
    });
    if (!any_) return;
    for (std::size_t i = 0; i < result_.size(); ++i) result_[i] = Map(result_[i], b_[i]);
  }

  /// Requantises and clamps the window's result and writes it.
  void Write(const VectorStep& at) {
    const std::int64_t entry = ParameterEntry(v_, at);
    const std::span<const isa::Bias> bias = state_.bias.Row(entry);
    const std::span<const isa::Multiplier> multiplier = state_.multiplier.Row(entry);
    const std::span<const isa::Shift> shift = state_.shift.Row(entry);
    const auto size = static_cast<std::size_t>(isa::RowsOf(v_.o_format));
    bytes_.clear();
    for (std::size_t i = 0; i < result_.size(); ++i) {
      const std::size_t lane = v_.uniform != 0 ? 0 : i;
      const std::int32_t factor =
          v_.requant == isa::IntegerRequant::kProduct ? FactorOf(b_[i]) : multiplier[lane];
      const std::int32_t q = Requantised(result_[i], bias[lane], factor, shift[lane]);
      std::int32_t number = Wrap32(std::int64_t{q} + v_.o_zero);
      if (v_.o_format != isa::IntegerFormat::kInt32) {
        number = std::min(std::max(number, v_.lo), v_.hi);
      }
      for (std::size_t b = 0; b < size; ++b) {
        bytes_.push_back(static_cast<std::uint8_t>(static_cast<std::uint32_t>(number) >> (8 * b)));
      }
    }
    std::int64_t row = RowOfOutput(v_, at);
    for (std::size_t i = 0; i < size; ++i, ++row) {
      std::ranges::copy(std::span(bytes_).subspan(i * result_.size(), result_.size()),
                        AsBytes(state_.ub.Row(row)).begin());
    }
  }

 private:
  void ReadA(std::int64_t row) {
    if (v_.source == isa::VectorSource::kUnifiedBuffer) {
      ReadNumbers(v_.a_format, row, a_);
      return;
    }
    std::ranges::copy(state_.acc.Row(row), a_.begin());
    if (v_.a_format != isa::IntegerFormat::kPair) return;
    const std::span<const isa::Sum> low = state_.acc.Row(row + v_.a_low);
    for (std::size_t i = 0; i < a_.size(); ++i) a_[i] = 256 * a_[i] + low[i];
  }

  /// The N numbers from a row of the unified buffer on.
  void ReadNumbers(isa::IntegerFormat format, std::int64_t row, std::span<std::int64_t> numbers) {
    const auto size = static_cast<std::size_t>(isa::RowsOf(format));
    bytes_.clear();
    for (std::size_t i = 0; i < size; ++i, ++row) {
      const std::span<std::uint8_t> bytes = AsBytes(state_.ub.Row(row));
      bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = NumberAt(format, &bytes_[size * i]);
    }
  }

  /// The 32 bits whose bytes stand in four tables.
  [[nodiscard]] std::int64_t Look(std::int64_t index) const {
    constexpr std::int64_t kTables = isa::kTablesOfWords;
    const auto entry = static_cast<std::size_t>(index & 0xFF);
    std::array<std::uint8_t, kTables> bytes{};
    for (std::int64_t t = 0; t < kTables; ++t) {
      bytes[static_cast<std::size_t>(t)] =
          static_cast<std::uint8_t>(state_.lut.Row(kTables * v_.lut + t)[entry]);
    }
    return std::bit_cast<std::int32_t>(LittleEndian32(bytes.data()));
  }

  /// What takes the multiplier's place: 31 bits of b, which is there if a tap was inside.
  [[nodiscard]] std::int32_t FactorOf(std::int64_t b) const {
    return any_ ? static_cast<std::int32_t>(b & 0x7FFFFFFF) : 0;
  }

  [[nodiscard]] std::int64_t Map(std::int64_t a, std::int64_t b) const {
    constexpr int kScaledShift = 14;
    // What is multiplied has 16 bits.
    const auto factor = static_cast<std::int16_t>(static_cast<std::uint64_t>(b));
    const auto scaled = [&]() -> std::int64_t {
      return PremultiplyWide(v_.requant == isa::IntegerRequant::kSingle, factor, v_.constant,
                             static_cast<int>(v_.pre_shift));
    };
    switch (v_.map) {
      case isa::IntegerMap::kCopy:
        break;
      case isa::IntegerMap::kAdd:
        return Wrap48(a + b);
      case isa::IntegerMap::kSubtract:
        return Wrap48(a - b);
      case isa::IntegerMap::kReverseSubtract:
        return Wrap48(b - a);
      case isa::IntegerMap::kMultiply:
        return std::int64_t{Wrap32(a)} * factor;
      case isa::IntegerMap::kMaximum:
        return std::max(a, b);
      case isa::IntegerMap::kMinimum:
        return std::min(a, b);
      case isa::IntegerMap::kAddScaled:
        return Wrap48(a * (1 << kScaledShift) + scaled());
      case isa::IntegerMap::kSubtractScaled:
        return Wrap48(a * (1 << kScaledShift) - scaled());
      case isa::IntegerMap::kReverseSubtractScaled:
        return Wrap48(scaled() - a * (1 << kScaledShift));
      case isa::IntegerMap::kLook:
        return Look(a - b);
    }
    return a;
  }

  [[nodiscard]] std::int32_t Requantised(std::int64_t value, std::int32_t bias,
                                         std::int32_t multiplier, int shift) const {
    switch (v_.requant) {
      case isa::IntegerRequant::kNone:
        return Wrap32(value + bias);
      case isa::IntegerRequant::kDouble:
      case isa::IntegerRequant::kProduct:
        return Requantise(isa::VectorRequant::kDouble, Wrap32(value), bias, multiplier, shift);
      case isa::IntegerRequant::kSingle:
        return Requantise(isa::VectorRequant::kSingle, Wrap32(value), bias, multiplier, shift);
      case isa::IntegerRequant::kDivide:
        return Requantise(isa::VectorRequant::kDivide, Wrap32(value), bias, multiplier, shift);
      case isa::IntegerRequant::kWide:
        break;
    }
    return RequantiseWide(value, bias, multiplier, shift);
  }

  const isa::Ivector& v_;
  State& state_;
  bool reads_b_;
  bool any_ = false;  // A tap of the window was inside the bounds.
  std::vector<std::int64_t> a_;
  std::vector<std::int64_t> b_;
  std::vector<std::int64_t> result_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace

void Execute(const isa::Ivector& v, State& state) {
  IntegerLanes lanes(v, state);
  ForEachOutput(v, [&lanes](const VectorStep& at) {
    lanes.Reduce(at);
    lanes.Write(at);
  });
}

}  // namespace tpu::golden
