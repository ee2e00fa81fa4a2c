#include "timing/load_unit.h"

#include <algorithm>
#include <bit>

namespace tpu::timing {
namespace {

constexpr std::uint32_t kTableBytes = 256;

}  // namespace

Cycle ProductCycles(std::uint32_t rows) { return 1 + static_cast<Cycle>(std::bit_width(rows)); }

std::uint32_t LoadUnit::Chunks::Length() const {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>({left, pixel_left, limit}));
}

void LoadUnit::Chunks::Step() {
  const std::uint32_t length = Length();
  left -= length;
  pixel_left -= length;
  row += plane_stride;
  if (pixel_left != 0) return;
  pixel_left = pixel_bytes;
  pixel_row += pixel_stride;
  row = pixel_row;
}

LoadUnit::LoadUnit(const isa::HardwareConfig& config)
    : config_(config),
      beat_bytes_(config.axi_data_width / 8),
      gearbox_(std::max(beat_bytes_, config.n)) {}

void LoadUnit::Accept(const isa::Load& load, Cycle cycle) {
  command_ = {.load = load, .computed = cycle + ProductCycles(load.rows)};
}

// When the instruction goes on to the memory side and to the walker; kNever: not known yet.
Cycle LoadUnit::FireCycle() const {
  Cycle cycle = std::max(command_->computed, client_.ready());
  if (fired_ >= kQueue) {
    // The walker starts with an instruction in the cycle of the last chunk of the one before.
    const std::uint64_t oldest = fired_ - kQueue;
    if (oldest > walked_) return kNever;
    const Cycle walker_free = oldest == 0 ? 0 : last_cut_[(oldest - 1) % last_cut_.size()];
    cycle = std::max({cycle, fired_at_[oldest % fired_at_.size()] + 2, walker_free + 1});
  }
  return cycle;
}

void LoadUnit::Step(Cycle cycle) {
  if (command_ && FireCycle() <= cycle) {
    const isa::Load& load = command_->load;
    const bool pixels = load.destination == isa::LoadDestination::kUnifiedBuffer;
    const bool table = load.destination == isa::LoadDestination::kLookup;
    const std::uint32_t pixel = pixels  ? load.pixel_bytes
                                : table ? kTableBytes
                                        : config_.ParamEntryBytes();
    chunks_[fired_ % chunks_.size()] = {.left = std::uint64_t{load.rows} * load.row_bytes,
                                        .pixel_bytes = pixel,
                                        .pixel_left = pixel,
                                        .limit = table ? 1 : config_.n,
                                        .row = load.row,
                                        .pixel_row = load.row,
                                        .plane_stride = load.plane_stride,
                                        .pixel_stride = load.pixel_stride,
                                        .to_buffer = pixels};
    fired_at_[fired_++ % fired_at_.size()] = cycle;
    client_.Start(TransferOf(load, beat_bytes_), cycle);
    command_.reset();
    command_free_ = cycle + 1;
  }
  if (client_.issue() <= cycle) client_.Issue(cycle);
}

void LoadUnit::Deliver(const Burst& burst, Cycle first) {
  client_.Deliver(burst, first);
  Advance();
}

void LoadUnit::Advance() {
  // Beats come in while a row waits to be written.
  while ((!waits_ && CutChunk()) || client_.TakeBeat(gearbox_, beat_bytes_)) {
  }
}

bool LoadUnit::CutChunk() {
  if (walked_ == fired_) return false;
  Chunks& chunks = chunks_[walked_ % chunks_.size()];
  const std::uint32_t length = chunks.Length();
  if (!gearbox_.Holds(length)) return false;
  // A chunk is cut in the cycle in which the one before is written.
  cut_ = std::max({gearbox_.Ready(length), cut_ + 1, written_});
  gearbox_.Cut(length, cut_);
  row_ = chunks.row;
  waits_ = chunks.to_buffer;
  chunks.Step();
  last_ = chunks.left == 0;
  if (last_) last_cut_[walked_++ % last_cut_.size()] = cut_;
  if (!waits_) EndWrite(cut_ + 1);
  return true;
}

void LoadUnit::Write(Cycle cycle) {
  waits_ = false;
  EndWrite(cycle);
  Advance();
}

void LoadUnit::EndWrite(Cycle cycle) {
  written_ = cycle;
  if (last_) completions_.push_back(cycle + 1);
}

}  // namespace tpu::timing
