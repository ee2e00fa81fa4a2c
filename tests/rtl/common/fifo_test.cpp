// SPDX-License-Identifier: Apache-2.0
// The FIFOs against std::queue, with random stalls on both sides and a reset of one cycle now and
// then.
#include <gtest/gtest.h>

#include <cstdint>
#include <queue>
#include <random>

#include "Vtpu_fifo.h"
#include "Vtpu_fifo_ram.h"
#include "Vtpu_skid.h"
#include "tb/dut.h"

namespace tpu {
namespace {

template <typename Model>
void RunAgainstQueue(std::uint64_t seed, double push_rate, double pop_rate) {
  SCOPED_TRACE(fmt::format("seed {} push {} pop {}", seed, push_rate, pop_rate));
  std::mt19937_64 rng(seed);
  std::bernoulli_distribution push(push_rate);
  std::bernoulli_distribution pop(pop_rate);
  tb::Dut<Model> dut(seed);
  dut->in_valid = 0;
  dut->out_ready = 0;
  dut.Reset();
  std::queue<std::uint32_t> expected;
  auto word = static_cast<std::uint32_t>(rng());
  std::size_t passed = 0;
  for (int cycle = 0; cycle < 2000; ++cycle) {
    if (rng() % 100 == 0) {
      dut.Reset(1);
      expected = {};
    }
    dut->in_valid = push(rng) ? 1 : 0;
    dut->in_data = word;
    dut->out_ready = pop(rng) ? 1 : 0;
    dut.Eval();
    if (dut->in_valid && dut->in_ready) {
      expected.push(word);
      word = static_cast<std::uint32_t>(rng());
    }
    if (dut->out_valid) {
      ASSERT_FALSE(expected.empty());
      ASSERT_EQ(dut->out_data, expected.front());
      if (dut->out_ready) {
        expected.pop();
        ++passed;
      }
    }
    dut.Tick();
  }
  EXPECT_GT(passed, 100U);
}

TEST(Fifo, MatchesAQueueUnderStalls) {
  for (const double push : {0.2, 0.9, 1.0}) {
    for (const double pop : {0.2, 0.9, 1.0}) RunAgainstQueue<Vtpu_fifo>(7, push, pop);
  }
}

TEST(FifoRam, MatchesAQueueUnderStalls) {
  for (const double push : {0.2, 0.9, 1.0}) {
    for (const double pop : {0.2, 0.9, 1.0}) RunAgainstQueue<Vtpu_fifo_ram>(8, push, pop);
  }
}

TEST(Skid, MatchesAQueueUnderStalls) {
  for (const double push : {0.2, 0.9, 1.0}) {
    for (const double pop : {0.2, 0.9, 1.0}) RunAgainstQueue<Vtpu_skid>(9, push, pop);
  }
}

}  // namespace
}  // namespace tpu
