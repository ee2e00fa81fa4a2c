// SPDX-License-Identifier: Apache-2.0
#include "tpu/model.h"

#include <utility>

#include "base/error.h"
#include "sdk/contents.h"
#include "sdk/graph/graph_state.h"
#include "sdk/graph/tensor_info.h"
#include "sdk/read.h"

namespace tpu {
namespace {

std::vector<TensorInfo> Infos(const ir::Graph& graph, const std::vector<ir::TensorId>& ids) {
  std::vector<TensorInfo> infos;
  for (const ir::TensorId id : ids) infos.push_back(sdk::InfoOf(graph.tensors.at(id)));
  return infos;
}

}  // namespace

Model::Model(std::shared_ptr<const Network> network) : network_(std::move(network)) {}

Model Model::Load(const std::filesystem::path& path) {
  return Model(std::make_shared<Network>(Network{sdk::LoadGraph(path), path}));
}

Model Model::FromGraph(const Graph& graph, const std::string& name) {
  if (graph.state_->graph.outputs.empty()) throw Error::Format("{}: has no output", name);
  return Model(std::make_shared<Network>(Network{graph.state_->graph, name}));
}

std::vector<TensorInfo> Model::inputs() const {
  return Infos(network_->graph, network_->graph.inputs);
}

std::vector<TensorInfo> Model::outputs() const {
  return Infos(network_->graph, network_->graph.outputs);
}

std::vector<OperatorInfo> Model::operators() const {
  const ir::Graph& graph = network_->graph;
  std::vector<OperatorInfo> infos;
  for (const ir::Operator& op : graph.operators) {
    infos.push_back({.name = op.name,
                     .type = std::string(ir::OperatorName(op.attributes)),
                     .inputs = Infos(graph, op.inputs),
                     .outputs = Infos(graph, op.outputs)});
  }
  return infos;
}

}  // namespace tpu
