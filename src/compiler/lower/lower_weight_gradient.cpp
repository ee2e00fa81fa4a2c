// SPDX-License-Identifier: Apache-2.0
// The gradient of a convolution's weights on the array. The sum is over pixels. So N pixels of x
// are the rows of a weight tile, as they lie in the buffer, moved by the tap. Channels of g are the
// rows of activations, pixels their lanes: g has to be turned before, which the array does, too, as
// a product of ones on the diagonal with tiles that the weights unit transposes.
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/lower/lower_operator.h"
#include "compiler/lower/padded_tile.h"
#include "compiler/lower/weight_gradient_results.h"
#include "compiler/place/layout.h"
#include "compiler/program/fields.h"
#include "compiler/quantise/bfloat16.h"
#include "compiler/tile/weight_gradient_tiling.h"

namespace tpu::compiler {
namespace {

// The image and the rows of g that one load brings.
struct Chunk {
  std::int64_t image = 0;
  ir::Range rows;
};

// Blocks of N pixels at one distance in both tiles.
struct Walk {
  std::int64_t first = 0;  // Number of the first block among the chunk's.
  std::int64_t blocks = 0;
  std::int64_t bound = 0;   // Pixels: of the walk or, of blocks apart, of each block.
  bool along = false;       // Whether a block's pixels follow those of the block before.
  std::int64_t column = 0;  // Of g, of the first pixel.
};

class WeightGradientLowering {
 public:
  WeightGradientLowering(const WeightGradientTensors& tensors, const WeightGradientShape& shape,
                         Emitter& emitter)
      : tensors_(tensors),
        shape_(shape),
        emitter_(emitter),
        n_(emitter.Lanes()),
        columns_(ReachedColumns(shape)) {
    tiling_ = ChooseWeightGradientTiling(shape, emitter.Config(), emitter.LayerRows());
    const WeightGradientTiling alone =
        ChooseWeightGradientTiling(shape, emitter.Config(), emitter.BufferRows());
    constexpr double kPays = 0.97;  // What neighbours lose by it.
    if (tiling_.rows.empty() || alone.cycles < kPays * tiling_.cycles) tiling_ = alone;
    if (tiling_.rows.empty()) {
      throw DoesNotFit(fmt::format("{}: one row of the gradient does not fit the machine's buffers",
                                   emitter.LayerName()));
    }
    g_columns_ = GradientColumns(shape, tiling_.flat);
    for (std::int64_t image = 0; image < shape.x.n; ++image) {
      for (const ir::Range& rows : tiling_.rows) chunks_.push_back({.image = image, .rows = rows});
    }
  }

  void Run() {
    AllocateBuffers();
    LoadIdentity();
    results_.emplace(tensors_, shape_, result_rows_, identity_row_, emitter_);
    std::int64_t half = 0;
    for (const ir::Range& outputs : tiling_.outputs) {
      bool turned = false;
      for (const ir::Range& inputs : tiling_.InputsOf(outputs)) {
        for (const ir::Range& taps : tiling_.taps) {
          // A single chunk of g stays turned for all parts.
          RunPart({.outputs = outputs,
                   .inputs = inputs,
                   .taps = taps,
                   .sums = std::exchange(half, tiling_.halves ? Sums() / 2 - half : 0)},
                  turned);
          turned = chunks_.size() == 1;
        }
      }
    }
  }

 private:
  void AllocateBuffers() {
    const WeightGradientRows rows = RowsOf(shape_, tiling_, n_);
    std::int64_t row = emitter_.AllocateBuffer(rows.Sum());
    const auto take = [&](std::int64_t size) {
      const std::int64_t first = row;
      row += size;
      return first;
    };
    const auto take_two = [&](std::array<std::int64_t, 2>& first, std::int64_t size, bool turns) {
      first[0] = take(size);
      first[1] = turns ? take(size) : first[0];
    };
    take_two(x_rows_, rows.x, rows.loads);
    take_two(g_rows_, rows.g, rows.g_turns);
    take_two(turned_rows_, rows.turned, rows.chunks);
    take_two(result_rows_, rows.result, true);
    identity_row_ = take(rows.identity);
    zeros_ = emitter_.AddConstant(
        std::vector<std::uint8_t>(static_cast<std::size_t>(kBfloat16Rows * n_), std::uint8_t{0}));
    turning_ = TurningAccumulators(emitter_.Config());
  }

