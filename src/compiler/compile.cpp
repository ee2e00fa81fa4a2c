// SPDX-License-Identifier: Apache-2.0
#include "compiler/compile.h"

#include <set>
#include <utility>

#include "base/error.h"
#include "compiler/legalise/legalise.h"
#include "compiler/link/link.h"
#include "compiler/lower/lower_host.h"
#include "compiler/lower/lower_network.h"
#include "compiler/place/residency.h"
#include "compiler/program/emitter.h"
#include "compiler/schedule/schedule.h"
#include "ir/check_graph.h"
#include "timing/cycle.h"

namespace tpu::compiler {
namespace {

Graph WithAllOutputs(Graph graph) {
  std::set<TensorId> outputs(graph.outputs.begin(), graph.outputs.end());
  for (const Operator& op : graph.operators) {
    for (const TensorId id : op.outputs) {
      if (outputs.insert(id).second) graph.outputs.push_back(id);
    }
  }
  return graph;
}

void RefuseHost(const Graph& graph) {
  for (const Operator& op : graph.operators) {
    if (!RunsOnHost(op)) continue;
    throw Error::Format("{} ({}): runs on the host, and only the device is allowed", op.name,
                        OperatorName(op.attributes));
  }
}

struct Compiled {
  isa::Executable executable;
  timing::Cycle cycles = 0;  // By the timing model.
};

// The passes behind legalisation.
Compiled CompileWith(const ResidencyPlan& residency, const Graph& graph,
                     const isa::HardwareConfig& config, Rounding rounding, bool tries_tilings) {
  LoweredNetwork lowered = LowerNetwork(graph, residency, config, rounding, tries_tilings);
  const timing::Cycle cycles = ScheduleNetwork(lowered.network);
  isa::Executable executable = Link(std::move(lowered.network));
  VerifyPrograms(executable);
  for (const TensorId id : graph.inputs) {
    executable.inputs.push_back(BindingOf(graph.tensors[id], lowered.placements[id]));
  }
  for (const TensorId id : graph.outputs) {
    executable.outputs.push_back(BindingOf(graph.tensors[id], lowered.placements[id]));
  }
  return {std::move(executable), cycles};
}

// A layer's tiling that is best behind the layer before may still be worse in front of the next
// one, so that the tilings that look best without a try stay in the race.
isa::Executable CompileBest(const ResidencyPlan& residency, const Graph& graph,
                            const isa::HardwareConfig& config, Rounding rounding) {
  Compiled plain = CompileWith(residency, graph, config, rounding, false);
  Compiled tried = CompileWith(residency, graph, config, rounding, true);
  return std::move(tried.cycles < plain.cycles ? tried.executable : plain.executable);
}

}  // namespace

isa::Executable Compile(const Graph& graph, const isa::HardwareConfig& config,
                        const CompileOptions& options) {
  CheckGraph(graph);
  const Graph legal = Legalise(options.keep_intermediates ? WithAllOutputs(graph) : graph, config,
                               options.rounding);
  if (options.strict) RefuseHost(legal);
  try {
    return CompileBest(PlanResidency(legal, config), legal, config, options.rounding);
  } catch (const DoesNotFit&) {
    // With the whole buffer for tiles it may.
    return CompileBest(NoResidency(legal, config), legal, config, options.rounding);
  }
}

}  // namespace tpu::compiler
