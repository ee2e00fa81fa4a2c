// SPDX-License-Identifier: Apache-2.0
#include "compiler/tile/conv_tiling.h"

#include <algorithm>
#include <utility>

#include "compiler/cost/instruction_cycles.h"
#include "compiler/program/fields.h"
#include "compiler/tile/axis_parts.h"
#include "isa/element_format.h"
#include "isa/instruction.h"

namespace tpu::compiler {
namespace {

// Beats that each separate row of a transfer costs besides its own.
constexpr double kBurstOverheadBeats = 1;
// Share of the bus traffic that is not hidden behind the array although it could be.
constexpr double kExposedTraffic = 0.05;
// Tilings that are worth a closer look.
constexpr std::size_t kMostTilings = 16;

class Search {
 public:
  Search(const ConvShape& shape, const isa::HardwareConfig& config, std::int64_t buffer_rows)
      : shape_(shape),
        config_(config),
        buffer_rows_(buffer_rows),
        n_(config.n),
        input_blocks_(shape.thin || shape.depthwise ? 1 : ir::CeilDiv(shape.input.c, n_)),
        output_blocks_(ir::CeilDiv(shape.output.c, n_)),
        column_tiles_(KernelColumnTiles(shape, n_)) {}

  std::vector<ConvTiling> Run() {
    const std::int64_t unit = shape_.block.across;
    for (const std::int64_t units : ir::PartSizes(shape_.output.w / unit)) TryColumns(units * unit);
    return std::move(found_);
  }

 private:
  void TryColumns(std::int64_t columns) {
    const std::int64_t half = MostSums();
    if (columns > half) return;
    const std::int64_t unit = shape_.rows_together;
    const auto across = SplitUnits(shape_.output.w, columns, shape_.block.across);
    for (const std::int64_t units : ir::PartSizes(shape_.output.h / unit)) {
      const std::int64_t rows = units * unit;
      const std::int64_t outputs = rows * shape_.block.down * columns;
      if (outputs > half || RowsOf(outputs) > kMostPlane) continue;
      // Tiles far smaller than the array is long only pay when nothing larger fits.
      if (!found_.empty() && outputs * 2 < std::min(n_, Pixels())) break;
      TryPixels(SplitUnits(shape_.output.h, rows, unit), across);
      TryRamps(rows, columns, across);
    }
  }

  // Same tile sizes with small first and last tiles, along the axis that is cut.
  void TryRamps(std::int64_t rows, std::int64_t columns, const std::vector<ir::Range>& across) {
    for (std::int64_t pixels = n_; pixels <= 4 * n_; pixels *= 2) {
      if (columns == shape_.output.w) {
        const std::int64_t unit = shape_.rows_together;
        const auto first = std::max<std::int64_t>(1, pixels / (columns * shape_.block.down * unit));
        const auto ramp = Ramp(shape_.output.h / unit, first, rows / unit);
        if (!ramp.empty()) TryPixels(OfUnits(ramp, unit), across);
      } else if (shape_.output.h == 1) {
        const std::int64_t unit = shape_.block.across;
        const auto ramp = Ramp(shape_.output.w / unit, pixels / unit, columns / unit);
        if (!ramp.empty()) TryPixels({{.begin = 0, .end = 1}}, OfUnits(ramp, unit));
      }
    }
  }

  void TryPixels(const std::vector<ir::Range>& rows, const std::vector<ir::Range>& columns) {
    ConvTiling tiling;
    tiling.depthwise = shape_.depthwise;
    tiling.rows = rows;
    tiling.columns = columns;
    const std::int64_t pixels =
        ir::LargestSize(rows) * shape_.block.down * ir::LargestSize(columns);
    const std::int64_t most_blocks =
        std::min(MostSums() / pixels - CommonBlocks(), MostOutputBlocks());
    for (const std::int64_t size : ir::PartSizes(output_blocks_)) {
      if (size > most_blocks) continue;
      tiling.output_blocks = ir::Split(output_blocks_, size);
      tiling.output_rows = shape_.output_resident ? 0 : RowsOf(pixels * size);
      TryKernel(tiling);
    }
  }

