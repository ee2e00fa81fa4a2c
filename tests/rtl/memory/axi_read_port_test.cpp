// SPDX-License-Identifier: Apache-2.0
// tpu_axi_read_port: three clients with random requests, answers mixed by ID, and resets of the
// clients while the bus owes answers.
#include <gtest/gtest.h>

#include <array>
#include <deque>

#include "Vtpu_axi_read_port.h"
#include "tests/rtl/memory/dma_bench.h"

namespace tpu {
namespace {

constexpr std::size_t kBeatBytes = 8;
constexpr std::uint64_t kMemoryBytes = 1 << 16;
constexpr std::uint64_t kPageBytes = 4096;
constexpr unsigned kAddressBits = 40;

// One client: a request at a time on its AR, the beats that it expects on its R.
struct Client {
  CData& ar_valid;
  CData& ar_ready;
  QData& ar_addr;
  CData& ar_len;
  CData& r_valid;
  QData& r_data;
  CData& r_resp;
  CData& r_last;
  struct Beat {
    std::uint64_t address;
    bool last;
  };
  std::deque<Beat> expected = {};
  unsigned bursts = 0;
};

class ReadPortBench {
 public:
  ReadPortBench(std::uint64_t seed, const tb::AxiMemoryOptions& options)
      : rng_(seed),
        base_(RandomPage(rng_, kAddressBits, 2 * kMemoryBytes)),
        dut_(seed),
        memory_(*dut_, options),
        checker_(*dut_) {
    memory_.MoveTo(base_);
    memory_.Resize(kMemoryBytes);
    memory_.bytes() = RandomBytes(kMemoryBytes, rng_);
    memory_.FailRange(kBadAddress, kMemoryBytes, tb::AxiResponse::kSlaveError);
    for (Client& client : clients_) client.ar_valid = 0;
    dut_->core_rst = 0;
    dut_->halt = 0;
    dut_.Reset();
    checker_.SampleReset();
  }

  /// One cycle in which each idle client makes a new request with probability `rate`.
  void Cycle(double rate) {
    const bool in_reset = dut_->core_rst != 0;
    for (Client& client : clients_) {
      if (client.ar_valid == 0 && std::bernoulli_distribution(rate)(rng_)) {
        client.ar_valid = 1;
        const std::uint32_t beat = Uniform(rng_, 0, kPageBeats - 1);
        // Short ones mostly, and mostly where the memory is.
        const std::uint32_t most = Uniform(rng_, 0, 7) == 0 ? 255 : 31;
        const std::uint64_t page = Uniform(rng_, 0, 7) == 0
                                       ? RandomPage(rng_, kAddressBits, kPageBytes)
                                       : base_ + RandomPage(rng_, 16, kPageBytes);
        client.ar_addr = page + beat * kBeatBytes;
        client.ar_len = static_cast<CData>(Uniform(rng_, 0, std::min(most, kPageBeats - 1 - beat)));
      }
    }
    dut_.Eval();
    // In reset a client sees nothing.
    for (Client& client : clients_) {
      if (!in_reset) CheckAnswer(client);
    }
    std::array<bool, 3> accepted = {};
    for (std::size_t i = 0; i < 3; ++i) {
      accepted[i] = clients_[i].ar_valid && clients_[i].ar_ready;
      if (accepted[i]) Expect(clients_[i]);
    }
    checker_.Sample();
    memory_.Sample();
    dut_.Tick();
    memory_.Drive();
    for (std::size_t i = 0; i < 3; ++i) {
      if (accepted[i] || in_reset) clients_[i].ar_valid = 0;
      if (in_reset) clients_[i].expected.clear();
    }
  }

  void Drain() {
    while (clients_[0].ar_valid || clients_[1].ar_valid || clients_[2].ar_valid ||
           dut_->m_axi_arvalid || !memory_.Idle()) {
      Cycle(0);
      ASSERT_LT(dut_.cycles(), 1000000U);
    }
    for (const Client& client : clients_) EXPECT_TRUE(client.expected.empty());
    EXPECT_EQ(dut_->drained, 1);
    checker_.ExpectDrained();
  }

