// SPDX-License-Identifier: Apache-2.0
// Each cell against what Lattice's ECP5 documents say of it: slices FPGA-DS-02012, memories
// FPGA-TN-02204, multipliers FPGA-TN-02205.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "Vecp5_cells.h"
#include "tb/dut.h"
#include "tests/seeds.h"

namespace tpu::tb {
namespace {

class Ecp5Cells : public ::testing::Test {
 protected:
  Dut<Vecp5_cells> dut_;
};

TEST_F(Ecp5Cells, TablesAreIndexedByTheirInputs) {
  for (unsigned in = 0; in < 16; ++in) {
    dut_->table_in = static_cast<CData>(in);
    dut_.Eval();
    const unsigned a = in & 1U;
    const unsigned d = in >> 3U;
    EXPECT_EQ(dut_->table_out, unsigned{in == 15} | a << 1U | d << 2U | (0x2C71U >> in & 1U) << 3U);
  }
}

TEST_F(Ecp5Cells, MultiplexersChoose) {
  for (unsigned in = 0; in < 8; ++in) {
    dut_->mux_in = static_cast<CData>(in);
    dut_.Eval();
    const bool select = in >= 4;
    EXPECT_EQ(dut_->pfumx, select ? in & 1U : in >> 1U & 1U);
    EXPECT_EQ(dut_->l6mux21, select ? in >> 1U & 1U : in & 1U);
  }
}

TEST_F(Ecp5Cells, CarryChainsAddAndSubtract) {
  for (unsigned in = 0; in < 32; ++in) {
    const unsigned a = in & 3U;
    const unsigned b = in >> 2U & 3U;
    const unsigned carry = in >> 4U;
    dut_->carry_a = static_cast<CData>(a);
    dut_->carry_b = static_cast<CData>(b);
    dut_->carry_in = static_cast<CData>(carry);
    dut_.Eval();
    EXPECT_EQ(dut_->carry_add, a + b + carry);
    EXPECT_EQ(dut_->carry_subtract, a + (~b & 3U) + carry);
    // The lower bit without its carry: the sum does not see it, and only a bit that passes it on
    // does.
    const unsigned lower = (a ^ b) & 1U;
    const unsigned passed = lower & carry;
    const unsigned upper = (a >> 1U) + (b >> 1U) + passed;
    EXPECT_EQ(dut_->carry_cut, lower | upper << 1U);
  }
}

TEST_F(Ecp5Cells, RegistersTakeResetAndEnable) {
  std::mt19937_64 random(1);
  std::array<std::optional<bool>, 4> expected;
  for (int i = 0; i < 1'000; ++i) {
    const bool reset = random() % 4 == 0;
    const bool enable = random() % 2 == 0;
    const bool in = random() % 2 == 0;
    dut_->ff_reset = reset;
    dut_->ff_enable = enable;
    dut_->ff_in = in;
    dut_.Eval();
    // Without a clock.
    if (reset) expected[3] = true;
    if (expected[3]) EXPECT_EQ(dut_->ff_out >> 3U & 1U, unsigned{*expected[3]});
    dut_.Tick();
    expected[0] = !reset && in;
    if (reset || enable) expected[1] = reset || in;
    if (reset || !enable) expected[2] = !reset && in;
    if (reset || enable) expected[3] = reset || in;
    for (unsigned ff = 0; ff < expected.size(); ++ff) {
      if (expected[ff]) EXPECT_EQ(dut_->ff_out >> ff & 1U, unsigned{*expected[ff]}) << ff;
    }
  }
}

TEST_F(Ecp5Cells, RegistersAndMemoriesStartWithAnything) {
  std::uint64_t ones = 0;
  std::uint64_t values = 0;
  for (std::uint64_t seed = 1; seed <= 64; ++seed) {
    Dut<Vecp5_cells> dut(seed * 12'345);
    dut->slice_rd_addr = seed % 16;
    dut.Eval();
    ones += dut->ff_out & 1U;
    values |= std::uint64_t{1} << dut->slice_rd_data;
  }
  EXPECT_GT(ones, 8U);
  EXPECT_LT(ones, 56U);
  EXPECT_GT(__builtin_popcountll(values), 8);
}

TEST_F(Ecp5Cells, SliceMemoryIsReadAtOnce) {
  std::mt19937_64 random(2);
  std::array<std::optional<unsigned>, 16> expected;
  for (int i = 0; i < 2'000; ++i) {
    dut_->slice_wr_en = random() % 2;
    dut_->slice_wr_addr = random() % 16;
    dut_->slice_wr_data = random() % 16;
    dut_->slice_rd_addr = random() % 16;
    dut_.Eval();
    const auto before = expected[dut_->slice_rd_addr];
    if (before) EXPECT_EQ(dut_->slice_rd_data, *before);
    dut_.Tick();
    if (dut_->slice_wr_en != 0) expected[dut_->slice_wr_addr] = dut_->slice_wr_data;
    const auto after = expected[dut_->slice_rd_addr];
    if (after) EXPECT_EQ(dut_->slice_rd_data, *after);
  }
}

TEST_F(Ecp5Cells, MultipliersTakeSignsOfEachFactor) {
  std::mt19937_64 random(3);
  const std::vector<std::uint32_t> edges = {0, 1, 0x1FFFF, 0x20000, 0x20001, 0x3FFFF};
  const auto operand = [&] {
    return random() % 4 == 0 ? edges[random() % edges.size()]
                             : static_cast<std::uint32_t>(random() & 0x3FFFFU);
  };
  const auto value = [](std::uint32_t bits, bool is_signed) {
    return static_cast<std::int64_t>(bits) - (is_signed && (bits >> 17U) != 0 ? 1 << 18 : 0);
  };
  for (int i = 0; i < 20'000; ++i) {
    dut_->a = operand();
    dut_->b = operand();
    dut_->signed_a = random() % 2;
    dut_->signed_b = random() % 2;
    dut_.Eval();
    const std::int64_t product =
        value(dut_->a, dut_->signed_a != 0) * value(dut_->b, dut_->signed_b != 0);
    EXPECT_EQ(dut_->p, static_cast<std::uint64_t>(product) & 0xF'FFFF'FFFFU);
  }
}

/// Memory blocks as cells of 9 bits, of which only those that were written are known.
class Block {
 public:
  using Cells = std::vector<std::optional<unsigned>>;

  Cells Read(unsigned first, unsigned count) const {
    Cells found;
    for (unsigned i = 0; i < count; ++i) found.push_back(cells_[first + i]);
    return found;
  }
  void Write(unsigned first, unsigned which, std::uint64_t data, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      if ((which >> i & 1U) != 0) cells_[first + i] = data >> 9 * i & 0x1FFU;
    }
  }
  void Forget(unsigned cell) { cells_[cell] = {}; }

 private:
  Cells cells_ = Cells(2'048);
};

void ExpectCells(std::uint64_t seen, const Block::Cells& expected, const char* port) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i]) EXPECT_EQ(seen >> 9 * i & 0x1FFU, *expected[i]) << port << ", cell " << i;
  }
}

