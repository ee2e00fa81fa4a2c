// SPDX-License-Identifier: Apache-2.0
// tpu_axi_write_port: a writer with random bursts, halts, and resets of the writer while beats or
// responses are missing.
#include <gtest/gtest.h>

#include <deque>

#include "Vtpu_axi_write_port.h"
#include "tests/rtl/memory/dma_bench.h"

namespace tpu {
namespace {

class WritePortBench {
 public:
  WritePortBench(std::uint64_t seed, const tb::AxiMemoryOptions& options)
      : rng_(seed), dut_(seed), memory_(*dut_, options), checker_(*dut_) {
    memory_.Resize(kMemoryBytes);
    memory_.bytes() = RandomBytes(kMemoryBytes, rng_);
    expected_memory_ = memory_.bytes();
    dut_->core_rst = 0;
    dut_->halt = 0;
    dut_->aw_valid = 0;
    dut_->w_valid = 0;
    dut_.Reset();
    checker_.SampleReset();
  }

  /// One cycle in which the writer offers a burst and a beat, each with its probability.
  void Cycle(double rate) { Cycle(rate, rate); }
  void Cycle(double burst_rate, double beat_rate) {
    const bool in_reset = dut_->core_rst != 0;
    Offer(burst_rate, beat_rate);
    dut_.Eval();
    if (dut_->b_valid != 0 && !in_reset) CheckAnswer();
    const bool address = dut_->aw_valid && dut_->aw_ready;
    const bool beat = dut_->w_valid && dut_->w_ready;
    std::uint64_t data = dut_->w_data;
    if (address) {
      bursts_.push_back({dut_->aw_addr, dut_->aw_len + 1U});
      unanswered_.push_back(dut_->aw_addr >= kMemoryBytes);
      ++taken_;
    }
    if (beat) data = TakeBeat();
    if (dut_->m_axi_awvalid != 0) {
      EXPECT_EQ(dut_->m_axi_awid & 3, 0) << "STORE's bursts have this number";
    }
    const std::uint64_t strobes = dut_->m_axi_wstrb;
    checker_.Sample();
    memory_.Sample();
    dut_.Tick();
    if (dut_->m_axi_wvalid == 0) {
      EXPECT_EQ(dut_->m_axi_wstrb, strobes) << "without a beat";
    }
    memory_.Drive();
    dut_->w_data = data;
    if (address || in_reset) dut_->aw_valid = 0;
    if (beat || in_reset) dut_->w_valid = 0;
    if (in_reset) {
      bursts_.clear();
      unanswered_.clear();
      beat_ = 0;
    }
  }

  /// As the machine does: nothing is reset before the port has been halted.
  void HaltAndReset(int halted_cycles) {
    constexpr int kCycles = 4;
    dut_->halt = 1;
    const std::uint64_t before = taken_;
    for (int i = 0; i < halted_cycles; ++i) Cycle(1.0);
    EXPECT_EQ(taken_, before) << "took a burst while halted";
    dut_->core_rst = 1;
    for (int i = 0; i < kCycles; ++i) Cycle(0);
    dut_->core_rst = 0;
    dut_->halt = 0;
  }

  /// A reset of the writer alone.
  void ResetWriter() {
    dut_->core_rst = 1;
    Cycle(0);
    dut_->core_rst = 0;
  }

  /// Everything is reset, the bus too; a burst is taken at once after that.
  void ResetAll() {
    memory_.Reset();
    dut_->aw_valid = dut_->w_valid = 0;
    dut_.Reset(1);
    checker_.SampleReset();
    dut_->halt = 0;
    dut_.Eval();
    EXPECT_EQ(dut_->aw_ready, 1);
    EXPECT_EQ(dut_->m_axi_awvalid + dut_->m_axi_wvalid, 0);
  }

  void Drain() {
    while (dut_->aw_valid || dut_->m_axi_awvalid || !bursts_.empty() || dut_->m_axi_wvalid ||
           !memory_.Idle()) {
      Cycle(0, 1);
      ASSERT_LT(dut_.cycles(), 1000000U);
    }
    EXPECT_TRUE(unanswered_.empty());
    EXPECT_EQ(dut_->drained, 1);
    EXPECT_EQ(memory_.bytes(), expected_memory_);
    checker_.ExpectDrained();
  }

