// SPDX-License-Identifier: Apache-2.0
// The matrix unit (window addresses, tile loader, array, accumulators) against the loops of
// docs/isa.md, section 6.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <random>
#include <vector>

#include "VmatrixN16.h"
#include "VmatrixN32.h"
#include "VmatrixN4.h"
#include "VmatrixN4Slow.h"
#include "VmatrixN8Slow.h"
#include "isa/encoding.h"
#include "tb/dut.h"

namespace tpu {
namespace {

template <typename Model>
struct Shape;
template <>
struct Shape<VmatrixN4> {
  static constexpr int kN = 4, kUbRows = 64, kAccRows = 32, kAddLatency = 1;
};
template <>
struct Shape<VmatrixN4Slow> {
  static constexpr int kN = 4, kUbRows = 64, kAccRows = 32, kAddLatency = 3;
};
template <>
struct Shape<VmatrixN8Slow> {
  static constexpr int kN = 8, kUbRows = 64, kAccRows = 64, kAddLatency = 1;
};
template <>
struct Shape<VmatrixN16> {
  static constexpr int kN = 16, kUbRows = 128, kAccRows = 64, kAddLatency = 1;
};
template <>
struct Shape<VmatrixN32> {
  static constexpr int kN = 32, kUbRows = 64, kAccRows = 128, kAddLatency = 1;
};

/// Copies bytes to and from a port of any width.
template <typename Port>
void SetBytes(Port& port, const std::uint8_t* bytes, std::size_t size) {
  std::memcpy(&port, bytes, size);
}

template <typename Model>
class Bench {
 public:
  static constexpr int kN = Shape<Model>::kN;
  static constexpr int kUbBytes = Shape<Model>::kUbRows * kN;
  static constexpr int kAccRows = Shape<Model>::kAccRows;
  /// Cycles from one row to the next of the same accumulator row.
  static constexpr int kDistance =
      Shape<Model>::kAddLatency == 1 ? 1 : Shape<Model>::kAddLatency + 2;
  using Tile = std::array<std::int8_t, kN * kN>;

  explicit Bench(std::uint64_t seed) : dut(seed), rng(seed), ub(kUbBytes), acc(kAccRows * kN) {
    for (auto& b : ub) b = static_cast<std::int8_t>(Uniform(-128, 127));
    dut->cmd_valid = 0;
    dut->halt = 0;
    dut->wt_valid = 0;
    dut->acc_rd_valid = 0;
    dut.Reset();
  }

  /// What the n-th instruction of a run is given as its index: any numbers, different in all bits.
  static std::uint32_t IndexOf(std::size_t n) {
    return static_cast<std::uint32_t>(n + 1) * 0x9E3779B1U;
  }

  int Uniform(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(rng); }

  /// Queues an instruction with random weights and executes it in the model.
  void Add(const isa::Matmul& m) {
    std::vector<std::uint8_t> bytes;
    isa::Encode(m, bytes);
    commands.push_back(bytes);
    for (std::uint32_t ob = 0; ob < m.n_ob; ++ob) {
      for (std::uint32_t t = 0; t < m.n_cb * m.n_kh * m.n_kw; ++t) {
        Tile tile;
        for (auto& w : tile) w = static_cast<std::int8_t>(Uniform(-128, 127));
        for (int row = 0; row < kN; ++row) {
          std::vector<std::uint8_t> out(kN);
          std::memcpy(out.data(), &tile[static_cast<std::size_t>(row * kN)], kN);
          weight_rows.push_back(out);
        }
        const int kw = static_cast<int>(t % m.n_kw);
        const int kh = static_cast<int>(t / m.n_kw % m.n_kh);
        const int cb = static_cast<int>(t / m.n_kw / m.n_kh);
        ModelTile(m, static_cast<int>(ob), cb, kh, kw, tile, t == 0 && m.accumulate == 0);
      }
    }
  }

