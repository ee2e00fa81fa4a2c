// SPDX-License-Identifier: Apache-2.0
#include "timing/vector_unit.h"

#include <algorithm>

namespace tpu::timing {

void VectorUnit::Accept(const isa::Vector& vector, Cycle cycle) {
  Accept({.vector = vector, .pattern = PatternOf(vector, config_)}, cycle);
}

void VectorUnit::Accept(const isa::Fvector& fvector, Cycle cycle) {
  Accept({.vector = LoopsOf(fvector), .kind = Kind::kFvector, .pace = PaceOf(fvector)}, cycle);
}

void VectorUnit::Accept(const isa::Ivector& ivector, Cycle cycle) {
  Accept({.vector = LoopsOf(ivector), .kind = Kind::kIvector, .pace = PaceOf(ivector)}, cycle);
}

void VectorUnit::Accept(const isa::Adam& adam, Cycle cycle) {
  Accept({.vector = LoopsOf(adam), .kind = Kind::kAdam, .pace = PaceOf(adam)}, cycle);
}

void VectorUnit::Accept(const Next& next, Cycle cycle) {
  slot_ = next;
  slot_from_ = cycle + 1;
  slot_uses_ = {next.pattern.columns || next.vector.map != isa::VectorMap::kCopy,
                next.pattern.columns};
  next_ = std::min(next_, slot_from_);
}

std::optional<Cycle> VectorUnit::Step(Cycle cycle, MatmulUnit& array, Banks& banks) {
  if (cycle < next_) return std::nullopt;
  const bool ends = !taken_ && Ends(cycle);
  Stream& one = streams_[0];
  Stream& two = streams_[1];
  const bool taps = CanTap(cycle) && Drains(cycle, array);
  const BankGrants grants = Arbitrate({.others = banks,
                                       .source = taps ? SourceBank() : 0,
                                       .stream_1 = one.asks(),
                                       .stream_2 = two.asks(),
                                       .hungry_1 = one.hungry(),
                                       .hungry_2 = two.hungry(),
                                       .columns = pattern_.columns});
  banks = grants.banks;
  const Tap tap = StepSource(cycle, taps && grants.source);

  const bool slot = slot_ && slot_from_ <= cycle;
  const bool seen = slot && !Unseen(0) && !Unseen(1);
  if (one.busy() || (slot && Unseen(0))) StepStream(cycle, 0, grants.stream_1, tap.claim_1, slot);
  if (two.busy() || (slot && Unseen(1))) StepStream(cycle, 1, grants.stream_2, tap.claim_2, slot);
  std::optional<Cycle> completion;
  if (tap.last) {
    const LinePace& pace = issue().pace();
    active_ = false;
    released_[static_cast<std::size_t>(bank_)] =
        cycle + (by_lines_ ? pace.TapToWrite() : tap_to_write_);
    completion = cycle + (by_lines_ ? pace.TapToDone(second_row_) : tap_to_write_);
    second_row_ = false;
  }
  if (seen && ends && HasBank(cycle)) Take(cycle);
  if (!active_ && taken_ && taken_from_ <= cycle + 1) Start(cycle + 1);
  next_ = NextAfter(cycle);
  return completion;
}

// Instructions of two kinds are never both in the lanes, and of ADAM there is only one.
bool VectorUnit::HasBank(Cycle cycle) const {
  const auto free = [&](bool bank) { return released_[static_cast<std::size_t>(bank)] <= cycle; };
  const bool joins = slot_->kind == taken_kind_ && slot_->kind != Kind::kAdam;
  return free(!taken_bank_) && (joins || free(taken_bank_));
}

Banks VectorUnit::SourceBank() const {
  if (!reads_a_ || !walk_.inside()) return 0;
  if (!by_lines_) return BankOf(walk_.row());
  return issue().TakesA(true) ? BankOf(walk_.row() + issue().line()) : 0;
}

bool VectorUnit::Drains(Cycle cycle, MatmulUnit& array) const {
  if (accumulators_ || reads_a_ || !walk_.inside()) return true;
  return (by_lines_ && !issue().TakesA(true)) || array.Drains(AccumulatorRow(), cycle);
}

bool VectorUnit::CanTap(Cycle cycle) const {
  if (!active_ || accumulators_) return active_;
  if (by_lines_) {
    if (issue().TakesB(walk_.inside()) && streams_[0].free == 0) return false;
    return issue().From(CurrentStep(), cycle) <= cycle;
  }
  if (pattern_.columns || (uses_b_ && walk_.inside())) {
    if (streams_[0].free == 0) return false;
  }
  if (pattern_.columns && streams_[1].free == 0) return false;
  return cycle >= row_from_ || !EndsWindow();
}

VectorUnit::Tap VectorUnit::StepSource(Cycle cycle, bool granted) {
  if (!granted) return {};
  if (accumulators_) return {.last = cycle == run_.last};
  if (by_lines_) return StepLine(cycle);
  const Tap tap = {.claim_1 = pattern_.columns || (uses_b_ && walk_.inside()),
                   .claim_2 = pattern_.columns,
                   .last = walk_.last()};
  WriteTap(cycle);
  walk_.Step();
  --left_;
  return tap;
}

VectorUnit::Tap VectorUnit::StepLine(Cycle cycle) {
  const LineStep step = CurrentStep();
  Tap tap = {.claim_1 = issue().TakesB(step.inside)};
  if (!issues_[issuing_].Issue(step, cycle)) return tap;
  tap.last = walk_.last();
  first_ = step.last;
  if (step.last) WriteLines(cycle, step.final);
  squares_ = walk_.row();
  walk_.Step();
  --left_;
  return tap;
}

bool VectorUnit::EndsWindow() const {
  return pattern_.columns ? ahead_ == 0 && !walk_.weight() : walk_.window_last();
}

bool VectorUnit::Ends(Cycle cycle) const {
  if (!active_) return true;
  return accumulators_ ? cycle >= run_.ends : left_ <= kQueue;
}

VectorUnit::Repetition VectorUnit::Repeats(Cycle cycle, Banks others, bool exact) const {
  if (!active_ || !reads_a_ || by_lines_ || (slot_ && slot_from_ >= cycle)) return {};
  if (pattern_.columns && walk_.line() < kShortestRepetition) return {};
  // Windows that end too soon after each other wait.
  const std::uint64_t row_taps = pattern_.columns ? 1 : std::uint64_t{row_taps_};
  if (row_taps < config_.requant_lanes) return {};
  // A walk might start meanwhile.
  if (left_ <= kQueue) return {};
  Repetition repetition = {.cycles = left_ - kQueue};
  // Whether a stream goes on in a bank that stays apart from the banks of the others. Columns
  // outside the image count, too, although nothing is read there.
  const auto joins = [&](const VectorWalk& walk, bool columns) {
    const bool line = columns && !exact;
    repetition.cycles = std::min<Cycle>(repetition.cycles, line ? walk.line() : walk.run());
    if (walk.last()) return false;
    if (!line && !walk.inside()) return true;
    const std::uint32_t bank_step = walk.row_step() % 4;
    const Banks bank = BankOf(walk.row());
    if (((repetition.banks | others) & bank) != 0) return false;
    if (repetition.banks != 0 && bank_step != repetition.bank_step) return false;
    repetition.banks |= bank;
    repetition.bank_step = bank_step;
    return true;
  };
  if (!joins(walk_, pattern_.columns)) return {};
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const Stream& stream = streams_[i];
    const bool claimed = pattern_.columns || (i == 0 && uses_b_ && walk_.inside());
    if (!claimed) {
      if (!stream.full() || (slot_ && Unseen(i) && stream.ends())) return {};
      continue;
    }
    // A walk by taps skips the taps outside the image. The walk of an FVECTOR or IVECTOR goes line
    // by line.
    const bool takes = stream.lines == 1 && (stream.columns || stream.walk.inside());
    if (!takes || !stream.flows() || !joins(stream.walk, stream.columns)) return {};
    if (stream.ends()) return {};
    repetition.cycles = std::min(repetition.cycles, stream.left - kQueue);
  }
  return repetition;
}

