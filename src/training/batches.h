// SPDX-License-Identifier: Apache-2.0
// Which examples each step takes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tpu::training {

/// The numbers 0 to count - 1 in an order that `seed` and `epoch` tell: the shuffle of Fisher and
/// Yates, from the last place to the first, with SplitMix64.
std::vector<std::int64_t> Permutation(std::int64_t count, std::uint64_t seed, std::uint64_t epoch);

/// Each epoch is a permutation of the examples, cut into steps. What is left at its end and fills
/// no step is dropped. A step's examples depend on nothing but its number, so that a run can be
/// continued anywhere.
class Batches {
 public:
  /// Throws tpu::Error when the examples do not fill a step.
  Batches(std::int64_t examples, std::int64_t per_step, std::uint64_t seed);

  [[nodiscard]] std::uint64_t steps_per_epoch() const { return steps_per_epoch_; }

  /// The examples of a step, which counts from 0. Valid until the next call.
  std::span<const std::int64_t> OfStep(std::uint64_t step);

 private:
  std::int64_t examples_;
  std::int64_t per_step_;
  std::uint64_t seed_;
  std::uint64_t steps_per_epoch_;
  std::uint64_t epoch_ = 0;  // That of `order_`.
  std::vector<std::int64_t> order_;
};

}  // namespace tpu::training
