// SPDX-License-Identifier: Apache-2.0
// How a step changes the parameters. docs/training.md has the formulas and their sources.
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "tensor/builder.h"

namespace tpu::tensor {

struct Sgd {};

struct Momentum {
  double momentum = 0.9;
};

/// With decoupled weight decay, thus AdamW; Adam when that is 0. `beta2` is above 0.
struct Adam {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;
};

using Optimizer = std::variant<Sgd, Momentum, Adam>;

/// Names of what an optimiser keeps for each parameter: tensors of f32 with the parameter's shape,
/// zero before the first step.
std::vector<std::string_view> MomentNames(const Optimizer& optimizer);

/// Whether an optimiser wants to know how many steps there were.
bool UsesStepNumber(const Optimizer& optimizer);

/// What all parameters of a step have in common: scalars of f32. The step's number counts from 1.
struct StepScalars {
  ValueId learning_rate = 0;
  ValueId step = 0;  ///< Unless no optimiser wants it.
};

struct Updated {
  ValueId parameter = 0;
  std::vector<ValueId> moments;
};

/// A parameter and its moments after a step. All are of f32.
Updated Update(Builder& builder, const Optimizer& optimizer, const StepScalars& scalars,
               ValueId parameter, ValueId gradient, const std::vector<ValueId>& moments);

}  // namespace tpu::tensor
