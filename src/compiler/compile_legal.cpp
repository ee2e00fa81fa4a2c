// SPDX-License-Identifier: Apache-2.0
#include "compiler/compile_legal.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/link/link.h"
#include "compiler/link/verify_programs.h"
#include "compiler/lower/bind_tensors.h"
#include "compiler/lower/lower_network.h"
#include "compiler/place/residency.h"
#include "compiler/program/emitter.h"
#include "compiler/program/overlap.h"
#include "compiler/schedule/schedule.h"
#include "timing/cycle.h"

namespace tpu::compiler {
namespace {

// What a network is compiled with, one after the other; the executable with the fewest cycles by
// the timing model stays. A layer's tiling that is best behind the layer before may still be worse
// in front of the next one, so that the tilings that look best without a try stay in the race.
struct Choice {
  bool tries_tilings = false;
  Overlap overlap = Overlap::kEnds;
};
constexpr std::array<Choice, 4> kChoices = {
    {{},
     {.tries_tilings = true},
     {.tries_tilings = true, .overlap = Overlap::kTwoSideBySide},
     {.tries_tilings = true, .overlap = Overlap::kThreeSideBySide}}};

// Layers side by side take one half of the accumulators each.
bool MayWorkSideBySide(const ir::Graph& graph) {
  return std::ranges::none_of(graph.operators, [](const ir::Operator& op) {
    return std::holds_alternative<ir::ConvWeightGradient>(op.attributes);
  });
}

struct Compiled {
  executable::Executable executable;
  timing::Cycle cycles = 0;  // By the timing model.
};

// The passes from a legal graph to an executable.
Compiled CompileWith(const ResidencyPlan& residency, const ir::Graph& graph,
                     const isa::HardwareConfig& config, Rounding rounding, const MemoryPlan& memory,
                     const Choice& choice) {
  Emitter emitter(config, choice.tries_tilings, choice.overlap);
  emitter.AllocateMemory(memory.begin);
  const std::vector<Placement> placements = PlaceTensors(graph, residency, emitter, memory.fixed);
  LowerNetwork(graph, placements, residency, rounding, emitter);
  SequentialNetwork network = emitter.Take();
  const timing::Cycle cycles = ScheduleNetwork(network, choice.overlap);
  executable::Executable executable = Link(std::move(network));
  BindTensors(graph, placements, executable);
  VerifyPrograms(executable);
  return {.executable = std::move(executable), .cycles = cycles};
}

// The fastest of some choices. `plan` makes a plan of residency.
template <typename Plan>
Compiled CompileBest(const Plan& plan, std::span<const Choice> choices, const ir::Graph& graph,
                     const isa::HardwareConfig& config, Rounding rounding,
                     const MemoryPlan& memory) {
  std::optional<Compiled> best;
  for (const Choice& choice : choices) {
    if (AreSideBySide(choice.overlap) && !MayWorkSideBySide(graph)) continue;
    try {
      Compiled compiled =
          CompileWith(plan(choice.overlap), graph, config, rounding, memory, choice);
      if (!best || compiled.cycles < best->cycles) best = std::move(compiled);
    } catch (const DoesNotFit&) {
      if (!best) throw;
    }
  }
  return *std::move(best);
}

Compiled CompileBest(std::span<const Choice> choices, const ir::Graph& legal,
                     const isa::HardwareConfig& config, Rounding rounding,
                     const MemoryPlan& memory) {
  try {
    const auto plan = [&](Overlap overlap) { return PlanResidency(legal, config, overlap); };
    return CompileBest(plan, choices, legal, config, rounding, memory);
  } catch (const DoesNotFit&) {
    // With the whole buffer for tiles it may.
    const auto plan = [&](Overlap /*overlap*/) { return NoResidency(legal, config); };
    return CompileBest(plan, choices, legal, config, rounding, memory);
  }
}

}  // namespace

executable::Executable CompileLegal(const ir::Graph& legal, const isa::HardwareConfig& config,
                                    Rounding rounding, const MemoryPlan& memory) {
  return CompileBest(kChoices, legal, config, rounding, memory).executable;
}

timing::Cycle TryLegal(const ir::Graph& legal, const isa::HardwareConfig& config, Rounding rounding,
                       const MemoryPlan& memory) {
  return CompileBest(std::span(kChoices).first(1), legal, config, rounding, memory).cycles;
}

}  // namespace tpu::compiler
