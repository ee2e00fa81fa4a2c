// SPDX-License-Identifier: Apache-2.0
// MATMUL of bf16 against the loops of docs/isa.md, 10.3, computed by the host.
#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "float_numbers.h"
#include "random_matmul.h"

namespace tpu::golden {
namespace {

constexpr std::uint64_t kTilesAddress = 0x122;

isa::Weights BringBf16Tiles(std::uint32_t tiles) {
  return {.format = kBf16, .dram_addr = kTilesAddress, .tiles = tiles};
}

float Bf16At(const std::uint8_t* bytes) {
  return NumberAt(kBf16, reinterpret_cast<const std::int8_t*>(bytes));
}

float WeightAt(FloatTester& t, std::size_t tile, std::size_t k, std::size_t lane) {
  const std::size_t n = t.state().config.n;
  return Bf16At(&t.memory()[kTilesAddress + 2 * ((tile * n + k) * n + lane)]);
}

/// What lane k of a step reads; nothing when that does not exist.
std::optional<float> Lane(const isa::Matmul& m, std::span<const std::int8_t> ub,
                          std::int64_t number, std::int64_t y, std::int64_t x) {
  if (y < 0 || y >= m.y_bound || x < 0 || x >= m.x_bound) return 0.0F;
  const auto byte = static_cast<std::size_t>(2 * (number & 0x3FFFFFF));
  if (byte + 1 >= ub.size()) return std::nullopt;
  return NumberAt(kBf16, &ub[byte]);
}

/// Replays the loop nest on copies. Returns false when the instruction leaves the buffer or the
/// accumulators.
bool Replay(const isa::Matmul& m, FloatTester& t, std::vector<std::int32_t>& acc) {
  const std::size_t n = t.state().config.n;
  std::size_t tile = 0;
  for (std::int64_t ob = 0; ob < m.n_ob; ++ob)
    for (std::int64_t cb = 0; cb < m.n_cb; ++cb)
      for (std::int64_t kh = 0; kh < m.n_kh; ++kh)
        for (std::int64_t kw = 0; kw < m.n_kw; ++kw, ++tile)
          for (std::int64_t oh = 0; oh < m.n_oh; ++oh)
            for (std::int64_t ow = 0; ow < m.n_ow; ++ow) {
              const std::int64_t number =
                  m.ub_addr + cb * m.s_cb + kh * m.s_kh + kw * m.s_kw + oh * m.s_oh + ow * m.s_ow;
              const std::int64_t y = Coordinate20(m.y0 + kh * m.ys_kh + oh * m.ys_oh);
              const std::int64_t x = Coordinate20(m.x0 + kw * m.xs_kw + ow * m.xs_ow);
              const std::size_t row = m.acc_row + static_cast<std::size_t>(ob) * m.acc_ob_stride +
                                      static_cast<std::size_t>(oh * m.n_ow + ow);
              if (row >= t.state().config.acc_rows) return false;
              const bool first = cb == 0 && kh == 0 && kw == 0 && m.accumulate == 0;
              for (std::size_t lane = 0; lane < n; ++lane) {
                float p = 0.0F;
                for (std::int64_t k = 0; k < static_cast<std::int64_t>(n); ++k) {
                  const auto a = Lane(m, t.state().ub.All(), number + k, y, x + k);
                  if (!a) return false;
                  p = float_oracle::Fma(p, *a,
                                        WeightAt(t, tile, static_cast<std::size_t>(k), lane));
                }
                std::int32_t& sum = acc[row * n + lane];
                const float before = Clean(std::bit_cast<float>(sum));
                sum = std::bit_cast<std::int32_t>(first ? p : Clean(before + p));
              }
            }
  return true;
}

TEST(FloatMatmul, FollowsItsLoopNestForRandomFields) {
  int ran = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    FloatTester t(seed % 2 == 0 ? 4 : 8, seed);
    const isa::Matmul m = RandomMatmul(t, kBf16);
    std::vector<std::int32_t> acc = Copy(t.state().acc.All());
    const bool legal = Replay(m, t, acc);
    t.Add(BringBf16Tiles(m.n_ob * m.n_cb * m.n_kh * m.n_kw)).Add(m);
    const RunResult result = t.Run();
    ASSERT_EQ(result.error == isa::ErrorCode::kNone, legal) << result.message;
    if (!legal) continue;
    ++ran;
    ASSERT_EQ(Copy(t.state().acc.All()), acc);
  }
  EXPECT_GT(ran, 100);
}

using Four = std::array<float, 4>;

/// One row of activations times one column of weights, in lane 0 of a machine of N = 4.
class OneSum : public ::testing::Test {
 protected:
  /// Adds to `before`, or does not.
  float Run(const Four& a, const Four& w, std::optional<float> before = std::nullopt) {
    for (std::size_t k = 0; k < 4; ++k) {
      t_.Set(kBf16, 0, k, ToWord(a[k]) >> 16);
      const std::uint32_t weight = ToWord(w[k]) >> 16;
      t_.memory()[kTilesAddress + 8 * k] = static_cast<std::uint8_t>(weight);
      t_.memory()[kTilesAddress + 8 * k + 1] = static_cast<std::uint8_t>(weight >> 8);
    }
    isa::Matmul m;
    m.format = kBf16;
    m.y_bound = 1;
    m.x_bound = 4;
    m.accumulate = before ? 1 : 0;
    if (before) t_.state().acc.Row(0)[0] = std::bit_cast<std::int32_t>(*before);
    t_.Add(BringBf16Tiles(1)).Add(m).ExpectRuns();
    return std::bit_cast<float>(t_.state().acc.Row(0)[0]);
  }

