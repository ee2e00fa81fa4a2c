// SPDX-License-Identifier: Apache-2.0
// tpu bench: cycles of single operators and of networks.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "profile/report.h"
#include "tools/devices.h"
#include "tools/format.h"
#include "tools/sim_table.h"
#include "tools/tpu/command.h"
#include "tools/tpu/estimate_table.h"
#include "tools/tpu/flags.h"
#include "tools/tpu/ledger.h"
#include "tools/tpu/targets.h"
#include "tools/tpu/workload_run.h"
#include "tools/tpu/workload_spec.h"

namespace tpu::tools {
namespace {

struct BenchOptions {
  std::vector<std::string> workloads;
  WorkloadOptions run;
  std::string json;
  std::string targets;
  std::string ledger;
  bool update_ledger = false;
  bool skip_missing = false;
  std::optional<double> max_estimate_error;
};

class Bench {
 public:
  explicit Bench(const BenchOptions& options) : options_(options) {}

  /// Returns the cycles of one run; nothing when the model is missing and may be.
  std::optional<std::uint64_t> Run(const WorkloadSpec& spec) {
    if (options_.skip_missing && Missing(spec)) {
      fmt::print("{}: skipped, there is no such file\n", spec.text);
      return std::nullopt;
    }
    WorkloadRun run = RunWorkload(spec, options_.run);
    Result& result = run.result;
    fmt::print("{}{}", TableLine(run.config, result), TimeLine(result.report));
    std::fflush(stdout);
    ++workloads_;
    macs_ += spec.count * result.report.macs;
    cycles_ += spec.count * result.report.cycles;
    json_.push_back(ToJson(spec, run));
    if (run.estimate) {
      estimates_ += EstimateLine(result.name, *run.estimate);
      suite_estimates_.push_back(*run.estimate);
      if (!result.fault) result.fault = EstimateFault(*run.estimate);
    }
    if (result.fault && !fault_) fault_ = result.name + ": " + *result.fault;
    return result.report.cycles;
  }

  void PrintHeading() const {
    fmt::print("{}", TableHeading(options_.run.backend, FindMachine(options_.run.compile.config)));
  }

  /// Prints the sums of the runs since the last call, under this name.
  void PrintTotal(const std::string& name) {
    if (workloads_ > 1) {
      runtime::RunReport total;
      total.macs = macs_;
      total.cycles = cycles_;
      const isa::HardwareConfig& config = FindMachine(options_.run.compile.config);
      fmt::print("{}, as often as given: {} MACs{}\n\n", name, Grouped(macs_),
                 cycles_ == 0 ? ""
                              : fmt::format(", {} cycles, {} of the array's peak", Grouped(cycles_),
                                            Percent(profile::Utilization(config, total))));
    }
    if (suite_estimates_.size() > 1) estimates_ += EstimateTotalLine(name, suite_estimates_);
    workloads_ = macs_ = cycles_ = 0;
    suite_estimates_.clear();
  }

  void PrintEstimates() const {
    if (!estimates_.empty()) fmt::print("{}{}", EstimateHeading(), estimates_);
  }

  [[nodiscard]] const std::optional<std::string>& fault() const { return fault_; }
  [[nodiscard]] const nlohmann::ordered_json& json() const { return json_; }

 private:
  [[nodiscard]] bool Missing(const WorkloadSpec& spec) const {
    const auto* model = std::get_if<ModelSpec>(&spec.kind);
    return model != nullptr && !std::filesystem::exists(FindModel(options_.run, model->file));
  }

  [[nodiscard]] std::optional<std::string> EstimateFault(const EstimateResult& estimate) const {
    if (!options_.max_estimate_error) return std::nullopt;
    const double most = *options_.max_estimate_error / 100.0;
    if (std::abs(estimate.run.Error()) <= most && std::abs(estimate.layer_cycles.Error()) <= most) {
      return std::nullopt;
    }
    return fmt::format("the estimate is more than {} % off", *options_.max_estimate_error);
  }