  /// The clients forget what they have asked for.
  void ResetCore() {
    constexpr int kCycles = 4;
    dut_->core_rst = 1;
    for (int i = 0; i < kCycles; ++i) Cycle(0);
    dut_->core_rst = 0;
  }
  /// With an idle bus.
  void ResetPort() {
    dut_.Reset(1);
    checker_.SampleReset();
  }
  void Halt(bool halt) { dut_->halt = halt; }
  bool drained() { return dut_->drained != 0; }
  tb::AxiMemory<Vtpu_axi_read_port>& memory() { return memory_; }
  std::uint64_t bursts() const {
    return clients_[0].bursts + clients_[1].bursts + clients_[2].bursts;
  }
  const std::array<Client, 3>& clients() const { return clients_; }

 private:
  void Expect(Client& client) {
    for (unsigned b = 0; b <= client.ar_len; ++b) {
      client.expected.push_back({client.ar_addr - base_ + b * kBeatBytes, b == client.ar_len});
    }
    ++client.bursts;
  }
  void CheckAnswer(Client& client) {
    if (client.r_valid == 0) return;
    ASSERT_FALSE(client.expected.empty());
    const Client::Beat beat = client.expected.front();
    client.expected.pop_front();
    ASSERT_EQ(client.r_last != 0, beat.last);
    const auto response = static_cast<tb::AxiResponse>(client.r_resp);
    if (beat.address >= kMemoryBytes) {
      ASSERT_EQ(response, tb::AxiResponse::kDecodeError);
    } else if (beat.address >= kBadAddress) {
      ASSERT_EQ(response, tb::AxiResponse::kSlaveError);
    } else {
      std::uint64_t data = 0;
      std::memcpy(&data, &memory_.bytes()[beat.address], kBeatBytes);
      ASSERT_EQ(client.r_data, data);
      ASSERT_EQ(response, tb::AxiResponse::kOkay);
    }
  }

  static constexpr std::uint32_t kPageBeats = kPageBytes / kBeatBytes;
  static constexpr std::uint64_t kBadAddress = kMemoryBytes - 2 * kPageBytes;

  std::mt19937_64 rng_;
  std::uint64_t base_;  // Of the memory
  tb::Dut<Vtpu_axi_read_port> dut_;
  std::array<Client, 3> clients_ = {
      Client{dut_->fe_ar_valid, dut_->fe_ar_ready, dut_->fe_ar_addr, dut_->fe_ar_len,
             dut_->fe_r_valid, dut_->fe_r_data, dut_->fe_r_resp, dut_->fe_r_last},
      Client{dut_->ld_ar_valid, dut_->ld_ar_ready, dut_->ld_ar_addr, dut_->ld_ar_len,
             dut_->ld_r_valid, dut_->ld_r_data, dut_->ld_r_resp, dut_->ld_r_last},
      Client{dut_->wt_ar_valid, dut_->wt_ar_ready, dut_->wt_ar_addr, dut_->wt_ar_len,
             dut_->wt_r_valid, dut_->wt_r_data, dut_->wt_r_resp, dut_->wt_r_last}};
  tb::AxiMemory<Vtpu_axi_read_port> memory_;
  tb::AxiProtocolChecker<Vtpu_axi_read_port> checker_;
};

TEST(AxiReadPort, AnswersReachTheClientThatAsked) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const double stall = seed % 2 == 0 ? 0.4 : 0.0;
    ReadPortBench bench(seed, {.latency = 10,
                               .interleave = true,
                               .ready_after_valid = seed % 4 == 1,
                               .stalls = StallAll(stall),
                               .seed = seed});
    for (int i = 0; i < 1000; ++i) bench.Cycle(seed < 4 ? 0.5 : 0.1);
    bench.Drain();
    for (const Client& client : bench.clients()) EXPECT_GT(client.bursts, 5U);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(AxiReadPort, AnswersFromBeforeAResetReachNobody) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937_64 rng(seed);
    const double stall = seed % 2 == 0 ? 0.4 : 0.0;
    ReadPortBench bench(seed, {.latency = 1 + Uniform(rng, 0, 300),
                               .max_bursts = 300,
                               .interleave = true,
                               .ready_after_valid = seed % 4 == 1,
                               .stalls = StallAll(stall),
                               .seed = seed});
    for (int reset = 0; reset < 20; ++reset) {
      const std::uint32_t cycles = Uniform(rng, 0, 200);
      for (std::uint32_t i = 0; i < cycles; ++i) bench.Cycle(0.3);
      bench.ResetCore();
      if (testing::Test::HasFatalFailure()) return;
    }
    bench.Drain();
    if (testing::Test::HasFatalFailure()) return;
    EXPECT_GT(bench.bursts(), 20U);
  }
}

