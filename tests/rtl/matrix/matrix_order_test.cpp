// SPDX-License-Identifier: Apache-2.0
// The matrix unit's addresses far from the ordinary ones, and accumulator rows in orders that need
// the sum of a row before.
#include <gtest/gtest.h>

#include <cstdint>

#include "tests/rtl/matrix/matrix_bench.h"

namespace tpu {
namespace {

template <typename Model>
class MatrixOrderTest : public testing::Test {};
TYPED_TEST_SUITE(MatrixOrderTest, Matrices);

TYPED_TEST(MatrixOrderTest, AccumulatorRowsComeAgainAfterAnyDistance) {
  constexpr int kHalf = Bench<TypeParam>::kAccRows / 2;
  for (std::uint64_t seed = 1; seed <= Bench<TypeParam>::Runs(60); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Bench<TypeParam> b(seed);
    const int fill = 4;
    for (int i = 0; i < fill; ++i) {
      isa::Matmul m = PlainMatmul<TypeParam>(kHalf / 2, 1);
      m.acc_row = static_cast<std::uint32_t>(i * kHalf / 2);
      m.s_ow = 0;
      b.Add(m);
    }
    const int count = 10;
    int last = b.Uniform(0, 2 * kHalf - 1);
    for (int i = 0; i < count; ++i) {
      isa::Matmul m = RandomMatmul(b);
      const int rows = static_cast<int>(m.n_oh * m.n_ow);
      m.accumulate = b.Uniform(0, 3) > 0;
      // Blocks, and instructions, begin at or next to the last row of the one before, or at its
      // namesake in the other half.
      const int stride = rows - 1 + b.Uniform(-1, 1) + (b.Uniform(0, 1) == 1 ? kHalf : 0);
      m.acc_ob_stride = static_cast<std::uint32_t>(m.n_ob > 1 ? std::max(0, stride) : 0);
      const int span = static_cast<int>((m.n_ob - 1) * m.acc_ob_stride) + rows;
      if (span > 2 * kHalf) {
        m.n_ob = 1;
        m.acc_ob_stride = 0;
      }
      const int end = static_cast<int>((m.n_ob - 1) * m.acc_ob_stride) + rows;
      const int first = last + b.Uniform(-1, 1) + (b.Uniform(0, 1) == 1 ? kHalf : 0);
      m.acc_row = static_cast<std::uint32_t>((first + 2 * kHalf) % (2 * kHalf - end + 1));
      last = static_cast<int>(m.acc_row) + end - 1;
      b.Add(m);
    }
    b.Run(fill + count, 1.0);
    ASSERT_FALSE(b.dut->err_valid);
    b.CompareAccumulators();
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(MatrixOrderTest, StridesMayBeNegativeAndCoordinatesLarge) {
  using B = Bench<TypeParam>;
  for (std::uint64_t seed = 1; seed <= Bench<TypeParam>::Runs(60); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    B b(seed);
    std::size_t count = 0;
    for (int i = 0; i < 4; ++i) {
      isa::Matmul m;
      int low = 0;
      int high = 0;
      // A loop of up to three rounds with a stride of either sign.
      const auto loop = [&](std::uint32_t& n) {
        n = static_cast<std::uint32_t>(b.Uniform(1, 3));
        const int stride = b.Uniform(-20, 20);
        (stride < 0 ? low : high) += stride * static_cast<int>(n - 1);
        return stride;
      };
      m.s_cb = loop(m.n_cb);
      m.s_kh = loop(m.n_kh);
      m.s_kw = loop(m.n_kw);
      m.s_oh = loop(m.n_oh);
      m.s_ow = loop(m.n_ow);
      m.zero_point = b.Uniform(-128, 127);
      m.ub_addr = b.Uniform(-low, b.DrawFormat(m) - B::kN - high);
      m.y0 = b.Uniform(0, 32000);
      m.x0 = b.Uniform(0, 32000);
      m.ys_kh = static_cast<std::uint32_t>(b.Uniform(0, 255));
      m.ys_oh = static_cast<std::uint32_t>(b.Uniform(0, 255));
      m.xs_kw = static_cast<std::uint32_t>(b.Uniform(0, 8000));
      m.xs_ow = static_cast<std::uint32_t>(b.Uniform(0, 8000));
      // A few rows and columns lie behind the image's end.
      m.y_bound = static_cast<std::uint32_t>(b.Uniform(0, 1) == 1 ? 65535 : m.y0 + 200);
      m.x_bound = static_cast<std::uint32_t>(b.Uniform(0, 1) == 1 ? 65535 : m.x0 + 9000);
      b.Add(m);
      ++count;
    }
    b.Run(count, 1.0);
    ASSERT_FALSE(b.dut->err_valid);
    b.CompareAccumulators();
    if (this->HasFailure()) return;
  }
}

// The first round of a loop lies outside of the image, so that it may have any address; the second
// one lies inside.
TYPED_TEST(MatrixOrderTest, StridesHave24Bits) {
  using B = Bench<TypeParam>;
  B b(1);
  std::size_t count = 0;
  for (int dimension = 0; dimension < 4; ++dimension) {
    for (const int stride : {0x7FFFFF, 0x400000, 0x3FFFFF, -0x400001, -0x800000}) {
      isa::Matmul m = PlainMatmul<TypeParam>(1, 1);
      switch (dimension) {
        case 0:
          m.n_kh = 2;
          m.s_kh = stride;
          m.ys_kh = 1;
          m.y0 = -1;
          break;
        case 1:
          m.n_oh = 2;
          m.s_oh = stride;
          m.ys_oh = 1;
          m.y0 = -1;
          break;
        case 2:
          m.n_kw = 2;
          m.s_kw = stride;
          m.xs_kw = B::kN;
          m.x0 = -B::kN;
          break;
        default:
          m.n_ow = 2;
          m.s_ow = stride;
          m.xs_ow = B::kN;
          m.x0 = -B::kN;
          break;
      }
      m.ub_addr = b.Uniform(0, b.DrawFormat(m) - B::kN) - stride;
      m.acc_row = static_cast<std::uint32_t>(count) % (B::kAccRows - 1);
      b.Add(m);
      ++count;
    }
  }
  b.Run(count, 1.0);
  ASSERT_FALSE(b.dut->err_valid);
  b.CompareAccumulators();
}

}  // namespace
}  // namespace tpu
