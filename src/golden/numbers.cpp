// SPDX-License-Identifier: Apache-2.0
#include "golden/numbers.h"

#include <algorithm>
#include <bit>

#include "arithmetic/float/float32.h"

namespace tpu::golden {
namespace {

/// The number at the start of `bytes`.
float NumberAt(isa::NumberFormat format, const std::uint8_t* bytes) {
  switch (format) {
    case isa::NumberFormat::kInt8:
      break;
    case isa::NumberFormat::kBfloat16:
      return arithmetic::FloatOfBf16(LittleEndian16(bytes));
    case isa::NumberFormat::kFloat32:
      return arithmetic::Canonical(arithmetic::FloatOf(LittleEndian32(bytes)));
    case isa::NumberFormat::kInt32:
      return arithmetic::FloatOfInt32(std::bit_cast<std::int32_t>(LittleEndian32(bytes)));
  }
  return static_cast<float>(static_cast<std::int8_t>(bytes[0]));
}

/// The word of a number; only the format's bytes matter.
std::uint32_t WordOf(isa::NumberFormat format, float number) {
  switch (format) {
    case isa::NumberFormat::kInt8:
      break;
    case isa::NumberFormat::kBfloat16:
      return arithmetic::Bf16OfFloat(number);
    case isa::NumberFormat::kFloat32:
      return arithmetic::FloatBits(number);
    case isa::NumberFormat::kInt32:
      return std::bit_cast<std::uint32_t>(arithmetic::Int32OfFloat(number));
  }
  return static_cast<std::uint8_t>(arithmetic::Int8OfFloat(number));
}

}  // namespace

void ReadNumbers(isa::NumberFormat format, std::int64_t row, State& state,
                 std::vector<std::uint8_t>& scratch, std::span<float> numbers) {
  const auto size = static_cast<std::size_t>(isa::BytesOf(format));
  scratch.clear();
  for (std::size_t i = 0; i < size; ++i, ++row) {
    const std::span<std::uint8_t> bytes = AsBytes(state.ub.Row(row));
    scratch.insert(scratch.end(), bytes.begin(), bytes.end());
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = NumberAt(format, &scratch[size * i]);
  }
}

void WriteNumbers(isa::NumberFormat format, std::int64_t row, State& state,
                  std::vector<std::uint8_t>& scratch, std::span<const float> numbers) {
  const auto size = static_cast<std::size_t>(isa::BytesOf(format));
  scratch.clear();
  for (const float number : numbers) {
    const std::uint32_t word = WordOf(format, number);
    for (std::size_t b = 0; b < size; ++b) {
      scratch.push_back(static_cast<std::uint8_t>(word >> (8 * b)));
    }
  }
  for (std::size_t i = 0; i < size; ++i, ++row) {
    std::ranges::copy(std::span(scratch).subspan(i * numbers.size(), numbers.size()),
                      AsBytes(state.ub.Row(row)).begin());
  }
}

void ReadSums(isa::NumberFormat format, std::int64_t row, State& state, std::span<float> numbers) {
  std::ranges::transform(state.acc.Row(row), numbers.begin(), [format](isa::Sum sum) {
    if (format == isa::NumberFormat::kInt32) return arithmetic::FloatOfInt32(sum);
    return arithmetic::Canonical(std::bit_cast<float>(sum));
  });
}

}  // namespace tpu::golden
