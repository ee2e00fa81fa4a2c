// SPDX-License-Identifier: Apache-2.0
// The counters alone: exact values, and the cycle in which they come, against plain sums.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>

#include "Vtpu_counters.h"
#include "tb/dut.h"

namespace tpu {
namespace {

constexpr std::size_t kCount = 31;
constexpr unsigned kTurns = 32;
constexpr unsigned kUntilAnswer = 3;

/// Which counter's turn a cycle is. That of a counter of the three cycles before it is not, as its
/// row is on the way.
class Turns {
 public:
  /// One cycle, with a counter that waits to be read, if any; returns whether that one is taken.
  bool Next(std::optional<unsigned> asked) {
    const bool read = asked && lap_over_ && !read_1_ && !read_2_ && !read_3_;
    const unsigned index = read ? *asked : turn_;
    const bool taken = index != last_1_ && index != last_2_ && index != last_3_;
    if (taken && !read) {
      turn_ = (turn_ + 1) % kTurns;
      lap_over_ = lap_over_ || turn_ == 0;
    }
    last_3_ =
        std::exchange(last_2_, std::exchange(last_1_, taken ? std::optional(index) : std::nullopt));
    read_3_ = std::exchange(read_2_, std::exchange(read_1_, taken && read));
    return taken && read;
  }

 private:
  bool lap_over_ = false;
  unsigned turn_ = 0;
  std::optional<unsigned> last_1_;
  std::optional<unsigned> last_2_;
  std::optional<unsigned> last_3_;
  bool read_1_ = false;
  bool read_2_ = false;
  bool read_3_ = false;
};

class Counters : public ::testing::Test {
 protected:
  Counters() {
    dut_->clear = 0;
    dut_->running = 0;
    dut_->events = 0;
    dut_->rd_en = 0;
    Reset();
  }

  /// A reset of one cycle, with a clear, as the host does it; a read that waits is forgotten.
  void Reset() {
    dut_->clear = 1;
    dut_->rd_en = 0;
    dut_.Reset(1);
    dut_->clear = 0;
    turns_ = {};
    sums_ = {};
    asked_.reset();
    due_.reset();
  }

  /// One cycle; checks that an answer comes when it is due, and what it says.
  void Cycle() {
    dut_.Eval();
    ASSERT_EQ(dut_->rd_done, due_ && due_->cycles == 0);
    if (due_ && due_->cycles == 0) {
      ASSERT_EQ(dut_->rd_data, due_->value);
      due_.reset();
      asked_.reset();
    }
    if (due_ && --due_->cycles == kUntilAnswer - 1) {
      // The counter's events up to the cycle of its turn.
      const std::uint64_t count = sums_[*asked_];
      due_->value = static_cast<std::uint32_t>(dut_->rd_word & 1U ? count >> 32U : count);
    }
    const bool taken = turns_.Next(due_ ? std::nullopt : asked_) && !dut_->clear;
    if (taken) due_ = {kUntilAnswer, 0};
    if (dut_->rd_en != 0) asked_ = dut_->rd_word >> 1U;
    for (std::size_t i = 0; i < kCount; ++i) {
      if (dut_->running != 0) sums_[i] += dut_->events >> i & 1U;
    }
    if (dut_->clear != 0) {
      turns_ = {};
      sums_ = {};
      // An answer that is due in the next cycle comes all the same.
      if (due_ && due_->cycles != 0) due_.reset();
    }
    dut_.Tick();
    dut_->rd_en = 0;
  }

  [[nodiscard]] bool Reading() const { return asked_.has_value(); }
  void Read(unsigned word) {
    dut_->rd_en = 1;
    dut_->rd_word = static_cast<std::uint8_t>(word);
  }

  tb::Dut<Vtpu_counters> dut_;

 private:
  struct Answer {
    unsigned cycles;
    std::uint32_t value;
  };
  std::array<std::uint64_t, 32> sums_{};
  Turns turns_;
  std::optional<unsigned> asked_;
  std::optional<Answer> due_;
};

TEST_F(Counters, AreExactAtAnyMoment) {
  std::mt19937_64 rng(5);
  std::uint64_t quiet = 0;
  for (int cycle = 0; cycle < 60000; ++cycle) {
    SCOPED_TRACE(cycle);
    if (rng() % 300 == 0) {
      Reset();
      // A read that was not forgotten would be answered by then.
      quiet = rng() % 2 * 50;
    }
    dut_->events = static_cast<std::uint32_t>(rng() | rng()) & 0x7FFFFFFFU;
    dut_->running = rng() % 16 != 0 ? 1 : 0;
    dut_->clear = rng() % 500 == 0 ? 1 : 0;
    if (quiet != 0) {
      --quiet;
    } else if (!Reading() && rng() % 4 != 0) {
      Read(static_cast<unsigned>(rng() % 64));
    }
    Cycle();
    if (HasFatalFailure()) return;
  }
}

// Reads that always take the same counter's turn must not hold it up for long.
TEST_F(Counters, LoseNothingAtAnyPaceOfReads) {
  dut_->running = 1;
  dut_->events = 0x7FFFFFFF;
  for (int pace = 5; pace <= 70; ++pace) {
    for (int cycle = 0; cycle < 1000; ++cycle) {
      SCOPED_TRACE(cycle);
      if (cycle % pace == 0 && !Reading()) Read(2);
      Cycle();
      if (HasFatalFailure()) return;
    }
    for (unsigned word = 0; word < 2 * kCount; ++word) {
      while (Reading()) Cycle();
      Read(word);
      Cycle();
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace tpu
