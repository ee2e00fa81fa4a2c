// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/refuse_host.h"

#include "base/error.h"
#include "compiler/legalise/legalise.h"

namespace tpu::compiler {

void RefuseHost(const ir::Graph& graph) {
  for (const ir::Operator& op : graph.operators) {
    if (!RunsOnHost(op)) continue;
    throw Error::Format("{} ({}): runs on the host, and only the device is allowed", op.name,
                        ir::OperatorName(op.attributes));
  }
}

}  // namespace tpu::compiler
