// SPDX-License-Identifier: Apache-2.0
// Numbers as fields of instructions hold them, and the largest that they hold. What does not fit a
// field is a mistake of the compiler, which Link finds.
#pragma once

#include <algorithm>
#include <cstdint>

#include "isa/fields.h"

namespace tpu::compiler {

inline std::uint32_t U32(std::int64_t value) { return static_cast<std::uint32_t>(value); }
inline std::int32_t S32(std::int64_t value) { return static_cast<std::int32_t>(value); }

/// Banks of the unified buffer. Row r lies in bank r modulo this.
inline constexpr std::int64_t kBufferBanks = 4;
/// UB rows from one channel block to the next.
inline constexpr std::int64_t kMostPlane =
    std::min(isa::FieldMax<isa::Vector>("a_cb"), isa::FieldMax<isa::Vector>("o_cb"));
/// Numbers of an image row in the unified buffer.
inline constexpr std::int64_t kMostRowNumbers = isa::FieldMax<isa::Matmul>("x_bound");
/// Number within an image row at which a window of the array may start.
inline constexpr std::int64_t kMostRowOffset = isa::FieldMax<isa::Matmul>("x0");

}  // namespace tpu::compiler
