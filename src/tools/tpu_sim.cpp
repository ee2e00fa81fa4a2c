// SPDX-License-Identifier: Apache-2.0
// `make sim`: known workloads, a network that reads digits and one that learns to on the simulated
// machines, every result compared with the golden model's.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "compiler/compile.h"
#include "devices/rtl/machines.h"
#include "profile/measure.h"
#include "sdk/read.h"
#include "tools/devices.h"
#include "tools/digit_training.h"
#include "tools/digit_view.h"
#include "tools/progress.h"
#include "tools/sim_table.h"
#include "training/history.h"
#include "workloads/digits.h"
#include "workloads/workload.h"

namespace tpu::tools {
namespace {

using runtime::Bytes;

constexpr int kWrongResult = 1;
constexpr int kBadUsage = 2;
constexpr const char* kDigitsName = "digits network";
constexpr const char* kTrainingName = "training on digits";
constexpr std::size_t kDrawn = 6;

struct Options {
  bool list = false;
  std::string only;
  std::string json_file;
  std::string backend = kDefaultDevice;
  std::uint64_t seed = 1;
  std::string digits_directory = TPU_SOURCE_DIR "/models/digits";
  std::size_t images = 100;
  std::optional<std::uint64_t> steps;
};

class Simulator {
 public:
  explicit Simulator(const Options& options) : options_(options) {
    device_ = MakeDevice(options.backend, config_);
  }

  [[nodiscard]] const isa::HardwareConfig& config() const { return config_; }
  [[nodiscard]] const std::vector<Result>& results() const { return results_; }
  [[nodiscard]] nlohmann::ordered_json Json() const {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const Result& result : results_) json.push_back(ToJson(config_, result));
    return json;
  }

  [[nodiscard]] executable::Executable Compile(const ir::Graph& graph) const {
    return compiler::Compile(graph, config_);
  }

  /// Runs a network on each of `inputs`, compares and prints a line of the table. Returns the
  /// outputs of each run.
  std::vector<std::vector<Bytes>> Run(const std::string& name,
                                      const executable::Executable& executable,
                                      const std::vector<std::vector<Bytes>>& inputs) {
    const std::unique_ptr<Device> golden = MakeDevice(kReferenceDevice, config_);
    profile::Runner reference(*golden, executable);
    profile::Runner runner(*device_, executable);
    Result result;
    result.name = name;
    std::vector<std::vector<Bytes>> outputs;
    {
      ProgressLine line(name);
      for (const std::vector<Bytes>& tensors : inputs) {
        const auto progress = [&line, before = result.report.cycles](std::uint64_t cycles) {
          line.Update(before + cycles);
        };
        profile::Measurement actual = runner.Run(tensors, {.progress = progress});
        Add(executable, reference.Run(tensors), actual, result);
        outputs.push_back(std::move(actual.outputs));
      }
    }
    fmt::print("{}", TableLine(config_, result));
    std::fflush(stdout);
    results_.push_back(std::move(result));
    return outputs;
  }

  void PrintHeading() const { fmt::print("{}", TableHeading(options_.backend, config_)); }

 private:
  /// One run to the sum of all, and what is wrong with the run.
  static void Add(const executable::Executable& executable, const profile::Measurement& expected,
                  const profile::Measurement& actual, Result& sum) {
    const runtime::RunReport& report = actual.report;
    training::Add(sum.report, report);
    if (!sum.fault) {
      sum.fault = profile::OutputFault(executable, expected.outputs, actual.outputs);
    }
    if (!sum.fault) sum.fault = profile::CounterFault(report);
  }

  const Options& options_;
  std::unique_ptr<Device> device_;
  const isa::HardwareConfig config_ = devices::kN16.config;
  std::vector<Result> results_;
};

bool Selected(const Options& options, const std::string& name) {
  return name.find(options.only) != std::string::npos;
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const workloads::NamedWorkload& w : workloads::StandardWorkloads()) names.push_back(w.name);
  names.emplace_back(kDigitsName);
  names.emplace_back(kTrainingName);
  return names;
}

void RunDigits(Simulator& simulator, const Options& options) {
  const ir::Graph network = sdk::LoadGraph(options.digits_directory + "/digits.tflite");
  std::vector<workloads::Digit> digits =
      workloads::LoadDigits(options.digits_directory + "/testset.json");
  digits.resize(std::min(digits.size(), options.images));
  std::vector<std::vector<Bytes>> inputs;
  for (const workloads::Digit& digit : digits) {
    const std::vector<std::int8_t> values =
        QuantizeDigit(digit, network.tensors.at(network.inputs.at(0)));
    inputs.push_back(runtime::BytesOf({{values}}));
  }
  const executable::Executable executable = simulator.Compile(network);
  std::vector<int> predicted;
  std::size_t right = 0;
  for (const std::vector<Bytes>& outputs : simulator.Run(kDigitsName, executable, inputs)) {
    const auto digit =
        static_cast<int>(runtime::LargestOf(executable.outputs.at(0), outputs.at(0)));
    right += digit == digits[predicted.size()].label ? 1 : 0;
    predicted.push_back(digit);
  }
  const std::size_t drawn = std::min(kDrawn, digits.size());
  fmt::print("\n{}\n{} of {} handwritten digits read correctly\n",
             DrawDigits(std::span(digits).first(drawn), predicted), right, digits.size());
}

/// A run of training, and what `--json` says of it.
struct Trained {
  Result result;
  nlohmann::ordered_json json;
};

