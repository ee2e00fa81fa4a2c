// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/orders.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <set>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "compiler/cost/duration.h"
#include "compiler/schedule/interval_map.h"
#include "isa/tiles.h"

namespace tpu::compiler {
namespace {

// How far a unit looks ahead among its instructions that nothing holds back.
constexpr int kCandidates = 12;
// And how far ahead of the first instruction left behind.
constexpr std::size_t kWindow = 400;
// Shares of an instruction's time that a unit may rather stand idle, waiting for one that comes
// earlier in the program.
constexpr std::array kPatience = {0.0, 0.25, 1.0, 4.0};
constexpr double kTypicalPatience = 0.25;

constexpr auto kVectorUnit = static_cast<std::size_t>(isa::Unit::kVector);
constexpr std::uint32_t kNoSum = std::numeric_limits<std::uint32_t>::max();

// A node that comes behind another one.
struct Edge {
  std::uint32_t to = 0;
  bool waits = true;  // For the result of the other one. Else the order alone matters.
};

// Instructions that stay together.
struct Node {
  std::size_t first = 0;
  std::size_t count = 1;
  std::size_t unit = 0;
  bool drain = false;  // Empties accumulators.
  Duration duration;
  std::vector<Edge> successors;
  std::uint32_t predecessors = 0;
  std::uint32_t sum = kNoSum;  // The sum that it adds to or drains.
};

// Products that fill one half of the accumulators, and what drains that half. Of layers side by
// side, an order chooses which sum is next and which half the sum takes.
struct Sum {
  // Nodes.
  std::uint32_t first = 0;
  std::uint32_t last_product = 0;
  std::uint32_t last = 0;
  std::uint32_t products = 0;
  std::uint32_t drains = 0;
  std::uint32_t layer = 0;
  bool upper = false;  // Which half the program has.
  double array_cycles = 0;
  double drain_cycles = 0;
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
                  const isa::HardwareConfig& config, Overlap overlap) {
    for (std::size_t i = 0; i < program.size(); i += nodes_.back().count) {
      Node node = {.first = i};
      const bool weights = isa::TilesBrought(program[i].instruction).has_value();
      if (weights && i + 1 < program.size()) node.count = 2;
      const isa::Instruction& last = program[i + node.count - 1].instruction;
      node.unit = static_cast<std::size_t>(isa::UnitOf(isa::OpcodeOf(last)));
      node.drain = ReadsAccumulators(last);
      node.duration = DurationOf(last, config);
      nodes_.push_back(node);
      if (overlap == Overlap::kSideBySide) AddToSum(program[i + node.count - 1], config);
      for (std::size_t k = 0; k < node.count; ++k) AddEdges(program[i + k].accesses);
    }
    KeepSumsWhole();
  }

  [[nodiscard]] const std::vector<Node>& Nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<Sum>& Sums() const { return sums_; }

 private:
  // In the program the products of a sum stand together, and behind them what drains them.
  void AddToSum(const SequentialInstruction& instruction, const isa::HardwareConfig& config) {
    Node& node = nodes_.back();
    const auto index = static_cast<std::uint32_t>(nodes_.size() - 1);
    const auto cycles = static_cast<double>(node.duration.busy);
    if (const auto* matmul = std::get_if<isa::Matmul>(&instruction.instruction)) {
      if (sums_.empty() || sums_.back().drains != 0) {
        // A layer keeps the order of its sums.
        if (!sums_.empty() && sums_.back().layer == instruction.layer) {
          AddEdge(sums_.back().last_product, {.to = index, .waits = false});
        }
        sums_.push_back({.first = index,
                         .layer = instruction.layer,
                         .upper = matmul->acc_row >= config.acc_rows / 2});
      } else {
        AddEdge(sums_.back().first, {.to = index, .waits = false});  // Takes the half.
      }
      ++sums_.back().products;
      sums_.back().last_product = index;
      sums_.back().array_cycles += cycles;
    } else if (node.drain && !sums_.empty()) {
      ++sums_.back().drains;
      sums_.back().drain_cycles += cycles;
    } else {
      return;
    }
    sums_.back().last = index;
    node.sum = static_cast<std::uint32_t>(sums_.size() - 1);
  }

  // A sum that has begun can be finished, whatever else waits for accumulators: what the sum's
  // nodes and all nodes between them need from before the sum must be chosen before the sum begins.
  void KeepSumsWhole() {
    std::vector<std::uint32_t> sum_around(nodes_.size(), kNoSum);
    for (std::uint32_t i = 0; i < sums_.size(); ++i) {
      std::fill(sum_around.begin() + sums_[i].first + 1, sum_around.begin() + sums_[i].last + 1, i);
    }
    for (std::uint32_t from = 0; from < nodes_.size(); ++from) {
      std::set<std::uint32_t> firsts;
      for (const Edge& edge : nodes_[from].successors) {
        const std::uint32_t sum = sum_around[edge.to];
        if (sum != kNoSum && from < sums_[sum].first) firsts.insert(sums_[sum].first);
      }
      for (const std::uint32_t first : firsts) AddEdge(from, {.to = first, .waits = false});
    }
  }