  void LoadIdentity() {
    std::vector<std::uint8_t> bytes;
    for (std::int64_t row = 0; row < n_; ++row) {
      for (std::int64_t lane = 0; lane < n_; ++lane) {
        const std::uint16_t bits = row == lane ? kBfloat16One.bits : 0;
        bytes.push_back(static_cast<std::uint8_t>(bits));
        bytes.push_back(static_cast<std::uint8_t>(bits >> 8));
      }
    }
    const auto size = static_cast<std::int64_t>(bytes.size());
    emitter_.LoadRows(emitter_.AddConstant(std::move(bytes)), size, identity_row_);
  }

  void RunPart(const WeightGradientPart& part, bool turned) {
    x_turn_ += chunks_.size() % 2;  // Behind the part before.
    Load(part, 0, turned);
    if (!turned) Turn(part, 0);
    const std::int64_t before = part.taps.Size() / 4;
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      const bool last = i + 1 == chunks_.size();
      if (!last) Load(part, i + 1, false);
      for (std::int64_t tap = 0; tap < part.taps.Size(); ++tap) {
        // Behind the first products, so that the next chunk's load has some time, and before the
        // others, which hide the way of the turned numbers back into the buffer.
        if (tap == before && !last) Turn(part, i + 1);
        Multiply(part, i, part.taps.begin + tap);
        if (last) results_->Drain(part, part.taps.begin + tap, SumsOf(part, part.taps.begin + tap));
      }
      if (!HasBias(part)) continue;
      MultiplyOnes(part, i);
      if (last) results_->DrainBias(part, BiasSums(part));
    }
  }

  // Tiles of x and g, which the buffers of this chunk's turn hold.
  [[nodiscard]] Tile TileOfX(std::size_t chunk) const {
    const ir::Range all = {.begin = 0, .end = shape_.g.w};
    return Tile::Wide(x_rows_.at((x_turn_ + chunk) % 2),
                      shape_.down.Reach(chunks_[chunk].rows, shape_.down.AllTaps()),
                      shape_.across.Reach(all, shape_.across.AllTaps()), kBfloat16Rows);
  }
  [[nodiscard]] std::size_t TurnOfG(std::size_t chunk) const {
    return tiling_.g_turns ? chunk % 2 : 0;
  }
  [[nodiscard]] Tile TileOfG(std::size_t chunk) const {
    return Tile::Wide(g_rows_.at(TurnOfG(chunk)), chunks_[chunk].rows,
                      {.begin = 0, .end = g_columns_}, kBfloat16Rows);
  }

  void Load(const WeightGradientPart& part, std::size_t chunk, bool only_x) {
    const std::int64_t image = chunks_[chunk].image;
    if (!only_x) {
      LoadPadded(tensors_.g, image, part.outputs, TileOfG(chunk), zeros_,
                 g_zeros_.at(TurnOfG(chunk)), emitter_);
    }
    LoadPadded(tensors_.x, image, part.inputs, TileOfX(chunk), zeros_,
               x_zeros_.at((x_turn_ + chunk) % 2), emitter_);
  }

