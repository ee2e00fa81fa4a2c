// SPDX-License-Identifier: Apache-2.0
// tpu_vector_walk alone: the rows of each stream, tap by tap and column by column, against plain
// loops, with strides and positions of all their bits.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "Vvector_walk_0.h"
#include "Vvector_walk_1.h"
#include "Vvector_walk_2.h"
#include "isa/encoding.h"
#include "tb/dut.h"

namespace tpu::vector_test {
namespace {

struct Step {
  std::uint32_t row;
  bool inside;
  bool weight;
  bool window_first;
  bool window_last;
  /// The loop that moves on after this step: kw is 0, cb is 4.
  unsigned level;
};

struct Walk {
  isa::Vector v;
  bool columns;
  std::uint16_t n_column;
};

// Rows and coordinates are computed modulo 2^20.
constexpr std::uint32_t kMask = 0xFFFFF;

std::uint32_t Wrapped(std::int64_t value) { return static_cast<std::uint32_t>(value) & kMask; }

bool InImage(const isa::Vector& v, std::int64_t y, std::int64_t x) {
  return Wrapped(y) < v.y_bound && Wrapped(x) < v.x_bound;
}

std::vector<Step> TapsOf(const isa::Vector& v, bool source_b) {
  std::vector<Step> steps;
  const std::int64_t counts[] = {v.n_kw, v.n_kh, v.n_ow, v.n_oh, v.n_cb};
  std::int64_t i[5] = {};
  while (true) {
    const std::int64_t row = source_b ? v.b_row + i[4] * v.b_cb + i[3] * v.b_oh + i[2] * v.b_ow +
                                            i[1] * v.b_kh + i[0] * v.b_kw
                                      : v.a_row + i[4] * v.a_cb + i[3] * v.a_oh + i[2] * v.a_ow +
                                            i[1] * v.a_kh + i[0] * v.a_kw;
    unsigned level = 0;
    while (level < 5 && i[level] == counts[level] - 1) ++level;
    steps.push_back({.row = Wrapped(row),
                     .inside = InImage(v, v.y0 + i[3] * v.ys_oh + i[1] * v.ys_kh,
                                       v.x0 + i[2] * v.xs_ow + i[0] * v.xs_kw),
                     .weight = false,
                     .window_first = i[0] == 0 && i[1] == 0,
                     .window_last = i[0] == counts[0] - 1 && i[1] == counts[1] - 1,
                     .level = level});
    if (level == 5) return steps;
    ++i[level];
    while (level > 0) i[--level] = 0;
  }
}

std::vector<Step> ColumnsOf(const isa::Vector& v, std::int64_t columns, int stream, bool weights) {
  std::vector<Step> steps;
  for (std::int64_t cb = 0; cb < v.n_cb; ++cb) {
    for (std::int64_t kw = 0; weights && kw < 3; ++kw) {
      steps.push_back({.row = Wrapped(v.b_row + 9 * cb + 3 * stream + kw),
                       .inside = v.map != isa::VectorMap::kCopy,
                       .weight = true,
                       .window_first = true,
                       .window_last = true,
                       .level = 0});
    }
    for (std::int64_t oh = 0; oh < v.n_oh; ++oh) {
      for (std::int64_t c = 0; c < columns; ++c) {
        const bool row_ends = c + 1 == columns;
        steps.push_back(
            {.row = Wrapped(v.a_row + cb * v.a_cb + oh * v.a_oh + stream * v.a_kh + c * v.a_kw),
             .inside = InImage(v, v.y0 + oh * v.ys_oh + stream * std::int64_t{v.ys_kh},
                               v.x0 + c * v.xs_kw),
             .weight = false,
             .window_first = true,
             .window_last = true,
             .level = !row_ends         ? 2U
                      : oh + 1 < v.n_oh ? 3U
                                        : 4U});
      }
    }
  }
  return steps;
}

template <typename Model, int kNumber>
struct Stream {
  using Dut = tb::Dut<Model>;
  static constexpr int kStream = kNumber;

