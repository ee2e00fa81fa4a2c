// SPDX-License-Identifier: Apache-2.0
// Operations on elements alone.
#pragma once

#include <cstdint>

#include "compiler/lower/lower_vector.h"
#include "compiler/program/emitter.h"

namespace tpu::compiler {

/// One entry with the same value in every lane, whatever the taps.
void SetUniformParameters(VectorJob& job, const LaneParameters& value, std::int64_t lanes);

/// An operation that does not care which pixel or channel elements are.
void LowerElementwise(VectorJob job, Emitter& emitter);

}  // namespace tpu::compiler
