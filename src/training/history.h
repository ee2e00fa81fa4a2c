// SPDX-License-Identifier: Apache-2.0
// What a run of training has done so far.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/session.h"
#include "runtime/values.h"

namespace tpu::training {

using runtime::Bytes;

/// What the examples for tests gave after a step.
struct Evaluation {
  std::uint64_t step = 0;  ///< How many steps were done.
  double value = 0;        ///< The share of right classes, or the mean squared error.
  bool operator==(const Evaluation&) const = default;
};

/// The lists have one element for each step.
struct History {
  std::vector<float> losses;
  std::vector<std::uint32_t> weights_crc32;
  std::vector<Evaluation> evaluations;
  runtime::RunReport cost;             ///< Of all steps.
  runtime::RunReport evaluation_cost;  ///< Of all evaluations.

  [[nodiscard]] std::uint64_t Steps() const { return losses.size(); }
};

/// Adds a run's cost to a sum.
void Add(runtime::RunReport& sum, const runtime::RunReport& run);

/// zlib's CRC-32 of bytes, or of several pieces: `before` is that of the pieces before.
std::uint32_t Crc32(std::span<const std::uint8_t> bytes, std::uint32_t before = 0);
/// Of tensors, one behind the other.
std::uint32_t Crc32(std::span<const Bytes> tensors);

}  // namespace tpu::training
