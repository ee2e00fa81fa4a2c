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
        beats_(static_cast<std::uint32_t>(isa::kGranuleBytes) * 8 / config.axi_data_width) {}

  [[nodiscard]] Request& request() { return request_; }
  /// Whether it can request granules, which may be so after a grant and after one was taken.
  [[nodiscard]] bool can_issue() const {
    return left_ != 0 && !request_.valid && reserved_ + NextBurst() <= kGranules;
  }
  /// Requests them; only if it can.
  void Issue(Cycle cycle) {
    const std::uint32_t burst = NextBurst();
    request_ = {.valid = true, .from = cycle + 1, .burst = {.beats = burst * beats_}};
    granule_ += burst;
    left_ -= burst;
    reserved_ += burst;
  }
  /// The beats of the burst granted last come from cycle `first` on.
  void Deliver(const Burst& burst, Cycle first) {
    for (std::uint32_t beat = beats_ - 1; beat < burst.beats; beat += beats_) {
      valid_at_.push_back(first + beat + kFifoRamLatency);
    }
  }

  /// When the next granule can be taken; kNever: not known yet.
  [[nodiscard]] Cycle valid_at() const { return valid_at_.empty() ? kNever : valid_at_.front(); }
  void Take() {
    valid_at_.pop_front();
    --reserved_;
  }

 private:
  static constexpr std::uint64_t kBurstGranules = 4;
  static constexpr std::uint32_t kGranules = 32;

  [[nodiscard]] std::uint32_t NextBurst() const {
    return static_cast<std::uint32_t>(std::min(left_, kBurstGranules - granule_ % kBurstGranules));
  }

  Request request_;
  std::uint64_t granule_;
  std::uint64_t left_;
  std::uint32_t beats_;  // Of a granule.
  std::uint32_t reserved_ = 0;
  Ring<Cycle, kGranules> valid_at_;
};

}  // namespace tpu::timing
