// SPDX-License-Identifier: Apache-2.0
// A device whose answers a test chooses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/error.h"
#include "isa/hardware_config.h"
#include "isa/registers.h"
#include "runtime/device.h"

namespace tpu::runtime {

/// Registers read what they were set to; a start raises the interrupt `cycles_to_end` cycles later.
class FakeDevice : public Device {
 public:
  explicit FakeDevice(const isa::HardwareConfig& config) {
    using isa::Register;
    Set(Register::kId, isa::kIdValue);
    Set(Register::kVersion, isa::kVersionValue);
    Set(Register::kConfigN, config.n);
    Set(Register::kConfigUbRows, config.ub_rows);
    Set(Register::kConfigAccRows, config.acc_rows);
    Set(Register::kConfigParamRows, config.param_rows);
    Set(Register::kConfigLutTables, config.lut_tables);
    Set(Register::kConfigFifoTiles, config.fifo_tiles);
    Set(Register::kConfigAxiData, config.axi_data_width);
    Set(Register::kConfigAxiAddr, config.axi_addr_width);
    Set(Register::kConfigUbBanks, config.ub_banks);
    Set(Register::kConfigWindow, config.window);
    Set(Register::kConfigRequantLanes, config.requant_lanes);
    Set(Register::kConfigBf16, config.bf16);
    Set(Register::kConfigInt16, config.int16);
    Set(Register::kConfigFloatRounding, config.float_rounding);
  }

  void Set(isa::Register reg, std::uint32_t value) {
    registers[static_cast<std::uint32_t>(reg)] = value;
  }
  std::uint32_t Get(isa::Register reg) { return registers[static_cast<std::uint32_t>(reg)]; }
  void SetCounter(isa::Counter counter, std::uint64_t value) {
    const std::uint32_t offset = isa::kCounterBase + 8 * static_cast<std::uint32_t>(counter);
    registers[offset] = static_cast<std::uint32_t>(value);
    registers[offset + 4] = static_cast<std::uint32_t>(value >> 32);
  }

  void ReserveMemory(std::uint64_t bytes) override { memory.resize(bytes); }
  void WriteMemory(std::uint64_t address, std::span<const std::uint8_t> bytes) override {
    std::ranges::copy(bytes, memory.begin() + static_cast<std::ptrdiff_t>(address));
  }
  void ReadMemory(std::uint64_t address, std::span<std::uint8_t> bytes) override {
    std::copy_n(memory.begin() + static_cast<std::ptrdiff_t>(address), bytes.size(), bytes.begin());
  }
  std::uint32_t ReadRegister(std::uint32_t offset) override { return registers[offset]; }
  void WriteRegister(std::uint32_t offset, std::uint32_t value) override {
    registers[offset] = value;
  }
  bool WaitForInterrupt(std::uint64_t max_cycles) override {
    const std::uint64_t step = std::min(max_cycles, cycles_to_end);
    cycles_to_end -= step;
    return cycles_to_end == 0;
  }

  std::map<std::uint32_t, std::uint32_t> registers;
  std::vector<std::uint8_t> memory;
  std::uint64_t cycles_to_end = 1;
};

}  // namespace tpu::runtime
