// SPDX-License-Identifier: Apache-2.0
// A unit's instruction queue in the timing model.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "isa/instruction.h"
#include "timing/cycle.h"
#include "timing/ring.h"

namespace tpu::timing {

/// A unit's instruction queue, its head and what it has in flight (rtl/control/tpu_queues.v,
/// rtl/control/tpu_issue.v).
struct Queue {
  static constexpr std::uint64_t kInFlight = 8;
  // The longest instructions of which a queue holds the words.
  static constexpr std::uint32_t kLongest = 8 * isa::kMaxGranules;

  // From the read of a word to the cycle in which the head has it.
  static constexpr Cycle kReadToHead = 2;
  // From the cycle in which decode has an instruction's last word in hand to the first cycle in
  // which the instruction may start.
  static constexpr Cycle kDecodeToLegal = 3;

  std::vector<std::uint32_t> instructions;  // The unit's instructions in the whole program.
  std::uint64_t started = 0;
  std::uint64_t retired = 0;
  bool granted = false;         // The head has taken its semaphores.
  std::uint32_t waits_for = 0;  // Semaphores that the head waits for; 0: none is known.
  Cycle last_start = 0;
  Ring<Cycle, kInFlight> completions;

  // Counts of words. Decode writes each word; later the word is read into the head.
  std::uint32_t length = 0;  // Words of an instruction that are kept.
  std::uint64_t written = 0;
  std::uint64_t read = 0;
  std::vector<Cycle> written_at;
  std::vector<Cycle> read_at;
  std::uint32_t in_head = 0;  // Words of the head that were read.
  Cycle first_at = kNever;    // When the head has its first word.
  Cycle complete_at = kNever;

  /// First cycle in which decode may write a word; kNever: not known yet.
  [[nodiscard]] Cycle room() const {
    if (written < read_at.size()) return 0;
    const std::uint64_t oldest = written - read_at.size();
    return oldest < read ? read_at[oldest % read_at.size()] + 1 : kNever;
  }
  void Write(Cycle cycle) { written_at[written++ % written_at.size()] = cycle; }
  /// First cycle in which the next word may be read; kNever: not known yet.
  [[nodiscard]] Cycle readable() const {
    if (read == written || in_head == length) return kNever;
    return std::max(written_at[read % written_at.size()], last_start) + 1;
  }
  void Read(Cycle cycle) {
    read_at[read++ % read_at.size()] = cycle;
    if (in_head++ == 0) first_at = cycle + kReadToHead;
    if (in_head == length) complete_at = cycle + kReadToHead;
  }
  void Start(Cycle cycle) {
    granted = false;
    last_start = cycle;
    in_head = 0;
    first_at = kNever;
    complete_at = kNever;
  }
};

}  // namespace tpu::timing
