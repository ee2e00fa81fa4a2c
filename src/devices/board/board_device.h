// SPDX-License-Identifier: Apache-2.0
// A board behind a link as a device.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "link/descriptor_wire.h"
#include "link/link.h"
#include "runtime/device.h"
#include "tpu/device.h"

namespace tpu::devices {

/// Called while bytes go over: those that the board has by now, of those that it should have.
using BoardProgress = std::function<void(std::uint64_t done, std::uint64_t all)>;

/// Writes of memory and of registers return before they are done, and are done in order. Long
/// writes ask the board for the CRC-32 of what it has, send only the pieces that differ, and check
/// the CRC-32 of these again.
class BoardDevice final : public runtime::Device {
 public:
  /// Stops what another host may have left running, and sets the board up.
  explicit BoardDevice(std::unique_ptr<link::Link> link, BoardProgress progress = {});

  void ReserveMemory(std::uint64_t bytes) override;
  void WriteMemory(std::uint64_t address, std::span<const std::uint8_t> bytes) override;
  void ReadMemory(std::uint64_t address, std::span<std::uint8_t> bytes) override;
  std::uint32_t ReadRegister(std::uint32_t offset) override;
  void ReadRegisters(std::uint32_t offset, std::span<std::uint32_t> values) override;
  void WriteRegister(std::uint32_t offset, std::uint32_t value) override;
  bool WaitForInterrupt(std::uint64_t max_cycles) override;
  [[nodiscard]] std::uint64_t ClockHz() const override { return link_->info().clock_hz; }

 private:
  /// Throws tpu::Error for a range that the memory does not have.
  void RequireMemory(std::uint64_t address, std::uint64_t bytes) const;
  void WriteWhatDiffers(std::uint32_t address, std::span<const std::uint8_t> bytes);

  std::unique_ptr<link::Link> link_;
  BoardProgress progress_;
};

/// The line of the board `name`: "uart:/dev/ttyUSB0", or "uart:/dev/ttyUSB0@3000000" with the
/// line's bits per second, or "tcp:HOST:PORT" of a board that `tpu serve` serves there. A server's
/// token is the value of the environment variable TPU_TOKEN. Throws tpu::Error when the line cannot
/// be had.
std::unique_ptr<link::DescriptorWire> OpenLine(const std::string& name);

/// The board `name` as a kind of device of that name, for RegisterDevice. Reads the board's
/// configuration, which is its one machine. Throws tpu::Error when no board answers.
DeviceKind BoardKind(const std::string& name, BoardProgress progress);

}  // namespace tpu::devices
