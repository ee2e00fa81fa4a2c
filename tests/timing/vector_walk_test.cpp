// SPDX-License-Identifier: Apache-2.0
// Walks through loop nests against loops.
#include "timing/vector_walk.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace tpu::timing {
namespace {

struct Tap {
  std::uint32_t row = 0;
  bool inside = false;
};

isa::Vector RandomLoops(std::mt19937& rng) {
  const auto pick = [&rng](int low, int high) {
    return std::uniform_int_distribution(low, high)(rng);
  };
  const auto count = [&pick] { return static_cast<std::uint32_t>(pick(0, 1) * pick(0, 4) + 1); };
  isa::Vector v;
  v.n_cb = count();
  v.n_oh = count();
  v.n_ow = count();
  v.n_kh = count();
  v.n_kw = count();
  v.a_row = 1000;
  v.a_cb = pick(-9, 9);
  v.a_oh = pick(-9, 9);
  v.a_ow = pick(-9, 9);
  v.a_kh = pick(-9, 9);
  v.a_kw = pick(-9, 9);
  v.y0 = pick(-3, 2);
  v.x0 = pick(-3, 2);
  v.ys_oh = static_cast<std::uint32_t>(pick(0, 2));
  v.ys_kh = static_cast<std::uint32_t>(pick(0, 2));
  v.xs_ow = static_cast<std::uint32_t>(pick(0, 2));
  v.xs_kw = static_cast<std::uint32_t>(pick(0, 2));
  v.y_bound = static_cast<std::uint32_t>(pick(1, 6));
  v.x_bound = static_cast<std::uint32_t>(pick(1, 6));
  return v;
}

std::vector<Tap> Taps(const isa::Vector& v) {
  std::vector<Tap> taps;
  for (std::uint32_t cb = 0; cb < v.n_cb; ++cb) {
    for (std::uint32_t oh = 0; oh < v.n_oh; ++oh) {
      for (std::uint32_t ow = 0; ow < v.n_ow; ++ow) {
        for (std::uint32_t kh = 0; kh < v.n_kh; ++kh) {
          for (std::uint32_t kw = 0; kw < v.n_kw; ++kw) {
            const std::int64_t row = v.a_row + std::int64_t{cb} * v.a_cb +
                                     std::int64_t{oh} * v.a_oh + std::int64_t{ow} * v.a_ow +
                                     std::int64_t{kh} * v.a_kh + std::int64_t{kw} * v.a_kw;
            const std::int64_t y = v.y0 + std::int64_t{oh} * v.ys_oh + std::int64_t{kh} * v.ys_kh;
            const std::int64_t x = v.x0 + std::int64_t{ow} * v.xs_ow + std::int64_t{kw} * v.xs_kw;
            taps.push_back({static_cast<std::uint32_t>(row),
                            y >= 0 && y < v.y_bound && x >= 0 && x < v.x_bound});
          }
        }
      }
    }
  }
  return taps;
}

TEST(VectorWalk, GoesThroughTheLoops) {
  for (unsigned seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937 rng(seed);
    const isa::Vector vector = RandomLoops(rng);
    const std::vector<Tap> taps = Taps(vector);
    VectorWalk walk(vector, {}, 0);
    for (std::size_t i = 0; i < taps.size();) {
      ASSERT_EQ(walk.row(), taps[i].row) << i;
      ASSERT_EQ(walk.inside(), taps[i].inside) << i;
      ASSERT_EQ(walk.window_last(), (i + 1) % (vector.n_kh * vector.n_kw) == 0) << i;
      ASSERT_EQ(walk.last(), i + 1 == taps.size()) << i;
      // What is said to be alike is.
      ASSERT_LE(walk.run(), taps.size() - i);
      for (std::uint32_t k = 0; k < walk.run(); ++k) {
        ASSERT_EQ(taps[i + k].row, taps[i].row + k * walk.row_step()) << i;
        ASSERT_EQ(taps[i + k].inside, taps[i].inside) << i;
      }
      const std::size_t left = std::min<std::size_t>(taps.size() - i, 7);
      const auto steps = static_cast<std::uint32_t>(1 + rng() % left);
      walk.Skip(steps);
      i += steps;
    }
  }
}

// The three streams of a depthwise convolution: three weights, then the columns of each line.
TEST(VectorWalk, GoesColumnByColumn) {
  isa::Vector v;
  v.map = isa::VectorMap::kMultiply;
  v.reduce = isa::VectorReduce::kSum;
  v.n_cb = 2;
  v.n_oh = 3;
  v.n_ow = 4;
  v.n_kh = v.n_kw = 3;
  v.a_cb = 100;
  v.a_oh = v.a_kh = 10;
  v.a_ow = v.a_kw = 1;
  v.y0 = v.x0 = -1;
  v.ys_oh = v.ys_kh = v.xs_ow = v.xs_kw = 1;
  v.y_bound = 3;
  v.x_bound = 4;
  v.b_row = 500;
  v.b_kw = 1;
  v.b_kh = 3;
  v.b_cb = 9;
  const VectorPattern pattern = PatternOf(v, {});
  ASSERT_TRUE(pattern.columns);
  for (std::uint32_t stream = 0; stream < 3; ++stream) {
    VectorWalk walk(v, pattern, stream);
    for (std::uint32_t cb = 0; cb < v.n_cb; ++cb) {
      for (std::uint32_t i = 0; i < 3; ++i, walk.Step()) {
        EXPECT_TRUE(walk.weight());
        EXPECT_EQ(walk.row(), 500 + 9 * cb + 3 * stream + i);
      }
      for (std::uint32_t oh = 0; oh < v.n_oh; ++oh) {
        for (std::uint32_t x = 0; x < 6; ++x, walk.Step()) {
          const bool end = cb + 1 == v.n_cb && oh + 1 == v.n_oh;
          EXPECT_EQ(walk.row(), 100 * cb + 10 * (oh + stream) + x);
          EXPECT_EQ(walk.inside(), oh + stream >= 1 && oh + stream <= 3 && x >= 1 && x <= 4);
          EXPECT_EQ(walk.line(), 6 - x - (end ? 1 : 0));
          EXPECT_EQ(walk.last(), end && x == 5);
        }
      }
    }
  }
}

}  // namespace
}  // namespace tpu::timing
