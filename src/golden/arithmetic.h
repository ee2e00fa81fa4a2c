// SPDX-License-Identifier: Apache-2.0
// The integer arithmetic of the vector lanes (docs/isa.md, 7), one value at a time.
#pragma once

#include <cstdint>

#include "isa/instruction.h"

namespace tpu::golden {

/// The low 32 bits, as two's complement.
constexpr std::int32_t Wrap32(std::int64_t value) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
}

/// value * multiplier * 2^(shift - 31), rounded twice; shift in [-31, 30].
std::int32_t RequantiseDouble(std::int32_t value, std::int32_t multiplier, int shift);

/// value * multiplier * 2^(shift - 31), rounded once; shift in [-31, 30].
std::int32_t RequantiseSingle(std::int32_t value, std::int32_t multiplier, int shift);

/// (|value| + bias) * multiplier * 2^(shift - 31), truncated, with the sign of `value`; shift in
/// [-31, 30].
std::int32_t RequantiseDivide(std::int32_t value, std::int32_t bias, std::int32_t multiplier,
                              int shift);

/// value * multiplier * 2^(shift - 31) as float32 computes it: `value`, the product and at last the
/// integer are each rounded to nearest, ties to even. For multipliers in [2^30, 2^31) with seven
/// zero bits at the end, which are float32's; shift in [-31, 14].
std::int32_t RequantiseFloat(std::int32_t value, std::int32_t multiplier, int shift);

/// q of docs/isa.md, 7. Any shift is accepted; outside [-31, 30] the result has no meaning.
std::int32_t Requantise(isa::VectorRequant mode, std::int32_t value, std::int32_t bias,
                        std::int32_t multiplier, int shift);

/// P(b): the second operand of an addition, scaled to 2^19 times the first operand's unit.
std::int32_t Premultiply(isa::VectorRequant mode, std::int32_t b, std::int32_t multiplier,
                         int right_shift);

/// The low 48 bits, as two's complement.
constexpr std::int64_t Wrap48(std::int64_t value) {
  constexpr int kUnused = 16;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << kUnused) >> kUnused;
}

/// q of docs/isa.md, 11.3, in mode wide. Any shift is accepted; above 14 the result has no meaning.
std::int32_t RequantiseWide(std::int64_t value, std::int32_t bias, std::int32_t multiplier,
                            int shift);

/// P(b) of docs/isa.md, 11.3: scaled to 2^14 times the first operand's unit.
std::int32_t PremultiplyWide(bool single, std::int16_t b, std::int32_t multiplier, int right_shift);

}  // namespace tpu::golden