/// What a port read last: nothing at first, and nothing known after a collision.
using Port = Block::Cells;

class Ecp5Blocks : public ::testing::TestWithParam<unsigned> {
 protected:
  Dut<Vecp5_cells> dut_;
};

TEST_P(Ecp5Blocks, ReadAndWriteByTheirWidths) {
  std::mt19937_64 random(GetParam());
  Block wide;
  Block narrow;
  Block two;
  Port read_36(4);
  Port read_9(1);
  Port read_a(2);
  Port read_b(2);
  for (int i = 0; i < 30'000; ++i) {
    // Few places, so that ports meet, over the whole block.
    const auto address = [&] {
      return static_cast<unsigned>((random() % 2 == 0 ? random() % 64 : 0x3FC0 + random() % 64) |
                                   (random() % 32 == 0 ? random() & 0x3FFFU : 0U)) &
             0x3FFFU;
    };
    dut_->block_en = random() % 4 | (random() % 4 == 0 ? 0U : 3U);
    dut_->block_wr_en = random() % 4;
    dut_->ada = static_cast<SData>(address());
    dut_->adb = static_cast<SData>(address());
    dut_->dia = random() & 0x3FFFFU;
    dut_->dib = random() & 0x3FFFFU;
    const bool en_a = (dut_->block_en & 1U) != 0;
    const bool en_b = (dut_->block_en & 2U) != 0;
    const bool writes_a = en_a && (dut_->block_wr_en & 1U) != 0;
    const bool writes_b = en_b && (dut_->block_wr_en & 2U) != 0;
    const unsigned ada = dut_->ada;
    const unsigned adb = dut_->adb;
    const std::uint64_t both = std::uint64_t{dut_->dib} << 18U | dut_->dia;

    // 36 bits: ADx13 to ADx5 choose four cells, ADA3 to ADA0 enable them.
    if (en_b) {
      read_36 = wide.Read((adb >> 5U) * 4, 4);
      for (unsigned cell = 0; cell < 4; ++cell) {
        if (writes_a && ada >> 5U == adb >> 5U && (ada >> cell & 1U) != 0) read_36[cell] = {};
      }
    }
    if (writes_a) wide.Write((ada >> 5U) * 4, ada & 15U, both, 4);
    // 9 bits: ADx13 to ADx3 choose a cell.
    if (en_b) {
      read_9 = narrow.Read(adb >> 3U, 1);
      if (writes_a && ada >> 3U == adb >> 3U) read_9[0] = {};
    }
    if (writes_a) narrow.Write(ada >> 3U, 1, dut_->dia, 1);
    // Two of 18 bits: ADx13 to ADx4 choose two cells, ADx1 and ADx0 enable them. A reads what was
    // there, B what it writes.
    const unsigned first_a = (ada >> 4U) * 2;
    const unsigned first_b = (adb >> 4U) * 2;
    const Block before = two;
    if (writes_a) two.Write(first_a, ada & 3U, dut_->dia, 2);
    if (writes_b) two.Write(first_b, adb & 3U, dut_->dib, 2);
    for (unsigned cell = 0; cell < 2; ++cell) {
      const bool a_written = writes_a && (ada >> cell & 1U) != 0;
      const bool b_written = writes_b && (adb >> cell & 1U) != 0;
      const bool same = first_a == first_b;
      if (en_a) read_a[cell] = same && b_written ? std::nullopt : before.Read(first_a, 2)[cell];
      if (en_b) {
        read_b[cell] = b_written           ? std::optional(dut_->dib >> 9 * cell & 0x1FFU)
                       : same && a_written ? std::nullopt
                                           : before.Read(first_b, 2)[cell];
      }
      // Both ports write one cell: it holds nothing that anyone knows.
      if (same && a_written && b_written) two.Forget(first_a + cell);
    }
    dut_.Tick();
    ExpectCells(dut_->block_36, read_36, "36 bits");
    ExpectCells(dut_->block_9, read_9, "9 bits");
    ExpectCells(dut_->block_two & 0x3FFFFU, read_a, "port A");
    ExpectCells(dut_->block_two >> 18U, read_b, "port B");
    ASSERT_FALSE(HasFailure()) << "cycle " << i << ", seed " << GetParam();
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Ecp5Blocks, ::testing::ValuesIn(Seeds(2)));

TEST_F(Ecp5Cells, ACellThatIsWrittenWhileItIsReadIsNoise) {
  // What stands there, or comes there, would hide a design that counts on it.
  dut_->block_en = 3;
  dut_->block_wr_en = 1;
  dut_->ada = 5U << 5U | 15U;
  dut_->adb = 6U << 5U;
  dut_->dia = 0x12345;
  dut_->dib = 0x0ABCD;
  dut_.Tick();
  dut_->adb = 5U << 5U;
  dut_.Tick();
  const std::uint64_t written = std::uint64_t{0x0ABCD} << 18U | 0x12345U;
  for (unsigned cell = 0; cell < 4; ++cell) {
    EXPECT_NE(dut_->block_36 >> 9 * cell & 0x1FFU, written >> 9 * cell & 0x1FFU);
  }
}

}  // namespace
}  // namespace tpu::tb
