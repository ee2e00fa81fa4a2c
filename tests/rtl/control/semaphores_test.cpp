// SPDX-License-Identifier: Apache-2.0
// tpu_semaphores alone: 32 counters against integers, at both ends of their range.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

#include "Vtpu_semaphores.h"
#include "isa/instruction.h"
#include "tb/dut.h"

namespace tpu {
namespace {

constexpr std::uint32_t kMost = isa::kMaxSemaphore;
constexpr std::uint32_t kAll = 0xFFFFFFFF;

class SemaphoresBench {
 public:
  SemaphoresBench() {
    Set(0, 0);
    dut_->clear = 0;
    dut_.Reset();
  }

  /// A cycle in which these are posted and taken; the takes must find something.
  void Step(std::uint32_t posts, std::uint32_t takes) {
    Set(posts, takes);
    bool overflow = false;
    for (std::size_t s = 0; s < counts_.size(); ++s) {
      const bool post = (posts >> s & 1) != 0;
      const bool take = (takes >> s & 1) != 0;
      if (take && !post) --counts_[s];
      if (!post || take) continue;
      if (counts_[s] == kMost) {
        overflow = true;
      } else {
        ++counts_[s];
      }
    }
    EXPECT_EQ((posts & dut_->full) != 0, overflow);
    dut_.Tick();
    ExpectNonzero();
  }
  /// All counters to zero, by reset or by `clear`, in a cycle with posts, which are lost.
  void Zero(bool reset) {
    Set(kAll, 0);
    if (reset) {
      dut_.Reset(1);
    } else {
      dut_->clear = 1;
      dut_.Tick();
      dut_->clear = 0;
    }
    Set(0, 0);
    counts_.fill(0);
    ExpectNonzero();
  }

  [[nodiscard]] std::uint32_t nonzero() const {
    std::uint32_t mask = 0;
    for (std::size_t s = 0; s < counts_.size(); ++s) mask |= (counts_[s] != 0 ? 1U : 0U) << s;
    return mask;
  }

 private:
  void Set(std::uint32_t posts, std::uint32_t takes) {
    dut_->post_mask = posts;
    dut_->take_mask = takes;
    dut_.Eval();
  }
  void ExpectNonzero() { EXPECT_EQ(dut_->nonzero, nonzero()); }

  tb::Dut<Vtpu_semaphores> dut_;
  std::array<std::uint32_t, isa::kNumSemaphores> counts_{};
};

// Single posts and takes, which must leave the other semaphores alone, and many at once.
void StepAtRandom(SemaphoresBench& bench, std::mt19937_64& rng, int cycles) {
  const auto mask = [&rng] {
    const auto bits = static_cast<std::uint32_t>(rng());
    switch (rng() % 4) {
      case 0:
        return std::uint32_t{0};
      case 1:
        return bits;
      default:
        return 1U << (bits % isa::kNumSemaphores);
    }
  };
  for (int i = 0; i < cycles && !::testing::Test::HasFailure(); ++i) {
    bench.Step(mask(), mask() & bench.nonzero());
  }
}

TEST(Semaphores, CountFromZero) {
  SemaphoresBench bench;
  std::mt19937_64 rng(11);
  StepAtRandom(bench, rng, 3000);
}

TEST(Semaphores, StayAtTheirMaximum) {
  SemaphoresBench bench;
  std::mt19937_64 rng(12);
  for (std::uint32_t i = 0; i < kMost - 2; ++i) bench.Step(kAll, 0);
  StepAtRandom(bench, rng, 3000);
}

TEST(Semaphores, ResetAndClearMakeThemZero) {
  for (const bool reset : {false, true}) {
    SCOPED_TRACE(reset ? "reset" : "clear");
    SemaphoresBench bench;
    bench.Step(kAll, 0);
    bench.Zero(reset);
    // Full ones, too: the next post would overflow.
    for (std::uint32_t i = 0; i < kMost; ++i) bench.Step(kAll, 0);
    bench.Zero(reset);
    bench.Step(kAll, 0);
    bench.Step(0, kAll);
  }
}

}  // namespace
}  // namespace tpu
