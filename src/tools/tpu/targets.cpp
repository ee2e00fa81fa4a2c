// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/targets.h"

#include <fmt/core.h>

#include <string_view>

#include "base/error.h"
#include "base/files.h"
#include "tools/format.h"

namespace tpu::tools {
namespace {

constexpr std::string_view kTargetColumns = "{:<36}{:>12}{:>12}{:>12}{:>12}  {}\n";

double OfCeiling(const Target& target) {
  return static_cast<double>(target.ceiling) / static_cast<double>(*target.cycles);
}

bool Met(const Target& target) { return *target.cycles <= target.target; }

}  // namespace

std::vector<Target> ReadTargets(const std::filesystem::path& file) {
  std::vector<Target> targets;
  try {
    for (const nlohmann::json& json : nlohmann::json::parse(ReadText(file))) {
      targets.push_back({.name = json.at("name"),
                         .workload = json.value("workload", ""),
                         .suite = json.value("suite", ""),
                         .ceiling = json.at("ceiling"),
                         .target = json.at("target"),
                         .cycles = std::nullopt});
    }
  } catch (const nlohmann::json::exception& error) {
    throw Error::Format("{}: is no list of targets: {}", file.string(), error.what());
  }
  return targets;
}

std::string TargetTable(const std::vector<Target>& targets) {
  std::string text =
      "\n" + fmt::format(kTargetColumns, "target", "ceiling", "cycles", "of ceiling", "target", "");
  for (const Target& target : targets) {
    const bool known = target.cycles.has_value();
    text += fmt::format(kTargetColumns, target.name, Grouped(target.ceiling),
                        Grouped(target.cycles.value_or(0)), known ? Percent(OfCeiling(target)) : "",
                        Grouped(target.target),
                        !known        ? "not measured"
                        : Met(target) ? "met"
                                      : "missed");
  }
  return text;
}

nlohmann::ordered_json ToJson(const std::vector<Target>& targets) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Target& target : targets) {
    if (!target.cycles) continue;
    list.push_back({{"name", target.name},
                    {"ceiling", target.ceiling},
                    {"cycles", *target.cycles},
                    {"of_ceiling", OfCeiling(target)},
                    {"target", target.target},
                    {"met", Met(target)}});
  }
  return list;
}

}  // namespace tpu::tools
