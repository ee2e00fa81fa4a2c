// SPDX-License-Identifier: Apache-2.0
// In which order operators stand that do not need each other.
#pragma once

#include "ir/graph.h"

namespace tpu::compiler {

/// Where SOFTMAX on int8 runs on the device: what takes the most operators one after the other
/// stands first. SOFTMAX keeps the array idle, so that products which only its users need should
/// stand behind it, and fill the gaps. Other graphs keep their order.
void OrderOperators(ir::Graph& graph);

}  // namespace tpu::compiler
