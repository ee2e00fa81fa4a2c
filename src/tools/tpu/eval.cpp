// SPDX-License-Identifier: Apache-2.0
// tpu eval: a classifier's accuracy over a set of inputs, also beside that of a reference.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/files.h"
#include "npy/npy.h"
#include "profile/report.h"
#include "tools/devices.h"
#include "tools/format.h"
#include "tools/tpu/command.h"
#include "tools/tpu/flags.h"
#include "tools/tpu/load.h"
#include "tools/tpu/measure.h"
#include "tools/tpu/tensor_file.h"

namespace tpu::tools {
namespace {

struct EvalOptions {
  std::string model;
  std::string inputs;
  std::string labels;
  std::string expected;
  CompileFlags compile;
  std::string backend = kReferenceDevice;
  unsigned jobs = 1;
  std::string report;
};

std::vector<Bytes> ReadFolder(const std::filesystem::path& folder,
                              const executable::TensorBinding& tensor) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".npy") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::vector<Bytes> inputs;
  for (const auto& path : paths) inputs.push_back(ReadTensor(path, tensor));
  return inputs;
}

// One array of several tensors: its first dimension counts them, a batch dimension of 1 may be
// missing from the others.
std::vector<Bytes> Divide(const npy::Array& array, const std::filesystem::path& path,
                          const executable::TensorBinding& tensor) {
  if (npy::TypeName(array.type) != ElementTypeName(tensor.type)) {
    throw Error::Format("{}: has type {}, tensor {} is {}", path.string(),
                        npy::TypeName(array.type), tensor.name, ElementTypeName(tensor.type));
  }
  std::vector<std::int64_t> one = tensor.shape;
  if (!one.empty() && one[0] == 1) one.erase(one.begin());
  const std::vector<std::int64_t> rest(array.shape.begin() + (array.shape.empty() ? 0 : 1),
                                       array.shape.end());
  if (array.shape.empty() || (rest != one && rest != tensor.shape)) {
    throw Error::Format("{}: has shape {}, wanted is the number of inputs and {}", path.string(),
                        ShapeText(array.shape), ShapeText(one));
  }
  std::vector<Bytes> inputs;
  const auto size = static_cast<std::ptrdiff_t>(tensor.Bytes());
  for (auto at = array.bytes.begin(); at != array.bytes.end(); at += size) {
    inputs.emplace_back(at, at + size);
  }
  return inputs;
}

std::vector<Bytes> ReadInputs(const EvalOptions& options, const executable::TensorBinding& tensor) {
  std::vector<Bytes> inputs = std::filesystem::is_directory(options.inputs)
                                  ? ReadFolder(options.inputs, tensor)
                                  : Divide(npy::Read(options.inputs), options.inputs, tensor);
  if (inputs.empty()) throw Error::Format("{}: holds no inputs", options.inputs);
  return inputs;
}

std::vector<std::int64_t> ReadNpyLabels(const std::filesystem::path& path) {
  const npy::Array array = npy::Read(path);
  if (array.type == npy::Type::kFloat32 || array.shape.size() != 1) {
    throw Error::Format("{}: labels should be one dimension of integers", path.string());
  }
  constexpr std::array kTypes = {ElementType::kInt8,  ElementType::kUint8, ElementType::kInt16,
                                 ElementType::kInt32, ElementType::kInt64, ElementType::kFloat32};
  const executable::TensorBinding tensor = {
      .shape = array.shape, .type = kTypes.at(static_cast<std::size_t>(array.type))};
  std::vector<std::int64_t> labels;
  for (std::size_t i = 0; i < static_cast<std::size_t>(array.shape[0]); ++i) {
    labels.push_back(static_cast<std::int64_t>(runtime::ElementOf(tensor, array.bytes, i)));
  }
  return labels;
}

std::vector<std::int64_t> ReadLabels(const std::filesystem::path& path) {
  if (path.extension() == ".npy") return ReadNpyLabels(path);
  std::istringstream text(ReadText(path));
  std::vector<std::int64_t> labels;
  std::string word;
  while (text >> word) {
    std::istringstream number(word);
    std::int64_t label = 0;
    if (!(number >> label) || !number.eof()) {
      throw Error::Format("{}: label {}: \"{}\" is not a number", path.string(), labels.size(),
                          word);
    }
    labels.push_back(label);
  }
  return labels;
}

