// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/conv_instructions.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/lower/conv_drain.h"
#include "compiler/lower/conv_plan.h"
#include "compiler/lower/conv_shape.h"
#include "compiler/lower/matrix_weights.h"
#include "compiler/place/layout.h"
#include "compiler/program/fields.h"

namespace tpu::compiler {
namespace {

class ConvLowering {
 public:
  ConvLowering(const ConvJob& job, bool thin, const ConvTiling& tiling, Emitter& emitter)
      : job_(job),
        emitter_(emitter),
        n_(emitter.Lanes()),
        row_numbers_(job.input.format.ElementsOfRow(emitter.Config())),
        planes_(Planes(job.input.format)),
        format_(planes_ == 1 ? isa::NumberFormatOf(job.input.format) : isa::NumberFormat::kInt8),
        thin_(thin),
        tiling_(tiling),
        column_tiles_(KernelColumnTiles(ShapeOf(job, thin, n_), n_)),
        y_(RowsOf(job)),
        pieces_(job.block.Pixels()),
        plan_(PlanConv(job, tiling, column_tiles_ * pieces_)) {}

  /// The instructions, for constants at these places.
  void Emit(const ConvConstants& constants) {
    weights_ = constants.weights;
    zero_tiles_ = constants.zero_tiles;
    parameters_address_ = constants.parameters;
    AllocateBuffers();
    EmitSteps();
  }

 private:
  void AllocateBuffers() {
    const std::int64_t images = job_.input.images.n;
    const bool two_inputs = tiling_.Loads() * images > 1;
    const bool two_outputs = tiling_.Stores() * images > 1;
    const MatrixBuffers matrices =
        UsesMatrixBuffers(job_) ? MatrixBuffersOf(*job_.matrices, emitter_) : MatrixBuffers{};
    const std::int64_t rows = tiling_.input_rows * (two_inputs ? 2 : 1) +
                              tiling_.output_rows * (two_outputs ? 2 : 1) + matrices.Rows();
    const std::int64_t base = emitter_.AllocateBuffer(rows);
    input_buffers_ = {base, base + (two_inputs ? tiling_.input_rows : 0)};
    const std::int64_t outputs = input_buffers_.second + tiling_.input_rows;
    output_buffers_ = {outputs, outputs + (two_outputs ? tiling_.output_rows : 0)};
    if (UsesMatrixBuffers(job_)) {
      matrices_.emplace(*job_.matrices, matrices, output_buffers_.second + tiling_.output_rows,
                        emitter_);
    }
    const std::int64_t blocks = job_.output.Blocks(n_);
    resident_parameters_ =
        !job_.parameters_of_images &&
        (tiling_.output_blocks.size() == 1 || blocks * pieces_ * 2 <= emitter_.Config().param_rows);
    if (resident_parameters_) parameters_ = emitter_.AllocateParameters(blocks * pieces_);
  }

  void EmitSteps() {
    LoadInput(0);
    if (resident_parameters_) {
      emitter_.LoadParameters(parameters_address_, job_.output.Blocks(n_) * pieces_, parameters_,
                              HasComputedBiases(job_));
    }
    if (!job_.table.empty()) {
      lookup_ = emitter_.AllocateLookup(1);
      emitter_.LoadLookup(emitter_.AddConstant(job_.table), lookup_, 1);
    }
    const InputTile* input = nullptr;
    for (const ConvStep& step : plan_.steps) {
      if (input != &plan_.inputs[step.input]) {
        // The next tile is loaded before the product of this tile, so that both overlap.
        input = &plan_.inputs[step.input];
        current_input_ = next_input_;
        if (step.input + 1 < plan_.inputs.size()) LoadInput(step.input + 1);
      }
      if (step.first_of_sum) BeginSum(step);
      Multiply(step);
      if (step.last_of_sum) Drain(step);
    }
  }

  void LoadInput(std::size_t index) {
    const InputTile& input = plan_.inputs[index];
    if (job_.input.row) {
      next_input_ = Tile::Resident(job_.input, input.blocks.begin);
      return;
    }
    const std::int64_t row = input_buffers_.first;
    std::swap(input_buffers_.first, input_buffers_.second);
    ir::Range ys = y_.Input(input.rows, input.kernel_rows);
    ir::Range xs = job_.x.Input(input.columns, job_.x.AllTaps());
    if (ys.Empty() || xs.Empty()) ys = xs = {};
    next_input_ = thin_ ? Tile::Thin(row, ys, xs, job_.input.PixelBytes(n_), emitter_.RowBytes())
                        : Tile::InPieces(row, ys, xs, job_.block, InputPixelRows(job_));
    if (ys.Empty()) return;
    if (thin_) {
      emitter_.LoadThin(job_.input, input.image, next_input_);
    } else if (index == 0 && !tiling_.LoadsForEachSum()) {
      for (const ir::Range& part : tiling_.first_parts) {
        emitter_.LoadWide(job_.input, input.image, part, next_input_.FromBlock(part.begin));
      }
    } else {
      emitter_.LoadWide(job_.input, input.image, input.blocks, next_input_);
    }
  }

