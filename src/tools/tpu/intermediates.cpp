// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/intermediates.h"

#include <fmt/core.h>
#include <zlib.h>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/error.h"
#include "base/files.h"

namespace tpu::tools {
namespace {

using ir::TensorId;

// Place of each tensor among the outputs: the graph's own, then those of the operators in order.
std::map<TensorId, std::size_t> PlacesOf(const ir::Graph& graph) {
  std::map<TensorId, std::size_t> places;
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) places.emplace(graph.outputs[i], i);
  std::size_t next = graph.outputs.size();
  for (const ir::Operator& op : graph.operators) {
    for (const TensorId id : op.outputs) {
      if (places.emplace(id, next).second) ++next;
    }
  }
  return places;
}

struct Entry {
  std::size_t index = 0;
  std::string op;
  TensorId tensor = 0;
  std::uint32_t crc = 0;
};

std::vector<Entry> ReadCase(const std::filesystem::path& manifest, const std::string& name) {
  try {
    std::vector<Entry> entries;
    const auto json = nlohmann::json::parse(ReadText(manifest));
    for (const auto& entry : json.at("cases").at(name)) {
      entries.push_back({.index = entry.at(0).get<std::size_t>(),
                         .op = entry.at(1).get<std::string>(),
                         .tensor = entry.at(2).get<TensorId>(),
                         .crc = entry.at(3).get<std::uint32_t>()});
    }
    return entries;
  } catch (const nlohmann::json::exception& error) {
    throw Error::Format("{}: case {}: {}", manifest.string(), name, error.what());
  }
}

}  // namespace

IntermediatesResult CompareIntermediates(const std::filesystem::path& manifest,
                                         const std::string& name, const ir::Graph& graph,
                                         const executable::Executable& executable,
                                         std::span<const Bytes> outputs) {
  const std::map<TensorId, std::size_t> places = PlacesOf(graph);
  IntermediatesResult result;
  for (const Entry& entry : ReadCase(manifest, name)) {
    const auto place = places.find(entry.tensor);
    if (place == places.end()) continue;
    ++result.compared;
    const Bytes& bytes = outputs[place->second];
    if (crc32_z(0, bytes.data(), bytes.size()) == entry.crc) continue;
    result.difference =
        fmt::format("operator {} ({}): tensor {} ({}) differs from {}", entry.index, entry.op,
                    entry.tensor, executable.outputs[place->second].name, manifest.string());
    return result;
  }
  return result;
}

}  // namespace tpu::tools
