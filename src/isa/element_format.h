// SPDX-License-Identifier: Apache-2.0
// The formats of the numbers that the machine computes with. Whoever needs the size of an
// activation, a weight, a sum or a parameter takes the size from here: a new format is a type in
// tpu/tensor.h and a constant below.
#pragma once

#include <cstdint>
#include <string_view>

#include "isa/hardware_config.h"
#include "isa/instruction.h"
#include "tpu/tensor.h"

namespace tpu::isa {

/// Bytes of a row of the unified buffer, which a bank reads or writes in one cycle.
constexpr std::int64_t RowBytes(const HardwareConfig& config) { return config.n; }

/// How a number lies in memory and on chip.
struct ElementFormat {
  ElementType type = ElementType::kInt8;

  /// As in "int8".
  [[nodiscard]] constexpr std::string_view Name() const { return ElementTypeName(type); }
  /// Bytes of one element.
  [[nodiscard]] constexpr std::int64_t Bytes() const { return ElementBytes(type); }
  /// Bytes of `elements` elements, one behind the other.
  [[nodiscard]] constexpr std::int64_t BytesOf(std::int64_t elements) const {
    return elements * Bytes();
  }
  /// Elements that a row of the unified buffer holds.
  [[nodiscard]] constexpr std::int64_t ElementsOfRow(const HardwareConfig& config) const {
    return RowBytes(config) / Bytes();
  }

  friend bool operator==(const ElementFormat&, const ElementFormat&) = default;
};

// C++'s types of elements on chip, for code that computes with elements.
using Activation = std::int8_t;
using Weight = std::int8_t;
using Sum = std::int32_t;  ///< Of products, in the accumulators.
using Bias = std::int32_t;
using Multiplier = std::int32_t;
using Shift = std::int8_t;

/// The format of a C++ type.
template <typename T>
inline constexpr ElementFormat kFormatOf = {ElementTypeOf<T>::value};

inline constexpr ElementFormat kActivationFormat = kFormatOf<Activation>;
inline constexpr ElementFormat kWeightFormat = kFormatOf<Weight>;
inline constexpr ElementFormat kSumFormat = kFormatOf<Sum>;
inline constexpr ElementFormat kBiasFormat = kFormatOf<Bias>;
inline constexpr ElementFormat kMultiplierFormat = kFormatOf<Multiplier>;
inline constexpr ElementFormat kShiftFormat = kFormatOf<Shift>;

/// Bytes that a parameter entry has for one lane: a bias, a multiplier, a shift.
inline constexpr std::int64_t kLaneParameterBytes =
    kBiasFormat.Bytes() + kMultiplierFormat.Bytes() + kShiftFormat.Bytes();

/// Bytes of a number of an instruction's format, and rows of the unified buffer that N of them
/// take.
constexpr std::int64_t BytesOf(NumberFormat format) {
  switch (format) {
    case NumberFormat::kInt8:
      break;
    case NumberFormat::kBfloat16:
      return 2;
    case NumberFormat::kFloat32:
    case NumberFormat::kInt32:
      return 4;
  }
  return 1;
}

/// Bytes of an activation that MATMUL reads, and rows of the unified buffer that N of them take.
constexpr std::int64_t ActivationBytes(const Matmul& matmul) {
  return matmul.planes == 0 ? BytesOf(matmul.format) : 2;
}

/// MATMUL's low bytes of int16 are less by so much (docs/isa.md, 11.2).
inline constexpr std::int32_t kLowByteOffset = 128;

/// Rows that N numbers of an integer format take: of the unified buffer, or, for pairs, of the
/// accumulators.
constexpr std::int64_t RowsOf(IntegerFormat format) {
  switch (format) {
    case IntegerFormat::kInt8:
      break;
    case IntegerFormat::kInt16:
    case IntegerFormat::kPair:
      return 2;
    case IntegerFormat::kInt32:
      return 4;
  }
  return 1;
}

/// Whether an IVECTOR reads source B.
constexpr bool ReadsSourceB(const Ivector& v) {
  return v.operand == IntegerOperand::kUnifiedBuffer &&
         (v.map != IntegerMap::kCopy || v.requant == IntegerRequant::kProduct);
}

/// How instructions name the format of elements: int8 for all that they do not compute with, whose
/// bytes they only move.
constexpr NumberFormat NumberFormatOf(ElementFormat format) {
  switch (format.type) {
    case ElementType::kBfloat16:
    case ElementType::kInt16:  // LOAD and STORE move both alike.
      return NumberFormat::kBfloat16;
    case ElementType::kFloat32:
      return NumberFormat::kFloat32;
    case ElementType::kInt32:
      return NumberFormat::kInt32;
    default:
      return NumberFormat::kInt8;
  }
}

/// How IVECTOR names it.
constexpr IntegerFormat IntegerFormatOf(ElementFormat format) {
  switch (format.type) {
    case ElementType::kInt16:
      return IntegerFormat::kInt16;
    case ElementType::kInt32:
      return IntegerFormat::kInt32;
    default:
      return IntegerFormat::kInt8;
  }
}

/// Bytes of a weight tile in memory.
constexpr std::int64_t TileBytes(NumberFormat format, const HardwareConfig& config) {
  return BytesOf(format) * config.n * config.n;
}

/// A table says for each byte what VECTOR makes of the byte.
inline constexpr std::int64_t kTableEntries = 256;
inline constexpr std::int64_t kTableBytes = kActivationFormat.BytesOf(kTableEntries);
/// Tables that IVECTOR looks words up in, one for each byte of a word.
inline constexpr std::uint32_t kTablesOfWords = 4;

}  // namespace tpu::isa
