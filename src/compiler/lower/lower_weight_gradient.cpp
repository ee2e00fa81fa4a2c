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
#include "compiler/lower/operations.h"
#include "compiler/place/layout.h"
#include "compiler/program/fields.h"
#include "compiler/program/parameters.h"
#include "compiler/quantise/bfloat16.h"
#include "compiler/tile/weight_gradient_tiling.h"

namespace tpu::compiler {
namespace {

constexpr std::int64_t kBfloat16Rows = isa::kFormatOf<Bfloat16>.Bytes();
constexpr std::int64_t kFloat32Rows = isa::kFormatOf<float>.Bytes();

// The image and the rows of g that one load brings.
struct Chunk {
  std::int64_t image = 0;
  ir::Range rows;
};

// Channel blocks and taps whose sums are in the accumulators at the same time.
struct Part {
  ir::Range outputs;
  ir::Range inputs;
  ir::Range taps;
  std::int64_t sums = 0;  // The first accumulator.
};

// Blocks of N pixels at one distance in both tiles.
struct Walk {
  std::int64_t first = 0;   // Number of the first block among the chunk's.
  std::int64_t blocks = 0;
  std::int64_t bound = 0;   // Pixels: of the walk or, of blocks apart, of each block.
  bool along = false;       // Whether a block's pixels follow those of the block before.
  std::int64_t column = 0;  // Of g, of the first pixel.
};

struct WeightGradientTensors {
  Placement x;
  Placement g;
  Placement result;
  std::optional<Placement> bias;     // A second result,
  std::optional<Placement> rounded;  // and the first one in bfloat16.
  std::optional<Placement> minuend;
};

class WeightGradientLowering {
 public:
  WeightGradientLowering(const WeightGradientTensors& tensors, const WeightGradientShape& shape,
                         Emitter& emitter)
      : x_(tensors.x),
        g_(tensors.g),
        result_(tensors.result),
        bias_(tensors.bias),
        rounded_(tensors.rounded),
        minuend_(tensors.minuend),
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
    LoadEntry();
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
    take_two(g_rows_, rows.g, rows.chunks);
    take_two(turned_rows_, rows.turned, rows.chunks);
    take_two(result_rows_, rows.result, true);
    identity_row_ = take(rows.identity);
    turning_ = TurningAccumulators(emitter_.Config());
    zeros_ = emitter_.AddConstant(
        std::vector<std::uint8_t>(static_cast<std::size_t>(kZeroBytes), std::uint8_t{0}));
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

  // The entry that all of FVECTOR's rows read, though none is scaled.
  void LoadEntry() {
    const std::vector<LaneParameters> entry(static_cast<std::size_t>(n_),
                                            FloatParameters(0.0F, 0.0F));
    const std::uint64_t address = emitter_.AddConstant(PackParameters(entry, emitter_.Config()));
    entry_ = emitter_.AllocateParameters(1);
    emitter_.LoadParameters(address, 1, entry_);
  }

  void RunPart(const Part& part, bool turned) {
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
        if (last) Drain(part, part.taps.begin + tap);
      }
      if (!HasBias(part)) continue;
      MultiplyOnes(part, i);
      if (last) DrainBias(part);
    }
  }

  // Tiles of x and g, which the buffers of this chunk's turn hold.
  [[nodiscard]] Tile TileOfX(std::size_t chunk) const {
    const ir::Range all = {.begin = 0, .end = shape_.g.w};
    return Tile::Wide(x_rows_.at((x_turn_ + chunk) % 2),
                      shape_.down.Reach(chunks_[chunk].rows, shape_.down.AllTaps()),
                      shape_.across.Reach(all, shape_.across.AllTaps()), kBfloat16Rows);
  }
  [[nodiscard]] Tile TileOfG(std::size_t chunk) const {
    return Tile::Wide(g_rows_.at(chunk % 2), chunks_[chunk].rows,
                      {.begin = 0, .end = g_columns_}, kBfloat16Rows);
  }

