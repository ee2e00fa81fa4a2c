#include "timing/weights_unit.h"

#include <algorithm>
#include <bit>

namespace tpu::timing {

WeightsUnit::WeightsUnit(const isa::HardwareConfig& config)
    : config_(config),
      log_n_(static_cast<unsigned>(std::bit_width(config.n)) - 1),
      // The RAM holds WFIFO_TILES tiles, its output register one more row.
      held_(std::uint64_t{config.fifo_tiles} * config.n + 1),
      stream_(config) {}

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
  if (rows_left_.empty()) {
    left_queue_at_[left_queue_++ % left_queue_at_.size()] = cycle + 1;
  }
  rows_left_.push_back(rows);
  accepted_rows_ += rows;
  last_rows_.push_back(accepted_rows_ - 1);
  ++accepted_;
  stream_.client().Start({weights.dram_addr, rows * config_.n, 1, 0, stream_.beat_bytes()}, cycle);
}

bool WeightsUnit::Advance() {
  bool progress = false;
  while (true) {
    const bool taken = stream_.TakeBeat();
    const bool cut = CutRow();
    const bool pushed = PushRow();
    if (!taken && !cut && !pushed) return progress;
    if (pushed) {
      stream_.TakeBacklog();
      while (SkipRows()) {
      }
    }
    progress = true;
  }
}

bool WeightsUnit::CutRow() {
  if (row_waits_ || rows_left_.empty() || !stream_.Holds(config_.n)) return false;
  // A row is cut in the cycle in which the one before goes into the FIFO.
  stream_.Cut(config_.n);
  row_waits_ = true;
  if (--rows_left_.front() == 0) {
    rows_left_.pop_front();
    if (!rows_left_.empty()) {
      left_queue_at_[left_queue_++ % left_queue_at_.size()] = stream_.cut();
    }
  }
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

bool WeightsUnit::PushRow() {
  if (!row_waits_) return false;
  const Cycle room = Room();
  if (room >= kNever) return false;
  const Cycle pushed = std::max(stream_.cut() + 1, room);
  stream_.Leave(pushed);
  row_waits_ = false;
  if (rows_ == last_rows_.front()) {
    completions_.push_back(pushed + 1);
    last_rows_.pop_front();
  }
  ++rows_;
  if ((rows_ & (config_.n - 1)) == 0) whole_at_[(whole() - 1) % kTiles] = pushed;
  return true;
}

// As long as rows of one tile leave the FIFO for them, but not the last row of an instruction.
bool WeightsUnit::SkipRows() {
  const std::uint32_t steady = stream_.Steady(config_.n);
  if (steady == 0 || rows_left_.empty() || Room() > stream_.left() + 1) return false;
  const std::uint64_t n = config_.n;
  const std::uint64_t room = rows_ < held_ ? held_ - rows_ : n - ((rows_ - held_) & (n - 1));
  const std::uint64_t rows =
      std::min({std::uint64_t{steady}, rows_left_.front() - 1, std::min(room, n)});
  if (rows == 0) return false;
  const std::uint64_t tile = n - (rows_ & (n - 1));
  if (rows >= tile) whole_at_[whole() % kTiles] = stream_.left() + tile;
  stream_.Skip(static_cast<std::uint32_t>(rows));
  rows_ += rows;
  rows_left_.front() -= rows;
  return true;
}

}  // namespace tpu::timing
