// SPDX-License-Identifier: Apache-2.0
// Weight tiles that instructions bring to the weight FIFO and take from it (docs/isa.md, 6).
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "isa/instruction.h"

namespace tpu::isa {

/// Weight tiles of one format.
struct Tiles {
  std::uint64_t count = 0;
  NumberFormat format = NumberFormat::kInt8;
};

/// How many tiles an instruction brings or takes.
constexpr std::uint64_t TileCount(const Weights& weights) { return weights.tiles; }
constexpr std::uint64_t TileCount(const UbWeights& weights) {
  return std::uint64_t{weights.n_ob} * weights.n_cb;
}
constexpr std::uint64_t TileCount(const Matmul& matmul) {
  return std::uint64_t{matmul.n_ob} * matmul.n_cb * matmul.n_kh * matmul.n_kw;
}

/// The tiles that an instruction of the weights unit brings; of another unit's, nothing.
inline std::optional<Tiles> TilesBrought(const Instruction& instruction) {
  if (const auto* weights = std::get_if<Weights>(&instruction)) {
    return Tiles{TileCount(*weights), weights->format};
  }
  if (const auto* weights = std::get_if<UbWeights>(&instruction)) {
    return Tiles{TileCount(*weights), weights->format};
  }
  return std::nullopt;
}

/// The tiles that a MATMUL takes; of another instruction, nothing.
inline std::optional<Tiles> TilesTaken(const Instruction& instruction) {
  const auto* matmul = std::get_if<Matmul>(&instruction);
  if (matmul == nullptr) return std::nullopt;
  return Tiles{TileCount(*matmul), matmul->format};
}

}  // namespace tpu::isa
