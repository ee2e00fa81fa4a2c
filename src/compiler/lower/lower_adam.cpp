// SPDX-License-Identifier: Apache-2.0
// Steps of Adam: one instruction for each tile, in place, while the tile before is stored and the
// one behind is loaded.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

#include "compiler/lower/computed_parameters.h"
#include "compiler/lower/flat_tiles.h"
#include "compiler/lower/lower_float_operators.h"
#include "compiler/lower/lower_operator.h"
#include "compiler/lower/operations.h"
#include "compiler/program/fields.h"
#include "compiler/program/parameters.h"
#include "compiler/tile/axis_parts.h"

namespace tpu::compiler {
namespace {

class AdamLowering {
 public:
  AdamLowering(const OperatorContext& context, const ir::Adam& op, Emitter& emitter)
      : context_(context), op_(op), emitter_(emitter), n_(emitter.Lanes()) {}

  void Run() {
    LoadEntries();
    const std::int64_t elements = context_.Output().Elements();
    RunPart(0, elements / n_, n_);
    if (elements % n_ != 0) RunPart(elements / n_ * n_, 1, elements % n_);
  }

 private:
  // Nothing overlaps the first tile's load and the last one's store.
  static constexpr std::int64_t kFirstPixels = 32;
  static constexpr std::int64_t kTilesAtATime = 3;
  static constexpr std::int64_t kRows = isa::ElementFormat{ElementType::kFloat32}.Bytes();
  static constexpr std::int64_t kCopyRows = isa::ElementFormat{ElementType::kBfloat16}.Bytes();

  // Numbers of the operator's inputs.
  enum Input : std::size_t { kSquares, kGradients, kMoments, kWeights, kSlope, kBase, kFactor };
  // Of its outputs.
  enum Output : std::size_t { kNewSquares, kNewMoments, kNewWeights, kCopy };

  // Squares, gradients, moments and weights behind each other, and then the weights in bfloat16.
  [[nodiscard]] bool Copies() const { return context_.op.outputs.size() > kCopy; }
  [[nodiscard]] std::int64_t RowsOfPixel() const { return 4 * kRows + (Copies() ? kCopyRows : 0); }

  // Two entries, the first one with an even number; the third one is left over where need be. What
  // makes them takes buffers, which tiles must not have meanwhile.
  void LoadEntries() {
    std::vector<LaneParameters> lanes(static_cast<std::size_t>(n_), FloatParameters(0, 0));
    lanes.insert(lanes.end(), static_cast<std::size_t>(n_), FloatParameters(0, 1));
    const std::uint64_t address = emitter_.AddConstant(PackParameters(lanes, emitter_.Config()));
    SetEqualBiases(context_.InputPlacement(kBase), address, emitter_);
    SetMultipliers(context_.InputPlacement(kSlope), address, emitter_);
    if (context_.op.inputs.size() > kFactor) {
      SetMultipliers(context_.InputPlacement(kFactor),
                     address + emitter_.Config().ParamEntryBytes(), emitter_);
    }
    const std::int64_t allocated = emitter_.AllocateParameters(3);
    entries_ = allocated + allocated % 2;
    emitter_.LoadParameters(address, 2, entries_, true);
  }

  // Elements from number `first` on, as pixels of so many channels.
  void RunPart(std::int64_t first, std::int64_t pixels, std::int64_t channels) {
    if (pixels == 0) return;
    const std::int64_t most = emitter_.LayerRows() / (kTilesAtATime * RowsOfPixel());
    if (most == 0) {
      throw DoesNotFit(
          fmt::format("{}: its numbers do not fit the machine's buffers", emitter_.LayerName()));
    }
    std::vector<ir::Range> tiles = Ramp(pixels, std::min(kFirstPixels, most), most);
    if (tiles.empty()) tiles = ir::Split(pixels, most);
    const std::int64_t size = ir::LargestSize(tiles) * RowsOfPixel();
    const auto count = static_cast<std::int64_t>(tiles.size());
    const std::int64_t base = emitter_.AllocateBuffer(std::min(count, kTilesAtATime) * size);
    const auto row_of = [&](std::size_t tile) {
      return base + static_cast<std::int64_t>(tile) % kTilesAtATime * size;
    };
    Load(first, channels, tiles[0], row_of(0));
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      if (i + 1 < tiles.size()) Load(first, channels, tiles[i + 1], row_of(i + 1));
      Compute(tiles[i], row_of(i));
      Store(first, channels, tiles[i], row_of(i));
    }
  }

