// SPDX-License-Identifier: Apache-2.0
// Writes random graphs of the tensor language with inputs, outputs and gradients: one line of JSON
// for each. For gradients.py.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "tensor/print.h"
#include "tensor/simplify.h"
#include "tests/tensor/networks.h"
#include "tests/tensor/random_case.h"
#include "tests/tensor/train_step_tester.h"

namespace tpu::tensor {
namespace {

using Json = nlohmann::json;

std::string_view BodyName(Reduction body) {
  constexpr std::array<std::string_view, 3> kNames = {"add", "maximum", "minimum"};
  return kNames.at(static_cast<std::size_t>(body));
}

// Attributes by StableHLO's names.
template <typename Op>
Json AttributesOf(const Op& /*op*/) {
  return Json::object();
}
Json AttributesOf(const Input& op) { return {{"name", op.name}}; }
Json AttributesOf(const Constant& op) { return {{"values", op.values}}; }
Json AttributesOf(const Iota& op) { return {{"iota_dimension", op.iota_dimension}}; }
Json AttributesOf(const Compare& op) {
  constexpr std::array<std::string_view, 6> kNames = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  return {{"comparison_direction", kNames.at(static_cast<std::size_t>(op.comparison_direction))}};
}
Json AttributesOf(const BroadcastInDim& op) {
  return {{"broadcast_dimensions", op.broadcast_dimensions}};
}
Json AttributesOf(const Transpose& op) { return {{"permutation", op.permutation}}; }
Json AttributesOf(const Reverse& op) { return {{"dimensions", op.dimensions}}; }
Json AttributesOf(const Slice& op) {
  return {{"start_indices", op.start_indices},
          {"limit_indices", op.limit_indices},
          {"strides", op.strides}};
}
Json AttributesOf(const Pad& op) {
  return {{"edge_padding_low", op.edge_padding_low},
          {"edge_padding_high", op.edge_padding_high},
          {"interior_padding", op.interior_padding}};
}
Json AttributesOf(const Concatenate& op) { return {{"dimension", op.dimension}}; }
Json AttributesOf(const Reduce& op) {
  return {{"body", BodyName(op.body)}, {"dimensions", op.dimensions}};
}
Json AttributesOf(const ReduceWindow& op) {
  return {{"body", BodyName(op.body)},
          {"window_dimensions", op.window_dimensions},
          {"window_strides", op.window_strides},
          {"base_dilations", op.base_dilations},
          {"window_dilations", op.window_dilations},
          {"padding", op.padding}};
}
Json AttributesOf(const SelectAndScatter& op) {
  return {{"window_dimensions", op.window_dimensions},
          {"window_strides", op.window_strides},
          {"padding", op.padding}};
}
Json AttributesOf(const DotGeneral& op) {
  return {{"lhs_batching_dimensions", op.lhs_batching_dimensions},
          {"rhs_batching_dimensions", op.rhs_batching_dimensions},
          {"lhs_contracting_dimensions", op.lhs_contracting_dimensions},
          {"rhs_contracting_dimensions", op.rhs_contracting_dimensions}};
}
Json AttributesOf(const Convolution& op) {
  return {{"window_strides", op.window_strides},
          {"padding", op.padding},
          {"lhs_dilation", op.lhs_dilation},
          {"rhs_dilation", op.rhs_dilation},
          {"window_reversal", op.window_reversal},
          {"input_batch_dimension", op.input_batch_dimension},
          {"input_feature_dimension", op.input_feature_dimension},
          {"input_spatial_dimensions", op.input_spatial_dimensions},
          {"kernel_input_feature_dimension", op.kernel_input_feature_dimension},
          {"kernel_output_feature_dimension", op.kernel_output_feature_dimension},
          {"kernel_spatial_dimensions", op.kernel_spatial_dimensions},
          {"output_batch_dimension", op.output_batch_dimension},
          {"output_feature_dimension", op.output_feature_dimension},
          {"output_spatial_dimensions", op.output_spatial_dimensions},
          {"feature_group_count", op.feature_group_count},
          {"batch_group_count", op.batch_group_count}};
}

Json NodesOf(const Graph& graph) {
  Json nodes = Json::array();
  for (const Node& node : graph.nodes) {
    nodes.push_back({{"op", NameOf(node.operation)},
                     {"operands", node.operands},
                     {"element", ElementName(node.type.element)},
                     {"shape", node.type.shape},
                     {"attributes", std::visit([](const auto& op) { return AttributesOf(op); },
                                               node.operation)}});
  }
  return nodes;
}

// The graph that computes gradients, too, is text: what XLA computes of it must be the same.
void Write(const std::string& kind, std::uint32_t seed, const Case& forward) {
  const Case both = WithGradients(forward, seed);
  std::vector<std::string> names;
  for (const Output& output : both.graph.outputs) names.push_back(output.name);
  const Json line = {{"kind", kind},
                     {"seed", seed},
                     {"nodes", NodesOf(forward.graph)},
                     {"result", *FindOutput(forward.graph, "result")},
                     {"arguments", forward.graph.inputs},
                     {"inputs", both.inputs},
                     {"names", names},
                     {"outputs", Evaluate(both.graph, both.inputs)},
                     {"text", Print(Simplify(WithoutStopGradients(both.graph)))}};
  fmt::print("{}\n", line.dump());
}

// The loss of a network as a function of all its inputs.
Case LossOf(const Network& network) {
  const TrainStep step = MakeTrainStep(network.model, {.loss = network.loss, .bfloat16 = false});
  Graph graph = step.update;
  graph.outputs = {{"result", *FindOutput(graph, "loss")}};
  NamedValues values = FirstInputs(network, step);
  values["learning_rate"] = {0};
  Case loss = {Simplify(graph), {}};
  for (const ValueId id : loss.graph.inputs) {
    loss.inputs.push_back(values.at(std::get<Input>(loss.graph.nodes[id].operation).name));
  }
  return loss;
}

int Main(int argc, char** argv) {
  CLI::App app{
      "Writes random graphs of the tensor language as JSON, one a line: one operation each, and "
      "whole networks, with inputs, outputs and the gradients of the inputs."};
  std::uint32_t seed = 1;
  std::uint32_t count = 1;
  std::string only;
  app.add_option("--seed", seed, "The first seed");
  app.add_option("--count", count, "How many graphs of each kind, each with the next seed");
  app.add_option("--only", only, "One kind alone, for example 'dot_general' or 'mlp'");
  CLI11_PARSE(app, argc, argv);
  for (std::uint32_t s = seed; s < seed + count; ++s) {
    for (const CaseKind& kind : CaseKinds()) {
      if (only.empty() || only == kind.name) Write(kind.name, s, MakeCase(kind, s));
    }
    for (const Network& network : AllNetworks(s)) {
      if (only.empty() || only == network.name) Write(network.name, s, LossOf(network));
    }
  }
  return 0;
}

}  // namespace
}  // namespace tpu::tensor

int main(int argc, char** argv) {
  try {
    return tpu::tensor::Main(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "tpu_gradients: {}\n", e.what());
    return 2;
  }
}
