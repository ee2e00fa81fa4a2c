// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"
#include "isa/hardware_config.h"

namespace tpu::compiler {

/// Operations on elements that follow each other become one operator, so that what they hand on
/// does not go through memory: the update of a parameter and of its moments. Of legal graphs in the
/// tensor language's formats.
void FuseChains(ir::Graph& graph, const isa::HardwareConfig& config);

}  // namespace tpu::compiler