  [[nodiscard]] std::vector<Walk> WalksOf(const Chunk& chunk) const {
    const std::int64_t rows = chunk.rows.Size();
    if (tiling_.flat) {
      const std::int64_t pixels = (rows - 1) * columns_ + shape_.g.w;
      return {{.blocks = ir::CeilDiv(pixels, n_), .bound = pixels, .along = true}};
    }
    std::vector<Walk> walks;
    for (std::int64_t column = 0; column < shape_.g.w; column += n_) {
      walks.push_back({.first = rows * (column / n_),
                       .blocks = rows,
                       .bound = std::min(n_, shape_.g.w - column),
                       .column = column});
    }
    return walks;
  }

  // Tiles of a walk's pixels from UB row `row` on, each pixel `step` rows from the one before.
  static isa::UbWeights TilesOf(const Walk& walk, std::int64_t row, std::int64_t step) {
    isa::UbWeights weights;
    weights.format = isa::NumberFormat::kBfloat16;
    weights.row = U32(row);
    weights.s_row = S32(step);
    weights.row_bound = U32(walk.bound);
    return weights;
  }

  // Channels of g become rows, and pixels lanes.
  void Turn(const WeightGradientPart& part, std::size_t chunk) {
    const Tile tile = TileOfG(chunk);
    const std::int64_t most = turning_ / n_;
    for (const Walk& walk : WalksOf(chunks_[chunk])) {
      const std::int64_t step = walk.along ? n_ * tile.pixel : tile.pitch;
      for (std::int64_t block = 0; block < part.outputs.Size(); ++block) {
        const std::int64_t row = tile.FromBlock(block).RowOf(tile.ys.begin, walk.column);
        for (const ir::Range& blocks : ir::Split(walk.blocks, most)) {
          isa::UbWeights weights = TilesOf(walk, row + blocks.begin * step, tile.pixel);
          if (walk.along) weights.row_bound = U32(walk.bound - blocks.begin * n_);
          weights.transpose = 1;
          weights.n_ob = U32(blocks.Size());
          weights.n_cb = 1;
          weights.s_ob = S32(step);
          weights.along_ob = walk.along ? 1 : 0;
          emitter_.Emit(weights, {BufferRows(tile.FromBlock(block).row, tile.plane, false)});
          TurnBlocks(part, chunk, block, walk.first + blocks.begin, blocks.Size());
        }
      }
    }
  }

  void TurnBlocks(const WeightGradientPart& part, std::size_t chunk, std::int64_t channel_block,
                  std::int64_t first, std::int64_t blocks) {
    const std::int64_t accumulators =
        Sums() + turning_ * std::exchange(turning_turn_, 1 - turning_turn_);
    isa::Matmul matmul = Product(identity_row_, 0, n_);
    matmul.n_ob = U32(blocks);
    matmul.n_cb = 1;
    matmul.acc_row = U32(accumulators);
    matmul.acc_ob_stride = U32(n_);
    emitter_.Emit(matmul, {BufferRows(identity_row_, n_ * kBfloat16Rows, false),
                           AccumulatorRows(accumulators, blocks * n_, true)});

    const std::int64_t outputs = part.outputs.Size() * n_;
    const std::int64_t row =
        turned_rows_.at(chunk % 2) + (first * outputs + channel_block * n_) * kBfloat16Rows;
    isa::Fvector vector = DrainOf(accumulators, n_, blocks, n_);
    vector.o_format = isa::NumberFormat::kBfloat16;
    vector.o_row = U32(row);
    vector.o_cb = S32(outputs * kBfloat16Rows);
    vector.o_ow = S32(kBfloat16Rows);
    std::vector<Access> accesses = {AccumulatorRows(accumulators, blocks * n_, false)};
    for (std::int64_t b = 0; b < blocks; ++b) {
      accesses.push_back(BufferRows(row + b * outputs * kBfloat16Rows, n_ * kBfloat16Rows, true));
    }
    results_->Emit(vector, std::move(accesses));
  }

