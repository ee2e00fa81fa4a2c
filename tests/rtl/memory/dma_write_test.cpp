// SPDX-License-Identifier: Apache-2.0
// tpu_dma_write alone: the bytes that reach memory, with a write port that takes addresses, data
// and gives answers in any order of time. Nothing hangs on answers that come after their data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <random>
#include <vector>

#include "Vtpu_dma_write.h"
#include "tb/dut.h"

namespace tpu {
namespace {

constexpr std::uint32_t kInBytes = 4;
constexpr std::uint32_t kBeatBytes = 8;
constexpr std::uint32_t kMostBursts = 4;
constexpr std::uint64_t kTop = std::uint64_t{1} << 32;

struct Transfer {
  std::uint64_t addr;
  std::uint32_t bytes;
  std::uint32_t rows;
  std::uint32_t stride;
};

struct Rates {
  unsigned bytes = 50;
  unsigned address = 50;
  unsigned data = 50;
  unsigned answer = 50;
};

class Bench {
 public:
  explicit Bench(std::uint64_t seed) : dut_(seed), rng_(seed) {
    dut_->cmd_valid = dut_->in_valid = dut_->stop = 0;
    dut_->aw_ready = dut_->w_ready = dut_->b_valid = 0;
    dut_.Reset();
  }

  tb::Dut<Vtpu_dma_write>& dut() { return dut_; }

  /// Queues a transfer; its bytes up to the end of the address space are expected in memory.
  void Queue(const Transfer& t) {
    transfers_.push_back(t);
    for (std::uint64_t row = 0; row < t.rows; ++row) {
      for (std::uint64_t i = 0; i < t.bytes; ++i) {
        const std::uint64_t addr = t.addr + row * t.stride + i;
        const auto byte = static_cast<std::uint8_t>(rng_());
        stream_.push_back(byte);
        if (addr >= kTop) ends_ = true;
        if (!ends_) expected_[addr] = byte;
      }
    }
  }

  Transfer Random() {
    Transfer t{.addr = rng_() % 4096,
               .bytes = 1 + static_cast<std::uint32_t>(rng_() % (rng_() % 4 == 0 ? 700 : 20)),
               .rows = 1 + static_cast<std::uint32_t>(rng_() % 4),
               .stride = static_cast<std::uint32_t>(rng_() % 3000)};
    return t;
  }

  void Cycle(const Rates& rates) {
    const auto chance = [this](unsigned percent) { return rng_() % 100 < percent; };
    dut_->cmd_valid = !transfers_.empty() ? 1 : 0;
    if (!transfers_.empty()) {
      const Transfer& t = transfers_.front();
      dut_->cmd_addr = t.addr < kTop ? t.addr : kTop | (t.addr & (kTop - 1));
      dut_->cmd_span = t.bytes - 1;
      dut_->cmd_more = t.rows - 1;
      dut_->cmd_stride = t.stride;
    }
    const auto count = std::min<std::size_t>(1 + rng_() % kInBytes, stream_.size());
    dut_->in_valid = count != 0 && chance(rates.bytes) ? 1 : 0;
    dut_->in_count = static_cast<std::uint8_t>(count);
    std::uint32_t word = static_cast<std::uint32_t>(rng_());
    for (std::size_t i = 0; i < count; ++i) {
      word &= ~(0xFFU << (8 * i));
      word |= std::uint32_t{stream_[i]} << (8 * i);
    }
    dut_->in_data = word;
    dut_->aw_ready = chance(rates.address) ? 1 : 0;
    // Also while no burst lacks beats.
    dut_->w_ready = chance(rates.data) ? 1 : 0;
    const bool noise = (rng_() & 1) != 0;
    dut_->w_first = (writing_.empty() ? noise : beats_ == 0) ? 1 : 0;
    dut_->w_last = (writing_.empty() ? noise : beats_ == writing_.front().len) ? 1 : 0;
    // Not of a burst whose address goes out in this cycle.
    const bool answers = unanswered_ != 0 && chance(rates.answer);
    dut_->b_valid = answers ? 1 : 0;
    dut_->b_resp = static_cast<std::uint8_t>(answers ? rng_() % 2 : rng_() % 4);
    dut_.Eval();

    ASSERT_EQ(dut_->bus_error, 0);
    ASSERT_EQ(dut_->drained != 0, unanswered_ == 0) << dut_.cycles();
    ASSERT_LE(unanswered_, kMostBursts);
    if (dut_->stop != 0) {
      ASSERT_EQ(dut_->aw_valid, 0);
      ASSERT_EQ(dut_->w_valid, 0);
    }
    if (dut_->range_error != 0) {
      ASSERT_TRUE(ends_) << "no transfer leaves the address space";
      ASSERT_TRUE(writing_.empty()) << "before the last byte";
    }
    if (dut_->cmd_valid != 0 && dut_->cmd_ready != 0) transfers_.pop_front();
    if (dut_->in_valid != 0 && dut_->in_ready != 0) {
      stream_.erase(stream_.begin(), stream_.begin() + static_cast<std::ptrdiff_t>(count));
    }
    done_ += dut_->cmd_done;
    const bool beat = dut_->w_valid != 0 && dut_->w_ready != 0;
    if (beat) {
      ASSERT_FALSE(writing_.empty()) << "a beat without an address";
      strobes_ = dut_->w_strb;
      beat_addr_ = writing_.front().addr + std::uint64_t{beats_} * kBeatBytes;
      if (beats_++ == writing_.front().len) {
        writing_.pop_front();
        beats_ = 0;
      }
    }
    if (dut_->aw_valid != 0 && dut_->aw_ready != 0) {
      writing_.push_back({dut_->aw_addr, dut_->aw_len});
      ++unanswered_;
    }
    if (answers) --unanswered_;
    dut_.Tick();
    // The bytes come a cycle after the beat.
    for (std::uint32_t i = 0; beat && i < kBeatBytes; ++i) {
      if ((strobes_ >> i & 1) == 0) continue;
      ASSERT_TRUE(
          memory_.emplace(beat_addr_ + i, static_cast<std::uint8_t>(dut_->w_data >> (8 * i)))
              .second)
          << "written twice";
    }
  }