  // Those that half of the accumulators hold.
  [[nodiscard]] std::int64_t MostSums() const { return config_.acc_rows / 2 / shape_.Planes(); }

  // Parameters stay for the whole layer when they fill at most half of their memory; else two
  // groups' must fit.
  [[nodiscard]] std::int64_t MostOutputBlocks() const {
    const std::int64_t half = config_.param_rows / 2 / shape_.block.Pixels();
    return output_blocks_ <= half ? output_blocks_ : half;
  }

  // The fewest accumulation groups that fit; kernel rows are cut only when one channel block is too
  // much.
  void TryKernel(ConvTiling& tiling) {
    for (const std::int64_t blocks : ir::PartSizes(input_blocks_)) {
      if (TryGroups(tiling, blocks, shape_.y.size)) return;
    }
    for (const std::int64_t rows : ir::PartSizes(shape_.y.size)) {
      if (TryGroups(tiling, 1, rows)) return;
    }
  }

  bool TryGroups(ConvTiling& tiling, std::int64_t blocks, std::int64_t kernel_rows) {
    tiling.input_blocks = ir::Split(input_blocks_, blocks);
    tiling.kernel_rows = ir::Split(shape_.y.size, kernel_rows);
    tiling.first_parts = tiling.input_blocks;
    SetLastParts(tiling);
    tiling.input_rows = 0;
    const std::int64_t loaded = shape_.depthwise ? ir::LargestSize(tiling.output_blocks) : blocks;
    if (!shape_.input_resident && !SetInputRows(tiling, loaded)) return false;
    const std::int64_t buffers =
        (tiling.Loads() * shape_.input.n > 1 ? 2 : 1) * tiling.input_rows +
        (tiling.Stores() * shape_.input.n > 1 ? 2 : 1) * tiling.output_rows;
    if (buffers > buffer_rows_) return false;
    Consider(tiling);
    for (const bool growing : {true, false}) {
      if (CutFirst(tiling, growing)) Consider(tiling);
    }
    return true;
  }

  void Consider(ConvTiling& tiling) {
    tiling.cycles = Estimate(tiling);
    const auto place = std::upper_bound(
        found_.begin(), found_.end(), tiling,
        [](const ConvTiling& a, const ConvTiling& b) { return a.cycles < b.cycles; });
    if (place == found_.end() && found_.size() == kMostTilings) return;
    found_.insert(place, tiling);
    if (found_.size() > kMostTilings) found_.pop_back();
  }

  // Cuts the first sum along the input channels. False: nothing to load, or it cannot be cut.
  bool CutFirst(ConvTiling& tiling, bool growing) const {
    if (shape_.input_resident || tiling.KGroups() > 1 || input_blocks_ == 1) return false;
    // Else each row of pixels would take a transfer for each part.
    if (shape_.input_scattered && tiling.columns.size() > 1 && tiling.rows.front().Size() > 1) {
      return false;
    }
    // Growing: each part as large as all before, on which the array works meanwhile.
    std::vector<std::int64_t> sizes = {1};
    for (std::int64_t sum = 1; sum < input_blocks_; sum += sizes.back()) {
      sizes.push_back(std::min<std::int64_t>(growing ? sum : 1, input_blocks_ - sum));
    }
    tiling.first_parts = Ranges(sizes, 0);
    SetLastParts(tiling);
    return true;
  }

  // Cuts the last sum along output channels and pixels, so that the last drain is short, unless the
  // array then had to wait for the drain of a sum before.
  void SetLastParts(ConvTiling& tiling) const {
    const std::size_t last_group = tiling.output_blocks.size() - 1;
    const OutputPart last = {.rows = tiling.rows.back(),
                             .columns = tiling.columns.back(),
                             .blocks = tiling.output_blocks.back()};
    tiling.last_parts = {last};
    const bool whole_sums = tiling.KGroups() == 1 && tiling.InputGroups(last_group).size() == 1;
    if (shape_.output_resident || !whole_sums) return;
    std::vector<OutputPart> parts = ShrinkingParts(last, tiling.columns.size() == 1);
    std::int64_t before = RowsBeforeLast(tiling);
    for (const OutputPart& part : parts) {
      if (before > RowsOfSum() * SumsOf(part)) return;
      before = SumsOf(part);
    }
    tiling.last_parts = std::move(parts);
  }

