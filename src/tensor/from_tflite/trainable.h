// SPDX-License-Identifier: Apache-2.0
// Which constants training changes.
#pragma once

#include <set>

#include "ir/graph.h"
#include "tensor/from_tflite/from_tflite.h"

namespace tpu::tensor {

/// As from_tflite.h says. Throws tpu::Error when one of `options.frozen` is no constant of the
/// graph, or one of `options.trained` none of float32 that an operator takes.
std::set<ir::TensorId> TrainableTensors(const ir::Graph& graph, const FromTfliteOptions& options);

}  // namespace tpu::tensor