  /// Runs until `count` instructions are done; returns the cycles from the first row to the last.
  std::uint64_t Run(std::size_t count, double weight_rate) {
    std::bernoulli_distribution weight_valid(weight_rate);
    std::deque<std::vector<std::uint8_t>> reads(2, std::vector<std::uint8_t>(kN));
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::size_t done = 0;
    std::size_t next_command = 0;
    for (int cycle = 0; done < count; ++cycle) {
      if (cycle > 200000) {
        ADD_FAILURE() << "no end after 200000 cycles";
        break;
      }
      dut->cmd_valid = next_command < commands.size();
      if (dut->cmd_valid) SetBytes(dut->cmd, commands[next_command].data(), 64);
      dut->cmd_index = IndexOf(next_command);
      if (!wt_offered) wt_offered = !weight_rows.empty() && weight_valid(rng);
      dut->wt_valid = wt_offered;
      dut->acc_rd_valid = drain_row ? 1 : 0;
      dut->acc_rd_row = static_cast<std::uint8_t>(drain_row.value_or(0));
      if (wt_offered) SetBytes(dut->wt_data, weight_rows.front().data(), kN);
      SetBytes(dut->mm_rd_data, reads.front().data(), kN);
      dut.Eval();
      reads.pop_front();
      reads.push_back(dut->mm_rd_valid ? Window(dut->mm_rd_addr) : reads.back());
      if (dut->mm_rd_valid) {
        const std::uint32_t last_byte = dut->mm_rd_addr + kN - 1;
        EXPECT_EQ(dut->mm_rd_banks, 1U << (dut->mm_rd_addr / kN % 4) | 1U << (last_byte / kN % 4));
      }
      if (dut->cmd_valid && dut->cmd_ready) ++next_command;
      if (dut->wt_valid && dut->wt_ready) {
        weight_rows.pop_front();
        wt_offered = false;
      }
      if (dut->ev_active) {
        if (first == 0) first = dut.cycles();
        last = dut.cycles();
      }
      const int events = dut->ev_active + dut->ev_wait_weights + dut->ev_weight_shift;
      EXPECT_LE(events, 1);
      if (dut->err_valid) break;
      drains_refused += drain_row && dut->acc_rd_ready == 0 ? 1 : 0;
      dut.Tick();
      done += dut->done;
    }
    dut->cmd_valid = 0;
    dut->wt_valid = 0;
    dut->acc_rd_valid = 0;
    commands.clear();
    if (!dut->err_valid) {
      for (int cycle = 0; cycle < 3; ++cycle) {
        dut.Tick();
        EXPECT_EQ(dut->ev_active + dut->ev_wait_weights + dut->ev_weight_shift, 0)
            << "without an instruction";
      }
    }
    return last - first + 1;
  }

  /// Drains every accumulator row that was written and compares.
  void CompareAccumulators() {
    for (int row = 0; row < kAccRows + 2; ++row) {
      const bool request = row < kAccRows;
      dut->acc_rd_valid = request;
      dut->acc_rd_row = static_cast<std::uint8_t>(request ? row : 0);
      dut.Eval();
      if (request) {
        ASSERT_TRUE(dut->acc_rd_ready);
      }
      if (row >= 2) {
        std::array<std::int32_t, kN> got{};
        std::memcpy(got.data(), &dut->acc_rd_data, sizeof got);
        for (int lane = 0; lane < kN; ++lane) {
          const auto& want = acc[static_cast<std::size_t>((row - 2) * kN + lane)];
          if (want.written) {
            ASSERT_EQ(got[static_cast<std::size_t>(lane)], want.value)
                << "accumulator row " << row - 2 << " lane " << lane;
          }
        }
      }
      dut.Tick();
    }
    dut->acc_rd_valid = 0;
  }

  tb::Dut<Model> dut;
  std::mt19937_64 rng;
  std::vector<std::int8_t> ub;
  struct Accumulator {
    std::int32_t value = 0;
    bool written = false;
  };
  std::vector<Accumulator> acc;
  std::deque<std::vector<std::uint8_t>> weight_rows;
  std::vector<std::vector<std::uint8_t>> commands;
  bool wt_offered = false;
  /// Accumulator row that Run() asks for in every cycle, and in how many it was told to wait.
  std::optional<int> drain_row;
  int drains_refused = 0;

