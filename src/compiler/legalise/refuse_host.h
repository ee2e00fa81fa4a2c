// SPDX-License-Identifier: Apache-2.0
// A check for users who want the device alone.
#pragma once

#include "ir/graph.h"

namespace tpu::compiler {

/// Throws tpu::Error that names the first operator of a legal graph that the host has to run.
void RefuseHost(const ir::Graph& graph);

}  // namespace tpu::compiler
