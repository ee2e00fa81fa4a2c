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
#include "compiler/schedule/dependence_graph.h"

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
// The share of the time in which a sum fills its half of the accumulators from which on its drains
// take long.
constexpr double kLongDrain = 0.5;

constexpr auto kArray = static_cast<std::size_t>(isa::Unit::kMatmul);
constexpr auto kVectorUnit = static_cast<std::size_t>(isa::Unit::kVector);

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

  // How long the array, behind a sum that starts at `start`, waits for the other half of the
  // accumulators, if that one takes long to drain.
  [[nodiscard]] double WaitBehind(const Sum& sum, double start) const {
    const std::uint32_t other = halves_[1 - NextHalf()].sum;
    if (other == kNoSum || sums_[other].drain_cycles < kLongDrain * sums_[other].array_cycles)
      return 0;
    const double filled = std::max(unit_free_[kArray], unit_free_[kVectorUnit]);
    return std::max(0.0, filled + sums_[other].drain_cycles - start - sum.array_cycles);
  }

  // Whether the sum that begins with `node` suits array and vector unit better than the one that
  // begins with `chosen`: the array must not wait for accumulators, an idle vector unit needs
  // drains, a busy one time.
  [[nodiscard]] bool BalancesBetter(std::uint32_t node, std::uint32_t chosen) const {
    if (!BeginsSum(node) || !BeginsSum(chosen) || StartTime(node) > StartTime(chosen)) return false;
    const Sum& a = sums_[nodes_[node].sum];
    const Sum& b = sums_[nodes_[chosen].sum];
    const double a_waits = WaitBehind(a, StartTime(chosen));
    const double b_waits = WaitBehind(b, StartTime(chosen));
    if (a_waits != b_waits) return a_waits < b_waits;
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
  const Policy policy = {.patience = kTypicalPatience, .balances = !graph.Sums().empty()};
  return Arrange(program, graph, ListScheduler(graph, policy).Run(), config);
}

}  // namespace tpu::compiler
