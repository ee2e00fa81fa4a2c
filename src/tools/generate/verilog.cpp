// SPDX-License-Identifier: Apache-2.0
#include "tools/generate/verilog.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "tools/generate/definitions.h"

namespace tpu::generate {
namespace {

/// Bits of an instruction up to the highest one that a field names; those above are reserved.
int UsedBits(const Opcode& op) {
  int used = 0;
  for (const Field& f : FieldsOf(op)) used = std::max(used, BitHigh(f) + 1);
  return used;
}

/// Verilog expression that is 1 when 32-bit word `i`, which holds field `f`, has an illegal value
/// there; empty when every value is legal.
std::string IllegalTerm(const Field& f) {
  const int high = f.lsb + f.width - 1;
  const std::string bits = fmt::format("i[{}:{}]", high, f.lsb);
  if (f.type == "S") {
    const auto half = std::int64_t{1} << (f.width - 1);
    if (static_cast<std::int64_t>(f.max) != half - 1) {
      throw std::runtime_error(
          fmt::format("{}: a signed field must reach its largest value", f.name));
    }
    if (f.min == -half) return "";
    if (f.min == 0) return fmt::format("i[{}]", high);
    throw std::runtime_error(
        fmt::format("{}: a signed field starts at 0 or at its least value", f.name));
  }
  if (f.min > 1) throw std::runtime_error(fmt::format("{}: unsigned minimum above 1", f.name));
  const std::uint64_t all = f.width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << f.width) - 1;
  if (f.width == 64 && (f.min != 0 || f.max != all)) {
    throw std::runtime_error(fmt::format("{}: a field of two words takes every value", f.name));
  }
  std::string term;
  if (f.min == 1) term = fmt::format("~|{}", bits);
  if (f.max != all) {
    if (!term.empty()) term += " || ";
    term += fmt::format("{} > {}'d{}", bits, f.width, f.max);
  }
  return term;
}

/// For each 32-bit word of an instruction: the bits that no field names.
std::vector<std::uint32_t> ReservedMasks(const Opcode& op) {
  std::vector<std::uint32_t> reserved(static_cast<std::size_t>(16 * op.granules), ~0U);
  for (const Field& f : FieldsOf(op)) {
    for (int b = BitLow(f); b <= BitHigh(f); ++b) {
      std::uint32_t& word = reserved.at(static_cast<std::size_t>(b / 32));
      const std::uint32_t bit = 1U << (b % 32);
      if ((word & bit) == 0) {
        throw std::runtime_error(
            fmt::format("{} {}: overlaps another field", op.enumerator, f.name));
      }
      word &= ~bit;
    }
  }
  return reserved;
}

/// Verilog expression of a macro's arguments that is 1 where a machine meets the requirement; empty
/// when every machine does.
std::string_view Has(isa::Requirement requirement) {
  switch (requirement) {
    case isa::Requirement::kNothing:
      break;
    case isa::Requirement::kBf16:
      return "(bf16)";
    case isa::Requirement::kInt16:
      return "(int16)";
    case isa::Requirement::kWide:
      return "((bf16) || (int16))";
    case isa::Requirement::kFloatRounding:
      return "(float_rounding)";
  }
  return "";
}

/// Verilog expression that is 1 when word number `word` of such an instruction, `i`, is illegal.
std::string IllegalWord(const Opcode& op) {
  std::vector<std::uint32_t> reserved = ReservedMasks(op);
  const std::size_t words = reserved.size();
  while (reserved.back() == ~0U) reserved.pop_back();
  std::string out;
  const auto add = [](std::string& to, std::string_view before, const std::string& term) {
    if (!to.empty() && !term.empty()) to += before;
    to += term;
  };
  for (std::size_t word = 0; word < reserved.size(); ++word) {
    std::string wrong;
    // Where float_rounding is 0 the term is the one of before there was any: netlists stay.
    std::uint32_t rounding = 0;
    for (const Field& f : FieldsOf(op)) {
      if (f.requirement == isa::Requirement::kFloatRounding && f.word == static_cast<int>(word)) {
        rounding |= ((1U << f.width) - 1) << f.lsb;
      }
    }
    if (rounding != 0) {
      wrong = fmt::format("|(i & ({} ? 32'h{:08x} : 32'h{:08x}))",
                          Has(isa::Requirement::kFloatRounding), reserved[word],
                          reserved[word] | rounding);
    } else if (reserved[word] != 0) {
      wrong = fmt::format("|(i & 32'h{:08x})", reserved[word]);
    }
    for (const Field& f : FieldsOf(op)) {
      if (f.name == "opcode" || f.word != static_cast<int>(word)) continue;
      const bool always = f.requirement == isa::Requirement::kNothing ||
                          f.requirement == op.requirement ||
                          f.requirement == isa::Requirement::kFloatRounding;
      if (!always) {
        add(wrong, " || ",
            fmt::format("(!{} && |i[{}:{}])", Has(f.requirement), f.lsb + f.width - 1, f.lsb));
      }
      add(wrong, " || ", IllegalTerm(f));
    }
    if (!wrong.empty())
      add(out, " \\\n    || ", fmt::format("((word) == {} && ({}))", word, wrong));
  }
  if (reserved.size() < words) {
    add(out, " \\\n    || ", fmt::format("((word) >= {} && |i)", reserved.size()));
  }
  return fmt::format("((opcode) == `TPU_OP_{} && ({}))", Upper(op.mnemonic), out);
}

const Unit& UnitOf(const Opcode& op) {
  const auto unit = std::ranges::find(kUnits, op.unit, &Unit::enumerator);
  if (unit == kUnits.end() || unit->value == 0) {
    throw std::runtime_error(fmt::format("{}: no unit executes it", op.enumerator));
  }
  return *unit;
}

/// Verilog expression that is 1 when `opcode` is one of a unit's.
std::string MatchOpcodes(const Unit& unit) {
  std::string out;
  for (const Opcode& op : kOpcodes) {
    if (&UnitOf(op) != &unit) continue;
    std::string term = fmt::format("(opcode) == `TPU_OP_{}", Upper(op.mnemonic));
    if (const std::string_view has = Has(op.requirement); !has.empty()) {
      term = fmt::format("({} && {})", has, term);
    }
    out += (out.empty() ? "" : " || ") + term;
  }
  return out;
}

/// Macros that tell opcodes and words apart. Their arguments bf16 and int16 say what the machine
/// has.
std::string DecodeMacros() {
  std::string match;
  for (const Unit& u : kUnits) {
    if (u.value == 0) continue;  // The front end.
    std::string opcodes = MatchOpcodes(u);
    if (!match.empty()) opcodes.append(", \\\n  ").append(match);
    match = opcodes;
  }
  std::string illegal;
  for (const Opcode& op : kOpcodes) {
    illegal += (illegal.empty() ? " \\\n  " : " \\\n  || ") + IllegalWord(op);
  }
  return fmt::format(
      "// One bit for each unit: the one that executes an opcode; none for an illegal one. Like "
      "the "
      "next macro's, the arguments bf16, int16 and float_rounding say what the machine has.\n"
      "`define TPU_UNIT_OF_OPCODE(opcode, bf16, int16) {{ \\\n  {}}}\n"
      "// Whether 32-bit word number `word` of an instruction, `i`, has a reserved bit set or a "
      "field outside its range.\n"
      "`define TPU_ILLEGAL_WORD(opcode, word, i, bf16, int16, float_rounding) ({})\n",
      match, illegal);
}

/// Macros for loops over the units and for decoding: what control knows of units and instructions.
std::string ControlMacros() {
  std::string out =
      "\n// Buses to and from the units that execute instructions: unit i in place i.\n";
  std::size_t units = 0;
  std::string used = "0";
  std::string granules = "1";
  for (const Unit& u : kUnits) {
    if (u.value != static_cast<int>(&u - kUnits.data())) {
      throw std::runtime_error(fmt::format("{}: units are numbered from 0 in order", u.enumerator));
    }
    if (u.value == 0) continue;  // The front end.
    const std::string index = fmt::format("`TPU_INDEX_{}", Upper(u.name));
    out += fmt::format("`define TPU_INDEX_{:<23} {}\n", Upper(u.name), u.value - 1);
    if (MatchOpcodes(u).empty()) {
      throw std::runtime_error(fmt::format("{}: no instruction", u.enumerator));
    }
    int unit_used = 0;
    int unit_granules = 0;
    for (const Opcode& op : kOpcodes) {
      if (op.requirement != isa::Requirement::kNothing || &UnitOf(op) != &u) continue;
      unit_granules = op.granules;
      unit_used = std::max(unit_used, UsedBits(op));
    }
    for (const Opcode& op : kOpcodes) {
      if (&UnitOf(op) != &u) continue;
      if (op.granules != unit_granules) {
        throw std::runtime_error(
            fmt::format("{}: instructions of one unit are of one length", op.enumerator));
      }
      if (UsedBits(op) > unit_used) {
        throw std::runtime_error(fmt::format(
            "{}: widens the buses of machines that lack the instruction", op.enumerator));
      }
    }
    used = fmt::format("(unit) == {} ? {} : {}", index, unit_used, used);
    granules = fmt::format("(unit) == {} ? {} : {}", index, unit_granules, granules);
    ++units;
  }
  int widest = 0;
  int longest = 0;
  for (const Opcode& op : kOpcodes) {
    widest = std::max(widest, UsedBits(op));
    longest = std::max(longest, op.granules);
  }
  out += fmt::format("`define TPU_NUM_UNITS                     {}\n", units);
  out += "// Bits of an instruction on these buses: up to the highest field of all instructions.\n";
  out += fmt::format("`define TPU_CMD_BITS                      {}\n", widest);
  out += "// Granules of the longest instruction; bits of a granule.\n";
  out += fmt::format("`define TPU_MAX_GRANULES                  {}\n", longest);
  out += "`define TPU_GRANULE_BITS                  512\n";
  out +=
      "// Of the unit in place `unit`: bits up to the highest field, and granules, of its "
      "instructions.\n";
  out += fmt::format("`define TPU_UNIT_USED(unit) ({})\n", used);
  out += fmt::format("`define TPU_UNIT_GRANULES(unit) ({})\n", granules);
  return out + DecodeMacros();
}

/// Width of the fields whose type is `enum_name`.
int EnumWidth(std::string_view enum_name) {
  for (const Field& f : kFields) {
    if (f.type == enum_name) return f.width;
  }
  throw std::runtime_error(fmt::format("{}: no field of that type", enum_name));
}

}  // namespace

