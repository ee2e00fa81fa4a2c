// SPDX-License-Identifier: Apache-2.0
// A function of tensors: operations in an order in which each comes behind what it uses.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/operations.h"
#include "tpu/error.h"

namespace tpu::tensor {

/// A graph or an operation that breaks a rule of the language. The message names the operation and
/// the types of its operands.
class TypeError : public Error {
 public:
  using Error::Error;
};

/// The one result of a node, by the node's place in the graph.
using ValueId = std::uint32_t;

struct Node {
  Operation operation;
  std::vector<ValueId> operands;
  TensorType type;
  bool operator==(const Node&) const = default;
};

struct Output {
  std::string name;
  ValueId value = 0;
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<ValueId> inputs;  ///< The nodes that are an Input, in the order of arguments.
  std::vector<Output> outputs;

  [[nodiscard]] const TensorType& TypeOf(ValueId value) const { return nodes.at(value).type; }
};

/// The input or the output of that name, if there is one.
std::optional<ValueId> FindInput(const Graph& graph, std::string_view name);
std::optional<ValueId> FindOutput(const Graph& graph, std::string_view name);

/// The type of an operation's result. Throws TypeError where StableHLO's constraints are broken.
TensorType InferType(const Operation& operation, std::span<const TensorType> operands);

/// Throws TypeError: an operand that is not made before, a type that is not the inferred one,
/// inputs that are no list of the Input nodes, names that occur twice.
void Verify(const Graph& graph);

}  // namespace tpu::tensor
