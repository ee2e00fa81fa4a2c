// SPDX-License-Identifier: Apache-2.0
// A front end's graph, built a second time by the methods of tpu::Graph.
#pragma once

#include "ir/graph.h"
#include "tpu/graph.h"

namespace tpu::sdk_test {

Graph Rebuild(const ir::Graph& source);

}  // namespace tpu::sdk_test
