// SPDX-License-Identifier: Apache-2.0
// Numbers of the formats that instructions name (docs/isa.md, 10.1), in rows of the unified buffer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "golden/state.h"
#include "isa/instruction.h"

namespace tpu::golden {

template <typename Element>
std::span<std::uint8_t> AsBytes(std::span<Element> values) {
  return {reinterpret_cast<std::uint8_t*>(values.data()), values.size_bytes()};
}

constexpr std::uint16_t LittleEndian16(const std::uint8_t* bytes) {
  return static_cast<std::uint16_t>(bytes[0] | bytes[1] << 8);
}
constexpr std::uint32_t LittleEndian32(const std::uint8_t* bytes) {
  return LittleEndian16(bytes) | static_cast<std::uint32_t>(LittleEndian16(bytes + 2)) << 16;
}

/// The N numbers from a row on as fp32. Throws Fault when a row does not exist. `scratch` is for
/// their bytes.
void ReadNumbers(isa::NumberFormat format, std::int64_t row, State& state,
                 std::vector<std::uint8_t>& scratch, std::span<float> numbers);

/// Converts N fp32 numbers and writes them to the rows from `row` on. Throws Fault at the first
/// that does not exist; those before it are written.
void WriteNumbers(isa::NumberFormat format, std::int64_t row, State& state,
                  std::vector<std::uint8_t>& scratch, std::span<const float> numbers);

/// An accumulator row of format fp32 or int32 as fp32.
void ReadSums(isa::NumberFormat format, std::int64_t row, State& state, std::span<float> numbers);

}  // namespace tpu::golden
