// SPDX-License-Identifier: Apache-2.0
#include "tests/system/shrink.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "isa/fields.h"
#include "isa/tiles.h"
#include "tests/system/random_instruction.h"
#include "tests/system/weaver.h"

namespace tpu::system_test {
namespace {

using Body = std::vector<isa::Instruction>;
using Keep = std::vector<bool>;

/// A wait and the post that it takes.
struct Edge {
  std::size_t semaphore;
  std::size_t post;
  std::size_t wait;
};

std::vector<Edge> EdgesOf(const Body& body) {
  std::vector<Edge> edges;
  std::array<std::vector<std::size_t>, isa::kNumSemaphores> posts;
  std::array<std::size_t, isa::kNumSemaphores> taken{};
  for (std::size_t i = 0; i < body.size(); ++i) {
    const isa::Semaphores& semaphores = isa::SemaphoresOf(body[i]);
    for (std::size_t s = 0; s < isa::kNumSemaphores; ++s) {
      if ((semaphores.wait >> s & 1) != 0) edges.push_back({s, posts[s].at(taken[s]++), i});
      if ((semaphores.post >> s & 1) != 0) posts[s].push_back(i);
    }
  }
  return edges;
}

/// A weight tile: who brings it and who takes it.
struct Tile {
  std::size_t weights;
  std::size_t matmul;
  std::uint64_t place;  ///< Among the tiles of the MATMUL.
};

std::vector<Tile> TilesOf(const Body& body) {
  std::vector<Tile> tiles;
  std::size_t taken = 0;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (const auto brought = isa::TilesBrought(body[i])) {
      tiles.insert(tiles.end(), brought->count, Tile{i, 0, 0});
    } else if (const auto* m = std::get_if<isa::Matmul>(&body[i])) {
      for (std::uint64_t t = 0; t < isa::TileCount(*m); ++t) {
        tiles[taken].matmul = i;
        tiles[taken++].place = t;
      }
    }
  }
  return tiles;
}

/// Makes an instruction that brings tiles bring so many of a format, its first ones.
void SetTiles(isa::Instruction& instruction, const isa::Tiles& tiles) {
  if (auto* weights = std::get_if<isa::Weights>(&instruction)) {
    weights->format = tiles.format;
    weights->tiles = static_cast<std::uint32_t>(tiles.count);
    return;
  }
  auto& weights = std::get<isa::UbWeights>(instruction);
  weights.format = tiles.format;
  if (tiles.count == isa::TileCount(weights)) return;
  weights.n_ob = 1;
  weights.n_cb = static_cast<std::uint32_t>(tiles.count);
}

class Shrinker {
 public:
  Shrinker(RandomProgram program, const Fails& fails) : best_(std::move(program)), fails_(fails) {}

  RandomProgram Run() {
    std::size_t before = 0;
    do {
      before = Size();
      RemoveInstructions();
      BringFromMemory();
      SimplifyFields();
      RemoveEdges();
    } while (Size() < before);
    return std::move(best_);
  }

 private:
  /// Instructions, fields that are not at their default, semaphores.
  [[nodiscard]] std::size_t Size() const {
    std::size_t size = best_.body.size();
    for (const isa::Instruction& instruction : best_.body) {
      const isa::Semaphores& s = isa::SemaphoresOf(instruction);
      size += static_cast<std::size_t>(std::popcount(s.wait) + std::popcount(s.post));
      std::visit(
          [&size](const auto& i) {
            isa::ForEachField(i, [&size](const isa::Field& field, auto member) {
              size += isa::ToBits(member) == Default(field) ? 0 : 1;
            });
          },
          instruction);
    }
    return size;
  }

  static std::uint64_t Default(const isa::Field& field) {
    return field.min > 0 ? static_cast<std::uint64_t>(field.min) : 0;
  }

