// SPDX-License-Identifier: Apache-2.0
// tpu_array with BF16 alone: tiles of int8 and of bf16 in any order, against the golden model's
// arithmetic. TPU_SEED chooses the random numbers, TPU_CASES how many runs there are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <vector>

#include "VarrayN4.h"
#include "VarrayN8.h"
#include "arithmetic/float/float32.h"
#include "tb/dut.h"
#include "tests/rtl/float/float_reference.h"

namespace tpu {
namespace {

using float_test::Cases;
using float_test::Random;
using float_test::Seed;

template <typename Model>
struct Lanes;
template <>
struct Lanes<VarrayN4> {
  static constexpr std::size_t kN = 4;
};
template <>
struct Lanes<VarrayN8> {
  static constexpr std::size_t kN = 8;
};

// With accumulators' addition in 3 cycles a row may come again after so many cycles.
constexpr std::uint64_t kDistance = 5;
constexpr std::size_t kAccRows = 32;

/// An array of N lanes and what it should hold. Tiles are given to it as early as its header
/// allows, or later.
template <typename Model>
class Bench {
 public:
  static constexpr std::size_t kN = Lanes<Model>::kN;
  using Row = std::array<std::uint16_t, kN>;

  struct Tile {
    bool bf16 = false;
    std::array<Row, kN> weights = {};
    struct Activations {
      Row row = {};
      std::size_t acc_row = 0;
      bool accumulate = false;
      // Bubbles in front of it
      std::uint64_t wait = 0;
    };
    std::vector<Activations> rows;
  };

  explicit Bench(std::uint64_t seed) : dut_(seed), random_(seed), acc_(kAccRows) {
    dut_->row_valid = 0;
    dut_->wt_first = 0;
    dut_->tile_swap = 0;
    dut_->acc_rd_valid = 0;
    dut_.Reset();
  }

  /// Runs all tiles. Returns the cycles from the first row to the last.
  std::uint64_t Run(const std::vector<Tile>& tiles) {
    std::size_t loading = 0;
    std::size_t loaded_rows = 0;
    std::size_t running = 0;
    std::size_t row = 0;
    std::uint64_t waited = 0;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::size_t done = 0;
    for (int after = 0; after < 8 * static_cast<int>(kN) + 20;) {
      Idle();
      const bool whole = loading > running;
      if (running < tiles.size() && (row > 0 || whole)) {
        const Tile& tile = tiles[running];
        const auto& activations = tile.rows[row];
        if (waited++ == activations.wait && Rested(activations.acc_row)) {
          Give(tile, activations, row == 0, row + 1 == tile.rows.size());
          if (first == 0) first = dut_.cycles();
          last = dut_.cycles();
          waited = 0;
          if (row == 0) in_array_ = running + 1;
          row = (row + 1) % tile.rows.size();
          if (row == 0) ++running;
        } else if (waited > activations.wait) {
          --waited;
        }
      }
      // A tile may begin to come in the cycle of the swap before it.
      if (loading < tiles.size() && (loaded_rows > 0 || loading == in_array_)) {
        dut_->wt_first = loaded_rows == 0 ? 1 : 0;
        Set(dut_->wt_data,
            Stored(tiles[loading].weights[kN - 1 - loaded_rows], tiles[loading].bf16));
        loaded_rows = (loaded_rows + 1) % kN;
        if (loaded_rows == 0) ++loading;
      }
      dut_.Tick();
      done += dut_->row_done != 0 ? 1 : 0;
      if (running == tiles.size()) ++after;
    }
    EXPECT_EQ(done, tiles.size());
    in_array_ = 0;
    return last - first + 1;
  }

  /// Reads all accumulators.
  void Compare() {
    for (std::size_t i = 0; i < kAccRows; ++i) {
      if (!acc_[i]) continue;
      Idle();
      dut_->acc_rd_valid = 1;
      dut_->acc_rd_row = static_cast<std::uint8_t>(i);
      dut_.Eval();
      ASSERT_EQ(dut_->acc_rd_ready, 1);
      for (int cycle = 0; cycle < 3; ++cycle) {
        dut_.Tick();
        Idle();
      }
      std::array<std::uint32_t, kN> words;
      std::memcpy(words.data(), &dut_->acc_rd_data, sizeof words);
      for (std::size_t n = 0; n < kN; ++n) {
        ASSERT_EQ(words[n], (*acc_[i])[n]) << fmt::format(
            "accumulator row {} column {}: {:08x}, not {:08x}", i, n, words[n], (*acc_[i])[n]);
      }
    }
  }

