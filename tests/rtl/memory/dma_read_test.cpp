// SPDX-License-Identifier: Apache-2.0
// tpu_dma_read alone: an error of the address range stands as long as the transfer does.
#include <gtest/gtest.h>

#include <cstdint>

#include "Vtpu_dma_read.h"
#include "tb/dut.h"

namespace tpu {
namespace {

TEST(DmaRead, AResetTakesBackAnErrorOfTheAddressRange) {
  tb::Dut<Vtpu_dma_read> dut(1);
  dut->cmd_valid = dut->stop = dut->ar_ready = dut->r_valid = dut->out_ready = 0;
  dut.Reset();
  EXPECT_EQ(dut->out_range_error, 0);
  dut->cmd_valid = 1;
  dut->cmd_addr = std::uint64_t{1} << 32;
  dut->cmd_span = 7;
  dut->cmd_more = 0;
  dut->cmd_stride = 0;
  dut.Tick();
  dut->cmd_valid = 0;
  for (int cycle = 0; dut->out_range_error == 0; ++cycle) {
    ASSERT_LT(cycle, 20);
    ASSERT_EQ(dut->ar_valid, 0);
    dut.Tick();
  }
  EXPECT_EQ(dut->out_valid, 1);
  dut.Reset(1);
  for (int cycle = 0; cycle < 10; ++cycle) {
    EXPECT_EQ(dut->out_valid, 0);
    EXPECT_EQ(dut->out_range_error, 0);
    dut.Tick();
  }
}

}  // namespace
}  // namespace tpu
