// SPDX-License-Identifier: Apache-2.0
// Operations of the vector unit on bytes (VECTOR), on floating-point numbers (FVECTOR) and on
// integers of several widths (IVECTOR), which walk through the buffers alike.
#pragma once

#include <cstdint>
#include <variant>

#include "isa/element_format.h"
#include "isa/instruction.h"

namespace tpu::compiler {

/// What is computed. The fields of loops, operands and formats are left to lowering.
using VectorOperation = std::variant<isa::Vector, isa::Fvector, isa::Ivector>;

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
inline void SetFormats(isa::Vector& /*vector*/, isa::ElementFormat /*a*/, isa::ElementFormat /*b*/,
                       isa::ElementFormat /*output*/) {}
inline void SetFormats(isa::Fvector& vector, isa::ElementFormat a, isa::ElementFormat b,
                       isa::ElementFormat output) {
  vector.a_format = isa::NumberFormatOf(a);
  vector.b_format = isa::NumberFormatOf(b);
  vector.o_format = isa::NumberFormatOf(output);
}
inline void SetFormats(isa::Ivector& vector, isa::ElementFormat a, isa::ElementFormat b,
                       isa::ElementFormat output) {
  vector.a_format = isa::IntegerFormatOf(a);
  vector.b_format = isa::IntegerFormatOf(b);
  vector.o_format = isa::IntegerFormatOf(output);
}

/// Source A is sums in the accumulators. Of int16 activations they are pairs, whose low rows are so
/// many rows behind the high ones.
inline void SetSums(isa::Vector& vector, std::int64_t /*low*/, isa::ElementFormat /*output*/) {
  vector.source = isa::VectorSource::kAccumulators;
}
inline void SetSums(isa::Fvector& vector, std::int64_t /*low*/, isa::ElementFormat output) {
  vector.source = isa::VectorSource::kAccumulators;
  vector.a_format = isa::NumberFormat::kFloat32;
  vector.o_format = isa::NumberFormatOf(output);
}
inline void SetSums(isa::Ivector& vector, std::int64_t low, isa::ElementFormat output) {
  vector.source = isa::VectorSource::kAccumulators;
  vector.a_format = low == 0 ? isa::IntegerFormat::kInt32 : isa::IntegerFormat::kPair;
  vector.a_low = static_cast<std::int32_t>(low);
  vector.o_format = isa::IntegerFormatOf(output);
}

/// Has the bytes of a VECTOR looked up in a table, or what IVECTOR's map says in four tables.
inline void SetLookup(isa::Instruction& instruction, std::uint32_t table) {
  if (auto* integers = std::get_if<isa::Ivector>(&instruction)) {
    integers->lut = table / isa::kTablesOfWords;
    return;
  }
  auto& vector = std::get<isa::Vector>(instruction);
  vector.lut_enable = 1;
  vector.lut = table;
}

}  // namespace tpu::compiler
