// SPDX-License-Identifier: Apache-2.0
// MATMUL against convolutions written from their definition, and against the loop nest of
// docs/isa.md with random fields.
#include <gtest/gtest.h>

#include <optional>

#include "machine_tester.h"
#include "random_matmul.h"

namespace tpu::golden {
namespace {

constexpr std::uint64_t kWeightsAddress = 0x123;  // Weights need no alignment.

std::int32_t WeightAt(MachineTester& t, std::size_t tile, std::size_t k, std::size_t n) {
  const std::size_t lanes = t.state().config.n;
  return static_cast<std::int8_t>(
      t.memory()[kWeightsAddress + tile * lanes * lanes + k * lanes + n]);
}

isa::Weights BringTiles(std::uint32_t tiles) {
  isa::Weights weights;
  weights.dram_addr = kWeightsAddress;
  weights.tiles = tiles;
  return weights;
}

// ---- Convolutions ----------------------------------------------------------------------------

/// A convolution of an image of `height` x `width` pixels; channels counted in blocks of N.
struct Convolution {
  std::int32_t height = 5, width = 6;
  std::uint32_t in_blocks = 1, out_blocks = 1;
  std::uint32_t kernel_h = 3, kernel_w = 3;
  std::int32_t stride = 1, dilation = 1, pad = 1;
  std::int32_t zero_point = 0;

  [[nodiscard]] std::int32_t OutHeight() const { return Out(height, kernel_h); }
  [[nodiscard]] std::int32_t OutWidth() const { return Out(width, kernel_w); }

