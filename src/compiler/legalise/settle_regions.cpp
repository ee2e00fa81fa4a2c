// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/settle_regions.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace tpu::compiler {
namespace {

class Settling {
 public:
  Settling(ir::Graph& graph, std::string layer, std::string origin)
      : graph_(graph), layer_(std::move(layer)), origin_(std::move(origin)) {
    for (const ir::Operator& op : graph.operators) {
      // Their outputs take the places of their inputs.
      if (ir::HoldsAnyOf<ir::Reshape, ir::While>(op.attributes)) continue;
      computed_.insert(op.outputs.begin(), op.outputs.end());
    }
  }

  void MakeDistinct(std::size_t outputs) {
    std::set<ir::TensorId> seen;
    for (std::size_t i = 0; i < outputs; ++i) {
      ir::TensorId& id = graph_.outputs[i];
      const bool distinct = computed_.contains(id) && seen.insert(id).second;
      if (!distinct) id = Copy(id);
    }
  }

  // The outputs from `output` on take the places of the inputs from `input` on.
  void PutInPlace(std::size_t output, std::size_t input) {
    const std::size_t count = graph_.outputs.size() - output;
    const auto stays = [&](std::size_t i) {
      return RootOf(graph_.outputs[output + i]) == graph_.inputs[input + i];
    };
    // All that are read from places that others take are first put elsewhere.
    for (std::size_t i = 0; i < count; ++i) {
      ir::TensorId& id = graph_.outputs[output + i];
      if (!stays(i) && IsInput(RootOf(id))) id = Copy(id);
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (stays(i)) continue;
      ir::TensorId& id = graph_.outputs[output + i];
      id = Copy(id);
      graph_.in_place.push_back({.output = id, .input = graph_.inputs[input + i]});
    }
  }

 private:
  // The tensor whose bytes it is.
  [[nodiscard]] ir::TensorId RootOf(ir::TensorId id) const {
    for (std::size_t i = graph_.operators.size(); i-- > 0;) {
      const ir::Operator& op = graph_.operators[i];
      if (std::holds_alternative<ir::Reshape>(op.attributes) && op.outputs[0] == id) {
        id = op.inputs[0];
      }
    }
    return id;
  }

  [[nodiscard]] bool IsInput(ir::TensorId id) const {
    return std::ranges::find(graph_.inputs, id) != graph_.inputs.end();
  }

  ir::TensorId Copy(ir::TensorId id) {
    const ir::Tensor& source = graph_.tensors[id];
    ir::Tensor copy = {.name = source.name, .type = source.type};
    copy.shape = source.shape;
    copy.scale = source.scale;
    copy.zero_point = source.zero_point;
    ir::Move move = WholeCopy(source);
    const ir::TensorId result = graph_.AddTensor(std::move(copy));
    graph_.operators.push_back({.name = layer_,
                                .inputs = {id},
                                .outputs = {result},
                                .attributes = std::move(move),
                                .origin = origin_});
    return result;
  }

  ir::Graph& graph_;
  std::string layer_;
  std::string origin_;
  std::set<ir::TensorId> computed_;
};

}  // namespace

ir::Move WholeCopy(const ir::Tensor& tensor) {
  return {.copies = {{.loops = {{.count = tensor.Elements(), .from_stride = 1, .to_stride = 1}}}}};
}

void SettleBranch(ir::Graph& graph, std::size_t outputs, const std::string& layer,
                  const std::string& origin) {
  Settling settling(graph, layer, origin);
  const std::size_t states = graph.outputs.size() - outputs;
  settling.MakeDistinct(outputs);
  settling.PutInPlace(outputs, graph.inputs.size() - states);
}

void SettleBody(ir::Graph& graph, const std::string& layer, const std::string& origin) {
  Settling(graph, layer, origin).PutInPlace(0, 0);
}

}  // namespace tpu::compiler