std::string IsaHeader() {
  std::string out = fmt::format("// {}\n`ifndef TPU_ISA_VH\n`define TPU_ISA_VH\n\n",
                                GeneratedFrom("isa/tpu_isa.def"));
  for (const Unit& u : kUnits)
    out += fmt::format("`define TPU_UNIT_{:<24} 3'd{}\n", Upper(u.name), u.value);
  out += '\n';
  for (const Error& e : kErrors)
    out += fmt::format("`define TPU_ERR_{:<25} 4'd{}\n", e.name, e.value);
  out += '\n';
  for (const Opcode& op : kOpcodes) {
    out += fmt::format("`define TPU_OP_{:<26} 8'h{:02x}\n", Upper(op.mnemonic), op.value);
  }
  out += '\n';
  for (const Constant& c : kConstants) {
    out += fmt::format("// {}.\n`define TPU_{:<29} {}\n", c.doc, UpperSnake(c.enumerator), c.value);
  }
  out += ControlMacros();
  out += "\n// Common fields: bit ranges of the instruction.\n";
  for (const Field& f : kCommonFields) {
    out += fmt::format("`define TPU_{:<29} {}:{}\n", Upper(f.name), BitHigh(f), BitLow(f));
  }
  out +=
      "\n// Of each instruction: _BITS as encoded, _USED up to the highest field, then the "
      "fields.\n";
  for (const Opcode& op : kOpcodes) {
    const std::string prefix = Upper(op.mnemonic);
    out += fmt::format("\n// {}: {}.\n", prefix, op.doc);
    out += fmt::format("`define TPU_{:<29} {}\n", prefix + "_BITS", 512 * op.granules);
    out += fmt::format("`define TPU_{:<29} {}\n", prefix + "_USED", UsedBits(op));
    for (const Field& f : FieldsOf(op)) {
      if (!f.opcode.empty()) {
        out += fmt::format("`define TPU_{:<29} {}:{}\n", prefix + "_" + Upper(f.name), BitHigh(f),
                           BitLow(f));
      }
    }
  }
  out += "\n// Values of fields.\n";
  for (const EnumValue& v : kEnumValues) {
    out += fmt::format("`define TPU_{:<29} {}'d{}\n",
                       UpperSnake(v.enum_name) + "_" + Upper(v.mnemonic), EnumWidth(v.enum_name),
                       v.value);
  }
  return out + "\n`endif\n";
}

