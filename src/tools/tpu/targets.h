// SPDX-License-Identifier: Apache-2.0
// The targets of chosen workloads, next to what these workloads reach.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tpu::tools {

struct Target {
  std::string name;
  std::string workload;       ///< WorkloadSpec::text,
  std::string suite;          ///< or the name of a suite, all of it; one of the two is empty.
  std::uint64_t ceiling = 0;  ///< Cycles that no machine of this kind can do with less.
  std::uint64_t target = 0;   ///< Cycles, at most.
  std::optional<std::uint64_t> cycles;  ///< Measured.
};

/// Reads a JSON list of objects with the names above, without cycles. Throws tpu::Error.
std::vector<Target> ReadTargets(const std::filesystem::path& file);

/// A line for each; those that were not measured say so.
std::string TargetTable(const std::vector<Target>& targets);

/// The measured ones, with "of_ceiling" and "met".
nlohmann::ordered_json ToJson(const std::vector<Target>& targets);

}  // namespace tpu::tools
