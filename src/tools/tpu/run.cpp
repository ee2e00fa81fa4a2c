// SPDX-License-Identifier: Apache-2.0
// tpu run: a network from file to results.
#include <fmt/core.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "executable/executable_file.h"
#include "sdk/read.h"
#include "tools/devices.h"
#include "tools/sim_table.h"
#include "tools/tpu/command.h"
#include "tools/tpu/flags.h"
#include "tools/tpu/html_report.h"
#include "tools/tpu/intermediates.h"
#include "tools/tpu/layer_table.h"
#include "tools/tpu/load.h"
#include "tools/tpu/measure.h"
#include "tools/tpu/tensor_file.h"
#include "tools/tpu/timeline.h"

namespace tpu::tools {
namespace {

struct RunOptions {
  std::string model;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<std::string> expected;
  CompileFlags compile;
  std::string backend = kDefaultDevice;
  std::uint64_t seed = 1;
  bool check = true;
  std::string report;
  std::string timeline;
  std::string html;
  std::string wave;
  std::string manifest;
  std::string manifest_case = "0";
};

// Of files for each run.
using Runs = std::vector<std::vector<Bytes>>;

// How many runs in a row the files on the command line are for. Without any: one.
std::size_t CountRuns(const RunOptions& options, const executable::Executable& executable) {
  const std::size_t given = options.inputs.size();
  const std::size_t wanted = executable.inputs.size();
  if (given == 0) return 1;
  if (wanted == 0 || given % wanted != 0) {
    throw Error::Format("--input: given {} times, {} has {}", given, options.model, wanted);
  }
  return given / wanted;
}

void RequireCount(const char* option, std::size_t given, std::size_t wanted, std::size_t runs,
                  const std::string& model) {
  if (given == 0 || given == wanted * runs) return;
  throw Error::Format("{}: given {} times, {} has {}{}", option, given, model, wanted,
                      runs == 1 ? "" : fmt::format(" in each of {} runs", runs));
}

// The tensors of all runs.
Runs ReadRuns(const std::vector<std::string>& files,
              const std::vector<executable::TensorBinding>& tensors, std::size_t count) {
  Runs runs(count);
  for (std::size_t i = 0; i < files.size(); ++i) {
    runs[i / tensors.size()].push_back(ReadTensor(files[i], tensors[i % tensors.size()]));
  }
  return runs;
}

Runs Inputs(const RunOptions& options, const executable::Executable& executable,
            std::size_t count) {
  if (options.inputs.empty()) return {runtime::RandomInputs(executable, options.seed)};
  return ReadRuns(options.inputs, executable.inputs, count);
}

std::optional<std::string> Fault(const RunOptions& options,
                                 const executable::Executable& executable, const Runs& inputs,
                                 const Runs& expected,
                                 const std::vector<Measurement>& measurements) {
  const std::size_t outputs = executable.outputs.size();
  for (std::size_t i = 0; i < options.expected.size(); ++i) {
    const std::size_t run = i / outputs;
    const std::size_t output = i % outputs;
    const auto difference = runtime::FirstDifference(
        executable.outputs[output], expected[run][output], measurements[run].outputs[output]);
    if (difference) return "output " + *difference + " (" + options.expected[i] + ")";
  }
  if (options.backend == kReferenceDevice || !options.check) return std::nullopt;
  return CompareWithGolden(executable, inputs, measurements);
}

std::optional<std::string> CheckIntermediates(const RunOptions& options, Device& device,
                                              const std::vector<Bytes>& inputs) {
  const ir::Graph graph = sdk::LoadGraph(options.model);
  compiler::CompileOptions compile = options.compile.Options();
  compile.keep_intermediates = true;
  const executable::Executable executable =
      compiler::Compile(graph, FindMachine(options.compile.config), compile);
  const Measurement measurement =
      Measure(device, executable, inputs, options.model + " with intermediates");
  const IntermediatesResult result = CompareIntermediates(options.manifest, options.manifest_case,
                                                          graph, executable, measurement.outputs);
  if (!result.difference.empty()) return result.difference;
  fmt::print("{} operators compute what {} says\n", result.compared, options.manifest);
  return std::nullopt;
}

void WriteOutputs(const RunOptions& options, const executable::Executable& executable,
                  const std::vector<Measurement>& measurements) {
  const std::size_t outputs = executable.outputs.size();
  for (std::size_t i = 0; i < options.outputs.size(); ++i) {
    WriteTensor(options.outputs[i], executable.outputs[i % outputs],
                measurements[i / outputs].outputs[i % outputs]);
  }
}

nlohmann::ordered_json Report(const RunOptions& options, const executable::Executable& executable,
                              const Measurement& measurement,
                              const std::optional<std::string>& fault) {
  nlohmann::ordered_json json;
  json["model"] = options.model;
  json["backend"] = options.backend;
  json["rounding"] = options.compile.rounding;
  json.update(RunJson(executable, measurement, fault));
  return json;
}

void WriteReports(const RunOptions& options, const executable::Executable& executable,
                  const Measurement& measurement, const std::optional<std::string>& fault) {
  using Json = nlohmann::ordered_json;
  const Json report = Report(options, executable, measurement, fault);
  if (!options.report.empty()) {
    WriteFile(options.report, report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  }
  if (options.timeline.empty() && options.html.empty()) return;
  const std::vector<Track> tracks = Timeline(executable, executable::Programs(executable),
                                             measurement.report.course, measurement.trace);
  if (!options.timeline.empty()) WriteFile(options.timeline, ChromeTrace(executable, tracks));
  if (!options.html.empty()) WriteFile(options.html, HtmlReport(report, executable, tracks));
}

void RequireAbilities(const RunOptions& options) {
  const auto require = [&](const char* option, const std::string& file,
                           bool DeviceAbilities::*ability, const char* what) {
    if (!file.empty()) RequireAbility(option, options.backend, ability, what);
  };
  require("--timeline", options.timeline, &DeviceAbilities::trace, "trace of instructions");
  require("--html", options.html, &DeviceAbilities::trace, "trace of instructions");
  require("--wave", options.wave, &DeviceAbilities::waves, "signals");
}

int Run(const RunOptions& options) {
  const executable::Executable executable = LoadExecutable(options.model, options.compile);
  const std::size_t runs = CountRuns(options, executable);
  const Runs inputs = Inputs(options, executable, runs);
  RequireCount("--expect", options.expected.size(), executable.outputs.size(), runs, options.model);
  const Runs expected = ReadRuns(options.expected, executable.outputs, runs);
  RequireCount("--output", options.outputs.size(), executable.outputs.size(), runs, options.model);
  RequireAbilities(options);
  const std::unique_ptr<Device> device =
      MakeDevice(options.backend, executable.config, {.wave_file = options.wave});

  const std::vector<Measurement> measurements =
      MeasureRuns(*device, executable, inputs, options.model);
  const Measurement& last = measurements.back();
  fmt::print("{}{}", LayerTable(executable, last), TimeLine(last.report));
  std::optional<std::string> fault = Fault(options, executable, inputs, expected, measurements);
  if (!options.manifest.empty()) {
    if (const auto difference = CheckIntermediates(options, *device, inputs.front())) {
      fault = difference;
    }
  }
  WriteOutputs(options, executable, measurements);
  WriteReports(options, executable, last, fault);
  if (fault) throw Failure(options.model + ": " + *fault);
  return kDone;
}

}  // namespace

void AddRun(CLI::App& app, Action& action) {
  auto options = std::make_shared<RunOptions>();
  CLI::App& command = *app.add_subcommand("run", "Run a network");
  command.add_option("MODEL", options->model, ".tflite or .onnx model, or .tpu file")->required();
  command.add_option("--input", options->inputs,
                     ".npy file, once for each input in the model's order (default: random data); "
                     "further ones are for further runs, which take over the model's variables");
  command.add_option("--output", options->outputs,
                     ".npy file to write, once for each output of each run");
  command.add_option("--expect", options->expected,
                     ".npy file that the output must equal, once for each output of each run");
  AddCompileFlags(command, options->compile);
  AddBackendFlag(command, options->backend);
  AddDeviceFlag(command, options->backend, options->compile);
  command.add_option("--seed", options->seed, "Seed of the random data")->capture_default_str();
  command.add_flag("!--no-check", options->check, "Do not compare outputs with the golden model's");
  command.add_option("--report", options->report, "JSON file to write");
  command.add_option("--timeline", options->timeline,
                     "JSON file to write: what each unit did when, for ui.perfetto.dev");
  command.add_option("--html", options->html,
                     "HTML file to write: report, roofline and timeline as one page");
  command.add_option("--wave", options->wave, "FST file to record the device's signals in (slow)");
  command.add_option("--check-intermediates", options->manifest,
                     "JSON file of CRC-32s: name the first operator whose output differs");
  command.add_option("--case", options->manifest_case, "Case of that file to compare with")
      ->capture_default_str();
  command.callback([options, &action] { action = [options] { return Run(*options); }; });
}

}  // namespace tpu::tools
