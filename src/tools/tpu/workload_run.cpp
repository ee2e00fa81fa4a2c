// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/workload_run.h"

#include <fmt/core.h>

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "base/files.h"
#include "tools/tpu/training_workload.h"

namespace tpu::tools {
namespace {

executable::Executable CompileWorkload(const WorkloadSpec& spec, const WorkloadOptions& options) {
  if (const auto* model = std::get_if<ModelSpec>(&spec.kind)) {
    return LoadExecutable(FindModel(options, model->file), options.compile);
  }
  const isa::HardwareConfig& config = FindMachine(options.compile.config);
  if (auto training = CompileTrainingWorkload(spec, options.seed, config)) {
    return *std::move(training);
  }
  return CompileGraph(MakeGraph(spec, options.seed), spec.text, options.compile);
}

}  // namespace

std::vector<Suite> ReadSuites(const std::vector<std::string>& workloads) {
  std::vector<Suite> suites;
  Suite single;
  for (const std::string& workload : workloads) {
    const TypedName typed = ParseType(workload);
    const std::string file(typed.name);
    if (file.find(':') != std::string::npos) {
      single.specs.push_back(ParseWorkload(workload));
    } else {
      suites.push_back({.name = std::filesystem::path(workload).filename().string(),
                        .specs = ParseSuite(ReadText(file), file, typed.type)});
    }
  }
  if (!single.specs.empty()) suites.push_back(std::move(single));
  return suites;
}

std::filesystem::path FindModel(const WorkloadOptions& options, const std::string& file) {
  if (options.models.empty() || std::filesystem::exists(file)) return file;
  return std::filesystem::path(options.models) / file;
}

WorkloadRun RunWorkload(const WorkloadSpec& spec, const WorkloadOptions& options) {
  const executable::Executable executable = CompileWorkload(spec, options);
  const std::vector<Bytes> inputs = runtime::RandomInputs(executable, options.seed);
  const std::unique_ptr<Device> device = MakeDevice(options.backend, executable.config);
  const Measurement measurement = Measure(*device, executable, inputs, spec.text, options.progress);
  WorkloadRun run;
  run.config = executable.config;
  run.result.name = spec.count == 1 ? spec.text : fmt::format("{} x{}", spec.text, spec.count);
  run.result.report = measurement.report;
  if (options.backend != kReferenceDevice && options.check) {
    run.result.fault = CompareWithGolden(executable, inputs, measurement);
  }
  if (FindDevice(options.backend).abilities.trace) {
    run.estimate = CompareEstimate(executable, measurement);
  }
  return run;
}

nlohmann::ordered_json ToJson(const WorkloadSpec& spec, const WorkloadRun& run) {
  nlohmann::ordered_json json = ToJson(run.config, run.result);
  json["name"] = spec.text;
  json["count"] = spec.count;
  if (run.estimate) json["estimate"] = ToJson(*run.estimate);
  return json;
}

}  // namespace tpu::tools
