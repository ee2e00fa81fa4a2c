// SPDX-License-Identifier: Apache-2.0
// Which constants training changes.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ir/graph.h"

namespace tpu::tensor {

/// As from_tflite.h says. Throws tpu::Error when one of `frozen` is no constant of the graph.
std::set<ir::TensorId> TrainableTensors(const ir::Graph& graph,
                                        const std::vector<std::string>& frozen);

}  // namespace tpu::tensor
