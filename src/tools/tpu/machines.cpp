#include "tools/tpu/machines.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "golden_backend/golden_device.h"

namespace tpu::tools {
namespace {

constexpr isa::HardwareConfig kN4 = {.n = 4,
                                     .ub_rows = 512,
                                     .acc_rows = 64,
                                     .param_rows = 16,
                                     .fifo_tiles = 2,
                                     .axi_data_width = 128,
                                     .axi_addr_width = 32};
constexpr isa::HardwareConfig kN8 = {
    .n = 8, .ub_rows = 1024, .acc_rows = 128, .param_rows = 64, .axi_data_width = 64};
constexpr isa::HardwareConfig kN32 = {.n = 32,
                                      .ub_rows = 2048,
                                      .acc_rows = 256,
                                      .param_rows = 64,
                                      .fifo_tiles = 8,
                                      .axi_data_width = 64,
                                      .axi_addr_width = 36};

constexpr std::array kMachines = {
    Machine{"N4", kN4, sim::MakeN4, nullptr},
    Machine{"N8", kN8, sim::MakeN8, nullptr},
    Machine{"N16", {}, sim::MakeN16, sim::MakeN16Trace},
    Machine{"N32", kN32, sim::MakeN32, nullptr},
};

std::unique_ptr<sim::RtlDevice> MakeRtl(const Machine& machine, const std::string& wave_file) {
  if (wave_file.empty()) return machine.make_rtl({});
  if (machine.make_traced_rtl == nullptr) {
    throw Error::Format("--wave: machine {} is not built with waveforms", machine.name);
  }
  sim::RtlOptions options;
  options.wave_file = wave_file;
  return machine.make_traced_rtl(options);
}

}  // namespace

std::span<const Machine> Machines() { return kMachines; }

const Machine& FindMachine(const std::string& name) {
  const auto found = std::ranges::find(kMachines, name, &Machine::name);
  if (found != kMachines.end()) return *found;
  std::string names;
  for (const Machine& machine : kMachines) {
    names += names.empty() ? "" : ", ";
    names += machine.name;
  }
  throw Error::Format("--config {}: no such machine; there are {}", name, names);
}

Backend MakeBackend(const std::string& name, const isa::HardwareConfig& config,
                    const std::string& wave_file) {
  if (name == "golden") {
    if (!wave_file.empty()) throw Error("--wave: the golden model has no signals; use the RTL");
    return {std::make_unique<golden_backend::GoldenDevice>(config), nullptr};
  }
  const auto machine = std::ranges::find(kMachines, config, &Machine::config);
  if (machine == kMachines.end()) {
    throw Error::Format(
        "no simulated machine has the parameters (N = {}, UB_ROWS = {}, ...) that the program was "
        "compiled for; use --backend golden",
        config.n, config.ub_rows);
  }
  std::unique_ptr<sim::RtlDevice> rtl = MakeRtl(*machine, wave_file);
  sim::RtlDevice* const pointer = rtl.get();
  return {std::move(rtl), pointer};
}

}  // namespace tpu::tools
