// A TPU as software sees it: its memory and its registers. The golden model, the RTL simulation and
// a board implement it.
#pragma once

#include <cstdint>
#include <span>

#include "isa/registers.h"

namespace tpu::runtime {

class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  /// Makes the memory reachable at addresses 0 .. bytes - 1; contents of a larger memory than
  /// before are kept.
  virtual void ReserveMemory(std::uint64_t bytes) = 0;
  /// Copies to and from the device's memory. Throws tpu::Error outside the reserved memory.
  virtual void WriteMemory(std::uint64_t address, std::span<const std::uint8_t> bytes) = 0;
  virtual void ReadMemory(std::uint64_t address, std::span<std::uint8_t> bytes) = 0;

  /// AXI4-Lite access; `offset` is a byte offset of the register map.
  virtual std::uint32_t ReadRegister(std::uint32_t offset) = 0;
  virtual void WriteRegister(std::uint32_t offset, std::uint32_t value) = 0;

  /// Lets the machine run until it raises its interrupt, or for at most `max_cycles` machine
  /// cycles. Returns whether the interrupt is pending. A board may count time instead of cycles.
  virtual bool WaitForInterrupt(std::uint64_t max_cycles) = 0;
};

}  // namespace tpu::runtime
