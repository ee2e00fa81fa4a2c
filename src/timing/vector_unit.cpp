#include "timing/vector_unit.h"

namespace tpu::timing {
namespace {

// From a window's last tap to its row's write, to the release of the instruction's configuration
// bank, and to `done`.
constexpr Cycle kTapToWrite = 18;
constexpr Cycle kTapToRelease = 18;
// Level of the walk that moves from one window to the next in a row.
constexpr std::size_t kWindowLevel = 2;

}  // namespace

void VectorUnit::Accept(const isa::Vector& vector, Cycle cycle) {
  slot_ = &vector;
  slot_pattern_ = PatternOf(vector, ub_rows_);
  slot_from_ = cycle + 1;
}

bool VectorUnit::Uses(std::size_t stream) const {
  return slot_pattern_.columns || (stream == 0 && slot_->map != isa::VectorMap::kCopy);
}

std::optional<Cycle> VectorUnit::Step(Cycle cycle, Banks& banks) {
  Stream& one = streams_[0];
  Stream& two = streams_[1];
  const bool hungry_1 = one.hungry();
  const bool hungry_2 = two.hungry();
  const Tap tap = StepSource(cycle, hungry_1, hungry_2, banks);

  // A stream leaves a bank to the other one if that has less at hand.
  const bool wants_1 = one.reads() && (hungry_1 || !hungry_2 || one.bank() != two.bank());
  const bool granted_1 = wants_1 && (banks & one.bank()) == 0;
  if (wants_1) banks |= one.bank();
  const bool wants_2 = two.reads();
  const bool granted_2 = wants_2 && (banks & two.bank()) == 0;
  if (wants_2) banks |= two.bank();

  const bool seen =
      slot_ != nullptr && slot_from_ <= cycle && (one.seen || !Uses(0)) && (two.seen || !Uses(1));
  const bool slot = slot_ != nullptr && slot_from_ <= cycle;
  if (slot || one.busy()) StepStream(0, granted_1, tap.claim_1, cycle);
  if (slot || two.busy()) StepStream(1, granted_2, tap.claim_2, cycle);
  if (tap.last) {
    active_ = false;
    released_[static_cast<std::size_t>(tag_)] = cycle + kTapToRelease;
  }
  if (seen && !active_ && released_[static_cast<std::size_t>(!tag_)] <= cycle) Take(cycle);
  return tap.last ? std::optional(cycle + kTapToDone) : std::nullopt;
}

VectorUnit::Tap VectorUnit::StepSource(Cycle cycle, bool hungry_1, bool hungry_2, Banks& banks) {
  if (!active_) return {};
  const Stream& one = streams_[0];
  const Stream& two = streams_[1];
  const bool inside = walk_.inside();
  const bool columns = pattern_.columns;
  const bool needs_1 = columns || (inside && uses_b_);
  if ((needs_1 && one.free == 0) || (columns && two.free == 0)) return {};
  if (inside && !accumulators_) {
    const Banks bank = BankOf(walk_.row());
    const bool yields =
        columns && ((hungry_1 && one.bank() == bank) || (hungry_2 && two.bank() == bank));
    if (yields) return {};
    const bool granted = (banks & bank) == 0;
    banks |= bank;
    if (!granted) return {};
  }
  const Tap tap = {.step = true, .claim_1 = needs_1, .claim_2 = columns, .last = walk_.last()};
  const bool weight = walk_.weight();
  if (columns ? ahead_ == 0 && !weight : walk_.window_last()) WriteRow(cycle);
  if (walk_.level() != kWindowLevel) {
    ahead_ = 2;
  } else if (!weight) {
    ahead_ = ahead_ != 0 ? ahead_ - 1 : (pattern_.pair ? 1 : 0);
  }
  walk_.Step();
  return tap;
}

void VectorUnit::WriteRow(Cycle cycle) {
  const Cycle write = cycle + kTapToWrite;
  writes_[write % writes_.size()] = {write, BankOf(out_[0])};
  const std::size_t level = walk_.level();
  if (level == VectorWalk::kLevels) return;
  const std::size_t loop = level - kWindowLevel;
  out_[loop] += out_stride_[loop];
  for (std::size_t i = 0; i < loop; ++i) out_[i] = out_[loop];
}

void VectorUnit::StepStream(std::size_t stream, bool granted, bool claimed, Cycle cycle) {
  Stream& s = streams_[stream];
  const bool passes = s.active && !s.walk.inside();
  const bool taken = granted || (passes && s.columns && s.room());
  const bool step = taken || (passes && !s.columns);
  const bool popped = (s.claims & 2) != 0;
  s.claims = (s.claims << 1 | (claimed ? 1U : 0U)) & 3;
  s.held += (taken ? 1U : 0U) - (popped ? 1U : 0U);
  s.free += (taken ? 1U : 0U) - (claimed ? 1U : 0U);
  bool free = !s.active;
  if (step) {
    free = s.walk.last();
    s.active = !free;
    s.walk.Step();
  }
  if (free && slot_ != nullptr && slot_from_ <= cycle && !s.seen && Uses(stream)) {
    s.walk = VectorWalk(*slot_, slot_pattern_, static_cast<unsigned>(stream) + 1);
    s.active = true;
    s.columns = slot_pattern_.columns;
    s.seen = true;
  }
}

void VectorUnit::Take(Cycle cycle) {
  const isa::Vector& v = *slot_;
  tag_ = !tag_;
  active_ = true;
  released_[static_cast<std::size_t>(tag_)] = kNever;
  accumulators_ = v.source == isa::VectorSource::kAccumulators;
  uses_b_ = v.map != isa::VectorMap::kCopy;
  pattern_ = slot_pattern_;
  walk_ = VectorWalk(v, pattern_, 0);
  ahead_ = 2;
  out_.fill(v.o_row);
  out_stride_ = {static_cast<std::uint32_t>(v.o_ow), static_cast<std::uint32_t>(v.o_oh),
                 static_cast<std::uint32_t>(v.o_cb)};
  for (Stream& stream : streams_) stream.seen = false;
  slot_ = nullptr;
  slot_free_ = cycle;
}

}  // namespace tpu::timing
