// SPDX-License-Identifier: Apache-2.0
// The unified buffer against a byte array: random requests on all ports, priorities, latency,
// unaligned windows.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <random>
#include <vector>

#include "VubN16.h"
#include "VubN4.h"
#include "VubN4Bf16.h"
#include "VubN8Bf16.h"
#include "tb/dut.h"

namespace tpu {
namespace {

template <typename Model>
struct Shape;
template <>
struct Shape<VubN4> {
  static constexpr std::uint32_t kN = 4, kRows = 128, kMmRows = 1;
};
template <>
struct Shape<VubN16> {
  static constexpr std::uint32_t kN = 16, kRows = 64, kMmRows = 1;
};
template <>
struct Shape<VubN4Bf16> {
  static constexpr std::uint32_t kN = 4, kRows = 128, kMmRows = 2;
};
template <>
struct Shape<VubN8Bf16> {
  static constexpr std::uint32_t kN = 8, kRows = 64, kMmRows = 2;
};

template <typename Model>
class UnifiedBufferTest : public testing::Test {};
using Models = testing::Types<VubN4, VubN16, VubN4Bf16, VubN8Bf16>;
TYPED_TEST_SUITE(UnifiedBufferTest, Models);

// One loop of all ports' requests, grants and data.
// NOLINTNEXTLINE(readability-function-size)
TYPED_TEST(UnifiedBufferTest, RandomTrafficMatchesAByteArray) {
  constexpr std::uint32_t kN = Shape<TypeParam>::kN;
  constexpr std::uint32_t kRows = Shape<TypeParam>::kRows;
  // Rows whose bytes a window may have
  constexpr std::uint32_t kMmRows = Shape<TypeParam>::kMmRows;
  constexpr bool kWeights = kMmRows == 2;
  using Row = std::vector<std::uint8_t>;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937_64 rng(seed);
    const auto uniform = [&rng](std::uint32_t bound) {
      return std::uniform_int_distribution<std::uint32_t>(0, bound - 1)(rng);
    };
    tb::Dut<TypeParam> dut(seed);
    dut->mm_rd_valid = dut->va_rd_valid = dut->vb_rd_valid = dut->vc_rd_valid = 0;
    dut->wt_rd_valid = dut->wt_rd_pair = dut->st_rd_valid = 0;
    dut->vo_wr_valid = dut->ld_wr_valid = 0;
    dut.Reset();

    std::vector<std::uint8_t> bytes(kRows * kN);
    // Fills the buffer through the load port.
    for (std::uint32_t row = 0; row < kRows; ++row) {
      for (std::uint32_t i = 0; i < kN; ++i)
        bytes[row * kN + i] = static_cast<std::uint8_t>(uniform(256));
      dut->ld_wr_valid = 1;
      dut->ld_wr_row = static_cast<std::uint8_t>(row);
      std::memcpy(&dut->ld_wr_data, &bytes[row * kN], kN);
      dut.Tick();
    }
    dut->ld_wr_valid = 0;

    // Expected read data by port, three cycles ahead; empty where nothing was granted.
    enum Port { kMm, kVa, kVb, kVc, kWt, kSt, kVo, kLd };
    std::array<std::deque<std::optional<Row>>, 6> expected;
    for (auto& queue : expected) queue.assign(3, std::nullopt);
    // What a port shows: the row read last, until the next one.
    std::array<std::optional<Row>, 6> shown{};
    std::array<int, 8> grants{};

    for (int cycle = 0; cycle < 3000; ++cycle) {
      const std::array<const void*, 6> data = {&dut->mm_rd_data, &dut->va_rd_data,
                                               &dut->vb_rd_data, &dut->vc_rd_data,
                                               &dut->wt_rd_data, &dut->st_rd_data};
      for (std::size_t port = 0; port < data.size(); ++port) {
        if (expected[port].front()) shown[port] = expected[port].front();
        if (shown[port]) {
          ASSERT_EQ(std::memcmp(data[port], shown[port]->data(), shown[port]->size()), 0)
              << "port " << port << " cycle " << cycle;
        }
        expected[port].pop_front();
      }
      // Windows may start on any byte; the last must not run over the end. Writes avoid rows being
      // read.
      dut->mm_rd_valid = uniform(2) == 0;
      const std::uint32_t mm_bytes = kN * (1 + uniform(kMmRows));
      dut->mm_rd_addr = static_cast<std::uint16_t>(uniform(kRows * kN - mm_bytes + 1));
      if (uniform(4) == 0) dut->mm_rd_addr = dut->mm_rd_addr / kN * kN;
      dut->mm_rd_banks = 0;
      for (std::uint32_t i = 0; i < mm_bytes; ++i) {
        dut->mm_rd_banks |= static_cast<std::uint8_t>(1U << ((dut->mm_rd_addr + i) / kN % 4));
      }
      dut->va_rd_valid = uniform(2) == 0;
      dut->va_rd_row = static_cast<std::uint8_t>(uniform(kRows));
      dut->vb_rd_valid = uniform(2) == 0;
      dut->vb_rd_row = static_cast<std::uint8_t>(uniform(kRows));
      dut->vc_rd_valid = uniform(2) == 0;
      dut->vc_rd_row = static_cast<std::uint8_t>(uniform(kRows));
      dut->wt_rd_valid = uniform(2) == 0;
      dut->wt_rd_pair = uniform(2) == 0;
      const std::uint32_t wt_rows = dut->wt_rd_pair ? 2 : 1;
      dut->wt_rd_row = static_cast<std::uint8_t>(uniform(kRows - wt_rows + 1));
      dut->st_rd_valid = uniform(2) == 0;
      dut->st_rd_row = static_cast<std::uint8_t>(uniform(kRows));
      const auto is_read = [&](std::uint32_t row) {
        return row == dut->va_rd_row || row == dut->vb_rd_row || row == dut->vc_rd_row ||
               (row >= dut->wt_rd_row && row < dut->wt_rd_row + wt_rows) || row == dut->st_rd_row ||
               (row >= dut->mm_rd_addr / kN && row <= (dut->mm_rd_addr + mm_bytes - 1) / kN);
      };
      const std::uint32_t vo_row = uniform(kRows);
      const std::uint32_t ld_row = uniform(kRows);
      dut->vo_wr_valid = uniform(2) == 0 && !is_read(vo_row);
      dut->vo_wr_row = static_cast<std::uint8_t>(vo_row);
      dut->ld_wr_valid = uniform(2) == 0 && !is_read(ld_row);
      dut->ld_wr_row = static_cast<std::uint8_t>(ld_row);
      Row vo_data(kN);
      Row ld_data(kN);
      for (auto& b : vo_data) b = static_cast<std::uint8_t>(uniform(256));
      for (auto& b : ld_data) b = static_cast<std::uint8_t>(uniform(256));
      std::memcpy(&dut->vo_wr_data, vo_data.data(), kN);
      std::memcpy(&dut->ld_wr_data, ld_data.data(), kN);
      dut.Eval();

      // Banks taken by ports of higher priority, as docs/architecture.md section 3 promises.
      std::array<bool, 4> taken{};
      if (dut->mm_rd_valid) {
        for (std::uint32_t i = 0; i < mm_bytes; ++i) taken[(dut->mm_rd_addr + i) / kN % 4] = true;
      }
      // A port that waits for one of two banks keeps the ports behind it from both.
      const auto read = [&](std::size_t port, bool valid, bool ready, std::uint32_t row,
                            std::uint32_t rows = 1) {
        std::optional<Row> result;
        if (valid) {
          EXPECT_EQ(ready, !taken[row % 4] && !taken[(row + rows - 1) % 4]) << "port " << port;
          taken[row % 4] = taken[(row + rows - 1) % 4] = true;
          if (ready) {
            result.emplace(&bytes[row * kN], &bytes[row * kN] + rows * kN);
            ++grants[port];
          }
        }
        expected[port].push_back(result);
      };
      std::optional<Row> window;
      if (dut->mm_rd_valid) {
        window.emplace(&bytes[dut->mm_rd_addr], &bytes[dut->mm_rd_addr] + mm_bytes);
        ++grants[kMm];
      }
      expected[kMm].push_back(window);
      read(kVa, dut->va_rd_valid, dut->va_rd_ready, dut->va_rd_row);
      read(kVb, dut->vb_rd_valid, dut->vb_rd_ready, dut->vb_rd_row);
      read(kVc, dut->vc_rd_valid, dut->vc_rd_ready, dut->vc_rd_row);
      // Only machines with bf16 read weights here; on others the port disturbs nobody.
      read(kWt, kWeights && dut->wt_rd_valid, dut->wt_rd_ready, dut->wt_rd_row, wt_rows);
      read(kSt, dut->st_rd_valid, dut->st_rd_ready, dut->st_rd_row);

      if (dut->vo_wr_valid) {
        std::memcpy(&bytes[vo_row * kN], vo_data.data(), kN);
        ++grants[kVo];
      }
      if (dut->ld_wr_valid) {
        EXPECT_EQ(dut->ld_wr_ready, !(dut->vo_wr_valid && vo_row % 4 == ld_row % 4));
        if (dut->ld_wr_ready) {
          std::memcpy(&bytes[ld_row * kN], ld_data.data(), kN);
          ++grants[kLd];
        }
      }
      dut.Tick();
    }
    if (!kWeights) grants[kWt] = grants[kSt];
    for (const int count : grants) EXPECT_GT(count, 200);
  }
}

// A read that meets a reset is forgotten: its port goes on showing what it showed.
TYPED_TEST(UnifiedBufferTest, AResetForgetsReads) {
  constexpr std::uint32_t kN = Shape<TypeParam>::kN;
  tb::Dut<TypeParam> dut(1);
  const auto read = [&dut](bool valid, std::uint32_t row) {
    dut->mm_rd_valid = dut->va_rd_valid = dut->vb_rd_valid = dut->vc_rd_valid = valid ? 1 : 0;
    dut->wt_rd_valid = dut->st_rd_valid = valid ? 1 : 0;
    dut->wt_rd_pair = 0;
    dut->mm_rd_addr = static_cast<std::uint16_t>(row * kN);
    dut->mm_rd_banks = static_cast<std::uint8_t>(1U << (row % 4));
    dut->va_rd_row = dut->wt_rd_row = dut->st_rd_row = static_cast<std::uint8_t>(row + 1);
    dut->vb_rd_row = static_cast<std::uint8_t>(row + 2);
    dut->vc_rd_row = static_cast<std::uint8_t>(row + 3);
  };
  const auto shown = [&dut] {
    std::vector<std::uint8_t> bytes;
    const auto add = [&bytes](const auto& port) {
      const auto* const begin = reinterpret_cast<const std::uint8_t*>(&port);
      bytes.insert(bytes.end(), begin, begin + sizeof port);
    };
    add(dut->mm_rd_data), add(dut->va_rd_data), add(dut->vb_rd_data), add(dut->vc_rd_data);
    add(dut->wt_rd_data), add(dut->st_rd_data);
    return bytes;
  };
  read(false, 0);
  dut->vo_wr_valid = dut->ld_wr_valid = 0;
  dut.Reset();
  for (std::uint32_t row = 0; row < 32; ++row) {
    const std::vector<std::uint8_t> bytes(kN, static_cast<std::uint8_t>(7 * row + 1));
    dut->ld_wr_valid = 1;
    dut->ld_wr_row = static_cast<std::uint8_t>(row);
    std::memcpy(&dut->ld_wr_data, bytes.data(), kN);
    dut.Tick();
  }
  dut->ld_wr_valid = 0;
  for (std::uint32_t row = 0; row < 24; row += 5) {
    // WEIGHTS and STORE want the bank of the first stream, which goes before them.
    enum Reader { kStream, kWeights, kStore };
    for (const Reader reader : {kStream, kWeights, kStore}) {
      const auto ask = [&](std::uint32_t from) {
        read(true, from);
        dut->va_rd_valid = reader == kStream ? 1 : 0;
        dut->wt_rd_valid = reader == kWeights ? 1 : 0;
        dut->st_rd_valid = reader == kStore ? 1 : 0;
      };
      ask(row);
      dut.Tick();
      read(false, row);
      for (int i = 0; i < 3; ++i) dut.Tick();
      const std::vector<std::uint8_t> before = shown();
      ask(row + 4);
      dut.Reset(1);
      read(false, row + 4);
      for (int i = 0; i < 4; ++i) {
        ASSERT_EQ(shown(), before) << "row " << row << ", " << i << " cycles after the reset";
        dut.Tick();
      }
    }
  }
}

}  // namespace
}  // namespace tpu
