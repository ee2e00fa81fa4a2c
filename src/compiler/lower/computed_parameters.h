// SPDX-License-Identifier: Apache-2.0
// Parameter entries of which the program itself computes a part. They lie in memory as constants
// do; copies put the computed numbers into them before they are loaded.
#pragma once

#include <cstdint>

#include "compiler/program/emitter.h"
#include "compiler/program/placement.h"

namespace tpu::compiler {

/// Copies the float32 of one element to all multipliers of the entry at `entry`.
void SetMultipliers(const Placement& value, std::uint64_t entry, Emitter& emitter);

/// The same of the biases.
void SetEqualBiases(const Placement& value, std::uint64_t entry, Emitter& emitter);

/// Copies float32 numbers, one for each channel, to the biases of the entries from `entries` on.
void SetBiases(const Placement& biases, std::uint64_t entries, Emitter& emitter);

}  // namespace tpu::compiler