  [[nodiscard]] std::size_t missing() const { return expected_.size() - memory_.size(); }
  [[nodiscard]] bool empty() const { return writing_.empty() && unanswered_ == 0; }
  [[nodiscard]] std::uint64_t done() const { return done_; }
  void ExpectAllBytes() const { EXPECT_TRUE(memory_ == expected_); }

 private:
  struct Burst {
    std::uint64_t addr;
    std::uint32_t len;
  };

  tb::Dut<Vtpu_dma_write> dut_;
  std::mt19937_64 rng_;
  std::deque<Transfer> transfers_;
  std::vector<std::uint8_t> stream_;
  // A transfer leaves the address space.
  bool ends_ = false;
  std::map<std::uint64_t, std::uint8_t> expected_;
  std::map<std::uint64_t, std::uint8_t> memory_;
  // Bursts that lack beats
  std::deque<Burst> writing_;
  std::uint32_t beats_ = 0;
  std::uint32_t unanswered_ = 0;
  std::uint64_t strobes_ = 0;
  std::uint64_t beat_addr_ = 0;
  std::uint64_t done_ = 0;
};

constexpr std::uint64_t kSeeds = 40;

// Transfers do not write the same bytes: each lies in its own pages.
TEST(DmaWrite, EveryByteArrivesWhateverTheOrderOfDataAndAnswers) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Bench bench(seed);
    constexpr std::uint32_t kTransfers = 12;
    for (std::uint32_t i = 0; i < kTransfers; ++i) {
      Transfer t = bench.Random();
      t.stride = std::max(t.stride, t.bytes);
      t.addr += std::uint64_t{i} << 16;
      bench.Queue(t);
    }
    // Each third seed answers at once and takes data late: bursts then wait for data alone.
    const Rates rates = seed % 3 == 0   ? Rates{.data = 3, .answer = 100}
                        : seed % 3 == 1 ? Rates{.answer = 3}
                                        : Rates{};
    for (int i = 0; bench.missing() != 0 || !bench.empty(); ++i) {
      ASSERT_LT(i, 60000) << "stuck";
      bench.Cycle(rates);
      if (HasFatalFailure()) return;
    }
    EXPECT_EQ(bench.done(), kTransfers);
    EXPECT_EQ(bench.dut()->range_error, 0);
    bench.ExpectAllBytes();
    if (HasFailure()) return;
  }
}

TEST(DmaWrite, ATransferThatLeavesTheAddressSpaceWritesItsBytesSoFar) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Bench bench(seed);
    bench.Queue({.addr = 0x1000, .bytes = 30, .rows = 2, .stride = 100});
    // Of a single row, or of a row after others
    if (seed % 2 == 0) {
      bench.Queue({.addr = kTop - 5 - seed, .bytes = 300, .rows = 1, .stride = 0});
    } else {
      bench.Queue({.addr = kTop - 0x600, .bytes = 40, .rows = 9, .stride = 0x200});
    }
    const Rates rates = {.data = seed % 3 == 0 ? 5U : 60U};
    for (int i = 0; bench.dut()->range_error == 0; ++i) {
      ASSERT_LT(i, 20000) << "no error";
      bench.Cycle(rates);
      if (HasFatalFailure()) return;
    }
    bench.ExpectAllBytes();
    for (int i = 0; i < 50; ++i) {
      bench.Cycle(rates);
      ASSERT_EQ(bench.dut()->range_error, 1);
      ASSERT_EQ(bench.dut()->aw_valid, 0);
      if (HasFatalFailure()) return;
    }
    bench.ExpectAllBytes();
  }
}

// Nothing of it goes to the port, so the port need not take anything.
TEST(DmaWrite, AnErrorOfTheFirstBurstWaitsForNobody) {
  Bench bench(1);
  bench.Queue({.addr = kTop, .bytes = 8, .rows = 1, .stride = 0});
  for (int i = 0; i < 20; ++i) {
    bench.Cycle({.address = 0, .data = 0});
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(bench.dut()->range_error, 1);
}

TEST(DmaWrite, NothingGoesOutWithStop) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Bench bench(seed);
    for (std::uint64_t i = 0; i < 8; ++i) {
      bench.Queue({.addr = i << 12, .bytes = 200, .rows = 1, .stride = 0});
    }
    for (std::uint64_t i = 0; i < 20 + 7 * seed; ++i) bench.Cycle({});
    bench.dut()->stop = 1;
    for (int i = 0; i < 60; ++i) bench.Cycle({});
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace tpu
