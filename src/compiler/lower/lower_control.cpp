// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/lower_control.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compiler/lower/bind_tensors.h"
#include "compiler/lower/lower_network.h"
#include "compiler/place/place_tensors.h"
#include "executable/executable.h"
#include "ir/limits.h"

namespace tpu::compiler {
namespace {

static_assert(ir::kMostNesting <= executable::kMostNesting, "what compiles can be loaded");

class ControlLowering {
 public:
  ControlLowering(const OperatorContext& context, std::span<const ResidencyPlan> regions,
                  Emitter& emitter)
      : context_(context), regions_(regions), emitter_(emitter) {}

  void Lower(const ir::If& op) {
    const std::uint32_t layer = BeginLayer();
    const std::size_t begin = emitter_.BeginRegion();
    LowerBranch(*op.then_graph, regions_[0]);
    const std::size_t middle = emitter_.BeginRegion();
    LowerBranch(*op.else_graph, regions_[1]);
    const std::size_t end = emitter_.BeginRegion();
    emitter_.Decide(
        begin,
        executable::Branch{.condition = BindingOf(context_.Input(0), context_.InputPlacement(0)),
                           .layer = layer,
                           .then_steps = static_cast<std::uint32_t>(middle - begin),
                           .else_steps = static_cast<std::uint32_t>(end - middle)});
  }

  void Lower(const ir::While& op) {
    const std::uint32_t layer = BeginLayer();
    FixedInputs values;
    Fix(op.condition->inputs, context_.op.inputs, values);
    const std::size_t begin = emitter_.BeginRegion();
    const std::vector<Placement> placements = LowerGraph(*op.condition, regions_[0], values);
    const ir::TensorId condition = op.condition->outputs[0];
    const std::size_t middle = emitter_.BeginRegion();
    values.clear();
    Fix(op.body->inputs, context_.op.inputs, values);
    LowerGraph(*op.body, regions_[1], values);
    const std::size_t end = emitter_.BeginRegion();
    emitter_.Decide(
        begin, executable::Loop{
                   .condition = BindingOf(op.condition->tensors[condition], placements[condition]),
                   .layer = layer,
                   .condition_steps = static_cast<std::uint32_t>(middle - begin),
                   .body_steps = static_cast<std::uint32_t>(end - middle)});
  }

 private:
  std::uint32_t BeginLayer() {
    emitter_.BeginLayer({.name = context_.op.name,
                         .op = std::string(ir::OperatorName(context_.op.attributes)),
                         .host = true});
    return emitter_.CurrentLayer();
  }

  // The first of `inside` lie where `outside` lie.
  void Fix(std::span<const ir::TensorId> inside, std::span<const ir::TensorId> outside,
           FixedInputs& fixed) const {
    for (std::size_t i = 0; i < outside.size(); ++i) {
      fixed.emplace_back(inside[i], context_.placements[outside[i]].address);
    }
  }

  void LowerBranch(const ir::Graph& graph, const ResidencyPlan& residency) {
    FixedInputs fixed;
    Fix(graph.inputs, std::span(context_.op.inputs).subspan(1), fixed);
    Fix(graph.outputs, context_.op.outputs, fixed);
    LowerGraph(graph, residency, fixed);
  }

  std::vector<Placement> LowerGraph(const ir::Graph& graph, const ResidencyPlan& residency,
                                    const FixedInputs& fixed) {
    std::vector<Placement> placements = PlaceTensors(graph, residency, emitter_, fixed);
    LowerNetwork(graph, placements, residency, context_.rounding, emitter_);
    for (const ir::State& state : graph.states) {
      const executable::TensorBinding place =
          BindingOf(graph.tensors[state.before], placements[state.before]);
      emitter_.AddState({.before = place, .after = place, .initial = state.initial});
    }
    return placements;
  }

  const OperatorContext& context_;
  std::span<const ResidencyPlan> regions_;
  Emitter& emitter_;
};

}  // namespace

void LowerControl(const OperatorContext& context, std::span<const ResidencyPlan> regions,
                  Emitter& emitter) {
  ControlLowering lowering(context, regions, emitter);
  if (const auto* branch = std::get_if<ir::If>(&context.op.attributes)) lowering.Lower(*branch);
  if (const auto* loop = std::get_if<ir::While>(&context.op.attributes)) lowering.Lower(*loop);
}

}  // namespace tpu::compiler