  void Load(const Part& part, std::size_t chunk, bool only_x) {
    if (!only_x) LoadTile(g_, chunks_[chunk].image, part.outputs, TileOfG(chunk));
    LoadTile(x_, chunks_[chunk].image, part.inputs, TileOfX(chunk));
  }

  // The part of the image that the tile has, and zeros around.
  void LoadTile(const Placement& placement, std::int64_t image, const ir::Range& blocks,
                const Tile& tile) {
    const Images& images = placement.images;
    const ir::Range ys = {.begin = std::clamp<std::int64_t>(tile.ys.begin, 0, images.h),
                          .end = std::clamp<std::int64_t>(tile.ys.end, 0, images.h)};
    const ir::Range xs = {.begin = std::clamp<std::int64_t>(tile.xs.begin, 0, images.w),
                          .end = std::clamp<std::int64_t>(tile.xs.end, 0, images.w)};
    for (const ir::Range& rows : {ir::Range{.begin = tile.ys.begin, .end = ys.begin},
                                  ir::Range{.begin = ys.end, .end = tile.ys.end}}) {
      if (rows.Empty()) continue;
      FillZeros(tile, blocks.Size(), tile.RowOf(rows.begin, tile.xs.begin),
                rows.Size() * tile.xs.Size(), tile.pixel);
    }
    for (const ir::Range& columns : {ir::Range{.begin = tile.xs.begin, .end = xs.begin},
                                     ir::Range{.begin = xs.end, .end = tile.xs.end}}) {
      for (std::int64_t column = columns.begin; column < columns.end && !ys.Empty(); ++column) {
        FillZeros(tile, blocks.Size(), tile.RowOf(ys.begin, column), ys.Size(), tile.pitch);
      }
    }
    if (ys.Empty() || xs.Empty()) return;
    Tile inside = tile;
    inside.row = tile.RowOf(ys.begin, xs.begin);
    inside.xs = xs;
    if (xs.Size() == tile.xs.Size()) {
      inside.ys = ys;
      emitter_.LoadWide(placement, image, blocks, inside);
      return;
    }
    for (std::int64_t y = ys.begin; y < ys.end; ++y) {
      inside.ys = {.begin = y, .end = y + 1};
      inside.row = tile.RowOf(y, xs.begin);
      emitter_.LoadWide(placement, image, blocks, inside);
    }
  }

