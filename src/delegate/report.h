// SPDX-License-Identifier: Apache-2.0
// What the runs of a network cost, as a JSON file.
#pragma once

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tpu::delegate {

/// Threads wait for each other.
class Report {
 public:
  /// An empty path: no file is written. Throws tpu::Error when the file cannot be written.
  explicit Report(std::string path) : path_(std::move(path)) { Write(); }

  [[nodiscard]] bool IsWritten() const { return !path_.empty(); }

  /// A graph, known by its context, is prepared. `refused`: why nodes stay with LiteRT.
  void Begin(const void* graph, const std::map<int, std::string>& refused);
  /// The last run of the part with these nodes.
  void Note(const void* graph, const std::vector<int>& nodes, nlohmann::ordered_json run);

 private:
  struct Graph {
    const void* context = nullptr;
    std::map<int, std::string> refused = {};
    std::map<std::vector<int>, nlohmann::ordered_json> parts = {};
  };

  Graph& Find(const void* context);
  void Write() const;

  std::string path_;
  std::mutex mutex_;
  std::vector<Graph> graphs_;  // In the order in which they were prepared.
};

}  // namespace tpu::delegate
