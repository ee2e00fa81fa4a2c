// SPDX-License-Identifier: Apache-2.0
// Derivatives, in reverse mode: from a result back to what it was made of.
//
// Gradients are of f32, those of bf16 values, too: what was rounded on the way to the result is not
// rounded again on the way back. Only what a product takes together with bf16 becomes bf16.
#pragma once

#include <span>
#include <vector>

#include "tensor/builder.h"

namespace tpu::tensor {

/// Appends what computes the derivatives of the scalar `loss` for each of `wrt`; returns them. They
/// are of f32 and have the shapes of `wrt`. Where the loss does not depend on one it is zero.
/// Throws TypeError when `loss` is no scalar, and where an operation has no derivative in the
/// language.
std::vector<ValueId> Gradient(Builder& builder, ValueId loss, std::span<const ValueId> wrt);

/// The same for the sum over the products of `output` and `cotangent`, which have one shape.
std::vector<ValueId> VectorJacobianProduct(Builder& builder, ValueId output, ValueId cotangent,
                                           std::span<const ValueId> wrt);

}  // namespace tpu::tensor