// What a reference gives for each input, as real numbers: float32, or of the output's own type.
std::vector<std::vector<double>> ReadExpected(const std::filesystem::path& path,
                                              executable::TensorBinding output) {
  const npy::Array array = npy::Read(path);
  if (array.type == npy::Type::kFloat32) output.type = ElementType::kFloat32;
  std::vector<std::vector<double>> expected;
  for (const Bytes& bytes : Divide(array, path, output)) {
    expected.push_back(runtime::RealValues(output, bytes));
  }
  return expected;
}

/// One input's outcome.
struct Answer {
  std::size_t predicted = 0;
  Bytes output;
  std::uint64_t cycles = 0;
  std::uint64_t clock_hz = 0;
};

/// Inputs run by several threads, each with a device of its own.
class Evaluation {
 public:
  Evaluation(const EvalOptions& options, const executable::Executable& executable,
             std::span<const Bytes> inputs)
      : options_(options), executable_(executable), inputs_(inputs), answers_(inputs.size()) {}

  /// In the order of the inputs. Throws Failure naming the first input that did not run.
  std::vector<Answer> Run() {
    {
      std::vector<std::jthread> threads;
      for (unsigned job = 0; job < options_.jobs; ++job) {
        threads.emplace_back([this] { Work(); });
      }
    }
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
    if (error_) RethrowError();
    return std::move(answers_);
  }

 private:
  // Until no input is left, or one of them failed.
  void Work() {
    std::size_t i = 0;
    try {
      const std::unique_ptr<Device> device = MakeDevice(options_.backend, executable_.config);
      while ((i = next_++) < inputs_.size()) {
        const Measurement m =
            Measure(*device, executable_, inputs_.subspan(i, 1), fmt::format("input {}", i));
        answers_[i] = {.predicted = runtime::LargestOf(executable_.outputs[0], m.outputs[0]),
                       .output = m.outputs[0],
                       .cycles = m.report.cycles,
                       .clock_hz = m.report.clock_hz};
        const std::scoped_lock lock(mutex_);
        ++done_;
        if (isatty(STDERR_FILENO) != 0) {
          fmt::print(stderr, "\r\033[K{} of {}", done_, inputs_.size());
        }
      }
    } catch (...) {
      next_ = inputs_.size();
      const std::scoped_lock lock(mutex_);
      if (error_ && failed_ < i) return;
      error_ = std::current_exception();
      failed_ = i;
    }
  }

  [[noreturn]] void RethrowError() const {
    try {
      std::rethrow_exception(error_);
    } catch (const InternalError&) {
      throw;
    } catch (const std::exception& error) {
      throw Failure(fmt::format("{}: input {}: {}", options_.model, failed_, error.what()));
    }
  }

  const EvalOptions& options_;
  const executable::Executable& executable_;
  std::span<const Bytes> inputs_;
  std::vector<Answer> answers_;
  std::atomic<std::size_t> next_ = 0;  // The first input that nobody has taken.
  std::mutex mutex_;                   // Guards the members below.
  std::size_t done_ = 0;
  std::exception_ptr error_;
  std::size_t failed_ = 0;  // The input that `error_` is about.
};

// The answers beside those of a reference: its accuracy, and how far they are from each other.
nlohmann::ordered_json CompareWithReference(const executable::TensorBinding& output,
                                            std::span<const Answer> answers,
                                            std::span<const std::vector<double>> expected,
                                            std::span<const std::int64_t> labels) {
  std::size_t right = 0;
  std::size_t agree = 0;
  double largest = 0;
  double sum = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const auto predicted = static_cast<std::size_t>(
        std::ranges::distance(expected[i].begin(), std::ranges::max_element(expected[i])));
    right += static_cast<std::int64_t>(predicted) == labels[i] ? 1 : 0;
    agree += predicted == answers[i].predicted ? 1 : 0;
    const std::vector<double> values = runtime::RealValues(output, answers[i].output);
    for (std::size_t k = 0; k < expected[i].size(); ++k) {
      const double difference = std::abs(expected[i][k] - values[k]);
      largest = std::max(largest, difference);
      sum += difference;
    }
  }
  const auto count = static_cast<double>(answers.size());
  const double mean = sum / (count * static_cast<double>(expected[0].size()));
  fmt::print("reference: {} of {} right: {:.2f} %; the same class for {}\n", right, answers.size(),
             100.0 * static_cast<double>(right) / count, agree);
  fmt::print("outputs differ from it by {:.3g} at most, by {:.3g} on average\n", largest, mean);
  return {{"right", right},
          {"accuracy", static_cast<double>(right) / count},
          {"agree", agree},
          {"largest_difference", largest},
          {"mean_difference", mean}};
}

