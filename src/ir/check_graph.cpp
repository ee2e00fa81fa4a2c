// SPDX-License-Identifier: Apache-2.0
#include "ir/check_graph.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

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

}  // namespace

void CheckGraph(const Graph& graph) {
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

}  // namespace tpu::ir