  void Load(std::int64_t first, std::int64_t channels, const ir::Range& pixels, std::int64_t row) {
    for (const std::size_t input : {kSquares, kGradients, kMoments, kWeights}) {
      const Placement placement =
          PixelsOf(context_.InputPlacement(input), first, channels, pixels.end);
      emitter_.LoadWide(placement, 0, {.begin = 0, .end = 1}, FlatTile(row, pixels, kRows));
      row += pixels.Size() * kRows;
    }
  }

  void Compute(const ir::Range& pixels, std::int64_t row) {
    const std::int64_t rows = pixels.Size() * kRows;
    isa::Adam adam;
    adam.rows = U32(pixels.Size());
    adam.param_row = U32(entries_);
    adam.squares = U32(row);
    adam.gradients = U32(row + rows);
    adam.to_moments = S32(2 * rows);
    adam.to_weights = S32(2 * rows);
    adam.output = U32(row + 3 * rows);
    adam.moment_factor = std::bit_cast<std::uint32_t>(op_.moment_factor);
    adam.square_scale = std::bit_cast<std::uint32_t>(op_.square_scale);
    adam.moment_scale = std::bit_cast<std::uint32_t>(op_.moment_scale);
    emitter_.Emit(adam, {RowsOf(Space::kParameters, entries_, 2, false),
                         RowsOf(Space::kUnifiedBuffer, row, 4 * rows, false),
                         RowsOf(Space::kUnifiedBuffer, row, rows, true),
                         RowsOf(Space::kUnifiedBuffer, row + 2 * rows, 2 * rows, true)});
    if (!Copies()) return;
    isa::Fvector copy = FloatOperation(ir::Activation::kNone);
    copy.n_ow = adam.rows;
    copy.y_bound = 1;
    copy.x_bound = 1;
    copy.param_row = adam.param_row;
    copy.a_row = S32(row + 3 * rows);
    copy.a_ow = S32(kRows);
    copy.a_format = isa::NumberFormat::kFloat32;
    copy.o_row = U32(row + 4 * rows);
    copy.o_ow = S32(kCopyRows);
    copy.o_format = isa::NumberFormat::kBfloat16;
    emitter_.Emit(copy,
                  {RowsOf(Space::kParameters, entries_, 1, false),
                   RowsOf(Space::kUnifiedBuffer, row + 3 * rows, rows, false),
                   RowsOf(Space::kUnifiedBuffer, row + 4 * rows, pixels.Size() * kCopyRows, true)});
  }

  void Store(std::int64_t first, std::int64_t channels, const ir::Range& pixels, std::int64_t row) {
    const std::int64_t rows = pixels.Size() * kRows;
    const std::array<std::int64_t, 4> places = {row, row + 2 * rows, row + 3 * rows,
                                                row + 4 * rows};
    for (std::size_t i = 0; i < context_.op.outputs.size(); ++i) {
      const Placement placement =
          PixelsOf(context_.placements[context_.op.outputs[i]], first, channels, pixels.end);
      emitter_.StoreWide(placement, 0, {.begin = 0, .end = 1},
                         FlatTile(places.at(i), pixels, placement.PixelRows()));
    }
  }

  const OperatorContext& context_;
  const ir::Adam& op_;
  Emitter& emitter_;
  std::int64_t n_;
  std::int64_t entries_ = 0;
};

}  // namespace

void LowerAdam(const OperatorContext& context, const ir::Adam& op, Emitter& emitter) {
  AdamLowering(context, op, emitter).Run();
}

}  // namespace tpu::compiler
