// SPDX-License-Identifier: Apache-2.0
// Networks of float32, as TensorFlow Lite's operators, in the tensor language: for training.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/graph.h"
#include "tensor/train_step.h"

namespace tpu::tensor {

struct FromTfliteOptions {
  /// How many examples a run takes. The first dimension of the graph's inputs grows or shrinks to
  /// it, and that of all that is computed from them.
  std::int64_t batch = 1;
  /// Names of constants that training leaves as they are.
  std::vector<std::string> frozen = {};
  /// Names of further constants that training changes: embeddings of places, for example.
  std::vector<std::string> trained = {};
};

struct FromTfliteResult {
  Model model;
  /// The constant that each of model.parameters was.
  std::vector<ir::TensorId> tensors;
};

/// Parameters are the constants of float32 that are weights and biases of convolutions and
/// FULLY_CONNECTED, factors of BATCH_MATMUL, slopes of PRELU, and what ADD, SUB and MUL take for
/// each channel; and those that the options name. They and the inputs keep their names; of several
/// with one name the later ones get a number. Throws tpu::Error naming the operator that has no
/// place in the language, and what to do.
FromTfliteResult FromTflite(const ir::Graph& graph, const FromTfliteOptions& options = {});

}  // namespace tpu::tensor
