// SPDX-License-Identifier: Apache-2.0
// The constants of tpu_link.def.
#pragma once

#include <cstdint>

namespace tpu::link {

enum class Command : std::uint8_t {
#define TPU_LINK_COMMAND(enumerator, value, doc) enumerator = value,
#include "link/tpu_link.def"
};

enum class Status : std::uint8_t {
#define TPU_LINK_STATUS(enumerator, value, doc) enumerator = value,
#include "link/tpu_link.def"
};

#define TPU_LINK_CONSTANT(enumerator, value, doc) \
  inline constexpr std::uint32_t enumerator = value;  // NOLINT(bugprone-macro-parentheses)
#include "link/tpu_link.def"

}  // namespace tpu::link