void VectorUnit::Repeat(Cycle cycle, Cycle cycles) {
  if (pattern_.columns || (uses_b_ && walk_.inside()))
    streams_[0].Flow(static_cast<std::uint32_t>(cycles));
  if (pattern_.columns) streams_[1].Flow(static_cast<std::uint32_t>(cycles));
  left_ -= cycles;
  next_ = cycle + cycles;
  for (; cycle != next_; ++cycle) {
    WriteTap(cycle);
    walk_.Step();
  }
}

// In each of `cycles` cycles a row is taken and a row is claimed. A claimed row is popped
// kClaimToPop cycles later.
void VectorUnit::Stream::Flow(std::uint32_t cycles) {
  for (unsigned i = 0; i < std::min(cycles, kClaimToPop); ++i) claims = Later(claims, true);
  walk.Skip(cycles);
  left -= cycles;
}

void VectorUnit::Stream::Start(Cycle cycle) {
  if (active || num_started == 0 || started[0].from > cycle) return;
  walk = started[0].walk;
  columns = started[0].columns;
  lines = started[0].lines;
  active = true;
  started[0] = started[1];
  --num_started;
}

void VectorUnit::StepStream(Cycle cycle, std::size_t stream, bool granted, bool claimed,
                            bool slot) {
  Stream& s = streams_[stream];
  const bool ends = s.ends();
  const bool passes = s.active && !s.walk.inside();
  const bool taken = granted || (passes && s.columns && s.room());
  bool step = taken || (passes && !s.columns);
  if (granted && s.lines != 1) {
    step = ++s.line == s.lines;
    if (step) s.line = 0;
  }
  s.claims = Stream::Later(s.claims, claimed);
  s.free += (taken ? 1U : 0U) - (claimed ? 1U : 0U);
  if (step) {
    s.active = !s.walk.last();
    s.walk.Step();
    --s.left;
  }
  if (ends && slot && Unseen(stream)) {
    const auto& [vector, pattern, kind, pace] = *slot_;
    const std::uint64_t steps = StepsOf(vector, pattern);
    s.started.at(s.num_started++) = {
        .walk = VectorWalk(vector, pattern, static_cast<unsigned>(stream) + 1),
        .columns = pattern.columns,
        .lines = slot_->by_lines() ? pace.b_lines : 1,
        .steps = steps,
        .from = cycle + kStartToStep};
    s.left += steps;
    s.seen = true;
  }
  s.Start(cycle + 1);
}

