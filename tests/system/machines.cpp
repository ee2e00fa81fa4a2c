#include "tests/system/machines.h"

#include "golden_backend/golden_device.h"

namespace tpu::system_test {
namespace {

/// The parameters of sim/CMakeLists.txt.
constexpr isa::HardwareConfig kN4 = {.n = 4,
                                     .ub_rows = 512,
                                     .acc_rows = 64,
                                     .param_rows = 16,
                                     .fifo_tiles = 2,
                                     .axi_data_width = 128,
                                     .axi_addr_width = 32};
constexpr isa::HardwareConfig kN8 = {.n = 8,
                                     .ub_rows = 1024,
                                     .acc_rows = 128,
                                     .param_rows = 64,
                                     .fifo_tiles = 4,
                                     .axi_data_width = 64,
                                     .axi_addr_width = 40};
constexpr isa::HardwareConfig kN16 = {};
constexpr isa::HardwareConfig kN32 = {.n = 32,
                                      .ub_rows = 2048,
                                      .acc_rows = 256,
                                      .param_rows = 64,
                                      .fifo_tiles = 8,
                                      .axi_data_width = 64,
                                      .axi_addr_width = 36};

}  // namespace

std::vector<Machine> GoldenMachines() {
  return {{"n4_golden", kN4, nullptr},
          {"n8_golden", kN8, nullptr},
          {"n16_golden", kN16, nullptr},
          {"n32_golden", kN32, nullptr}};
}

std::vector<Machine> RtlMachines() {
  return {{"n4_rtl", kN4, sim::MakeN4},
          {"n8_rtl", kN8, sim::MakeN8},
          {"n16_rtl", kN16, sim::MakeN16},
          {"n32_rtl", kN32, sim::MakeN32}};
}

std::vector<Machine> AllMachines() {
  std::vector<Machine> machines = GoldenMachines();
  const std::vector<Machine> rtl = RtlMachines();
  machines.insert(machines.end(), rtl.begin(), rtl.end());
  return machines;
}

std::unique_ptr<runtime::Device> MakeDevice(const Machine& machine) {
  if (machine.make_rtl != nullptr) return MakeRtl(machine);
  return std::make_unique<golden_backend::GoldenDevice>(machine.config);
}

std::unique_ptr<runtime::Device> MakeFastDevice(const Machine& machine) {
  if (machine.make_rtl != nullptr) return machine.make_rtl({.memory_latency = 4});
  return MakeDevice(machine);
}

std::unique_ptr<sim::RtlDevice> MakeRtl(const Machine& machine,
                                        std::optional<std::uint64_t> stall_seed) {
  sim::RtlOptions options;
  options.stall_seed = stall_seed;
  options.check_protocol = true;
  options.reset_seed = stall_seed.value_or(1);
  return machine.make_rtl(options);
}

}  // namespace tpu::system_test
