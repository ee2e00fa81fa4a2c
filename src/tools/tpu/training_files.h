// SPDX-License-Identifier: Apache-2.0
// The files that `tpu train` reads and writes, as what training needs of them.
#pragma once

#include <string>
#include <vector>

#include "ir/graph.h"
#include "tensor/from_tflite/from_tflite.h"
#include "tensor/train_step.h"
#include "tools/tpu/training_run.h"
#include "training/checkpoint.h"
#include "training/examples.h"
#include "training/settings.h"

namespace tpu::tools {

/// A model, and the step that trains it.
struct TrainedModel {
  training::Bytes file;
  ir::Graph graph;
  tensor::FromTfliteResult tensors;
  tensor::TrainStep step;

  /// How many tensors the step changes. They come first in the state.
  [[nodiscard]] std::size_t parameters() const { return tensors.tensors.size(); }
  /// How many numbers.
  [[nodiscard]] std::uint64_t Numbers() const;
};

/// All but the number of steps. Throws tpu::Error when options contradict each other.
training::Settings SettingsOf(const TrainFlags& flags);

/// Throws tpu::Error when a file that is to be written has no folder to stand in, or its name is
/// that of something else.
void RequireFolders(const TrainFlags& flags);

/// Reads the model and makes its step. Throws tpu::Error naming the file.
TrainedModel ReadModel(const TrainFlags& flags, const training::Settings& settings);

/// The model's file with other weights. Throws tpu::Error when it has no place for them.
training::Bytes WithWeights(const TrainedModel& model, const std::string& file,
                            const std::vector<training::Bytes>& weights);
/// The weights that the first step begins with.
std::vector<training::Bytes> InitialWeights(const TrainedModel& model);

/// What a checkpoint of this run says, without history; the state is zeros.
training::Checkpoint EmptyCheckpoint(const TrainedModel& model, const training::Settings& settings,
                                     const training::Examples& examples);

/// The checkpoint that --resume names. Throws tpu::Error when it is of another run, or of one with
/// more steps.
training::Checkpoint ReadCheckpoint(const TrainFlags& flags, const training::Settings& settings,
                                    const training::Checkpoint& expected);

}  // namespace tpu::tools