void VectorUnit::Take(Cycle cycle) {
  taken_ = slot_;
  taken_kind_ = slot_->kind;
  taken_from_ = cycle + kStartToStep;
  taken_bank_ = !taken_bank_;
  released_[static_cast<std::size_t>(taken_bank_)] = kNever;
  for (Stream& stream : streams_) stream.seen = false;
  slot_.reset();
  slot_free_ = cycle + 1;
}

void VectorUnit::Start(Cycle first) {
  const isa::Vector& v = taken_->vector;
  bank_ = taken_bank_;
  active_ = true;
  uses_b_ = v.map != isa::VectorMap::kCopy;
  pattern_ = taken_->pattern;
  walk_ = VectorWalk(v, pattern_, 0);
  left_ = StepsOf(v, pattern_);
  row_taps_ = v.n_kh * v.n_kw;
  ahead_ = 2;
  out_.fill(v.o_row);
  out_stride_ = {static_cast<std::uint32_t>(v.o_ow), static_cast<std::uint32_t>(v.o_oh),
                 static_cast<std::uint32_t>(v.o_cb)};
  // Rows of the run before are still to be written.
  if (accumulators_) WriteRun(first - std::min(first, kAhead + tap_to_write_), run_.last + 1);
  by_lines_ = taken_->by_lines();
  reads_a_ = v.source == isa::VectorSource::kUnifiedBuffer;
  accumulators_ = !by_lines_ && !reads_a_ && config_.bf16 == 0;
  if (accumulators_) StartRun(v, first);
  if (by_lines_) {
    issuing_ = taken_->kind == Kind::kIvector ? 1 : 0;
    issues_[issuing_].Start(taken_->pace);
  }
  first_ = true;
  taken_.reset();
}

// There is a tap in each cycle. But the last taps of two windows are at least as many cycles apart
// as lanes share a requantiser.
void VectorUnit::StartRun(const isa::Vector& v, Cycle first) {
  const std::uint32_t row_cycles = std::max(row_taps_, config_.requant_lanes);
  const std::uint64_t rows = std::uint64_t{v.n_cb} * v.n_oh * v.n_ow;
  const Cycle first_row = std::max(first + row_taps_ - 1, row_from_);
  const Cycle last = first_row + (rows - 1) * row_cycles;
  row_from_ = last + config_.requant_lanes;
  // The cycle after the third last tap, which is the last one of a row, or the first one of the
  // last.
  Cycle ends = first;
  if (row_taps_ == 1) {
    if (rows > kQueue) ends = last - kQueue * row_cycles + 1;
  } else if (rows > 1) {
    ends = last - row_cycles + row_taps_ - 1;
  } else if (row_taps_ > kQueue) {
    ends = first + row_taps_ - kQueue;
  }
  run_ = {.first = first_row + 1 - row_cycles,
          .last = last,
          .ends = ends,
          .row_cycles = row_cycles,
          .n_ow = v.n_ow,
          .n_oh = v.n_oh,
          .row = v.o_row,
          .stride = out_stride_};
}

Cycle VectorUnit::NextAfter(Cycle cycle) const {
  if (!active_ && !slot_ && !taken_) return kNever;
  if (active_ && by_lines_) return NextLineAfter(cycle);
  if (!active_ || !accumulators_) return cycle + 1;
  for (const Stream& stream : streams_) {
    if (!stream.full()) return cycle + 1;
  }
  if (!slot_) return run_.last;
  if (Unseen(0) || Unseen(1)) return std::max(slot_from_, cycle + 1);
  return std::max({slot_from_, cycle + 1, std::min(run_.ends, run_.last)});
}

// While the lanes take no tap and the streams have no room, only the next instruction may want
// something.
Cycle VectorUnit::NextLineAfter(Cycle cycle) const {
  const bool idle = std::all_of(streams_.begin(), streams_.end(),
                                [](const Stream& stream) { return stream.full(); });
  if (!idle || (slot_ && (Unseen(0) || Unseen(1) || Ends(cycle)))) return cycle + 1;
  return issue().From(CurrentStep(), cycle + 1);
}

}  // namespace tpu::timing