  [[nodiscard]] std::vector<OutputPart> ShrinkingParts(const OutputPart& whole,
                                                       bool whole_image_rows) const {
    // While a part is multiplied and drained, the part before is drained and stored.
    const double factor = std::max(1.5, static_cast<double>(1 + RowsOfSum()) / 2);
    const bool along_rows = whole.rows.Size() > 1;
    // Else each image row would take a transfer of its own.
    std::vector<ir::Range> blocks = {whole.blocks};
    if (whole_image_rows || !along_rows || !shape_.output_scattered) {
      blocks = Ranges(ShrinkingSizes(whole.blocks.Size(), 1, factor), whole.blocks.begin);
    }
    std::vector<OutputPart> parts;
    for (const ir::Range& part : blocks) {
      parts.push_back({.rows = whole.rows, .columns = whole.columns, .blocks = part});
    }
    const OutputPart last = parts.back();
    parts.pop_back();
    const ir::Range axis = along_rows ? last.rows : last.columns;
    const std::int64_t unit = along_rows ? shape_.rows_together : shape_.block.across;
    const std::int64_t least =
        ir::CeilDiv(n_ * shape_.OutputsOfRow(),
                    unit * (along_rows ? last.columns.Size() * shape_.block.down : 1));
    const std::vector<std::int64_t> sizes = ShrinkingSizes(axis.Size() / unit, least, factor);
    for (const ir::Range& part : OfUnits(Ranges(sizes, axis.begin / unit), unit)) {
      parts.push_back({.rows = along_rows ? part : last.rows,
                       .columns = along_rows ? last.columns : part,
                       .blocks = last.blocks});
    }
    return parts;
  }

  // Accumulator rows of all pieces of the part's outputs.
  [[nodiscard]] std::int64_t SumsOf(const OutputPart& part) const {
    return part.rows.Size() * shape_.block.down * part.columns.Size() * part.blocks.Size();
  }

  // Accumulator rows of the sum before the last one; 0: there is none.
  [[nodiscard]] std::int64_t RowsBeforeLast(const ConvTiling& tiling) const {
    OutputPart part = {.rows = tiling.rows.back(),
                       .columns = tiling.columns.back(),
                       .blocks = tiling.output_blocks.back()};
    const auto previous = [](ir::Range& range, const std::vector<ir::Range>& ranges) {
      if (ranges.size() > 1) range = ranges[ranges.size() - 2];
      return ranges.size() > 1;
    };
    const bool found = previous(part.blocks, tiling.output_blocks) ||
                       previous(part.columns, tiling.columns) || previous(part.rows, tiling.rows);
    return found ? SumsOf(part) : 0;
  }

  // False: an instruction cannot address a tile so large.
  bool SetInputRows(ConvTiling& tiling, std::int64_t blocks) const {
    std::int64_t height = 0;
    for (const ir::Range& rows : tiling.rows) {
      for (const ir::Range& taps : tiling.kernel_rows) {
        height = std::max(height, shape_.y.Input(rows, taps).Size());
      }
    }
    std::int64_t width = 0;
    for (const ir::Range& columns : tiling.columns) {
      width = std::max(width, shape_.x.Input(columns, shape_.x.AllTaps()).Size());
    }
    if (width * (shape_.thin ? shape_.input.c : n_) > kMostRowNumbers) return false;
    const std::int64_t pitch =
        shape_.thin ? ir::CeilDiv(width * shape_.input_pixel_bytes, isa::RowBytes(config_))
                    : width * shape_.block.down * shape_.input_pixel_rows;
    if (height * pitch > kMostPlane) return false;
    tiling.input_rows = height * pitch * blocks;
    return true;
  }

