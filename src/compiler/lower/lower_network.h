// SPDX-License-Identifier: Apache-2.0
// From a legal graph to instructions.
#pragma once

#include <vector>

#include "compiler/place/residency.h"
#include "compiler/program/emitter.h"
#include "compiler/program/placement.h"
#include "compiler/quantise/quantization.h"
#include "ir/graph.h"

namespace tpu::compiler {

/// Lowers the operators one after the other. `placements` are by tensor. Throws DoesNotFit when a
/// layer needs more room on chip than `residency` leaves. With an emitter that tries tilings,
/// operators that can be cut in several ways are lowered in each and take the one that the timing
/// model finds fastest.
void LowerNetwork(const ir::Graph& graph, const std::vector<Placement>& placements,
                  const ResidencyPlan& residency, Rounding rounding, Emitter& emitter);

}  // namespace tpu::compiler