  // Pixels of zeros, `step` UB rows apart, in all of the tile's blocks.
  void FillZeros(const Tile& tile, std::int64_t blocks, std::int64_t row, std::int64_t pixels,
                 std::int64_t step) {
    const std::int64_t bytes = kBfloat16Rows * n_;
    for (std::int64_t block = 0; block < blocks; ++block) {
      isa::Load load;
      load.format = isa::NumberFormat::kBfloat16;
      load.dram_addr = zeros_;
      load.row_bytes = U32(bytes);
      load.rows = U32(pixels);
      load.row = U32(row + block * tile.plane);
      load.pixel_bytes = U32(bytes);
      load.pixel_stride = U32(step);
      const std::int64_t first = row + block * tile.plane;
      emitter_.Emit(load, {Rows(first, (pixels - 1) * step + kBfloat16Rows, true)});
    }
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
  void Turn(const Part& part, std::size_t chunk) {
    const Tile tile = TileOfG(chunk);
    const std::int64_t most = turning_ / n_;
    for (const Walk& walk : WalksOf(chunks_[chunk])) {
      const std::int64_t step = walk.along ? n_ * tile.pixel : tile.pitch;
      for (std::int64_t block = 0; block < part.outputs.Size(); ++block) {
        const std::int64_t row =
            tile.FromBlock(block).RowOf(tile.ys.begin, walk.column);
        for (const ir::Range& blocks : ir::Split(walk.blocks, most)) {
          isa::UbWeights weights = TilesOf(walk, row + blocks.begin * step, tile.pixel);
          if (walk.along) weights.row_bound = U32(walk.bound - blocks.begin * n_);
          weights.transpose = 1;
          weights.n_ob = U32(blocks.Size());
          weights.n_cb = 1;
          weights.s_ob = S32(step);
          weights.along_ob = walk.along ? 1 : 0;
          emitter_.Emit(weights, {Rows(tile.FromBlock(block).row, tile.plane, false)});
          TurnBlocks(part, chunk, block, walk.first + blocks.begin, blocks.Size());
        }
      }
    }
  }

  void TurnBlocks(const Part& part, std::size_t chunk, std::int64_t channel_block,
                  std::int64_t first, std::int64_t blocks) {
    const std::int64_t accumulators = Sums() + turning_ * std::exchange(turning_turn_, 1 - turning_turn_);
    isa::Matmul matmul = Product(identity_row_, 0, n_);
    matmul.n_ob = U32(blocks);
    matmul.n_cb = 1;
    matmul.acc_row = U32(accumulators);
    matmul.acc_ob_stride = U32(n_);
    emitter_.Emit(matmul, {Rows(identity_row_, n_ * kBfloat16Rows, false),
                           Accumulators(accumulators, blocks * n_, true)});

    const std::int64_t outputs = part.outputs.Size() * n_;
    const std::int64_t row =
        turned_rows_.at(chunk % 2) + (first * outputs + channel_block * n_) * kBfloat16Rows;
    isa::Fvector vector = Drained(accumulators, n_, blocks, n_);
    vector.o_format = isa::NumberFormat::kBfloat16;
    vector.o_row = U32(row);
    vector.o_cb = S32(outputs * kBfloat16Rows);
    vector.o_ow = S32(kBfloat16Rows);
    std::vector<Access> accesses = {Accumulators(accumulators, blocks * n_, false)};
    for (std::int64_t b = 0; b < blocks; ++b) {
      accesses.push_back(Rows(row + b * outputs * kBfloat16Rows, n_ * kBfloat16Rows, true));
    }
    Emit(vector, std::move(accesses));
  }

  void Multiply(const Part& part, std::size_t chunk, std::int64_t tap) {
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
      emitter_.Emit(weights, {Rows(tile.row, tile.plane * part.inputs.Size(), false)});
      MultiplyTurned(part, chunk, walk, part.inputs.Size(), SumsOf(part, tap),
                     std::exchange(first, false));
    }
  }

  // The first part of some outputs has the bias, too.
  [[nodiscard]] bool HasBias(const Part& part) const {
    return bias_ && part.taps.begin == 0 && (shape_.depthwise || part.inputs.begin == 0);
  }
  // Behind the sums of all taps.
  [[nodiscard]] std::int64_t BiasSums(const Part& part) const { return SumsOf(part, part.taps.end); }

  // Of each pixel, a row with a one in the first lane.
  void MultiplyOnes(const Part& part, std::size_t chunk) {
    bool first = chunk == 0;
    for (const Walk& walk : WalksOf(chunks_[chunk])) {
      isa::UbWeights weights = TilesOf(walk, identity_row_, 0);
      weights.n_ob = 1;
      weights.n_cb = U32(walk.blocks);
      weights.along_cb = walk.along ? 1 : 0;
      emitter_.Emit(weights, {Rows(identity_row_, kBfloat16Rows, false)});
      MultiplyTurned(part, chunk, walk, 1, BiasSums(part), std::exchange(first, false));
    }
  }

  // Turned pixels of the walk's blocks times as many tiles of each of `blocks` output blocks.
  void MultiplyTurned(const Part& part, std::size_t chunk, const Walk& walk, std::int64_t blocks,
                      std::int64_t sums, bool first) {
    const std::int64_t outputs = part.outputs.Size() * n_;
    const std::int64_t row = turned_rows_.at(chunk % 2) + walk.first * outputs * kBfloat16Rows;
    isa::Matmul matmul = Product(row, outputs, OutputsOf(part));
    matmul.accumulate = first ? 0 : 1;
    matmul.n_ob = U32(blocks);
    matmul.n_cb = U32(walk.blocks);
    matmul.acc_row = U32(sums);
    matmul.acc_ob_stride = U32(OutputsOf(part));
    emitter_.Emit(matmul, {Rows(row, walk.blocks * outputs * kBfloat16Rows, false),
                           Accumulators(sums, blocks * OutputsOf(part), true)});
  }

