// SPDX-License-Identifier: Apache-2.0
#include "isa/encoding.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "base/error.h"
#include "isa/fields.h"

namespace tpu::isa {
namespace {

constexpr std::size_t kMaxWords = 2 * kGranuleWords;
using Words = std::array<std::uint32_t, kMaxWords>;

constexpr Field kCommonFields[] = {
#define TPU_COMMON_FIELD(name, word, lsb, width, type, min, max, doc) \
  {#name, word, lsb, width, #type, min, max},
#include "isa/tpu_isa.def"
};
constexpr const Field& kOpcodeField = kCommonFields[0];
constexpr const Field& kWaitField = kCommonFields[1];
constexpr const Field& kPostField = kCommonFields[2];

constexpr std::uint64_t Mask(unsigned width) {
  return width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

constexpr void Insert(const Field& field, std::uint64_t value, Words& words) {
  const std::uint64_t bits = (value & Mask(field.width)) << field.lsb;
  words[field.word] |= static_cast<std::uint32_t>(bits);
  if (field.width == 64) words[field.word + 1] |= static_cast<std::uint32_t>(bits >> 32);
}

std::uint64_t Extract(const Field& field, const Words& words) {
  if (field.width == 64) {
    return words[field.word] | static_cast<std::uint64_t>(words[field.word + 1]) << 32;
  }
  const std::uint64_t bits = (words[field.word] >> field.lsb) & Mask(field.width);
  const bool negative = field.IsSigned() && ((bits >> (field.width - 1)) & 1) != 0;
  return negative ? bits | ~Mask(field.width) : bits;
}

std::string RangeMessage(Opcode opcode, const Field& field, std::uint64_t value) {
  if (field.IsSigned()) {
    return fmt::format("{}: {} is {}, legal are {} .. {}", Mnemonic(opcode), field.name,
                       static_cast<std::int64_t>(value), field.min, field.max);
  }
  return fmt::format("{}: {} is {}, legal are {} .. {}", Mnemonic(opcode), field.name, value,
                     field.min, field.max);
}

/// Rules that tie fields of one instruction together.
template <typename I>
std::optional<std::string> CrossFieldError(const I& instruction) {
  if constexpr (std::is_same_v<I, Vector>) {
    if (instruction.source == VectorSource::kAccumulators && instruction.map != VectorMap::kCopy) {
      return "vector: map must be copy when source is acc";
    }
  }
  if constexpr (std::is_same_v<I, Load>) {
    if (instruction.format != NumberFormat::kInt8 &&
        instruction.destination != LoadDestination::kUnifiedBuffer) {
      return "load: format must be int8 when destination is not ub";
    }
  }
  if constexpr (std::is_same_v<I, Matmul>) {
    if (instruction.format != NumberFormat::kInt8 && instruction.zero_point != 0) {
      return "matmul: zero_point must be 0 when format is bf16";
    }
    if (instruction.format != NumberFormat::kInt8 && instruction.planes != 0) {
      return "matmul: planes must be 0 when format is bf16";
    }
  }
  if constexpr (std::is_same_v<I, Fvector>) {
    if (instruction.source == VectorSource::kAccumulators &&
        instruction.a_format != NumberFormat::kFloat32 &&
        instruction.a_format != NumberFormat::kInt32) {
      return "fvector: a_format must be fp32 or int32 when source is acc";
    }
    if (instruction.interleave != FloatInterleave::kNone &&
        instruction.o_format != NumberFormat::kBfloat16) {
      return "fvector: o_format must be bf16 when rows are interleaved";
    }
  }
  if constexpr (std::is_same_v<I, Ivector>) {
    const bool pair = instruction.a_format == IntegerFormat::kPair;
    if (instruction.source == VectorSource::kAccumulators && !pair &&
        instruction.a_format != IntegerFormat::kInt32) {
      return "ivector: a_format must be int32 or pair when source is acc";
    }
    if (instruction.source == VectorSource::kUnifiedBuffer && pair) {
      return "ivector: a_format must not be pair when source is ub";
    }
  }
  return std::nullopt;
}

Words LoadWords(std::span<const std::uint8_t> bytes) {
  Words words{};
  // Whole words, each of which compilers know to be one load.
  for (std::size_t w = 0; w < bytes.size() / 4; ++w) {
    const std::uint8_t* const word = bytes.data() + 4 * w;
    words[w] = static_cast<std::uint32_t>(word[0]) | static_cast<std::uint32_t>(word[1]) << 8 |
               static_cast<std::uint32_t>(word[2]) << 16 |
               static_cast<std::uint32_t>(word[3]) << 24;
  }
  return words;
}

void AppendWords(const Words& words, std::size_t count, std::vector<std::uint8_t>& bytes) {
  for (std::size_t i = 0; i < 4 * count; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(words[i / 4] >> (8 * (i % 4))));
  }
}

template <typename I>
Words ToWords(const I& instruction) {
  Words words{};
  Insert(kOpcodeField, ToBits(I::kOpcode), words);
  Insert(kWaitField, instruction.semaphores.wait, words);
  Insert(kPostField, instruction.semaphores.post, words);
  ForEachField(instruction, [&words](const Field& field, auto member) {
    const std::uint64_t value = ToBits(member);
    if (!field.IsLegal(value)) throw Error(RangeMessage(I::kOpcode, field, value));
    Insert(field, value, words);
  });
  if (const auto error = CrossFieldError(instruction)) throw Error(*error);
  return words;
}

/// Bits of an instruction that belong to a field.
template <typename I>
constexpr Words kFieldBits = [] {
  Words bits{};
  for (const Field& field : kCommonFields) Insert(field, Mask(field.width), bits);
  I instruction;
  ForEachField(instruction,
               [&bits](const Field& field, auto&) { Insert(field, Mask(field.width), bits); });
  return bits;
}();

/// Says what is wrong with words that are no instruction.
template <typename I>
std::string FieldError(const Words& words) {
  std::string error;
  I instruction;
  ForEachField(instruction, [&](const Field& field, auto&) {
    const std::uint64_t value = Extract(field, words);
    if (error.empty() && !field.IsLegal(value)) error = RangeMessage(I::kOpcode, field, value);
  });
  for (std::size_t w = 0; error.empty() && w < kMaxWords; ++w) {
    if (const std::uint32_t reserved = words[w] & ~kFieldBits<I>[w]; reserved != 0) {
      error = fmt::format("{}: reserved bits 0x{:08x} of word {} are set", Mnemonic(I::kOpcode),
                          reserved, w);
    }
  }
  return error;
}

template <typename I>
std::variant<Decoded, DecodeError> FromWords(const Words& words) {
  std::variant<Decoded, DecodeError> result;
  auto& decoded = std::get<Decoded>(result);
  decoded.granules = Granules(I::kOpcode);
  I& instruction = decoded.instruction.emplace<I>();
  instruction.semaphores.wait = static_cast<std::uint32_t>(Extract(kWaitField, words));
  instruction.semaphores.post = static_cast<std::uint32_t>(Extract(kPostField, words));
  bool legal = true;
  ForEachField(
      instruction, [&](const Field& field, auto& member) __attribute__((always_inline)) {
        const std::uint64_t value = Extract(field, words);
        legal &= field.IsLegal(value);
        member = FromBits<std::remove_reference_t<decltype(member)>>(value);
      });
  for (std::size_t w = 0; w < kMaxWords; ++w) legal &= (words[w] & ~kFieldBits<I>[w]) == 0;
  if (!legal) return DecodeError{ErrorCode::kIllegalField, FieldError<I>(words)};
  if (const auto error = CrossFieldError(instruction)) {
    return DecodeError{ErrorCode::kIllegalField, *error};
  }
  return result;
}

/// The name of an enumeration's value, or the number.
std::string ValueName(const Field& field, std::uint64_t value) {
  for (const EnumValue& v : EnumValues(field.type)) {
    if (v.value == value) return std::string(v.mnemonic);
  }
  return fmt::format("{}", value);
}

/// What a machine lacks that does not meet the requirement.
std::string_view NameOf(Requirement requirement) {
  switch (requirement) {
    case Requirement::kNothing:
      break;
    case Requirement::kBf16:
      return "bf16";
    case Requirement::kInt16:
      return "int16";
    case Requirement::kWide:
      return "bf16 and no int16";
    case Requirement::kFloatRounding:
      return "rounding as float32";
  }
  return "nothing";
}

DecodeError IllegalOpcode(std::uint8_t opcode) {
  return {ErrorCode::kIllegalOpcode, fmt::format("opcode 0x{:02x} does not exist", opcode)};
}

std::variant<Decoded, DecodeError> DecodeAny(std::span<const std::uint8_t> bytes) {
  const auto opcode = static_cast<Opcode>(bytes[0]);
  if (!kOpcodeField.IsLegal(bytes[0])) return IllegalOpcode(bytes[0]);
  const std::size_t length = kGranuleBytes * Granules(opcode);
  if (bytes.size() < length) {
    return DecodeError{ErrorCode::kTruncated, fmt::format("{}: needs {} bytes, {} are left",
                                                          Mnemonic(opcode), length, bytes.size())};
  }
  const Words words = LoadWords(bytes.first(length));
  switch (opcode) {
#define TPU_INSTRUCTION_BEGIN(op, structure) \
  case Opcode::op:                           \
    return FromWords<structure>(words);
#include "isa/tpu_isa.def"
  }
  return IllegalOpcode(bytes[0]);
}

}  // namespace

void Encode(const Instruction& instruction, std::vector<std::uint8_t>& bytes) {
  const Words words = std::visit([](const auto& i) { return ToWords(i); }, instruction);
  AppendWords(words, kGranuleWords * Granules(OpcodeOf(instruction)), bytes);
}

std::optional<std::string> WhatIsMissing(const Instruction& instruction, Formats formats) {
  const Opcode opcode = OpcodeOf(instruction);
  const Requirement requirement = RequirementOf(opcode);
  if (!formats.Meet(requirement)) {
    return fmt::format("{}, and the machine has no {}", Mnemonic(opcode), NameOf(requirement));
  }
  std::optional<std::string> missing;
  std::visit(
      [&](const auto& i) {
        ForEachField(i, [&](const Field& field, auto member) {
          if (formats.Meet(field.requirement) || ToBits(member) == 0) return;
          missing =
              fmt::format("{}: {} is {}, and the machine has no {}", Mnemonic(opcode), field.name,
                          ValueName(field, ToBits(member)), NameOf(field.requirement));
        });
      },
      instruction);
  return missing;
}

std::variant<Decoded, DecodeError> Decode(std::span<const std::uint8_t> bytes, Formats formats) {
  if (!formats.Meet(RequirementOf(static_cast<Opcode>(bytes[0])))) return IllegalOpcode(bytes[0]);
  std::variant<Decoded, DecodeError> result = DecodeAny(bytes);
  if (formats.bf16 && formats.int16 && formats.float_rounding) return result;
  if (const auto* decoded = std::get_if<Decoded>(&result)) {
    if (const auto missing = WhatIsMissing(decoded->instruction, formats)) {
      return DecodeError{ErrorCode::kIllegalField, *missing};
    }
  }
  return result;
}

std::vector<std::uint8_t> EncodeProgram(std::span<const Instruction> program) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < program.size(); ++i) {
    try {
      Encode(program[i], bytes);
    } catch (const Error& e) {
      throw Error::Format("instruction {}: {}", i, e.what());
    }
  }
  return bytes;
}

std::vector<Instruction> DecodeProgram(std::span<const std::uint8_t> bytes) {
  if (bytes.size() % kGranuleBytes != 0) {
    throw Error::Format("program has {} bytes, which is not a multiple of {}", bytes.size(),
                        kGranuleBytes);
  }
  std::vector<Instruction> program;
  program.reserve(bytes.size() / kGranuleBytes);
  while (!bytes.empty()) {
    const auto result = Decode(bytes);
    if (const auto* error = std::get_if<DecodeError>(&result)) {
      throw Error::Format("instruction {}: {}: {}", program.size(), Name(error->code),
                          error->message);
    }
    const auto& decoded = std::get<Decoded>(result);
    program.push_back(decoded.instruction);
    bytes = bytes.subspan(kGranuleBytes * decoded.granules);
  }
  return program;
}

}  // namespace tpu::isa
