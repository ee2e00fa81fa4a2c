// SPDX-License-Identifier: Apache-2.0
// Tiles that reach over the image's edges.
#pragma once

#include <cstdint>

#include "compiler/program/emitter.h"
#include "compiler/program/placement.h"

namespace tpu::compiler {

/// Loads the part of the image that a wide tile of bfloat16 has, and zeros where the tile reaches
/// over the image. At `zeros` in memory are N numbers that are zero.
void LoadPadded(const Placement& placement, std::int64_t image, const ir::Range& blocks,
                const Tile& tile, std::uint64_t zeros, Emitter& emitter);

}  // namespace tpu::compiler
