// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/fuse_chains.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace tpu::compiler {
namespace {

// Tiles of all steps are in the buffer at the same time.
constexpr std::size_t kMostSteps = 24;
// Shorter tensors cost latency, which one operator has as well as several.
constexpr std::int64_t kLeastRows = 4;

bool IsFloat(const ir::Tensor& tensor) {
  return tensor.type == ElementType::kFloat32 || tensor.type == ElementType::kBfloat16;
}

class ChainFusion {
 public:
  ChainFusion(ir::Graph& graph, const isa::HardwareConfig& config)
      : graph_(graph), least_(kLeastRows * config.n) {}

  void Run() {
    std::vector<ir::Operator> operators = std::exchange(graph_.operators, {});
    for (std::size_t i = 0; i < operators.size();) {
      std::size_t end = i;
      while (end < operators.size() && end - i < kMostSteps && Joins(operators, i, end)) ++end;
      if (end - i < 2) {
        graph_.operators.push_back(std::move(operators[i++]));
        continue;
      }
      const std::vector<ir::Operator> members(
          std::make_move_iterator(operators.begin() + static_cast<std::ptrdiff_t>(i)),
          std::make_move_iterator(operators.begin() + static_cast<std::ptrdiff_t>(end)));
      const std::vector<ir::Operator> rest(operators.begin() + static_cast<std::ptrdiff_t>(end),
                                           operators.end());
      Join(members, rest);
      i = end;
    }
  }

 private:
  [[nodiscard]] const ir::Tensor& At(ir::TensorId id) const { return graph_.tensors[id]; }

  // The step that an operator becomes.
  static std::optional<ir::Chain::Operation> OperationOf(const ir::Attributes& attributes) {
    if (const auto* map = std::get_if<ir::Map>(&attributes)) return *map;
    if (const auto* scale = std::get_if<ir::Scale>(&attributes)) return *scale;
    if (const auto* function = std::get_if<ir::Function>(&attributes)) return *function;
    if (const auto* unary = std::get_if<ir::Unary>(&attributes)) return *unary;
    if (const auto* convert = std::get_if<ir::Convert>(&attributes)) return *convert;
    return std::nullopt;
  }

  // Whether operators first .. at are operations on elements of as many elements, without any that
  // are repeated.
  [[nodiscard]] bool Joins(const std::vector<ir::Operator>& operators, std::size_t first,
                           std::size_t at) const {
    const ir::Operator& op = operators[at];
    if (!OperationOf(op.attributes) || op.function) return false;
    const std::int64_t elements = At(op.outputs[0]).Elements();
    if (elements < least_ || elements != At(operators[first].outputs[0]).Elements()) return false;
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      if (std::holds_alternative<ir::Scale>(op.attributes) && i == 1) {
        // The factor is made before.
        for (std::size_t k = first; k < at; ++k) {
          if (operators[k].outputs[0] == op.inputs[1]) return false;
        }
        continue;
      }
      if (At(op.inputs[i]).Elements() != elements || !IsFloat(At(op.inputs[i]))) return false;
    }
    return IsFloat(At(op.outputs[0]));
  }

  void Join(const std::vector<ir::Operator>& members, const std::vector<ir::Operator>& rest) {
    ir::Chain chain;
    ir::Operator joined = {.name = members.front().name,
                           .inputs = {},
                           .outputs = {},
                           .attributes = {},
                           .origin = members.front().origin};
    std::vector<ir::TensorId> made;  // By step.
    const auto place = [&](ir::TensorId id) -> ir::Chain::Operand {
      const auto step = std::ranges::find(made, id);
      if (step != made.end()) {
        return {.of_step = true, .index = static_cast<std::size_t>(step - made.begin())};
      }
      auto input = std::ranges::find(joined.inputs, id);
      if (input == joined.inputs.end()) {
        joined.inputs.push_back(id);
        input = joined.inputs.end() - 1;
      }
      return {.of_step = false, .index = static_cast<std::size_t>(input - joined.inputs.begin())};
    };
    for (const ir::Operator& op : members) {
      ir::Chain::Step step = {.operation = *OperationOf(op.attributes), .operands = {}};
      for (const ir::TensorId id : op.inputs) step.operands.push_back(place(id));
      step.type = At(op.outputs[0]).type;
      chain.steps.push_back(step);
      made.push_back(op.outputs[0]);
      for (std::size_t i = 1; i < op.outputs.size(); ++i) {  // The same in another format.
        chain.steps.push_back({.operation = ir::Convert{},
                               .operands = {{.of_step = true, .index = made.size() - 1}},
                               .type = At(op.outputs[i]).type});
        made.push_back(op.outputs[i]);
      }
    }
    for (std::size_t i = 0; i < made.size(); ++i) {
      const bool wanted = std::ranges::find(graph_.outputs, made[i]) != graph_.outputs.end() ||
                          std::ranges::any_of(rest, [&](const ir::Operator& op) {
                            return std::ranges::find(op.inputs, made[i]) != op.inputs.end();
                          });
      if (!wanted) continue;
      chain.results.push_back(i);
      joined.outputs.push_back(made[i]);
    }
    joined.attributes = std::move(chain);
    graph_.operators.push_back(std::move(joined));
  }

  ir::Graph& graph_;
  std::int64_t least_;
};

}  // namespace

void FuseChains(ir::Graph& graph, const isa::HardwareConfig& config) {
  ChainFusion(graph, config).Run();
}

}  // namespace tpu::compiler
