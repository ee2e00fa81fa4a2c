// SPDX-License-Identifier: Apache-2.0
#include "compiler/tile/weight_gradient_tiling.h"

#include <algorithm>

#include "isa/element_format.h"

namespace tpu::compiler {
namespace {

// Cycles from one tile that comes from the buffer to the next: a row of a tile in each, and two in
// which the transposer rests.
std::int64_t TileCycles(std::int64_t lanes) { return lanes + 2; }

std::int64_t Channels(const ir::Range& blocks, std::int64_t all, std::int64_t lanes) {
  return std::min(all, blocks.end * lanes) - blocks.begin * lanes;
}

std::vector<std::int64_t> PartSizes(std::int64_t channels, std::int64_t lanes, bool depthwise) {
  return depthwise ? std::vector<std::int64_t>{1} : ir::PartSizes(ir::CeilDiv(channels, lanes));
}

// Array cycles of the whole, or the bus's if these are more.
double CyclesOf(const WeightGradientShape& shape, const WeightGradientTiling& tiling,
                const isa::HardwareConfig& config) {
  const std::int64_t n = config.n;
  const double bus_bytes = static_cast<double>(config.axi_data_width) / 8;
  double pixels = 0;
  double blocks = 0;
  for (const ir::Range& rows : tiling.rows) {
    blocks += static_cast<double>(PixelBlocks(shape, tiling.flat, rows.Size(), n));
    pixels += static_cast<double>(rows.Size() * shape.g.w);
  }
  blocks *= static_cast<double>(shape.x.n);
  pixels *= static_cast<double>(shape.x.n);
  double array = 0;
  double bus = 0;
  const bool turns_once = shape.x.n * static_cast<std::int64_t>(tiling.rows.size()) == 1;
  for (const ir::Range& outputs : tiling.outputs) {
    const std::int64_t o = Channels(outputs, shape.g.c, n);
    bool turns = true;
    for (const ir::Range& inputs : tiling.InputsOf(outputs)) {
      const std::int64_t i = Channels(inputs, shape.x.c, n);
      for (const ir::Range& taps : tiling.taps) {
        const auto tile = static_cast<double>(std::max(o, TileCycles(n)));
        array += blocks * (static_cast<double>(taps.Size() * inputs.Size()) * tile +
                           (turns ? static_cast<double>(outputs.Size() * TileCycles(n)) : 0));
        turns = !turns_once;
        bus +=
            pixels *
            static_cast<double>((o + i * shape.down.stride * shape.across.stride) * kBfloat16Rows) /
            bus_bytes;
      }
    }
  }
  return std::max(array, bus) + std::min(array, bus) / 16;
}

}  // namespace

std::int64_t ReachedColumns(const WeightGradientShape& shape) {
  return shape.across.Reach({.begin = 0, .end = shape.g.w}, shape.across.AllTaps()).Size();
}

std::int64_t GradientColumns(const WeightGradientShape& shape, bool flat) {
  return flat ? ReachedColumns(shape) : shape.g.w;
}

std::int64_t PixelBlocks(const WeightGradientShape& shape, bool flat, std::int64_t rows,
                         std::int64_t lanes) {
  if (!flat) return rows * ir::CeilDiv(shape.g.w, lanes);
  return ir::CeilDiv((rows - 1) * ReachedColumns(shape) + shape.g.w, lanes);
}

WeightGradientRows RowsOf(const WeightGradientShape& shape, const WeightGradientTiling& tiling,
                          std::int64_t lanes) {
  const std::int64_t rows = ir::LargestSize(tiling.rows);
  const std::int64_t outputs = ir::LargestSize(tiling.outputs);
  const std::int64_t inputs = ir::LargestSize(tiling.inputs);
  const bool chunks = shape.x.n * static_cast<std::int64_t>(tiling.rows.size()) > 1;
  const std::size_t parts =
      tiling.outputs.size() * tiling.taps.size() * (tiling.depthwise ? 1 : tiling.inputs.size());
  const std::int64_t x_rows =
      shape.down.Reach({.begin = 0, .end = rows}, shape.down.AllTaps()).Size();
  return {.x = x_rows * ReachedColumns(shape) * inputs * kBfloat16Rows,
          .g = rows * GradientColumns(shape, tiling.flat) * outputs * kBfloat16Rows,
          .turned = PixelBlocks(shape, tiling.flat, rows, lanes) * outputs * lanes * kBfloat16Rows,
          .result = std::min(inputs, kDrainedBlocks) * outputs * lanes *
                    (kFloat32Rows * (shape.minuend ? 2 : 1) + (shape.rounded ? kBfloat16Rows : 0)),
          .identity = lanes * kBfloat16Rows,
          .loads = chunks || parts > 1,
          .chunks = chunks,
          .g_turns = tiling.g_turns};
}

std::int64_t TurningAccumulators(const isa::HardwareConfig& config) {
  constexpr std::int64_t kShare = 16;
  return std::max<std::int64_t>(config.n, config.acc_rows / kShare / config.n * config.n);
}

WeightGradientTiling ChooseWeightGradientTiling(const WeightGradientShape& shape,
                                                const isa::HardwareConfig& config,
                                                std::int64_t buffer_rows) {
  const std::int64_t n = config.n;
  const std::int64_t accumulators = config.acc_rows - 2 * TurningAccumulators(config);
  const std::int64_t taps = shape.down.size * shape.across.size;
  const bool may_be_flat = shape.down.stride == 1 && shape.across.stride == 1;
  WeightGradientTiling best;
  for (const bool flat : {false, true}) {
    if (flat && !may_be_flat) continue;
    for (const std::int64_t o : PartSizes(shape.g.c, n, shape.depthwise)) {
      for (const std::int64_t i : PartSizes(shape.x.c, n, shape.depthwise)) {
        const std::int64_t outputs = std::min(o * n, shape.g.c);
        const std::int64_t blocks = ir::CeilDiv(shape.g.c, n) * ir::CeilDiv(shape.x.c, n);
        const bool halves = taps == 1 && o * i < blocks;
        const std::int64_t for_sums =
            (halves ? accumulators / 2 : accumulators) - (shape.bias ? outputs : 0);
        const std::int64_t most_taps = for_sums / (i * outputs);
        if (most_taps <= 0) continue;
        WeightGradientTiling tiling = {.outputs = ir::Split(ir::CeilDiv(shape.g.c, n), o),
                                       .inputs = ir::Split(ir::CeilDiv(shape.x.c, n), i),
                                       .taps = ir::Split(taps, most_taps),
                                       .flat = flat,
                                       .depthwise = shape.depthwise,
                                       .halves = halves};
        for (const std::int64_t rows : ir::PartSizes(shape.g.h)) {
          tiling.rows = ir::Split(shape.g.h, rows);
          if (RowsOf(shape, tiling, n).Sum() > buffer_rows) continue;
          tiling.cycles = CyclesOf(shape, tiling, config);
          if (best.rows.empty() || tiling.cycles < best.cycles) best = tiling;
          break;
        }
      }
    }
  }
  if (!best.rows.empty()) {
    const WeightGradientRows rows = RowsOf(shape, best, n);
    best.g_turns = rows.chunks && rows.Sum() + rows.g <= buffer_rows;
  }
  return best;
}

}  // namespace tpu::compiler
