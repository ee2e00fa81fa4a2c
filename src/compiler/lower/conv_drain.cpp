// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/conv_drain.h"

#include <utility>
#include <variant>
#include <vector>

#include "compiler/program/fields.h"

namespace tpu::compiler {
namespace {

// A loop of the instruction: how often, and how many rows of sums and of
// outputs further each time.
struct DrainLoop {
  std::int64_t n = 0;
  std::int64_t sums = 0;
  std::int64_t outputs = 0;
};

// What one instruction makes.
struct Part {
  Tile tile;
  std::int64_t blocks = 1;  // Of the tile.
  DrainLoop outer;
  DrainLoop middle;
  DrainLoop inner;
  std::int64_t accumulators = 0;
  std::int64_t entry = 0;
  std::int64_t next_entry = 0;   // Entries from one turn of the outer loop to the next one.
  std::int64_t entries = 1;      // Of each turn.
  std::int64_t common_sums = 0;  // Rows from the accumulators to those of the common sums; 0: none.
  isa::FloatInterleave interleave = isa::FloatInterleave::kNone;
};

template <typename V>
void SetFields(V& vector, const ConvJob& job, const ConvSums& sums, const Part& part) {
  SetSums(vector, sums.planes == 1 ? 0 : sums.rows_across, job.output.format);
  vector.n_cb = U32(part.outer.n);
  vector.n_oh = U32(part.middle.n);
  vector.n_ow = U32(part.inner.n);
  vector.param_row = U32(part.entry);
  vector.param_stride = U32(part.next_entry);
  vector.a_row = S32(part.accumulators);
  vector.a_cb = S32(part.outer.sums);
  vector.a_oh = S32(part.middle.sums);
  vector.a_ow = S32(part.inner.sums);
  vector.o_row = U32(part.tile.RowOf(sums.part.rows.begin, sums.part.columns.begin));
  vector.o_cb = S32(part.outer.outputs);
  vector.o_oh = S32(part.middle.outputs);
  vector.o_ow = S32(part.inner.outputs);
  vector.y_bound = 1;
  vector.x_bound = 1;
  if (part.common_sums != 0) {  // A window of two taps adds the two.
    vector.n_kh = 2;
    vector.a_kh = S32(part.common_sums);
    vector.ys_kh = 1;
    vector.y_bound = 2;
  }
}

Access ReadOf(Space space, std::int64_t first, std::int64_t size) {
  return {.space = space,
          .begin = static_cast<std::uint64_t>(first),
          .end = static_cast<std::uint64_t>(first + size)};
}

// The sums that the part's loops pass.
Access SumsAccess(const ConvSums& sums, const Part& part) {
  const auto last = [](const DrainLoop& loop) { return (loop.n - 1) * loop.sums; };
  const std::int64_t low = (sums.planes - 1) * sums.rows_across;
  return ReadOf(Space::kAccumulators, part.accumulators,
                last(part.outer) + last(part.middle) + last(part.inner) + low + 1);
}

void Emit(const ConvJob& job, const ConvSums& sums, const Part& part, Emitter& emitter) {
  isa::Instruction instruction =
      WithFields(job.operation, [&](auto& vector) { SetFields(vector, job, sums, part); });
  if (auto* floats = std::get_if<isa::Fvector>(&instruction)) floats->interleave = part.interleave;
  std::vector<Access> accesses = part.tile.Accesses(sums.part.rows, part.blocks, true);
  if (part.common_sums == 0) {
    accesses.push_back(SumsAccess(sums, part));
  } else {  // The array does not add to the half meanwhile, whose ports the drain shares.
    accesses.push_back(
        ReadOf(Space::kAccumulators, sums.accumulators, emitter.Config().acc_rows / 2));
  }
  const std::int64_t entries = (part.outer.n - 1) * part.next_entry + part.entries;
  accesses.push_back(ReadOf(Space::kParameters, part.entry, entries));
  if (!job.table.empty()) {
    SetLookup(instruction, U32(sums.lookup));
    accesses.push_back(ReadOf(Space::kLookup, sums.lookup, 1));
  }
  emitter.Emit(std::move(instruction), std::move(accesses));
}

// Outputs of a piece of `blocks` channel blocks, pixel after pixel.
Part PixelByPixel(const ConvJob& job, const ConvSums& sums, const Tile& tile, std::int64_t blocks) {
  return {.tile = tile,
          .blocks = blocks,
          .outer = {.n = blocks, .sums = job.block.Pixels() * sums.rows, .outputs = tile.plane},
          .middle = {.n = sums.part.rows.Size(),
                     .sums = sums.planes * sums.rows_across,
                     .outputs = tile.pitch},
          .inner = {.n = sums.rows_across, .sums = 1, .outputs = job.block.across * tile.pixel},
          .next_entry = job.block.Pixels()};
}

// Outputs of a channel block, or of half of it, two image rows at a time, from two rows of sums
// that lie `between` rows apart.
Part Interleaved(const ConvJob& job, const ConvSums& sums, const Tile& tile, std::int64_t between) {
  constexpr std::int64_t kRows = 2;
  return {.tile = tile,
          .outer = {.n = sums.part.rows.Size() / kRows,
                    .sums = kRows / job.block.down * sums.rows_across,
                    .outputs = kRows * tile.pitch},
          .middle = {.n = sums.rows_across, .sums = 1, .outputs = job.block.across * tile.pixel},
          .inner = {.n = kRows, .sums = between, .outputs = tile.pitch}};
}

// A block of accumulators before all others is added to each block's.
void DrainWithCommonSums(const ConvJob& job, const ConvSums& sums, Emitter& emitter) {
  for (std::int64_t block = 0; block < sums.part.blocks.Size(); ++block) {
    Part part = PixelByPixel(job, sums, sums.output.FromBlock(block), 1);
    part.common_sums = -(1 + block) * sums.rows;
    part.accumulators = sums.accumulators - part.common_sums;
    part.entry = sums.parameters + block;
    Emit(job, sums, part, emitter);
  }
}

// The tensor's rows lie two by two in memory.
void DrainRowPairs(const ConvJob& job, const ConvSums& sums, Emitter& emitter) {
  for (std::int64_t block = 0; block < sums.part.blocks.Size(); ++block) {
    Part part = Interleaved(job, sums, sums.output.FromBlock(block), sums.rows_across);
    part.accumulators = sums.accumulators + block * sums.rows;
    part.entry = sums.parameters + block;
    part.interleave = isa::FloatInterleave::kSame;
    Emit(job, sums, part, emitter);
  }
}

// Each row of sums is a quarter of the channels of four pixels; two of them make half of the
// channels of these pixels.
void DrainSquares(const ConvJob& job, const ConvSums& sums, Emitter& emitter) {
  const std::int64_t blocks = sums.part.blocks.Size();
  for (std::int64_t block = 0; block < blocks; ++block) {
    for (std::int64_t half = 0; half < job.block.across; ++half) {
      const std::int64_t quarter = half * job.block.down;
      const std::int64_t piece = block * job.block.Pixels() + quarter;
      Part part =
          Interleaved(job, sums, sums.output.Piece(half, blocks).FromBlock(block), sums.rows);
      part.accumulators = sums.accumulators + piece * sums.rows;
      part.entry = sums.parameters + piece;
      part.entries = 2;
      part.interleave = isa::FloatInterleave::kNext;
      Emit(job, sums, part, emitter);
    }
  }
}

}  // namespace

void EmitDrain(const ConvJob& job, const ConvSums& sums, Emitter& emitter) {
  if (sums.common_sums) {
    DrainWithCommonSums(job, sums, emitter);
  } else if (job.output.layout == Layout::kRowPairs) {
    DrainRowPairs(job, sums, emitter);
  } else if (job.block == kSquare) {
    DrainSquares(job, sums, emitter);
  } else {
    const std::int64_t blocks = sums.part.blocks.Size();
    for (std::int64_t piece = 0; piece < job.block.Pixels(); ++piece) {
      Part part = PixelByPixel(job, sums, sums.output.Piece(piece, blocks), blocks);
      part.accumulators = sums.accumulators + piece * sums.rows;
      part.entry = sums.parameters + piece;
      Emit(job, sums, part, emitter);
    }
  }
}

}  // namespace tpu::compiler