  void Multiply(const WeightGradientPart& part, std::size_t chunk, std::int64_t tap) {
    const Tile tile = TileOfX(chunk);
    const std::int64_t y = tap / shape_.across.size * shape_.down.dilation;
    const std::int64_t x = tap % shape_.across.size * shape_.across.dilation;
    bool first = chunk == 0;
    for (const Walk& walk : WalksOf(chunks_[chunk])) {
      isa::UbWeights weights = TilesOf(
          walk,
          tile.RowOf(tile.ys.begin + y, tile.xs.begin + x + walk.column * shape_.across.stride),
          shape_.across.stride * tile.pixel);
      weights.n_ob = U32(part.inputs.Size());
      weights.n_cb = U32(walk.blocks);
      weights.s_ob = S32(tile.plane);
      weights.s_cb = S32(walk.along ? n_ * tile.pixel : shape_.down.stride * tile.pitch);
      weights.along_cb = walk.along ? 1 : 0;
      emitter_.Emit(weights, {BufferRows(tile.row, tile.plane * part.inputs.Size(), false)});
      MultiplyTurned(part, chunk, walk, part.inputs.Size(), SumsOf(part, tap),
                     std::exchange(first, false));
    }
  }

  // The first part of some outputs has the bias, too.
  [[nodiscard]] bool HasBias(const WeightGradientPart& part) const {
    return tensors_.bias && part.taps.begin == 0 && (shape_.depthwise || part.inputs.begin == 0);
  }
  // Behind the sums of all taps.
  [[nodiscard]] std::int64_t BiasSums(const WeightGradientPart& part) const {
    return SumsOf(part, part.taps.end);
  }

  // Of each pixel, a row with a one in the first lane.
  void MultiplyOnes(const WeightGradientPart& part, std::size_t chunk) {
    bool first = chunk == 0;
    for (const Walk& walk : WalksOf(chunks_[chunk])) {
      isa::UbWeights weights = TilesOf(walk, identity_row_, 0);
      weights.n_ob = 1;
      weights.n_cb = U32(walk.blocks);
      weights.along_cb = walk.along ? 1 : 0;
      emitter_.Emit(weights, {BufferRows(identity_row_, kBfloat16Rows, false)});
      MultiplyTurned(part, chunk, walk, 1, BiasSums(part), std::exchange(first, false));
    }
  }

  // Turned pixels of the walk's blocks times as many tiles of each of `blocks` output blocks.
  void MultiplyTurned(const WeightGradientPart& part, std::size_t chunk, const Walk& walk,
                      std::int64_t blocks, std::int64_t sums, bool first) {
    const std::int64_t outputs = part.outputs.Size() * n_;
    const std::int64_t row = turned_rows_.at(chunk % 2) + walk.first * outputs * kBfloat16Rows;
    isa::Matmul matmul = Product(row, outputs, part.Outputs(shape_, n_));
    matmul.accumulate = first ? 0 : 1;
    matmul.n_ob = U32(blocks);
    matmul.n_cb = U32(walk.blocks);
    matmul.acc_row = U32(sums);
    matmul.acc_ob_stride = U32(part.Outputs(shape_, n_));
    emitter_.Emit(matmul, {BufferRows(row, walk.blocks * outputs * kBfloat16Rows, false),
                           AccumulatorRows(sums, blocks * part.Outputs(shape_, n_), true)});
  }

  // Rows of N numbers in the buffer, those of a sum's term `terms` rows apart.
  [[nodiscard]] isa::Matmul Product(std::int64_t row, std::int64_t term_rows,
                                    std::int64_t rows) const {
    isa::Matmul matmul;
    matmul.format = isa::NumberFormat::kBfloat16;
    matmul.n_kh = 1;
    matmul.n_kw = 1;
    matmul.n_oh = 1;
    matmul.n_ow = U32(rows);
    matmul.ub_addr = S32(row * n_ / kBfloat16Rows);
    matmul.s_cb = S32(term_rows * n_);
    matmul.s_ow = S32(n_);
    matmul.y_bound = 1;
    matmul.x_bound = U32(n_);
    return matmul;
  }

