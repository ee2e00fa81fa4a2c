// SPDX-License-Identifier: Apache-2.0
// The cycles that suites of workloads take, kept in a JSON file next to them. Simulated cycles do
// not vary, so any difference is a change of hardware, compiler or suite.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tools/tpu/workload_spec.h"

namespace tpu::tools {

/// Cycles of a suite's workloads by WorkloadSpec::text; those that were not run are not in it.
using SuiteCycles = std::map<std::string, std::uint64_t>;

/// Cycles of all workloads as often as the suite has them; nothing if one was not run.
std::optional<std::uint64_t> Total(const Suite& suite, const SuiteCycles& cycles);

class Ledger {
 public:
  /// Of the machine named `config`; a file that is not there is an empty ledger. Throws tpu::Error
  /// when the file is no ledger, or that of another machine.
  Ledger(std::filesystem::path file, const std::string& config);

  /// One message for each workload whose cycles differ, or that is on one side only, and one for a
  /// different total. Workloads that were not run are not compared.
  [[nodiscard]] std::vector<std::string> Differences(const Suite& suite,
                                                     const SuiteCycles& cycles) const;

  /// Replaces the suite's entries; those of workloads that were not run stay.
  void Update(const Suite& suite, const SuiteCycles& cycles);

  void Write() const;

 private:
  [[nodiscard]] nlohmann::ordered_json Entry(const Suite& suite) const;

  std::filesystem::path file_;
  nlohmann::ordered_json json_;
};

}  // namespace tpu::tools
