// SPDX-License-Identifier: Apache-2.0
// A failing random program made as small as possible.
#pragma once

#include <functional>

#include "tests/system/random_program.h"

namespace tpu::system_test {

/// Whether a legal program fails; called some hundred times.
using Fails = std::function<bool(const RandomProgram&)>;

/// Removes instructions (delta debugging), then brings fields closer to their defaults, then takes
/// away waits and posts, as long as the program stays legal and fails. What WEIGHTS bring follows
/// what the remaining MATMULs take. Instructions keep their order and, where that is legal, their
/// semaphores; otherwise they get as few as possible. `program` must fail.
RandomProgram Shrink(RandomProgram program, const Fails& fails);

}  // namespace tpu::system_test