  // Accumulators of sums; those for turning are behind.
  [[nodiscard]] std::int64_t Sums() const { return emitter_.Config().acc_rows - 2 * turning_; }
  [[nodiscard]] std::int64_t SumsOf(const WeightGradientPart& part, std::int64_t tap) const {
    return part.sums + (tap - part.taps.begin) * part.inputs.Size() * part.Outputs(shape_, n_);
  }

  const WeightGradientTensors& tensors_;
  const WeightGradientShape& shape_;
  Emitter& emitter_;
  std::int64_t n_;
  std::int64_t columns_;    // Of a tile of x.
  std::int64_t g_columns_;  // Of a tile of g.
  WeightGradientTiling tiling_;
  std::vector<Chunk> chunks_;
  // First UB rows; where there are two, they take turns.
  std::array<std::int64_t, 2> x_rows_{};
  std::array<std::int64_t, 2> g_rows_{};
  std::array<std::int64_t, 2> turned_rows_{};
  std::array<std::int64_t, 2> result_rows_{};
  std::array<PaddedColumns, 2> x_zeros_;
  std::array<PaddedColumns, 2> g_zeros_;
  std::size_t x_turn_ = 0;
  std::int64_t identity_row_ = 0;
  std::optional<WeightGradientResults> results_;
  std::uint64_t zeros_ = 0;   // In memory.
  std::int64_t turning_ = 0;  // Accumulators.
  std::int64_t turning_turn_ = 0;
};

}  // namespace

void LowerConvWeightGradient(const OperatorContext& context, const ir::ConvWeightGradient& op,
                             Emitter& emitter) {
  const Images x = ImagesOf(context.Input(0));
  const Images g = ImagesOf(context.Input(1));
  const ir::Shape weights =
      ir::WeightsOf(op, context.Input(0).shape, context.Input(1).shape, context.Output().shape);
  const auto window = [](std::int64_t size, std::int64_t stride, std::int64_t dilation,
                         std::int64_t pad, std::int64_t input) {
    return ir::Window{
        .size = size, .stride = stride, .dilation = dilation, .pad = pad, .input = input};
  };
  WeightGradientShape shape = {
      .x = x,
      .g = g,
      .down = window(weights[1], op.stride.h, op.dilation.h, op.padding.top, x.h),
      .across = window(weights[2], op.stride.w, op.dilation.w, op.padding.left, x.w),
      .depthwise = op.depthwise,
      .bias = op.bias,
      .minuend = context.op.inputs.size() > 2,
      .rounded = context.op.outputs.size() > (op.bias ? 2U : 1U)};
  WeightGradientTensors tensors = {.x = context.InputPlacement(0),
                                   .g = context.InputPlacement(1),
                                   .result = context.OutputPlacement()};
  if (context.op.inputs.size() > 2) tensors.minuend = context.InputPlacement(2);
  const std::vector<ir::TensorId>& outputs = context.op.outputs;
  if (op.bias) tensors.bias = context.placements[outputs.at(1)];
  const std::size_t rounded = op.bias ? 2 : 1;
  if (outputs.size() > rounded) tensors.rounded = context.placements[outputs[rounded]];
  const bool pointwise = weights[1] == 1 && weights[2] == 1 && op.stride.h == 1 &&
                         op.stride.w == 1 && x.h == g.h && x.w == g.w;
  if (pointwise) {  // All pixels of all images are one column.
    const std::int64_t pixels = x.n * x.h * x.w;
    shape.x = {.h = pixels, .c = x.c};
    shape.g = {.h = pixels, .c = g.c};
    shape.down = {.input = pixels};
    shape.across = {};
    tensors.x.images = shape.x;
    tensors.g.images = shape.g;
  }
  WeightGradientLowering(tensors, shape, emitter).Run();
}

}  // namespace tpu::compiler
