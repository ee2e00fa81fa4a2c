// SPDX-License-Identifier: Apache-2.0
#include "compiler/place/residency.h"

#include <algorithm>
#include <limits>

#include "compiler/place/layout.h"
#include "compiler/program/fields.h"
#include "ir/regions.h"
#include "isa/element_format.h"

namespace tpu::compiler {
namespace {

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

// Tensors that a reshape makes are the tensor it takes.
struct Value {
  std::vector<ir::TensorId> tensors;
  std::size_t made = kNever;  // Operator indices.
  std::size_t last_used = 0;
  std::int64_t rows = 0;
  bool candidate = true;
  std::optional<std::int64_t> row;
};

class Planner {
 public:
  Planner(const ir::Graph& graph, const isa::HardwareConfig& config, Overlap overlap)
      : graph_(graph), config_(config), overlap_(overlap) {}

  ResidencyPlan Run() {
    CollectValues();
    while (!Place()) {
    }
    ResidencyPlan plan;
    plan.row.resize(graph_.tensors.size());
    for (const Value& value : values_) {
      for (const ir::TensorId id : value.tensors) plan.row[id] = value.row;
    }
    for (std::size_t op = 0; op < graph_.operators.size(); ++op) plan.free.push_back(Free(op));
    return plan;
  }

 private:
  void CollectValues() {
    value_of_.resize(graph_.tensors.size());
    for (ir::TensorId id = 0; id < graph_.tensors.size(); ++id) {
      value_of_[id] = values_.size();
      values_.push_back({.tensors = {id}});
    }
    for (std::size_t i = 0; i < graph_.operators.size(); ++i) {
      const ir::Operator& op = graph_.operators[i];
      for (const ir::TensorId id : op.inputs) values_[value_of_[id]].last_used = i;
      if (std::holds_alternative<ir::Reshape>(op.attributes)) {
        Join(op);
      } else {
        values_[value_of_[op.outputs[0]]].made = i;
        values_[value_of_[op.outputs[0]]].last_used = i;
      }
    }
    for (Value& value : values_) Judge(value);
  }

  void Join(const ir::Operator& reshape) {
    const std::size_t from = value_of_[reshape.inputs[0]];
    values_[value_of_[reshape.outputs[0]]].tensors.clear();
    value_of_[reshape.outputs[0]] = from;
    values_[from].tensors.push_back(reshape.outputs[0]);
  }

  // Only what operators make and others use, in a shape that the instructions can address.
  void Judge(Value& value) {
    value.candidate =
        !value.tensors.empty() && value.made != kNever && value.last_used > value.made;
    for (const ir::TensorId id : value.tensors) {
      const ir::Tensor& tensor = graph_.tensors[id];
      const Images images = ImagesOf(tensor);
      const std::int64_t plane = images.h * images.w * ElementBytes(tensor.type);
      value.rows = ir::CeilDiv(images.c, config_.n) * plane;
      if (tensor.IsConstant() || OutlastsARegion(value) || images.n != 1 || plane > kMostPlane ||
          images.w * config_.n > std::min(kMostRowOffset, kMostRowNumbers) ||
          value.rows > config_.ub_rows || !MayBeBlocked(graph_, id) || FeedsThin(id) ||
          TouchesBlocks(id)) {
        value.candidate = false;
      }
    }
  }

  // The graphs that an operator runs have the whole buffer.
  [[nodiscard]] bool OutlastsARegion(const Value& value) const {
    if (!value.candidate) return false;
    return std::any_of(
        graph_.operators.begin() + static_cast<std::ptrdiff_t>(value.made),
        graph_.operators.begin() + static_cast<std::ptrdiff_t>(value.last_used),
        [](const ir::Operator& op) { return !ir::RegionsOf(op.attributes).empty(); });
  }

  // Memory keeps rows of pixels contiguous, the unified buffer does not.
  [[nodiscard]] bool FeedsThin(ir::TensorId id) const {
    return std::any_of(
        graph_.operators.begin(), graph_.operators.end(), [&](const ir::Operator& op) {
          const auto* conv = std::get_if<ir::Conv2D>(&op.attributes);
          if (conv == nullptr || op.inputs[0] != id || op.inputs.size() < 2) return false;
          const std::vector<std::int64_t>& shape = graph_.tensors[op.inputs[1]].shape;
          const std::int64_t channels = ImagesOf(graph_.tensors[id]).c;
          return shape.size() == 4 && channels < config_.n &&
                 ThinPays(channels, shape[2], conv->dilation.w, config_.n);
        });
  }

  // LOAD and STORE cut channel blocks into the pieces that such an operator computes with.
  [[nodiscard]] bool TouchesBlocks(ir::TensorId id) const {
    return std::any_of(graph_.operators.begin(), graph_.operators.end(),
                       [&](const ir::Operator& op) {
                         return !op.inputs.empty() && (op.inputs[0] == id || op.outputs[0] == id) &&
                                BlockOf(graph_, op, config_).Pixels() > 1;
                       });
  }

  // Gives every candidate a place, or drops one and returns false.
  bool Place() {
    for (Value& value : values_) value.row.reset();
    bool from_top = false;
    for (std::size_t i = 0; i < graph_.operators.size(); ++i) {
      Value& value = values_[value_of_[graph_.operators[i].outputs[0]]];
      if (!value.candidate || value.made != i) continue;
      value.row = FindPlace(value, from_top);
      if (!value.row) {
        value.candidate = false;
        return false;
      }
      from_top = !from_top;
    }
    return DropWhereCramped();
  }

