// SPDX-License-Identifier: Apache-2.0
#include "training/batches.h"

#include <cstddef>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "training/random.h"

namespace tpu::training {

std::vector<std::int64_t> Permutation(std::int64_t count, std::uint64_t seed, std::uint64_t epoch) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  SplitMix64 random = StreamOf(seed, Stream::kOrder, epoch);
  for (std::size_t left = order.size(); left > 1; --left) {
    std::swap(order[left - 1], order[random.Below(left)]);
  }
  return order;
}

Batches::Batches(std::int64_t examples, std::int64_t per_step, std::uint64_t seed)
    : examples_(examples),
      per_step_(per_step),
      seed_(seed),
      steps_per_epoch_(static_cast<std::uint64_t>(examples / per_step)) {
  if (examples < per_step) {
    throw Error::Format("{} examples do not fill a step of {}", examples, per_step);
  }
}

std::span<const std::int64_t> Batches::OfStep(std::uint64_t step) {
  const std::uint64_t epoch = step / steps_per_epoch_;
  if (order_.empty() || epoch != epoch_) order_ = Permutation(examples_, seed_, epoch);
  epoch_ = epoch;
  const auto size = static_cast<std::size_t>(per_step_);
  return std::span(order_).subspan(step % steps_per_epoch_ * size, size);
}

}  // namespace tpu::training
