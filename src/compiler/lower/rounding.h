// SPDX-License-Identifier: Apache-2.0
// Numbers of a tile in another floating-point format.
#pragma once

#include <cstdint>

#include "compiler/program/emitter.h"
#include "compiler/program/placement.h"
#include "isa/element_format.h"

namespace tpu::compiler {

struct FormattedTile {
  const Tile& tile;
  isa::ElementFormat format;
};

/// Appends what writes the pixels of `to`, in so many channel blocks, from the same pixels of
/// `from`. FVECTOR reads parameter entry `entry`, and makes nothing of it.
void EmitRounding(const FormattedTile& from, const FormattedTile& to, std::int64_t blocks,
                  std::int64_t entry, Emitter& emitter);

}  // namespace tpu::compiler
