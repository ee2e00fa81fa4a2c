// SPDX-License-Identifier: Apache-2.0
// The machines of machines.def: names, parameters and factories. Link tpu_sim_<library> for those
// that you make.
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

// kN16 and so on, as machines.def lists them.
#define TPU_MACHINE(id, name, lanes, ub, acc, params, tiles, has_window, sharing, data, addr, \
                    floats, words, float_rounds)                                              \
  inline constexpr Machine k##id = {name,                                                     \
                                    {.n = lanes,                                              \
                                     .ub_rows = ub,                                           \
                                     .acc_rows = acc,                                         \
                                     .param_rows = params,                                    \
                                     .fifo_tiles = tiles,                                     \
                                     .axi_data_width = data,                                  \
                                     .axi_addr_width = addr,                                  \
                                     .window = has_window,                                    \
                                     .requant_lanes = sharing,                                \
                                     .bf16 = floats,                                          \
                                     .int16 = words,                                          \
                                     .float_rounding = float_rounds},                         \
                                    Make##id};
#include "devices/rtl/machines.def"

static_assert(kN16.config == isa::HardwareConfig{},
              "HardwareConfig's defaults are N16's parameters");

}  // namespace tpu::devices