 private:
  [[nodiscard]] std::int32_t Out(std::int32_t in, std::uint32_t kernel) const {
    const std::int32_t extent = (static_cast<std::int32_t>(kernel) - 1) * dilation + 1;
    return (in + 2 * pad - extent) / stride + 1;
  }
};

/// In the wide layout: UB row (cb * height + y) * width + x holds the N channels of block cb of one
/// pixel.
isa::Matmul WideMatmul(const Convolution& c, std::int32_t n) {
  isa::Matmul m;
  m.zero_point = c.zero_point;
  m.ub_addr = -(c.pad * c.width + c.pad) * n;
  m.n_ob = c.out_blocks;
  m.n_cb = c.in_blocks;
  m.n_kh = c.kernel_h;
  m.n_kw = c.kernel_w;
  m.n_oh = static_cast<std::uint32_t>(c.OutHeight());
  m.n_ow = static_cast<std::uint32_t>(c.OutWidth());
  m.y0 = -c.pad;
  m.x0 = -c.pad * n;
  m.y_bound = static_cast<std::uint32_t>(c.height);
  m.x_bound = static_cast<std::uint32_t>(c.width * n);
  m.acc_row = 3;
  m.acc_ob_stride = m.n_oh * m.n_ow + 1;
  m.xs_kw = static_cast<std::uint32_t>(c.dilation * n);
  m.xs_ow = static_cast<std::uint32_t>(c.stride * n);
  m.s_cb = c.height * c.width * n;
  m.ys_kh = static_cast<std::uint32_t>(c.dilation);
  m.s_kh = c.dilation * c.width * n;
  m.ys_oh = static_cast<std::uint32_t>(c.stride);
  m.s_kw = c.dilation * n;
  m.s_oh = c.stride * c.width * n;
  m.s_ow = c.stride * n;
  return m;
}

void ExpectConvolution(const Convolution& c, std::uint32_t n, std::uint64_t seed) {
  SCOPED_TRACE(fmt::format("n {} seed {} stride {} dilation {} pad {}", n, seed, c.stride,
                           c.dilation, c.pad));
  MachineTester t(n, seed);
  const isa::Matmul m = WideMatmul(c, static_cast<std::int32_t>(n));
  t.Add(BringTiles(c.out_blocks * c.in_blocks * c.kernel_h * c.kernel_w)).Add(m).ExpectRuns();

  const auto pixel = [&](std::uint32_t cb, std::int32_t y, std::int32_t x, std::size_t k) {
    if (y < 0 || y >= c.height || x < 0 || x >= c.width) return c.zero_point;
    const std::int32_t row = (static_cast<std::int32_t>(cb) * c.height + y) * c.width + x;
    return std::int32_t{t.state().ub.Row(row)[k]};
  };
  const auto output = [&](std::uint32_t ob, std::int32_t oh, std::int32_t ow, std::size_t lane) {
    std::int32_t sum = 0;
    std::size_t tile = ob * c.in_blocks * c.kernel_h * c.kernel_w;
    for (std::uint32_t cb = 0; cb < c.in_blocks; ++cb) {
      for (std::int32_t kh = 0; kh < static_cast<std::int32_t>(c.kernel_h); ++kh) {
        for (std::int32_t kw = 0; kw < static_cast<std::int32_t>(c.kernel_w); ++kw, ++tile) {
          const std::int32_t y = oh * c.stride + kh * c.dilation - c.pad;
          const std::int32_t x = ow * c.stride + kw * c.dilation - c.pad;
          for (std::size_t k = 0; k < n; ++k) {
            sum += pixel(cb, y, x, k) * WeightAt(t, tile, k, lane);
          }
        }
      }
    }
    return sum;
  };
  for (std::uint32_t ob = 0; ob < c.out_blocks; ++ob) {
    for (std::int32_t oh = 0; oh < c.OutHeight(); ++oh) {
      for (std::int32_t ow = 0; ow < c.OutWidth(); ++ow) {
        const std::int64_t row = 3 + std::int64_t{ob} * m.acc_ob_stride + oh * c.OutWidth() + ow;
        for (std::size_t lane = 0; lane < n; ++lane) {
          ASSERT_EQ(t.state().acc.Row(row)[lane], output(ob, oh, ow, lane))
              << "block " << ob << " pixel " << oh << "," << ow << " lane " << lane;
        }
      }
    }
  }
}

TEST(Matmul, WideConvolutionWithPadding) {
  for (const std::uint32_t n : {4U, 8U, 16U, 32U, 64U}) {
    ExpectConvolution({.zero_point = -7}, n, 1);
  }
}

TEST(Matmul, WideConvolutionWithStride) {
  ExpectConvolution({.height = 7, .width = 8, .stride = 2, .zero_point = 5}, 16, 2);
  ExpectConvolution({.height = 7, .width = 8, .stride = 3, .pad = 0}, 16, 3);
}

TEST(Matmul, WideConvolutionWithDilation) {
  ExpectConvolution({.height = 7, .width = 8, .dilation = 2, .pad = 2, .zero_point = 127}, 8, 4);
  ExpectConvolution({.height = 9, .width = 9, .stride = 2, .dilation = 3, .pad = 3}, 8, 5);
}

TEST(Matmul, WideConvolutionWithSeveralChannelBlocks) {
  ExpectConvolution({.height = 4,
                     .width = 5,
                     .in_blocks = 3,
                     .out_blocks = 2,
                     .kernel_h = 1,
                     .kernel_w = 2,
                     .pad = 0,
                     .zero_point = -128},
                    16, 6);
}

TEST(Matmul, ThinConvolutionReadsUnalignedWindows) {
  // 3 channels, kernel 3 x 5: 15 bytes of an image row meet N = 8 lanes in two steps.
  constexpr std::int32_t kN = 8, kChannels = 3, kHeight = 6, kWidth = 7, kKernelH = 3, kKernelW = 5;
  constexpr std::int32_t kPad = 1, kStride = 2, kSteps = 2, kBase = 11, kZeroPoint = -9;
  constexpr std::int32_t kOutHeight = (kHeight + 2 * kPad - kKernelH) / kStride + 1;
  constexpr std::int32_t kOutWidth = (kWidth + 2 * kPad - kKernelW) / kStride + 1;
  constexpr std::int32_t kRowBytes = kWidth * kChannels + 5;  // Image rows need not touch.
  MachineTester t(kN, 7);
  // Row (kw, c) of a tile beyond the kernel is zero.
  for (std::size_t tile = 0; tile < kKernelH * kSteps; ++tile) {
    for (std::size_t k = 0; k < kN; ++k) {
      const std::size_t position = tile % kSteps * kN + k;
      if (position < kKernelW * kChannels) continue;
      const auto row = t.memory().begin() + kWeightsAddress +
                       static_cast<std::ptrdiff_t>(tile * kN * kN + k * kN);
      std::fill_n(row, kN, std::uint8_t{0});
    }
  }
  isa::Matmul m;
  m.zero_point = kZeroPoint;
  m.ub_addr = kBase - kPad * kRowBytes - kPad * kChannels;
  m.n_kh = kKernelH;
  m.n_kw = kSteps;
  m.n_oh = kOutHeight;
  m.n_ow = kOutWidth;
  m.y0 = -kPad;
  m.x0 = -kPad * kChannels;
  m.y_bound = kHeight;
  m.x_bound = kWidth * kChannels;
  m.xs_kw = kN;
  m.xs_ow = kStride * kChannels;
  m.ys_kh = 1;
  m.s_kh = kRowBytes;
  m.ys_oh = kStride;
  m.s_kw = kN;
  m.s_oh = kStride * kRowBytes;
  m.s_ow = kStride * kChannels;
  t.Add(BringTiles(kKernelH * kSteps)).Add(m).ExpectRuns();

  const std::span<const std::int8_t> ub = t.state().ub.All();
  for (std::int32_t oh = 0; oh < kOutHeight; ++oh) {
    for (std::int32_t ow = 0; ow < kOutWidth; ++ow) {
      for (std::size_t lane = 0; lane < kN; ++lane) {
        std::int32_t sum = 0;
        for (std::int32_t kh = 0; kh < kKernelH; ++kh) {
          for (std::int32_t j = 0; j < kKernelW * kChannels; ++j) {
            const std::int32_t y = oh * kStride + kh - kPad;
            const std::int32_t x = (ow * kStride - kPad) * kChannels + j;
            const bool inside = 0 <= y && y < kHeight && 0 <= x && x < kWidth * kChannels;
            const std::int32_t value =
                inside ? ub[static_cast<std::size_t>(kBase + y * kRowBytes + x)] : kZeroPoint;
            sum += value * WeightAt(t, static_cast<std::size_t>(kh * kSteps + j / kN),
                                    static_cast<std::size_t>(j % kN), lane);
          }
        }
        ASSERT_EQ(t.state().acc.Row(oh * kOutWidth + ow)[lane], sum) << oh << "," << ow;
      }
    }
  }
}

// ---- The loop nest with random fields ---------------------------------------------------------

std::int64_t SignExtend20(std::int64_t value) {
  value &= 0xFFFFF;
  return value >= 0x80000 ? value - 0x100000 : value;
}

/// The byte a lane reads, or nothing when it does not exist.
std::optional<std::int32_t> Activation(const isa::Matmul& m, std::span<const std::int8_t> ub,
                                       std::int64_t addr, std::int64_t y, std::int64_t x) {
  if (y < 0 || y >= m.y_bound || x < 0 || x >= m.x_bound) return m.zero_point;
  const std::int64_t byte = addr & 0x3FFFFFF;
  if (byte >= static_cast<std::int64_t>(ub.size())) return std::nullopt;
  return ub[static_cast<std::size_t>(byte)];
}

/// Replays the loop nest on copies. Returns false when the instruction leaves the buffer or the
/// accumulators.
bool Replay(const isa::Matmul& m, MachineTester& t, std::span<const std::int8_t> ub,
            std::vector<std::int32_t>& acc) {
  const std::size_t n = t.state().config.n;
  std::size_t tile = 0;
  for (std::int64_t ob = 0; ob < m.n_ob; ++ob)
    for (std::int64_t cb = 0; cb < m.n_cb; ++cb)
      for (std::int64_t kh = 0; kh < m.n_kh; ++kh)
        for (std::int64_t kw = 0; kw < m.n_kw; ++kw, ++tile)
          for (std::int64_t oh = 0; oh < m.n_oh; ++oh)
            for (std::int64_t ow = 0; ow < m.n_ow; ++ow) {
              const std::int64_t addr =
                  m.ub_addr + cb * m.s_cb + kh * m.s_kh + kw * m.s_kw + oh * m.s_oh + ow * m.s_ow;
              const std::int64_t y = SignExtend20(m.y0 + kh * m.ys_kh + oh * m.ys_oh);
              const std::int64_t x = SignExtend20(m.x0 + kw * m.xs_kw + ow * m.xs_ow);
              const std::size_t row = (m.acc_row + static_cast<std::size_t>(ob) * m.acc_ob_stride +
                                       static_cast<std::size_t>(oh * m.n_ow + ow)) &
                                      0xFFFFF;
              if (row >= t.state().config.acc_rows) return false;
              const bool first = cb == 0 && kh == 0 && kw == 0 && m.accumulate == 0;
              for (std::size_t lane = 0; lane < n; ++lane) {
                std::uint32_t sum = first ? 0 : static_cast<std::uint32_t>(acc[row * n + lane]);
                for (std::size_t k = 0; k < n; ++k) {
                  const auto offset = static_cast<std::int64_t>(k);
                  const auto a = Activation(m, ub, addr + offset, y, x + offset);
                  if (!a) return false;
                  sum += static_cast<std::uint32_t>(*a * WeightAt(t, tile, k, lane));
                }
                acc[row * n + lane] = static_cast<std::int32_t>(sum);
              }
            }
  return true;
}

TEST(Matmul, FollowsItsLoopNestForRandomFields) {
  int ran = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    MachineTester t(seed % 2 == 0 ? 4 : 8, seed);
    const isa::Matmul m = RandomMatmul(t, isa::NumberFormat::kInt8);
    std::vector<std::int32_t> acc = Copy(t.state().acc.All());
    const bool legal = Replay(m, t, t.state().ub.All(), acc);
    t.Add(BringTiles(m.n_ob * m.n_cb * m.n_kh * m.n_kw)).Add(m);
    const RunResult result = t.Run();
    ASSERT_EQ(result.error == isa::ErrorCode::kNone, legal) << result.message;
    if (!legal) continue;
    ++ran;
    ASSERT_EQ(Copy(t.state().acc.All()), acc);
  }
  EXPECT_GT(ran, 100);
}

TEST(Matmul, WrapsAddressesAndCoordinates) {
  // Everything lands on legal places only modulo 2^26 bytes and 2^20 pixels.
  MachineTester t(4, 30);
  isa::Matmul m;
  m.n_kw = 17;
  m.s_kw = -(1 << 22);  // 16 steps are -2^26.
  m.xs_kw = 0xFFFF;
  m.x0 = 16;  // Step 16 is at x = 2^20, the only one inside.
  m.x_bound = 4;
  m.y_bound = 1;
  std::vector<std::int32_t> acc = Copy(t.state().acc.All());
  ASSERT_TRUE(Replay(m, t, t.state().ub.All(), acc));
  EXPECT_NE(acc[0], 0);
  t.Add(BringTiles(17)).Add(m).ExpectRuns();
  EXPECT_EQ(Copy(t.state().acc.All()), acc);
}

TEST(Matmul, AccumulateAddsAndWraps) {
  MachineTester t(4, 31);
  t.state().ub.Row(0)[0] = 127;
  std::ranges::fill(t.state().ub.Row(0).subspan(1), std::int8_t{0});
  t.memory()[kWeightsAddress] = 127;
  t.state().acc.Row(0)[0] = std::numeric_limits<std::int32_t>::max();
  isa::Matmul m;
  m.y_bound = 1;
  m.x_bound = 4;
  m.accumulate = 1;
  t.Add(BringTiles(1)).Add(m).ExpectRuns();
  EXPECT_EQ(t.state().acc.Row(0)[0], std::numeric_limits<std::int32_t>::min() + 127 * 127 - 1);
  m.accumulate = 0;
  t.Add(BringTiles(1)).Add(m).ExpectRuns();
  EXPECT_EQ(t.state().acc.Row(0)[0], 127 * 127);
}

TEST(Matmul, TakesTilesInTheOrderTheyCame) {
  MachineTester t(4, 32);
  isa::Matmul m;
  m.y_bound = 1;
  m.x_bound = 4;
  isa::Matmul second = m;
  second.acc_row = 1;
  t.Add(BringTiles(2)).Add(m).Add(second).ExpectRuns();
  for (std::size_t tile = 0; tile < 2; ++tile) {
    for (std::size_t lane = 0; lane < 4; ++lane) {
      std::int32_t sum = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        sum += t.state().ub.Row(0)[k] * WeightAt(t, tile, k, lane);
      }
      EXPECT_EQ(t.state().acc.Row(static_cast<std::int64_t>(tile))[lane], sum);
    }
  }
}

}  // namespace
}  // namespace tpu::golden