int Run(const EvalOptions& options) {
  const executable::Executable executable = LoadExecutable(options.model, options.compile);
  if (executable.inputs.size() != 1 || executable.outputs.size() != 1) {
    throw Error::Format("{}: has {} inputs and {} outputs; a classifier has one of each",
                        options.model, executable.inputs.size(), executable.outputs.size());
  }
  const std::vector<Bytes> inputs = ReadInputs(options, executable.inputs[0]);
  const std::vector<std::int64_t> labels = ReadLabels(options.labels);
  if (labels.size() != inputs.size()) {
    throw Error::Format("{}: {} labels for {} inputs", options.labels, labels.size(),
                        inputs.size());
  }
  std::vector<std::vector<double>> expected;
  if (!options.expected.empty()) {
    expected = ReadExpected(options.expected, executable.outputs[0]);
    if (expected.size() != inputs.size()) {
      throw Error::Format("{}: {} outputs for {} inputs", options.expected, expected.size(),
                          inputs.size());
    }
  }
  const std::vector<Answer> answers = Evaluation(options, executable, inputs).Run();
  std::size_t right = 0;
  runtime::RunReport sum;
  nlohmann::ordered_json predicted = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    right += static_cast<std::int64_t>(answers[i].predicted) == labels[i] ? 1 : 0;
    sum.cycles += answers[i].cycles;
    sum.clock_hz = answers[i].clock_hz;
    predicted.push_back(answers[i].predicted);
  }
  const double accuracy = static_cast<double>(right) / static_cast<double>(answers.size());
  fmt::print("{} of {} right: {:.2f} %\n", right, answers.size(), 100.0 * accuracy);
  nlohmann::ordered_json json = {{"model", options.model},   {"backend", options.backend},
                                 {"inputs", answers.size()}, {"right", right},
                                 {"accuracy", accuracy},     {"cycles", sum.cycles},
                                 {"predicted", predicted}};
  if (sum.clock_hz != 0) {
    json["clock_hz"] = sum.clock_hz;
    json["milliseconds"] = profile::Milliseconds(sum);
    fmt::print("{:.3f} ms an input at {:g} MHz\n",
               profile::Milliseconds(sum) / static_cast<double>(answers.size()),
               static_cast<double>(sum.clock_hz) * 1e-6);
  }
  if (!expected.empty()) {
    json["reference"] = CompareWithReference(executable.outputs[0], answers, expected, labels);
  }
  if (!options.report.empty()) {
    WriteFile(options.report, json.dump(2) + "\n");
  }
  return kDone;
}

}  // namespace

void AddEval(CLI::App& app, Action& action) {
  constexpr unsigned kMostJobs = 256;
  auto options = std::make_shared<EvalOptions>();
  CLI::App& command = *app.add_subcommand("eval", "Measure a classifier's accuracy");
  command.add_option("MODEL", options->model, ".tflite or .onnx model, or .tpu file")->required();
  command
      .add_option("--inputs", options->inputs,
                  "Folder of .npy files, taken in the order of their names, or one .npy file whose "
                  "first dimension counts inputs")
      ->required();
  command
      .add_option("--labels", options->labels,
                  "The right classes: a .npy file of integers or text, one number for each input")
      ->required();
  command.add_option("--expected", options->expected,
                     "Outputs of a reference to compare with, of all inputs in one .npy file: "
                     "float32, or of the output's type");
  AddCompileFlags(command, options->compile);
  AddBackendFlag(command, options->backend);
  AddDeviceFlag(command, options->backend, options->compile);
  command.add_option("--jobs", options->jobs, "Inputs that run at once")
      ->check(CLI::Range(1U, kMostJobs))
      ->capture_default_str();
  command.add_option("--report", options->report, "JSON file to write");
  command.callback([options, &action] { action = [options] { return Run(*options); }; });
}

}  // namespace tpu::tools
