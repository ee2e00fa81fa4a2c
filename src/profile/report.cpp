// SPDX-License-Identifier: Apache-2.0
#include "profile/report.h"

#include <string>

namespace tpu::profile {
std::uint64_t PeakMacsPerCycle(const isa::HardwareConfig& config) {
  return std::uint64_t{config.n} * config.n;
}

double Utilization(const isa::HardwareConfig& config, const runtime::RunReport& report) {
  if (report.cycles == 0) return 0.0;
  const double capacity =
      static_cast<double>(report.cycles) * static_cast<double>(PeakMacsPerCycle(config));
  return static_cast<double>(report.macs) / capacity;
}

std::uint64_t DramBytes(const isa::HardwareConfig& config, const runtime::Counters& counters) {
  using isa::Counter;
  const std::uint64_t beats = runtime::Count(counters, Counter::kFetchBeats) +
                              runtime::Count(counters, Counter::kLoadBeats) +
                              runtime::Count(counters, Counter::kWeightsBeats) +
                              runtime::Count(counters, Counter::kStoreBeats);
  return beats * (config.axi_data_width / 8);
}

double Milliseconds(const runtime::RunReport& report) {
  return 1e3 * static_cast<double>(report.cycles) / static_cast<double>(report.clock_hz);
}

double CyclesPerSecond(const runtime::RunReport& report) {
  return report.cycles == 0 ? 0.0 : static_cast<double>(report.cycles) / report.seconds;
}

nlohmann::ordered_json ToJson(const isa::HardwareConfig& config) {
  return {{"n", config.n},
          {"ub_rows", config.ub_rows},
          {"acc_rows", config.acc_rows},
          {"param_rows", config.param_rows},
          {"lut_tables", config.lut_tables},
          {"fifo_tiles", config.fifo_tiles},
          {"axi_data_width", config.axi_data_width},
          {"axi_addr_width", config.axi_addr_width},
          {"ub_banks", config.ub_banks},
          {"window", config.window},
          {"requant_lanes", config.requant_lanes},
          {"bf16", config.bf16},
          {"int16", config.int16},
          {"float_rounding", config.float_rounding}};
}

nlohmann::ordered_json ToJson(const runtime::Counters& counters) {
  nlohmann::ordered_json json;
  for (std::size_t i = 0; i < counters.size(); ++i) {
    json[std::string(isa::kCounterNames[i])] = counters[i];
  }
  return json;
}

nlohmann::ordered_json ToJson(const isa::HardwareConfig& config, const runtime::RunReport& report) {
  nlohmann::ordered_json json;
  json["config"] = ToJson(config);
  json["macs"] = report.macs;
  json["cycles"] = report.cycles;
  if (report.clock_hz != 0) {
    json["clock_hz"] = report.clock_hz;
    json["milliseconds"] = Milliseconds(report);
  }
  json["peak_macs_per_cycle"] = PeakMacsPerCycle(config);
  json["utilization"] = Utilization(config, report);
  json["dram_bytes"] = DramBytes(config, report.counters);
  json["counters"] = ToJson(report.counters);
  return json;
}

}  // namespace tpu::profile
