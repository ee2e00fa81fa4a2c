// SPDX-License-Identifier: Apache-2.0
// The contents behind the handles of the public headers.
#pragma once

#include <filesystem>

#include "executable/executable.h"
#include "ir/graph.h"
#include "tpu/program.h"

namespace tpu {

struct Model::Network {
  ir::Graph graph;
  std::filesystem::path path;  ///< For messages.
};

struct Program::Contents {
  executable::Executable executable;
};

}  // namespace tpu
