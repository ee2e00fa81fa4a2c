// SPDX-License-Identifier: Apache-2.0
// The figures of a run, derived from the hardware counters, and as JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "isa/hardware_config.h"
#include "runtime/session.h"

namespace tpu::profile {

/// Multiply-accumulates the array can do in one cycle.
std::uint64_t PeakMacsPerCycle(const isa::HardwareConfig& config);

/// Useful share of the array's capacity, macs / (cycles * peak); 0 when cycles were not counted.
double Utilization(const isa::HardwareConfig& config, const runtime::RunReport& report);

/// Of a run on a device whose cycles take time.
double Milliseconds(const runtime::RunReport& report);

/// Speed of a simulation while it ran programs; 0 where cycles are not counted.
double CyclesPerSecond(const runtime::RunReport& report);

/// Bytes moved over the AXI port, whole beats, both directions.
std::uint64_t DramBytes(const isa::HardwareConfig& config, const runtime::Counters& counters);

/// {name of the parameter: value}.
nlohmann::ordered_json ToJson(const isa::HardwareConfig& config);

/// {name: value} in the order of isa::Counter.
nlohmann::ordered_json ToJson(const runtime::Counters& counters);

/// {"config": {...}, "macs", "cycles", "peak_macs_per_cycle", "utilization", "dram_bytes",
/// "counters": {name: value}}; keys in this order. On a device whose cycles take time "clock_hz"
/// and "milliseconds" stand behind the cycles.
nlohmann::ordered_json ToJson(const isa::HardwareConfig& config, const runtime::RunReport& report);

}  // namespace tpu::profile
