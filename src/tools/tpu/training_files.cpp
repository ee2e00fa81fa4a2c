// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/training_files.h"

#include <cstddef>
#include <filesystem>
#include <utility>
#include <variant>

#include "base/error.h"
#include "base/files.h"
#include "frontends/tflite/replace.h"
#include "sdk/read.h"
#include "training/byte_values.h"
#include "training/initialise.h"

namespace tpu::tools {
namespace {

constexpr double kUsualRate = 0.01;
constexpr double kUsualRateOfAdam = 0.001;

}  // namespace

std::uint64_t TrainedModel::Numbers() const {
  std::uint64_t numbers = 0;
  for (const tensor::Parameter& parameter : tensors.model.parameters) {
    numbers += parameter.initial.size();
  }
  return numbers;
}

training::Settings SettingsOf(const TrainFlags& flags) {
  training::Settings settings;
  settings.loss =
      flags.loss == "mse" ? tensor::Loss::kMeanSquaredError : tensor::Loss::kCrossEntropy;
  settings.optimizer = training::OptimizerOf(flags.optimizer);
  auto* const momentum = std::get_if<tensor::Momentum>(&settings.optimizer);
  auto* const adam = std::get_if<tensor::Adam>(&settings.optimizer);
  if (flags.momentum) {
    if (momentum == nullptr) throw Error("--momentum belongs to --optimizer momentum");
    momentum->momentum = *flags.momentum;
  }
  if (flags.weight_decay) {
    if (adam == nullptr) throw Error("--weight-decay belongs to --optimizer adam");
    adam->weight_decay = *flags.weight_decay;
  }
  settings.learning_rate =
      flags.learning_rate.value_or(adam != nullptr ? kUsualRateOfAdam : kUsualRate);
  settings.schedule = training::ScheduleOf(flags.schedule);
  settings.batch = flags.batch;
  settings.accumulate = flags.accumulate;
  settings.seed = flags.seed;
  settings.also_trained = flags.also_trained;
  settings.config = flags.config;
  return settings;
}

void RequireFolders(const TrainFlags& flags) {
  namespace fs = std::filesystem;
  for (const std::string* file : {&flags.output, &flags.checkpoint, &flags.report, &flags.html}) {
    if (file->empty()) continue;
    const fs::path folder = fs::absolute(*file).parent_path();
    if (!fs::is_directory(folder)) {
      throw Error::Format("{}: cannot be written: there is no folder {}", *file, folder.string());
    }
    if (fs::is_directory(*file)) {
      throw Error::Format("{}: cannot be written: it is a folder", *file);
    }
    // These two take the place of a file that was there before.
    const bool replaced = file == &flags.output || file == &flags.checkpoint;
    if (replaced && fs::exists(*file) && !fs::is_regular_file(*file)) {
      throw Error::Format("{}: cannot be replaced: it is no regular file", *file);
    }
  }
}

TrainedModel ReadModel(const TrainFlags& flags, const training::Settings& settings) {
  TrainedModel model;
  model.file = ReadBytes(flags.model);
  model.graph = sdk::ReadGraph(model.file, flags.model);
  try {
    model.tensors = tensor::FromTflite(model.graph,
                                       {.batch = settings.batch, .trained = settings.also_trained});
    if (model.parameters() == 0) throw Error("has nothing to train");
    if (flags.initialise) training::Initialise(model.graph, settings.seed, model.tensors);
    model.step = tensor::MakeTrainStep(model.tensors.model, {.loss = settings.loss,
                                                             .optimizer = settings.optimizer,
                                                             .micro_batches = settings.accumulate});
    training::DataInput(model.tensors.model);
  } catch (const Error& error) {
    throw Error::Format("{}: {}", flags.model, error.what());
  }
  return model;
}

training::Bytes WithWeights(const TrainedModel& model, const std::string& file,
                            const std::vector<training::Bytes>& weights) {
  std::vector<tflite::NewConstant> constants;
  for (std::size_t i = 0; i < model.parameters(); ++i) {
    constants.push_back({.tensor = model.tensors.tensors[i], .bytes = weights.at(i)});
  }
  return tflite::ReplaceConstants(model.file, file, constants);
}

std::vector<training::Bytes> InitialWeights(const TrainedModel& model) {
  std::vector<training::Bytes> weights;
  for (const tensor::Parameter& parameter : model.tensors.model.parameters) {
    weights.push_back(training::BytesOfValues(parameter.initial));
  }
  return weights;
}

training::Checkpoint EmptyCheckpoint(const TrainedModel& model, const training::Settings& settings,
                                     const training::Examples& examples) {
  training::Checkpoint checkpoint = {.model_crc32 = training::Crc32(model.file),
                                     .examples_crc32 = examples.crc32(),
                                     .options = training::LastingOptions(settings)};
  for (const tensor::StateTensor& tensor : model.step.state) {
    const auto size = static_cast<std::size_t>(tensor.type.Elements()) * sizeof(float);
    checkpoint.state.push_back(
        {.name = tensor.name, .shape = tensor.type.shape, .bytes = training::Bytes(size)});
  }
  return checkpoint;
}

training::Checkpoint ReadCheckpoint(const TrainFlags& flags, const training::Settings& settings,
                                    const training::Checkpoint& expected) {
  training::Checkpoint found = training::ParseCheckpoint(ReadBytes(flags.resume), flags.resume);
  training::RequireSameRun(found, expected, flags.resume);
  if (found.history.Steps() > settings.steps) {
    throw Error::Format("{}: has {} steps behind it already; --steps or --epochs asks for {}",
                        flags.resume, found.history.Steps(), settings.steps);
  }
  return found;
}

}  // namespace tpu::tools