TEST(AxiReadPort, GoesOnInTheOtherEpochWhenAnswersNeverCome) {
  ReadPortBench bench(1, {.latency = 10});
  // The bus takes what stands on it, and then loses all requests.
  const auto lose_answers = [&bench] {
    for (int i = 0; i < 50; ++i) bench.Cycle(1.0);
    bench.Halt(true);
    for (int i = 0; i < 5; ++i) bench.Cycle(0);
    EXPECT_FALSE(bench.drained());
    bench.memory().ForgetUnanswered();
    bench.ResetCore();
    bench.Halt(false);
  };
  lose_answers();
  EXPECT_TRUE(bench.drained());
  const std::uint64_t before = bench.bursts();
  lose_answers();
  EXPECT_GT(bench.bursts(), before);
  // Both epochs owe answers: no ID is left that would tell old from new.
  EXPECT_FALSE(bench.drained());
  const std::uint64_t blocked = bench.bursts();
  for (int i = 0; i < 500; ++i) bench.Cycle(1.0);
  EXPECT_EQ(bench.bursts(), blocked);
}

TEST(AxiReadPort, WaitsForAnswersWhenBothEpochsOweThem) {
  ReadPortBench bench(1, {.latency = 200});
  for (int i = 0; i < 2; ++i) {
    for (int cycle = 0; cycle < 20; ++cycle) bench.Cycle(1.0);
    bench.ResetCore();
  }
  const std::uint64_t blocked = bench.bursts();
  for (int i = 0; i < 100; ++i) bench.Cycle(1.0);
  EXPECT_EQ(bench.bursts(), blocked);
  for (int i = 0; i < 3000; ++i) bench.Cycle(1.0);
  EXPECT_GT(bench.bursts(), blocked);
  bench.Drain();
}

TEST(AxiReadPort, TakesNothingWhileHalted) {
  ReadPortBench bench(1, {.latency = 10});
  for (int i = 0; i < 50; ++i) bench.Cycle(1.0);
  bench.Halt(true);
  const std::uint64_t bursts = bench.bursts();
  for (int i = 0; i < 3000; ++i) bench.Cycle(1.0);
  EXPECT_EQ(bench.bursts(), bursts);
  EXPECT_TRUE(bench.drained());
  bench.Halt(false);
  for (int i = 0; i < 50; ++i) bench.Cycle(1.0);
  EXPECT_GT(bench.bursts(), bursts);
}

TEST(AxiReadPort, LoadAndWeightsTakeTurnsAndFetchGivesWay) {
  ReadPortBench bench(1, {.latency = 10, .max_bursts = 1000});
  const auto& [fetch, load, weights] = bench.clients();
  for (int i = 0; i < 300; ++i) bench.Cycle(1.0);
  EXPECT_NEAR(load.bursts, 150, 2);
  EXPECT_NEAR(weights.bursts, 150, 2);
  EXPECT_EQ(fetch.bursts, 0U);
  for (int i = 0; i < 3; ++i) bench.Cycle(0.0);
  EXPECT_EQ(fetch.bursts, 1U);
}

// Also if it went last before the reset.
TEST(AxiReadPort, LoadGoesFirstAfterAReset) {
  ReadPortBench bench(1, {.latency = 10});
  const Client& load = bench.clients()[1];
  load.ar_addr = 0;
  load.ar_len = 0;
  load.ar_valid = 1;
  bench.Cycle(0.0);
  bench.Drain();
  bench.ResetPort();
  bench.Cycle(1.0);
  EXPECT_EQ(load.bursts, 2U);
  bench.Drain();
}

}  // namespace
}  // namespace tpu