  void AddEdges(const std::vector<Access>& accesses) {
    const auto index = static_cast<std::uint32_t>(nodes_.size() - 1);
    for (const Access& access : accesses) {
      if (access.begin >= access.end) continue;
      IntervalMap<Uses>& map = spaces_[static_cast<std::size_t>(access.space)];
      map.Visit(access.begin, access.end, [&](Uses& uses) {
        if (uses.writer >= 0) AddConflict(static_cast<std::uint32_t>(uses.writer), index, access);
        if (access.write) {
          for (const std::uint32_t reader : uses.readers) AddConflict(reader, index, access);
        } else if (uses.readers.empty() || uses.readers.back() != index) {
          uses.readers.push_back(index);
        }
      });
      if (access.write) map.Assign(access.begin, access.end, {.writer = index, .readers = {}});
    }
  }

  // Sums do not conflict in the accumulators: each waits for a half.
  void AddConflict(std::uint32_t from, std::uint32_t to, const Access& access) {
    if (access.space == Space::kAccumulators && nodes_[from].sum != nodes_[to].sum) return;
    std::vector<Edge>& successors = nodes_[from].successors;
    if (from == to || (!successors.empty() && successors.back().to == to)) return;
    AddEdge(from, {.to = to});
  }

  void AddEdge(std::uint32_t from, Edge edge) {
    nodes_[from].successors.push_back(edge);
    ++nodes_[edge.to].predecessors;
  }

  std::vector<Node> nodes_;
  std::vector<Sum> sums_;
  std::array<IntervalMap<Uses>, kNumSpaces> spaces_;
};

// What a program's order is made of.
struct Order {
  std::vector<std::uint32_t> nodes;  // In the order of their start.
  std::vector<bool> upper;           // The half of each sum.
  friend bool operator<(const Order& a, const Order& b) {
    return std::tie(a.nodes, a.upper) < std::tie(b.nodes, b.upper);
  }
};

// How an order is built.
struct Policy {
  double patience = 0;    // One of kPatience.
  bool balances = false;  // Takes sums as array and vector unit need them.
};

// Builds an order: takes, again and again, the instruction that can start first.
class ListScheduler {
 public:
  ListScheduler(const DependenceGraph& graph, const Policy& policy)
      : nodes_(graph.Nodes()),
        sums_(graph.Sums()),
        policy_(policy),
        ready_time_(nodes_.size(), 0),
        done_(nodes_.size()) {
    order_.upper.resize(sums_.size());
    for (const Sum& sum : sums_) nodes_left_.push_back(sum.products + sum.drains);
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      waiting_for_.push_back(nodes_[i].predecessors);
      if (nodes_[i].predecessors == 0) Ready(i);
    }
  }

  Order Run() {
    while (order_.nodes.size() < nodes_.size()) Start(Choose());
    return std::move(order_);
  }

 private:
  // Drains go first: the array cannot go on without accumulators, and they are short.
  using ReadySet = std::set<std::pair<bool, std::uint32_t>>;
  [[nodiscard]] std::pair<bool, std::uint32_t> Key(std::uint32_t node) const {
    return {!nodes_[node].drain, node};
  }
  void Ready(std::uint32_t node) { ready_[nodes_[node].unit].insert(Key(node)); }

  [[nodiscard]] bool BeginsSum(std::uint32_t node) const {
    return nodes_[node].sum != kNoSum && sums_[nodes_[node].sum].first == node;
  }

  // A half of the accumulators.
  struct Half {
    std::uint32_t sum = kNoSum;  // That is not drained yet.
    double free = 0;             // When the last one was.
  };
  // The half that the next sum takes; both may be taken.
  [[nodiscard]] std::size_t NextHalf() const {
    if (halves_[0].sum != kNoSum) return 1;
    if (halves_[1].sum != kNoSum) return 0;
    return halves_[0].free <= halves_[1].free ? 0 : 1;
  }

  [[nodiscard]] double StartTime(std::uint32_t node) const {
    double start = std::max(unit_free_[nodes_[node].unit], ready_time_[node]);
    if (BeginsSum(node)) {
      const Half& half = halves_[NextHalf()];
      start =
          half.sum == kNoSum ? std::max(start, half.free) : std::numeric_limits<double>::infinity();
    }
    return start;
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
    if (best_start == std::numeric_limits<double>::infinity()) {
      throw InternalError("no instruction can start before others free the accumulators");
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
      const double patience = policy_.patience * static_cast<double>(nodes_[node].duration.busy);
      if (StartTime(node) + patience < StartTime(chosen) ||
          (policy_.balances && BalancesBetter(node, chosen)))
        chosen = node;
    }
    return chosen;
  }

