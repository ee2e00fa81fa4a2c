// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/layer_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "profile/breakdown.h"
#include "profile/report.h"
#include "tools/format.h"

namespace tpu::tools {
namespace {

using profile::ArrayTime;

constexpr std::size_t kLeastNameWidth = 12;
constexpr std::string_view kLayerColumns = "{:<{}}{:<26}{:>14}{:>13}{:>9}{:>9}  {:<9}{}\n";

std::uint64_t Cycles(const profile::Use& use) {
  return runtime::Count(use.counters, isa::Counter::kCycles);
}

/// Share of what the array can do in that time.
double ShareOfPeak(const executable::Executable& executable, std::uint64_t macs,
                   std::uint64_t cycles) {
  runtime::RunReport report;
  report.macs = macs;
  report.cycles = cycles;
  return profile::Utilization(executable.config, report);
}

std::string Share(std::uint64_t cycles, std::uint64_t all) {
  return all == 0 ? "" : Percent(static_cast<double>(cycles) / static_cast<double>(all));
}

profile::Use UseOf(const profile::Measurement& measurement, std::size_t layer) {
  return measurement.layers.empty() ? profile::Use{} : measurement.layers[layer];
}

profile::Use UseOfRun(const profile::Measurement& measurement) {
  profile::Use sum;
  for (const profile::Use& use : measurement.layers) sum += use;
  return sum;
}

/// The two largest causes for which the array did nothing useful.
std::string Rest(const profile::Use& use) {
  static constexpr std::size_t kCauses = 2;
  const auto breakdown = profile::Breakdown(use);
  std::array<std::pair<std::uint64_t, ArrayTime>, profile::kNumArrayTimes - 1> causes;
  for (std::size_t i = 0; i < causes.size(); ++i) {
    causes.at(i) = {breakdown.at(i + 1), static_cast<ArrayTime>(i + 1)};
  }
  std::ranges::stable_sort(causes, std::ranges::greater{}, &decltype(causes)::value_type::first);
  std::string text;
  for (std::size_t i = 0; i < kCauses && causes.at(i).first > 0; ++i) {
    std::string name(profile::Name(causes.at(i).second));
    std::ranges::replace(name, '_', ' ');
    text +=
        fmt::format("{}{} {}", i == 0 ? "" : ", ", name, Share(causes.at(i).first, Cycles(use)));
  }
  return text;
}

std::string_view BoundText(const profile::Use& use) {
  return profile::Name(profile::BoundOf(use.counters));
}

/// The facts about a part of a run, besides its cycles.
void AddUse(nlohmann::ordered_json& json, const profile::Use& use) {
  json["bound"] = BoundText(use);
  const auto breakdown = profile::Breakdown(use);
  nlohmann::ordered_json& array = json["array"];
  for (std::size_t i = 0; i < breakdown.size(); ++i) {
    array[std::string(profile::Name(static_cast<ArrayTime>(i)))] = breakdown.at(i);
  }
}

}  // namespace

std::size_t NameWidth(const std::vector<executable::Layer>& layers, std::size_t least) {
  std::size_t width = least;
  for (const executable::Layer& layer : layers) width = std::max(width, layer.name.size() + 1);
  return width;
}

std::string LayerTable(const executable::Executable& executable,
                       const profile::Measurement& measurement) {
  const std::uint64_t all = measurement.report.cycles;
  const std::vector<std::uint64_t>& macs = measurement.report.course.layer_macs;
  const std::size_t width = NameWidth(executable.layers, kLeastNameWidth);
  std::string text = fmt::format(kLayerColumns, "layer", width, "operator", "MACs", "cycles",
                                 "of run", "of peak", "bound", "rest");
  for (std::size_t i = 0; i < executable.layers.size(); ++i) {
    const executable::Layer& layer = executable.layers[i];
    const profile::Use use = UseOf(measurement, i);
    text += fmt::format(kLayerColumns, layer.name, width, layer.op, Grouped(macs[i]),
                        Grouped(Cycles(use)), Share(Cycles(use), all),
                        Percent(ShareOfPeak(executable, macs[i], Cycles(use))),
                        layer.host ? "host" : BoundText(use), Rest(use));
  }
  const profile::Use run = UseOfRun(measurement);
  text +=
      fmt::format(kLayerColumns, "all", width, "", Grouped(measurement.report.macs), Grouped(all),
                  "", Percent(profile::Utilization(executable.config, measurement.report)),
                  BoundText(run), Rest(run));
  return text;
}

nlohmann::ordered_json RunJson(const executable::Executable& executable,
                               const profile::Measurement& measurement,
                               const std::optional<std::string>& fault) {
  const isa::HardwareConfig& config = executable.config;
  const std::uint64_t peak = profile::PeakMacsPerCycle(config);
  nlohmann::ordered_json json = profile::ToJson(config, measurement.report);
  json["ideal_cycles"] = (measurement.report.macs + peak - 1) / peak;
  AddUse(json, UseOfRun(measurement));
  nlohmann::ordered_json& layers = json["layers"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < executable.layers.size(); ++i) {
    const executable::Layer& layer = executable.layers[i];
    const profile::Use use = UseOf(measurement, i);
    const std::uint64_t macs = measurement.report.course.layer_macs[i];
    nlohmann::ordered_json entry = {{"name", layer.name},
                                    {"op", layer.op},
                                    {"where", layer.host ? "host" : "device"},
                                    {"macs", macs},
                                    {"cycles", Cycles(use)},
                                    {"utilization", ShareOfPeak(executable, macs, Cycles(use))},
                                    {"dram_bytes", profile::DramBytes(config, use.counters)}};
    AddUse(entry, use);
    entry["counters"] = profile::ToJson(use.counters);
    layers.push_back(std::move(entry));
  }
  json["sim_seconds"] = measurement.report.seconds;
  json["sim_cycles_per_second"] = profile::CyclesPerSecond(measurement.report);
  json["passed"] = !fault.has_value();
  return json;
}

}  // namespace tpu::tools
