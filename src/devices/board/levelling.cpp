// SPDX-License-Identifier: Apache-2.0
#include "devices/board/levelling.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/error.h"

namespace tpu::devices {
namespace {

constexpr std::size_t kPatternBytes = 512;

/// Bits that look random (a linear congruential generator, its upper byte), so that no shift of the
/// pattern is the pattern.
std::vector<std::uint8_t> Pattern() {
  std::vector<std::uint8_t> pattern(kPatternBytes);
  std::uint32_t state = 1;
  for (std::uint8_t& byte : pattern) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<std::uint8_t>(state >> 24U);
  }
  return pattern;
}

/// A setting of one lane.
struct Setting {
  std::uint32_t shift = 0;
  std::uint32_t delay = 0;
};

class Leveller {
 public:
  Leveller(link::Link& link, const ReadTiming& timing)
      : link_(link), timing_(timing), pattern_(Pattern()), seen_(kPatternBytes) {}

  void Run() {
    link_.WriteMemory(0, pattern_);
    Scan();
    for (std::uint32_t lane = 0; lane < timing_.lanes; ++lane) Set(1U << lane, Best(lane));
    // Once more, with what was chosen.
    if (Read() != AllLanes()) {
      throw Error::Format("{}: the memory does not read back what was written, with any timing",
                          link_.Name());
    }
  }

 private:
  [[nodiscard]] std::uint32_t AllLanes() const { return (1U << timing_.lanes) - 1; }

  void Press(std::uint32_t address) { link_.WriteRegister(address, 1); }
  void Select(std::uint32_t lanes) { link_.WriteRegister(timing_.select, lanes); }

  void Set(std::uint32_t lanes, const Setting& setting) {
    Select(lanes);
    Press(timing_.first_shift);
    for (std::uint32_t i = 0; i < setting.shift; ++i) Press(timing_.next_shift);
    Press(timing_.first_delay);
    for (std::uint32_t i = 0; i < setting.delay; ++i) Press(timing_.next_delay);
    Select(0);
  }

  /// The lanes whose bytes are right.
  std::uint32_t Read() {
    link_.ReadMemory(0, seen_);
    std::uint32_t right = AllLanes();
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if (seen_[i] != pattern_[i]) right &= ~(1U << i % timing_.lanes);
    }
    return right;
  }

  /// Reads with every setting, the same for all lanes.
  void Scan() {
    right_.assign(timing_.shifts, std::vector<std::uint32_t>(timing_.delays));
    for (std::uint32_t shift = 0; shift < timing_.shifts; ++shift) {
      for (std::uint32_t delay = 0; delay < timing_.delays; ++delay) {
        Set(AllLanes(), {.shift = shift, .delay = delay});
        right_[shift][delay] = Read();
      }
    }
  }

  /// The middle of the longest run of delays.
  [[nodiscard]] Setting Best(std::uint32_t lane) const {
    Setting best;
    std::uint32_t longest = 0;
    for (std::uint32_t shift = 0; shift < timing_.shifts; ++shift) {
      std::uint32_t run = 0;
      for (std::uint32_t delay = 0; delay < timing_.delays; ++delay) {
        run = (right_[shift][delay] >> lane & 1U) != 0 ? run + 1 : 0;
        if (run <= longest) continue;
        longest = run;
        best = {.shift = shift, .delay = delay - run / 2};
      }
    }
    if (longest == 0) {
      throw Error::Format(
          "{}: no delay of {} and no shift of {} reads lane {} of the memory right: its pins, its "
          "clock or its supply may be at fault",
          link_.Name(), timing_.delays, timing_.shifts, lane);
    }
    return best;
  }

  link::Link& link_;
  const ReadTiming& timing_;
  std::vector<std::uint8_t> pattern_;
  std::vector<std::uint8_t> seen_;
  std::vector<std::vector<std::uint32_t>> right_;  // Lanes, by shift and delay.
};

}  // namespace

void LevelReads(link::Link& link, const ReadTiming& timing) { Leveller(link, timing).Run(); }

}  // namespace tpu::devices
