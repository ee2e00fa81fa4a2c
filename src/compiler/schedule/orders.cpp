// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/orders.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/cost/duration.h"
#include "compiler/schedule/interval_map.h"

namespace tpu::compiler {
namespace {

// How far a unit looks ahead among its instructions that nothing holds back.
constexpr int kCandidates = 12;
// And how far ahead of the first instruction left behind.
constexpr std::size_t kWindow = 400;
// Shares of an instruction's time that a unit may rather stand idle, waiting for one that comes
// earlier in the program.
constexpr std::array kPatience = {0.0, 0.25, 1.0, 4.0};

// Instructions that stay together.
struct Node {
  std::size_t first = 0;
  std::size_t count = 1;
  std::size_t unit = 0;
  bool drain = false;  // Empties accumulators.
  Duration duration;
  std::vector<std::uint32_t> successors;
  std::uint32_t predecessors = 0;
};

struct Uses {
  std::int64_t writer = -1;
  std::vector<std::uint32_t> readers;  // Since the writer.
};

bool ReadsAccumulators(const isa::Instruction& instruction) {
  return std::visit(
      [](const auto& i) {
        if constexpr (requires { i.source; }) {
          return i.source == isa::VectorSource::kAccumulators;
        } else {
          return false;
        }
      },
      instruction);
}

class DependenceGraph {
 public:
  DependenceGraph(const std::vector<SequentialInstruction>& program,
                  const isa::HardwareConfig& config) {
    for (std::size_t i = 0; i < program.size(); i += nodes_.back().count) {
      Node node = {.first = i};
      const bool weights = std::holds_alternative<isa::Weights>(program[i].instruction);
      if (weights && i + 1 < program.size()) node.count = 2;
      const isa::Instruction& last = program[i + node.count - 1].instruction;
      node.unit = static_cast<std::size_t>(isa::UnitOf(isa::OpcodeOf(last)));
      node.drain = ReadsAccumulators(last);
      node.duration = DurationOf(last, config);
      nodes_.push_back(node);
      for (std::size_t k = 0; k < node.count; ++k) AddEdges(program[i + k].accesses);
    }
  }

  [[nodiscard]] const std::vector<Node>& Nodes() const { return nodes_; }

 private:
  void AddEdges(const std::vector<Access>& accesses) {
    const auto index = static_cast<std::uint32_t>(nodes_.size() - 1);
    for (const Access& access : accesses) {
      if (access.begin >= access.end) continue;
      IntervalMap<Uses>& map = spaces_[static_cast<std::size_t>(access.space)];
      map.Visit(access.begin, access.end, [&](Uses& uses) {
        if (uses.writer >= 0) AddEdge(static_cast<std::uint32_t>(uses.writer), index);
        if (access.write) {
          for (const std::uint32_t reader : uses.readers) AddEdge(reader, index);
        } else if (uses.readers.empty() || uses.readers.back() != index) {
          uses.readers.push_back(index);
        }
      });
      if (access.write) map.Assign(access.begin, access.end, {.writer = index, .readers = {}});
    }
  }

  void AddEdge(std::uint32_t from, std::uint32_t to) {
    std::vector<std::uint32_t>& successors = nodes_[from].successors;
    if (from == to || (!successors.empty() && successors.back() == to)) return;
    successors.push_back(to);
    ++nodes_[to].predecessors;
  }

  std::vector<Node> nodes_;
  std::array<IntervalMap<Uses>, kNumSpaces> spaces_;
};

using Order = std::vector<std::uint32_t>;  // Nodes in the order of their start.

// Builds an order: takes, again and again, the instruction that can start first.
class ListScheduler {
 public:
  ListScheduler(const std::vector<Node>& nodes, double patience)
      : nodes_(nodes), patience_(patience), ready_time_(nodes.size(), 0), done_(nodes.size()) {
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      waiting_for_.push_back(nodes[i].predecessors);
      if (nodes[i].predecessors == 0) Ready(i);
    }
  }

  Order Run() {
    while (order_.size() < nodes_.size()) Start(Choose());
    return std::move(order_);
  }

 private:
  // Drains go first: the array cannot go on without accumulators, and they are short.
  using ReadySet = std::set<std::pair<bool, std::uint32_t>>;
  [[nodiscard]] std::pair<bool, std::uint32_t> Key(std::uint32_t node) const {
    return {!nodes_[node].drain, node};
  }
  void Ready(std::uint32_t node) { ready_[nodes_[node].unit].insert(Key(node)); }

  [[nodiscard]] double StartTime(std::uint32_t node) const {
    return std::max(unit_free_[nodes_[node].unit], ready_time_[node]);
  }

  std::uint32_t Choose() {
    while (done_[oldest_]) ++oldest_;
    std::uint32_t best = 0;
    double best_start = std::numeric_limits<double>::infinity();
    for (const auto& ready : ready_) {
      if (ready.empty()) continue;
      const std::uint32_t node = ChooseOf(ready);
      const double start = StartTime(node);
      if (start < best_start || (start == best_start && node < best)) {
        best = node;
        best_start = start;
      }
    }
    return best;
  }

  // The unit's earliest start, but the first in rank of those that start little later.
  [[nodiscard]] std::uint32_t ChooseOf(const ReadySet& ready) const {
    std::uint32_t chosen = ready.begin()->second;
    int candidates = kCandidates;
    for (const auto& [rank, node] : ready) {
      if (candidates-- == 0) break;
      if (node > oldest_ + kWindow) continue;
      const double patience = patience_ * static_cast<double>(nodes_[node].duration.busy);
      if (StartTime(node) + patience < StartTime(chosen)) chosen = node;
    }
    return chosen;
  }

  void Start(std::uint32_t index) {
    const Node& node = nodes_[index];
    const double end = StartTime(index) + static_cast<double>(node.duration.busy);
    const double complete = end + static_cast<double>(node.duration.latency);
    unit_free_[node.unit] = end;
    order_.push_back(index);
    done_[index] = true;
    ready_[node.unit].erase(Key(index));
    for (const std::uint32_t successor : node.successors) {
      // A unit keeps its own order without waiting for completion.
      const double from = nodes_[successor].unit == node.unit ? end : complete;
      ready_time_[successor] = std::max(ready_time_[successor], from);
      if (--waiting_for_[successor] == 0) Ready(successor);
    }
  }

  const std::vector<Node>& nodes_;
  double patience_;
  std::vector<double> ready_time_;
  std::vector<bool> done_;
  std::vector<std::uint32_t> waiting_for_;
  std::array<ReadySet, isa::kNumUnits> ready_;
  std::array<double, isa::kNumUnits> unit_free_ = {};
  std::uint32_t oldest_ = 0;
  Order order_;
};

SequentialProgram Arrange(const SequentialProgram& program, const DependenceGraph& graph,
                          const Order& order) {
  SequentialProgram arranged;
  arranged.reserve(program.size());
  for (const std::uint32_t index : order) {
    const Node& node = graph.Nodes()[index];
    for (std::size_t i = 0; i < node.count; ++i) arranged.push_back(program[node.first + i]);
  }
  return arranged;
}

}  // namespace

std::vector<SequentialProgram> Orders(const SequentialProgram& program,
                                      const isa::HardwareConfig& config) {
  const DependenceGraph graph(program, config);
  std::set<Order> orders;
  for (const double patience : kPatience) {
    orders.insert(ListScheduler(graph.Nodes(), patience).Run());
  }
  std::vector<SequentialProgram> programs;
  programs.reserve(orders.size());
  for (const Order& order : orders) programs.push_back(Arrange(program, graph, order));
  return programs;
}

}  // namespace tpu::compiler
