// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/computed_weights.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "compiler/lower/lower_move.h"
#include "compiler/lower/weights.h"

namespace tpu::compiler {
namespace {

using Loop = ir::Move::Loop;

// Elements that loops copy, from the first one's place to the first one's place.
struct Copy {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::vector<Loop> loops;  // Outermost first.

  [[nodiscard]] bool HasLoopsOf(const Copy& other) const {
    return std::ranges::equal(loops, other.loops, [](const Loop& a, const Loop& b) {
      return a.count == b.count && a.from_stride == b.from_stride && a.to_stride == b.to_stride;
    });
  }
};

// Neighbours with equal loops and at equal distances become one copy with one loop more.
std::vector<Copy> Joined(const std::vector<Copy>& copies) {
  std::vector<Copy> joined;
  for (std::size_t i = 0; i < copies.size();) {
    std::size_t end = i + 1;
    Copy copy = copies[i];
    if (end < copies.size() && copies[end].HasLoopsOf(copies[i])) {
      const Loop step = {.count = 0,
                         .from_stride = copies[end].from - copies[i].from,
                         .to_stride = copies[end].to - copies[i].to};
      while (end < copies.size() && copies[end].HasLoopsOf(copies[i]) &&
             copies[end].from - copies[end - 1].from == step.from_stride &&
             copies[end].to - copies[end - 1].to == step.to_stride) {
        ++end;
      }
      copy.loops.insert(copy.loops.begin(), step);
      copy.loops.front().count = static_cast<std::int64_t>(end - i);
    }
    joined.push_back(std::move(copy));
    i = end;
  }
  return joined;
}

// The copies that put elements to their places, in the order of the places.
std::vector<Copy> CopiesOf(const std::vector<WeightIndex>& places) {
  std::vector<Copy> copies;
  for (std::size_t to = 0; to < places.size(); ++to) {
    if (places[to] == 0) continue;
    copies.push_back({.from = places[to] - 1, .to = static_cast<std::int64_t>(to), .loops = {}});
  }
  while (true) {
    std::vector<Copy> joined = Joined(copies);
    if (joined.size() == copies.size()) return copies;
    copies = std::move(joined);
  }
}

// Of each tile, rows for columns.
std::vector<WeightIndex> Transposed(const std::vector<WeightIndex>& places, std::size_t lanes) {
  std::vector<WeightIndex> transposed(places.size());
  for (std::size_t tile = 0; tile < places.size(); tile += lanes * lanes) {
    for (std::size_t k = 0; k < lanes; ++k) {
      for (std::size_t n = 0; n < lanes; ++n) {
        transposed[tile + n * lanes + k] = places[tile + k * lanes + n];
      }
    }
  }
  return transposed;
}

// How many neighbours stay neighbours.
std::size_t Neighbours(const std::vector<WeightIndex>& places) {
  std::size_t neighbours = 0;
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i] != 0 && places[i] == places[i - 1] + 1) ++neighbours;
  }
  return neighbours;
}

}  // namespace

WeightTiles CopyWeights(const Placement& weights, const std::vector<std::uint8_t>& places,
                        std::int64_t lanes, Emitter& emitter) {
  std::vector<WeightIndex> order(places.size() / sizeof(WeightIndex));
  std::memcpy(order.data(), places.data(), places.size());
  std::vector<WeightIndex> transposed = Transposed(order, static_cast<std::size_t>(lanes));
  const bool transpose = Neighbours(transposed) > Neighbours(order);
  if (transpose) order = std::move(transposed);

  const std::int64_t bytes = weights.format.Bytes();
  // What nothing is copied to stays zero.
  const std::uint64_t address = emitter.AddConstant(
      std::vector<std::uint8_t>(order.size() * static_cast<std::size_t>(bytes), std::uint8_t{0}));
  for (const Copy& copy : CopiesOf(order)) {
    std::vector<Loop> loops;
    for (const Loop& loop : copy.loops) {
      loops.push_back({.count = loop.count,
                       .from_stride = loop.from_stride * bytes,
                       .to_stride = loop.to_stride * bytes});
    }
    loops.push_back({.count = bytes, .from_stride = 1, .to_stride = 1});
    LowerCopy(weights.address + static_cast<std::uint64_t>(copy.from * bytes),
              address + static_cast<std::uint64_t>(copy.to * bytes), loops, emitter);
  }
  return {.address = address, .transposed = transpose, .computed = true};
}

}  // namespace tpu::compiler
