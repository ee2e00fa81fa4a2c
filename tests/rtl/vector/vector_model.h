// SPDX-License-Identifier: Apache-2.0
// What a VECTOR instruction does, written from docs/isa.md section 7 for the tests of the vector
// unit.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/instruction.h"

namespace tpu::vector_test {

/// Requantisation of one lane; `shift` in [-31, 30], `multiplier` not negative.
std::int32_t Requantise(isa::VectorRequant mode, std::int32_t value, std::int32_t bias,
                        std::int32_t multiplier, int shift);

/// The same with `float_rounding`; `shift` in [-31, 14].
std::int32_t RequantiseFloat(std::int32_t value, std::int32_t bias, std::int32_t multiplier,
                             int shift);

/// Parameter entry, lane by lane.
struct ParamEntry {
  std::vector<std::int32_t> bias;
  std::vector<std::int32_t> multiplier;
  std::vector<std::int8_t> shift;
};

/// The memories that the vector unit reads; every row has as many elements as there are lanes.
struct Memories {
  std::vector<std::vector<std::int8_t>> ub;
  std::vector<std::vector<std::int32_t>> acc;
  std::vector<ParamEntry> params;
  std::array<std::array<std::int8_t, 256>, 8> luts{};
};

/// What a tap adds to its row's sum, or compares with the row's maximum, in one lane.
std::int32_t Map(const isa::Vector& instruction, std::int32_t a, std::int32_t b);

/// The byte that a lane makes of a row's sum or maximum.
std::int8_t Finish(const isa::Vector& instruction, const Memories& memories,
                   const ParamEntry& entry, std::size_t lane, std::int32_t reduced);

struct Write {
  std::uint32_t row = 0;
  std::vector<std::int8_t> bytes;
  friend bool operator==(const Write&, const Write&) = default;
};

/// Everything an instruction does, in order, up to its end or its error. The reads are those of the
/// unit's three streams: source A, source B and none, or the rows of 3 x 3 windows.
struct Effects {
  std::vector<std::uint32_t> a_reads;
  std::vector<std::uint32_t> b_reads;
  std::vector<std::uint32_t> c_reads;
  std::vector<Write> writes;
  std::uint64_t steps = 0;  ///< Taps, or columns of weights and pixels.
  isa::ErrorCode error = isa::ErrorCode::kNone;
};

/// Whether a unit with windows does the instruction column by column (docs/architecture.md section
/// 6).
bool GoesByColumn(const isa::Vector& instruction, std::size_t ub_rows);

/// Does not change `memories`: an instruction must not read what it writes. Without `window` the
/// unit does all of them tap by tap.
Effects Execute(const isa::Vector& instruction, const Memories& memories, bool window);

}  // namespace tpu::vector_test
