// SPDX-License-Identifier: Apache-2.0
// What the verifier has to say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tpu::assembly {

/// What a finding is about.
enum class Rule : std::uint8_t {
  kFields,  ///< A field's legal range, or what the machine lacks.
  kAccess,  ///< A place that does not exist, the program itself, or an instruction's own output.
  kSemaphores,   ///< A wait without an earlier post, or two units on one side of a semaphore.
  kWeightTiles,  ///< Tiles brought, tiles taken, their formats, and room for them.
  kOrder,        ///< Conflicting accesses that no semaphore orders.
};

/// Something a program may not do.
struct Finding {
  Rule rule = Rule::kFields;
  std::size_t index = 0;  ///< The instruction.
  std::size_t other = 0;  ///< The instruction it conflicts with, or `index` again.
  std::string message;    ///< One line; says what the instructions do, without their indices.
};

}  // namespace tpu::assembly
