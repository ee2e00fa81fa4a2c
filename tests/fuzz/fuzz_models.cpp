// SPDX-License-Identifier: Apache-2.0
#include "fuzz_models.h"

#include "base/error.h"
#include "compiler/compile.h"
#include "sdk/read.h"

namespace tpu::fuzz {
namespace {

// Large tensors make large programs, which only take time.
bool IsSmall(const ir::Graph& graph) {
  constexpr std::int64_t kMostElements = 1 << 15;
  std::int64_t elements = 0;
  for (const ir::Operator& op : graph.operators) {
    for (const auto* ids : {&op.inputs, &op.outputs}) {
      for (const ir::TensorId id : *ids) elements += graph.tensors[id].Elements();
    }
  }
  return elements <= kMostElements;
}

}  // namespace

void CompileModel(std::span<const std::uint8_t> file) {
  try {
    const ir::Graph graph = sdk::ReadGraph(file, "fuzzed");
    const isa::HardwareConfig config = {.n = 8, .ub_rows = 512, .acc_rows = 64, .param_rows = 16};
    if (IsSmall(graph)) compiler::Compile(graph, config);
  } catch (const Error&) {
    // A refusal is what a damaged file should meet.
    return;
  }
}

}  // namespace tpu::fuzz
