// SPDX-License-Identifier: Apache-2.0
// Instruction fetch (rtl/control/tpu_fetch.v).
#pragma once

#include <algorithm>
#include <cstdint>

#include "isa/hardware_config.h"
#include "isa/instruction.h"
#include "timing/cycle.h"
#include "timing/read_client.h"
#include "timing/ring.h"

namespace tpu::timing {

class Fetch {
 public:
  Fetch(std::uint64_t address, std::uint64_t granules, const isa::HardwareConfig& config)
      : granule_(address / isa::kGranuleBytes),
        left_(granules),
        beats_(kGranuleBits / config.axi_data_width),
        parts_(WordBits(config) / config.axi_data_width),
        words_(kGranuleBits / WordBits(config)) {}

  /// Bits of the words that decode takes: a beat, or kLeastWordBits if a beat is narrower.
  [[nodiscard]] static std::uint32_t WordBits(const isa::HardwareConfig& config) {
    return std::max(config.axi_data_width, kLeastWordBits);
  }

  [[nodiscard]] Request& request() { return request_; }
  /// First cycle in which fetch can request granules; kNever: fetch first needs a grant, or room
  /// that decode makes by taking a word.
  [[nodiscard]] Cycle issue() const {
    const bool can =
        left_ != 0 && !request_.valid && reserved_ + kBurstGranules * words_ <= kGranules * words_;
    return can ? paced_ : kNever;
  }
  /// Requests granules. Call it only in a cycle that issue() allows.
  void Issue(Cycle cycle) {
    const std::uint32_t burst = NextBurst();
    request_ = {.valid = true, .from = cycle + 1, .burst = {.beats = burst * beats_}};
    granule_ += burst;
    left_ -= burst;
    reserved_ += burst * words_;
    paced_ = cycle + burst * beats_;
  }
  /// The beats of the burst granted last come from cycle `first` on.
  void Deliver(const Burst& burst, Cycle first) {
    for (std::uint32_t beat = parts_ - 1; beat < burst.beats; beat += parts_) {
      valid_at_.push_back(first + beat + kFifoRamLatency);
    }
  }

  /// When the next word can be taken; kNever: not known yet.
  [[nodiscard]] Cycle valid_at() const { return valid_at_.empty() ? kNever : valid_at_.front(); }
  void Take() {
    valid_at_.pop_front();
    --reserved_;
  }

 private:
  static constexpr std::uint64_t kBurstGranules = 4;
  static constexpr std::uint32_t kGranules = 32;
  static constexpr std::uint32_t kGranuleBits = static_cast<std::uint32_t>(isa::kGranuleBytes) * 8;
  static constexpr std::uint32_t kLeastWordBits = 128;

  [[nodiscard]] std::uint32_t NextBurst() const {
    return static_cast<std::uint32_t>(std::min(left_, kBurstGranules - granule_ % kBurstGranules));
  }

  Request request_;
  std::uint64_t granule_;
  std::uint64_t left_;
  std::uint32_t beats_;         // Beats of a granule.
  std::uint32_t parts_;         // Beats of a word.
  std::uint32_t words_;         // Words of a granule.
  std::uint32_t reserved_ = 0;  // Words that are requested and not taken yet.
  Cycle paced_ = 0;             // By this cycle the bus can have brought all that was requested.
  Ring<Cycle, kGranules * kGranuleBits / kLeastWordBits> valid_at_;
};

}  // namespace tpu::timing
