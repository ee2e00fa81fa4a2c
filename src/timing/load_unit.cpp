// SPDX-License-Identifier: Apache-2.0
#include "timing/load_unit.h"

#include <algorithm>
#include <bit>

#include "isa/element_format.h"

namespace tpu::timing {
namespace {

constexpr std::uint32_t kTableBytes = isa::kTableBytes;
// Among more rows than this, some row usually waits long for its bank.
constexpr std::uint32_t kFewRows = 32;

}  // namespace

Cycle ProductCycles(std::uint32_t rows) { return 1 + static_cast<Cycle>(std::bit_width(rows - 1)); }

LoadUnit::LoadUnit(const isa::HardwareConfig& config)
    : config_(config),
      log_n_(static_cast<unsigned>(std::bit_width(config.n)) - 1),
      stream_(config, config.n) {}

void LoadUnit::Accept(const isa::Load& load, Cycle cycle) {
  command_ = {.load = load, .computed = cycle + ProductCycles(load.rows)};
}

// When the instruction goes on to the memory side and to the walker; kNever: not known yet.
Cycle LoadUnit::FireCycle() const {
  Cycle cycle = std::max(command_->computed, stream_.client().ready());
  if (fired_ >= kQueue) {
    // The walker starts with an instruction in the cycle of the last chunk of the one before.
    const std::uint64_t oldest = fired_ - kQueue;
    if (oldest > walked_) return kNever;
    const Cycle walker_free = oldest == 0 ? 0 : last_cut_[(oldest - 1) % last_cut_.size()];
    cycle = std::max({cycle, fired_at_[oldest % fired_at_.size()] + 2, walker_free + 1});
  }
  return cycle;
}

void LoadUnit::Fire(Cycle cycle) {
  const isa::Load& load = command_->load;
  const bool pixels = load.destination == isa::LoadDestination::kUnifiedBuffer;
  const bool table = load.destination == isa::LoadDestination::kLookup;
  const std::uint32_t pixel = pixels  ? load.pixel_bytes
                              : table ? kTableBytes
                                      : config_.ParamEntryBytes();
  chunks_[fired_ % chunks_.size()] = {.walk = {.left = std::uint64_t{load.rows} * load.row_bytes,
                                               .pixel_bytes = pixel,
                                               .pixel_left = pixel,
                                               .limit = table ? 1 : config_.n,
                                               .row = load.row,
                                               .pixel_row = load.row,
                                               .plane_stride = load.plane_stride,
                                               .pixel_stride = load.pixel_stride,
                                               .rows = RowsOf(load.format),
                                               .pads = true},
                                      .to_buffer = pixels};
  fired_at_[fired_++ % fired_at_.size()] = cycle;
  stream_.client().Start(TransferOf(load, stream_.beat_bytes()), cycle);
  command_.reset();
  command_free_ = cycle + 1;
}

Cycle LoadUnit::completes() const {
  if (waiting_.empty()) return kNever;
  Cycle written = write_from_;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    if (waiting_[i].last) return written + 1;
    ++written;
  }
  if (cut_ && chunk_.last) return written + 1;
  return written + 1 + (chunks_[walked_ % chunks_.size()].walk.left >> log_n_);
}

void LoadUnit::Step(Cycle cycle, const VectorUnit& vector) {
  if (command_ && FireCycle() <= cycle) Fire(cycle);
  if (stream_.client().issue() <= cycle) stream_.client().Issue(cycle);
  bool progress = delivered_ || (!waiting_.empty() && write_from_ <= cycle);
  delivered_ = false;
  while (progress) {
    progress = Write(vector);
    progress |= stream_.TakeBeat();
    progress |= CutChunk();
    progress |= QueueChunks(vector);
  }
}

bool LoadUnit::CutChunk() {
  if (cut_ || walked_ == fired_) return false;
  auto& [walk, to_buffer] = chunks_[walked_ % chunks_.size()];
  const std::uint32_t length = walk.Length();
  if (!stream_.Holds(length)) return false;
  // A chunk is cut in the cycle in which the one before goes into the FIFO, or later, but only
  // while the FIFO has room.
  const bool later = stream_.Soonest(length) > queued_at_;
  if (later && !has_room()) return false;
  stream_.Cut(length, later ? Room() : 0);
  cut_ = true;
  chunk_ = {.bank = BankOf(walk.row), .to_buffer = to_buffer};
  walk.Step(length);
  chunk_.last = walk.done();
  if (chunk_.last) last_cut_[walked_++ % last_cut_.size()] = stream_.cut();
  return true;
}

// The chunk goes into the FIFO.
void LoadUnit::Queue(Cycle cycle) {
  chunk_.from = cycle + 1;
  if (waiting_.empty()) write_from_ = std::max(write_from_, chunk_.from);
  waiting_.push_back(chunk_);
  queued_at_ = cycle;
  ++queued_;
}

// The chunk goes into the FIFO. The chunks behind it follow, one in each cycle, as long as they are
// whole rows, find room, and are not the last chunk of the instruction.
bool LoadUnit::QueueChunks(const VectorUnit& vector) {
  if (!cut_ || !has_room()) return false;
  const Cycle first = std::max({stream_.cut(), queued_at_, Room() - 1}) + 1;
  ChunkWalk& walk = chunks_[walked_ % chunks_.size()].walk;
  if (!chunk_.last && walk.whole()) {
    const ReadStream::Flow flow = stream_.FlowFrom(first, walk.limit, kFewRows);
    std::uint32_t rows = 0;
    while (rows < flow.rows && walk.whole() && has_room() && Room() <= first + rows) {
      Queue(first + rows);
      chunk_.bank = BankOf(walk.row);
      walk.Step(walk.limit);
      ++rows;
      while (Write(vector)) {
      }
    }
    if (rows != 0) {
      stream_.Pass(flow, rows);
      return true;
    }
  }
  stream_.Leave(first);
  Queue(first);
  cut_ = false;
  return true;
}

// Writes the oldest chunk in the FIFO once its bank is free. Returns false if that cycle is not
// known yet.
bool LoadUnit::Write(const VectorUnit& vector) {
  if (waiting_.empty()) return false;
  const Chunk& chunk = waiting_.front();
  const Cycle known = chunk.to_buffer ? vector.writes_known() : kNever;
  while (write_from_ < known && chunk.to_buffer && (vector.Writes(write_from_) & chunk.bank) != 0) {
    ++write_from_;
  }
  if (write_from_ >= known) return false;
  if (chunk.last) completions_.push_back(write_from_ + 1);
  written_[(queued_ - waiting_.size()) % kChunks] = write_from_;
  waiting_.pop_front();
  ++write_from_;
  if (!waiting_.empty()) write_from_ = std::max(write_from_, waiting_.front().from);
  return true;
}

}  // namespace tpu::timing
