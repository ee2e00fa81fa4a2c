// SPDX-License-Identifier: Apache-2.0
#include "tools/digit_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstddef>
#include <numeric>
#include <utility>

#include "tools/curve.h"
#include "training/byte_values.h"
#include "training/device_machine.h"
#include "training/initialise.h"
#include "training/report.h"
#include "training/trainer.h"
#include "workloads/networks.h"

namespace tpu::tools {
namespace {

using workloads::Digit;

constexpr std::int64_t kPixels = workloads::kDigitSize * workloads::kDigitSize;
constexpr std::int64_t kHidden = 64;
constexpr std::int64_t kClasses = 10;
constexpr std::uint64_t kEpochs = 6;
constexpr const char* kNetwork = "mlp:64x64x10";

training::Settings SettingsOf(const DigitTrainingOptions& options) {
  return {.optimizer = tensor::Momentum{},
          .learning_rate = 0.2,
          .schedule = training::Schedule::kCosine,
          .batch = 64,
          .seed = options.seed,
          .config = "N16-bf16"};
}

template <typename T>
training::NamedArray ArrayOf(const std::string& name, npy::Type type,
                             std::vector<std::int64_t>&& shape, const std::vector<T>& values) {
  return {name,
          {.type = type, .shape = std::move(shape), .bytes = training::BytesOfValues(values)}};
}

// Pixels from 0 to 1.
training::Examples ExamplesOf(const std::string& file, std::span<const Digit> digits,
                              const training::ExampleType& type) {
  constexpr float kWhite = 16.0F;
  std::vector<float> inputs;
  std::vector<std::int32_t> labels;
  for (const Digit& digit : digits) {
    for (const std::uint8_t pixel : digit.pixels) {
      inputs.push_back(static_cast<float>(pixel) / kWhite);
    }
    labels.push_back(digit.label);
  }
  const auto count = static_cast<std::int64_t>(digits.size());
  return {ArrayOf(file, npy::Type::kFloat32, {count, kPixels}, inputs),
          ArrayOf(file, npy::Type::kInt32, {count}, labels), type};
}

std::string AtStep(std::size_t step, const std::string& what) {
  return fmt::format("step {}: {}", step + 1, what);
}

}  // namespace

DigitTraining::DigitTraining(const DigitTrainingOptions& options, const isa::HardwareConfig& config)
    : config_(config), settings_(SettingsOf(options)) {
  const ir::Graph graph = workloads::Mlp({kPixels, kHidden, kClasses}, options.seed);
  network_ = tensor::FromTflite(graph, {.batch = settings_.batch});
  training::Initialise(graph, options.seed, network_);
  step_ = tensor::MakeTrainStep(network_.model, {.optimizer = settings_.optimizer});
  executables_ = compiler::CompileTraining(network_.model, step_, config);

  const training::ExampleType type = training::ExampleTypeOf(network_.model, step_);
  const std::string train_file = options.directory + "/trainset.json";
  const std::string test_file = options.directory + "/testset.json";
  examples_.emplace(ExamplesOf(train_file, workloads::LoadDigits(train_file), type));
  tests_ = workloads::LoadDigits(test_file);
  test_examples_.emplace(ExamplesOf(test_file, tests_, type));
  steps_per_epoch_ = static_cast<std::uint64_t>(examples_->count() / settings_.batch);
  settings_.steps = options.steps.value_or(kEpochs * steps_per_epoch_);
}

DigitTrainingRun DigitTraining::Run(runtime::Device& device, const Progress& progress) const {
  const auto start = std::chrono::steady_clock::now();
  DigitTrainingRun run;
  const training::Trainer* running = nullptr;
  training::DeviceMachine machine(device, executables_, step_, network_.model.parameters.size(),
                                  training::DataInput(network_.model),
                                  {.progress = [&](std::uint64_t cycles) {
                                    if (progress && running != nullptr)
                                      progress(running->history(), cycles);
                                  }});
  training::Trainer trainer(settings_, machine, *examples_, &*test_examples_, {}, {});
  running = &trainer;
  if (trainer.Run({}) == training::Ending::kDiverged) {
    run.divergence = AtStep(trainer.divergence()->step - 1, "numbers that are not finite");
  }
  run.history = trainer.history();
  std::vector<std::int64_t> first(static_cast<std::size_t>(settings_.batch));
  std::iota(first.begin(), first.end(), 0);
  training::PredictRun last = machine.Predict(test_examples_->Inputs(first));
  training::Add(run.history.evaluation_cost, last.report);
  run.scores = std::move(last.prediction);
  run.state = machine.State();
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return run;
}

nlohmann::ordered_json DigitTraining::Report(const std::string& backend,
                                             const DigitTrainingRun& run) const {
  std::uint64_t parameters = 0;
  for (const tensor::Parameter& parameter : network_.model.parameters) {
    parameters += parameter.initial.size();
  }
  return training::Report({.model = kNetwork,
                           .backend = backend,
                           .config = config_,
                           .parameters = parameters,
                           .examples = examples_->count(),
                           .test_examples = test_examples_->count(),
                           .steps_per_epoch = steps_per_epoch_,
                           .ending = run.divergence.empty() ? "done" : "diverged",
                           .divergence = run.divergence,
                           .seconds = run.seconds,
                           .steps_here = run.history.Steps()},
                          settings_, run.history);
}

std::optional<std::string> TrainingFault(const DigitTrainingRun& expected,
                                         const DigitTrainingRun& actual) {
  if (!actual.divergence.empty()) return actual.divergence;
  const training::History& right = expected.history;
  const training::History& history = actual.history;
  if (history.Steps() != right.Steps()) {
    return fmt::format("{} steps, expected {}", history.Steps(), right.Steps());
  }
  for (std::size_t i = 0; i < right.losses.size(); ++i) {
    if (std::bit_cast<std::uint32_t>(history.losses[i]) !=
        std::bit_cast<std::uint32_t>(right.losses[i])) {
      return AtStep(i, fmt::format("loss {}, expected {}", history.losses[i], right.losses[i]));
    }
    if (history.weights_crc32[i] != right.weights_crc32[i]) {
      return AtStep(i, fmt::format("CRC-32 of the weights {:08x}, expected {:08x}",
                                   history.weights_crc32[i], right.weights_crc32[i]));
    }
  }
  if (actual.state != expected.state) return "the optimiser's state differs";
  if (history.evaluations != right.evaluations) return "the accuracy differs";
  if (!std::ranges::equal(actual.scores, expected.scores, {}, std::bit_cast<std::uint32_t, float>,
                          std::bit_cast<std::uint32_t, float>)) {
    return "scores of the trained network differ";
  }
  return std::nullopt;
}

std::vector<int> DigitsOf(std::span<const float> scores) {
  std::vector<int> digits;
  for (std::size_t first = 0; first < scores.size(); first += kClasses) {
    const auto row = scores.subspan(first, kClasses);
    digits.push_back(static_cast<int>(std::ranges::max_element(row) - row.begin()));
  }
  return digits;
}

std::string DrawTraining(const DigitTraining& training, const DigitTrainingRun& run) {
  const training::History& history = run.history;
  std::string text = fmt::format("loss of {} steps, {} images each\n{}", history.Steps(),
                                 training.settings().batch, DrawCurve(history.losses));
  text += "new images read correctly after step";
  for (const training::Evaluation& evaluation : history.evaluations) {
    text += fmt::format(" {}: {:.1f} %,", evaluation.step, 100 * evaluation.value);
  }
  text.back() = '\n';
  return text;
}

}  // namespace tpu::tools