  void BeginSum(const ConvStep& step) {
    accumulators_ = emitter_.NextAccumulators();
    if (resident_parameters_) return;
    const ir::Range outputs = step.output.blocks;
    const std::int64_t first =
        outputs.begin + (job_.parameters_of_images ? step.image * job_.output.Blocks(n_) : 0);
    const std::int64_t entry_bytes = emitter_.Config().ParamEntryBytes();
    const std::int64_t entries = outputs.Size() * pieces_;
    parameters_ = emitter_.AllocateParameters(entries);
    emitter_.LoadParameters(
        parameters_address_ + static_cast<std::uint64_t>(first * pieces_ * entry_bytes), entries,
        parameters_, HasComputedBiases(job_));
  }

  void Multiply(const ConvStep& step) {
    if (job_.depthwise) {
      MultiplyDepthwise(step);
    } else if (job_.matrices) {
      if (HasCommonSums(job_)) MultiplyForCommonSums(step);
      MultiplyMatrices(step);
    } else {
      Multiply(step, {.outputs = step.output.blocks,
                      .inputs = step.input_blocks,
                      .input = InputOf(step, step.input_blocks),
                      .accumulators = accumulators_,
                      .first_of_sum = step.first_of_sum,
                      .weights = weights_,
                      .weight_tile = step.weight_tile,
                      .weight_tiles = step.weight_tiles});
    }
  }

  // The step's input tile from the first of these blocks on.
  [[nodiscard]] Tile InputOf(const ConvStep& step, const ir::Range& blocks) const {
    return current_input_.FromBlock(blocks.begin - plan_.inputs[step.input].blocks.begin);
  }

  void MultiplyDepthwise(const ConvStep& step) {
    const std::int64_t blocks = step.output.blocks.Size();
    const std::int64_t tiles = step.weight_tiles / (blocks * pieces_);
    for (std::int64_t block = 0; block < blocks; ++block) {
      for (std::int64_t piece = 0; piece < pieces_; ++piece) {
        const std::int64_t before = block * pieces_ + piece;
        Multiply(step,
                 {.input = current_input_.Piece(piece, blocks).FromBlock(block),
                  .accumulators = accumulators_ + before * Rows(step),
                  .first_of_sum = step.first_of_sum,
                  .weights = weights_,
                  .weight_tile = step.weight_tile + static_cast<std::uint64_t>(before * tiles),
                  .weight_tiles = tiles});
      }
    }
  }

  // The zero point of the matrices times the sum of each row of activations.
  void MultiplyForCommonSums(const ConvStep& step) {
    const std::int64_t all_inputs = job_.input.Blocks(n_);
    for (std::size_t i = 0; i < job_.matrices->zero_parts.size(); ++i) {
      const std::int64_t tile = static_cast<std::int64_t>(i) * all_inputs + step.input_blocks.begin;
      Multiply(step, {.inputs = step.input_blocks,
                      .input = InputOf(step, step.input_blocks),
                      .accumulators = accumulators_,
                      .first_of_sum = step.first_of_sum && i == 0,
                      .weights = zero_tiles_,
                      .weight_tile = static_cast<std::uint64_t>(tile),
                      .weight_tiles = step.input_blocks.Size()});
    }
  }

  // As many tiles at once as can be brought together, all of an output block's before the next
  // output block's.
  void MultiplyMatrices(const ConvStep& step) {
    const std::int64_t all_inputs = job_.input.Blocks(n_);
    const std::int64_t most =
        matrices_ ? matrices_->MostTiles() : all_inputs * step.output.blocks.Size();
    const std::int64_t inputs = std::min(step.input_blocks.Size(), most);
    // Tiles in memory lie behind each other for all inputs of an output block.
    const bool together = matrices_ ? inputs == step.input_blocks.Size() : inputs == all_inputs;
    const std::int64_t outputs = together ? most / inputs : 1;
    const std::int64_t first_sums = accumulators_ + (HasCommonSums(job_) ? Rows(step) : 0);
    for (const ir::Range& out : ir::Split(step.output.blocks, outputs)) {
      for (const ir::Range& in : ir::Split(step.input_blocks, inputs)) {
        const std::int64_t tile =
            (step.image * job_.output.Blocks(n_) + out.begin) * all_inputs + in.begin;
        Multiply(step,
                 {.outputs = out,
                  .inputs = in,
                  .input = InputOf(step, in),
                  .accumulators = first_sums + (out.begin - step.output.blocks.begin) * Rows(step),
                  .first_of_sum = step.first_of_sum && in.begin == step.input_blocks.begin,
                  .from_buffer = matrices_.has_value(),
                  .weights = weights_,
                  .weight_tile = static_cast<std::uint64_t>(tile),
                  .weight_tiles = out.Size() * in.Size()});
      }
    }
  }

