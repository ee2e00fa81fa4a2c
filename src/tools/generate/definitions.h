// SPDX-License-Identifier: Apache-2.0
// The contents of the .def files, as tables.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/instruction.h"

namespace tpu::generate {

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
  isa::Requirement requirement;  ///< Machines that do not meet it lack the opcode.
};
struct Field {
  std::string_view opcode;
  std::string_view name;
  int word;
  int lsb;
  int width;
  std::string_view type;  ///< "U", "S", "F" or the name of an enumeration
  std::int64_t min;
  std::uint64_t max;
  std::string_view doc;
  isa::Requirement requirement;  ///< Reserved on machines that do not meet it.
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
struct LinkValue {
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

inline const std::vector<Unit> kUnits = {
#define TPU_UNIT(enumerator, value, name) {#enumerator, value, name},
#include "isa/tpu_isa.def"
};
inline const std::vector<Opcode> kOpcodes = {
#define TPU_OPCODE(enumerator, value, mnemonic, granules, unit, doc) \
  {#enumerator, value, mnemonic, granules, #unit, doc, isa::Requirement::kNothing},
#define TPU_FLOAT_OPCODE(enumerator, value, mnemonic, granules, unit, doc) \
  {#enumerator, value, mnemonic, granules, #unit, doc, isa::Requirement::kBf16},
#define TPU_INT16_OPCODE(enumerator, value, mnemonic, granules, unit, doc) \
  {#enumerator, value, mnemonic, granules, #unit, doc, isa::Requirement::kInt16},
#include "isa/tpu_isa.def"
};
inline const std::vector<Field> kCommonFields = {
#define TPU_COMMON_FIELD(name, word, lsb, width, type, min, max, doc) \
  {"", #name, word, lsb, width, #type, min, max, doc, isa::Requirement::kNothing},
#include "isa/tpu_isa.def"
};
inline const std::vector<Field> kFields = {
#define TPU_FIELD(opcode, name, word, lsb, width, type, min, max, doc) \
  {#opcode, #name, word, lsb, width, #type, min, max, doc, isa::Requirement::kNothing},
#define TPU_FLOAT_FIELD(opcode, name, word, lsb, width, type, min, max, doc) \
  {#opcode, #name, word, lsb, width, #type, min, max, doc, isa::Requirement::kBf16},
#define TPU_INT16_FIELD(opcode, name, word, lsb, width, type, min, max, doc) \
  {#opcode, #name, word, lsb, width, #type, min, max, doc, isa::Requirement::kInt16},
#define TPU_WIDE_FIELD(opcode, name, word, lsb, width, type, min, max, doc) \
  {#opcode, #name, word, lsb, width, #type, min, max, doc, isa::Requirement::kWide},
#define TPU_ROUNDING_FIELD(opcode, name, word, lsb, width, type, min, max, doc) \
  {#opcode, #name, word, lsb, width, #type, min, max, doc, isa::Requirement::kFloatRounding},
#include "isa/tpu_isa.def"
};
inline const std::vector<EnumValue> kEnumValues = {
#define TPU_ENUM(enum_name, enumerator, value, mnemonic, doc) \
  {#enum_name, #enumerator, value, mnemonic, doc},
#include "isa/tpu_isa.def"
};
inline const std::vector<Error> kErrors = {
#define TPU_ERROR(enumerator, value, name, doc) {#enumerator, value, name, doc},
#include "isa/tpu_isa.def"
};
inline const std::vector<Constant> kConstants = {
#define TPU_CONSTANT(enumerator, value, doc) {#enumerator, value, doc},
#include "isa/tpu_isa.def"
};
inline const std::vector<Register> kRegisters = {
#define TPU_REG(enumerator, offset, access, doc) {#enumerator, offset, #access, doc},
#include "isa/tpu_regs.def"
};
inline const std::vector<RegisterBits> kRegisterBits = {
#define TPU_REG_BITS(reg, name, lsb, width, doc) {#reg, #name, lsb, width, doc},
#include "isa/tpu_regs.def"
};
inline const std::vector<Counter> kCounters = {
#define TPU_COUNTER(enumerator, index, name, doc) {#enumerator, index, name, doc},
#include "isa/tpu_regs.def"
};
inline const std::vector<RegisterConstant> kRegisterConstants = {
#define TPU_REG_CONSTANT(enumerator, value, doc) {#enumerator, value, doc},
#include "isa/tpu_regs.def"
};
inline const std::vector<LinkValue> kLinkCommands = {
#define TPU_LINK_COMMAND(enumerator, value, doc) {#enumerator, value, doc},
#include "link/tpu_link.def"
};
inline const std::vector<LinkValue> kLinkStatuses = {
#define TPU_LINK_STATUS(enumerator, value, doc) {#enumerator, value, doc},
#include "link/tpu_link.def"
};
inline const std::vector<LinkValue> kLinkConstants = {
#define TPU_LINK_CONSTANT(enumerator, value, doc) {#enumerator, value, doc},
#include "link/tpu_link.def"
};
inline const std::vector<Operator> kOperators = {
#define TPU_OPERATOR(code, decode, where, restrictions) {#code, where, restrictions},
#define TPU_CUSTOM_OPERATOR(name, decode, where, restrictions) {#name, where, restrictions},
#define TPU_IMPORTED_OPERATOR(code, where, restrictions) {#code, where, restrictions},
#include "frontends/tflite/operators.def"
};
inline const std::vector<Operator> kOnnxOperators = {
#define TPU_ONNX_OPERATOR(name, convert, becomes, restrictions) {#name, becomes, restrictions},
#define TPU_QLINEAR_OPERATOR(domain, name, operands, convert, becomes, restrictions) \
  {#name, becomes, restrictions},
#define TPU_ONNX_CONSTANT(name, becomes, restrictions) {#name, becomes, restrictions},
#include "frontends/onnx/operators.def"
};

/// "kProgAddrLo" or "VectorMap" to "PROG_ADDR_LO", "VECTOR_MAP".
std::string UpperSnake(std::string_view camel);

std::string Upper(std::string_view text);

/// First and last bit of a field within its instruction.
int BitLow(const Field& f);
int BitHigh(const Field& f);

/// The fields of one instruction, the common ones first.
std::vector<Field> FieldsOf(const Opcode& op);

/// The first line of what is made from src/`definitions`.
std::string GeneratedFrom(std::string_view definitions);

}  // namespace tpu::generate
