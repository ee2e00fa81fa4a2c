// SPDX-License-Identifier: Apache-2.0
#include "compiler/from_tensor/from_tensor.h"

#include "compiler/from_tensor/translation.h"

namespace tpu::compiler {

ir::Graph FromTensor(const tensor::Graph& graph, const isa::HardwareConfig& config) {
  if (config.bf16 == 0) {
    throw Error("the machine has no bf16, which training needs: choose one that has, as N16-bf16");
  }
  return Translation(graph, config).Run();
}

}  // namespace tpu::compiler