  FloatTester t_{4, 1};
};

constexpr Four kOnes = {1.0F, 1.0F, 1.0F, 1.0F};

TEST_F(OneSum, GoesFromLaneZeroUp) {
  // 2^24 + 1 is a tie that goes down.
  EXPECT_EQ(Run({0x1p24F, 1.0F, 1.0F, 0.0F}, kOnes), 0x1p24F);
  EXPECT_EQ(Run({1.0F, 1.0F, 0x1p24F, 0.0F}, kOnes), 0x1p24F + 2);
}

TEST_F(OneSum, IsAddedToTheAccumulatorAsAWhole) {
  EXPECT_EQ(Run({1.0F, 1.0F, 0.0F, 0.0F}, kOnes, 0x1p24F), 0x1p24F + 2);
}

TEST_F(OneSum, RoundsProductAndAdditionOnce) {
  // (1 + 2^-7)^2 = 1 + 2^-6 + 2^-14; minus 2^17 leaves ten bits behind the point.
  const float x = 1 + 0x1p-7F;
  const float exact = 0x1p-6F + 0x1p-14F;
  EXPECT_EQ(Run({-1.0F, x, 0.0F, 0.0F}, {1.0F, x, 0.0F, 0.0F}), exact);
  // The second product is below all normal numbers: flushed by itself, it would be lost.
  EXPECT_EQ(Run({-0x1p-126F, 0x1.8p-80F, 0.0F, 0.0F}, {1.5F, 0x1p-60F, 0.0F, 0.0F}),
            static_cast<float>(-0x1.8p-126 + 0x1.8p-140));
}

TEST_F(OneSum, FlushesSubnormalNumbers) {
  const float subnormal = OfWord(0x00400000);
  EXPECT_EQ(ToWord(Run({subnormal, 0.0F, 0.0F, 0.0F}, {0x1p100F, 0, 0, 0})), 0U);
  EXPECT_EQ(ToWord(Run({0x1p-100F, 0.0F, 0.0F, 0.0F}, {0x1p-27F, 0, 0, 0})), 0U);
  EXPECT_EQ(ToWord(Run({0.0F, 0.0F, 0.0F, 0.0F}, kOnes, subnormal)), 0U);
}

TEST_F(OneSum, HasOneNan) {
  EXPECT_EQ(ToWord(Run({kInfinity, 0.0F, 0.0F, 0.0F}, {0, 0, 0, 0})), 0x7FC00000U);
  EXPECT_EQ(ToWord(Run({OfWord(0xFFFF0000), 0.0F, 0.0F, 0.0F}, kOnes)), 0x7FC00000U);
  EXPECT_EQ(Run({kInfinity, 1.0F, 0.0F, 0.0F}, kOnes), kInfinity);
}

TEST(FloatMatmul, TakesNoTilesOfAnotherFormat) {
  FloatTester t(4, 2);
  isa::Weights weights;
  isa::Matmul m;
  m.format = kBf16;
  t.Add(weights).Add(m).ExpectFails(isa::ErrorCode::kIllegalField, isa::Unit::kMatmul, 1);
  t.Add(BringBf16Tiles(1))
      .Add(isa::Matmul{})
      .ExpectFails(isa::ErrorCode::kIllegalField, isa::Unit::kMatmul, 1);
}

TEST(FloatMatmul, LeavesTheBufferByHalfANumber) {
  FloatTester t(4, 3);
  isa::Matmul m;
  m.format = kBf16;
  m.y_bound = 1;
  m.x_bound = 4;
  const auto numbers = static_cast<std::int32_t>(t.state().ub.All().size() / 2);
  m.ub_addr = numbers - 4;
  t.Add(BringBf16Tiles(1)).Add(m).ExpectRuns();
  m.ub_addr = -(1 << 25);  // Number 2^25, byte 2^26, which is not byte 0.
  t.Add(BringBf16Tiles(1)).Add(m).ExpectFails(isa::ErrorCode::kUbRange, isa::Unit::kMatmul, 1);
  m.ub_addr = numbers - 3;
  t.Add(BringBf16Tiles(1)).Add(m).ExpectFails(isa::ErrorCode::kUbRange, isa::Unit::kMatmul, 1);
}

TEST(WithInt8Alone, OtherFormatsAreIllegal) {
  const auto expect = [](const isa::Instruction& instruction, isa::ErrorCode code) {
    MachineTester t(4, 4);
    t.Add(isa::Store{}).Add(instruction).ExpectFails(code, isa::Unit::kFrontend, 1);
  };
  expect(isa::Fvector{}, isa::ErrorCode::kIllegalOpcode);
  expect(isa::Adam{}, isa::ErrorCode::kIllegalOpcode);
  expect(BringBf16Tiles(1), isa::ErrorCode::kIllegalField);
  expect(isa::Matmul{.format = kBf16}, isa::ErrorCode::kIllegalField);
  expect(isa::Load{.format = isa::NumberFormat::kFloat32}, isa::ErrorCode::kIllegalField);
  expect(isa::Store{.format = kBf16}, isa::ErrorCode::kIllegalField);
  expect(isa::Ivector{}, isa::ErrorCode::kIllegalOpcode);
  expect(isa::Matmul{.planes = 1}, isa::ErrorCode::kIllegalField);
}

}  // namespace
}  // namespace tpu::golden
