// SPDX-License-Identifier: Apache-2.0
// Operations on elements alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compiler/lower/lower_operator.h"
#include "compiler/lower/lower_vector.h"
#include "compiler/program/emitter.h"

namespace tpu::compiler {

/// One entry with the same value in every lane, whatever the taps.
void SetUniformParameters(VectorJob& job, const LaneParameters& value, std::int64_t lanes);

/// The placements of these inputs. The first one must have the output's shape; a second one may
/// have one image, row or column in place of the output's, and N channels for each N of the
/// output's.
std::vector<Placement> ElementwiseInputs(const OperatorContext& context,
                                         const std::vector<std::size_t>& inputs,
                                         std::int64_t lanes);

/// An operation that does not care which pixel or channel elements are.
void LowerElementwise(VectorJob job, Emitter& emitter);

}  // namespace tpu::compiler
