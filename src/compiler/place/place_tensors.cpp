// SPDX-License-Identifier: Apache-2.0
#include "compiler/place/place_tensors.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>

#include "base/error.h"
#include "compiler/place/layout.h"

namespace tpu::compiler {
namespace {

// Operators between which a place in memory is taken.
struct Lifetime {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = -1;

  void Include(std::int64_t time) {
    first = std::min(first, time);
    last = std::max(last, time);
  }
  [[nodiscard]] bool Meets(const Lifetime& other) const {
    return first <= other.last && other.first <= last;
  }
};

struct Block {
  ir::TensorId id = 0;
  std::int64_t bytes = 0;
  std::int64_t offset = 0;
  Lifetime lifetime;
};

// Largest first, each at the lowest place that is free during its lifetime. Returns the bytes
// needed.
std::int64_t Pack(std::vector<Block>& blocks) {
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const Block& a, const Block& b) { return a.bytes > b.bytes; });
  std::int64_t total = 0;
  std::vector<const Block*> placed;  // By offset.
  for (Block& block : blocks) {
    for (const Block* other : placed) {
      if (!other->lifetime.Meets(block.lifetime)) continue;
      if (block.offset + block.bytes <= other->offset) break;
      block.offset = std::max(block.offset, other->offset + other->bytes);
    }
    total = std::max(total, block.offset + block.bytes);
    placed.insert(
        std::upper_bound(placed.begin(), placed.end(), &block,
                         [](const Block* a, const Block* b) { return a->offset < b->offset; }),
        &block);
  }
  return total;
}

// How many inputs of an operator are activations, neither weights nor bias.
std::size_t ActivationOperands(const ir::Operator& op) {
  const bool has_weights = std::holds_alternative<ir::Conv2D>(op.attributes) ||
                           std::holds_alternative<ir::DepthwiseConv2D>(op.attributes) ||
                           std::holds_alternative<ir::FullyConnected>(op.attributes);
  return has_weights ? 1 : op.inputs.size();
}

class Placer {
 public:
  Placer(const ir::Graph& graph, const ResidencyPlan& residency, const FixedInputs& fixed,
         Emitter& emitter)
      : graph_(graph),
        residency_(residency),
        fixed_(fixed),
        emitter_(emitter),
        placements_(graph.tensors.size()),
        root_(graph.tensors.size()) {}

  std::vector<Placement> Run() {
    for (ir::TensorId id = 0; id < root_.size(); ++id) root_[id] = id;
    for (const ir::TensorId id : graph_.inputs) Describe(id);
    CheckInPlace();
    for (const ir::Operator& op : graph_.operators) {
      for (std::size_t i = 0; i < ActivationOperands(op); ++i) PlaceConstant(op.inputs[i]);
      if (std::holds_alternative<ir::Reshape>(op.attributes)) {
        root_[op.outputs[0]] = root_[op.inputs[0]];
        continue;
      }
      if (std::holds_alternative<ir::While>(op.attributes)) {
        for (std::size_t i = 0; i < op.outputs.size(); ++i) root_[op.outputs[i]] = op.inputs[i];
        continue;
      }
      for (const ir::TensorId id : op.outputs) {
        if (const auto input = InputOf(id)) {
          root_[id] = *input;
        } else {
          Describe(id);
        }
      }
    }
    for (const ir::TensorId id : graph_.outputs) PlaceConstant(id);
    PlaceInMemory();
    for (ir::TensorId id = 0; id < root_.size(); ++id) {
      if (root_[id] == id) continue;
      placements_[id] = placements_[root_[id]];
      placements_[id].images = ImagesOf(graph_.tensors[id]);
    }
    return std::move(placements_);
  }

 private:
  // Tensors between operators are blocked when they have several channel blocks, so that a group of
  // blocks is contiguous.
  [[nodiscard]] Layout ChooseLayout(ir::TensorId id) const {
    for (const ir::Operator& op : graph_.operators) {
      const bool reads = !op.inputs.empty() && op.inputs[0] == id;
      if (reads && BlockOf(graph_, op, emitter_.Config()).down > 1) return Layout::kRowPairs;
    }
    const isa::ElementFormat format = placements_[id].format;
    const bool computed = format.Bytes() == isa::kActivationFormat.Bytes() ||
                          format.type == ElementType::kBfloat16 ||
                          format.type == ElementType::kInt16;
    const bool blocked =
        computed && ImagesOf(graph_.tensors[id]).c > emitter_.Lanes() && MayBeBlocked(graph_, id);
    return blocked ? Layout::kBlocked : Layout::kNhwc;
  }

