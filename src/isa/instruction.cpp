// SPDX-License-Identifier: Apache-2.0
#include "isa/instruction.h"

#include "isa/fields.h"

namespace tpu::isa {

std::string_view Name(Unit unit) {
  switch (unit) {
#define TPU_UNIT(enumerator, value, name) \
  case Unit::enumerator:                  \
    return name;
#include "isa/tpu_isa.def"
  }
  return "?";
}

std::string_view Name(ErrorCode code) {
  switch (code) {
#define TPU_ERROR(enumerator, value, name, doc) \
  case ErrorCode::enumerator:                   \
    return name;
#include "isa/tpu_isa.def"
  }
  return "?";
}

std::string_view Mnemonic(Opcode opcode) {
  switch (opcode) {
#define TPU_OPCODE(enumerator, value, mnemonic, granules, unit, doc) \
  case Opcode::enumerator:                                           \
    return mnemonic;
#include "isa/tpu_isa.def"
  }
  return "?";
}

unsigned Granules(Opcode opcode) {
  switch (opcode) {
#define TPU_OPCODE(enumerator, value, mnemonic, granules, unit, doc) \
  case Opcode::enumerator:                                           \
    return granules;
#include "isa/tpu_isa.def"
  }
  return 1;
}

Unit UnitOf(Opcode opcode) {
  switch (opcode) {
#define TPU_OPCODE(enumerator, value, mnemonic, granules, unit, doc) \
  case Opcode::enumerator:                                           \
    return Unit::unit;
#include "isa/tpu_isa.def"
  }
  return Unit::kFrontend;
}

Requirement RequirementOf(Opcode opcode) {
#define TPU_FLOAT_OPCODE(enumerator, value, mnemonic, granules, unit, doc) \
  if (opcode == Opcode::enumerator) return Requirement::kBf16;
#define TPU_INT16_OPCODE(enumerator, value, mnemonic, granules, unit, doc) \
  if (opcode == Opcode::enumerator) return Requirement::kInt16;
#include "isa/tpu_isa.def"
  return Requirement::kNothing;
}

std::span<const EnumValue> EnumValues(std::string_view type) {
#define TPU_ENUM_BEGIN(name) static constexpr EnumValue k##name[] = {
#define TPU_ENUM(enum_name, enumerator, value, mnemonic, doc) {mnemonic, value},
#define TPU_ENUM_END(name) \
  }                        \
  ;                        \
  if (type == #name) return k##name;
#include "isa/tpu_isa.def"
  return {};
}

Opcode OpcodeOf(const Instruction& instruction) {
  return std::visit([](const auto& i) { return i.kOpcode; }, instruction);
}

const Semaphores& SemaphoresOf(const Instruction& instruction) {
  return std::visit([](const auto& i) -> const Semaphores& { return i.semaphores; }, instruction);
}

Semaphores& SemaphoresOf(Instruction& instruction) {
  return std::visit([](auto& i) -> Semaphores& { return i.semaphores; }, instruction);
}

}  // namespace tpu::isa
