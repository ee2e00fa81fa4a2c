// SPDX-License-Identifier: Apache-2.0
// Each part of an ECP5 that netlists are simulated with, alone, against what the
// part does, in plain C++. primitives_bench.v has one of each.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <random>

#include "Vprimitives_bench.h"
#include "tb/dut.h"

namespace tpu::netlist_test {
namespace {

using Bench = tb::Dut<Vprimitives_bench>;

// The bench's parameters.
constexpr unsigned kInit0 = 0x96aa;
constexpr unsigned kInit1 = 0xc5e1;

bool Bit(std::uint64_t value, unsigned i) { return (value >> i & 1) != 0; }

/// Sum and carry of half a CCU2C with the inputs `in` = {D, C, B, A}.
std::pair<bool, bool> CarryBit(unsigned init, unsigned in, bool carry) {
  const bool propagate = Bit(init, in);
  const bool generate = Bit(init, in & 3);
  return {propagate != carry, propagate ? carry : generate};
}

TEST(Primitives, LookUpTablesAndMultiplexers) {
  Bench dut;
  for (unsigned in = 0; in < 16; ++in) {
    SCOPED_TRACE(in);
    dut->in = static_cast<std::uint8_t>(in);
    dut.Eval();
    EXPECT_EQ(dut->lut_z != 0, Bit(kInit1, in));
    EXPECT_EQ(dut->pfumx_z != 0, Bit(in, 2) ? Bit(in, 0) : Bit(in, 1));
    EXPECT_EQ(dut->l6mux_z != 0, Bit(in, 2) ? Bit(in, 1) : Bit(in, 0));
  }
}

TEST(Primitives, CarryChain) {
  Bench dut;
  for (unsigned in = 0; in < 512; ++in) {
    SCOPED_TRACE(in);
    dut->in = static_cast<std::uint8_t>(in);
    dut->carry_in = Bit(in, 8) ? 1 : 0;
    dut.Eval();
    const auto [sum0, carry0] = CarryBit(kInit0, in & 15, Bit(in, 8));
    const auto [sum1, carry1] = CarryBit(kInit1, in >> 4 & 15, carry0);
    EXPECT_EQ(dut->sum, (sum0 ? 1 : 0) + (sum1 ? 2 : 0));
    EXPECT_EQ(dut->carry_out != 0, carry1);
  }
}

// How yosys adds, 0x96aa in both bits: with C = 0 the sum of A and B, with C = 1 A - B as A + ~B.
TEST(Primitives, CarryChainAdds) {
  for (unsigned in = 0; in < 8; ++in) {
    const unsigned a = in & 1;
    const unsigned b = in >> 1 & 1;
    const unsigned carry = in >> 2;
    for (const unsigned subtract : {0U, 1U}) {
      const auto [sum, out] = CarryBit(kInit0, 8 | subtract << 2 | b << 1 | a, carry != 0);
      EXPECT_EQ((out ? 2U : 0U) + (sum ? 1U : 0U), a + (b ^ subtract) + carry);
    }
  }
}

TEST(Primitives, FlipFlops) {
  Bench dut;
  std::mt19937_64 rng(1);
  std::array<std::optional<bool>, 4> expected;
  for (int cycle = 0; cycle < 500; ++cycle) {
    dut->ff_ce = rng() % 2;
    dut->ff_lsr = rng() % 4 == 0;
    dut->ff_d = rng() % 2;
    const bool d = dut->ff_d != 0;
    if (dut->ff_lsr != 0) {
      expected = {false, true, false, true};
      dut.Eval();
      ASSERT_TRUE(Bit(dut->ff_q, 3)) << "without a clock, in cycle " << cycle;
    } else {
      if (dut->ff_ce != 0) expected[0] = d;
      if (dut->ff_ce == 0) expected[1] = d;
      expected[2] = d;
      if (dut->ff_ce != 0) expected[3] = d;
    }
    dut.Tick();
    for (unsigned i = 0; i < expected.size(); ++i) {
      if (expected[i]) ASSERT_EQ(Bit(dut->ff_q, i), *expected[i]) << i << " in cycle " << cycle;
    }
  }
}

// Nothing may depend on what a device starts with: other seeds, other contents.
TEST(Primitives, FlipFlopsStartWithAnything) {
  unsigned set = 0;
  for (std::uint64_t seed = 1; seed < 40; seed += 2) set += Bench(seed)->ff_q & 1U;
  EXPECT_GT(set, 2U);
  EXPECT_LT(set, 18U);
}

TEST(Primitives, DistributedMemory) {
  Bench dut;
  std::mt19937_64 rng(2);
  std::array<std::optional<unsigned>, 16> words;
  int compared = 0;
  for (int cycle = 0; cycle < 1000; ++cycle) {
    dut->dpr_we = rng() % 2;
    dut->dpr_wad = rng() % 16;
    dut->dpr_di = rng() % 16;
    dut->dpr_rad = rng() % 16;
    dut.Eval();
    if (words[dut->dpr_rad]) {
      ASSERT_EQ(dut->dpr_do, *words[dut->dpr_rad]) << "in cycle " << cycle;
      ++compared;
    }
    if (dut->dpr_we != 0) words[dut->dpr_wad] = dut->dpr_di;
    dut.Tick();
  }
  EXPECT_GT(compared, 800);
}

TEST(Primitives, Multiplier) {
  Bench dut;
  std::mt19937_64 rng(3);
  const auto value = [](std::uint32_t bits, bool is_signed) {
    return is_signed && Bit(bits, 17) ? static_cast<std::int64_t>(bits) - (1 << 18)
                                      : static_cast<std::int64_t>(bits);
  };
  constexpr std::array<std::uint32_t, 6> kCorners = {0, 1, 0x1FFFF, 0x20000, 0x20001, 0x3FFFF};
  for (int i = 0; i < 2000; ++i) {
    const auto operand = [&] {
      return rng() % 4 == 0 ? kCorners[rng() % kCorners.size()]
                            : static_cast<std::uint32_t>(rng() & 0x3FFFF);
    };
    dut->a = operand();
    dut->b = operand();
    dut->signed_a = rng() % 2;
    dut->signed_b = rng() % 2;
    dut.Eval();
    const std::int64_t product =
        value(dut->a, dut->signed_a != 0) * value(dut->b, dut->signed_b != 0);
    ASSERT_EQ(dut->product, static_cast<std::uint64_t>(product) & 0xFFFFFFFFF)
        << dut->a << " * " << dut->b;
  }
}

/// A memory of 2048 bytes of 9 bits as words of `bytes` each. A byte is unknown until it is
/// written, and what is read while it is written, too.
class BlockRam {
 public:
  explicit BlockRam(unsigned bytes) : bytes_(bytes) {}

