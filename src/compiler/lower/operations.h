// SPDX-License-Identifier: Apache-2.0
// What the vector unit makes of sums and elements, by the format of an operator's tensors.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/lower/lower_operator.h"
#include "compiler/program/parameters.h"
#include "compiler/program/vector_operation.h"
#include "ir/graph.h"

namespace tpu::compiler {

/// Whether the operator computes floating-point numbers.
bool ComputesFloats(const OperatorContext& context);

/// Whether IVECTOR computes the operator: its input or output is int16, or its output int32.
bool ComputesInt16(const OperatorContext& context);

/// Refuses a factor with which a sum of so many products of int8 may leave 32 bits in rounding
/// float: XNNPACK clamps what would wrap.
void RequireProductFits(const OperatorContext& context, std::int64_t products,
                        const LaneParameters& parameters);

/// Sums of products or elements that become outputs: requantised or, of floating-point numbers,
/// scaled by the parameters, both with the activation behind.
VectorOperation SumOperation(const OperatorContext& context, ir::Activation activation);

/// One operation on integers, rounded as sums of 32 bits are, with the activation behind.
isa::Ivector IntegerOperation(const OperatorContext& context, ir::Activation activation);

/// A lane's entry for IVECTOR in mode wide: (bias + value) * factor. Throws where the bias has more
/// than 48 bits, or the factor's shift is out of the mode's range.
LaneParameters WideParameters(const OperatorContext& context, std::int64_t bias,
                              const Multiplier& factor);

/// One operation on floating-point numbers with the activation behind.
isa::Fvector FloatOperation(ir::Activation activation);
/// The same for an operator that may have a fused function behind.
isa::Fvector FloatOperation(const OperatorContext& context, ir::Activation activation);
/// With this function behind.
isa::Fvector FunctionOperation(const ir::FusedFunction& function);

/// A lane's entry for FVECTOR: bias + multiplier * value.
LaneParameters FloatParameters(float bias, float multiplier);

/// One entry for each output channel: the operator's bias, input 2, or zero where operators make
/// the bias.
std::vector<LaneParameters> FloatBiases(const OperatorContext& context, std::int64_t channels);

}  // namespace tpu::compiler
