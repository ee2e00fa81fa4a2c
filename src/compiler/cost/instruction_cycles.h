// SPDX-License-Identifier: Apache-2.0
// Cycles that an instruction costs besides its work, in the rough estimates by which tilings and
// copies are ranked. Schedules do not use these numbers: the timing model measures them.
#pragma once

namespace tpu::compiler {

/// An instruction on a convolution's tiles. Other instructions overlap it, so this number only has
/// to make fewer instructions look better.
inline constexpr double kOverlappedInstructionCycles = 4;
/// A VECTOR, LOAD or STORE that hardly any other instruction overlaps.
inline constexpr double kInstructionCycles = 8;

}  // namespace tpu::compiler