  /// Reads of accumulators at any time, beside rows that accumulate and resets: the words of a read
  /// come three cycles after its grant and stay until those of the next one, whatever else there
  /// is. Rows that are read are not written meanwhile.
  void ReadAtAnyTime(int cycles) {
    struct Read {
      std::uint64_t cycle;
      std::size_t row;
    };
    std::deque<Read> reads;
    std::optional<std::size_t> shown;
    std::size_t refused = 0;
    for (int i = 0; i < cycles; ++i) {
      Idle();
      dut_->row_valid = Chance(60) ? 1 : 0;
      // Of each half a quarter is written, the rest is read.
      const auto write = static_cast<std::size_t>(i) % 8;
      dut_->row_acc = static_cast<std::uint8_t>(write < 4 ? write : write - 4 + kAccRows / 2);
      dut_->acc_rd_valid = Chance(30) ? 1 : 0;
      const std::size_t row = random_.Bits() % 2 * kAccRows / 2 + 4 + random_.Bits() % 12;
      dut_->acc_rd_row = static_cast<std::uint8_t>(row);
      dut_->rst = Chance(3) ? 1 : 0;
      dut_.Eval();
      if (!reads.empty() && reads.front().cycle == dut_.cycles()) {
        shown = reads.front().row;
        reads.pop_front();
      }
      if (shown) {
        std::array<std::uint32_t, kN> words;
        std::memcpy(words.data(), &dut_->acc_rd_data, sizeof words);
        ASSERT_EQ(words, *acc_[*shown])
            << fmt::format("accumulator row {} in cycle {}", *shown, dut_.cycles());
      }
      if (dut_->rst != 0) {
        // What is about to be taken over in this cycle is not held up by a reset.
        std::erase_if(reads, [this](const Read& r) { return r.cycle != dut_.cycles() + 1; });
      } else if (dut_->acc_rd_valid != 0 && dut_->acc_rd_ready != 0) {
        reads.push_back({dut_.cycles() + 3, row});
      } else if (dut_->acc_rd_valid != 0) {
        ++refused;
      }
      dut_.Tick();
    }
    dut_->rst = 0;
    EXPECT_GT(refused, 0);
  }

  /// Rows that overwrite accumulators do not read them: other reads need not wait.
  void ReadBesideRowsThatOverwrite(int cycles) {
    for (int i = 0; i < cycles; ++i) {
      Idle();
      dut_->row_valid = 1;
      dut_->row_accumulate = 0;
      dut_->acc_rd_valid = 1;
      dut_->acc_rd_row = static_cast<std::uint8_t>(random_.Bits() % kAccRows);
      dut_.Eval();
      ASSERT_EQ(dut_->acc_rd_ready, 1) << dut_.cycles();
      dut_.Tick();
    }
  }

  void FillAccumulators() {
    std::vector<Tile> tiles;
    tiles.push_back(RandomTile(false, kAccRows, 0, 0));
    Run(tiles);
  }

  Random& random() { return random_; }
  bool Chance(std::uint32_t percent) { return random_.Bits() % 100 < percent; }

  /// bf16: any kind of number, special ones often; int8: any byte.
  std::uint16_t Operand(bool bf16) {
    if (!bf16) return static_cast<std::uint16_t>(random_.Bits() & 0xFF);
    if (Chance(specials)) return special_[random_.Bits() % special_.size()];
    return static_cast<std::uint16_t>(random_.Near(exponent) >> 16);
  }
  /// Percent of operands
  std::uint32_t specials = 0;
  /// Of the others, more or less
  int exponent = 127;

