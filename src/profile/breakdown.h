// SPDX-License-Identifier: Apache-2.0
// How the time of a part of a run was used, and which resource bounds that time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "isa/hardware_config.h"
#include "profile/layer_use.h"

namespace tpu::profile {

/// The uses of a cycle of the array. The first two together are Counter::kArrayActive; each of the
/// others is the counter of its name.
enum class ArrayTime : std::uint8_t {
  kUseful,    ///< Rows enter, as many as a full array needs for the same MACs.
  kUnfilled,  ///< Rows enter: what unused rows and columns of the array cost.
  kWaitWeights,
  kWeightShift,
  kWaitInput,
  kWaitDependence,
  kWaitSpace,
  kWaitOther,
  kNoWork
};
inline constexpr std::size_t kNumArrayTimes = static_cast<std::size_t>(ArrayTime::kNoWork) + 1;

/// "wait_weights".
std::string_view Name(ArrayTime time);

/// Cycles by ArrayTime; they sum to the cycles of `use`.
std::array<std::uint64_t, kNumArrayTimes> Breakdown(const Use& use);

/// The resource that has to become faster for the run to become faster. That is the array when it
/// is active in nine tenths of the time, otherwise the resource that is busy longest.
enum class Bound : std::uint8_t {
  kNone,     ///< Nothing happened.
  kArray,    ///< Rows enter the array.
  kVector,   ///< The vector unit has work: kVectorActive and its stalls.
  kWeights,  ///< The array waits for weights: kArrayWaitWeights, kArrayWeightShift.
  kBus,      ///< Beats of the busier direction.
  kLatency   ///< None of these in at least half of the time: units wait for memory or for each
             ///< other.
};

/// "array".
std::string_view Name(Bound bound);

/// If several resources are equally busy, the first of them counts.
Bound BoundOf(const runtime::Counters& counters);

}  // namespace tpu::profile
