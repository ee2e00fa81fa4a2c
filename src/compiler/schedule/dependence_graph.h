// SPDX-License-Identifier: Apache-2.0
// What must come before what when a program is put into another order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "compiler/cost/duration.h"
#include "compiler/program/overlap.h"
#include "compiler/program/sequential.h"
#include "compiler/schedule/interval_map.h"
#include "isa/hardware_config.h"

namespace tpu::compiler {

inline constexpr std::uint32_t kNoSum = std::numeric_limits<std::uint32_t>::max();

/// A node that comes behind another one.
struct Edge {
  std::uint32_t to = 0;
  bool waits = true;  ///< For the result of the other one. Else the order alone matters.
};

/// Instructions that stay together.
struct Node {
  std::size_t first = 0;
  std::size_t count = 1;
  std::size_t unit = 0;
  bool drain = false;  ///< Empties accumulators.
  Duration duration;
  std::vector<Edge> successors;
  std::uint32_t predecessors = 0;
  std::uint32_t sum = kNoSum;  ///< The sum that it adds to or drains.
};

/// Products that fill one half of the accumulators, and what drains that half. Of layers side by
/// side, an order chooses which sum is next and which half the sum takes.
struct Sum {
  // Nodes.
  std::uint32_t first = 0;
  std::uint32_t last_product = 0;
  std::uint32_t last = 0;
  std::uint32_t products = 0;
  std::uint32_t drains = 0;
  std::uint32_t layer = 0;
  bool upper = false;  ///< Which half the program has.
  double array_cycles = 0;
  double drain_cycles = 0;
};

class DependenceGraph {
 public:
  DependenceGraph(const SequentialProgram& program, const isa::HardwareConfig& config,
                  Overlap overlap);

  [[nodiscard]] const std::vector<Node>& Nodes() const { return nodes_; }
  /// Of layers side by side, else none.
  [[nodiscard]] const std::vector<Sum>& Sums() const { return sums_; }

 private:
  struct Uses {
    std::int64_t writer = -1;
    std::vector<std::uint32_t> readers;  // Since the writer.
  };

  void AddToSum(const SequentialInstruction& instruction, const isa::HardwareConfig& config);
  void KeepSumsWhole();
  void AddEdges(const std::vector<Access>& accesses);
  void AddConflict(std::uint32_t from, std::uint32_t to, const Access& access);
  void AddEdge(std::uint32_t from, Edge edge);

  std::vector<Node> nodes_;
  std::vector<Sum> sums_;
  std::array<IntervalMap<Uses>, kNumSpaces> spaces_;
};

}  // namespace tpu::compiler