  /// A row has bubbles in front of it with a chance of `bubbles` per cent. Expects what the tile
  /// makes of the accumulators.
  Tile RandomTile(bool bf16, std::size_t count, std::uint32_t bubbles,
                  std::optional<std::size_t> first_acc_row = {}) {
    Tile tile;
    tile.bf16 = bf16;
    for (Row& weights : tile.weights)
      for (std::uint16_t& w : weights) w = Operand(bf16);
    std::size_t acc_row = first_acc_row.value_or(random_.Bits() % kAccRows);
    for (std::size_t i = 0; i < count; ++i) {
      typename Tile::Activations a;
      for (std::uint16_t& x : a.row) x = Operand(bf16);
      a.acc_row = acc_row;
      // Random registers are no numbers to add to.
      a.accumulate = acc_[acc_row] && Chance(70);
      a.wait = Chance(bubbles) ? random_.Bits() % 7 : 0;
      acc_row = (acc_row + 1) % kAccRows;
      Expect(tile, a);
      tile.rows.push_back(a);
    }
    return tile;
  }

 private:
  /// What is not used in a cycle is anything.
  void Idle() {
    dut_->row_valid = 0;
    dut_->row_bf16 = Chance(50) ? 1 : 0;
    dut_->row_last = Chance(50) ? 1 : 0;
    dut_->row_accumulate = Chance(50) ? 1 : 0;
    dut_->row_acc = static_cast<std::uint8_t>(random_.Bits() % kAccRows);
    dut_->wt_first = 0;
    dut_->tile_swap = 0;
    dut_->acc_rd_valid = 0;
    Row any;
    for (std::uint16_t& x : any) x = static_cast<std::uint16_t>(random_.Bits());
    Set(dut_->row_data, any);
    for (std::uint16_t& x : any) x = static_cast<std::uint16_t>(random_.Bits());
    Set(dut_->wt_data, any);
  }

  template <typename Port>
  static void Set(Port& port, const Row& row) {
    std::memcpy(&port, row.data(), sizeof row);
  }

  /// int8 numbers with anything above them.
  Row Stored(Row row, bool bf16) {
    if (!bf16)
      for (std::uint16_t& x : row) x |= static_cast<std::uint16_t>(random_.Bits() << 8);
    return row;
  }

  void Give(const Tile& tile, const typename Tile::Activations& a, bool swap, bool last) {
    dut_->row_valid = 1;
    dut_->row_bf16 = tile.bf16 ? 1 : 0;
    dut_->row_acc = static_cast<std::uint8_t>(a.acc_row);
    dut_->row_accumulate = a.accumulate ? 1 : 0;
    dut_->row_last = last ? 1 : 0;
    dut_->tile_swap = swap ? 1 : 0;
    Set(dut_->row_data, Stored(a.row, tile.bf16));
    given_[a.acc_row] = dut_.cycles();
  }

  bool Rested(std::size_t acc_row) const {
    return !given_[acc_row] || dut_.cycles() - *given_[acc_row] >= kDistance;
  }

  /// bf16.md's loop, and the same for int8.
  void Expect(const Tile& tile, const typename Tile::Activations& a) {
    auto& acc = acc_[a.acc_row];
    if (!acc) acc.emplace();
    for (std::size_t n = 0; n < kN; ++n) {
      std::uint32_t& sum = (*acc)[n];
      if (tile.bf16) {
        float p = 0.0F;
        for (std::size_t k = 0; k < kN; ++k) {
          p = arithmetic::Fma(p, arithmetic::FloatOfBf16(a.row[k]),
                              arithmetic::FloatOfBf16(tile.weights[k][n]));
        }
        if (a.accumulate) p = arithmetic::Add(arithmetic::FloatOf(sum), p);
        sum = arithmetic::FloatBits(p);
      } else {
        std::uint32_t p = a.accumulate ? sum : 0;
        for (std::size_t k = 0; k < kN; ++k) {
          p += static_cast<std::uint32_t>(static_cast<std::int8_t>(a.row[k]) *
                                          static_cast<std::int8_t>(tile.weights[k][n]));
        }
        sum = p;
      }
    }
  }

  static std::vector<std::uint16_t> Specials() {
    std::vector<std::uint16_t> values;
    for (const std::uint32_t value : float_test::SpecialValues())
      values.push_back(static_cast<std::uint16_t>(value >> 16));
    return values;
  }