  // Units overlap, so the busiest one decides, plus what comes before the first and after the last
  // tile.
  [[nodiscard]] double Estimate(const ConvTiling& tiling) const {
    const auto images = static_cast<double>(shape_.input.n);
    const auto bus = static_cast<double>(config_.axi_data_width) / 8;
    const auto tiles = static_cast<double>(tiling.rows.size() * tiling.columns.size());
    const auto groups = static_cast<double>(tiling.output_blocks.size());
    const auto k_groups = static_cast<double>(tiling.KGroups());
    const auto weight_tiles = static_cast<double>(output_blocks_ * TilesPerBlock()) +
                              static_cast<double>(CommonBlocks() * TilesPerBlock()) * groups;
    const double pixels = static_cast<double>(Pixels());

    const double loads =
        shape_.input_resident ? 0 : LoadBeats(tiling) * (k_groups > 1 ? groups : 1);
    const double parameters = static_cast<double>(output_blocks_ * config_.ParamEntryBytes()) / bus;
    const double fetch = tiles * groups * (k_groups * ProductGranules() + DrainGranules()) *
                         static_cast<double>(isa::kGranuleBytes) / bus;
    const double other = loads + parameters + fetch;
    const double weights = tiles * weight_tiles * WeightBeats();
    const double array = ArrayCycles(tiling, weight_tiles, other / pixels) +
                         tiles * groups * k_groups * kOverlappedInstructionCycles;
    const double traffic = weights + other;
    const double vector =
        pixels * static_cast<double>(output_blocks_) *
            static_cast<double>(std::max<std::int64_t>(config_.requant_lanes, 1 + CommonBlocks())) +
        tiles * groups * kOverlappedInstructionCycles;
    const double stores = shape_.output_resident
                              ? 0
                              : pixels * static_cast<double>(shape_.output_pixel_bytes) / bus +
                                    (groups > 1 && shape_.output_scattered ? pixels * groups : 0) +
                                    tiles * groups * kOverlappedInstructionCycles;
    const double steady = std::max({array, vector, stores}) + kExposedTraffic * traffic;
    // A neighbour layer that takes or makes the tensor in place can follow one tile of pixels
    // behind.
    const bool chained = shape_.input_resident || shape_.output_resident;
    return steady * images + FirstLoad(tiling) + LastDrain(tiling) +
           (chained ? array / static_cast<double>(tiling.rows.size()) : 0);
  }

  [[nodiscard]] double FirstLoad(const ConvTiling& tiling) const {
    if (shape_.input_resident) return 0;
    const ConvTiling tile = {.rows = {tiling.rows.front()},
                             .columns = {tiling.columns.front()},
                             .input_blocks = tiling.first_parts};
    const double load = LoadBeats(tile) / static_cast<double>(tiling.KGroups());
    if (tiling.KGroups() > 1 || tiling.first_parts.size() == 1) return load;
    // While the array works on all parts but the last one, the bus brings the loads and the weights
    // of these parts.
    const auto blocks = static_cast<double>(input_blocks_);
    const double first = static_cast<double>(tiling.first_parts.front().Size()) / blocks;
    const double last = static_cast<double>(tiling.first_parts.back().Size()) / blocks;
    const std::int64_t pixels =
        tiling.rows.front().Size() * shape_.block.down * tiling.columns.front().Size();
    const double tiles = static_cast<double>(tiling.output_blocks.front().Size() * TilesPerBlock());
    const double hidden_beats = static_cast<double>(std::max(pixels, n_)) - WeightBeats();
    return std::max(first * load, load - (1 - last) * tiles * hidden_beats) +
           static_cast<double>(tiling.first_parts.size()) * kOverlappedInstructionCycles;
  }

  [[nodiscard]] double LastDrain(const ConvTiling& tiling) const {
    const std::int64_t rows = SumsOf(tiling.last_parts.back());
    const auto bus = static_cast<double>(config_.axi_data_width) / 8;
    const double store =
        shape_.output_resident ? 0 : static_cast<double>(RowsOf(isa::RowBytes(config_))) / bus;
    return static_cast<double>(rows) * (static_cast<double>(config_.requant_lanes) + store);
  }

