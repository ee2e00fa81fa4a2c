// SPDX-License-Identifier: Apache-2.0
// The AXI read port that fetch, load and weights share (rtl/memory/tpu_axi_read_port.v), and the
// memory behind it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "timing/cycle.h"
#include "timing/read_client.h"

namespace tpu::timing {

class ReadPort {
 public:
  static constexpr std::size_t kFetch = 0;
  static constexpr std::size_t kLoad = 1;
  static constexpr std::size_t kWeights = 2;
  static constexpr std::size_t kClients = 3;
  using Requests = std::array<Request*, kClients>;

  ReadPort(const Requests& requests, Cycle latency) : requests_(requests), latency_(latency) {}

  struct Grant {
    std::size_t client = kClients;  ///< kClients: no request was granted.
    Burst burst;
    Cycle first = 0;  ///< The burst's beats come from this cycle on.
  };
  /// Grants one of the requests that stand in this cycle: load and weights take turns, fetch goes
  /// last.
  Grant Step(Cycle cycle);
  /// First cycle in which there may be something to grant.
  [[nodiscard]] Cycle Next() const;

 private:
  // Bursts that the memory holds.
  static constexpr std::size_t kBursts = 64;

  Requests requests_;
  Cycle latency_;
  std::size_t served_ = kFetch;
  Cycle free_ = 0;
  Cycle last_beat_ = 0;
  std::uint64_t bursts_ = 0;
  std::array<Cycle, kBursts> ended_{};
};

}  // namespace tpu::timing
