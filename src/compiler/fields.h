// Numbers as fields of instructions hold them. What does not fit a field is refused when the
// program is encoded.
#pragma once

#include <cstdint>

namespace tpu::compiler {

inline std::uint32_t U32(std::int64_t value) { return static_cast<std::uint32_t>(value); }
inline std::int32_t S32(std::int64_t value) { return static_cast<std::int32_t>(value); }

}  // namespace tpu::compiler
