// SPDX-License-Identifier: Apache-2.0
// What LOAD and STORE know about a transfer before it begins (tpu_dma_command), against a product
// in 128 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <random>

#include "Vdma_command_32.h"
#include "Vdma_command_40.h"
#include "tb/dut.h"

namespace tpu {
namespace {

template <typename M, unsigned kBits>
struct CommandOf {
  using Model = M;
  static constexpr unsigned kAddrWidth = kBits;
};

struct Instruction {
  std::uint64_t addr;
  std::uint32_t row_bytes;
  std::uint32_t rows;
  std::uint32_t stride;
  std::uint32_t rest;
};

// Often products of rows and bytes around the end of the address space.
Instruction DrawInstruction(std::mt19937_64& rng, unsigned addr_width) {
  const auto draw = [&rng](std::uint64_t below) { return rng() % below; };
  const auto number = [&](unsigned bits) {
    const std::uint64_t power = std::uint64_t{1} << bits;
    const std::uint64_t n = draw(3) == 0 ? power + draw(3) - 1 : 1 + draw(power);
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(n, 1, 0xFFFFFFFF));
  };
  const auto bits = static_cast<unsigned>(draw(33));
  const unsigned others = draw(2) == 0 ? addr_width - bits : static_cast<unsigned>(draw(33));
  Instruction i = {.addr = rng() >> draw(64),
                   .row_bytes = number(bits),
                   .rows = number(std::min(others, 32U)),
                   .stride = static_cast<std::uint32_t>(rng()),
                   .rest = static_cast<std::uint32_t>(rng())};
  if (draw(3) == 0) i.stride = i.row_bytes;
  return i;
}

template <typename C>
class DmaCommand : public testing::Test {};
using Commands = testing::Types<CommandOf<Vdma_command_32, 32>, CommandOf<Vdma_command_40, 40>>;
TYPED_TEST_SUITE(DmaCommand, Commands);

TYPED_TEST(DmaCommand, GivesTheLengthAfterABitOfRowsPerCycle) {
  constexpr std::uint64_t kSeed = 7;
  constexpr unsigned kBits = TypeParam::kAddrWidth;
  constexpr std::uint64_t kTop = std::uint64_t{1} << kBits;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  std::mt19937_64 rng(kSeed);
  tb::Dut<typename TypeParam::Model> dut(kSeed);
  dut->cmd_valid = dut->out_ready = dut->stop = 0;
  dut.Reset();
  std::optional<Instruction> inside;
  int wait = 0;
  for (int cycle = 0; cycle < 60000; ++cycle) {
    const Instruction next = DrawInstruction(rng, kBits);
    dut->cmd_valid = rng() % 4 != 0;
    dut->cmd_addr = next.addr;
    dut->cmd_row_bytes = next.row_bytes;
    dut->cmd_rows = next.rows;
    dut->cmd_stride = next.stride;
    dut->cmd_rest = next.rest;
    dut->out_ready = rng() % 2;
    dut->stop = rng() % 8 == 0;
    dut.Eval();
    ASSERT_EQ(dut->busy != 0, inside.has_value()) << "cycle " << cycle;
    ASSERT_EQ(dut->cmd_ready != 0, !inside && !dut->stop) << "cycle " << cycle;
    ASSERT_EQ(dut->out_valid != 0, inside && wait == 0 && !dut->stop) << "cycle " << cycle;
    if (dut->out_valid) {
      const unsigned __int128 length =
          static_cast<unsigned __int128>(inside->rows) * inside->row_bytes - 1;
      const bool contiguous = inside->stride == inside->row_bytes;
      const bool too_long = length >> kBits != 0;
      ASSERT_EQ(dut->out_length >> kBits, too_long ? 1U : 0U) << "cycle " << cycle;
      if (!too_long) {
        ASSERT_EQ(dut->out_length, static_cast<std::uint64_t>(length)) << "cycle " << cycle;
      }
      ASSERT_EQ(dut->out_addr >> kBits,
                inside->addr >= kTop || (too_long && !contiguous) ? 1U : 0U);
      ASSERT_EQ(dut->out_addr % kTop, inside->addr % kTop);
      ASSERT_EQ(dut->out_span, contiguous ? dut->out_length : inside->row_bytes - 1);
      ASSERT_EQ(dut->out_more, contiguous ? 0 : inside->rows - 1);
      ASSERT_EQ(dut->out_stride, inside->stride);
      ASSERT_EQ(dut->out_rest, inside->rest);
    }
    const bool given = dut->out_valid && dut->out_ready;
    if (wait > 0) --wait;
    if (dut->cmd_valid && dut->cmd_ready) {
      inside = next;
      wait = static_cast<int>(std::bit_width(next.rows - 1));
    } else if (given) {
      inside.reset();
    }
    dut.Tick();
  }
}

}  // namespace
}  // namespace tpu
