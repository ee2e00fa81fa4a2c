// SPDX-License-Identifier: Apache-2.0
// What a run is told, and what it cost.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace tpu {

/// How a program runs.
struct RunOptions {
  /// Called every `progress_interval` machine cycles with the cycles run so far. A device without
  /// time is done before the first call. The function must not throw.
  std::function<void(std::uint64_t cycles)> progress;
  std::uint64_t progress_interval = 100'000;  ///< Machine cycles, at least 1.
  /// Gives up (tpu::Error) after so many cycles without an interrupt. The machine still runs then.
  std::uint64_t max_cycles = std::numeric_limits<std::uint64_t>::max();
  /// Cycles without progress before the machine stops itself; 0 disables.
  std::uint32_t watchdog = 1'000'000;
  /// Gives up (tpu::Error) when a WHILE of the network has not ended after so many iterations.
  std::uint64_t max_iterations = 1'000'000;
};

/// A hardware counter.
struct CounterInfo {
  std::string_view name;         ///< As in "array_active".
  std::string_view description;  ///< What it counts.
};

/// All hardware counters, in the order of Report::counters.
std::span<const CounterInfo> CounterInfos();

/// What a run cost: the sum of its device programs.
struct Report {
  std::uint64_t macs = 0;    ///< Multiply-accumulates that the network needs, without padding.
  std::uint64_t cycles = 0;  ///< Machine cycles; 0 on a device without time.
  /// Hardware counters, one for each of CounterInfos(); all 0 on a device without time.
  std::vector<std::uint64_t> counters;

  /// The counter of that name. Throws tpu::Error when there is none.
  [[nodiscard]] std::uint64_t Counter(std::string_view name) const;
};

}  // namespace tpu
