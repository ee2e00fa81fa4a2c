// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/rounding.h"

#include <utility>
#include <vector>

#include "compiler/lower/operations.h"
#include "compiler/program/fields.h"

namespace tpu::compiler {

void EmitRounding(const FormattedTile& from, const FormattedTile& to, std::int64_t blocks,
                  std::int64_t entry, Emitter& emitter) {
  const ir::Range rows = to.tile.ys;
  isa::Fvector vector = FloatOperation(ir::Activation::kNone);
  vector.a_format = isa::NumberFormatOf(from.format);
  vector.o_format = isa::NumberFormatOf(to.format);
  vector.n_cb = U32(blocks);
  vector.n_oh = U32(rows.Size());
  vector.n_ow = U32(to.tile.xs.Size());
  vector.param_row = U32(entry);
  vector.a_row = S32(from.tile.RowOf(rows.begin, to.tile.xs.begin));
  vector.a_cb = S32(from.tile.plane);
  vector.a_oh = S32(from.tile.pitch);
  vector.a_ow = S32(from.tile.pixel);
  vector.o_row = U32(to.tile.row);
  vector.o_cb = S32(to.tile.plane);
  vector.o_oh = S32(to.tile.pitch);
  vector.o_ow = S32(to.tile.pixel);
  vector.y_bound = 1;
  vector.x_bound = 1;
  std::vector<Access> accesses = from.tile.Accesses(rows, blocks, false);
  for (const Access& access : to.tile.Accesses(rows, blocks, true)) accesses.push_back(access);
  accesses.push_back({.space = Space::kParameters,
                      .begin = static_cast<std::uint64_t>(entry),
                      .end = static_cast<std::uint64_t>(entry + 1)});
  emitter.Emit(vector, std::move(accesses));
}

}  // namespace tpu::compiler