  static std::vector<Step> StepsOf(const Walk& walk) {
    // Stream 2 goes column by column in any case.
    return walk.columns || kStream == 2 ? ColumnsOf(walk.v, walk.n_column, kStream, walk.columns)
                                        : TapsOf(walk.v, kStream == 1);
  }
};

Walk DrawWalk(std::mt19937_64& rng) {
  const auto between = [&rng](std::int64_t lo, std::int64_t hi) {
    return lo + static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(hi - lo + 1));
  };
  Walk walk{
      .v = {}, .columns = rng() % 2 == 0, .n_column = static_cast<std::uint16_t>(between(1, 9))};
  isa::Vector& v = walk.v;
  v.map = rng() % 2 == 0 ? isa::VectorMap::kCopy : isa::VectorMap::kMultiply;
  for (auto* count : {&v.n_cb, &v.n_oh, &v.n_ow, &v.n_kh, &v.n_kw}) {
    *count = static_cast<std::uint32_t>(between(1, 4));
  }
  const bool far = rng() % 2 == 0;
  for (auto* stride :
       {&v.a_cb, &v.a_oh, &v.a_ow, &v.a_kh, &v.a_kw, &v.b_cb, &v.b_oh, &v.b_ow, &v.b_kh, &v.b_kw}) {
    *stride = static_cast<std::int32_t>(far ? between(-0x8000, 0x7FFF) : between(-40, 40));
  }
  for (auto* row : {&v.a_row, &v.b_row})
    *row = static_cast<std::int32_t>(between(-0x80000, 0x7FFFF));
  for (auto* step : {&v.ys_oh, &v.ys_kh, &v.xs_ow, &v.xs_kw}) {
    *step = static_cast<std::uint32_t>(far ? between(0, 255) : between(0, 3));
  }
  for (auto* origin : {&v.y0, &v.x0}) {
    *origin = static_cast<std::int32_t>(far ? between(-0x8000, 0x7FFF) : between(-6, 3));
  }
  for (auto* bound : {&v.y_bound, &v.x_bound}) {
    *bound = static_cast<std::uint32_t>(far ? between(0, 0xFFFF) : between(1, 10));
  }
  return walk;
}

template <typename S>
class VectorWalk : public ::testing::Test {};
using Streams = ::testing::Types<Stream<Vvector_walk_0, 0>, Stream<Vvector_walk_1, 1>,
                                 Stream<Vvector_walk_2, 2>>;
TYPED_TEST_SUITE(VectorWalk, Streams);

TYPED_TEST(VectorWalk, MatchesPlainLoops) {
  constexpr std::uint64_t kSeed = 9;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  std::mt19937_64 rng(kSeed);
  typename TypeParam::Dut dut(kSeed);
  const auto tick = [&](bool step, const Walk* load) {
    dut->step = step ? 1 : 0;
    dut->load = load != nullptr ? 1 : 0;
    // Without a load the instruction means nothing.
    const Walk walk = load != nullptr ? *load : DrawWalk(rng);
    std::vector<std::uint8_t> bytes;
    isa::Encode(walk.v, bytes);
    std::memcpy(static_cast<void*>(&dut->cmd), bytes.data(), sizeof(dut->cmd));
    dut->columns = walk.columns ? 1 : 0;
    dut->n_column = walk.n_column;
    dut.Tick();
  };

  Walk walk = DrawWalk(rng);
  tick(false, &walk);
  for (int n = 0; n < 400; ++n) {
    const Walk next = DrawWalk(rng);
    const std::vector<Step> steps = TypeParam::StepsOf(walk);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      while (rng() % 4 == 0) tick(false, nullptr);
      const Step& step = steps[i];
      const bool last = i + 1 == steps.size();
      ASSERT_EQ(dut->row, step.row) << "walk " << n << " step " << i;
      ASSERT_EQ(dut->inside != 0, step.inside) << "walk " << n << " step " << i;
      ASSERT_EQ(dut->weight != 0, step.weight) << "walk " << n << " step " << i;
      ASSERT_EQ(dut->window_first != 0, step.window_first) << "walk " << n << " step " << i;
      ASSERT_EQ(dut->window_last != 0, step.window_last) << "walk " << n << " step " << i;
      ASSERT_EQ(dut->last != 0, last) << "walk " << n << " step " << i;
      if (!last && !step.weight) {
        ASSERT_EQ(dut->level, step.level) << "walk " << n << " step " << i;
      }
      // The next walk comes with the last step, or later.
      const bool follow = last && rng() % 2 == 0;
      tick(true, follow ? &next : nullptr);
      if (last && !follow) tick(false, &next);
    }
    walk = next;
  }
}

}  // namespace
}  // namespace tpu::vector_test
