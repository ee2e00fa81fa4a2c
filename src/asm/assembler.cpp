// SPDX-License-Identifier: Apache-2.0
#include "asm/assembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "base/error.h"
#include "isa/encoding.h"
#include "isa/fields.h"

namespace tpu::assembly {
namespace {

using isa::Field;
using isa::Instruction;

/// Part of a line, with its column counted from 1.
struct Token {
  std::string_view text;
  std::size_t column = 1;

  [[nodiscard]] Token Part(std::size_t first, std::size_t count = std::string_view::npos) const {
    return {text.substr(first, count), column + first};
  }
};

/// Where messages of one line point to.
struct Place {
  std::string_view file;
  std::size_t line;

  [[nodiscard]] Error ErrorAt(const Token& token, std::string_view message) const {
    return Error::Format("{}:{}:{}: {}", file, line, token.column, message);
  }
};

std::vector<Token> Split(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<Token> tokens;
  constexpr std::string_view kBlank = " \t\r";
  for (std::size_t end = 0;;) {
    const std::size_t begin = line.find_first_not_of(kBlank, end);
    if (begin == std::string_view::npos) return tokens;
    end = std::min(line.find_first_of(kBlank, begin), line.size());
    tokens.push_back({line.substr(begin, end - begin), begin + 1});
  }
}

/// A decimal or 0x number with an optional minus sign as 64 bits; nothing when it is not one or
/// needs more.
std::optional<std::uint64_t> ParseNumber(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value, hex ? 16 : 10);
  if (code != std::errc{} || stop != end) return std::nullopt;
  if (!negative) return value;
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return std::nullopt;
  }
  return ~value + 1;
}

std::uint32_t ParseSemaphores(const Token& list, const Place& place) {
  std::uint32_t mask = 0;
  for (std::size_t begin = 0; begin <= list.text.size();) {
    const std::size_t end = std::min(list.text.find(',', begin), list.text.size());
    const Token token = list.Part(begin, end - begin);
    const auto number = ParseNumber(token.text);
    if (!number || *number >= isa::kNumSemaphores) {
      throw place.ErrorAt(token, fmt::format("expected a semaphore number 0 .. {}, found '{}'",
                                             isa::kNumSemaphores - 1, token.text));
    }
    if ((mask >> *number & 1) != 0) {
      throw place.ErrorAt(token, fmt::format("semaphore {} is named twice", *number));
    }
    mask |= std::uint32_t{1} << *number;
    begin = end + 1;
  }
  return mask;
}

std::string Expected(const Field& field) {
  if (field.IsEnum()) {
    std::string names;
    for (const isa::EnumValue& v : isa::EnumValues(field.type)) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", v.mnemonic);
    }
    return "one of " + names;
  }
  if (field.IsFloat()) return "an fp32 number, as 0.5, -inf or 0x3f000000";
  if (field.IsSigned()) return fmt::format("a number {} .. {}", field.min, field.max);
  return fmt::format("a number {} .. {}", static_cast<std::uint64_t>(field.min), field.max);
}

/// The word of an fp32 number: the nearest to a decimal one or an infinity, or the word itself in
/// hexadecimal; nothing when it is neither.
std::optional<std::uint64_t> ParseFloat(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) {
    const auto word = ParseNumber(text);
    return word && *word <= std::numeric_limits<std::uint32_t>::max() ? word : std::nullopt;
  }
  float value = 0.0F;
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  if (code != std::errc{} || stop != end || std::isnan(value)) return std::nullopt;
  return std::bit_cast<std::uint32_t>(value);
}

std::optional<std::uint64_t> ParseValue(const Field& field, std::string_view text) {
  if (field.IsEnum()) {
    for (const isa::EnumValue& v : isa::EnumValues(field.type)) {
      if (v.mnemonic == text) return v.value;
    }
    return std::nullopt;
  }
  if (field.IsFloat()) return ParseFloat(text);
  const auto value = ParseNumber(text);
  // A minus sign would otherwise pass as a large number in a 64-bit field.
  if (!field.IsSigned() && text.starts_with('-')) return std::nullopt;
  if (field.IsSigned() && value && !text.starts_with('-') &&
      *value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return std::nullopt;
  }
  return value && field.IsLegal(*value) ? value : std::nullopt;
}

