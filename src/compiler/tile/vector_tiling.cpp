// SPDX-License-Identifier: Apache-2.0
#include "compiler/tile/vector_tiling.h"

#include <algorithm>

#include "compiler/cost/instruction_cycles.h"
#include "compiler/program/fields.h"
#include "isa/window.h"

namespace tpu::compiler {
namespace {

class VectorSearch {
 public:
  VectorSearch(const VectorShape& shape, const isa::HardwareConfig& config,
               std::int64_t buffer_rows)
      : shape_(shape),
        config_(config),
        buffer_rows_(buffer_rows),
        blocks_(shape.output.Blocks(config.n)) {}

  VectorTiling Run() {
    const Images& output = shape_.output.images;
    for (const std::int64_t blocks : ir::PartSizes(blocks_)) {
      for (const std::int64_t columns : ir::PartSizes(output.w)) {
        for (const std::int64_t rows : ir::PartSizes(output.h)) Try(blocks, columns, rows);
        // Whole image rows make long transfers.
        if (!best_.rows.empty() && output.h > 1) break;
      }
    }
    return best_;
  }

 private:
  void Try(std::int64_t blocks, std::int64_t columns, std::int64_t rows) {
    const Images& output = shape_.output.images;
    VectorTiling tiling;
    if (rows * columns * shape_.output.PixelRows() > kMostPlane) return;
    tiling.blocks = ir::Split(blocks_, blocks);
    const std::int64_t copies = tiling.blocks.size() > 1 ? 2 : 1;
    if (shape_.parameters_per_block * blocks * copies > config_.param_rows) return;
    tiling.rows = ir::Split(output.h, rows);
    const std::int64_t entries = shape_.parameters_per_row * rows * (rows < output.h ? 2 : 1);
    if (entries > config_.param_rows) return;
    tiling.columns = ir::Split(output.w, columns);
    const std::int64_t plane =
        InputSize(shape_.y, tiling.rows) * InputSize(shape_.x, tiling.columns);
    for (const Placement& input : shape_.inputs) {
      if (plane * input.PixelRows() > kMostPlane) return;
    }
    tiling.input_pixels = plane * blocks;
    tiling.output_rows =
        shape_.output.row ? 0 : rows * columns * blocks * shape_.output.PixelRows();
    tiling.copy_rows = shape_.copy ? rows * columns * blocks * shape_.copy->PixelRows() : 0;
    const std::int64_t tile =
        InputRows(shape_.inputs, tiling.input_pixels) + tiling.output_rows + tiling.copy_rows;
    const std::int64_t weights = shape_.weight_rows * blocks;
    const std::int64_t buffers = tile * (tiling.Tiles(output.n) > 1 ? 2 : 1) + weights * copies;
    if (buffers > buffer_rows_) return;
    tiling.cycles = Estimate(tiling);
    if (best_.rows.empty() || tiling.cycles < best_.cycles) best_ = tiling;
  }

  static std::int64_t InputSize(const ir::Window& window, const std::vector<ir::Range>& outputs) {
    std::int64_t size = 0;
    for (const ir::Range& range : outputs) {
      size = std::max(size, window.Input(range, window.AllTaps()).Size());
    }
    return size;
  }

  [[nodiscard]] double Estimate(const VectorTiling& tiling) const {
    const Images& output = shape_.output.images;
    const auto tiles = static_cast<double>(tiling.Tiles(1));
    double steps = 0;
    for (const ir::Range& range : tiling.columns)
      steps += static_cast<double>(RowSteps(range.Size()));
    const double operations = shape_.copy ? 2 : 1;
    const double vector =
        operations * (steps * static_cast<double>(output.h * blocks_) + tiles * kInstructionCycles);
    double height = 0;
    double width = 0;
    for (const ir::Range& range : tiling.rows) {
      height += static_cast<double>(shape_.y.Input(range, shape_.y.AllTaps()).Size());
    }
    for (const ir::Range& range : tiling.columns) {
      width += static_cast<double>(shape_.x.Input(range, shape_.x.AllTaps()).Size());
    }
    const auto groups = static_cast<double>(tiling.blocks.size());
    double loads = 0;
    for (const Placement& input : shape_.inputs) {
      if (!input.row) loads += Beats(input, height, width, groups) + tiles * kInstructionCycles;
    }
    if (shape_.parameters_per_row != 0) {
      loads += static_cast<double>(output.h * config_.ParamEntryBytes() * 8) /
                   static_cast<double>(config_.axi_data_width) +
               tiles * kInstructionCycles;
    }
    const auto stored = [&](const Placement& placement) {
      return Beats(placement, static_cast<double>(output.h), static_cast<double>(output.w),
                   groups) +
             tiles * kInstructionCycles;
    };
    const double stores =
        (shape_.output.row ? 0 : stored(shape_.output)) + (shape_.copy ? stored(*shape_.copy) : 0);
    const double steady = std::max({vector, loads, stores}) * static_cast<double>(output.n);
    // Nothing overlaps the first load and the last store, and neighbours that take or make a tensor
    // in place can only follow some image rows behind.
    return steady + (loads + stores) / tiles + vector / static_cast<double>(tiling.rows.size());
  }

  // Cycles of the vector unit for a row of `outputs` windows: its taps, or its columns where the
  // machine does 3 x 3 windows column by column; and no more windows than the requantisers take.
  [[nodiscard]] std::int64_t RowSteps(std::int64_t outputs) const {
    const auto of = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
    const bool by_column =
        shape_.x.dilation == 1 &&
        isa::GoesByColumn(config_, of(shape_.y.size), of(shape_.x.size), of(shape_.x.stride));
    const std::int64_t steps =
        by_column ? static_cast<std::int64_t>(isa::ColumnsOf(of(outputs), of(shape_.x.stride)))
                  : outputs * shape_.y.size * shape_.x.size;
    return std::max(steps, outputs * std::int64_t{config_.requant_lanes});
  }

  // Bus beats of moving height x width pixels in `groups` groups of channels.
  [[nodiscard]] double Beats(const Placement& placement, double height, double width,
                             double groups) const {
    const auto bus = static_cast<double>(config_.axi_data_width) / 8;
    const double beats =
        height * width * static_cast<double>(placement.ChannelBytes(config_.n)) / bus;
    // Parts of a pixel lie apart: a burst each.
    const bool scattered = placement.layout == Layout::kNhwc && groups > 1;
    return beats + groups * height * (scattered ? width : 1);
  }

  const VectorShape& shape_;
  const isa::HardwareConfig& config_;
  std::int64_t buffer_rows_;
  std::int64_t blocks_;
  VectorTiling best_;
};

}  // namespace

std::int64_t InputRows(const std::vector<Placement>& inputs, std::int64_t pixels) {
  std::int64_t rows = 0;
  for (const Placement& input : inputs) {
    if (!input.row) rows += pixels * input.PixelRows();
  }
  return rows;
}

VectorTiling ChooseVectorTiling(const VectorShape& shape, const isa::HardwareConfig& config,
                                std::int64_t buffer_rows) {
  return VectorSearch(shape, config, buffer_rows).Run();
}

}  // namespace tpu::compiler