  void Halt() { dut_->halt = 1; }
  [[nodiscard]] bool drained() { return dut_->drained != 0; }
  [[nodiscard]] std::uint64_t taken() const { return taken_; }
  [[nodiscard]] bool complete() const { return bursts_.empty(); }
  tb::AxiMemory<Vtpu_axi_write_port>& memory() { return memory_; }

 private:
  static constexpr std::uint64_t kBeatBytes = 8;
  static constexpr std::uint64_t kMemoryBytes = 1 << 14;
  static constexpr std::uint64_t kPageBytes = 4096;

  struct Burst {
    std::uint64_t address;
    unsigned beats;
  };

  void Offer(double burst_rate, double beat_rate) {
    if (!dut_->aw_valid && std::bernoulli_distribution(burst_rate)(rng_)) {
      dut_->aw_valid = 1;
      const std::uint32_t beats = Uniform(rng_, 1, Uniform(rng_, 0, 3) == 0 ? 32 : 4);
      const std::uint64_t page =
          Uniform(rng_, 0, 9) == 0 ? kMemoryBytes : RandomPage(rng_, 14, kPageBytes);
      dut_->aw_addr = page + kBeatBytes * Uniform(rng_, 0, kPageBytes / kBeatBytes - beats);
      dut_->aw_len = static_cast<CData>(beats - 1);
    }
    if (!dut_->w_valid && std::bernoulli_distribution(beat_rate)(rng_)) {
      dut_->w_valid = 1;
      const std::uint32_t first = Uniform(rng_, 0, 7);
      const std::uint32_t last = Uniform(rng_, first, 7);
      dut_->w_strb = static_cast<CData>((0xFFU << first) & (0xFFU >> (7 - last)));
    }
  }

  // The next beat of the oldest burst; returns its bytes.
  std::uint64_t TakeBeat() {
    const std::uint64_t data = rng_();
    EXPECT_FALSE(bursts_.empty()) << "took a beat of no burst";
    if (bursts_.empty()) return data;
    const Burst burst = bursts_.front();
    EXPECT_EQ(dut_->w_first != 0, beat_ == 0);
    EXPECT_EQ(dut_->w_last != 0, beat_ + 1 == burst.beats);
    const std::uint64_t address = burst.address + beat_ * kBeatBytes;
    for (std::uint64_t i = 0; i < kBeatBytes && burst.address < kMemoryBytes; ++i) {
      if ((dut_->w_strb >> i & 1) != 0) {
        expected_memory_[address + i] = static_cast<std::uint8_t>(data >> 8 * i);
      }
    }
    if (++beat_ == burst.beats) {
      bursts_.pop_front();
      beat_ = 0;
    }
    return data;
  }

  void CheckAnswer() {
    ASSERT_FALSE(unanswered_.empty()) << "an answer to nothing";
    const auto expected =
        unanswered_.front() ? tb::AxiResponse::kDecodeError : tb::AxiResponse::kOkay;
    unanswered_.pop_front();
    EXPECT_EQ(static_cast<tb::AxiResponse>(dut_->b_resp), expected);
  }

  std::mt19937_64 rng_;
  tb::Dut<Vtpu_axi_write_port> dut_;
  tb::AxiMemory<Vtpu_axi_write_port> memory_;
  tb::AxiProtocolChecker<Vtpu_axi_write_port> checker_;
  std::vector<std::uint8_t> expected_memory_;
  std::deque<Burst> bursts_;     // Taken, with beats to come
  unsigned beat_ = 0;            // Of the first of them
  std::deque<bool> unanswered_;  // Taken since the last reset: outside of the memory?
  std::uint64_t taken_ = 0;
};

tb::AxiMemoryOptions RandomMemory(std::uint64_t seed, std::mt19937_64& rng) {
  return {.latency = 1 + Uniform(rng, 0, 300),
          .max_bursts = Uniform(rng, 1, 64),
          .ready_after_valid = seed % 4 == 1,
          .stalls = StallAll(seed % 2 == 0 ? 0.4 : 0.0),
          .seed = seed};
}

TEST(AxiWritePort, WritesWhatIsGiven) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937_64 rng(seed);
    WritePortBench bench(seed, RandomMemory(seed, rng));
    for (int i = 0; i < 2000; ++i) bench.Cycle(seed < 4 ? 1.0 : 0.3);
    bench.Drain();
    EXPECT_GT(bench.taken(), 5U);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(AxiWritePort, ResetsLoseNoBeatAndNoResponse) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937_64 rng(seed);
    WritePortBench bench(seed, RandomMemory(seed, rng));
    for (int reset = 0; reset < 20; ++reset) {
      const std::uint32_t cycles = Uniform(rng, 0, 200);
      for (std::uint32_t i = 0; i < cycles; ++i) bench.Cycle(0.5);
      bench.HaltAndReset(static_cast<int>(Uniform(rng, 0, 20)));
      if (testing::Test::HasFailure()) return;
    }
    bench.Drain();
    if (testing::Test::HasFailure()) return;
  }
}

