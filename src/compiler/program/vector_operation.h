// SPDX-License-Identifier: Apache-2.0
// Operations of the vector unit on bytes (VECTOR) and on floating-point numbers (FVECTOR), which
// walk through the buffers alike.
#pragma once

#include <cstdint>
#include <variant>

#include "isa/element_format.h"
#include "isa/instruction.h"

namespace tpu::compiler {

/// What is computed. The fields of loops, operands and formats are left to lowering.
using VectorOperation = std::variant<isa::Vector, isa::Fvector>;

/// The instruction whose other fields `set` sets; `set` takes either structure.
template <typename Set>
isa::Instruction WithFields(VectorOperation operation, Set set) {
  return std::visit(
      [&](auto& vector) -> isa::Instruction {
        set(vector);
        return vector;
      },
      operation);
}

/// The formats of source A, source B and output. VECTOR knows one alone.
inline void SetFormats(isa::Vector& /*vector*/, isa::NumberFormat /*a*/, isa::NumberFormat /*b*/,
                       isa::NumberFormat /*output*/) {}
inline void SetFormats(isa::Fvector& vector, isa::NumberFormat a, isa::NumberFormat b,
                       isa::NumberFormat output) {
  vector.a_format = a;
  vector.b_format = b;
  vector.o_format = output;
}

/// Has the bytes of a VECTOR looked up in a table.
inline void SetLookup(isa::Instruction& instruction, std::uint32_t table) {
  auto& vector = std::get<isa::Vector>(instruction);
  vector.lut_enable = 1;
  vector.lut = table;
}

}  // namespace tpu::compiler
