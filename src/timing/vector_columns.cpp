// SPDX-License-Identifier: Apache-2.0
// Windows of the vector unit that go column by column.
#include <algorithm>
#include <array>
#include <bit>

#include "timing/vector_unit.h"

namespace tpu::timing {
namespace {

// Banks of eight rows that are `row_step` rows apart. Each has four bits; the first row has the
// lowest.
constexpr std::uint32_t BanksAlong(std::uint32_t row, std::uint32_t row_step) {
  std::uint32_t banks = 0;
  for (unsigned i = 0; i < 8; ++i) banks |= BankOf(row + i * row_step) << (4 * i);
  return banks;
}

constexpr auto kBanksAlong = [] {
  std::array<std::uint32_t, 16> banks{};
  for (std::uint32_t i = 0; i < 16; ++i) banks[i] = BanksAlong(i / 4, i % 4);
  return banks;
}();

// Steps through the columns of a walk. The walk itself follows at the end of each run, and when
// this object goes.
class Columns {
 public:
  // `last` is set when the walk's last step is the next one.
  Columns(VectorWalk& walk, bool& last) : walk_(walk), last_(last) { StartRun(); }
  ~Columns() { walk_.Skip(run_ - left_); }
  Columns(const Columns&) = delete;
  Columns& operator=(const Columns&) = delete;

  /// Steps taken.
  [[nodiscard]] std::uint32_t steps() const { return steps_; }
  // The bank of the next column, if that is read.
  [[nodiscard]] Banks bank() const { return banks_ & 15; }
  [[nodiscard]] bool long_line() const {
    return walk_.line() - (run_ - left_) >= VectorUnit::kShortestRepetition;
  }
  void Step() {
    ++steps_;
    banks_ = std::rotr(banks_, 4);
    if (--left_ != 0) return;
    walk_.NextRun();
    StartRun();
  }

 private:
  void StartRun() {
    banks_ = walk_.inside() ? kBanksAlong[walk_.row() % 4 * 4 + walk_.row_step() % 4] : 0;
    run_ = left_ = walk_.run();
    last_ |= walk_.last();
  }

  VectorWalk& walk_;
  bool& last_;
  std::uint32_t banks_ = 0;
  std::uint32_t run_ = 0;
  std::uint32_t left_ = 0;
  std::uint32_t steps_ = 0;
};

}  // namespace

Cycle VectorUnit::StepColumns(Cycle cycle, Cycle end, MatmulUnit& array, Banks& banks) {
  Stream& one = streams_[0];
  Stream& two = streams_[1];
  if (!active_ || accumulators_ || !pattern_.columns) return cycle;
  if (!one.within() || !two.within() || one.claims != two.claims) return cycle;
  // Windows that end too soon after each other would have to wait, and a walk might start.
  if (config_.requant_lanes > 1) return cycle;
  const std::uint64_t left = std::min({left_, one.left, two.left});
  if (left <= kQueue) return cycle;
  end = std::min(end, cycle + left - kQueue);
  bool last = false;
  Columns source(walk_, last);
  Columns columns_1(one.walk, last);
  Columns columns_2(two.walk, last);
  unsigned free_1 = one.free;
  unsigned free_2 = two.free;
  unsigned claims = one.claims;
  bool regular = false;
  for (; cycle < end && !regular && !last; ++cycle) {
    const unsigned full = Stream::Most(claims);
    const Banks asks_1 = free_1 != full ? columns_1.bank() : 0;
    const Banks asks_2 = free_2 != full ? columns_2.bank() : 0;
    const bool taps = free_1 != 0 && free_2 != 0;
    const BankGrants grants = Arbitrate({.others = array.Reads(cycle),
                                         .source = taps ? source.bank() : 0,
                                         .stream_1 = asks_1,
                                         .stream_2 = asks_2,
                                         .hungry_1 = IsHungry(free_1) ? asks_1 : 0,
                                         .hungry_2 = IsHungry(free_2) ? asks_2 : 0});
    banks = grants.banks;
    const bool tap = taps && grants.source;
    const bool take_1 = grants.stream_1 || (columns_1.bank() == 0 && free_1 != full);
    const bool take_2 = grants.stream_2 || (columns_2.bank() == 0 && free_2 != full);
    claims = Stream::Later(claims, tap);
    free_1 += (take_1 ? 1U : 0U) - (tap ? 1U : 0U);
    free_2 += (take_2 ? 1U : 0U) - (tap ? 1U : 0U);
    if (take_1) columns_1.Step();
    if (take_2) columns_2.Step();
    if (tap) {
      WriteTap(cycle);
      source.Step();
      regular =
          take_1 && take_2 && source.long_line() && columns_1.long_line() && columns_2.long_line();
    }
  }
  left_ -= source.steps();
  one.left -= columns_1.steps();
  two.left -= columns_2.steps();
  one.free = free_1;
  two.free = free_2;
  one.claims = two.claims = claims;
  next_ = std::max(next_, cycle);
  return cycle;
}

}  // namespace tpu::timing
