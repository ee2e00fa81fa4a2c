// SPDX-License-Identifier: Apache-2.0
// A workload of `tpu bench`, run once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tools/devices.h"
#include "tools/sim_table.h"
#include "tools/tpu/estimate_table.h"
#include "tools/tpu/load.h"
#include "tools/tpu/measure.h"
#include "tools/tpu/workload_spec.h"

namespace tpu::tools {

/// A suite for each name of a file, and a last one, without a name, of the single workloads, which
/// have a colon besides that of their type. Throws tpu::Error naming the file or the workload.
std::vector<Suite> ReadSuites(const std::vector<std::string>& workloads);

struct WorkloadOptions {
  CompileFlags compile;
  std::string backend = kDefaultDevice;
  std::uint64_t seed = 1;  ///< Of the random data.
  bool check = true;       ///< Compares outputs with the golden model's.
  std::string models;      ///< Folder where model files are looked for, too; empty: none.
  Progress progress;       ///< Empty: a progress line.
};

struct WorkloadRun {
  isa::HardwareConfig config;
  Result result;
  std::optional<EstimateResult> estimate;  ///< Nothing on a device without trace.
};

/// Where a workload's model lies; the file's own name if it is in no folder.
std::filesystem::path FindModel(const WorkloadOptions& options, const std::string& file);

/// Compiles and runs it on a machine after power-on, so that its cycles depend on nothing else.
/// Throws what Measure and compiling throw; outputs that differ are the result's fault.
WorkloadRun RunWorkload(const WorkloadSpec& spec, const WorkloadOptions& options);

/// What `tpu bench --json` says of it.
nlohmann::ordered_json ToJson(const WorkloadSpec& spec, const WorkloadRun& run);

}  // namespace tpu::tools
