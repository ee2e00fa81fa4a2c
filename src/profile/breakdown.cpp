// SPDX-License-Identifier: Apache-2.0
#include "profile/breakdown.h"

#include <algorithm>
#include <utility>

namespace tpu::profile {

using isa::Counter;

std::string_view Name(ArrayTime time) {
  static constexpr std::array<std::string_view, kNumArrayTimes> kNames = {
      "useful",          "unfilled",   "wait_weights", "weight_shift", "wait_input",
      "wait_dependence", "wait_space", "wait_other",   "no_work"};
  return kNames.at(static_cast<std::size_t>(time));
}

std::string_view Name(Bound bound) {
  static constexpr std::array<std::string_view, 6> kNames = {"",        "array", "vector",
                                                             "weights", "bus",   "latency"};
  return kNames.at(static_cast<std::size_t>(bound));
}

std::array<std::uint64_t, kNumArrayTimes> Breakdown(const Use& use) {
  const auto count = [&use](Counter counter) { return runtime::Count(use.counters, counter); };
  return {use.useful_cycles,
          count(Counter::kArrayActive) - use.useful_cycles,
          count(Counter::kArrayWaitWeights),
          count(Counter::kArrayWeightShift),
          count(Counter::kArrayWaitInput),
          count(Counter::kArrayWaitDependence),
          count(Counter::kArrayWaitSpace),
          count(Counter::kArrayWaitOther),
          count(Counter::kArrayNoWork)};
}

Bound BoundOf(const runtime::Counters& counters) {
  const auto count = [&counters](Counter counter) { return runtime::Count(counters, counter); };
  const std::uint64_t cycles = count(Counter::kCycles);
  if (cycles == 0) return Bound::kNone;
  if (10 * count(Counter::kArrayActive) >= 9 * cycles) return Bound::kArray;
  const std::uint64_t reads =
      count(Counter::kFetchBeats) + count(Counter::kLoadBeats) + count(Counter::kWeightsBeats);
  const std::array<std::pair<Bound, std::uint64_t>, 4> busy = {
      {{Bound::kArray, count(Counter::kArrayActive)},
       {Bound::kVector, count(Counter::kVectorActive) + count(Counter::kVectorStallPort) +
                            count(Counter::kVectorStallOperand) +
                            count(Counter::kVectorStallOutput)},
       {Bound::kWeights, count(Counter::kArrayWaitWeights) + count(Counter::kArrayWeightShift)},
       {Bound::kBus, std::max(reads, count(Counter::kStoreBeats))}}};
  const auto [bound, most] =
      *std::ranges::max_element(busy, {}, [](const auto& b) { return b.second; });
  return 2 * most >= cycles ? bound : Bound::kLatency;
}

}  // namespace tpu::profile
