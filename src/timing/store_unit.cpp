// SPDX-License-Identifier: Apache-2.0
#include "timing/store_unit.h"

#include <algorithm>

#include "timing/load_unit.h"

namespace tpu::timing {

StoreUnit::StoreUnit(const isa::HardwareConfig& config, Cycle memory_latency)
    : config_(config),
      beat_bytes_(config.axi_data_width / 8),
      memory_latency_(memory_latency),
      gearbox_(std::max(beat_bytes_, config.n)) {}

void StoreUnit::Accept(const isa::Store& store, Cycle cycle) {
  command_ = {.store = store, .computed = cycle + ProductCycles(store.rows)};
  Fire();
  Ask();
}

// The instruction goes on to the memory side and to the walker once there is a place for it in all
// queues.
void StoreUnit::Fire() {
  if (!transfer_.done()) return;
  Cycle fire = std::max(command_->computed, issue_ + 1);
  if (commands_ >= kQueue) {
    if (commands_ - kQueue >= walked_) return;
    fire = std::max(fire, walker_start_[commands_ % kQueue] + 1);
  }
  if (commands_ >= kUnanswered) {
    if (commands_ - kUnanswered >= finished_) return;
    fire = std::max(fire, answered_[commands_ % kUnanswered] + 1);
  }
  const isa::Store& store = command_->store;
  streams_.push_back({.fired = fire,
                      .walk = {.left = std::uint64_t{store.rows} * store.row_bytes,
                               .pixel_bytes = store.pixel_bytes,
                               .pixel_left = store.pixel_bytes,
                               .limit = config_.n,
                               .row = store.row,
                               .pixel_row = store.row,
                               .plane_stride = store.plane_stride,
                               .pixel_stride = store.pixel_stride,
                               .rows = RowsOf(store.format)}});
  transfer_ = TransferOf(store, beat_bytes_);
  // Its first row is loaded in the cycle before the first burst.
  issue_ = fire + 1;
  ++commands_;
  command_free_ = fire + 1;
  command_.reset();
  if (streams_.size() == 1) StartWalker();
  EnterChunks();
  IssueBursts();
}

// The walker starts with an instruction in the cycle of the last chunk of the instruction before,
// or later if the instruction comes later.
void StoreUnit::StartWalker() {
  const Cycle start = std::max(streams_.front().fired + 1, entered_);
  walker_start_[walked_++ % kQueue] = start;
  streams_.front().from = start + 1;
}

// Chunks leave the walker while there is a place in front of the buffer and in the FIFO behind it.
void StoreUnit::EnterChunks() {
  while (!streams_.empty() && asked_.size() < kAsked) {
    const std::uint64_t chunk = chunks_ + asked_.size();
    const Cycle room = chunk < kChunks ? 0 : pushed_[chunk % kChunks] + 1;
    // With one chunk waiting, the place of the one before it is free from the cycle after its read.
    const Cycle place = asked_.empty() ? 0 : read_ + 1;
    auto& [fired, from, walk] = streams_.front();
    entered_ = std::max({from, entered_ + 1, room, place});
    const std::uint32_t bytes = walk.Length();
    asked_.push_back(
        {.entered = entered_, .bytes = bytes, .bank = BankOf(walk.row), .whole = walk.whole()});
    walk.Step(bytes);
    if (!walk.done()) continue;
    streams_.pop_front();
    if (!streams_.empty()) StartWalker();
  }
}

// Works out when the unit asks for the next row.
void StoreUnit::Ask() {
  asks_ = asked_.empty() ? kNever : std::max(asked_.front().entered, read_) + 1;
}

void StoreUnit::Read(Cycle cycle) {
  const std::uint32_t bytes = asked_.front().bytes;
  asked_.pop_front();
  const Cycle before = pushed_[(chunks_ + kChunks - 1) % kChunks];
  const Cycle push = std::max({cycle + kReadToGearbox, before + 1, gearbox_.Room()});
  read_ = cycle;
  pushed_[chunks_++ % kChunks] = push;
  gearbox_.Push(bytes, push);
  EnterChunks();
  WriteBeats();
  if (command_) Fire();
  Ask();
}

std::uint32_t StoreUnit::Straight(Cycle cycle) const {
  if (beat_bytes_ != config_.n || asked_.empty() || issued_.empty() || read() > cycle) return 0;
  // Rows go straight only through an empty gearbox.
  if (!gearbox_.aligned() || gearbox_.rows() != 0) return 0;
  const auto& [burst, issue] = issued_.front();
  if (std::max(written_, issue + 2) + 1 > cycle + kReadToWritten) return 0;
  if (beat_ == 0 && burst.first != 0) return 0;
  return burst.beats - 1 - beat_;
}

void StoreUnit::Passed(std::uint32_t rows) {
  written_ = read_ + kReadToWritten;
  beat_ += rows;
  gearbox_.Pass(rows, read_ + kReadToGearbox, rows, written_ - 1);
  Ask();
}

// Addresses run ahead of the data.
void StoreUnit::IssueBursts() {
  while (!transfer_.done() && (bursts_ < kBursts || bursts_ - kBursts < responses_)) {
    const Cycle room = bursts_ < kBursts ? 0 : response_[bursts_ % kBursts] + 1;
    issue_ = std::max(issue_ + 1, room);
    issued_.push_back({transfer_.Next(), issue_});
    transfer_.Step();
    ++bursts_;
  }
}

void StoreUnit::WriteBeats() {
  while (!issued_.empty() && gearbox_.Holds(1)) {
    const Burst& burst = issued_.front().burst;
    const Cycle issue = issued_.front().cycle;
    const std::uint32_t bytes = burst.BytesOf(beat_, beat_bytes_);
    if (!gearbox_.Holds(bytes)) return;
    // The port wants beats from two cycles after the address on; a beat is cut, and stands on the
    // bus in the next cycle.
    const Cycle cut = std::max({gearbox_.Ready(bytes), written_, issue + 2});
    gearbox_.Cut(bytes, cut);
    written_ = cut + 1;
    if (++beat_ < burst.beats) continue;
    beat_ = 0;
    const bool last = burst.last;
    issued_.pop_front();
    last_response_ = std::max(written_ + memory_latency_, last_response_ + 1);
    response_[responses_++ % kBursts] = last_response_;
    if (last) {
      answered_[finished_++ % kUnanswered] = last_response_;
      completions_.push_back(last_response_ + 1);
    }
    IssueBursts();
  }
}

}  // namespace tpu::timing
