// SPDX-License-Identifier: Apache-2.0
#include "tools/generate/documents.h"

#include <fmt/core.h>

#include <cstdint>
#include <string_view>

#include "isa/registers.h"
#include "tools/generate/definitions.h"

namespace tpu::generate {
namespace {

constexpr std::string_view kOperatorsIntroduction = R"(# Operators

What can be compiled of TensorFlow Lite, and which part of the machine runs it: the systolic *array*, the *vector unit*,
*DMA* (LOAD and STORE alone), or a kernel on the *host* between two programs. Reports call the first three `device`.
Results on int8 and int16, and on all types of operators that the host runs, equal those of TensorFlow Lite's reference kernels to the bit ([arithmetic.md](arithmetic.md)).

For all operators:

* Activations are int8 with one scale and zero point for the tensor, unless the table names other types.
* Weights are constant int8 with zero point 0 and one scale, or one for each output channel. Biases are constant int32 or
  left out. Weights of FULLY_CONNECTED with one scale may have any zero point. In CONV_2D, DEPTHWISE_CONV_2D and TRANSPOSE_CONV TensorFlow Lite Micro computes as
  if it were 0, so that other zero points are refused there: quantise the weights symmetrically.
* Networks of uint8, as converters made them until 2018, are refused, and so are hybrid ones of float32 activations and int8 weights. TensorFlow Lite Micro refuses both, too. Convert
  the network again: with full integer quantisation, or without any. QUANTIZE from and to uint8 at the ends of a network is no such thing, and runs.
* Operators whose types include int16 take it with zero point 0 (QUANTIZE and DEQUANTIZE with any), and weights stay int8. Biases of int16 activations are constant int64;
  those of CONV_2D and FULLY_CONNECTED may be int32, which makes the sums int32, too ([arithmetic.md](arithmetic.md#int16)). Operators on int16 need a machine with int16,
  except BATCH_MATMUL, SOFTMAX, QUANTIZE, DEQUANTIZE, ARG_MAX, ARG_MIN and those that DMA runs.
* Shapes are known when compiling. Shapes of tensors that the file leaves open are inferred.
* Files of old and strange converters are taken as TensorFlow Lite Micro takes them: the quantisation of biases is not looked at,
  options that say nothing but defaults may be missing, and weights of several scales may have one zero point.
* A fused activation is NONE, RELU, RELU6 or RELU_N1_TO_1 and costs nothing.
* On int8 a binary operator with a constant of one value everywhere becomes a table of 256 bytes, too. Tables in a row become one,
  and a table behind an operator that ends in the vector unit is its last stage.
* Results on int8 are TensorFlow Lite Micro's bytes; with `--rounding float` those of LiteRT with XNNPACK ([arithmetic.md](arithmetic.md#float-rounding)).
* Arithmetic on shapes leaves nothing to run: SHAPE, and integer operators whose inputs are all known.
* On machines with bf16 all operators take float32, too, unless the table says int8 alone (RESIZE_BILINEAR where the device runs it): activations, weights and biases are float32 then, and what the table says of
  scales, zero points and tables of 256 bytes does not count. Weights and activations are bfloat16 on the device, sums fp32; results are as near to
  TensorFlow Lite's as [arithmetic.md](arithmetic.md#floating-point) derives. QUANTIZE and DEQUANTIZE between operators on int8 and on float32 run on the vector
  unit, and so does SOFTMAX before an operator on float32. Functions of one value, and operations with a constant of one value, between DEQUANTIZE and QUANTIZE of a byte are one table on all machines. Other machines refuse operators on float32 except those that the host or DMA runs: QUANTIZE, DEQUANTIZE,
  SOFTMAX, ARG_MAX, ARG_MIN, moves, and the last five groups of the table.
* Operators of the host take the element types that the table names, on any machine. Names in mixed case are custom operators, those of TensorFlow Lite Micro's signal library among them.
* Variables, and what operators keep from run to run, are zeros (variables: what CALL_ONCE assigns) in a session's first run and after `Session::ResetStates`.
  Runs of `tpu run` with several inputs follow each other.
* IF and WHILE: the host reads the condition and chooses, the graphs run as all others. Values go in and out as bytes, whatever the scales say, as in TensorFlow Lite Micro. States
  inside are kept while their graph does not run. A WHILE that has not ended after `RunOptions::max_iterations` iterations (1,000,000 when nothing else is asked for) ends the run
  with an error. A graph that several operators run is compiled for each of them.
* `tpu::Graph` has no methods for the last five groups of the table.

Anything else is refused before anything runs, naming the operator, its index and the tensor. The stages behind this table:
`src/frontends/tflite/decode_*.cpp` check, `src/compiler/legalise/*.cpp` choose where it runs, `src/host_kernels` is the host's part.

Of the operators that TensorFlow Lite Micro registers, these are refused:

| operator | why |
|---|---|
| CIRCULAR_BUFFER | it ends a run in the middle until it is full, which a session has no means for; TensorFlow Lite Micro keeps its rows in memory that other tensors overwrite, so that there is nothing to compare with |
| DECODE | it unpacks constants of a format of TensorFlow Lite Micro's own compressor |
| ETHOSU | its data is a program for another accelerator |

| operator | runs on | restrictions |
|---|---|---|
)";

/// Behind the name of a field that not all machines have.
std::string_view MarkOf(isa::Requirement requirement) {
  switch (requirement) {
    case isa::Requirement::kNothing:
      break;
    case isa::Requirement::kBf16:
      return " *";
    case isa::Requirement::kInt16:
      return " +";
    case isa::Requirement::kWide:
      return " *+";
    case isa::Requirement::kFloatRounding:
      return " ~";
  }
  return "";
}

/// The first letter of a field's type in the tables.
std::string_view Kind(const Field& f) {
  if (f.type == "S") return "s";
  return f.type == "F" ? "f" : "u";
}

}  // namespace

std::string IsaTables() {
  std::string out =
      fmt::format("<!-- {} -->\n# Instruction encodings\n\n", GeneratedFrom("isa/tpu_isa.def"));
  out +=
      "Words are 32 bits, little-endian, counted from the start of the instruction. Bits no field\n"
      "names must be zero, and so must fields with a star (bf16), a plus (int16), both, or a "
      "tilde\n"
      "(rounding as float32) on machines that have none of these. Meaning: "
      "[isa.md](isa.md).\n";
  const auto row = [&out](const Field& f, std::string_view mark) {
    const std::string bits =
        f.width == 64 ? fmt::format("{}-{}", f.word, f.word + 1) : fmt::format("{}", f.word);
    const std::string range =
        f.width >= 32 ? "" : fmt::format("{} .. {}", f.min, static_cast<std::int64_t>(f.max));
    out += fmt::format("| {} | {}:{} | `{}`{} | {}{} | {} | {} |\n", bits,
                       f.width == 64 ? 31 : f.lsb + f.width - 1, f.lsb, f.name, mark, Kind(f),
                       f.width, range, f.doc);
  };
  const std::string_view head =
      "\n| word | bits | field | type | legal | meaning |\n|---|---|---|---|---|---|\n";
  out += "\n## Every instruction\n";
  out += head;
  for (const Field& f : kCommonFields) row(f, "");
  for (const Opcode& op : kOpcodes) {
    out += fmt::format("\n## {} (opcode 0x{:02x}, {} bytes)\n\n{}.\n", Upper(op.mnemonic), op.value,
                       64 * op.granules, op.doc);
    out += head;
    for (const Field& f : kFields) {
      if (f.opcode == op.enumerator)
        row(f, f.requirement == op.requirement ? "" : MarkOf(f.requirement));
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
  std::string out =
      fmt::format("<!-- {} -->\n# Register map\n\n", GeneratedFrom("isa/tpu_regs.def"));
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
    out +=
        fmt::format("| 0x{:03x} | `{}` | {} |\n", isa::kCounterBase + 8 * c.index, c.name, c.doc);
  }
  return out;
}

std::string LinkTables() {
  std::string out = fmt::format("<!-- {} -->\n# Frames between host and board\n\n",
                                GeneratedFrom("link/tpu_link.def"));
  out += "[boards.md](boards.md) describes the frames. Numbers are little-endian.\n";
  const auto table = [&out](std::string_view heading, std::string_view what,
                            const std::vector<LinkValue>& values) {
    out += fmt::format("\n## {}\n\n| value | {} | meaning |\n|---|---|---|\n", heading, what);
    for (const LinkValue& v : values) {
      const std::string number =
          v.value > 0xFFFF ? fmt::format("0x{:08x}", v.value) : fmt::format("{}", v.value);
      out += fmt::format("| {} | {} | {} |\n", number, UpperSnake(v.enumerator), v.doc);
    }
  };
  table("Commands of the host", "command", kLinkCommands);
  table("Answers of the board", "status", kLinkStatuses);
  table("Constants", "constant", kLinkConstants);
  return out;
}

std::string OperatorsDocument() {
  std::string out = fmt::format("<!-- {} -->\n", GeneratedFrom("frontends/tflite/operators.def"));
  out += kOperatorsIntroduction;
  for (const Operator& op : kOperators) {
    out += fmt::format("| {} | {} | {} |\n", op.code, op.where, op.restrictions);
  }
  return out;
}

std::string OnnxOperatorsDocument() {
  std::string out = fmt::format("<!-- {} -->\n# Operators of ONNX\n\n",
                                GeneratedFrom("frontends/onnx/operators.def"));
  out +=
      "What quantised models may use ([onnx.md](onnx.md)), and what runs, in the terms of\n"
      "[TensorFlow Lite's operators](operators.md).\n\n"
      "| operator | becomes | restrictions |\n|---|---|---|\n";
  for (const Operator& op : kOnnxOperators) {
    out += fmt::format("| {} | {} | {} |\n", op.code, op.where, op.restrictions);
  }
  return out;
}

}  // namespace tpu::generate
