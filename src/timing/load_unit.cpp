#include "timing/load_unit.h"

#include <algorithm>
#include <bit>

namespace tpu::timing {
namespace {

constexpr std::uint32_t kTableBytes = 256;
// Mostly, some of so many rows meet another one in their bank.
constexpr std::uint32_t kFewRows = 32;

}  // namespace

Cycle ProductCycles(std::uint32_t rows) { return 1 + static_cast<Cycle>(std::bit_width(rows)); }

LoadUnit::LoadUnit(const isa::HardwareConfig& config)
    : config_(config),
      log_n_(static_cast<unsigned>(std::bit_width(config.n)) - 1),
      stream_(config) {}

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
                                               .pixel_stride = load.pixel_stride},
                                      .to_buffer = pixels};
  fired_at_[fired_++ % fired_at_.size()] = cycle;
  stream_.client().Start(TransferOf(load, stream_.beat_bytes()), cycle);
  command_.reset();
  command_free_ = cycle + 1;
}

Cycle LoadUnit::completes() const {
  if (!waits_) return kNever;
  return write_from_ + (last_ ? 1 : 1 + (chunks_[walked_ % chunks_.size()].walk.left >> log_n_));
}

void LoadUnit::Step(Cycle cycle, const VectorUnit& vector) {
  if (command_ && FireCycle() <= cycle) Fire(cycle);
  if (stream_.client().issue() <= cycle) stream_.client().Issue(cycle);
  bool progress = delivered_ || (waits_ && write_from_ <= cycle);
  delivered_ = false;
  while (progress) {
    progress = stream_.TakeBeat();
    progress |= !waits_ && CutChunk();
    progress |= waits_ && Write(vector);
  }
}

bool LoadUnit::CutChunk() {
  if (walked_ == fired_) return false;
  auto& [walk, to_buffer] = chunks_[walked_ % chunks_.size()];
  const std::uint32_t length = walk.Length();
  if (!stream_.Holds(length)) return false;
  // A chunk is cut in the cycle in which the one before is written.
  stream_.Cut(length);
  waits_ = true;
  to_buffer_ = to_buffer;
  bank_ = BankOf(walk.row);
  write_from_ = stream_.cut() + 1;
  walk.Step(length);
  last_ = walk.left == 0;
  if (last_) last_cut_[walked_++ % last_cut_.size()] = stream_.cut();
  return true;
}

bool LoadUnit::Write(const VectorUnit& vector) {
  if (!FindCycle(vector)) return false;
  if (!last_ && WriteRows(vector)) return true;
  waits_ = false;
  stream_.Leave(write_from_);
  if (last_) completions_.push_back(write_from_ + 1);
  return true;
}

// First cycle of which it is not known whether the bank is taken.
Cycle LoadUnit::Known(const VectorUnit& vector) const {
  return to_buffer_ ? vector.writes_known() : kNever;
}

// Whether the chunk would meet another row in its bank.
bool LoadUnit::Meets(const VectorUnit& vector) const {
  return to_buffer_ && (vector.Writes(write_from_) & bank_) != 0;
}

// In which the bank is free; false: it is not known yet.
bool LoadUnit::FindCycle(const VectorUnit& vector) {
  const Cycle known = Known(vector);
  while (write_from_ < known && Meets(vector)) ++write_from_;
  return write_from_ < known;
}

// Rows in consecutive cycles whose banks are free, while what is cut behind each is a whole row,
// but not the last chunk of the instruction; and in later ones while the gearbox stays full.
bool LoadUnit::WriteRows(const VectorUnit& vector) {
  ChunkWalk& walk = chunks_[walked_ % chunks_.size()].walk;
  if (!walk.whole()) return false;
  ReadStream::Flow flow = stream_.FlowFrom(write_from_, walk.limit, kFewRows);
  if (flow.rows == 0) return false;
  while (true) {
    const Cycle end = std::min(flow.left + flow.rows, Known(vector));
    for (; write_from_ < end && walk.whole() && !Meets(vector); ++write_from_) {
      bank_ = BankOf(walk.row);
      walk.Step(walk.limit);
    }
    const auto rows = static_cast<std::uint32_t>(write_from_ - flow.left);
    if (rows != 0) stream_.Pass(flow, rows);
    if (!flow.full || rows >= flow.beats || !walk.whole() || !FindCycle(vector)) return true;
    flow = ReadStream::After(flow, rows, write_from_);
  }
}

}  // namespace tpu::timing
