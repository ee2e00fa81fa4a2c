// SPDX-License-Identifier: Apache-2.0
// What training makes small. A loss is a scalar of f32: the mean over a batch.
#pragma once

#include <cstdint>
#include <span>

#include "tensor/builder.h"

namespace tpu::tensor {

/// Over the last dimension, without overflow.
ValueId Softmax(Builder& builder, ValueId logits);

/// From numbers of classes, s32 of any shape, to f32 with one dimension more, `dimension`: 1 where
/// the class is, else 0. A number that is no class gives zeros, which no training notices: see
/// CheckLabels.
ValueId OneHot(Builder& builder, ValueId labels, std::int64_t classes, std::int64_t dimension);

/// Mean over all examples of -sum(targets * log(softmax(logits))), both being sums over the
/// classes, `dimension`. The targets of an example sum to 1.
ValueId SoftmaxCrossEntropy(Builder& builder, ValueId logits, ValueId targets,
                            std::int64_t dimension);

/// Mean of (predictions - targets)^2 over all elements.
ValueId MeanSquaredError(Builder& builder, ValueId predictions, ValueId targets);

/// For the host, before it hands labels to the device: throws tpu::Error naming the first label
/// that is not below `classes` or is negative.
void CheckLabels(std::span<const std::int32_t> labels, std::int64_t classes);

}  // namespace tpu::tensor
