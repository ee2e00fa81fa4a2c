// SPDX-License-Identifier: Apache-2.0
#include "runtime/config.h"

#include "base/error.h"

namespace tpu::runtime {
namespace {

constexpr std::uint32_t Major(std::uint32_t version) { return version >> 16; }
constexpr std::uint32_t Minor(std::uint32_t version) { return version & 0xFFFF; }

void RequireSame(const char* parameter, std::uint32_t wanted, std::uint32_t found) {
  if (wanted == found) return;
  throw Error::Format(
      "the program was compiled for {} = {} but the device has {}; compile it for this device",
      parameter, wanted, found);
}

}  // namespace

isa::HardwareConfig ReadConfig(Device& device) {
  using isa::Register;
  const std::uint32_t id = ReadRegister(device, Register::kId);
  if (id != isa::kIdValue) {
    throw Error::Format("the device is not a TPU: its ID register reads 0x{:08x}, not 0x{:08x}", id,
                        isa::kIdValue);
  }
  const std::uint32_t version = ReadRegister(device, Register::kVersion);
  // A minor version adds to those before it.
  if (Major(version) != Major(isa::kVersionValue) || version < isa::kVersionValue) {
    throw Error::Format(
        "the device has interface version {}.{}, this software knows {}.{} and later {}.x; update "
        "one of them",
        Major(version), Minor(version), Major(isa::kVersionValue), Minor(isa::kVersionValue),
        Major(isa::kVersionValue));
  }
  isa::HardwareConfig config;
  config.n = ReadRegister(device, Register::kConfigN);
  config.ub_rows = ReadRegister(device, Register::kConfigUbRows);
  config.acc_rows = ReadRegister(device, Register::kConfigAccRows);
  config.param_rows = ReadRegister(device, Register::kConfigParamRows);
  config.lut_tables = ReadRegister(device, Register::kConfigLutTables);
  config.fifo_tiles = ReadRegister(device, Register::kConfigFifoTiles);
  config.axi_data_width = ReadRegister(device, Register::kConfigAxiData);
  config.axi_addr_width = ReadRegister(device, Register::kConfigAxiAddr);
  config.ub_banks = ReadRegister(device, Register::kConfigUbBanks);
  config.window = ReadRegister(device, Register::kConfigWindow);
  config.requant_lanes = ReadRegister(device, Register::kConfigRequantLanes);
  config.bf16 = ReadRegister(device, Register::kConfigBf16);
  config.int16 = ReadRegister(device, Register::kConfigInt16);
  config.float_rounding = ReadRegister(device, Register::kConfigFloatRounding);
  return config;
}

void RequireConfig(const isa::HardwareConfig& wanted, const isa::HardwareConfig& found) {
  RequireSame("N", wanted.n, found.n);
  RequireSame("UB_ROWS", wanted.ub_rows, found.ub_rows);
  RequireSame("ACC_ROWS", wanted.acc_rows, found.acc_rows);
  RequireSame("PARAM_ROWS", wanted.param_rows, found.param_rows);
  RequireSame("LUT_TABLES", wanted.lut_tables, found.lut_tables);
  RequireSame("WFIFO_TILES", wanted.fifo_tiles, found.fifo_tiles);
  RequireSame("AXI_DATA_WIDTH", wanted.axi_data_width, found.axi_data_width);
  RequireSame("AXI_ADDR_WIDTH", wanted.axi_addr_width, found.axi_addr_width);
  RequireSame("UB_BANKS", wanted.ub_banks, found.ub_banks);
  RequireSame("WINDOW", wanted.window, found.window);
  RequireSame("REQUANT_LANES", wanted.requant_lanes, found.requant_lanes);
  RequireSame("BF16", wanted.bf16, found.bf16);
  RequireSame("INT16", wanted.int16, found.int16);
  RequireSame("FLOAT_ROUNDING", wanted.float_rounding, found.float_rounding);
}

void SoftReset(Device& device) {
  constexpr int kPolls = 100'000;
  WriteRegister(device, isa::Register::kControl, isa::bits::kControl_::soft_reset);
  for (int poll = 0; poll < kPolls; ++poll) {
    const std::uint32_t status = ReadRegister(device, isa::Register::kStatus);
    if ((status & (isa::bits::kStatus_::busy | isa::bits::kStatus_::stopping)) == 0) return;
  }
  throw Error::Format(
      "the device is still busy {} status reads after a soft reset: the memory does not answer its "
      "outstanding transactions; reset the board",
      kPolls);
}

}  // namespace tpu::runtime
