// SPDX-License-Identifier: Apache-2.0
// Handwritten digits as text.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "workloads/digits.h"

namespace tpu::tools {

/// The images side by side, two characters per pixel, with what was predicted and what is right
/// below.
std::string DrawDigits(std::span<const workloads::Digit> digits, std::span<const int> predicted);

}  // namespace tpu::tools
