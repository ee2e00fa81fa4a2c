// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/order_operators.h"

#include <gtest/gtest.h>

#include <string>

namespace tpu::compiler {
namespace {

// A short way and a long one to the last operator; `last_of_way` ends the long one.
ir::Graph TwoWays(const ir::Attributes& last_of_way) {
  ir::Graph graph;
  const auto tensor = [&](std::string name) {
    return graph.AddTensor({.name = std::move(name), .shape = {1, 4}});
  };
  const auto add = [&](const std::string& name, std::vector<ir::TensorId> inputs,
                       ir::Attributes op) {
    const ir::TensorId output = tensor(name);
    graph.operators.push_back({.name = name,
                               .inputs = std::move(inputs),
                               .outputs = {output},
                               .attributes = std::move(op)});
    return output;
  };
  const ir::TensorId x = tensor("x");
  const ir::TensorId entries = tensor("entries");
  const ir::TensorId side = add("side", {x}, ir::Reshape{});
  const ir::TensorId short_way = add("short", {side}, ir::Lookup{});
  const ir::TensorId first = add("first", {x}, ir::Lookup{});
  const ir::TensorId second = add("second", {first, entries}, last_of_way);
  graph.inputs = {x, entries};
  graph.outputs = {add("sum", {short_way, second}, ir::Binary{})};
  return graph;
}

std::string NamesOf(const ir::Graph& graph) {
  std::string names;
  for (const ir::Operator& op : graph.operators) names += op.name + " ";
  return names;
}

TEST(OrderOperators, PutsTheLongestWayFirstWhereSoftmaxIsOnTheDevice) {
  ir::Graph graph = TwoWays(ir::WideLookup{});
  OrderOperators(graph);
  EXPECT_EQ(NamesOf(graph), "first second side short sum ");
}

TEST(OrderOperators, LeavesOtherGraphsAlone) {
  ir::Graph graph = TwoWays(ir::Binary{});
  OrderOperators(graph);
  EXPECT_EQ(NamesOf(graph), "side short first second sum ");
}

}  // namespace
}  // namespace tpu::compiler