  void DrainBias(const Part& part) {
    ResultTile tile = {.place = part.outputs.begin * n_,
                       .channels = 1,  // The first lane of each row.
                       .rows = OutputsOf(part),
                       .stride = 1};
    Place(tile);
    Write(Drained(BiasSums(part), tile.rows, 1, tile.rows), tile,
          {Accumulators(BiasSums(part), tile.rows, false)});
    const auto store = Transfer<isa::Store>(*bias_, tile, tile.row);
    emitter_.Emit(store,
                  {Memory(store, true), Rows(tile.row, tile.Numbers() * kFloat32Rows, false)});
  }

  void Emit(isa::Fvector vector, std::vector<Access> accesses) {
    vector.param_row = U32(entry_);
    accesses.push_back(Rows(entry_, 1, false));
    accesses.back().space = Space::kParameters;
    emitter_.Emit(vector, std::move(accesses));
  }

  void Drain(const Part& part, std::int64_t tap) {
    if (shape_.depthwise) {
      DrainDiagonal(part, tap);
      return;
    }
    for (const ir::Range& blocks : ir::Split(part.inputs, kDrainedBlocks)) {
      DrainBlocks(part, tap, blocks);
    }
  }

  // Places of a part's results in memory and in the buffer.
  struct ResultTile {
    std::int64_t place = 0;  // Among the results, of the first number.
    std::int64_t channels = 0;
    std::int64_t blocks = 1;
    std::int64_t rows = 1;    // Of a block.
    std::int64_t stride = 0;  // Between the rows in memory, in numbers.
    // UB rows of the results, of what they are subtracted from, of them in bfloat16.
    std::int64_t row = 0;
    std::int64_t minuend = 0;
    std::int64_t rounded = 0;

    [[nodiscard]] std::int64_t Numbers() const { return blocks * rows; }
  };

  // Two places in the buffer take turns.
  void Place(ResultTile& tile) {
    tile.row = result_rows_.at(result_turn_++ % 2);
    tile.minuend = tile.row + tile.Numbers() * kFloat32Rows;
    tile.rounded = tile.minuend + (minuend_ ? tile.Numbers() * kFloat32Rows : 0);
  }

  void DrainBlocks(const Part& part, std::int64_t tap, const ir::Range& inputs) {
    // [output][tap][input] in memory.
    const std::int64_t taps = shape_.down.size * shape_.across.size;
    ResultTile tile = {
        .place = (part.outputs.begin * n_ * taps + tap) * shape_.x.c + inputs.begin * n_,
        .channels = std::min(shape_.x.c, inputs.end * n_) - inputs.begin * n_,
        .blocks = inputs.Size(),
        .rows = OutputsOf(part),
        .stride = taps * shape_.x.c};
    Place(tile);
    LoadMinuend(tile);
    const std::int64_t sums = SumsOf(part, tap) + (inputs.begin - part.inputs.begin) * tile.rows;
    isa::Fvector vector = Drained(sums, tile.rows, tile.blocks, tile.rows);
    std::vector<Access> accesses = {Accumulators(sums, tile.Numbers(), false)};
    if (minuend_) {
      vector.map = isa::FloatMap::kReverseSubtract;
      vector.b_format = isa::NumberFormat::kFloat32;
      vector.b_row = S32(tile.minuend);
      vector.b_cb = S32(tile.rows * kFloat32Rows);
      vector.b_ow = S32(kFloat32Rows);
      accesses.push_back(Rows(tile.minuend, tile.Numbers() * kFloat32Rows, false));
    }
    Write(vector, tile, std::move(accesses));
    StoreResults(tile);
  }