  tb::Dut<Model> dut_;
  Random random_;
  std::vector<std::uint16_t> special_ = Specials();
  // Accumulator rows that were written
  std::vector<std::optional<std::array<std::uint32_t, kN>>> acc_;
  std::array<std::optional<std::uint64_t>, kAccRows> given_ = {};
  // Tiles that were swapped in
  std::size_t in_array_ = 0;
};

template <typename Model>
class ArrayTest : public testing::Test {
 protected:
  /// Runs with seeds from TPU_SEED on, or from `usual`.
  template <typename Tiles>
  void Repeat(std::uint64_t usual, std::uint64_t runs, Tiles tiles) {
    const std::uint64_t from = Seed(usual);
    for (std::uint64_t seed = from; seed < from + Cases(runs); ++seed) {
      SCOPED_TRACE(fmt::format("TPU_SEED={} TPU_CASES=1", seed));
      Bench<Model> bench(seed);
      std::vector<typename Bench<Model>::Tile> list;
      tiles(bench, list);
      bench.Run(list);
      bench.Compare();
      if (this->HasFailure()) return;
    }
  }
};

using Arrays = testing::Types<VarrayN4, VarrayN8>;
TYPED_TEST_SUITE(ArrayTest, Arrays);

TYPED_TEST(ArrayTest, Bf16Tiles) {
  this->Repeat(100, 40, [](auto& bench, auto& tiles) {
    for (int i = 0; i < 8; ++i)
      tiles.push_back(bench.RandomTile(true, 1 + bench.random().Bits() % 20, 10));
  });
}

TYPED_TEST(ArrayTest, Int8Tiles) {
  this->Repeat(200, 20, [](auto& bench, auto& tiles) {
    for (int i = 0; i < 8; ++i)
      tiles.push_back(bench.RandomTile(false, 1 + bench.random().Bits() % 20, 10));
  });
}

TYPED_TEST(ArrayTest, BothFormatsInAnyOrder) {
  this->Repeat(300, 60, [](auto& bench, auto& tiles) {
    const std::uint32_t bubbles = bench.random().Bits() % 60;
    for (int i = 0; i < 12; ++i) {
      tiles.push_back(bench.RandomTile(bench.Chance(50), 1 + bench.random().Bits() % 12, bubbles));
    }
  });
}

// NaN, infinities, zeros of either sign, subnormal numbers, the largest and the smallest ones
TYPED_TEST(ArrayTest, SpecialValues) {
  this->Repeat(400, 60, [](auto& bench, auto& tiles) {
    // Where most are special nearly every sum is a NaN.
    bench.specials = 1 + bench.random().Bits() % 40;
    for (int i = 0; i < 12; ++i) {
      tiles.push_back(bench.RandomTile(bench.Chance(80), 1 + bench.random().Bits() % 12, 5));
    }
  });
}

// Products about as small as the smallest number, and smaller: sums of one sign become -0, which
// stays what it is in an accumulator that it overwrites.
TYPED_TEST(ArrayTest, TinyNumbers) {
  this->Repeat(450, 30, [](auto& bench, auto& tiles) {
    bench.exponent = 50 + static_cast<int>(bench.random().Bits() % 16);
    bench.specials = bench.random().Bits() % 2;
    for (int i = 0; i < 12; ++i) {
      tiles.push_back(bench.RandomTile(bench.Chance(80), 1 + bench.random().Bits() % 12, 5));
    }
  });
}

TYPED_TEST(ArrayTest, WordsOfAReadStayUntilThoseOfTheNextOne) {
  const std::uint64_t seed = Seed(600);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  Bench<TypeParam> bench(seed);
  bench.FillAccumulators();
  bench.ReadAtAnyTime(4000);
}

TYPED_TEST(ArrayTest, ReadsDoNotWaitForRowsThatOverwrite) {
  const std::uint64_t seed = Seed(700);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  Bench<TypeParam> bench(seed);
  bench.FillAccumulators();
  bench.ReadBesideRowsThatOverwrite(200);
}

TYPED_TEST(ArrayTest, TilesOfBothFormatsFollowEachOtherWithoutABubble) {
  const std::uint64_t seed = Seed(500);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  using B = Bench<TypeParam>;
  B bench(seed);
  // As many rows as lanes, and not fewer than there are cycles from an accumulator row to itself
  const std::size_t count = std::max<std::size_t>(B::kN, kDistance);
  std::vector<typename B::Tile> tiles;
  for (int i = 0; i < 40; ++i) {
    tiles.push_back(bench.RandomTile(i % 2 == 1, count, 0, 3));
  }
  EXPECT_EQ(bench.Run(tiles), 40 * count);
  bench.Compare();
}

}  // namespace
}  // namespace tpu