  /// The clock's edge with the ports as they are.
  void Tick(const Vprimitives_bench& ports) {
    const bool write = ports.wr_en && ports.wr_we && ports.wr_cs == 0;
    const bool read = ports.rd_en && ports.rd_cs == 0;
    for (unsigned i = 0; i < bytes_; ++i) {
      const bool enabled = write && (bytes_ == 1 || Bit(ports.wr_addr, i));
      const unsigned to = Byte(ports.wr_addr) + i;
      const unsigned from = Byte(ports.rd_addr) + i;
      if (read) word_[i] = enabled && to == from ? std::nullopt : memory_[from];
      if (enabled) memory_[to] = static_cast<unsigned>(ports.wr_data >> 9 * i & 0x1FF);
    }
  }

  /// Whether the word that was read last has the bytes that are known; counts them.
  void Expect(std::uint64_t word) {
    for (unsigned i = 0; i < bytes_; ++i) {
      if (!word_[i]) continue;
      EXPECT_EQ(word >> 9 * i & 0x1FF, *word_[i]) << "byte " << i << " of " << bytes_;
      ++compared_;
    }
  }

  [[nodiscard]] int compared() const { return compared_; }

 private:
  /// An address counts bits; of a byte eight.
  [[nodiscard]] unsigned Byte(unsigned address) const { return address / 8 / bytes_ * bytes_; }

  unsigned bytes_;
  std::array<std::optional<unsigned>, 2048> memory_;
  std::array<std::optional<unsigned>, 4> word_;
  int compared_ = 0;
};

TEST(Primitives, BlockRams) {
  Bench dut;
  std::mt19937_64 rng(4);
  BlockRam ram9(1);
  BlockRam ram18(2);
  BlockRam ram36(4);
  for (int cycle = 0; cycle < 20'000 && !HasFailure(); ++cycle) {
    SCOPED_TRACE(fmt::format("cycle {}", cycle));
    // A few rows far from each other, so that bytes are met again.
    const auto address = [&rng] {
      return static_cast<std::uint16_t>((rng() % 8 * 0x7FF + rng() % 256) & 0x3FFF);
    };
    dut->wr_en = rng() % 8 != 0;
    dut->wr_we = rng() % 4 != 0;
    dut->wr_cs = rng() % 8 == 0 ? rng() % 8 : 0;
    dut->wr_addr = address();
    dut->wr_data = rng() & 0xFFFFFFFFF;
    dut->rd_en = rng() % 4 != 0;
    dut->rd_cs = rng() % 8 == 0 ? rng() % 8 : 0;
    dut->rd_addr = address();
    for (BlockRam* ram : {&ram9, &ram18, &ram36}) ram->Tick(*dut);
    dut.Tick();
    ram9.Expect(dut->rd_data9);
    ram18.Expect(dut->rd_data18);
    ram36.Expect(dut->rd_data36);
  }
  EXPECT_GT(ram9.compared(), 10'000);
  EXPECT_GT(ram18.compared(), 20'000);
  EXPECT_GT(ram36.compared(), 40'000);
}

// A machine that looks at a word that is being written must fail, so such a word is no old one.
TEST(Primitives, BlockRamsGiveAnythingForWhatIsBeingWritten) {
  Bench dut;
  dut->wr_en = dut->wr_we = dut->rd_en = 1;
  dut->wr_cs = dut->rd_cs = 0;
  dut->wr_addr = dut->rd_addr = 0xF;
  int old_words = 0;
  int new_words = 0;
  std::uint64_t old_word = 0;
  for (std::uint64_t word = 1; word < 100; ++word) {
    dut->wr_data = word;
    dut.Tick();
    old_words += dut->rd_data36 == old_word ? 1 : 0;
    new_words += dut->rd_data36 == word ? 1 : 0;
    old_word = word;
  }
  EXPECT_LT(old_words, 5);
  EXPECT_LT(new_words, 5);
}

}  // namespace
}  // namespace tpu::netlist_test