  // Cycles of all output tiles. Each weight tile takes one for each row of the output tile's
  // pixels, or N to shift it in; but the bus has to bring the weights and, per pixel, other things
  // meanwhile.
  [[nodiscard]] double ArrayCycles(const ConvTiling& tiling, double weight_tiles,
                                   double other_beats) const {
    double cycles = 0;
    for (const auto& [height, down] : CountSizes(tiling.rows)) {
      for (const auto& [width, across] : CountSizes(tiling.columns)) {
        const auto pixels = static_cast<double>(height * shape_.block.down * width);
        const double rows = pixels / static_cast<double>(shape_.OutputsOfRow());
        const double array = weight_tiles * std::max(rows * static_cast<double>(shape_.Planes()),
                                                     static_cast<double>(n_));
        const double traffic = weight_tiles * WeightBeats() + pixels * other_beats;
        cycles += static_cast<double>(down * across) * std::max(array, traffic);
      }
    }
    return cycles;
  }

  // Bus beats of loading every input tile once.
  [[nodiscard]] double LoadBeats(const ConvTiling& tiling) const {
    const auto bus = static_cast<double>(config_.axi_data_width) / 8;
    double height = 0;
    for (const ir::Range& rows : tiling.rows) {
      const ir::Range input = shape_.y.Input(rows, shape_.y.AllTaps());
      height += static_cast<double>(input.Size() * shape_.block.down);
    }
    double width = 0;
    for (const ir::Range& columns : tiling.columns) {
      width += static_cast<double>(shape_.x.Input(columns, shape_.x.AllTaps()).Size());
    }
    const double beats = height * width * static_cast<double>(shape_.input_pixel_bytes) / bus;
    // Parts of a pixel lie apart: a burst each, which shares its beats with others unless all begin
    // with a beat.
    if (shape_.input_scattered && tiling.input_blocks.size() > 1) {
      const bool aligned = shape_.input_pixel_bytes % (config_.axi_data_width / 8) == 0;
      const double bursts = height * width * static_cast<double>(tiling.input_blocks.size());
      return beats + (aligned ? 0 : bursts * kBurstOverheadBeats);
    }
    return beats + height * static_cast<double>(tiling.columns.size()) * kBurstOverheadBeats;
  }

  // Weight tiles of one output channel block.
  [[nodiscard]] std::int64_t TilesPerBlock() const {
    return input_blocks_ * shape_.y.size * column_tiles_ * shape_.OutputsOfRow();
  }
  // Blocks of accumulators that a sum has besides those of its output channels.
  [[nodiscard]] std::int64_t CommonBlocks() const { return shape_.common_sums ? 1 : 0; }
  // Rows that enter the array for the sums of one output pixel and channel block.
  [[nodiscard]] std::int64_t RowsOfSum() const {
    return TilesPerBlock() * shape_.Planes() / shape_.OutputsOfRow();
  }
  // Bus beats of one weight tile. Those of int16 activations are int8.
  [[nodiscard]] double WeightBeats() const {
    const std::int64_t bytes = shape_.format.BytesOf(n_ * n_) / shape_.Planes();
    return static_cast<double>(bytes * 8) / config_.axi_data_width;
  }
  // UB rows of so many outputs of N channels.
  [[nodiscard]] std::int64_t RowsOf(std::int64_t outputs) const {
    return outputs * shape_.output_format.Bytes();
  }
  [[nodiscard]] std::int64_t Pixels() const {
    return shape_.output.h * shape_.block.down * shape_.output.w;
  }

  const ConvShape& shape_;
  const isa::HardwareConfig& config_;
  std::int64_t buffer_rows_;
  std::int64_t n_;
  std::int64_t input_blocks_;
  std::int64_t output_blocks_;
  std::int64_t column_tiles_;
  std::vector<ConvTiling> found_;  // Best first.
};

}  // namespace

std::int64_t KernelColumnTiles(const ConvShape& shape, std::int64_t lanes) {
  if (shape.thin) return ir::CeilDiv(shape.x.size * shape.input.c, lanes);
  return TilesAlong(shape.x, shape.block.across);
}

std::vector<ConvTiling> ConvTilings(const ConvShape& shape, const isa::HardwareConfig& config,
                                    std::int64_t buffer_rows) {
  return Search(shape, config, buffer_rows).Run();
}

}  // namespace tpu::compiler