  // Each channel's sum with itself: of each lane, the sum of products with ones on the diagonal.
  void DrainDiagonal(const Part& part, std::int64_t tap) {
    ResultTile tile = {.place = tap * shape_.x.c + part.inputs.begin * n_,
                       .channels = OutputsOf(part)};
    Place(tile);
    LoadMinuend(tile);
    const std::int64_t sums = SumsOf(part, tap);
    isa::Fvector vector = Drained(sums, tile.channels, 1, 1);
    vector.map = isa::FloatMap::kMultiply;
    vector.b_format = isa::NumberFormat::kBfloat16;
    vector.n_kh = U32(tile.channels);
    vector.a_kh = 1;
    vector.b_row = S32(identity_row_);
    vector.b_kh = S32(kBfloat16Rows);
    Write(vector, tile,
          {Accumulators(sums, tile.channels, false),
           Rows(identity_row_, tile.channels * kBfloat16Rows, false)});
    if (minuend_) {
      isa::Fvector subtract = Elements(tile.row, isa::NumberFormat::kFloat32, tile);
      subtract.map = isa::FloatMap::kReverseSubtract;
      subtract.b_format = isa::NumberFormat::kFloat32;
      subtract.b_row = S32(tile.minuend);
      Write(subtract, tile,
            {Rows(tile.row, kFloat32Rows, false), Rows(tile.minuend, kFloat32Rows, false)});
    }
    StoreResults(tile);
  }

  // To the results' rows.
  void Write(isa::Fvector vector, const ResultTile& tile, std::vector<Access> accesses) {
    vector.o_format = isa::NumberFormat::kFloat32;
    vector.o_row = U32(tile.row);
    vector.o_cb = S32(tile.rows * kFloat32Rows);
    vector.o_ow = S32(kFloat32Rows);
    accesses.push_back(Rows(tile.row, tile.Numbers() * kFloat32Rows, true));
    Emit(vector, std::move(accesses));
  }

  // The tile's rows, from the buffer.
  [[nodiscard]] static isa::Fvector Elements(std::int64_t row, isa::NumberFormat format,
                                             const ResultTile& tile) {
    isa::Fvector vector = FloatOperation(ir::Activation::kNone);
    vector.a_format = format;
    vector.n_cb = U32(tile.blocks);
    vector.n_ow = U32(tile.rows);
    vector.a_row = S32(row);
    vector.a_cb = S32(tile.rows * kFloat32Rows);
    vector.a_ow = S32(kFloat32Rows);
    vector.y_bound = 1;
    vector.x_bound = 1;
    return vector;
  }

  void LoadMinuend(const ResultTile& tile) {
    if (!minuend_) return;
    const auto load = Transfer<isa::Load>(*minuend_, tile, tile.minuend);
    emitter_.Emit(load, {Memory(load, false),
                         Rows(tile.minuend, tile.Numbers() * kFloat32Rows, true)});
  }

  void StoreResults(const ResultTile& tile) {
    const auto store = Transfer<isa::Store>(result_, tile, tile.row);
    emitter_.Emit(store, {Memory(store, true),
                          Rows(tile.row, tile.Numbers() * kFloat32Rows, false)});
    if (!rounded_) return;
    isa::Fvector vector = Elements(tile.row, isa::NumberFormat::kFloat32, tile);
    vector.o_format = isa::NumberFormat::kBfloat16;
    vector.o_row = U32(tile.rounded);
    vector.o_cb = S32(tile.rows * kBfloat16Rows);
    vector.o_ow = S32(kBfloat16Rows);
    Emit(vector, {Rows(tile.row, tile.Numbers() * kFloat32Rows, false),
                  Rows(tile.rounded, tile.Numbers() * kBfloat16Rows, true)});
    const auto rounded = Transfer<isa::Store>(*rounded_, tile, tile.rounded);
    emitter_.Emit(rounded, {Memory(rounded, true),
                            Rows(tile.rounded, tile.Numbers() * kBfloat16Rows, false)});
  }

  // Between a tile in the buffer and its place among the numbers of a tensor.
  template <typename Instruction>
  [[nodiscard]] static Instruction Transfer(const Placement& placement, const ResultTile& tile,
                                            std::int64_t row) {
    const std::int64_t bytes = placement.format.Bytes();
    Instruction transfer;
    transfer.format = isa::NumberFormatOf(placement.format);
    transfer.dram_addr = placement.address + static_cast<std::uint64_t>(bytes * tile.place);
    transfer.row_bytes = U32(tile.channels * bytes);
    transfer.rows = U32(tile.rows);
    transfer.row_stride = tile.rows > 1 ? U32(tile.stride * bytes) : 0;
    transfer.row = U32(row);
    transfer.plane_stride = U32(tile.rows * bytes);
    transfer.pixel_bytes = transfer.row_bytes;
    transfer.pixel_stride = U32(bytes);
    return transfer;
  }