template <typename I>
void SetField(const Token& name, const Token& text, const Place& place, I& instruction) {
  if (name.text == "wait" || name.text == "post") {
    (name.text == "wait" ? instruction.semaphores.wait : instruction.semaphores.post) =
        ParseSemaphores(text, place);
    return;
  }
  bool found = false;
  isa::ForEachField(instruction, [&](const Field& field, auto& member) {
    if (field.name != name.text) return;
    found = true;
    const auto value = ParseValue(field, text.text);
    if (!value) {
      throw place.ErrorAt(
          text, fmt::format("{}: expected {}, found '{}'", field.name, Expected(field), text.text));
    }
    member = isa::FromBits<std::remove_reference_t<decltype(member)>>(*value);
  });
  if (!found) {
    throw place.ErrorAt(name, fmt::format("expected a field of {}, found '{}'",
                                          isa::Mnemonic(I::kOpcode), name.text));
  }
}

template <typename I>
Instruction ParseFields(std::span<const Token> tokens, const Place& place) {
  I instruction;
  std::set<std::string_view> seen;
  for (const Token& token : tokens) {
    const std::size_t equals = token.text.find('=');
    if (equals == std::string_view::npos) {
      throw place.ErrorAt(token, fmt::format("expected field=value, found '{}'", token.text));
    }
    const Token name = token.Part(0, equals);
    if (!seen.insert(name.text).second) {
      throw place.ErrorAt(name, fmt::format("{} is given twice", name.text));
    }
    SetField(name, token.Part(equals + 1), place, instruction);
  }
  return instruction;
}

Instruction ParseLine(std::span<const Token> tokens, const Place& place) {
  const std::string_view mnemonic = tokens[0].text;
#define TPU_INSTRUCTION_BEGIN(op, structure)                      \
  if (mnemonic == isa::Mnemonic(isa::Opcode::op)) {               \
    return ParseFields<isa::structure>(tokens.subspan(1), place); \
  }
#include "isa/tpu_isa.def"
  throw place.ErrorAt(
      tokens[0],
      fmt::format("expected load, store, weights, ubweights, matmul, vector or fvector, found '{}'",
                  mnemonic));
}

void AppendSemaphores(std::string_view name, std::uint32_t mask, std::string& line) {
  std::string_view separator = "=";
  if (mask != 0) line.append(" ").append(name);
  for (unsigned s = 0; s < isa::kNumSemaphores; ++s) {
    if ((mask >> s & 1) == 0) continue;
    line.append(separator).append(std::to_string(s));
    separator = ",";
  }
}

/// A number that ParseFloat reads as the same word: the shortest decimal one.
std::string FloatText(std::uint32_t word) {
  const auto value = std::bit_cast<float>(word);
  return std::isnan(value) ? fmt::format("0x{:08x}", word) : fmt::format("{}", value);
}

std::string ValueText(const Field& field, std::uint64_t value) {
  if (field.IsEnum()) {
    for (const isa::EnumValue& v : isa::EnumValues(field.type)) {
      if (v.value == value) return std::string(v.mnemonic);
    }
  }
  if (field.IsFloat()) return FloatText(static_cast<std::uint32_t>(value));
  if (field.IsSigned() && static_cast<std::int64_t>(value) < 0) {
    return fmt::format("{}", static_cast<std::int64_t>(value));
  }
  return field.name.ends_with("_addr") ? fmt::format("0x{:x}", value) : fmt::format("{}", value);
}

}  // namespace

std::vector<Instruction> Assemble(std::string_view text, std::string_view file) {
  std::vector<Instruction> program;
  Place place{file, 0};
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    ++place.line;
    const std::vector<Token> tokens = Split(text.substr(begin, end - begin));
    begin = end + 1;
    if (tokens.empty()) continue;
    program.push_back(ParseLine(tokens, place));
    try {
      std::vector<std::uint8_t> bytes;
      isa::Encode(program.back(), bytes);
    } catch (const Error& e) {
      throw place.ErrorAt(tokens[0], e.what());
    }
  }
  return program;
}

std::string Disassemble(const Instruction& instruction) {
  return std::visit(
      []<typename I>(const I& i) {
        std::string line(isa::Mnemonic(I::kOpcode));
        isa::ForEachField(i, [&line](const Field& field, auto member) {
          const std::uint64_t value = isa::ToBits(member);
          const auto standard = static_cast<std::uint64_t>(std::max<std::int64_t>(field.min, 0));
          if (value != standard) line += fmt::format(" {}={}", field.name, ValueText(field, value));
        });
        AppendSemaphores("wait", i.semaphores.wait, line);
        AppendSemaphores("post", i.semaphores.post, line);
        return line;
      },
      instruction);
}

std::string Disassemble(std::span<const Instruction> program) {
  std::string text;
  for (const Instruction& instruction : program) text += Disassemble(instruction) + "\n";
  return text;
}

}  // namespace tpu::assembly