  // What one MATMUL adds to a step's sums.
  struct Product {
    ir::Range outputs = {.begin = 0, .end = 1};  // Blocks.
    ir::Range inputs = {.begin = 0, .end = 1};
    Tile input;  // From the first of the input blocks on.
    std::int64_t accumulators = 0;
    bool first_of_sum = false;
    bool from_buffer = false;  // The tiles come from the matrices in the unified buffer.
    WeightTiles weights;       // Else from memory.
    std::uint64_t weight_tile = 0;
    std::int64_t weight_tiles = 0;
  };

  void Multiply(const ConvStep& step, const Product& product) {
    if (product.from_buffer) {
      matrices_->Bring(step.image, product.outputs, product.inputs);
    } else {
      BringWeights(step, product);
    }

    isa::Matmul matmul;
    matmul.format = format_;
    matmul.accumulate = product.first_of_sum ? 0 : 1;
    matmul.planes = planes_ == 1 ? 0 : 1;
    matmul.zero_point = job_.input_zero;
    matmul.n_ob = U32(product.outputs.Size());
    matmul.n_cb = U32(product.inputs.Size());
    matmul.n_kh = U32(step.kernel_rows.Size());
    matmul.n_kw = U32(column_tiles_);
    matmul.n_oh = U32(planes_ * step.output.rows.Size());
    matmul.n_ow = U32(RowsAcross(step));
    matmul.acc_row = U32(product.accumulators);
    matmul.acc_ob_stride = U32(Rows(step));
    SetAddresses(matmul, step, product.input);
    SetBounds(matmul, step, product.input);

    std::vector<Access> accesses = product.input.Accesses(
        y_.Input(step.output.rows, step.kernel_rows), product.inputs.Size(), false);
    accesses.push_back(
        AccumulatorAccess(product.accumulators, product.outputs.Size() * Rows(step), true));
    emitter_.Emit(matmul, std::move(accesses));
  }

  void BringWeights(const ConvStep& step, const Product& product) {
    isa::Weights weights;
    weights.format = format_;
    const auto tile_bytes = static_cast<std::uint64_t>(isa::TileBytes(format_, emitter_.Config()));
    weights.dram_addr = product.weights.address + product.weight_tile * tile_bytes;
    weights.tiles = U32(product.weight_tiles);
    weights.transpose = product.weights.transposed ? 1 : 0;
    std::vector<Access> reads;
    if (!step.weights_after.Empty()) {
      reads = current_input_.FromBlock(step.weights_after.begin)
                  .Accesses(current_input_.ys, step.weights_after.Size(), false);
    }
    if (product.weights.computed) {
      reads.push_back({.space = Space::kMemory,
                       .begin = weights.dram_addr,
                       .end = weights.dram_addr + weights.tiles * tile_bytes});
    }
    emitter_.Emit(weights, std::move(reads));
  }

  // In numbers.
  void SetAddresses(isa::Matmul& matmul, const ConvStep& step, const Tile& tile) const {
    const std::int64_t pixel = thin_ ? PixelNumbers() : tile.pixel * row_numbers_;
    const std::int64_t y = y_.First(step.output.rows, step.kernel_rows) - tile.ys.begin;
    const std::int64_t x = job_.x.First(step.output.columns, job_.x.AllTaps()) - tile.xs.begin;
    matmul.ub_addr = S32((tile.row + y * tile.pitch) * row_numbers_ + x * pixel);
    matmul.s_cb = S32(tile.plane * row_numbers_);
    matmul.s_kh = S32(y_.dilation * tile.pitch * row_numbers_);
    matmul.s_kw = S32(SharesNoLanes() ? job_.x.dilation * pixel : n_);
    matmul.s_oh = S32(y_.stride * tile.pitch * row_numbers_);
    matmul.s_ow = S32(job_.x.stride * job_.block.across * pixel);
  }

