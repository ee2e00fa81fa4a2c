// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/ledger.h"

#include <fmt/core.h>

#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/files.h"

namespace tpu::tools {
namespace {

using Json = nlohmann::ordered_json;

std::optional<std::uint64_t> Find(const Json& workloads, const std::string& name) {
  const auto found = workloads.find(name);
  if (found == workloads.end()) return std::nullopt;
  return found->get<std::uint64_t>();
}

}  // namespace

std::optional<std::uint64_t> Total(const Suite& suite, const SuiteCycles& cycles) {
  std::uint64_t total = 0;
  for (const WorkloadSpec& spec : suite.specs) {
    const auto found = cycles.find(spec.text);
    if (found == cycles.end()) return std::nullopt;
    total += spec.count * found->second;
  }
  return total;
}

Ledger::Ledger(std::filesystem::path file, const std::string& config) : file_(std::move(file)) {
  json_ = {{"machine", config}, {"suites", Json::object()}};
  if (!std::filesystem::exists(file_)) return;
  try {
    Json json = Json::parse(ReadText(file_));
    if (json.at("machine") != config) {
      throw Error::Format("{}: holds cycles of machine {}, not of {}", file_.string(),
                          json.at("machine").get<std::string>(), config);
    }
    static_cast<void>(json.at("suites").get<std::map<std::string, Json>>());
    json_ = std::move(json);
  } catch (const Json::exception& error) {
    throw Error::Format("{}: is no ledger of cycles: {}", file_.string(), error.what());
  }
}

Json Ledger::Entry(const Suite& suite) const {
  const Json empty = {{"total", 0}, {"workloads", Json::object()}};
  return json_.at("suites").value(suite.name, empty);
}

std::vector<std::string> Ledger::Differences(const Suite& suite, const SuiteCycles& cycles) const {
  std::vector<std::string> differences;
  const Json entry = Entry(suite);
  Json rest = entry.at("workloads");
  auto now = rest.get<SuiteCycles>();
  for (const WorkloadSpec& spec : suite.specs) {
    const auto found = cycles.find(spec.text);
    if (found != cycles.end()) {
      const auto expected = Find(entry.at("workloads"), spec.text);
      if (expected != found->second) {
        differences.push_back(fmt::format("{} takes {} cycles, {} says {}", spec.text,
                                          found->second, file_.string(),
                                          expected ? std::to_string(*expected) : "nothing"));
      }
      now[spec.text] = found->second;
    }
    rest.erase(spec.text);
  }
  for (const auto& [name, unused] : rest.items()) {
    differences.push_back(fmt::format("{} is in {}, but not in the suite", name, file_.string()));
  }
  const std::uint64_t total = entry.at("total");
  const auto total_now = Total(suite, now);
  if (total_now && *total_now != total) {
    differences.push_back(fmt::format("all of {} take {} cycles, {} says {}", suite.name,
                                      *total_now, file_.string(), total));
  }
  return differences;
}

void Ledger::Update(const Suite& suite, const SuiteCycles& cycles) {
  const Json before = Entry(suite).at("workloads");
  Json workloads = Json::object();
  for (const WorkloadSpec& spec : suite.specs) {
    const auto found = cycles.find(spec.text);
    if (found != cycles.end()) {
      workloads[spec.text] = found->second;
    } else if (const auto kept = Find(before, spec.text)) {
      workloads[spec.text] = *kept;
    }
  }
  const std::uint64_t total = Total(suite, workloads.get<SuiteCycles>()).value_or(0);
  json_["suites"][suite.name] = {{"total", total}, {"workloads", workloads}};
}

void Ledger::Write() const { WriteFile(file_, json_.dump(2) + "\n"); }

}  // namespace tpu::tools