  const BenchOptions& options_;
  std::uint64_t workloads_ = 0;
  std::uint64_t macs_ = 0;
  std::uint64_t cycles_ = 0;
  std::optional<std::string> fault_;
  std::string estimates_;                        // Lines of the table
  std::vector<EstimateResult> suite_estimates_;  // Since the last total
  nlohmann::ordered_json json_ = nlohmann::ordered_json::array();
};

// How the suite's entries come to be what they are.
std::string UpdateCommand(const BenchOptions& options, const Suite& suite) {
  const std::string& config = options.run.compile.config;
  return fmt::format("tpu bench bench/{}{} --no-check --ledger {} --update-ledger", suite.name,
                     config == CompileFlags().config ? "" : " --config " + config, options.ledger);
}

// Throws Failure, naming every difference, when the suite's cycles are not the ledger's.
void CompareWithLedger(const BenchOptions& options, const Ledger& ledger, const Suite& suite,
                       const SuiteCycles& cycles) {
  const std::vector<std::string> differences = ledger.Differences(suite, cycles);
  if (differences.empty()) return;
  throw Failure(fmt::format("{}\nif that is meant, commit what this writes: {}",
                            fmt::join(differences, "\n"), UpdateCommand(options, suite)));
}

// Looks for what the targets speak of among the suites' cycles.
void MeasureTargets(const std::vector<Suite>& suites, const std::vector<SuiteCycles>& cycles,
                    std::vector<Target>& targets) {
  for (Target& target : targets) {
    for (std::size_t i = 0; i < suites.size(); ++i) {
      if (!target.suite.empty() && target.suite == suites[i].name) {
        target.cycles = Total(suites[i], cycles[i]);
      }
      const auto found = cycles[i].find(target.workload);
      if (found != cycles[i].end()) target.cycles = found->second;
    }
  }
}

int Run(const BenchOptions& options) {
  const std::vector<Suite> suites = ReadSuites(options.workloads);
  if (!options.ledger.empty() && !suites.empty() && suites.back().name.empty()) {
    throw Error("--ledger: holds suites, no single workloads");
  }
  std::optional<Ledger> ledger;
  if (!options.ledger.empty()) ledger.emplace(options.ledger, options.run.compile.config);
  std::vector<Target> targets;
  if (!options.targets.empty()) targets = ReadTargets(options.targets);
  Bench bench(options);
  bench.PrintHeading();
  std::vector<SuiteCycles> cycles(suites.size());
  for (std::size_t i = 0; i < suites.size(); ++i) {
    for (const WorkloadSpec& spec : suites[i].specs) {
      if (const auto run = bench.Run(spec)) cycles[i][spec.text] = *run;
    }
    bench.PrintTotal(suites[i].name.empty() ? "all" : suites[i].name);
  }
  bench.PrintEstimates();
  MeasureTargets(suites, cycles, targets);
  if (!targets.empty()) fmt::print("{}", TargetTable(targets));
  if (!options.json.empty()) {
    const nlohmann::ordered_json json = {{"workloads", bench.json()}, {"targets", ToJson(targets)}};
    WriteFile(options.json, json.dump(2) + "\n");
  }
  if (bench.fault()) throw Failure(*bench.fault());
  for (std::size_t i = 0; ledger && i < suites.size(); ++i) {
    if (options.update_ledger) {
      ledger->Update(suites[i], cycles[i]);
      ledger->Write();
    } else {
      CompareWithLedger(options, *ledger, suites[i], cycles[i]);
    }
  }
  return kDone;
}

}  // namespace

void AddBench(CLI::App& app, Action& action) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App& command = *app.add_subcommand("bench", "Measure workloads");
  command
      .add_option(
          "WORKLOAD", options->workloads,
          "matmul:MxKxN, conv:HxWxC:k3:s1:p1:OC, dw:HxWxC:k3:s1:p1, maxpool: or avgpool: as dw:, "
          "add:HxWxC, mobilenetv2:HxW:w100, attention:TxC:h4, encoder:TxC:h4:f1024, model:FILE, or "
          "the file of a suite (bench/). Behind any but a model, :float32 or :bfloat16 makes its "
          "activations floating-point numbers instead of int8")
      ->required();
  AddCompileFlags(command, options->run.compile);
  AddBackendFlag(command, options->run.backend);
  AddDeviceFlag(command, options->run.backend, options->run.compile);
  command.add_option("--seed", options->run.seed, "Seed of the random data")->capture_default_str();
  command.add_flag("!--no-check", options->run.check,
                   "Do not compare outputs with the golden model's");
  command
      .add_option("--models", options->run.models, "Folder where model files are looked for, too")
      ->envname("TPU_MODELS_DIR");
  command.add_option("--json", options->json, "JSON file to write");
  command.add_option("--max-estimate-error", options->max_estimate_error,
                     "Fail where the performance model's estimate for a workload or a layer is off "
                     "by more than so many percent");
  command.add_option(
      "--targets", options->targets,
      "JSON file of what workloads should reach (bench/targets.json); print a table");
  CLI::Option* ledger = command.add_option(
      "--ledger", options->ledger,
      "JSON file of the suites' cycles (bench/cycles.json); fail where they differ");
  command.add_flag("--update-ledger", options->update_ledger, "Write the ledger instead")
      ->needs(ledger);
  command.add_flag("--skip-missing", options->skip_missing,
                   "Pass over models whose files are missing, by name");
  command.callback([options, &action] { action = [options] { return Run(*options); }; });
}

}  // namespace tpu::tools
