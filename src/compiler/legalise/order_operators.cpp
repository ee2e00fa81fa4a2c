// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/order_operators.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace tpu::compiler {
namespace {

// Of the parts of SOFTMAX only the last one has parameter entries.
bool EndsSoftmax(const ir::Operator& op) {
  return std::holds_alternative<ir::WideLookup>(op.attributes) && op.inputs.size() == 2;
}

class Orderer {
 public:
  explicit Orderer(const ir::Graph& graph)
      : graph_(graph), maker_(graph.tensors.size()), depth_(graph.operators.size()) {
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
      for (const ir::TensorId id : graph.operators[i].inputs) {
        if (maker_[id]) depth_[i] = std::max(depth_[i], depth_[*maker_[id]]);
      }
      if (!std::holds_alternative<ir::Reshape>(graph.operators[i].attributes)) ++depth_[i];
      for (const ir::TensorId id : graph.operators[i].outputs) maker_[id] = i;
    }
    placed_.resize(graph.operators.size());
  }

  std::vector<ir::Operator> Run() {
    PlaceMakers(graph_.outputs);
    // What makes no output, too.
    for (std::size_t i = 0; i < graph_.operators.size(); ++i) Place(i);
    return std::move(order_);
  }

 private:
  // The operators that the tensors need, the longest way first.
  void PlaceMakers(const std::vector<ir::TensorId>& tensors) {
    std::vector<std::size_t> makers;
    for (const ir::TensorId id : tensors) {
      if (maker_[id]) makers.push_back(*maker_[id]);
    }
    std::ranges::stable_sort(makers, std::ranges::greater(),
                             [&](std::size_t i) { return depth_[i]; });
    for (const std::size_t i : makers) Place(i);
  }
  void Place(std::size_t i) {
    if (placed_[i]) return;
    PlaceMakers(graph_.operators[i].inputs);
    placed_[i] = true;
    order_.push_back(graph_.operators[i]);
  }

  const ir::Graph& graph_;
  std::vector<std::optional<std::size_t>> maker_;  // By tensor.
  std::vector<std::size_t> depth_;  // By operator: how many operators it takes, one after another.
  std::vector<bool> placed_;
  std::vector<ir::Operator> order_;
};

}  // namespace

void OrderOperators(ir::Graph& graph) {
  if (std::ranges::none_of(graph.operators, EndsSoftmax)) return;
  graph.operators = Orderer(graph).Run();
}

}  // namespace tpu::compiler
