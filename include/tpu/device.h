// SPDX-License-Identifier: Apache-2.0
// A TPU as software sees it: its memory and its registers. The golden model, the RTL simulation and
// a board implement it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tpu/hardware_config.h"

namespace tpu {

/// The memory and the registers of one machine. A Session does everything else.
class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  /// Makes `bytes` bytes of memory reachable, from address 0 on. What a smaller memory held before
  /// is kept.
  virtual void ReserveMemory(std::uint64_t bytes) = 0;
  /// Copies to the device's memory. Throws tpu::Error outside the reserved memory.
  virtual void WriteMemory(std::uint64_t address, std::span<const std::uint8_t> bytes) = 0;
  /// Copies from the device's memory. Throws tpu::Error outside the reserved memory.
  virtual void ReadMemory(std::uint64_t address, std::span<std::uint8_t> bytes) = 0;

  /// Reads over AXI4-Lite; `offset` is a byte offset of the register map.
  virtual std::uint32_t ReadRegister(std::uint32_t offset) = 0;
  /// Reads registers that follow each other. A device that is far away does so in one transfer.
  virtual void ReadRegisters(std::uint32_t offset, std::span<std::uint32_t> values) {
    for (std::uint32_t& value : values) {
      value = ReadRegister(offset);
      offset += 4;
    }
  }
  /// Writes over AXI4-Lite; `offset` is a byte offset of the register map.
  virtual void WriteRegister(std::uint32_t offset, std::uint32_t value) = 0;

  /// Lets the machine run until it raises its interrupt, or for at most `max_cycles` machine
  /// cycles. Returns whether the interrupt is pending. A board may count time instead of cycles.
  virtual bool WaitForInterrupt(std::uint64_t max_cycles) = 0;

  /// Machine cycles in a second; 0 where the machine is simulated, and cycles take no time of
  /// their own.
  [[nodiscard]] virtual std::uint64_t ClockHz() const { return 0; }
};

/// What a kind of device can do beside computing results.
struct DeviceAbilities {
  bool time = false;    ///< Counts cycles.
  bool trace = false;   ///< Tells when each instruction started and ended.
  bool waves = false;   ///< Records its signals.
  bool faults = false;  ///< Can be made to see errors on its bus.
};

/// What a device is made with beside its configuration.
struct DeviceOptions {
  std::string wave_file;  ///< Where to record signals (ability `waves`), as FST; empty: nowhere.
};

/// A configuration by its name.
struct NamedMachine {
  std::string name;       ///< As in "N16".
  HardwareConfig config;  ///< Its parameters.
};

/// A kind of device, by the name that users choose it with.
struct DeviceKind {
  std::string name;           ///< What MakeDevice is told.
  std::string description;    ///< Half a line for lists of devices.
  DeviceAbilities abilities;  ///< Beside computing results.
  /// The machines that the device can be. Empty: any machine.
  std::vector<NamedMachine> machines;
  /// Makes a device whose `config` is that of one of `machines`, if there are any: MakeDevice sees
  /// to that. Throws tpu::Error when no such device can be had.
  std::function<std::unique_ptr<Device>(const HardwareConfig& config, const DeviceOptions& options)>
      make;
};

/// Adds a kind of device. Throws tpu::Error when there is one of that name.
void RegisterDevice(DeviceKind kind);

/// The same, in place of the kind of that name if there is one: a board that was exchanged.
void ReplaceDevice(DeviceKind kind);

/// All kinds; "golden", the model of the machine without time, is always among them. The list stays
/// as it is when a kind is added, so that threads may look at it meanwhile.
const std::vector<DeviceKind>& DeviceKinds();

/// The kind `name`. Throws tpu::Error listing the names there are.
const DeviceKind& FindDevice(const std::string& name);

/// A device of the kind `name`. Throws tpu::Error listing the names or the machines there are, and
/// when the options ask for what the kind is not able to do.
std::unique_ptr<Device> MakeDevice(const std::string& name, const HardwareConfig& config,
                                   const DeviceOptions& options = {});

}  // namespace tpu
