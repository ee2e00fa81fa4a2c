// SPDX-License-Identifier: Apache-2.0
// Graphs of many operations, in which there is much to simplify.
#pragma once

#include <cstdint>

#include "tests/tensor/random_case.h"

namespace tpu::tensor {

Case RandomGraph(std::uint32_t seed);

}  // namespace tpu::tensor
