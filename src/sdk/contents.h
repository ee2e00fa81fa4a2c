// What the handles of the public headers hold.
#pragma once

#include <string>

#include "executable/executable.h"
#include "ir/graph.h"
#include "tpu/program.h"

namespace tpu {

struct Model::Network {
  compiler::Graph graph;
  std::string file;  ///< For messages.
};

struct Program::Contents {
  isa::Executable executable;
};

}  // namespace tpu
