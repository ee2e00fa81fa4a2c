// SPDX-License-Identifier: Apache-2.0
#include "devices/golden/golden_device.h"

#include <algorithm>

#include "base/error.h"
#include "isa/instruction.h"
#include "isa/registers.h"

namespace tpu::devices {

using isa::Register;

GoldenDevice::GoldenDevice(const isa::HardwareConfig& config)
    : config_(config), machine_(config, memory_) {}

void GoldenDevice::ReserveMemory(std::uint64_t bytes) {
  if (bytes > memory_.size()) memory_.resize(bytes);
}

void GoldenDevice::WriteMemory(std::uint64_t address, std::span<const std::uint8_t> bytes) {
  std::ranges::copy(bytes, Memory(address, bytes.size()).begin());
}

void GoldenDevice::ReadMemory(std::uint64_t address, std::span<std::uint8_t> bytes) {
  std::ranges::copy(Memory(address, bytes.size()), bytes.begin());
}

std::span<std::uint8_t> GoldenDevice::Memory(std::uint64_t address, std::size_t bytes) {
  if (address > memory_.size() || bytes > memory_.size() - address) {
    throw Error::Format("{} bytes at 0x{:x} are outside the {} bytes of reserved memory", bytes,
                        address, memory_.size());
  }
  return std::span(memory_).subspan(address, bytes);
}

std::uint32_t GoldenDevice::ReadRegister(std::uint32_t offset) {
  switch (static_cast<Register>(offset)) {
    case Register::kId:
      return isa::kIdValue;
    case Register::kVersion:
      return isa::kVersionValue;
    case Register::kControl:
      return irq_enable_ ? isa::bits::kControl_::irq_enable : 0;
    case Register::kStatus:
      return Status();
    case Register::kError:
      return static_cast<std::uint32_t>(result_.error) << isa::bits::kError_::code_lsb |
             static_cast<std::uint32_t>(result_.unit) << isa::bits::kError_::unit_lsb;
    case Register::kErrorIndex:
      return result_.instruction;
    case Register::kProgAddrLo:
      return prog_addr_lo_;
    case Register::kProgAddrHi:
      return prog_addr_hi_;
    case Register::kProgGranules:
      return prog_granules_;
    case Register::kWatchdog:
      return watchdog_;
    default:
      return ReadConfigRegister(offset);
  }
}

std::uint32_t GoldenDevice::ReadConfigRegister(std::uint32_t offset) const {
  switch (static_cast<Register>(offset)) {
    case Register::kConfigN:
      return config_.n;
    case Register::kConfigUbRows:
      return config_.ub_rows;
    case Register::kConfigAccRows:
      return config_.acc_rows;
    case Register::kConfigParamRows:
      return config_.param_rows;
    case Register::kConfigLutTables:
      return config_.lut_tables;
    case Register::kConfigFifoTiles:
      return config_.fifo_tiles;
    case Register::kConfigAxiData:
      return config_.axi_data_width;
    case Register::kConfigAxiAddr:
      return config_.axi_addr_width;
    case Register::kConfigUbBanks:
      return config_.ub_banks;
    case Register::kConfigWindow:
      return config_.window;
    case Register::kConfigRequantLanes:
      return config_.requant_lanes;
    case Register::kConfigBf16:
      return config_.bf16;
    case Register::kConfigInt16:
      return config_.int16;
    case Register::kConfigFloatRounding:
      return config_.float_rounding;
    default:
      return 0;
  }
}

std::uint32_t GoldenDevice::Status() const {
  namespace status = isa::bits::kStatus_;
  const bool error = result_.error != isa::ErrorCode::kNone;
  return (done_ ? status::done : 0) | (error ? status::error : 0) |
         (irq_pending_ ? status::irq : 0);
}

void GoldenDevice::WriteRegister(std::uint32_t offset, std::uint32_t value) {
  switch (static_cast<Register>(offset)) {
    case Register::kControl:
      Control(value);
      break;
    case Register::kIrqClear:
      irq_pending_ = irq_pending_ && (value & 1) == 0;
      break;
    case Register::kProgAddrLo:
      prog_addr_lo_ = value;
      break;
    case Register::kProgAddrHi:
      prog_addr_hi_ = value;
      break;
    case Register::kProgGranules:
      prog_granules_ = value;
      break;
    case Register::kWatchdog:
      watchdog_ = value;
      break;
    default:
      break;
  }
}

bool GoldenDevice::WaitForInterrupt(std::uint64_t /*max_cycles*/) {
  return irq_enable_ && irq_pending_;
}

void GoldenDevice::Control(std::uint32_t value) {
  namespace control = isa::bits::kControl_;
  irq_enable_ = (value & control::irq_enable) != 0;
  if ((value & control::soft_reset) != 0) {
    result_ = {};
    done_ = false;
    irq_pending_ = false;
  } else if ((value & control::start) != 0) {
    Start();
  }
}

void GoldenDevice::Start() {
  const std::uint64_t address = prog_addr_lo_ | std::uint64_t{prog_addr_hi_} << 32;
  if (address % isa::kGranuleBytes != 0) {
    golden::RunResult result;
    result.error = isa::ErrorCode::kAddrRange;
    End(result);
  } else {
    End(machine_.Run(address, prog_granules_));
  }
}

void GoldenDevice::End(const golden::RunResult& result) {
  result_ = result;
  done_ = result.error == isa::ErrorCode::kNone;
  irq_pending_ = true;
}

DeviceKind GoldenKind() {
  return {
      .name = "golden",
      .description = "the model of the machine, without time",
      .abilities = {},
      .machines = {},
      .make = [](const HardwareConfig& config, const DeviceOptions&) -> std::unique_ptr<Device> {
        return std::make_unique<GoldenDevice>(config);
      }};
}

}  // namespace tpu::devices
