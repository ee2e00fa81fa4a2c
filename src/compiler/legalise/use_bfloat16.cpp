// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/use_bfloat16.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/quantise/bfloat16.h"

namespace tpu::compiler {
namespace {

// A window of the vector unit takes the largest of so many values, with room for others beside it.
std::int64_t MostOfSoftmax(const isa::HardwareConfig& config) { return config.ub_rows / 16; }

// What moves elements of any type.
bool OnlyMoves(const ir::Operator& op) {
  return ir::HoldsAnyOf<ir::Reshape, ir::Pad, ir::Concatenation, ir::SplitAxis, ir::Slice, ir::Pack,
                        ir::Unpack, ir::Transpose, ir::Gather, ir::SpaceToBatch, ir::SpaceToDepth,
                        ir::Replicate, ir::MirrorPad, ir::BroadcastTo, ir::UpdateSlice, ir::Move>(
             op.attributes) ||
         (ir::HoldsAnyOf<ir::Resize>(op.attributes) &&
          std::get<ir::Resize>(op.attributes).kind == ir::ResizeKind::kNearest);
}

// The bias is added in float32.
bool IsBias(const ir::Operator& op, std::size_t input) {
  return input == 2 &&
         ir::HoldsAnyOf<ir::Conv2D, ir::DepthwiseConv2D, ir::TransposeConv, ir::FullyConnected>(
             op.attributes);
}

std::vector<Bfloat16> Rounded(const std::vector<float>& values) {
  std::vector<Bfloat16> rounded(values.size());
  std::transform(values.begin(), values.end(), rounded.begin(), ToBfloat16);
  return rounded;
}

class Narrowing {
 public:
  Narrowing(ir::Graph& graph, const isa::HardwareConfig& config)
      : graph_(graph), config_(config), narrow_(graph.tensors.size()) {}

  void Run() {
    std::vector<ir::Operator> operators = std::exchange(graph_.operators, {});
    for (std::size_t i = 0; i < operators.size(); ++i) {
      ir::Operator& op = operators[i];
      name_ = op.name;
      const bool narrow = ComputesBfloat16(
          op, {operators.begin() + static_cast<std::ptrdiff_t>(i), operators.end()});
      if (narrow && ir::HoldsAnyOf<ir::Quantize, ir::Dequantize>(op.attributes)) {
        op.attributes = ir::Convert{};
      }
      for (std::size_t k = 0; k < op.inputs.size(); ++k) {
        ir::TensorId& id = op.inputs[k];
        if (!IsFloat32(id) || IsBias(op, k)) continue;
        id = narrow ? Narrow(id) : Wide(id);
      }
      Add(std::move(op), narrow);
    }
  }

 private:
  [[nodiscard]] bool IsFloat32(ir::TensorId id) const {
    return id < narrow_.size() && graph_.tensors[id].type == ElementType::kFloat32;
  }
  [[nodiscard]] bool IsOutput(ir::TensorId id) const {
    return std::find(graph_.outputs.begin(), graph_.outputs.end(), id) != graph_.outputs.end();
  }
  // Whether operators made the tensor in bfloat16.
  [[nodiscard]] bool IsMadeNarrow(ir::TensorId id) const {
    return IsFloat32(id) && !graph_.tensors[id].IsConstant() && narrow_[id].has_value();
  }

  // `rest` are the operators from this one on.
  [[nodiscard]] bool ComputesBfloat16(const ir::Operator& op,
                                      std::span<const ir::Operator> rest) const {
    const auto is_byte = [&](ir::TensorId id) {
      return graph_.tensors[id].type == ElementType::kInt8;
    };
    if (ir::HoldsAnyOf<ir::ArgMax, ir::HostOperator, ir::If, ir::While>(op.attributes))
      return false;
    if (ir::HoldsAnyOf<ir::Softmax>(op.attributes)) {
      const ir::Shape& shape = graph_.tensors[op.inputs[0]].shape;
      return !shape.empty() && shape.back() <= MostOfSoftmax(config_) &&
             IsUsedNarrow(op.outputs[0], rest);
    }
    if (OnlyMoves(op)) {
      return std::any_of(op.inputs.begin(), op.inputs.end(),
                         [&](ir::TensorId id) { return IsMadeNarrow(id); });
    }
    if (ir::HoldsAnyOf<ir::Quantize>(op.attributes)) {
      return IsMadeNarrow(op.inputs[0]) && is_byte(op.outputs[0]);
    }
    if (ir::HoldsAnyOf<ir::Dequantize>(op.attributes)) {
      return is_byte(op.inputs[0]) && IsUsedNarrow(op.outputs[0], rest);
    }
    return true;
  }

  // Whether an operator will compute with it.
  [[nodiscard]] bool IsUsedNarrow(ir::TensorId id, std::span<const ir::Operator> rest) const {
    return std::any_of(rest.begin(), rest.end(), [&](const ir::Operator& op) {
      const bool uses = std::find(op.inputs.begin(), op.inputs.end(), id) != op.inputs.end();
      return uses && !ir::HoldsAnyOf<ir::Softmax, ir::ArgMax, ir::Quantize, ir::HostOperator,
                                     ir::If, ir::While>(op.attributes);
    });
  }

  // The tensor in bfloat16.
  ir::TensorId Narrow(ir::TensorId id) {
    if (!narrow_[id]) {
      narrow_[id] = AddTensor(id, ElementType::kBfloat16);
      ir::Tensor& narrow = graph_.tensors[*narrow_[id]];
      if (const auto* values = std::get_if<std::vector<float>>(&graph_.tensors[id].data)) {
        narrow.data = Rounded(*values);
      } else {
        Convert(id, *narrow_[id]);
      }
    }
    return *narrow_[id];
  }

  // The tensor in float32.
  ir::TensorId Wide(ir::TensorId id) {
    if (std::find(unmade_.begin(), unmade_.end(), id) == unmade_.end()) return id;
    Convert(*narrow_[id], id);
    std::erase(unmade_, id);
    return id;
  }

  void Add(ir::Operator op, bool narrow) {
    std::vector<ir::TensorId> wanted;
    for (ir::TensorId& id : op.outputs) {
      if (!narrow || !IsFloat32(id)) continue;
      narrow_[id] = AddTensor(id, ElementType::kBfloat16);
      unmade_.push_back(id);
      if (IsOutput(id)) wanted.push_back(id);
      id = *narrow_[id];
    }
    graph_.operators.push_back(std::move(op));
    for (const ir::TensorId id : wanted) Wide(id);
  }

  ir::TensorId AddTensor(ir::TensorId like, ElementType type) {
    ir::Tensor tensor = {.name = graph_.tensors[like].name, .type = type};
    tensor.shape = graph_.tensors[like].shape;
    return graph_.AddTensor(std::move(tensor));
  }

  void Convert(ir::TensorId from, ir::TensorId to) {
    graph_.operators.push_back(
        {.name = name_, .inputs = {from}, .outputs = {to}, .attributes = ir::Convert{}});
  }

  ir::Graph& graph_;
  const isa::HardwareConfig& config_;
  std::vector<std::optional<ir::TensorId>> narrow_;  // By the float32 tensor.
  std::string name_;                  // Of the operator at hand, for which tensors are converted.
  std::vector<ir::TensorId> unmade_;  // Float32 tensors of which there is the bfloat16 one alone.
};

}  // namespace

void UseBfloat16(ir::Graph& graph, const isa::HardwareConfig& config) {
  if (config.bf16 != 0) Narrowing(graph, config).Run();
}

}  // namespace tpu::compiler
