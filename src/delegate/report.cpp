// SPDX-License-Identifier: Apache-2.0
#include "delegate/report.h"

#include <algorithm>
#include <cstddef>

#include "base/files.h"

namespace tpu::delegate {

void Report::Begin(const void* graph, const std::map<int, std::string>& refused) {
  const std::scoped_lock lock(mutex_);
  Find(graph) = {.context = graph, .refused = refused};
  Write();
}

void Report::Note(const void* graph, const std::vector<int>& nodes, nlohmann::ordered_json run) {
  const std::scoped_lock lock(mutex_);
  Find(graph).parts[nodes] = std::move(run);
  Write();
}

Report::Graph& Report::Find(const void* context) {
  const auto found = std::ranges::find(graphs_, context, &Graph::context);
  return found == graphs_.end() ? graphs_.emplace_back(Graph{.context = context}) : *found;
}

void Report::Write() const {
  if (!IsWritten()) return;
  nlohmann::ordered_json json = {{"parts", nlohmann::json::array()},
                                 {"refused", nlohmann::json::array()}};
  for (std::size_t graph = 0; graph < graphs_.size(); ++graph) {
    for (const auto& [nodes, run] : graphs_[graph].parts) {
      nlohmann::ordered_json part = {{"graph", graph}, {"nodes", nodes}};
      part.update(run);
      json["parts"].push_back(std::move(part));
    }
    for (const auto& [node, reason] : graphs_[graph].refused) {
      json["refused"].push_back({{"graph", graph}, {"node", node}, {"reason", reason}});
    }
  }
  WriteFile(path_, json.dump(2) + "\n");
}

}  // namespace tpu::delegate
