// SPDX-License-Identifier: Apache-2.0
#include "timing/matmul_unit.h"

#include <algorithm>

#include "isa/tiles.h"
#include "timing/banks.h"

namespace tpu::timing {
namespace {

std::uint32_t Offset(std::uint32_t count, std::int32_t stride) {
  return count * static_cast<std::uint32_t>(stride);
}

}  // namespace

void MatmulUnit::Accept(const isa::Matmul& matmul, Cycle cycle) {
  tiles_left_ = isa::TileCount(matmul);
  rows_ = std::uint64_t{matmul.n_oh} * matmul.n_ow;
  next_row_ = cycle + 1;
  ob_ = 0;
  matmul_ = matmul;
}

bool MatmulUnit::Advance(WeightsUnit& weights, std::optional<Cycle>& completion) {
  bool progress = false;
  while (ShiftTile(weights) || TakeTile(completion)) progress = true;
  return progress;
}

// A tile starts to shift when it is whole, the one before has shifted and has been taken over.
bool MatmulUnit::ShiftTile(WeightsUnit& weights) {
  if (shifted_ > taken_ || shifted_ >= weights.whole()) return false;
  const Cycle whole = weights.WholeAt(shifted_) + 1;
  shift_ = shifted_ == 0 ? whole : std::max({whole, shift_ + n_, take_ + 1});
  weights.TileShifts(shifted_++, shift_);
  return true;
}

bool MatmulUnit::TakeTile(std::optional<Cycle>& completion) {
  if (tiles_left_ == 0 || taken_ == shifted_) return false;
  ++taken_;
  // Addresses count numbers.
  const std::uint32_t bytes = static_cast<std::uint32_t>(isa::ActivationBytes(matmul_));
  TakeRows({.first = std::max(next_row_, shift_ + n_ - 1),
            .address = bytes * (Offset(1, matmul_.ub_addr) + Offset(cb_, matmul_.s_cb) +
                                Offset(kh_, matmul_.s_kh) + Offset(kw_, matmul_.s_kw)),
            .step = bytes * Offset(1, matmul_.s_ow),
            .line_step = bytes * Offset(1, matmul_.s_oh),
            .line = matmul_.n_ow,
            .planes = matmul_.planes != 0,
            .aligned = (Banks{1} << bytes) - 1,
            .unaligned = (Banks{2} << bytes) - 1});
  if (++kw_ == matmul_.n_kw) {
    kw_ = 0;
    if (++kh_ == matmul_.n_kh) {
      kh_ = 0;
      if (++cb_ == matmul_.n_cb) {
        cb_ = 0;
        ++ob_;
      }
    }
  }
  if (--tiles_left_ == 0) completion = last_row_ + last_row_to_done_;
  return true;
}

// Asks for the rows of a tile, the first one in cycle `tile.first` or later. Only the first rows of
// a tile can be too near to rows of the tile before: a tile has each accumulator row once.
void MatmulUnit::TakeRows(Tile tile) {
  const std::uint64_t checked = std::min<std::uint64_t>(rows_, row_distance_ - 1);
  const std::uint32_t accumulator = matmul_.acc_row + ob_ * matmul_.acc_ob_stride;
  tile.end = tile.first;
  for (std::uint32_t row = 0; row < checked; ++row) {
    const Cycle cycle = Apart(accumulator + row, tile.end);
    if (row == 0) take_ = cycle;
    if (cycle != tile.end) {
      if (row != 0) AddRows(tile, accumulator + tile.row);
      tile.first = cycle;
      tile.row = row;
    }
    tile.end = cycle + 1;
    asked_[asks_++ % asked_.size()] = {cycle, accumulator + row};
  }
  if (checked == 0) take_ = tile.first;
  next_row_ = tile.end + (rows_ - checked);
  last_row_ = next_row_ - 1;
  tile.end = next_row_;
  AddRows(tile, accumulator + tile.row);
  for (std::uint64_t row = std::max(checked, rows_ - std::min(rows_, row_distance_ - 1));
       row < rows_; ++row) {
    asked_[asks_++ % asked_.size()] = {next_row_ - (rows_ - row),
                                       accumulator + static_cast<std::uint32_t>(row)};
  }
}

void MatmulUnit::AddRows(const Tile& tile, std::uint32_t accumulator) {
  tiles_.push_back(tile);
  // The first tile of an output block overwrites.
  if (!bf16_ || (matmul_.accumulate == 0 && (cb_ | kh_ | kw_) == 0)) return;
  const std::uint32_t low = half_ - std::min(half_, accumulator);
  const Cycle high = std::min(tile.first + low, tile.end);
  if (high != tile.first) AddBusy(0, tile.first, high);
  if (high != tile.end) AddBusy(1, high, tile.end);
}

// A row is read from the accumulators, column by column, once it has passed the array
// (rtl/matrix/tpu_array.v).
void MatmulUnit::AddBusy(std::size_t half, Cycle first, Cycle end) {
  const Cycle passes = 3 * Cycle{n_};
  const Span span = {first + passes + 1, end + passes + n_};
  std::deque<Span>& busy = busy_.at(half);
  if (!busy.empty() && span.first <= busy.back().end) {
    busy.back().end = span.end;
  } else {
    busy.push_back(span);
  }
}

Cycle MatmulUnit::Apart(std::uint32_t accumulator, Cycle cycle) const {
  for (const Asked& asked : asked_) {
    if (asked.accumulator == accumulator && asked.cycle != 0) {
      cycle = std::max(cycle, asked.cycle + row_distance_);
    }
  }
  return cycle;
}

bool MatmulUnit::Seek(Cycle cycle) {
  line_left_ = 0;
  while (tile_.end <= cycle && !tiles_.empty()) {
    tile_ = tiles_.front();
    tiles_.pop_front();
  }
  if (tile_.end <= cycle || tile_.first > cycle) return false;
  std::uint32_t column = 0;
  if (cycle == row_cycle_ + 1 && cycle != tile_.first && !tile_.planes) {
    line_address_ += tile_.line_step;
  } else {
    const auto row = static_cast<std::uint32_t>(cycle - tile_.first) + tile_.row;
    column = row % tile_.line;
    const std::uint32_t line = row / tile_.line / (tile_.planes ? 2 : 1);
    line_address_ = tile_.address + line * tile_.line_step;
  }
  row_cycle_ = cycle;
  row_address_ = line_address_ + column * tile_.step;
  line_left_ = static_cast<std::uint32_t>(std::min<Cycle>(tile_.line - column, tile_.end - cycle));
  return true;
}

Cycle MatmulUnit::Regular(Cycle cycle, std::uint32_t bank_step) const {
  if (tile_.end <= cycle) return kNever;
  if (tile_.first > cycle) return tile_.first - cycle;
  const bool rows = (tile_.step & (n_ - 1)) == 0 && (tile_.step >> log_n_) % 4 == bank_step;
  return rows ? line_left_ : 1;
}

}  // namespace tpu::timing