 private:
  std::vector<std::uint8_t> Window(std::uint32_t addr) const {
    std::vector<std::uint8_t> bytes(kN);
    for (int i = 0; i < kN; ++i) {
      const auto at = (addr + static_cast<std::uint32_t>(i)) % kUbBytes;
      bytes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(ub[at]);
    }
    return bytes;
  }

  void ModelTile(const isa::Matmul& m, int ob, int cb, int kh, int kw, const Tile& tile,
                 bool overwrite) {
    for (int oh = 0; oh < static_cast<int>(m.n_oh); ++oh) {
      for (int ow = 0; ow < static_cast<int>(m.n_ow); ++ow) {
        const int addr =
            m.ub_addr + cb * m.s_cb + kh * m.s_kh + kw * m.s_kw + oh * m.s_oh + ow * m.s_ow;
        const int y = m.y0 + kh * static_cast<int>(m.ys_kh) + oh * static_cast<int>(m.ys_oh);
        const int x = m.x0 + kw * static_cast<int>(m.xs_kw) + ow * static_cast<int>(m.xs_ow);
        const auto row = m.acc_row + static_cast<std::uint32_t>(ob) * m.acc_ob_stride +
                         static_cast<std::uint32_t>(oh) * m.n_ow + static_cast<std::uint32_t>(ow);
        if (row >= static_cast<std::uint32_t>(kAccRows)) return;
        for (int n = 0; n < kN; ++n) {
          std::int32_t sum = 0;
          for (int k = 0; k < kN; ++k) {
            const bool inside = y >= 0 && y < static_cast<int>(m.y_bound) && x + k >= 0 &&
                                x + k < static_cast<int>(m.x_bound);
            if (inside && (addr + k < 0 || addr + k >= kUbBytes)) return;
            const int a = inside ? ub[static_cast<std::size_t>(addr + k)] : m.zero_point;
            sum += a * tile[static_cast<std::size_t>(k * kN + n)];
          }
          auto& target = acc[row * kN + static_cast<std::uint32_t>(n)];
          target.value = overwrite ? sum : target.value + sum;
          target.written = target.written || overwrite;
        }
      }
    }
  }
};

template <typename Model>
class MatrixTest : public testing::Test {};
using Models = testing::Types<VmatrixN4, VmatrixN4Slow, VmatrixN8Slow, VmatrixN16, VmatrixN32>;
TYPED_TEST_SUITE(MatrixTest, Models);

/// A random legal instruction whose inside lanes stay in the buffer: wide (pixels of N bytes) or
/// thin (pixels of C bytes).
template <typename Model>
isa::Matmul RandomMatmul(Bench<Model>& b) {
  constexpr int kN = Bench<Model>::kN;
  const bool thin = b.Uniform(0, 2) == 0;
  const int pixel = thin ? b.Uniform(1, 3) : kN;
  const int height = b.Uniform(1, 5);
  const int width = b.Uniform(1, 6);
  const int stride = b.Uniform(1, 2);
  const int dilation = thin ? 1 : b.Uniform(1, 2);
  const int row_bytes = width * pixel;
  isa::Matmul m;
  m.accumulate = 0;
  m.zero_point = b.Uniform(-128, 127);
  const int pad_y = b.Uniform(0, 2);
  const int pad_x = b.Uniform(0, 2);
  const int plane = thin ? 0 : row_bytes * height;
  m.n_ob = static_cast<std::uint32_t>(b.Uniform(1, 2));
  m.n_cb = static_cast<std::uint32_t>(thin ? 1 : b.Uniform(1, 2));
  m.n_kh = static_cast<std::uint32_t>(b.Uniform(1, 3));
  m.n_kw = static_cast<std::uint32_t>(b.Uniform(1, 3));
  m.n_oh = static_cast<std::uint32_t>(b.Uniform(1, 3));
  m.n_ow = static_cast<std::uint32_t>(b.Uniform(1, 5));
  const int base = b.Uniform(0, Bench<Model>::kUbBytes - 2 * height * row_bytes);
  m.y0 = -pad_y;
  m.x0 = -pad_x * pixel;
  m.ub_addr = base + m.y0 * row_bytes + m.x0;
  m.y_bound = static_cast<std::uint32_t>(height);
  m.x_bound = static_cast<std::uint32_t>(row_bytes);
  m.s_cb = plane;
  m.s_kh = dilation * row_bytes;
  m.ys_kh = static_cast<std::uint32_t>(dilation);
  m.s_kw = thin ? kN : dilation * kN;
  m.xs_kw = static_cast<std::uint32_t>(m.s_kw);
  m.s_oh = stride * row_bytes;
  m.ys_oh = static_cast<std::uint32_t>(stride);
  m.s_ow = stride * pixel;
  m.xs_ow = static_cast<std::uint32_t>(m.s_ow);
  const int rows = static_cast<int>(m.n_oh * m.n_ow);
  m.acc_ob_stride = static_cast<std::uint32_t>(m.n_ob > 1 ? rows : 0);
  m.acc_row = static_cast<std::uint32_t>(b.Uniform(0, Bench<Model>::kAccRows - 2 * rows));
  return m;
}

TYPED_TEST(MatrixTest, RandomInstructionsMatchTheLoops) {
  for (const double rate : {1.0, 0.3}) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      SCOPED_TRACE(fmt::format("seed {} weight rate {}", seed, rate));
      Bench<TypeParam> b(seed);
      std::size_t count = 0;
      for (int i = 0; i < 4; ++i) {
        isa::Matmul m = RandomMatmul(b);
        b.Add(m);
        ++count;
        if (b.Uniform(0, 1) == 1) {
          m.accumulate = 1;
          b.Add(m);
          ++count;
        }
      }
      b.Run(count, rate);
      ASSERT_FALSE(b.dut->err_valid) << static_cast<int>(b.dut->err_code);
      b.CompareAccumulators();
      if (this->HasFailure()) return;
    }
  }
}

