// SPDX-License-Identifier: Apache-2.0
// The part of InferType that is about windows and products.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tensor/graph.h"
#include "tensor/window.h"

namespace tpu::tensor {

/// Throws TypeError unless all are below `rank` and none occurs twice.
void CheckDimensions(std::string_view attribute, const Dimensions& dimensions, std::int64_t rank);

TensorType InferWindow(const ReduceWindow& op, std::span<const TensorType> operands);
TensorType InferWindow(const SelectAndScatter& op, std::span<const TensorType> operands);
TensorType InferWindow(const DotGeneral& op, std::span<const TensorType> operands);
TensorType InferWindow(const Convolution& op, std::span<const TensorType> operands);

}  // namespace tpu::tensor
