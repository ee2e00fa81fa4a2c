// SPDX-License-Identifier: Apache-2.0
// tpu_window alone: which lanes lie inside the image, and errors of those that lie outside the
// buffer.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>

#include "VwindowN16.h"
#include "VwindowN4.h"
#include "VwindowN8Bf16.h"
#include "tb/dut.h"

namespace tpu {
namespace {

struct Window {
  std::int32_t addr;
  std::int32_t y;
  std::int32_t x;
  std::int32_t y_bound;
  std::int32_t x_bound;
  std::uint8_t zero_point;
  bool bf16;
};

struct Expected {
  std::uint32_t mask = 0;
  bool error = false;
};

/// Lane k has column x + k of the image and number addr + k of the buffer; both may be negative.
Expected Lanes(const Window& w, int n, std::int64_t bytes) {
  const std::int64_t numbers = w.bf16 ? bytes / 2 : bytes;
  Expected expected;
  for (int k = 0; k < n; ++k) {
    const bool inside = w.y >= 0 && w.y < w.y_bound && w.x + k >= 0 && w.x + k < w.x_bound;
    if (!inside) continue;
    expected.mask |= 1U << k;
    expected.error |= w.addr + k < 0 || w.addr + k >= numbers;
  }
  return expected;
}

template <typename Model, int kLanes, std::int32_t kRows, bool kFormats = false>
struct WindowShape {
  using Dut = tb::Dut<Model>;
  static constexpr int kN = kLanes;
  static constexpr std::int32_t kBytes = kLanes * kRows;
  static constexpr bool kBf16 = kFormats;
};

template <typename S>
class WindowTest : public ::testing::Test {};
using Shapes = ::testing::Types<WindowShape<VwindowN4, 4, 64>, WindowShape<VwindowN16, 16, 128>,
                                WindowShape<VwindowN8Bf16, 8, 64, true>>;
TYPED_TEST_SUITE(WindowTest, Shapes);

template <typename S>
Window DrawWindow(std::mt19937_64& rng) {
  const auto near = [&rng](std::int32_t middle, std::int32_t radius) {
    return middle - radius +
           static_cast<std::int32_t>(rng() % static_cast<unsigned>(2 * radius + 1));
  };
  // Coordinates have 20 bits, bounds 16, addresses 26.
  constexpr std::int32_t kFar = (1 << 19) - 1;
  constexpr std::int32_t kFarAddr = (1 << 25) - 1 - S::kN;
  const std::int32_t bound = static_cast<std::int32_t>(rng() % (rng() % 2 == 0 ? 0x10000 : 40));
  const bool bf16 = S::kBf16 && rng() % 2 == 0;
  const std::int32_t numbers = bf16 ? S::kBytes / 2 : S::kBytes;
  Window w = {.addr = near(rng() % 2 == 0 ? 0 : numbers, 2 * S::kN),
              .y = near(rng() % 2 == 0 ? 0 : bound, 2),
              .x = near(rng() % 2 == 0 ? 0 : bound, 2 * S::kN),
              .y_bound = bound,
              .x_bound = bound,
              .zero_point = static_cast<std::uint8_t>(rng()),
              .bf16 = bf16};
  if (rng() % 2 == 0) w.y = bound / 2;
  if (rng() % 8 == 0) w.x_bound = near(S::kN, S::kN);
  if (rng() % 8 == 0) w.addr = near(0, kFarAddr);
  if (rng() % 16 == 0) w.y = near(0, kFar);
  if (rng() % 16 == 0) w.x = near(0, kFar);
  return w;
}

// Shows a window at the inputs.
template <typename Dut>
void Give(Dut& dut, const Window& w) {
  dut->in_wide = w.bf16 ? 1 : 0;
  dut->in_addr = static_cast<std::uint32_t>(w.addr) & 0x3FFFFFF;
  dut->in_y = static_cast<std::uint32_t>(w.y) & 0xFFFFF;
  dut->in_x = static_cast<std::uint32_t>(w.x) & 0xFFFFF;
  dut->in_y_bound = static_cast<std::uint16_t>(w.y_bound);
  dut->in_x_bound = static_cast<std::uint16_t>(w.x_bound);
  dut->in_zero_point = w.zero_point;
}

TYPED_TEST(WindowTest, MatchesEachLanesPlace) {
  constexpr std::uint64_t kSeed = 7;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  std::mt19937_64 rng(kSeed);
  typename TypeParam::Dut dut(kSeed);
  dut->in_valid = 0;
  dut.Reset();
  // What the cycles t-1 to t-3 were given.
  std::array<Window, 3> windows{};
  std::array<bool, 3> valid{};
  for (int cycle = 0; cycle < 100000; ++cycle) {
    const Window w = DrawWindow<TypeParam>(rng);
    dut->in_valid = rng() % 8 != 0 ? 1 : 0;
    Give(dut, w);
    dut.Eval();
    const Window& before = windows[0];
    ASSERT_EQ(dut->out_pad != 0,
              valid[0] && Lanes(before, TypeParam::kN, TypeParam::kBytes).mask == 0)
        << fmt::format("y {} of {}, x {} of {}", before.y, before.y_bound, before.x,
                       before.x_bound);
    const Window& checked = windows[1];
    ASSERT_EQ(dut->out_error != 0,
              valid[1] && Lanes(checked, TypeParam::kN, TypeParam::kBytes).error)
        << fmt::format("addr {}, y {} of {}, x {} of {}", checked.addr, checked.y, checked.y_bound,
                       checked.x, checked.x_bound);
    const Window& out = windows[2];
    if (valid[2]) {
      ASSERT_EQ(dut->out_mask, Lanes(out, TypeParam::kN, TypeParam::kBytes).mask)
          << fmt::format("y {} of {}, x {} of {}", out.y, out.y_bound, out.x, out.x_bound);
      ASSERT_EQ(dut->out_zero_point, out.zero_point);
    }
    windows = {w, windows[0], windows[1]};
    valid = {dut->in_valid != 0, valid[0], valid[1]};
    dut.Tick();
  }
}

// A window whose way a reset ends does not arrive; the lanes of the last one stay.
TYPED_TEST(WindowTest, KeepsTheLastLanesInAReset) {
  constexpr std::uint64_t kSeed = 8;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  std::mt19937_64 rng(kSeed);
  typename TypeParam::Dut dut(kSeed);
  dut->in_valid = 0;
  dut.Reset();
  const auto give = [&] {
    const Window w = DrawWindow<TypeParam>(rng);
    dut->in_valid = 1;
    Give(dut, w);
    dut.Tick();
    dut->in_valid = 0;
    return w;
  };
  for (int round = 0; round < 400; ++round) {
    const Window kept = give();
    dut.Tick();
    dut.Tick();
    give();
    dut->rst = 1;
    dut.Tick();
    dut->rst = 0;
    for (int cycle = 0; cycle < 4; ++cycle) {
      ASSERT_EQ(dut->out_mask, Lanes(kept, TypeParam::kN, TypeParam::kBytes).mask) << round;
      ASSERT_EQ(dut->out_zero_point, kept.zero_point) << round;
      dut.Tick();
    }
  }
}

TYPED_TEST(WindowTest, ForgetsEverythingAtOneEdgeInReset) {
  typename TypeParam::Dut dut;
  dut->in_valid = 1;
  dut->in_wide = 0;
  dut->in_addr = TypeParam::kBytes;
  dut->in_y = dut->in_x = 0;
  dut->in_y_bound = dut->in_x_bound = 1;
  dut->rst = 0;
  for (int i = 0; i < 3; ++i) dut.Tick();
  ASSERT_EQ(dut->out_error, 1);
  dut.Reset(1);
  EXPECT_EQ(dut->out_error, 0);
  dut->in_valid = 0;
  dut.Tick();
  EXPECT_EQ(dut->out_error, 0);
}

}  // namespace
}  // namespace tpu
