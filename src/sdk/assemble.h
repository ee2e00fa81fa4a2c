// SPDX-License-Identifier: Apache-2.0
// Programs that somebody wrote, as executables.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "executable/executable.h"

namespace tpu::sdk {

/// Does what Program::Assemble promises.
executable::Executable Assemble(std::string_view text, const std::string& name,
                                const isa::HardwareConfig& config, std::uint64_t memory_bytes);

}  // namespace tpu::sdk
