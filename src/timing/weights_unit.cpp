#include "timing/weights_unit.h"

#include <algorithm>
#include <bit>

namespace tpu::timing {

WeightsUnit::WeightsUnit(const isa::HardwareConfig& config)
    : config_(config),
      log_n_(static_cast<unsigned>(std::bit_width(config.n)) - 1),
      beat_bytes_(config.axi_data_width / 8),
      gearbox_(std::max(beat_bytes_, config.n)) {}

Cycle WeightsUnit::ready() const {
  // A place in the queue is free once an instruction has gone on to be cut.
  if (accepted_ < kQueue) return client_.ready();
  const std::uint64_t oldest = accepted_ - kQueue;
  if (oldest >= left_queue_) return kNever;
  return std::max(client_.ready(), left_queue_at_[oldest % left_queue_at_.size()] + 1);
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
  client_.Start({weights.dram_addr, rows * config_.n, 1, 0, beat_bytes_}, cycle);
}

bool WeightsUnit::Advance() {
  bool progress = false;
  while (true) {
    const bool taken = client_.TakeBeat(gearbox_, beat_bytes_);
    const bool cut = CutRow();
    const bool pushed = PushRow();
    if (!taken && !cut && !pushed) return progress;
    progress = true;
  }
}

bool WeightsUnit::CutRow() {
  if (row_waits_ || rows_left_.empty() || !gearbox_.Holds(config_.n)) return false;
  // A row is cut in the cycle in which the one before goes into the FIFO.
  cut_ = std::max({gearbox_.Ready(config_.n), cut_ + 1, pushed_});
  gearbox_.Cut(config_.n, cut_);
  row_waits_ = true;
  if (--rows_left_.front() == 0) {
    rows_left_.pop_front();
    if (!rows_left_.empty()) left_queue_at_[left_queue_++ % left_queue_at_.size()] = cut_;
  }
  return true;
}

bool WeightsUnit::PushRow() {
  if (!row_waits_) return false;
  Cycle room = 0;
  // The RAM holds WFIFO_TILES tiles, its output register one more row.
  const std::uint64_t held = std::uint64_t{config_.fifo_tiles} * config_.n + 1;
  if (rows_ >= held) {
    const std::uint64_t popped = rows_ - held;
    const std::uint64_t tile = popped >> log_n_;
    if (tile >= shifted_) return false;
    room = shifts_[tile % kTiles] + 1 + (popped & (config_.n - 1)) + 1;
  }
  pushed_ = std::max(cut_ + 1, room);
  row_waits_ = false;
  if (rows_ == last_rows_.front()) {
    completions_.push_back(pushed_ + 1);
    last_rows_.pop_front();
  }
  ++rows_;
  if ((rows_ & (config_.n - 1)) == 0) whole_at_[(whole() - 1) % kTiles] = pushed_;
  return true;
}

}  // namespace tpu::timing
