// SPDX-License-Identifier: Apache-2.0
// What the rough estimates of tilings and copies count for an instruction besides its work, in
// cycles. They only have to rank candidates: schedules are measured by the timing model.
#pragma once

namespace tpu::compiler {

/// Of an instruction on a convolution's tiles, which others overlap: it only has to prefer few
/// instructions.
inline constexpr double kOverlappedInstructionCycles = 4;
/// Of a VECTOR, LOAD or STORE that little overlaps.
inline constexpr double kInstructionCycles = 8;

}  // namespace tpu::compiler
