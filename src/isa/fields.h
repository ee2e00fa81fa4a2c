// SPDX-License-Identifier: Apache-2.0
// The fields of instructions as data: for code that treats all fields alike (encoder, assembler,
// tests).
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "isa/instruction.h"

namespace tpu::isa {

/// A field as tpu_isa.def describes it.
struct Field {
  std::string_view name;
  unsigned word;          ///< 32-bit word, counted from the start of the instruction.
  unsigned lsb;           ///< Lowest bit within the word.
  unsigned width;         ///< Bits; 64 means this word and the next.
  std::string_view type;  ///< "U", "S", "F" or the name of an enumeration.
  std::int64_t min;
  std::uint64_t max;
  Requirement requirement = Requirement::kNothing;  ///< Else reserved.

  [[nodiscard]] bool IsSigned() const { return type == "S"; }
  /// The word of an fp32 number.
  [[nodiscard]] bool IsFloat() const { return type == "F"; }
  [[nodiscard]] bool IsEnum() const { return !IsSigned() && !IsFloat() && type != "U"; }
  /// Values are carried as 64 bits; those of signed fields are sign-extended.
  [[nodiscard]] bool IsLegal(std::uint64_t value) const {
    if (!IsSigned()) return value >= static_cast<std::uint64_t>(min) && value <= max;
    const auto s = static_cast<std::int64_t>(value);
    return s >= min && s <= static_cast<std::int64_t>(max);
  }
};

/// A named value of a field whose type is an enumeration.
struct EnumValue {
  std::string_view mnemonic;
  std::uint64_t value;
};

/// The values of an enumeration named in tpu_isa.def; empty for any other name.
std::span<const EnumValue> EnumValues(std::string_view type);

/// A structure member as the 64 bits that `Field` speaks of, and back.
template <typename T>
std::uint64_t ToBits(T value) {
  return static_cast<std::uint64_t>(value);
}
template <typename T>
T FromBits(std::uint64_t value) {
  return static_cast<T>(value);
}

// ForEachField(instruction, visit) calls visit(field, member) for every field of a Load, Store, ...
// in the order of tpu_isa.def; semaphore masks and opcode are not among them.
#define TPU_INSTRUCTION_BEGIN(op, structure)               \
  template <typename I, typename Visit>                    \
  requires std::same_as<std::remove_const_t<I>, structure> \
  constexpr void ForEachField(I& instruction, Visit&& visit) {
#define TPU_FIELD(op, name, word, lsb, width, type, min, max, doc) \
  visit(Field{#name, word, lsb, width, #type, min, max}, instruction.name);
#define TPU_FLOAT_FIELD(op, name, word, lsb, width, type, min, max, doc) \
  visit(Field{#name, word, lsb, width, #type, min, max, Requirement::kBf16}, instruction.name);
#define TPU_INT16_FIELD(op, name, word, lsb, width, type, min, max, doc) \
  visit(Field{#name, word, lsb, width, #type, min, max, Requirement::kInt16}, instruction.name);
#define TPU_WIDE_FIELD(op, name, word, lsb, width, type, min, max, doc) \
  visit(Field{#name, word, lsb, width, #type, min, max, Requirement::kWide}, instruction.name);
#define TPU_ROUNDING_FIELD(op, name, word, lsb, width, type, min, max, doc)           \
  visit(Field{#name, word, lsb, width, #type, min, max, Requirement::kFloatRounding}, \
        instruction.name);
#define TPU_INSTRUCTION_END(structure) }
#include "isa/tpu_isa.def"

/// Greatest legal value of a field: FieldMax<Matmul>("x_bound"). Does not compile when there is no
/// field of that name.
template <typename I>
consteval std::int64_t FieldMax(std::string_view name) {
  const I instruction{};
  std::optional<std::int64_t> most;
  ForEachField(instruction, [&](const Field& field, const auto& /*member*/) {
    if (field.name == name) most = static_cast<std::int64_t>(field.max);
  });
  return most.value();
}

}  // namespace tpu::isa