template <typename Model>
isa::Matmul PlainMatmul(std::uint32_t rows, std::uint32_t tiles) {
  isa::Matmul m;
  m.n_ow = rows;
  m.n_cb = tiles;
  m.s_ow = Bench<Model>::kN;
  m.y_bound = 1;
  m.x_bound = Bench<Model>::kN;
  return m;
}

TYPED_TEST(MatrixTest, NoBubbleBetweenTilesAndInstructions) {
  constexpr auto kN = static_cast<std::uint32_t>(Bench<TypeParam>::kN);
  for (const std::uint32_t rows : {kN, kN + 1, 2 * kN - 1}) {
    Bench<TypeParam> b(1);
    for (int i = 0; i < 3; ++i) b.Add(PlainMatmul<TypeParam>(rows, 10));
    const auto tile = std::max(rows, static_cast<std::uint32_t>(b.kDistance));
    EXPECT_EQ(b.Run(3, 1.0), 29 * tile + rows) << rows << " rows";
    b.CompareAccumulators();
  }
}

TYPED_TEST(MatrixTest, FewRowsTakeOneTilePerNCycles) {
  constexpr auto kN = static_cast<std::uint32_t>(Bench<TypeParam>::kN);
  for (const std::uint32_t rows : {1U, 2U, kN - 1}) {
    Bench<TypeParam> b(1);
    b.Add(PlainMatmul<TypeParam>(rows, 20));
    const auto tile = std::max(kN, static_cast<std::uint32_t>(b.kDistance));
    EXPECT_EQ(b.Run(1, 1.0), 19 * tile + rows) << rows << " rows";
    b.CompareAccumulators();
  }
}