  // Layers side by side: what the operator before has read stays if there is room, so that the
  // value's maker need not wait for that operator.
  [[nodiscard]] std::optional<std::int64_t> FindPlace(const Value& value, bool from_top) const {
    if (AreSideBySide(overlap_) && value.made > 0) {
      const auto place = FindPlace(Gaps(value.made - 1, value.last_used), value.rows, from_top);
      if (place) return place;
    }
    return FindPlace(Gaps(value.made, value.last_used), value.rows, from_top);
  }

  // Taking turns at both ends keeps the free rows together in the middle.
  [[nodiscard]] static std::optional<std::int64_t> FindPlace(const std::vector<ir::Range>& gaps,
                                                             std::int64_t rows, bool from_top) {
    std::optional<std::int64_t> place;
    for (const ir::Range& gap : gaps) {
      if (gap.Size() < rows) continue;
      if (from_top) {
        place = gap.end - rows;
      } else if (!place) {
        place = gap.begin;
      }
    }
    return place;
  }

  // Rows free during all of the operators first .. last.
  [[nodiscard]] std::vector<ir::Range> Gaps(std::size_t first, std::size_t last) const {
    std::vector<ir::Range> used;
    for (const Value& value : values_) {
      if (value.row && value.made <= last && value.last_used >= first) {
        used.push_back({.begin = *value.row, .end = *value.row + value.rows});
      }
    }
    std::sort(used.begin(), used.end(),
              [](const ir::Range& a, const ir::Range& b) { return a.begin < b.begin; });
    std::vector<ir::Range> gaps;
    std::int64_t begin = 0;
    for (const ir::Range& range : used) {
      if (range.begin > begin) gaps.push_back({.begin = begin, .end = range.begin});
      begin = std::max(begin, range.end);
    }
    if (begin < config_.ub_rows) gaps.push_back({.begin = begin, .end = config_.ub_rows});
    return gaps;
  }

  [[nodiscard]] ir::Range Free(std::size_t op) const {
    ir::Range largest;
    for (const ir::Range& gap : Gaps(op, op)) {
      if (gap.Size() > largest.Size()) largest = gap;
    }
    return largest;
  }

  // Drops the largest value at an operator whose tiles would have too little room.
  bool DropWhereCramped() {
    for (std::size_t i = 0; i < graph_.operators.size(); ++i) {
      if (Free(i).Size() >= NeededRows(graph_.operators[i])) continue;
      Value* largest = nullptr;
      for (Value& value : values_) {
        if (value.row && value.made <= i && value.last_used >= i &&
            (largest == nullptr || value.rows > largest->rows)) {
          largest = &value;
        }
      }
      if (largest == nullptr) continue;
      largest->candidate = false;
      return false;
    }
    return true;
  }

  // A quarter of the buffer for tiles of tensors in memory; two sets of depthwise weights.
  [[nodiscard]] std::int64_t NeededRows(const ir::Operator& op) const {
    if (std::holds_alternative<ir::Reshape>(op.attributes)) return 0;
    std::int64_t rows = 0;
    const bool streams = !values_[value_of_[op.outputs[0]]].row ||
                         std::any_of(op.inputs.begin(), op.inputs.end(), [&](ir::TensorId id) {
                           return !graph_.tensors[id].IsConstant() && !values_[value_of_[id]].row;
                         });
    if (streams) rows += config_.ub_rows / 4;
    if (std::holds_alternative<ir::DepthwiseConv2D>(op.attributes) && op.inputs.size() >= 2) {
      const ir::Tensor& tensor = graph_.tensors[op.inputs[1]];
      const Images weights = ImagesOf(tensor);
      rows += std::min<std::int64_t>(ir::CeilDiv(weights.c, config_.n) * weights.h * weights.w *
                                         ElementBytes(tensor.type),
                                     config_.ub_rows / 8) *
              2;
    }
    return rows;
  }

  const ir::Graph& graph_;
  const isa::HardwareConfig& config_;
  Overlap overlap_;
  std::vector<Value> values_;
  std::vector<std::size_t> value_of_;  // By tensor.
};

}  // namespace

namespace {

template <typename Plan>
void PlanRegions(const ir::Graph& graph, const Plan& plan, ResidencyPlan& result) {
  for (const ir::Operator& op : graph.operators) {
    for (const ir::Graph* region : ir::RegionsOf(op.attributes)) {
      result.regions.push_back(plan(*region));
    }
  }
}

}  // namespace

ResidencyPlan PlanResidency(const ir::Graph& graph, const isa::HardwareConfig& config,
                            Overlap overlap) {
  ResidencyPlan plan = Planner(graph, config, overlap).Run();
  PlanRegions(
      graph, [&](const ir::Graph& region) { return PlanResidency(region, config, overlap); }, plan);
  return plan;
}

ResidencyPlan NoResidency(const ir::Graph& graph, const isa::HardwareConfig& config) {
  ResidencyPlan plan;
  plan.row.resize(graph.tensors.size());
  plan.free.assign(graph.operators.size(), {.begin = 0, .end = config.ub_rows});
  PlanRegions(
      graph, [&](const ir::Graph& region) { return NoResidency(region, config); }, plan);
  return plan;
}

}  // namespace tpu::compiler
