// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/dependence_graph.h"

#include <algorithm>
#include <set>
#include <variant>

#include "isa/tiles.h"

namespace tpu::compiler {
namespace {

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

}  // namespace

DependenceGraph::DependenceGraph(const SequentialProgram& program,
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
    if (AreSideBySide(overlap)) AddToSum(program[i + node.count - 1], config);
    for (std::size_t k = 0; k < node.count; ++k) AddEdges(program[i + k].accesses);
  }
  KeepSumsWhole();
}

// In the program the products of a sum stand together, and behind them what drains them.
void DependenceGraph::AddToSum(const SequentialInstruction& instruction,
                               const isa::HardwareConfig& config) {
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
void DependenceGraph::KeepSumsWhole() {
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

void DependenceGraph::AddEdges(const std::vector<Access>& accesses) {
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
void DependenceGraph::AddConflict(std::uint32_t from, std::uint32_t to, const Access& access) {
  if (access.space == Space::kAccumulators && nodes_[from].sum != nodes_[to].sum) return;
  std::vector<Edge>& successors = nodes_[from].successors;
  if (from == to || (!successors.empty() && successors.back().to == to)) return;
  AddEdge(from, {.to = to});
}

void DependenceGraph::AddEdge(std::uint32_t from, Edge edge) {
  nodes_[from].successors.push_back(edge);
  ++nodes_[edge.to].predecessors;
}

}  // namespace tpu::compiler
