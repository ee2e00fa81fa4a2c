// SPDX-License-Identifier: Apache-2.0
#include "timing/weights_unit.h"

#include <algorithm>
#include <bit>

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
  const std::uint64_t rows = std::uint64_t{weights.tiles} * config_.n;
  const std::uint32_t row_bytes = config_.n * RowsOf(weights.format);
  if (uncut_.empty()) {
    left_queue_at_[left_queue_++ % left_queue_at_.size()] = cycle + 1;
  }
  uncut_.push_back({rows, row_bytes});
  accepted_rows_ += rows;
  last_rows_.push_back(accepted_rows_ - 1);
  ++accepted_;
  stream_.client().Start({weights.dram_addr, rows * row_bytes, 1, 0, stream_.beat_bytes()}, cycle);
}

void WeightsUnit::Advance() {
  bool progress = true;
  while (progress) {
    if (PushRows()) continue;
    progress = stream_.TakeBeat();
    progress |= CutRow();
  }
}

bool WeightsUnit::CutRow() {
  if (row_waits_ || uncut_.empty() || !stream_.Holds(uncut_.front().row_bytes)) return false;
  // A row is cut in the cycle in which the one before goes into the FIFO.
  stream_.Cut(uncut_.front().row_bytes);
  row_waits_ = true;
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

// The row that is cut goes into the FIFO. The rows behind it follow, one in each cycle, up to the
// end of the tile whose departure makes room for them. Where rows may differ in length they go one
// by one.
bool WeightsUnit::PushRows() {
  if (!row_waits_) return false;
  const Cycle first = std::max(stream_.cut() + 1, Room());
  if (first >= kNever) return false;
  const std::uint64_t n = config_.n;
  const std::uint64_t room = rows_ < held_ ? held_ - rows_ : n - ((rows_ - held_) & (n - 1));
  ReadStream::Flow flow;
  if (config_.bf16 == 0) flow = stream_.FlowFrom(first, config_.n, room);
  if (flow.rows == 0) {
    stream_.Leave(first);
    row_waits_ = false;
    RowsPushed(first, 1);
  } else {
    const auto rows = static_cast<std::uint32_t>(std::min<std::uint64_t>(flow.rows, room));
    stream_.Pass(flow, rows);
    RowsCut(first, rows);
    RowsPushed(first, rows);
  }
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
    if (!uncut_.empty()) left_queue_at_[left_queue_++ % left_queue_at_.size()] = first - 1;
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
