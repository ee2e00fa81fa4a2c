// SPDX-License-Identifier: Apache-2.0
// What is fuzzed: everything that is done with a model file before a machine runs it.
#pragma once

#include <cstdint>
#include <span>

namespace tpu::fuzz {

/// Reads, imports and compiles. tpu::Error is a right answer; any other exception escapes.
void CompileModel(std::span<const std::uint8_t> file);

}  // namespace tpu::fuzz
