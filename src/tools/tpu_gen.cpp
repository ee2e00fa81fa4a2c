// SPDX-License-Identifier: Apache-2.0
// Writes the Verilog headers and the documentation tables that derive from .def files:
//
//   tpu_gen ROOT     writes rtl/include/{tpu_isa,tpu_regs}.vh, docs/{isa,registers}_tables.md and
//                    docs/operators.md below the directory ROOT
#include <fmt/core.h>
#include <fmt/os.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "isa/registers.h"

namespace {

struct Unit {
  std::string_view enumerator;
  int value;
  std::string_view name;
};
struct Opcode {
  std::string_view enumerator;
  int value;
  std::string_view mnemonic;
  int granules;
  std::string_view unit;
  std::string_view doc;
};
struct Field {
  std::string_view opcode;
  std::string_view name;
  int word;
  int lsb;
  int width;
  std::string_view type;  ///< "U", "S" or the name of an enumeration
  std::int64_t min;
  std::uint64_t max;
  std::string_view doc;
};
struct EnumValue {
  std::string_view enum_name;
  std::string_view enumerator;
  int value;
  std::string_view mnemonic;
  std::string_view doc;
};
struct Error {
  std::string_view enumerator;
  int value;
  std::string_view name;
  std::string_view doc;
};
struct Constant {
  std::string_view enumerator;
  int value;
  std::string_view doc;
};
struct Register {
  std::string_view enumerator;
  int offset;
  std::string_view access;
  std::string_view doc;
};
struct RegisterBits {
  std::string_view reg;
  std::string_view name;
  int lsb;
  int width;
  std::string_view doc;
};
struct RegisterConstant {
  std::string_view enumerator;
  std::uint32_t value;
  std::string_view doc;
};
struct Operator {
  std::string_view code;
  std::string_view where;
  std::string_view restrictions;
};
struct Counter {
  std::string_view enumerator;
  unsigned index;
  std::string_view name;
  std::string_view doc;
};

const std::vector<Unit> kUnits = {
#define TPU_UNIT(enumerator, value, name) {#enumerator, value, name},
#include "isa/tpu_isa.def"
};
const std::vector<Opcode> kOpcodes = {
#define TPU_OPCODE(enumerator, value, mnemonic, granules, unit, doc) \
  {#enumerator, value, mnemonic, granules, #unit, doc},
#include "isa/tpu_isa.def"
};
const std::vector<Field> kCommonFields = {
#define TPU_COMMON_FIELD(name, word, lsb, width, type, min, max, doc) \
  {"", #name, word, lsb, width, #type, min, max, doc},
#include "isa/tpu_isa.def"
};
const std::vector<Field> kFields = {
#define TPU_FIELD(opcode, name, word, lsb, width, type, min, max, doc) \
  {#opcode, #name, word, lsb, width, #type, min, max, doc},
#include "isa/tpu_isa.def"
};
const std::vector<EnumValue> kEnumValues = {
#define TPU_ENUM(enum_name, enumerator, value, mnemonic, doc) \
  {#enum_name, #enumerator, value, mnemonic, doc},
#include "isa/tpu_isa.def"
};
const std::vector<Error> kErrors = {
#define TPU_ERROR(enumerator, value, name, doc) {#enumerator, value, name, doc},
#include "isa/tpu_isa.def"
};
const std::vector<Constant> kConstants = {
#define TPU_CONSTANT(enumerator, value, doc) {#enumerator, value, doc},
#include "isa/tpu_isa.def"
};
const std::vector<Register> kRegisters = {
#define TPU_REG(enumerator, offset, access, doc) {#enumerator, offset, #access, doc},
#include "isa/tpu_regs.def"
};
const std::vector<RegisterBits> kRegisterBits = {
#define TPU_REG_BITS(reg, name, lsb, width, doc) {#reg, #name, lsb, width, doc},
#include "isa/tpu_regs.def"
};
const std::vector<Counter> kCounters = {
#define TPU_COUNTER(enumerator, index, name, doc) {#enumerator, index, name, doc},
#include "isa/tpu_regs.def"
};
const std::vector<RegisterConstant> kRegisterConstants = {
#define TPU_REG_CONSTANT(enumerator, value, doc) {#enumerator, value, doc},
#include "isa/tpu_regs.def"
};
const std::vector<Operator> kOperators = {
#define TPU_OPERATOR(code, decode, where, restrictions) {#code, where, restrictions},
#include "frontends/tflite/operators.def"
};

/// "kProgAddrLo" or "VectorMap" to "PROG_ADDR_LO", "VECTOR_MAP".
std::string UpperSnake(std::string_view camel) {
  if (camel.size() > 1 && camel[0] == 'k' &&
      std::isupper(static_cast<unsigned char>(camel[1])) != 0) {
    camel.remove_prefix(1);
  }
  std::string out;
  for (std::size_t i = 0; i < camel.size(); ++i) {
    const auto c = static_cast<unsigned char>(camel[i]);
    if (i > 0 && std::isupper(c) != 0) out += '_';
    out += static_cast<char>(std::toupper(c));
  }
  return out;
}

std::string Upper(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

int BitLow(const Field& f) { return 32 * f.word + f.lsb; }
int BitHigh(const Field& f) { return BitLow(f) + f.width - 1; }

/// The fields of one instruction, the common ones first.
std::vector<Field> FieldsOf(const Opcode& op) {
  std::vector<Field> fields = kCommonFields;
  for (const Field& f : kFields) {
    if (f.opcode == op.enumerator) fields.push_back(f);
  }
  return fields;
}

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

/// Of each 32-bit word of an instruction the bits that no field names.
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

/// Verilog expression that is 1 when word number `word` of such an instruction, `i`, is illegal.
std::string IllegalWord(const Opcode& op) {
  std::vector<std::uint32_t> reserved = ReservedMasks(op);
  const std::size_t words = reserved.size();
  while (reserved.back() == ~0U) reserved.pop_back();
  std::string out;
  const auto add = [&out](std::string_view before, const std::string& term) {
    if (!out.empty()) out += before;
    out += term;
  };
  for (std::size_t word = 0; word < reserved.size(); ++word) {
    std::string wrong;
    if (reserved[word] != 0) wrong = fmt::format("|(i & 32'h{:08x})", reserved[word]);
    for (const Field& f : FieldsOf(op)) {
      const bool here = f.name != "opcode" && f.word == static_cast<int>(word);
      const std::string term = here ? IllegalTerm(f) : "";
      if (!term.empty()) wrong += (wrong.empty() ? "" : " || ") + term;
    }
    if (!wrong.empty()) add(" \\\n    || ", fmt::format("((word) == {} && ({}))", word, wrong));
  }
  if (reserved.size() < words) {
    add(" \\\n    || ", fmt::format("((word) >= {} && |i)", reserved.size()));
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

/// Macros for loops over the units and for decoding: what control knows of units and instructions.
std::string ControlMacros() {
  std::string out =
      "\n// Buses to and from the units that execute instructions: unit i in place i.\n";
  std::size_t units = 0;
  std::string used = "0";
  std::string granules = "1";
  std::string match;
  for (const Unit& u : kUnits) {
    if (u.value != static_cast<int>(&u - kUnits.data())) {
      throw std::runtime_error(fmt::format("{}: units are numbered from 0 in order", u.enumerator));
    }
    if (u.value == 0) continue;  // The front end.
    const std::string index = fmt::format("`TPU_INDEX_{}", Upper(u.name));
    out += fmt::format("`define TPU_INDEX_{:<23} {}\n", Upper(u.name), u.value - 1);
    int unit_used = 0;
    int unit_granules = 0;
    std::string opcodes;
    for (const Opcode& op : kOpcodes) {
      if (&UnitOf(op) != &u) continue;
      if (unit_granules != 0 && unit_granules != op.granules) {
        throw std::runtime_error(
            fmt::format("{}: instructions of one unit are of one length", op.enumerator));
      }
      unit_granules = op.granules;
      unit_used = std::max(unit_used, UsedBits(op));
      if (!opcodes.empty()) opcodes += " || ";
      opcodes += fmt::format("(opcode) == `TPU_OP_{}", Upper(op.mnemonic));
    }
    if (opcodes.empty()) throw std::runtime_error(fmt::format("{}: no instruction", u.enumerator));
    used = fmt::format("(unit) == {} ? {} : {}", index, unit_used, used);
    granules = fmt::format("(unit) == {} ? {} : {}", index, unit_granules, granules);
    if (!match.empty()) opcodes.append(", \\\n  ").append(match);
    match = opcodes;
    ++units;
  }
  int widest = 0;
  int longest = 0;
  std::string illegal;
  for (const Opcode& op : kOpcodes) {
    widest = std::max(widest, UsedBits(op));
    longest = std::max(longest, op.granules);
    illegal += (illegal.empty() ? " \\\n  " : " \\\n  || ") + IllegalWord(op);
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
  out += "// One bit for each unit: the one that executes an opcode; none for an illegal one.\n";
  out += fmt::format("`define TPU_UNIT_OF_OPCODE(opcode) {{ \\\n  {}}}\n", match);
  out +=
      "// Whether 32-bit word number `word` of an instruction, `i`, has a reserved bit set or a "
      "field outside its range.\n";
  out += fmt::format("`define TPU_ILLEGAL_WORD(opcode, word, i) ({})\n", illegal);
  return out;
}

/// Width of the fields whose type is `enum_name`.
int EnumWidth(std::string_view enum_name) {
  for (const Field& f : kFields) {
    if (f.type == enum_name) return f.width;
  }
  throw std::runtime_error(fmt::format("{}: no field of that type", enum_name));
}

constexpr std::string_view kGenerated =
    "Generated by tpu_gen from src/{}. Do not edit: `make generate`.";

std::string IsaHeader() {
  std::string out = fmt::format("// {}\n`ifndef TPU_ISA_VH\n`define TPU_ISA_VH\n\n",
                                fmt::format(fmt::runtime(kGenerated), "isa/tpu_isa.def"));
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
                                fmt::format(fmt::runtime(kGenerated), "isa/tpu_regs.def"));
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

std::string IsaTables() {
  std::string out = fmt::format("<!-- {} -->\n# Instruction encodings\n\n",
                                fmt::format(fmt::runtime(kGenerated), "isa/tpu_isa.def"));
  out +=
      "Words are 32 bits, little-endian, counted from the start of the instruction. Bits no field\n"
      "names must be zero. Meaning: [isa.md](isa.md).\n";
  const auto row = [&out](const Field& f) {
    const std::string bits =
        f.width == 64 ? fmt::format("{}-{}", f.word, f.word + 1) : fmt::format("{}", f.word);
    const std::string range =
        f.width >= 32 ? "" : fmt::format("{} .. {}", f.min, static_cast<std::int64_t>(f.max));
    out += fmt::format("| {} | {}:{} | `{}` | {}{} | {} | {} |\n", bits,
                       f.width == 64 ? 31 : f.lsb + f.width - 1, f.lsb, f.name,
                       f.type == "S" ? "s" : "u", f.width, range, f.doc);
  };
  const std::string_view head =
      "\n| word | bits | field | type | legal | meaning |\n|---|---|---|---|---|---|\n";
  out += "\n## Every instruction\n";
  out += head;
  for (const Field& f : kCommonFields) row(f);
  for (const Opcode& op : kOpcodes) {
    out += fmt::format("\n## {} (opcode 0x{:02x}, {} bytes)\n\n{}.\n", Upper(op.mnemonic), op.value,
                       64 * op.granules, op.doc);
    out += head;
    for (const Field& f : kFields) {
      if (f.opcode == op.enumerator) row(f);
    }
  }
  out += "\n## Field values\n\n| enumeration | value | mnemonic | meaning |\n|---|---|---|---|\n";
  for (const EnumValue& v : kEnumValues) {
    out += fmt::format("| {} | {} | `{}` | {} |\n", v.enum_name, v.value, v.mnemonic, v.doc);
  }
  out += "\n## Error codes\n\n| code | name | meaning |\n|---|---|---|\n";
  for (const Error& e : kErrors) out += fmt::format("| {} | {} | {} |\n", e.value, e.name, e.doc);
  out += "\n## Units\n\n| value | unit |\n|---|---|\n";
  for (const Unit& u : kUnits) out += fmt::format("| {} | {} |\n", u.value, u.name);
  return out;
}

std::string RegisterTables() {
  std::string out = fmt::format("<!-- {} -->\n# Register map\n\n",
                                fmt::format(fmt::runtime(kGenerated), "isa/tpu_regs.def"));
  out +=
      "AXI4-Lite, 32-bit registers, byte offsets. Access: RO read only, RW read and write, W1 "
      "write\n"
      "one to act.\n\n| offset | register | bits | access | meaning |\n|---|---|---|---|---|\n";
  for (const Register& r : kRegisters) {
    out += fmt::format("| 0x{:03x} | {} | | {} | {} |\n", r.offset, UpperSnake(r.enumerator),
                       r.access, r.doc);
    for (const RegisterBits& b : kRegisterBits) {
      if (b.reg != r.enumerator) continue;
      out += fmt::format("| | | {}:{} `{}` | | {} |\n", b.lsb + b.width - 1, b.lsb, b.name, b.doc);
    }
  }
  out += "\n## Constants\n\n| value | constant | meaning |\n|---|---|---|\n";
  for (const RegisterConstant& c : kRegisterConstants) {
    out += fmt::format("| 0x{:08x} | {} | {} |\n", c.value, UpperSnake(c.enumerator), c.doc);
  }
  out +=
      "\n## Counters\n\n64 bits each, low word first, cleared by a start.\n\n"
      "| offset | counter | counts |\n|---|---|---|\n";
  for (const Counter& c : kCounters) {
    out += fmt::format("| 0x{:03x} | `{}` | {} |\n", tpu::isa::kCounterBase + 8 * c.index, c.name,
                       c.doc);
  }
  return out;
}

constexpr std::string_view kOperatorsIntroduction = R"(# Operators

What can be compiled of TensorFlow Lite, and which part of the machine runs it: the systolic *array*, the *vector unit*,
*DMA* (LOAD and STORE alone), or a kernel on the *host* between two programs. Reports call the first three `device`.
Results equal those of TensorFlow Lite's reference kernels to the bit ([arithmetic.md](arithmetic.md)).

For all operators:

* Activations are int8 with one scale and zero point for the tensor, unless the table names other types.
* Weights are constant int8 with zero point 0 and one scale, or one for each output channel. Biases are constant int32 or
  left out.
* Shapes are known when compiling. Shapes of tensors that the file leaves open are inferred.
* Files of old and strange converters are taken as TensorFlow Lite Micro takes them: the quantisation of biases is not looked at,
  options that say nothing but defaults may be missing, and weights of several scales may have one zero point.
* A fused activation is NONE, RELU, RELU6 or RELU_N1_TO_1 and costs nothing.
* A binary operator with a constant of one value everywhere becomes a table of 256 bytes, too. Tables in a row become one,
  and a table behind an operator that ends in the vector unit is its last stage.
* Arithmetic on shapes leaves nothing to run: SHAPE, and integer operators whose inputs are all known.

Anything else is refused before anything runs, naming the operator, its index and the tensor. The stages behind this table:
`src/frontends/tflite/decode_*.cpp` check, `src/compiler/legalise/*.cpp` choose where it runs, `src/host_kernels` is the host's part.

| operator | runs on | restrictions |
|---|---|---|
)";

std::string OperatorsDocument() {
  std::string out = fmt::format(
      "<!-- {} -->\n", fmt::format(fmt::runtime(kGenerated), "frontends/tflite/operators.def"));
  out += kOperatorsIntroduction;
  for (const Operator& op : kOperators) {
    out += fmt::format("| {} | {} | {} |\n", op.code, op.where, op.restrictions);
  }
  return out;
}

void WriteFile(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  auto file = fmt::output_file(path.string());
  file.print("{}", text);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: tpu_gen ROOT\n");
    return 2;
  }
  try {
    const std::filesystem::path root = argv[1];
    WriteFile(root / "rtl/include/tpu_isa.vh", IsaHeader());
    WriteFile(root / "rtl/include/tpu_regs.vh", RegsHeader());
    WriteFile(root / "docs/isa_tables.md", IsaTables());
    WriteFile(root / "docs/registers_tables.md", RegisterTables());
    WriteFile(root / "docs/operators.md", OperatorsDocument());
  } catch (const std::exception& e) {
    fmt::print(stderr, "tpu_gen: {}\n", e.what());
    return 1;
  }
  return EXIT_SUCCESS;
}