  bool Try(Body body) {
    RandomProgram candidate{best_.config, best_.memory_seed, std::move(body)};
    if (!WhyIllegal(candidate).empty()) return false;
    if (!fails_(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  /// `changed` is the body with other fields; what is not kept is left out of it. Tiles and
  /// semaphores follow.
  bool TryKeeping(const Keep& keep, const Body& changed) {
    const Body reduced = WithTilesThatAreTaken(keep, changed);
    Keep kept = keep;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const auto tiles = isa::TilesBrought(reduced[i]);
      if (tiles && tiles->count == 0 && isa::TilesBrought(best_.body[i])->count != 0) {
        kept[i] = false;
      }
    }
    const Body with_semaphores = WithoutEdgesOfRemoved(kept, reduced);
    return Try(with_semaphores) || Try(Rewoven(with_semaphores));
  }

  /// WEIGHTS bring no tiles but those that MATMULs take, in their format.
  [[nodiscard]] Body WithTilesThatAreTaken(const Keep& keep, Body body) const {
    std::map<std::size_t, isa::Tiles> taken;  // By the instruction that brings them.
    for (const Tile& tile : TilesOf(best_.body)) {
      isa::Tiles& tiles =
          taken.try_emplace(tile.weights, *isa::TilesBrought(body[tile.weights])).first->second;
      const auto& matmul = std::get<isa::Matmul>(body[tile.matmul]);
      if (keep[tile.matmul] && tile.place < isa::TileCount(matmul)) {
        tiles.format = matmul.format;
      } else {
        --tiles.count;
      }
    }
    for (const auto& [index, tiles] : taken) SetTiles(body[index], tiles);
    return body;
  }

  [[nodiscard]] Body WithoutEdgesOfRemoved(const Keep& keep, Body body) const {
    for (const Edge& edge : EdgesOf(best_.body)) {
      if (keep[edge.post] && keep[edge.wait]) continue;
      isa::SemaphoresOf(body[edge.post]).post &= ~(1U << edge.semaphore);
      isa::SemaphoresOf(body[edge.wait]).wait &= ~(1U << edge.semaphore);
    }
    Body kept;
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (keep[i]) kept.push_back(body[i]);
    }
    return kept;
  }

  [[nodiscard]] Body Rewoven(const Body& body) const {
    Weaver weaver(best_.config, ~std::uint64_t{0} >> 1, ~std::uint64_t{0} >> 1, 1,
                  /*with_loose=*/false);
    for (const isa::Instruction& instruction : body) {
      if (weaver.Accepts(instruction)) weaver.Append(instruction);
    }
    return weaver.program();
  }

  /// Leaves out runs of instructions: first halves, then ever shorter ones.
  void RemoveInstructions() {
    for (std::size_t length = best_.body.size() / 2; length >= 1; length /= 2) {
      for (std::size_t first = 0; first < best_.body.size();) {
        Keep keep(best_.body.size(), true);
        bool any = false;
        for (std::size_t i = first; i < std::min(first + length, keep.size()); ++i) {
          // WEIGHTS go with the MATMULs that take their tiles.
          const auto tiles = isa::TilesBrought(best_.body[i]);
          if (tiles && tiles->count != 0) continue;
          keep[i] = false;
          any = true;
        }
        if (!any || !TryKeeping(keep, best_.body)) first += length;
      }
    }
  }

  /// Tiles from anywhere in memory, instead of those from the unified buffer.
  void BringFromMemory() {
    for (std::size_t i = 0; i < best_.body.size(); ++i) {
      const auto* from_buffer = std::get_if<isa::UbWeights>(&best_.body[i]);
      if (from_buffer == nullptr) continue;
      isa::Weights weights;
      weights.semaphores = from_buffer->semaphores;
      weights.transpose = from_buffer->transpose;
      isa::Instruction from_memory = weights;
      SetTiles(from_memory, *isa::TilesBrought(best_.body[i]));
      Body body = best_.body;
      body[i] = from_memory;
      Try(std::move(body));
    }
  }

  void SimplifyFields() {
    for (std::size_t i = 0; i < best_.body.size(); ++i) {
      int fields = 0;
      std::visit(
          [&fields](auto& x) { isa::ForEachField(x, [&](const isa::Field&, auto&) { ++fields; }); },
          best_.body[i]);
      for (int field = 0; field < fields; ++field) SimplifyField(i, field);
    }
  }

  void SimplifyField(std::size_t i, int number) {
    // A MATMUL that takes fewer tiles may have made WEIGHTS go.
    if (i >= best_.body.size()) return;
    // The bytes of parameter entries must stay legal ones.
    const auto* load = std::get_if<isa::Load>(&best_.body[i]);
    if (load != nullptr && load->destination == isa::LoadDestination::kParameters) return;
    if (TrySetting(i, number,
                   [](const isa::Field& field, std::uint64_t) { return Default(field); }))
      return;
    while (TrySetting(i, number, [](const isa::Field& field, std::uint64_t value) {
      const auto s = static_cast<std::int64_t>(value);
      if (field.width == 64) return value & ~std::uint64_t{63};
      return field.IsSigned() ? static_cast<std::uint64_t>(s / 2) : value / 2;
    })) {
    }
  }

  /// Sets a field to simpler(field, value), if that changes it.
  template <typename Simpler>
  bool TrySetting(std::size_t i, int number, Simpler simpler) {
    if (i >= best_.body.size()) return false;
    Body body = best_.body;
    bool changed = false;
    const auto set = [&](const isa::Field& field, auto& member) {
      if (number-- != 0 || field.name == "destination") return;
      // What tiles are brought follows from what is taken.
      if (isa::TilesBrought(body[i]) &&
          (field.name == "tiles" || field.name == "format" || field.name.starts_with("n_"))) {
        return;
      }
      const std::uint64_t old = isa::ToBits(member);
      const std::uint64_t value = simpler(field, old);
      // Addresses of memory stay where they are, but for alignment.
      if (value == old || !field.IsLegal(value) || (field.width == 64 && value == 0)) return;
      member = isa::FromBits<std::remove_reference_t<decltype(member)>>(value);
      changed = true;
    };
    std::visit([&set](auto& x) { isa::ForEachField(x, set); }, body[i]);
    if (!changed) return false;
    const auto* before = std::get_if<isa::Matmul>(&best_.body[i]);
    if (before != nullptr &&
        isa::TileCount(std::get<isa::Matmul>(body[i])) > isa::TileCount(*before))
      return false;
    return TryKeeping(Keep(body.size(), true), body);
  }

  void RemoveEdges() {
    for (const Edge& edge : EdgesOf(best_.body)) {
      Body body = best_.body;
      isa::SemaphoresOf(body[edge.post]).post &= ~(1U << edge.semaphore);
      isa::SemaphoresOf(body[edge.wait]).wait &= ~(1U << edge.semaphore);
      Try(std::move(body));
    }
    for (std::size_t i = 0; i < best_.body.size(); ++i) {
      for (std::size_t s = 0; s < isa::kNumSemaphores; ++s) {
        if ((isa::SemaphoresOf(best_.body[i]).post >> s & 1) == 0) continue;
        Body body = best_.body;
        isa::SemaphoresOf(body[i]).post &= ~(1U << s);
        Try(std::move(body));
      }
    }
  }

  RandomProgram best_;
  const Fails& fails_;
};

}  // namespace

RandomProgram Shrink(RandomProgram program, const Fails& fails) {
  return Shrinker(std::move(program), fails).Run();
}

}  // namespace tpu::system_test