  template <typename Instruction>
  [[nodiscard]] static Access Memory(const Instruction& transfer, bool write) {
    return {.space = Space::kMemory,
            .write = write,
            .begin = transfer.dram_addr,
            .end = transfer.dram_addr +
                   (std::uint64_t{transfer.rows} - 1) * transfer.row_stride + transfer.row_bytes};
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

  // Rows of accumulators as they are, to rows of numbers.
  [[nodiscard]] static isa::Fvector Drained(std::int64_t accumulators, std::int64_t block_rows,
                                            std::int64_t blocks, std::int64_t rows) {
    isa::Fvector vector = FloatOperation(ir::Activation::kNone);
    vector.source = isa::VectorSource::kAccumulators;
    vector.a_format = isa::NumberFormat::kFloat32;
    vector.n_cb = U32(blocks);
    vector.n_oh = 1;
    vector.n_ow = U32(rows);
    vector.a_row = S32(accumulators);
    vector.a_cb = S32(block_rows);
    vector.a_ow = 1;
    vector.y_bound = 1;
    vector.x_bound = 1;
    return vector;
  }

  static Access Rows(std::int64_t first, std::int64_t count, bool write) {
    return {.space = Space::kUnifiedBuffer,
            .write = write,
            .begin = static_cast<std::uint64_t>(first),
            .end = static_cast<std::uint64_t>(first + count)};
  }
  static Access Accumulators(std::int64_t first, std::int64_t count, bool write) {
    Access access = Rows(first, count, write);
    access.space = Space::kAccumulators;
    return access;
  }

  [[nodiscard]] std::int64_t OutputsOf(const Part& part) const {
    return std::min(shape_.g.c, part.outputs.end * n_) - part.outputs.begin * n_;
  }
  // Accumulators of sums; those for turning are behind.
  [[nodiscard]] std::int64_t Sums() const { return emitter_.Config().acc_rows - 2 * turning_; }
  [[nodiscard]] std::int64_t SumsOf(const Part& part, std::int64_t tap) const {
    return part.sums + (tap - part.taps.begin) * part.inputs.Size() * OutputsOf(part);
  }

  static constexpr std::int64_t kZeroBytes = 1024;

  const Placement& x_;
  const Placement& g_;
  const Placement& result_;
  const std::optional<Placement>& bias_;
  const std::optional<Placement>& rounded_;
  const std::optional<Placement>& minuend_;
  const WeightGradientShape& shape_;
  Emitter& emitter_;
  std::int64_t n_;
  std::int64_t columns_;    // Of a tile of x.
  std::int64_t g_columns_;  // Of a tile of g.
  WeightGradientTiling tiling_;
  std::vector<Chunk> chunks_;
  // First UB rows; two of each take turns.
  std::array<std::int64_t, 2> x_rows_{};
  std::array<std::int64_t, 2> g_rows_{};
  std::array<std::int64_t, 2> turned_rows_{};
  std::array<std::int64_t, 2> result_rows_{};
  std::size_t x_turn_ = 0;
  std::size_t result_turn_ = 0;
  std::int64_t identity_row_ = 0;
  std::int64_t entry_ = 0;
  std::int64_t turning_ = 0;  // Accumulators.
  std::int64_t turning_turn_ = 0;
  std::uint64_t zeros_ = 0;
};

}  // namespace

void LowerConvWeightGradient(const OperatorContext& context, const ir::ConvWeightGradient& op,
                             Emitter& emitter) {
  const Images x = ImagesOf(context.Input(0));
  const Images g = ImagesOf(context.Input(1));
  const ir::Shape& weights = context.Output().shape;
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
