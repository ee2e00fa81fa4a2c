// SPDX-License-Identifier: Apache-2.0
// Tiles that WEIGHTS transposes and that UBWEIGHTS brings, against the loops of docs/isa.md, 10.3:
// what a product of the identity with a tile leaves in the accumulators.
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "float_numbers.h"
#include "machine_tester.h"

namespace tpu::golden {
namespace {

constexpr std::uint64_t kTransposedTiles = 0x122;
// Of the identity, in the unified buffer; instructions under test may read it.
constexpr std::uint32_t kIdentityRow = 200;

class TileTester : public MachineTester {
 public:
  TileTester(std::uint32_t n, std::uint64_t seed, isa::NumberFormat format)
      : MachineTester(n, seed, {.bf16 = true}), format_(format) {
    // NaN and infinities would spread over all sums of a row.
    for (std::size_t i = 1; format == kBf16 && i < memory().size(); i += 2) memory()[i] &= 0xBF;
    for (std::size_t i = 1; format == kBf16 && i < state().ub.All().size(); i += 2) {
      state().ub.All()[i] &= static_cast<std::int8_t>(0xBF);
    }
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t k = 0; k < n; ++k) SetIdentity(i, k, i == k);
    }
  }

  /// Runs `bring` and a product for each of its `tiles`; the accumulators have the tiles' rows.
  RunResult RunTiles(const isa::Instruction& bring, std::uint32_t tiles) {
    const auto n = state().config.n;
    isa::Matmul m;
    m.format = format_;
    m.ub_addr = static_cast<std::int32_t>(kIdentityRow * n / Bytes());
    m.n_ob = tiles;
    m.n_ow = n;
    m.s_ow = static_cast<std::int32_t>(n);
    m.y_bound = 1;
    m.x_bound = n;
    m.acc_ob_stride = n;
    return Add(bring).Add(m).Run();
  }
  /// W[k][n] of a tile, as a number.
  float Weight(std::uint32_t tile, std::uint32_t k, std::uint32_t lane) {
    const auto n = state().config.n;
    const std::int32_t sum = state().acc.Row(tile * n + k)[lane];
    return format_ == kInt8 ? static_cast<float>(sum) : std::bit_cast<float>(sum);
  }
  [[nodiscard]] std::uint32_t Bytes() const { return static_cast<std::uint32_t>(RowsOf(format_)); }

 private:
  void SetIdentity(std::uint32_t row, std::uint32_t lane, bool one) {
    const auto n = state().config.n;
    std::int8_t* const number = &state().ub.All()[kIdentityRow * n + (row * n + lane) * Bytes()];
    const std::uint32_t word = WordOf(format_, one ? 1.0F : 0.0F);
    for (std::uint32_t b = 0; b < Bytes(); ++b) {
      number[b] = static_cast<std::int8_t>(word >> (8 * b));
    }
  }

  isa::NumberFormat format_;
};

TEST(Weights, TransposesTilesFromMemory) {
  for (const isa::NumberFormat format : {kInt8, kBf16}) {
    TileTester t(4, 1, format);
    const std::vector<std::uint8_t> memory = t.memory();
    const isa::Weights weights = {
        .format = format, .transpose = 1, .dram_addr = kTransposedTiles, .tiles = 3};
    ASSERT_EQ(t.RunTiles(weights, 3).error, isa::ErrorCode::kNone);
    for (std::uint32_t tile = 0; tile < 3; ++tile) {
      for (std::uint32_t k = 0; k < 4; ++k) {
        for (std::uint32_t n = 0; n < 4; ++n) {
          const std::uint64_t at = kTransposedTiles + ((tile * 4 + n) * 4 + k) * t.Bytes();
          EXPECT_EQ(t.Weight(tile, k, n),
                    NumberAt(format, reinterpret_cast<const std::int8_t*>(&memory[at])))
              << "tile " << tile << " row " << k << " lane " << n;
        }
      }
    }
  }
}

isa::UbWeights RandomUbWeights(TileTester& t, isa::NumberFormat format) {
  isa::UbWeights w;
  w.format = format;
  w.transpose = t.Random(0U, 1U);
  w.along_ob = t.Random(0U, 1U);
  w.along_cb = t.Random(0U, 1U);
  w.row = t.Random(0U, 255U);
  w.row_bound = t.Random(0U, 30U);
  w.n_ob = t.Random(1U, 3U);
  w.n_cb = t.Random(1U, 2U);
  w.s_row = t.Random(-6, 6);
  w.s_ob = t.Random(-40, 40);
  w.s_cb = t.Random(-40, 40);
  return w;
}

/// Number `lane` of row j of a tile; nothing when it does not exist.
std::optional<float> Expected(const isa::UbWeights& w, TileTester& t, std::int64_t ob,
                              std::int64_t cb, std::int64_t j, std::int64_t lane) {
  const std::int64_t n = t.state().config.n;
  const std::int64_t y = j + n * (w.along_ob * ob + w.along_cb * cb);
  if (y >= w.row_bound) return 0.0F;
  const std::int64_t row = w.row + ob * w.s_ob + cb * w.s_cb + j * w.s_row;
  const std::int64_t byte = row * n + lane * t.Bytes();
  if (row < 0 || row + t.Bytes() > t.state().config.ub_rows) return std::nullopt;
  return NumberAt(w.format, &t.state().ub.All()[static_cast<std::size_t>(byte)]);
}

TEST(UbWeights, FollowsItsLoopNestForRandomFields) {
  int ran = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const isa::NumberFormat format = seed % 2 == 0 ? kInt8 : kBf16;
    TileTester t(seed % 4 < 2 ? 4 : 8, seed, format);
    const isa::UbWeights w = RandomUbWeights(t, format);
    const std::uint32_t tiles = w.n_ob * w.n_cb;
    const RunResult result = t.RunTiles(w, tiles);
    const auto n = t.state().config.n;
    bool legal = true;
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
      for (std::uint32_t j = 0; j < n; ++j) {
        for (std::uint32_t lane = 0; lane < n; ++lane) {
          const auto expected = Expected(w, t, tile / w.n_cb, tile % w.n_cb, j, lane);
          legal = legal && expected.has_value();
          if (result.error != isa::ErrorCode::kNone || !legal) continue;
          EXPECT_EQ(w.transpose != 0 ? t.Weight(tile, lane, j) : t.Weight(tile, j, lane), *expected)
              << "tile " << tile << " row " << j << " lane " << lane;
        }
      }
    }
    ASSERT_EQ(isa::Name(result.error),
              isa::Name(legal ? isa::ErrorCode::kNone : isa::ErrorCode::kUbRange));
    if (!legal) {
      EXPECT_EQ(isa::Name(result.unit), isa::Name(isa::Unit::kWeights));
    }
    ran += legal ? 1 : 0;
  }
  EXPECT_GT(ran, 50);
}

}  // namespace
}  // namespace tpu::golden
