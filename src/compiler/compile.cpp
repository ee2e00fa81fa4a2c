// SPDX-License-Identifier: Apache-2.0
#include "compiler/compile.h"

#include <utility>
#include <vector>

#include "compiler/legalise/fuse.h"
#include "compiler/legalise/keep_intermediates.h"
#include "compiler/legalise/legalise.h"
#include "compiler/legalise/refuse_host.h"
#include "compiler/legalise/use_bfloat16.h"
#include "compiler/link/link.h"
#include "compiler/link/verify_programs.h"
#include "compiler/lower/bind_tensors.h"
#include "compiler/lower/lower_network.h"
#include "compiler/place/place_tensors.h"
#include "compiler/place/residency.h"
#include "compiler/program/emitter.h"
#include "compiler/schedule/schedule.h"
#include "ir/check_graph.h"
#include "timing/cycle.h"

namespace tpu::compiler {
namespace {

// The passes from graph to graph.
ir::Graph MakeLegal(ir::Graph graph, const isa::HardwareConfig& config,
                    const CompileOptions& options) {
  ir::CheckGraph(graph);
  if (options.keep_intermediates) KeepIntermediates(graph);
  FusePadding(graph);
  UseBfloat16(graph, config);
  ir::Graph legal = Legalise(graph, config, options.rounding);
  FuseLookups(legal);
  FuseWidening(legal);
  if (options.strict) RefuseHost(legal);
  return legal;
}

struct Compiled {
  executable::Executable executable;
  timing::Cycle cycles = 0;  // By the timing model.
};

// The passes from a legal graph to an executable.
Compiled CompileWith(const ResidencyPlan& residency, const ir::Graph& graph,
                     const isa::HardwareConfig& config, Rounding rounding, bool tries_tilings) {
  Emitter emitter(config, tries_tilings);
  const std::vector<Placement> placements = PlaceTensors(graph, residency, emitter);
  LowerNetwork(graph, placements, residency, rounding, emitter);
  SequentialNetwork network = emitter.Take();
  const timing::Cycle cycles = ScheduleNetwork(network);
  executable::Executable executable = Link(std::move(network));
  BindTensors(graph, placements, executable);
  VerifyPrograms(executable);
  return {.executable = std::move(executable), .cycles = cycles};
}

// A layer's tiling that is best behind the layer before may still be worse in front of the next
// one, so that the tilings that look best without a try stay in the race.
executable::Executable CompileBest(const ResidencyPlan& residency, const ir::Graph& graph,
                                   const isa::HardwareConfig& config, Rounding rounding) {
  Compiled plain = CompileWith(residency, graph, config, rounding, false);
  Compiled tried = CompileWith(residency, graph, config, rounding, true);
  return std::move(tried.cycles < plain.cycles ? tried.executable : plain.executable);
}

}  // namespace

executable::Executable Compile(const ir::Graph& graph, const isa::HardwareConfig& config,
                               const CompileOptions& options) {
  const ir::Graph legal = MakeLegal(graph, config, options);
  try {
    return CompileBest(PlanResidency(legal, config), legal, config, options.rounding);
  } catch (const DoesNotFit&) {
    // With the whole buffer for tiles it may.
    return CompileBest(NoResidency(legal, config), legal, config, options.rounding);
  }
}

}  // namespace tpu::compiler
