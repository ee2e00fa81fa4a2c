// SPDX-License-Identifier: Apache-2.0
// What an instruction costs besides its work: the granules that the bus brings, and the cycles that
// the rough estimates count by which tilings and copies are ranked. Schedules do not use the
// cycles: the timing model measures them.
#pragma once

#include "isa/instruction.h"

namespace tpu::compiler {

/// Granules of the program that one product takes.
inline unsigned ProductGranules() {
  return isa::Granules(isa::Weights::kOpcode) + isa::Granules(isa::Matmul::kOpcode);
}
/// Granules of the program that draining one sum takes.
inline unsigned DrainGranules() {
  return isa::Granules(isa::Vector::kOpcode) + isa::Granules(isa::Store::kOpcode);
}

/// An instruction on a convolution's tiles. Other instructions overlap it, so this number only has
/// to make fewer instructions look better.
inline constexpr double kOverlappedInstructionCycles = 4;
/// A VECTOR, LOAD or STORE that hardly any other instruction overlaps.
inline constexpr double kInstructionCycles = 8;

}  // namespace tpu::compiler
