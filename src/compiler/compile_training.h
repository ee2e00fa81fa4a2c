// SPDX-License-Identifier: Apache-2.0
// From a training step in the tensor language to executables.
#pragma once

#include <optional>

#include "executable/executable.h"
#include "isa/hardware_config.h"
#include "tensor/train_step.h"

namespace tpu::compiler {

/// Executables that one device holds at the same time, each with a part of the memory of its own,
/// around one state: inputs of one name lie at one address in all of them, and so does the output
/// of that name. The state is float32. It stays in the device's memory from run to run. Of
/// parameters that the array takes there is a copy in bfloat16, which is an input and an output,
/// too: see tensor::CopyName.
struct TrainingExecutables {
  /// A run takes the model's data (bfloat16 or float32), "labels" (int32) or "targets" (float32),
  /// "learning_rate" (float32 [1]), "step" (float32 [1], from 1) if the optimiser wants it, and the
  /// state. Outputs: "loss" (float32 [1]) and the new state, in the place of the old one.
  executable::Executable update;
  /// Takes the model's data, "labels" or "targets", and the state; outputs as those of `update`.
  std::optional<executable::Executable> accumulate;
  /// Takes the model's data and parameters. Output: "prediction", before a softmax at the model's
  /// end.
  executable::Executable predict;
};

/// Throws tpu::Error when the machine lacks what a step needs.
TrainingExecutables CompileTraining(const tensor::Model& model, const tensor::TrainStep& step,
                                    const isa::HardwareConfig& config);

}  // namespace tpu::compiler
