// SPDX-License-Identifier: Apache-2.0
// Where a number that is not finite comes from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/graph.h"
#include "runtime/device.h"
#include "training/examples.h"

namespace tpu::training {

/// The first tensor that holds such a number, if any: its place.
std::optional<std::size_t> FirstNonFinite(std::span<const Bytes> tensors);

/// A model with the weights that it had before a step.
struct WeightedModel {
  const ir::Graph& graph;
  const std::vector<ir::TensorId>& tensors;  ///< The constants that training changes.
  std::span<const Bytes> weights;            ///< Of each of them.
};

/// Runs the examples through the model, as many at a time as it takes. The first operator with a
/// result that is not finite, e.g. "op3 (CONV_2D)"; nothing when all are finite. `device` is a
/// machine with bf16 whose parameters are `config`.
std::optional<std::string> FirstNonFiniteOperator(const WeightedModel& model,
                                                  const Examples& examples,
                                                  std::span<const std::int64_t> which,
                                                  runtime::Device& device,
                                                  const isa::HardwareConfig& config);

}  // namespace tpu::training
