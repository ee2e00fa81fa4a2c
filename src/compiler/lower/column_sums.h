// SPDX-License-Identifier: Apache-2.0
// Products of two matrices of int8 that operators made: what the first factor's zero point adds to
// a product depends on the second factor's column alone, and becomes the column's bias.
#pragma once

#include <cstdint>

#include "compiler/lower/conv_instructions.h"
#include "compiler/lower/lower_conv.h"
#include "compiler/program/emitter.h"

namespace tpu::compiler {

/// Appends instructions that write a bias for each column of the job's matrices into the parameter
/// entries at `constants.parameters`: the column's sum, without its zero point, times -input_zero.
void SetColumnBiases(const ConvJob& job, const ConvConstants& constants, Emitter& emitter);

}  // namespace tpu::compiler
