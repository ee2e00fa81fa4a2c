// SPDX-License-Identifier: Apache-2.0
// The AXI4-Lite register map and the hardware counters, from tpu_regs.def.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tpu::isa {

enum class Register : std::uint32_t {
#define TPU_REG(enumerator, offset, access, doc) enumerator = offset,
#include "isa/tpu_regs.def"
};

#define TPU_REG_CONSTANT(enumerator, value, doc) inline constexpr std::uint32_t enumerator = value;
#include "isa/tpu_regs.def"

enum class Counter : std::uint32_t {
#define TPU_COUNTER(enumerator, index, name, doc) enumerator = index,
#include "isa/tpu_regs.def"
};

/// Name of each counter by index.
inline constexpr std::array kCounterNames = {
#define TPU_COUNTER(enumerator, index, name, doc) std::string_view{name},
#include "isa/tpu_regs.def"
};
inline constexpr std::size_t kNumCounters = kCounterNames.size();

// Masks and positions of register fields, e.g. bits::kStatus_::busy, bits::kError_::unit_lsb.
namespace bits {
#define TPU_REG_BITS(reg, name, lsb, width, doc)                                                   \
  namespace reg##_ {                                                                               \
    inline constexpr std::uint32_t name = ((width) == 32 ? ~0U : ((1U << (width)) - 1U)) << (lsb); \
    inline constexpr unsigned name##_lsb = lsb;                                                    \
  }
#include "isa/tpu_regs.def"
}  // namespace bits

}  // namespace tpu::isa
