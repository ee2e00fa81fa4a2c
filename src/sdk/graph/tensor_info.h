// SPDX-License-Identifier: Apache-2.0
// A graph's tensor as users see it.
#pragma once

#include "ir/graph.h"
#include "tpu/tensor.h"

namespace tpu::sdk {

inline TensorInfo InfoOf(const ir::Tensor& tensor) {
  return {.name = tensor.name,
          .shape = tensor.shape,
          .type = tensor.type,
          .scale = tensor.scale,
          .zero_point = tensor.zero_point,
          .channel_scales = tensor.channel_scales,
          .constant = tensor.IsConstant()};
}

}  // namespace tpu::sdk
