// SPDX-License-Identifier: Apache-2.0
#include "tests/system/machines.h"

#include "devices/golden/golden_device.h"
#include "devices/rtl/machines.h"
#include "runtime/config.h"

namespace tpu::system_test {

std::vector<Machine> GoldenMachines() {
  return {{"n4_golden", devices::kSmallN4.config, nullptr},
          {"n8_golden", devices::kSmallN8.config, nullptr},
          {"n16_golden", devices::kN16.config, nullptr},
          {"n32_golden", devices::kSmallN32.config, nullptr}};
}

std::vector<Machine> RtlMachines() {
  return {{"n4_rtl", devices::kSmallN4.config, devices::MakeSmallN4},
          {"n8_rtl", devices::kSmallN8.config, devices::MakeSmallN8},
          {"n16_rtl", devices::kN16.config, devices::MakeN16},
          {"n32_rtl", devices::kSmallN32.config, devices::MakeSmallN32}};
}

std::vector<Machine> AllMachines() {
  std::vector<Machine> machines = GoldenMachines();
  const std::vector<Machine> rtl = RtlMachines();
  machines.insert(machines.end(), rtl.begin(), rtl.end());
  return machines;
}

std::unique_ptr<runtime::Device> MakeDevice(const Machine& machine) {
  if (machine.make_rtl != nullptr) return MakeRtl(machine);
  return std::make_unique<devices::GoldenDevice>(machine.config);
}

std::unique_ptr<runtime::Device> MakeFastDevice(const Machine& machine) {
  if (machine.make_rtl != nullptr) return machine.make_rtl({.memory_latency = 4});
  return MakeDevice(machine);
}

std::unique_ptr<devices::RtlDevice> MakeRtl(const Machine& machine,
                                            std::optional<std::uint64_t> stall_seed) {
  devices::RtlOptions options;
  options.stall_seed = stall_seed;
  // Every other stalled bus also waits for VALID before it shows READY.
  options.ready_after_valid = stall_seed.value_or(0) % 4 >= 2;
  options.reset_seed = stall_seed.value_or(1);
  return machine.make_rtl(options);
}

void Prepare(runtime::Device& device, const executable::Executable& executable) {
  device.ReserveMemory(executable.memory_bytes);
  for (const executable::Segment& s : executable.segments) device.WriteMemory(s.address, s.bytes);
  const auto& program = std::get<executable::DeviceProgram>(executable.steps.at(0));
  runtime::WriteRegister(device, isa::Register::kProgAddrLo,
                         static_cast<std::uint32_t>(program.address));
  runtime::WriteRegister(device, isa::Register::kProgAddrHi, 0);
  runtime::WriteRegister(device, isa::Register::kProgGranules, program.granules);
}

}  // namespace tpu::system_test