TEST(AxiWritePort, CompletesBurstsWhenTheSlaveWakesUp) {
  for (const auto channel : {tb::AxiChannel::kAw, tb::AxiChannel::kW, tb::AxiChannel::kB}) {
    SCOPED_TRACE(static_cast<int>(channel));
    WritePortBench bench(1, {.latency = 5});
    for (int i = 0; i < 40; ++i) bench.Cycle(1.0);
    bench.memory().StopChannel(channel);
    for (int i = 0; i < 100; ++i) bench.Cycle(1.0);
    bench.HaltAndReset(20);
    const std::uint64_t taken = bench.taken();
    for (int i = 0; i < 100; ++i) bench.Cycle(1.0);
    // Only responses may be missing when bursts of the next epoch are taken.
    EXPECT_EQ(bench.taken() > taken, channel == tb::AxiChannel::kB);
    bench.memory().StopAnswering(false);
    for (int i = 0; i < 300; ++i) bench.Cycle(1.0);
    EXPECT_GT(bench.taken(), taken);
    bench.Drain();
  }
}

TEST(AxiWritePort, HaltGivesTheMissingBeats) {
  WritePortBench bench(3, {.latency = 5});
  while (bench.complete()) bench.Cycle(1.0);
  bench.Halt();
  for (int i = 0; i < 200; ++i) bench.Cycle(0);
  EXPECT_TRUE(bench.drained());
  EXPECT_TRUE(bench.memory().Idle());
}

// Also in the cycle between a burst's address and its first beat.
TEST(AxiWritePort, AResetOfTheWriterForOneCycleEndsItsBursts) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937_64 rng(seed);
    WritePortBench bench(seed, {.latency = 5, .seed = seed});
    for (int reset = 0; reset < 20; ++reset) {
      const std::uint32_t cycles = Uniform(rng, 0, 12);
      for (std::uint32_t i = 0; i < cycles; ++i) bench.Cycle(0.4);
      bench.ResetWriter();
      // One epoch at a time
      for (int i = 0; i < 150; ++i) bench.Cycle(0);
      ASSERT_TRUE(bench.drained());
      if (testing::Test::HasFailure()) return;
    }
    bench.Drain();
    if (testing::Test::HasFailure()) return;
  }
}

TEST(AxiWritePort, TakesABurstRightAfterAResetOfEverything) {
  for (int cycles = 0; cycles < 12; ++cycles) {
    SCOPED_TRACE(fmt::format("halted for {} cycles", cycles));
    WritePortBench bench(4, {.latency = 5});
    bench.memory().StopChannel(tb::AxiChannel::kW);
    for (int i = 0; i < 30; ++i) bench.Cycle(1.0);
    if (cycles != 0) bench.Halt();
    for (int i = 0; i < cycles; ++i) bench.Cycle(0);
    bench.ResetAll();
  }
}

TEST(AxiWritePort, GoesOnInTheOtherEpochWhenResponsesNeverCome) {
  WritePortBench bench(1, {.latency = 10});
  for (int i = 0; i < 60; ++i) bench.Cycle(1.0);
  bench.HaltAndReset(0);
  // Long enough for the beats of all bursts that the port had taken, and for their responses.
  for (int i = 0; i < 300; ++i) bench.Cycle(1.0);
  ASSERT_FALSE(bench.drained());
  bench.memory().ForgetUnanswered();
  bench.HaltAndReset(1);
  const std::uint64_t before = bench.taken();
  for (int i = 0; i < 60; ++i) bench.Cycle(1.0);
  EXPECT_GT(bench.taken(), before);
}

}  // namespace
}  // namespace tpu
