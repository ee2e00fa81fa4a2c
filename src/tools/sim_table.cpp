// SPDX-License-Identifier: Apache-2.0
#include "tools/sim_table.h"

#include <fmt/core.h>

#include "profile/report.h"
#include "tools/format.h"

namespace tpu::tools {
namespace {

constexpr std::string_view kColumns = "{:<40}{:>13}{:>10}{:>9}{:>9}{:>9}{:>12}  {}\n";

double ShareOf(std::uint64_t part, std::uint64_t cycles) {
  return cycles == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(cycles);
}

}  // namespace

std::string TableHeading(std::string_view backend, const isa::HardwareConfig& config) {
  const std::string machine = fmt::format(
      "{} machine: N = {}, {} KiB unified buffer, {} accumulator rows, {}-bit AXI{}{}\n", backend,
      config.n, config.ub_rows * config.n / 1024, config.acc_rows, config.axi_data_width,
      config.bf16 != 0 ? ", bf16" : "", config.int16 != 0 ? ", int16" : "");
  const std::string legend =
      "array: MACs of its peak; vector: cycles with a tap; bus: cycles with a read beat\n\n";
  return machine + legend +
         fmt::format(kColumns, "workload", "MACs", "cycles", "array", "vector", "bus", "kcycles/s",
                     "check");
}

std::string TableLine(const isa::HardwareConfig& config, const Result& result) {
  using isa::Counter;
  const runtime::RunReport& report = result.report;
  const std::uint64_t read_beats = runtime::Count(report.counters, Counter::kFetchBeats) +
                                   runtime::Count(report.counters, Counter::kLoadBeats) +
                                   runtime::Count(report.counters, Counter::kWeightsBeats);
  const std::uint64_t taps = runtime::Count(report.counters, Counter::kVectorActive);
  return fmt::format(kColumns, result.name, Grouped(report.macs), Grouped(report.cycles),
                     Percent(profile::Utilization(config, report)),
                     Percent(ShareOf(taps, report.cycles)),
                     Percent(ShareOf(read_beats, report.cycles)),
                     Grouped(static_cast<std::uint64_t>(profile::CyclesPerSecond(report) * 1e-3)),
                     result.fault.value_or("ok"));
}

std::string TimeLine(const runtime::RunReport& report) {
  if (report.clock_hz == 0) return "";
  const double milliseconds = profile::Milliseconds(report);
  return fmt::format("{} cycles at {:g} MHz: {:.3f} ms, {:.1f} inferences a second\n",
                     Grouped(report.cycles), static_cast<double>(report.clock_hz) * 1e-6,
                     milliseconds, 1e3 / milliseconds);
}

nlohmann::ordered_json ToJson(const isa::HardwareConfig& config, const Result& result) {
  nlohmann::ordered_json json;
  json["name"] = result.name;
  json.update(profile::ToJson(config, result.report));
  json["sim_seconds"] = result.report.seconds;
  json["sim_cycles_per_second"] = profile::CyclesPerSecond(result.report);
  json["passed"] = !result.fault.has_value();
  return json;
}

}  // namespace tpu::tools
