// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/conv_drain.h"

#include <utility>
#include <vector>

#include "compiler/program/fields.h"

namespace tpu::compiler {
namespace {

// What one instruction makes: the outputs of blocks that lie behind each other.
struct Part {
  Tile tile;
  std::int64_t blocks = 0;
  std::int64_t accumulators = 0;
  std::int64_t entry = 0;
  std::int64_t common_sums = 0;  // Rows from the accumulators to those of the common sums; 0: none.
};

template <typename V>
void SetFields(V& vector, const ConvJob& job, const ConvSums& sums, const Part& part) {
  SetSums(vector, sums.planes == 1 ? 0 : sums.rows_across, job.output.format);
  vector.n_cb = U32(part.blocks);
  vector.n_oh = U32(sums.part.rows.Size());
  vector.n_ow = U32(sums.rows_across);
  vector.param_row = U32(part.entry);
  vector.param_stride = 1;
  vector.a_row = S32(part.accumulators);
  vector.a_cb = S32(sums.rows);
  vector.a_oh = S32(sums.planes * sums.rows_across);
  vector.a_ow = 1;
  vector.o_row = U32(part.tile.RowOf(sums.part.rows.begin, sums.part.columns.begin));
  vector.o_cb = S32(part.tile.plane);
  vector.o_oh = S32(part.tile.pitch);
  vector.o_ow = S32(sums.pieces * part.tile.pixel);
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

void Emit(const ConvJob& job, const ConvSums& sums, const Part& part, Emitter& emitter) {
  isa::Instruction instruction =
      WithFields(job.operation, [&](auto& vector) { SetFields(vector, job, sums, part); });
  std::vector<Access> accesses = part.tile.Accesses(sums.part.rows, part.blocks, true);
  if (part.common_sums == 0) {
    accesses.push_back(ReadOf(Space::kAccumulators, part.accumulators, part.blocks * sums.rows));
  } else {  // The array does not add to the half meanwhile, whose ports the drain shares.
    accesses.push_back(
        ReadOf(Space::kAccumulators, sums.accumulators, emitter.Config().acc_rows / 2));
  }
  accesses.push_back(ReadOf(Space::kParameters, part.entry, part.blocks));
  if (!job.table.empty()) {
    SetLookup(instruction, U32(sums.lookup));
    accesses.push_back(ReadOf(Space::kLookup, sums.lookup, 1));
  }
  emitter.Emit(std::move(instruction), std::move(accesses));
}

}  // namespace

void EmitDrain(const ConvJob& job, const ConvSums& sums, Emitter& emitter) {
  const std::int64_t blocks = sums.part.blocks.Size();
  if (sums.common_sums) {
    for (std::int64_t block = 0; block < blocks; ++block) {
      const std::int64_t before = (1 + block) * sums.rows;
      Emit(job, sums,
           {.tile = sums.output.FromBlock(block),
            .blocks = 1,
            .accumulators = sums.accumulators + before,
            .entry = sums.parameters + block,
            .common_sums = -before},
           emitter);
    }
    return;
  }
  for (std::int64_t piece = 0; piece < sums.pieces; ++piece) {
    Emit(job, sums,
         {.tile = sums.output.Piece(piece, blocks),
          .blocks = blocks,
          .accumulators = sums.accumulators + piece * blocks * sums.rows,
          .entry = sums.parameters + piece * sums.entries_of_piece},
         emitter);
  }
}

}  // namespace tpu::compiler
