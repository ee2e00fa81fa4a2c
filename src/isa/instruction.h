// SPDX-License-Identifier: Apache-2.0
// Instructions as typed structures, generated from tpu_isa.def. Their meaning is in docs/isa.md.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <variant>

namespace tpu::isa {

inline constexpr std::size_t kGranuleBytes = 64;
inline constexpr std::size_t kGranuleWords = 16;
inline constexpr unsigned kNumSemaphores = 32;
#define TPU_CONSTANT(enumerator, value, doc) inline constexpr unsigned enumerator = value;
#include "isa/tpu_isa.def"
inline constexpr unsigned kMaxSemaphore = (1U << kSemaphoreBits) - 1;
/// Most instructions that the queue of a unit holds.
inline constexpr unsigned kMaxQueued = 64;
/// Most posts of a semaphore that may lack their waits, in program order: units run ahead of
/// program order by no more than a queue holds (docs/isa.md, 2).
inline constexpr unsigned kMaxUnmetPosts = kMaxSemaphore - kMaxQueued;
/// Most WEIGHTS instructions that may be ahead of the MATMUL that takes their tiles (docs/isa.md,
/// 2).
inline constexpr unsigned kMaxWeightsAhead = 4;

enum class Unit : std::uint8_t {
#define TPU_UNIT(enumerator, value, name) enumerator = value,
#include "isa/tpu_isa.def"
};
/// The front end among them.
inline constexpr std::size_t kNumUnits = 6;

enum class Opcode : std::uint8_t {
#define TPU_OPCODE(enumerator, value, mnemonic, granules, unit, doc) enumerator = value,
#include "isa/tpu_isa.def"
};

/// Granules of the longest instruction.
inline constexpr unsigned kMaxGranules = std::max({
#define TPU_OPCODE(enumerator, value, mnemonic, granules, unit, doc) granules,
#include "isa/tpu_isa.def"
    0,
});

enum class ErrorCode : std::uint8_t {
#define TPU_ERROR(enumerator, value, name, doc) enumerator = value,
#include "isa/tpu_isa.def"
};

#define TPU_ENUM_BEGIN(name) enum class name : std::uint8_t {
#define TPU_ENUM(enum_name, enumerator, value, mnemonic, doc) enumerator = value,
#define TPU_ENUM_END(name) \
  }                        \
  ;
#include "isa/tpu_isa.def"

namespace field_type {
template <unsigned kWidth>
using U = std::conditional_t<(kWidth > 32), std::uint64_t, std::uint32_t>;
template <unsigned kWidth>
using S = std::int32_t;
template <unsigned kWidth>
using F = std::uint32_t;
#define TPU_ENUM_BEGIN(name) \
  template <unsigned kWidth> \
  using name = isa::name;
#include "isa/tpu_isa.def"
}  // namespace field_type

/// Fields that every instruction has besides its opcode: semaphore masks.
struct Semaphores {
  std::uint32_t wait = 0;
  std::uint32_t post = 0;
  friend bool operator==(const Semaphores&, const Semaphores&) = default;
};

// One structure per instruction: Load, Store, Weights, UbWeights, Matmul, Vector, Fvector, Adam,
// Ivector. Members have the names of the fields and start at the field's least legal value that is
// not negative.
#define TPU_INSTRUCTION_BEGIN(op, name)           \
  struct name {                                   \
    static constexpr Opcode kOpcode = Opcode::op; \
    Semaphores semaphores;
#define TPU_FIELD(op, name, word, lsb, width, type, min, max, doc) \
  field_type::type<width> name = static_cast<field_type::type<width>>((min) > 0 ? (min) : 0);
#define TPU_INSTRUCTION_END(name)                             \
  friend bool operator==(const name&, const name&) = default; \
  }                                                           \
  ;
#include "isa/tpu_isa.def"

using Instruction =
    std::variant<Load, Store, Weights, UbWeights, Matmul, Vector, Fvector, Ivector, Adam>;

/// Names as written in tpu_isa.def; "?" for a value that has none.
std::string_view Name(Unit unit);
std::string_view Name(ErrorCode code);
std::string_view Mnemonic(Opcode opcode);

/// Length in granules, and the unit that executes it.
unsigned Granules(Opcode opcode);
Unit UnitOf(Opcode opcode);

/// What a machine must have for an opcode or a field to exist: nothing, bf16, int16, one of the
/// two, or rounding as float32.
enum class Requirement : std::uint8_t { kNothing, kBf16, kInt16, kWide, kFloatRounding };

/// The number formats of a machine besides int8 and int32, and whether it rounds as float32.
struct Formats {
  bool bf16 = false;
  bool int16 = false;
  bool float_rounding = false;

  [[nodiscard]] constexpr bool Meet(Requirement requirement) const {
    switch (requirement) {
      case Requirement::kNothing:
        break;
      case Requirement::kBf16:
        return bf16;
      case Requirement::kInt16:
        return int16;
      case Requirement::kWide:
        return bf16 || int16;
      case Requirement::kFloatRounding:
        return float_rounding;
    }
    return true;
  }
};
inline constexpr Formats kAllFormats = {.bf16 = true, .int16 = true, .float_rounding = true};

/// What machines must have for the opcode.
Requirement RequirementOf(Opcode opcode);

Opcode OpcodeOf(const Instruction& instruction);
const Semaphores& SemaphoresOf(const Instruction& instruction);
Semaphores& SemaphoresOf(Instruction& instruction);

}  // namespace tpu::isa
