// SPDX-License-Identifier: Apache-2.0
#include "compiler/compile.h"

#include <utility>

#include "compiler/compile_legal.h"
#include "compiler/legalise/expose_states.h"
#include "compiler/legalise/fold_functions.h"
#include "compiler/legalise/fuse.h"
#include "compiler/legalise/keep_intermediates.h"
#include "compiler/legalise/legalise.h"
#include "compiler/legalise/refuse_host.h"
#include "compiler/legalise/use_bfloat16.h"
#include "ir/check_graph.h"

namespace tpu::compiler {
namespace {

// The passes from graph to graph.
ir::Graph MakeLegal(ir::Graph graph, const isa::HardwareConfig& config,
                    const CompileOptions& options) {
  ir::CheckGraph(graph);
  if (options.keep_intermediates) KeepIntermediates(graph);
  ExposeStates(graph);
  FusePadding(graph);
  FoldFunctions(graph);
  UseBfloat16(graph, config);
  ir::Graph legal = Legalise(graph, config, options.rounding);
  FuseLookups(legal);
  FuseFunctions(legal);
  FuseWidening(legal);
  if (options.strict) RefuseHost(legal);
  return legal;
}

}  // namespace

executable::Executable Compile(const ir::Graph& graph, const isa::HardwareConfig& config,
                               const CompileOptions& options) {
  const ir::Graph legal = MakeLegal(graph, config, options);
  return CompileLegal(legal, config, options.rounding);
}

}  // namespace tpu::compiler