  // Coordinates count from the tile's corner. The tile holds all pixels that its windows need.
  void SetBounds(isa::Matmul& matmul, const ConvStep& step, const Tile& tile) const {
    const bool inside = tile.ys.Contains(y_.Reach(step.output.rows, step.kernel_rows)) &&
                        tile.xs.Contains(job_.x.Reach(step.output.columns, job_.x.AllTaps()));
    if (inside && SharesNoLanes()) {
      matmul.y_bound = 1;
      matmul.x_bound = U32(n_);
      return;
    }
    const std::int64_t pixel = PixelNumbers();
    matmul.y0 = S32(y_.First(step.output.rows, step.kernel_rows) - tile.ys.begin);
    matmul.x0 = S32((job_.x.First(step.output.columns, job_.x.AllTaps()) - tile.xs.begin) * pixel);
    matmul.y_bound = U32(tile.ys.Size());
    matmul.x_bound = U32(tile.xs.Size() * pixel);
    matmul.ys_kh = U32(y_.dilation);
    matmul.ys_oh = U32(y_.stride);
    matmul.xs_kw = U32(SharesNoLanes() ? job_.x.dilation * pixel : n_);
    matmul.xs_ow = U32(job_.x.stride * job_.block.across * pixel);
  }

  void Drain(const ConvStep& step) {
    const std::int64_t first_block = resident_parameters_ ? step.output.blocks.begin : 0;
    const Tile tile = OutputTile(step);
    EmitDrain(job_,
              {.part = {.rows = OutputRows(step.output.rows, job_.y, job_.block),
                        .columns = step.output.columns,
                        .blocks = step.output.blocks},
               .output = tile,
               .rows = Rows(step),
               .rows_across = RowsAcross(step),
               .planes = planes_,
               .accumulators = accumulators_,
               .common_sums = HasCommonSums(job_),
               .parameters = parameters_ + first_block * pieces_,
               .lookup = lookup_},
              emitter_);
    if (job_.output.row) return;
    // The first and the last row of blocks may reach over the image.
    const ir::Range rows = {.begin = std::max<std::int64_t>(tile.ys.begin, 0),
                            .end = std::min(tile.ys.end, job_.output.images.h)};
    emitter_.StoreWide(job_.output, step.image, step.output.blocks, tile.Rows(rows));
  }

  Tile OutputTile(const ConvStep& step) {
    if (job_.output.row) return Tile::Resident(job_.output, step.output.blocks.begin);
    const std::int64_t row = output_buffers_.first;
    std::swap(output_buffers_.first, output_buffers_.second);
    return Tile::InPieces(row, OutputRows(step.output.rows, job_.y, job_.block),
                          step.output.columns, {.across = job_.block.across},
                          job_.output.PixelRows());
  }

  static Access AccumulatorAccess(std::int64_t first, std::int64_t rows, bool write) {
    return {.space = Space::kAccumulators,
            .write = write,
            .begin = static_cast<std::uint64_t>(first),
            .end = static_cast<std::uint64_t>(first + rows)};
  }

  // Whether all lanes of a row of activations hold channels of one pixel.
  [[nodiscard]] bool SharesNoLanes() const { return !thin_ && pieces_ == 1; }
  // Numbers of a column of pixels that a row of activations meets.
  [[nodiscard]] std::int64_t PixelNumbers() const {
    return thin_ ? job_.input.images.c : n_ / job_.block.across;
  }
  // Rows that enter the array for one image row of outputs.
  [[nodiscard]] std::int64_t RowsAcross(const ConvStep& step) const {
    return step.output.columns.Size() / job_.block.across;
  }
  // Rows that a weight tile meets.
  [[nodiscard]] std::int64_t Rows(const ConvStep& step) const {
    return planes_ * step.output.rows.Size() * RowsAcross(step);
  }

  const ConvJob& job_;
  Emitter& emitter_;
  std::int64_t n_;
  std::int64_t row_numbers_;  // Of a row of the unified buffer.
  std::int64_t planes_;       // Rows of a row of activations: one for each byte of int16.
  isa::NumberFormat format_;  // Of what is multiplied.
  bool thin_;
  ConvTiling tiling_;
  std::int64_t column_tiles_;
  ir::Window y_;         // Counts rows of blocks of pixels.
  std::int64_t pieces_;  // Of a channel block, and pixels in the lanes of a row.
  WeightTiles weights_;
  WeightTiles zero_tiles_;  // For the common sums.
  std::uint64_t parameters_address_ = 0;
  ConvPlan plan_;
  // Two buffers of each kind take turns. They are the same buffer when one is enough.
  std::pair<std::int64_t, std::int64_t> input_buffers_;
  std::pair<std::int64_t, std::int64_t> output_buffers_;
  Tile next_input_;     // The tile loaded last.
  Tile current_input_;  // The tile that is multiplied now.
  bool resident_parameters_ = false;
  std::int64_t parameters_ = 0;  // Entry of the layer's or the group's first output block.
  std::int64_t accumulators_ = 0;
  std::int64_t lookup_ = 0;
  std::optional<MatrixWeights> matrices_;
};

}  // namespace

void EmitConvInstructions(const ConvJob& job, bool thin, const ConvTiling& tiling,
                          const ConvConstants& constants, Emitter& emitter) {
  ConvLowering(job, thin, tiling, emitter).Emit(constants);
}

}  // namespace tpu::compiler
