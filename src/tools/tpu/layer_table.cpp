#include "tools/tpu/layer_table.h"

#include <fmt/core.h>

#include <cstddef>
#include <string_view>

#include "runtime/report.h"
#include "tools/format.h"

namespace tpu::tools {
namespace {

constexpr std::string_view kColumns = "{:<12}{:<26}{:<8}{:>14}{:>13}{:>10}{:>10}\n";

std::string_view WhereOf(const isa::Layer& layer) { return layer.host ? "host" : "device"; }

/// Share of what the array can do in that time.
double ShareOfPeak(const isa::Executable& executable, std::uint64_t macs, std::uint64_t cycles) {
  runtime::RunReport report;
  report.macs = macs;
  report.cycles = cycles;
  return runtime::Utilization(executable.config, report);
}

std::uint64_t CyclesOf(const Measurement& measurement, std::size_t layer) {
  return measurement.layer_cycles.empty() ? 0 : measurement.layer_cycles[layer];
}

std::string ShareOfRun(std::uint64_t cycles, std::uint64_t all) {
  return all == 0 ? "" : Percent(static_cast<double>(cycles) / static_cast<double>(all));
}

}  // namespace

std::string LayerTable(const isa::Executable& executable, const Measurement& measurement) {
  const std::uint64_t all = measurement.report.cycles;
  std::string text =
      fmt::format(kColumns, "layer", "operator", "where", "MACs", "cycles", "of run", "of peak");
  for (std::size_t i = 0; i < executable.layers.size(); ++i) {
    const isa::Layer& layer = executable.layers[i];
    const std::uint64_t cycles = CyclesOf(measurement, i);
    text += fmt::format(kColumns, layer.name, layer.op, WhereOf(layer), Grouped(layer.macs),
                        Grouped(cycles), ShareOfRun(cycles, all),
                        Percent(ShareOfPeak(executable, layer.macs, cycles)));
  }
  text += fmt::format(kColumns, "all", "", "", Grouped(measurement.report.macs), Grouped(all), "",
                      Percent(runtime::Utilization(executable.config, measurement.report)));
  return text;
}

nlohmann::ordered_json RunJson(const isa::Executable& executable, const Measurement& measurement,
                               const std::optional<std::string>& fault) {
  const isa::HardwareConfig& config = executable.config;
  const std::uint64_t peak = runtime::PeakMacsPerCycle(config);
  nlohmann::ordered_json json = runtime::ToJson(config, measurement.report);
  json["ideal_cycles"] = (measurement.report.macs + peak - 1) / peak;
  nlohmann::ordered_json& layers = json["layers"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < executable.layers.size(); ++i) {
    const isa::Layer& layer = executable.layers[i];
    const std::uint64_t cycles = CyclesOf(measurement, i);
    layers.push_back({{"name", layer.name},
                      {"op", layer.op},
                      {"where", WhereOf(layer)},
                      {"macs", layer.macs},
                      {"cycles", cycles},
                      {"utilization", ShareOfPeak(executable, layer.macs, cycles)}});
  }
  json["sim_seconds"] = measurement.seconds;
  json["sim_cycles_per_second"] =
      static_cast<double>(measurement.report.cycles) / measurement.seconds;
  json["passed"] = !fault.has_value();
  return json;
}

}  // namespace tpu::tools