  void Describe(ir::TensorId id) {
    Placement& placement = placements_[id];
    placement.images = ImagesOf(graph_.tensors[id]);
    placement.format = {graph_.tensors[id].type};
    placement.row = residency_.row[id];
    if (placement.row) return;
    const auto fixed = std::ranges::find(fixed_, id, &FixedInputs::value_type::first);
    if (fixed != fixed_.end()) {
      placement.address = fixed->second;
      return;
    }
    placement.layout = ChooseLayout(id);
    const std::int64_t bytes = placement.images.n * placement.ImageBytes(emitter_.Lanes());
    blocks_.push_back({.id = id, .bytes = ir::RoundUp(bytes, Memory::kAlignment)});
  }

  // The input of the graph whose place the tensor takes.
  [[nodiscard]] std::optional<ir::TensorId> InputOf(ir::TensorId output) const {
    const auto found = std::ranges::find(graph_.in_place, output, &ir::InPlace::output);
    return found == graph_.in_place.end() ? std::nullopt : std::optional(found->input);
  }

  void CheckInPlace() const {
    for (const ir::InPlace& pair : graph_.in_place) {
      bool made = false;
      for (const ir::Operator& op : graph_.operators) {
        const bool reads = std::ranges::find(op.inputs, pair.input) != op.inputs.end();
        const bool makes = std::ranges::find(op.outputs, pair.output) != op.outputs.end();
        if ((made && reads) || (makes && std::holds_alternative<ir::Reshape>(op.attributes))) {
          throw InternalError("{} cannot take the place of the input",
                              graph_.tensors[pair.output].name);
        }
        made = made || makes;
      }
    }
  }

  void PlaceConstant(ir::TensorId id) {
    const ir::Tensor& tensor = graph_.tensors[id];
    if (!tensor.IsConstant() || constant_placed_[id]) return;
    const std::span<const std::uint8_t> bytes = tensor.DataBytes();
    placements_[id] = {.address = emitter_.AddConstant({bytes.begin(), bytes.end()}),
                       .images = ImagesOf(tensor),
                       .format = {tensor.type}};
    constant_placed_[id] = true;
  }

  void PlaceInMemory() {
    const std::vector<Lifetime> lifetimes = Lifetimes();
    for (Block& block : blocks_) block.lifetime = lifetimes[block.id];
    const auto bytes = static_cast<std::uint64_t>(Pack(blocks_));
    const std::uint64_t base = emitter_.AllocateMemory(bytes);
    for (const Block& block : blocks_) {
      placements_[block.id].address = base + static_cast<std::uint64_t>(block.offset);
    }
  }

  [[nodiscard]] std::vector<Lifetime> Lifetimes() const {
    std::vector<Lifetime> lifetimes(graph_.tensors.size());
    const auto end = static_cast<std::int64_t>(graph_.operators.size());
    // What an operator reads is not overwritten by those that work beside it.
    const std::int64_t next_layers =
        AreSideBySide(emitter_.LayerOverlap()) ? LayersAtOnce(emitter_.LayerOverlap()) : 0;
    for (std::int64_t time = 0; time < end; ++time) {
      const ir::Operator& op = graph_.operators[static_cast<std::size_t>(time)];
      for (const ir::TensorId id : op.inputs) lifetimes[root_[id]].Include(time + next_layers);
      for (const ir::TensorId id : op.outputs) lifetimes[root_[id]].Include(time);
    }
    for (const auto* ids : {&graph_.inputs, &graph_.outputs}) {
      for (const ir::TensorId id : *ids) {
        lifetimes[root_[id]].Include(0);
        lifetimes[root_[id]].Include(end);
      }
    }
    return lifetimes;
  }

  const ir::Graph& graph_;
  const ResidencyPlan& residency_;
  const FixedInputs& fixed_;
  Emitter& emitter_;
  std::vector<Placement> placements_;
  std::vector<ir::TensorId> root_;  // The tensor made first among those that are the same bytes.
  std::vector<Block> blocks_;
  std::vector<bool> constant_placed_ = std::vector<bool>(graph_.tensors.size(), false);
};

}  // namespace

std::vector<Placement> PlaceTensors(const ir::Graph& graph, const ResidencyPlan& residency,
                                    Emitter& emitter, const FixedInputs& fixed) {
  return Placer(graph, residency, fixed, emitter).Run();
}

}  // namespace tpu::compiler