std::string RegsHeader() {
  std::string out = fmt::format("// {}\n`ifndef TPU_REGS_VH\n`define TPU_REGS_VH\n\n",
                                GeneratedFrom("isa/tpu_regs.def"));
  for (const Register& r : kRegisters) {
    out += fmt::format("`define TPU_REG_{:<25} 12'h{:03x}\n", UpperSnake(r.enumerator), r.offset);
    for (const RegisterBits& b : kRegisterBits) {
      if (b.reg != r.enumerator) continue;
      out +=
          fmt::format("`define TPU_{:<29} {}:{}\n", UpperSnake(r.enumerator) + "_" + Upper(b.name),
                      b.lsb + b.width - 1, b.lsb);
    }
  }
  out += '\n';
  for (const RegisterConstant& c : kRegisterConstants) {
    out += fmt::format("// {}.\n`define TPU_{:<29} 32'h{:08x}\n", c.doc, UpperSnake(c.enumerator),
                       c.value);
  }
  out += fmt::format("`define TPU_NUM_COUNTERS                  {}\n", kCounters.size());
  for (const Counter& c : kCounters) {
    out += fmt::format("`define TPU_CNT_{:<25} {}\n", UpperSnake(c.enumerator), c.index);
  }
  return out + "\n`endif\n";
}

std::string LinkHeader() {
  std::string out = fmt::format("// {}\n`ifndef TPU_LINK_VH\n`define TPU_LINK_VH\n\n",
                                GeneratedFrom("link/tpu_link.def"));
  const auto bytes = [&out](std::string_view prefix, const std::vector<LinkValue>& values) {
    for (const LinkValue& v : values) {
      const std::string name = fmt::format("{}_{}", prefix, UpperSnake(v.enumerator));
      out += fmt::format("`define TPU_LINK_{:<24} 8'd{}\n", name, v.value);
    }
    out += '\n';
  };
  bytes("COMMAND", kLinkCommands);
  bytes("STATUS", kLinkStatuses);
  for (const LinkValue& v : kLinkConstants) {
    out += fmt::format("// {}.\n`define TPU_LINK_{:<24} 32'h{:08x}\n", v.doc,
                       UpperSnake(v.enumerator), v.value);
  }
  return out + "\n`endif\n";
}

}  // namespace tpu::generate
