// SPDX-License-Identifier: Apache-2.0
// Which convolution of a layer's step a convolution of the tensor language is.
#pragma once

#include <cstdint>
#include <optional>

#include "tensor/operations.h"

namespace tpu::compiler {

/// What a convolution's dimension numbers say: the convolution of a layer, or one of the two that
/// its gradients are.
enum class Role : std::uint8_t { kForwards, kInputGradient, kWeightGradient };

struct Layer {
  Role role = Role::kForwards;
  bool depthwise = false;
  bool exchanged = false;  ///< Inputs and outputs of the weights are in the other's place.
};

/// Nothing when the machine has no such convolution.
std::optional<Layer> LayerOf(const tensor::Convolution& op, const tensor::Shape& kernel);

}  // namespace tpu::compiler