  // Whether the sum that begins with `node` suits array and vector unit better than the one that
  // begins with `chosen`: an idle vector unit needs drains, a busy one time.
  [[nodiscard]] bool BalancesBetter(std::uint32_t node, std::uint32_t chosen) const {
    if (!BeginsSum(node) || !BeginsSum(chosen) || StartTime(node) > StartTime(chosen)) return false;
    const Sum& a = sums_[nodes_[node].sum];
    const Sum& b = sums_[nodes_[chosen].sum];
    const double more_drains = a.drain_cycles * b.array_cycles - b.drain_cycles * a.array_cycles;
    return unit_free_[kVectorUnit] > StartTime(chosen) ? more_drains < 0 : more_drains > 0;
  }

  void Start(std::uint32_t index) {
    const Node& node = nodes_[index];
    const double end = StartTime(index) + static_cast<double>(node.duration.busy);
    const double complete = end + static_cast<double>(node.duration.latency);
    if (BeginsSum(index)) {
      order_.upper[node.sum] = NextHalf() == 1;
      halves_[NextHalf()].sum = node.sum;
    }
    if (node.sum != kNoSum && --nodes_left_[node.sum] == 0) {
      halves_[order_.upper[node.sum] ? 1 : 0] = {.free = complete};
    }
    unit_free_[node.unit] = end;
    order_.nodes.push_back(index);
    done_[index] = true;
    ready_[node.unit].erase(Key(index));
    for (const Edge& edge : node.successors) {
      if (edge.waits) {
        // A unit keeps its own order without waiting for completion.
        const double from = nodes_[edge.to].unit == node.unit ? end : complete;
        ready_time_[edge.to] = std::max(ready_time_[edge.to], from);
      }
      if (--waiting_for_[edge.to] == 0) Ready(edge.to);
    }
  }

  const std::vector<Node>& nodes_;
  const std::vector<Sum>& sums_;
  Policy policy_;
  std::vector<double> ready_time_;
  std::vector<bool> done_;
  std::vector<std::uint32_t> waiting_for_;
  std::vector<std::uint32_t> nodes_left_;  // Of each sum.
  std::array<Half, 2> halves_;
  std::array<ReadySet, isa::kNumUnits> ready_;
  std::array<double, isa::kNumUnits> unit_free_ = {};
  std::uint32_t oldest_ = 0;
  Order order_;
};

// The instruction with its accumulators `rows` rows further.
void MoveAccumulators(SequentialInstruction& instruction, std::int32_t rows) {
  std::visit(
      [&](auto& i) {
        if constexpr (requires { i.acc_row; }) {
          i.acc_row += static_cast<std::uint32_t>(rows);
        } else if constexpr (requires { i.a_row; }) {
          i.a_row += rows;
        }
      },
      instruction.instruction);
  for (Access& access : instruction.accesses) {
    if (access.space != Space::kAccumulators) continue;
    access.begin += static_cast<std::uint64_t>(std::int64_t{rows});
    access.end += static_cast<std::uint64_t>(std::int64_t{rows});
  }
}

SequentialProgram Arrange(const SequentialProgram& program, const DependenceGraph& graph,
                          const Order& order, const isa::HardwareConfig& config) {
  const auto half = static_cast<std::int32_t>(config.acc_rows / 2);
  SequentialProgram arranged;
  arranged.reserve(program.size());
  for (const std::uint32_t index : order.nodes) {
    const Node& node = graph.Nodes()[index];
    for (std::size_t i = 0; i < node.count; ++i) arranged.push_back(program[node.first + i]);
    if (node.sum == kNoSum || order.upper[node.sum] == graph.Sums()[node.sum].upper) continue;
    MoveAccumulators(arranged.back(), order.upper[node.sum] ? half : -half);
  }
  return arranged;
}

}  // namespace

std::vector<SequentialProgram> Orders(const SequentialProgram& program,
                                      const isa::HardwareConfig& config, Overlap overlap) {
  const DependenceGraph graph(program, config, overlap);
  std::set<Order> orders;
  for (const double patience : kPatience) {
    orders.insert(ListScheduler(graph, {.patience = patience}).Run());
    if (graph.Sums().empty()) continue;
    orders.insert(ListScheduler(graph, {.patience = patience, .balances = true}).Run());
  }
  std::vector<SequentialProgram> programs;
  programs.reserve(orders.size());
  for (const Order& order : orders) programs.push_back(Arrange(program, graph, order, config));
  return programs;
}

SequentialProgram TypicalOrder(const SequentialProgram& program, const isa::HardwareConfig& config,
                               Overlap overlap) {
  const DependenceGraph graph(program, config, overlap);
  return Arrange(program, graph, ListScheduler(graph, {.patience = kTypicalPatience}).Run(),
                 config);
}

}  // namespace tpu::compiler
