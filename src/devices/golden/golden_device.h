// SPDX-License-Identifier: Apache-2.0
// The golden model as a device.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "golden/machine.h"
#include "isa/hardware_config.h"
#include "runtime/device.h"
#include "tpu/device.h"

namespace tpu::devices {

/// Registers behave as docs/registers_tables.md says, but the machine has no time: a start runs the
/// program to its end before WriteRegister returns, and all counters read 0.
class GoldenDevice final : public runtime::Device {
 public:
  /// Throws tpu::Error when no machine has this configuration.
  explicit GoldenDevice(const isa::HardwareConfig& config);

  void ReserveMemory(std::uint64_t bytes) override;
  void WriteMemory(std::uint64_t address, std::span<const std::uint8_t> bytes) override;
  void ReadMemory(std::uint64_t address, std::span<std::uint8_t> bytes) override;
  std::uint32_t ReadRegister(std::uint32_t offset) override;
  void WriteRegister(std::uint32_t offset, std::uint32_t value) override;
  bool WaitForInterrupt(std::uint64_t max_cycles) override;

 private:
  void Control(std::uint32_t value);
  void Start();
  void End(const golden::RunResult& result);
  [[nodiscard]] std::uint32_t Status() const;
  [[nodiscard]] std::uint32_t ReadConfigRegister(std::uint32_t offset) const;
  [[nodiscard]] std::span<std::uint8_t> Memory(std::uint64_t address, std::size_t bytes);

  isa::HardwareConfig config_;
  std::vector<std::uint8_t> memory_;
  golden::Machine machine_;
  std::uint32_t prog_addr_lo_ = 0;
  std::uint32_t prog_addr_hi_ = 0;
  std::uint32_t prog_granules_ = 0;
  std::uint32_t watchdog_ = 1'000'000;
  golden::RunResult result_;
  bool done_ = false;
  bool irq_enable_ = false;
  bool irq_pending_ = false;
};

/// The golden model for RegisterDevice.
DeviceKind GoldenKind();

}  // namespace tpu::devices