// The last row of one instruction and the first of the next one add to the same accumulator row
// in consecutive cycles: the sum is not in the memory yet and must be forwarded, or waited for
// where an addition takes several cycles.
TYPED_TEST(MatrixTest, SameAccumulatorRowBackToBack) {
  constexpr auto kN = static_cast<std::uint32_t>(Bench<TypeParam>::kN);
  Bench<TypeParam> b(3);
  b.Add(PlainMatmul<TypeParam>(2 * kN - 1, 1));
  isa::Matmul m = PlainMatmul<TypeParam>(kN, 1);
  m.accumulate = 1;
  b.Add(m);
  m.acc_row = kN - 1;
  b.Add(m);
  EXPECT_EQ(b.Run(3, 1.0), 4 * kN - 1 + b.kDistance - 1);
  b.CompareAccumulators();
}

TYPED_TEST(MatrixTest, ADrainWaitsForItsHalfOnly) {
  constexpr int kHalf = Bench<TypeParam>::kAccRows / 2;
  for (const int accumulating : {0, kHalf}) {
    for (const int drained : {0, kHalf}) {
      SCOPED_TRACE(fmt::format("accumulates in {}, drains {}", accumulating, drained));
      Bench<TypeParam> b(1);
      isa::Matmul m = PlainMatmul<TypeParam>(kHalf, 1);
      m.acc_row = static_cast<std::uint32_t>(accumulating);
      b.Add(m);
      b.Run(1, 1.0);
      m.accumulate = 1;
      b.Add(m);
      b.drain_row = drained;
      b.Run(1, 1.0);
      // A row is read in every column, one after the other.
      EXPECT_EQ(b.drains_refused, accumulating == drained ? kHalf + Bench<TypeParam>::kN - 1 : 0);
      b.drain_row.reset();
      b.CompareAccumulators();
    }
  }
}

TYPED_TEST(MatrixTest, RangeErrorsNameTheInstruction) {
  using B = Bench<TypeParam>;
  {
    B b(1);
    b.Add(PlainMatmul<TypeParam>(2, 1));
    isa::Matmul m = PlainMatmul<TypeParam>(2, 1);
    // The first row ends with the buffer's last byte but one, the second a byte behind the buffer.
    m.ub_addr = B::kUbBytes - B::kN - 1;
    m.s_ow = 2;
    b.Add(m);
    b.Run(3, 1.0);
    ASSERT_TRUE(b.dut->err_valid);
    EXPECT_EQ(b.dut->err_code, static_cast<int>(isa::ErrorCode::kUbRange));
    EXPECT_EQ(b.dut->err_index, B::IndexOf(1));
  }
  {
    B b(1);
    isa::Matmul m = PlainMatmul<TypeParam>(2, 1);
    m.ub_addr = -1;
    b.Add(m);
    b.Run(2, 1.0);
    ASSERT_TRUE(b.dut->err_valid);
    EXPECT_EQ(b.dut->err_code, static_cast<int>(isa::ErrorCode::kUbRange));
  }
  {
    B b(1);
    isa::Matmul m = PlainMatmul<TypeParam>(2, 1);
    m.acc_row = B::kAccRows - 1;
    b.Add(m);
    b.Run(2, 1.0);
    ASSERT_TRUE(b.dut->err_valid);
    EXPECT_EQ(b.dut->err_code, static_cast<int>(isa::ErrorCode::kAccRange));
    EXPECT_EQ(b.dut->err_index, B::IndexOf(0));
  }
}

TYPED_TEST(MatrixTest, HaltStopsIssuing) {
  Bench<TypeParam> b(1);
  b.Add(PlainMatmul<TypeParam>(4, 1000));
  b.dut->halt = 1;
  b.dut->cmd_valid = 1;
  for (int i = 0; i < 50; ++i) {
    b.dut.Tick();
    EXPECT_FALSE(b.dut->ev_active);
    EXPECT_FALSE(b.dut->cmd_ready);
  }
}

}  // namespace
}  // namespace tpu
