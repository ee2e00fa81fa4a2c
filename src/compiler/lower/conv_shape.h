// SPDX-License-Identifier: Apache-2.0
// The numbers by which a convolution's tiling is chosen.
#pragma once

#include <cstdint>

#include "compiler/lower/lower_conv.h"
#include "compiler/tile/conv_tiling.h"

namespace tpu::compiler {

/// UB rows from one pixel of an input tile to the next one. Where windows start a multiple of the
/// buffer's banks apart, the array would read the same banks again and again, and keep LOAD, STORE
/// and the vector unit from them: a row stays free between pixels.
std::int64_t InputPixelRows(const ConvJob& job);

ConvShape ShapeOf(const ConvJob& job, bool thin, std::int64_t lanes);

}  // namespace tpu::compiler