Result ResultOf(const DigitTrainingRun& expected, const DigitTrainingRun& actual) {
  Result result = {.name = kTrainingName,
                   .report = actual.history.cost,
                   .fault = TrainingFault(expected, actual)};
  training::Add(result.report, actual.history.evaluation_cost);
  if (!result.fault) result.fault = profile::CounterFault(result.report);
  return result;
}

void PrintTraining(const DigitTraining& training, const DigitTrainingRun& run) {
  const std::span<const workloads::Digit> tests = training.tests();
  const std::vector<int> predicted = DigitsOf(run.scores);
  // Others than those that the network before has read.
  const std::size_t drawn = std::min(kDrawn, predicted.size() - std::min(kDrawn, predicted.size()));
  fmt::print("\n{}\n{}", DrawTraining(training, run),
             DrawDigits(tests.subspan(kDrawn, drawn), std::span(predicted).subspan(kDrawn)));
  if (run.history.evaluations.empty()) return;
  const training::Evaluation& last = run.history.evaluations.back();
  fmt::print("{} of {} handwritten digits read correctly after {} steps from random weights\n",
             std::lround(last.value * static_cast<double>(tests.size())), tests.size(), last.step);
}

Trained RunTraining(const Options& options) {
  const isa::HardwareConfig config = FindMachine("N16-bf16");
  const DigitTraining training(
      {.directory = options.digits_directory, .seed = options.seed, .steps = options.steps},
      config);
  const std::unique_ptr<Device> device = MakeDevice(options.backend, config);
  const std::unique_ptr<Device> golden = MakeDevice(kReferenceDevice, config);
  fmt::print("\n{}", TableHeading(options.backend, config));
  std::fflush(stdout);
  DigitTrainingRun run;
  {
    StatusLine line;
    run = training.Run(*device, [&](const training::History& history, std::uint64_t cycles) {
      if (!line.Due()) return;
      const std::uint64_t all = history.cost.cycles + history.evaluation_cost.cycles + cycles;
      line.Show(fmt::format("{}: step {} of {}, {:.1f} million cycles, {:.0f} thousand per second",
                            kTrainingName, history.Steps() + 1, training.settings().steps,
                            static_cast<double>(all) * 1e-6,
                            static_cast<double>(all) * 1e-3 / line.Seconds()));
    });
  }
  Trained trained = {.result = ResultOf(training.Run(*golden, {}), run), .json = {}};
  fmt::print("{}", TableLine(config, trained.result));
  PrintTraining(training, run);
  trained.json = ToJson(config, trained.result);
  trained.json["training"] = training.Report(options.backend, run);
  return trained;
}

int RunAll(const Options& options) {
  Simulator simulator(options);
  const std::vector<workloads::NamedWorkload> workloads = workloads::StandardWorkloads();
  const bool digits = Selected(options, kDigitsName);
  if (digits || std::ranges::any_of(workloads, [&](const workloads::NamedWorkload& named) {
        return Selected(options, named.name);
      })) {
    simulator.PrintHeading();
  }
  for (const workloads::NamedWorkload& named : workloads) {
    if (!Selected(options, named.name)) continue;
    const workloads::Workload workload = named.make(options.seed);
    simulator.Run(named.name, simulator.Compile(workload.graph),
                  {runtime::BytesOf(workload.inputs)});
  }
  if (digits) RunDigits(simulator, options);
  nlohmann::ordered_json json = simulator.Json();
  std::vector<Result> results = simulator.results();
  if (Selected(options, kTrainingName)) {
    Trained trained = RunTraining(options);
    json.push_back(std::move(trained.json));
    results.push_back(std::move(trained.result));
  }
  if (!options.json_file.empty()) WriteFile(options.json_file, json.dump(2) + "\n");

  int status = 0;
  for (const Result& result : results) {
    if (!result.fault) continue;
    fmt::print(stderr, "tpu_sim: {}: {}\n", result.name, *result.fault);
    status = kWrongResult;
  }
  if (status == 0) {
    fmt::print("\nEvery result is the golden model's.\n");
  }
  return status;
}

int Main(int argc, char** argv) {
  RegisterDevices();
  Options options;
  CLI::App app("Runs known workloads on the simulated TPU and checks every result.");
  app.add_flag("--list", options.list, "List the workloads and exit");
  app.add_option("--only", options.only, "Run only workloads whose name contains this");
  app.add_option("--json", options.json_file, "Write the table to this file");
  app.add_option("--backend", options.backend, "What runs the programs")
      ->check(CLI::IsMember(DeviceNames()))
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Seed of the random data")->capture_default_str();
  app.add_option("--digits", options.digits_directory,
                 "Folder of the digits network and the images")
      ->check(CLI::ExistingDirectory);
  app.add_option("--images", options.images, "Digits that the digits network reads")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--steps", options.steps, "Steps of training")->check(CLI::PositiveNumber);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kBadUsage;
  }
  const std::vector<std::string> names = Names();
  if (options.list) {
    for (const std::string& name : names) fmt::print("{}\n", name);
    return 0;
  }
  if (std::ranges::none_of(names, [&](const auto& name) { return Selected(options, name); })) {
    fmt::print(stderr, "tpu_sim: no workload's name contains \"{}\"; see --list\n", options.only);
    return kBadUsage;
  }
  return RunAll(options);
}

}  // namespace
}  // namespace tpu::tools

int main(int argc, char** argv) {
  try {
    return tpu::tools::Main(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tpu_sim: {}\n", error.what());
    return tpu::tools::kWrongResult;
  }
}
