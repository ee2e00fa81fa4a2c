// SPDX-License-Identifier: Apache-2.0
#include "timing/weights_unit.h"

#include <algorithm>
#include <bit>

#include "isa/tiles.h"
#include "timing/banks.h"

namespace tpu::timing {

WeightsUnit::WeightsUnit(const isa::HardwareConfig& config)
    : config_(config),
      log_n_(static_cast<unsigned>(std::bit_width(config.n)) - 1),
      // The RAM holds WFIFO_TILES tiles, its output register one more row.
      held_(std::uint64_t{config.fifo_tiles} * config.n + 1),
      stream_(config, config.n * (config.bf16 != 0 ? 2 : 1)) {}

Cycle WeightsUnit::ready() const {
  // A place in the queue is free once an instruction has gone on to be cut.
  const Cycle client = stream_.client().ready();
  if (accepted_ < kQueue) return client;
  const std::uint64_t oldest = accepted_ - kQueue;
  if (oldest >= left_queue_) return kNever;
  return std::max(client, left_queue_at_[oldest % left_queue_at_.size()] + 1);
}

void WeightsUnit::Accept(const isa::Weights& weights, Cycle cycle) {
  const std::uint64_t rows = isa::TileCount(weights) * config_.n;
  const std::uint32_t row_bytes = config_.n * RowsOf(weights.format);
  Accept({.rows = rows, .row_bytes = row_bytes, .transpose = weights.transpose != 0}, cycle);
  stream_.client().Start({weights.dram_addr, rows * row_bytes, 1, 0, stream_.beat_bytes()}, cycle);
}

void WeightsUnit::Accept(const isa::UbWeights& weights, Cycle cycle) {
  Accept({.rows = isa::TileCount(weights) * config_.n,
          .transpose = weights.transpose != 0,
          .from_ub = true,
          .weights = weights},
         cycle);
}

void WeightsUnit::Accept(const Uncut& uncut, Cycle cycle) {
  const bool first = uncut_.empty();
  uncut_.push_back(uncut);
  accepted_rows_ += uncut.rows;
  last_rows_.push_back(accepted_rows_ - 1);
  ++accepted_;
  if (first) Begin(std::max(cycle + 1, stream_.cut()));
}

void WeightsUnit::Begin(Cycle cycle) {
  left_queue_at_[left_queue_++ % left_queue_at_.size()] = cycle;
  if (!uncut_.front().from_ub) return;
  walk_ = TileWalk(uncut_.front().weights, config_.n);
  step_from_ = cycle + 1;
  steps_ = pops_ = 0;
  Ask();
}

void WeightsUnit::Ask() {
  for (asks_ = kNever; !walk_.done() && steps_ - pops_ < kHeld; StepRow(step_from_)) {
    if (steps_ >= kHeld) step_from_ = std::max(step_from_, popped_at_[steps_ % kHeld] + 1);
    if (!walk_.inside()) continue;
    asks_ = step_from_;
    return;
  }
}

void WeightsUnit::StepRow(Cycle cycle) {
  head_at_[steps_++ % kHeld] = cycle + kStepToHead;
  step_from_ = cycle + 1;
  walk_.Step();
}

void WeightsUnit::Read(Cycle cycle) {
  StepRow(cycle);
  Ask();
}

void WeightsUnit::Pop(Cycle cycle) {
  popped_at_[pops_++ % kHeld] = cycle;
  Ask();
}

void WeightsUnit::Advance() {
  bool progress = true;
  while (progress) {
    if (PushRows() || PushColumn()) continue;
    progress = stream_.TakeBeat();
    progress |= CutRow();
  }
}

bool WeightsUnit::CutRow() {
  if (row_ || uncut_.empty()) return false;
  if (uncut_.front().from_ub) return CutUbRow();
  if (!stream_.Holds(uncut_.front().row_bytes)) return false;
  // A row is cut in the cycle in which the one before leaves.
  stream_.Cut(uncut_.front().row_bytes);
  row_ = {.transpose = uncut_.front().transpose};
  RowsCut(stream_.cut(), 1);
  return true;
}

bool WeightsUnit::CutUbRow() {
  if (steps_ == pops_) return false;
  stream_.CutOther(head_at_[pops_ % kHeld]);
  row_ = {.transpose = uncut_.front().transpose};
  Pop(stream_.cut());
  RowsCut(stream_.cut(), 1);
  return true;
}

// First cycle in which the next row may go into the FIFO; kNever: not known yet.
Cycle WeightsUnit::Room() const {
  if (rows_ < held_) return 0;
  const std::uint64_t popped = rows_ - held_;
  const std::uint64_t tile = popped >> log_n_;
  if (tile >= shifted_) return kNever;
  return shifts_[tile % kTiles] + 1 + (popped & (config_.n - 1)) + 1;
}

// The row that is cut goes into the FIFO, when the transposer is empty. The rows behind it follow,
// one in each cycle, up to the end of the tile whose departure makes room for them. Where rows may
// differ in length they go one by one.
bool WeightsUnit::PushRows() {
  if (!row_) return false;
  if (row_->transpose) return EnterTransposer();
  if (columns_pushed_ != entered_) return false;
  Cycle first = std::max(stream_.cut() + 1, Room());
  if (first >= kNever) return false;
  if (entered_ != 0) first = std::max(first, column_pushed_ + 1);
  const std::uint64_t n = config_.n;
  const std::uint64_t room = rows_ < held_ ? held_ - rows_ : n - ((rows_ - held_) & (n - 1));
  ReadStream::Flow flow;
  if (config_.bf16 == 0) flow = stream_.FlowFrom(first, config_.n, room);
  if (flow.rows == 0) {
    stream_.Leave(first);
    row_.reset();
    RowsPushed(first, 1);
  } else {
    const auto rows = static_cast<std::uint32_t>(std::min<std::uint64_t>(flow.rows, room));
    stream_.Pass(flow, rows);
    RowsCut(first, rows);
    RowsPushed(first, rows);
  }
  return true;
}

// The row that is cut goes into the transposer, where the column of its number was read before.
bool WeightsUnit::EnterTransposer() {
  const std::uint64_t n = config_.n;
  if (entered_ - fetched_ == n) return false;
  Cycle cycle = stream_.cut() + 1;
  if (entered_ >= n) cycle = std::max(cycle, fetched_at_[entered_ % n] + 1);
  stream_.Leave(cycle);
  row_.reset();
  if (++entered_ % n == 0) tile_entered_ = cycle;
  return true;
}

// Columns of whole tiles pass two registers on their way from the transposer's memories to the
// FIFO.
bool WeightsUnit::PushColumn() {
  const std::uint64_t n = config_.n;
  // The column before has left the first register.
  const bool leaves = columns_moved_ == fetched_;
  if (leaves && fetched_ >> log_n_ != entered_ >> log_n_) {
    fetched_at_[fetched_++ % n] = std::max(tile_entered_ + 2, column_moved_);
    return true;
  }
  if (columns_moved_ != fetched_ && columns_moved_ == columns_pushed_) {
    column_moved_ = std::max(fetched_at_[columns_moved_++ % n] + 1, column_pushed_);
    return true;
  }
  if (columns_pushed_ == columns_moved_) return false;
  const Cycle cycle = std::max(column_moved_ + 1, Room());
  if (cycle >= kNever) return false;
  column_pushed_ = cycle;
  ++columns_pushed_;
  RowsPushed(cycle, 1);
  return true;
}

// `rows` rows are cut in consecutive cycles from `first` on.
void WeightsUnit::RowsCut(Cycle first, std::uint32_t rows) {
  for (Cycle end = first + rows; first != end;) {
    std::uint64_t& left = uncut_.front().rows;
    const std::uint64_t cut = std::min(left, end - first);
    left -= cut;
    first += cut;
    if (left != 0) return;
    uncut_.pop_front();
    if (!uncut_.empty()) Begin(first - 1);
  }
}

void WeightsUnit::RowsPushed(Cycle first, std::uint32_t rows) {
  for (; !last_rows_.empty() && last_rows_.front() < rows_ + rows; last_rows_.pop_front()) {
    completions_.push_back(first + (last_rows_.front() - rows_) + 1);
  }
  for (std::uint64_t tile = whole(); tile < (rows_ + rows) >> log_n_; ++tile) {
    whole_at_[tile % kTiles] = first + ((tile + 1) << log_n_) - rows_ - 1;
  }
  rows_ += rows;
}

}  // namespace tpu::timing
