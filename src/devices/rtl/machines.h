// SPDX-License-Identifier: Apache-2.0
// The machines of sim/CMakeLists.txt: names, parameters and factories. Link tpu_sim_<library> for
// those that you make.
#pragma once

#include <span>

#include "devices/rtl/rtl_device.h"
#include "isa/hardware_config.h"
#include "tpu/device.h"

namespace tpu::devices {

/// A Verilated machine.
struct Machine {
  const char* name;  ///< As `tpu --config` calls it, e.g. "N16".
  isa::HardwareConfig config;
  RtlFactory* make;
  RtlFactory* make_traced = nullptr;  ///< With waveforms; null: not built.
};

/// The RTL for RegisterDevice, as the machines that a program is linked with.
DeviceKind RtlKind(std::span<const Machine> machines);

// Machines to compare sizes with: equal numbers of rows, the bus as wide as a row. N16 is the
// default.
inline constexpr Machine kN8 = {"N8", {.n = 8, .axi_data_width = 64}, MakeN8};
inline constexpr Machine kN16 = {"N16", {}, MakeN16};
inline constexpr Machine kN32 = {"N32", {.n = 32, .axi_data_width = 256}, MakeN32};
inline constexpr Machine kN64 = {"N64", {.n = 64, .axi_data_width = 512}, MakeN64};

// Machines for tests: small buffers, buses wider and narrower than a row, and vector lanes that
// share requantisers or have no window engine.
inline constexpr Machine kSmallN4 = {"N4-small",
                                     {.n = 4,
                                      .ub_rows = 512,
                                      .acc_rows = 64,
                                      .param_rows = 16,
                                      .fifo_tiles = 2,
                                      .axi_data_width = 128,
                                      .axi_addr_width = 32,
                                      .window = 0,
                                      .requant_lanes = 4},
                                     MakeSmallN4};
inline constexpr Machine kSmallN8 = {"N8-small",
                                     {.n = 8,
                                      .ub_rows = 1024,
                                      .acc_rows = 128,
                                      .param_rows = 64,
                                      .fifo_tiles = 4,
                                      .axi_data_width = 64,
                                      .axi_addr_width = 40,
                                      .requant_lanes = 2},
                                     MakeSmallN8};
inline constexpr Machine kSmallN32 = {"N32-small",
                                      {.n = 32,
                                       .ub_rows = 2048,
                                       .acc_rows = 256,
                                       .param_rows = 64,
                                       .fifo_tiles = 8,
                                       .axi_data_width = 64,
                                       .axi_addr_width = 36},
                                      MakeSmallN32};

}  // namespace tpu::devices
