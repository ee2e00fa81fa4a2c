// SPDX-License-Identifier: Apache-2.0
#include "ir/check_graph.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ir/limits.h"

namespace tpu::ir {
namespace {

// Range of zero points; none for types without.
std::optional<std::pair<std::int32_t, std::int32_t>> ZeroPoints(ElementType type) {
  switch (type) {
    case ElementType::kInt8:
      return {{-128, 127}};
    case ElementType::kUint8:
      return {{0, 255}};
    case ElementType::kInt16:
      return {{-32768, 32767}};
    default:
      return {};
  }
}

void CheckActivation(const Tensor& tensor) {
  if (std::any_of(tensor.shape.begin(), tensor.shape.end(), [](std::int64_t d) { return d < 1; })) {
    throw Error::Format("tensor {}: every dimension must be at least 1", tensor.name);
  }
  const auto zero_points = ZeroPoints(tensor.type);
  if (!zero_points) return;
  if (tensor.zero_point < zero_points->first || tensor.zero_point > zero_points->second) {
    throw Error::Format("tensor {}: zero point {} is not an {}", tensor.name, tensor.zero_point,
                        ElementTypeName(tensor.type));
  }
  if (!(tensor.scale > 0.0F) || !std::isfinite(tensor.scale)) {
    throw Error::Format("tensor {}: the scale must be above zero", tensor.name);
  }
}

void CheckConstant(const Tensor& tensor) {
  if (!tensor.DataHasType()) {
    throw Error::Format("tensor {}: its contents are not {}", tensor.name,
                        ElementTypeName(tensor.type));
  }
  if (tensor.DataElements() != static_cast<std::size_t>(tensor.Elements())) {
    throw Error::Format("tensor {}: {} values do not make its shape of {}", tensor.name,
                        tensor.DataElements(), tensor.Elements());
  }
}

void CheckState(const State& state, const Graph& graph, bool made) {
  const Tensor& before = graph.tensors[state.before];
  const Tensor& after = graph.tensors[state.after];
  if (!made) throw Error::Format("state {} is never made", after.name);
  if (before.type != after.type || before.Elements() != after.Elements()) {
    throw Error::Format("state {} does not fit {}", after.name, before.name);
  }
  const auto bytes = static_cast<std::size_t>(before.Elements() * ElementBytes(before.type));
  if (state.initial.size() != bytes) {
    throw Error::Format("state {}: {} bytes at first, not {}", before.name, state.initial.size(),
                        bytes);
  }
}

bool IsCondition(const Tensor& tensor) {
  return tensor.type == ElementType::kBool && tensor.Elements() == 1;
}

void CheckGraph(const Graph& graph, int nesting);

// The graphs that an operator runs.
class RegionCheck {
 public:
  RegionCheck(const Graph& graph, const Operator& op, int nesting)
      : graph_(graph), op_(op), nesting_(nesting) {}

  void operator()(const If& op) const {
    Require(!op_.inputs.empty() && IsCondition(graph_.tensors[op_.inputs[0]]),
            "the condition must be one bool");
    for (const auto* region : {op.then_graph.get(), op.else_graph.get()}) {
      Check(region);
      Compare(std::span(op_.inputs).subspan(1), *region, region->inputs);
      Compare(op_.outputs, *region, region->outputs);
    }
  }
  void operator()(const While& op) const {
    for (const auto* region : {op.condition.get(), op.body.get()}) {
      Check(region);
      Compare(op_.inputs, *region, region->inputs);
    }
    Require(op.condition->outputs.size() == 1 &&
                IsCondition(op.condition->tensors[op.condition->outputs[0]]),
            "the condition must be one bool");
    Compare(op_.outputs, *op.body, op.body->outputs);
    Compare(op_.inputs, *op.body, op.body->outputs);
  }
  template <typename Other>
  void operator()(const Other& /*op*/) const {}

 private:
  template <typename... Args>
  void Require(bool condition, fmt::format_string<Args...> format, Args&&... args) const {
    if (condition) return;
    throw Error::Format("{} ({}): {}", op_.name, OperatorName(op_.attributes),
                        fmt::format(format, std::forward<Args>(args)...));
  }

  void Check(const Graph* region) const {
    Require(region != nullptr, "a graph is missing");
    Require(nesting_ < kMostNesting, "more than {} graphs lie inside each other", kMostNesting);
    CheckGraph(*region, nesting_ + 1);
  }

  void Compare(std::span<const TensorId> outside, const Graph& region,
               std::span<const TensorId> inside) const {
    Require(outside.size() == inside.size(), "a graph has {} tensors in place of {}", inside.size(),
            outside.size());
    for (std::size_t i = 0; i < outside.size(); ++i) {
      const Tensor& a = graph_.tensors[outside[i]];
      const Tensor& b = region.tensors[inside[i]];
      Require(a.type == b.type && a.Elements() == b.Elements(),
              "{}, {} of {} elements, does not fit {}, {} of {}", b.name, ElementTypeName(b.type),
              b.Elements(), a.name, ElementTypeName(a.type), a.Elements());
    }
  }

  const Graph& graph_;
  const Operator& op_;
  int nesting_;
};

void CheckGraph(const Graph& graph, int nesting) {
  std::vector<bool> made(graph.tensors.size(), false);
  const auto check_id = [&](TensorId id, std::string_view where) {
    if (id >= graph.tensors.size()) throw Error::Format("{}: there is no tensor {}", where, id);
  };
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    if (!graph.tensors[i].IsConstant()) continue;
    made[i] = true;
    CheckConstant(graph.tensors[i]);
  }
  for (const TensorId id : graph.inputs) {
    check_id(id, "graph inputs");
    made[id] = true;
    CheckActivation(graph.tensors[id]);
  }
  for (const State& state : graph.states) {
    check_id(state.before, "states");
    made[state.before] = true;
    CheckActivation(graph.tensors[state.before]);
  }
  for (const Operator& op : graph.operators) {
    if (op.inputs.empty()) throw Error::Format("{}: has no inputs", op.name);
    for (const TensorId id : op.inputs) {
      check_id(id, op.name);
      if (!made[id]) {
        throw Error::Format("{}: input {} is not made before it", op.name, graph.tensors[id].name);
      }
    }
    if (op.outputs.empty()) throw Error::Format("{}: has no outputs", op.name);
    for (const TensorId id : op.outputs) {
      check_id(id, op.name);
      if (made[id]) {
        throw Error::Format("{}: output {} is made twice", op.name, graph.tensors[id].name);
      }
      made[id] = true;
      CheckActivation(graph.tensors[id]);
    }
    std::visit(RegionCheck(graph, op, nesting), op.attributes);
  }
  for (const TensorId id : graph.outputs) {
    check_id(id, "graph outputs");
    if (!made[id]) {
      throw Error::Format("graph output {} is never made", graph.tensors[id].name);
    }
  }
  for (const State& state : graph.states) {
    check_id(state.after, "states");
    CheckState(state, graph, made[state.after]);
  }
}

}  // namespace

void CheckGraph(const Graph& graph) { CheckGraph(graph, 0); }

}  // namespace tpu::ir
