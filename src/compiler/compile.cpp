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

// The passes behind legalisation.
isa::Executable CompileWith(const ResidencyPlan& residency, const Graph& graph,
                            const isa::HardwareConfig& config, Rounding rounding) {
  LoweredNetwork lowered = LowerNetwork(graph, residency, config, rounding);
  ScheduleNetwork(lowered.network);
  isa::Executable executable = Link(std::move(lowered.network));
  VerifyPrograms(executable);
  for (const TensorId id : graph.inputs) {
    executable.inputs.push_back(BindingOf(graph.tensors[id], lowered.placements[id]));
  }
  for (const TensorId id : graph.outputs) {
    executable.outputs.push_back(BindingOf(graph.tensors[id], lowered.placements[id]));
  }
  return executable;
}

}  // namespace

isa::Executable Compile(const Graph& graph, const isa::HardwareConfig& config,
                        const CompileOptions& options) {
  CheckGraph(graph);
  const Graph legal = Legalise(options.keep_intermediates ? WithAllOutputs(graph) : graph, config,
                               options.rounding);
  if (options.strict) RefuseHost(legal);
  try {
    return CompileWith(PlanResidency(legal, config), legal, config, options.rounding);
  } catch (const DoesNotFit&) {
    // With the whole buffer for tiles it may.
    return CompileWith(NoResidency(legal, config), legal, config, options.rounding);
  }
}

}  // namespace tpu::compiler
