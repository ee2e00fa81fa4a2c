// SPDX-License-Identifier: Apache-2.0
// Finds when a DDR memory's bytes can be read.
#pragma once

#include <cstdint>

#include "link/link.h"

namespace tpu::devices {

/// How the read timing of a memory is set, as a board's table says. A lane is 8 of the memory's
/// data pins: byte i of the memory comes by lane i mod `lanes`. Each lane has a delay and a shift.
/// Writing 1 to a register of these does what its name says to the lanes whose bits are set in
/// `select`. Selected lanes read nothing.
struct ReadTiming {
  std::uint32_t lanes = 0;
  // Addresses of registers
  std::uint32_t select = 0;
  std::uint32_t first_delay = 0;
  std::uint32_t next_delay = 0;
  std::uint32_t first_shift = 0;
  std::uint32_t next_shift = 0;
  // How many there are
  std::uint32_t delays = 0;
  std::uint32_t shifts = 0;
};

/// Writes a pattern to the first bytes of the memory, reads it with every delay and shift, and
/// leaves each lane in the middle of the longest run of delays that bring the pattern back. Throws
/// tpu::Error when a lane has none.
void LevelReads(link::Link& link, const ReadTiming& timing);

}  // namespace tpu::devices
