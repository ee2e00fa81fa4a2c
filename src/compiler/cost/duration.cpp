// SPDX-License-Identifier: Apache-2.0
#include "compiler/cost/duration.h"

#include <algorithm>
#include <variant>

#include "compiler/cost/instruction_cycles.h"
#include "isa/element_format.h"
#include "isa/tiles.h"
#include "timing/line_issue.h"
#include "timing/load_unit.h"
#include "timing/matmul_unit.h"
#include "timing/vector_unit.h"
#include "timing/vector_walk.h"
#include "timing/weights_unit.h"

namespace tpu::compiler {
namespace {

using timing::Cycle;

struct Estimator {
  const isa::HardwareConfig& config;
  Cycle memory_latency;

  // Beats on the bus, or rows on the chip, whichever are more. A chunk takes as many rows as a
  // number has bytes.
  template <typename Transfer>
  [[nodiscard]] Duration OfTransfer(const Transfer& transfer, std::uint32_t most) const {
    const auto rows_of_chunk = static_cast<std::uint32_t>(isa::BytesOf(transfer.format));
    const std::uint32_t chunk = std::min(most, rows_of_chunk * config.n);
    const std::uint32_t beat = config.axi_data_width / 8;
    const std::uint64_t bytes = std::uint64_t{transfer.rows} * transfer.row_bytes;
    const std::uint64_t beats =
        std::uint64_t{transfer.rows} * ((transfer.row_bytes + beat - 1) / beat);
    return {.busy = timing::ProductCycles(transfer.rows) +
                    std::max(beats, (bytes + chunk - 1) / chunk * rows_of_chunk),
            .latency = memory_latency};
  }

  // Numbers of several rows, or of two outputs' rows that are written together.
  template <typename V>
  [[nodiscard]] Duration OfRows(const V& vector, bool two_rows) const {
    return {.busy = timing::CyclesOf(vector),
            .latency = timing::PaceOf(vector).TapToDone(two_rows)};
  }

  Duration operator()(const isa::Load& load) const {
    const bool pixels = load.destination == isa::LoadDestination::kUnifiedBuffer;
    return OfTransfer(load, pixels ? load.pixel_bytes : config.n);
  }
  Duration operator()(const isa::Store& store) const {
    return OfTransfer(store, store.pixel_bytes);
  }
  Duration operator()(const isa::Weights&) const { return {}; }
  Duration operator()(const isa::UbWeights& weights) const {
    return {.busy = isa::TileCount(weights) * config.n,
            .latency = timing::WeightsUnit::kStartToTile};
  }
  // The array takes a cycle for each row that a tile meets, or N cycles to shift the tile in. The
  // bus brings the tiles and, since it brings the program, too, both instructions of the product.
  Duration operator()(const isa::Matmul& matmul) const {
    const std::uint64_t tiles = isa::TileCount(matmul);
    const std::uint64_t rows = std::uint64_t{matmul.n_oh} * matmul.n_ow;
    const Cycle array = tiles * std::max<Cycle>(rows, config.n);
    const auto tile_bytes = static_cast<std::uint64_t>(isa::TileBytes(matmul.format, config));
    const Cycle bus =
        (tiles * tile_bytes + ProductGranules() * isa::kGranuleBytes) / (config.axi_data_width / 8);
    return {.busy = std::max(array, bus), .latency = timing::MatmulUnit::LastRowToDone(config)};
  }
  Duration operator()(const isa::Vector& vector) const {
    return {.busy = timing::CyclesOf(vector, config),
            .latency = timing::VectorUnit::TapToDone(config)};
  }
  Duration operator()(const isa::Fvector& fvector) const {
    return OfRows(fvector, fvector.interleave != isa::FloatInterleave::kNone);
  }
  Duration operator()(const isa::Ivector& ivector) const { return OfRows(ivector, false); }
  Duration operator()(const isa::Adam& adam) const { return OfRows(adam, false); }
};

}  // namespace

Duration DurationOf(const isa::Instruction& instruction, const isa::HardwareConfig& config,
                    timing::Cycle memory_latency) {
  return std::visit(Estimator{config, memory_latency}, instruction);
}

}  // namespace tpu::compiler
