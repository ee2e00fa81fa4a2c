// SPDX-License-Identifier: Apache-2.0
// One rule for each operator: which legal operators it becomes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "compiler/quantise/quantization.h"
#include "ir/graph.h"
#include "ir/move.h"
#include "isa/hardware_config.h"

namespace tpu::compiler {

/// Elements of a constant that a rule may make; more are beyond any reasonable model.
inline constexpr std::int64_t kMostConstant = std::int64_t{1} << 28;

/// The graph that the rules build.
class LegalGraph {
 public:
  LegalGraph(const Graph& source, const isa::HardwareConfig& config, Rounding rounding)
      : config_(config), rounding_(rounding) {
    graph_.tensors = source.tensors;
    graph_.inputs = source.inputs;
    graph_.outputs = source.outputs;
  }

  [[nodiscard]] const Tensor& At(TensorId id) const { return graph_.tensors[id]; }
  [[nodiscard]] const isa::HardwareConfig& Config() const { return config_; }
  [[nodiscard]] Rounding GetRounding() const { return rounding_; }

  TensorId AddTensor(Tensor tensor) { return graph_.AddTensor(std::move(tensor)); }
  void AddOperator(Operator op) { graph_.operators.push_back(std::move(op)); }
  Graph Take() { return std::move(graph_); }

 private:
  Graph graph_;
  isa::HardwareConfig config_;
  Rounding rounding_;
};

/// An operator of the source graph and the graph it is to become part of.
struct OperatorView {
  LegalGraph& graph;
  const Operator& op;

  [[nodiscard]] const Tensor& Input(std::size_t i) const;
  [[nodiscard]] const Tensor& Output() const { return graph.At(op.outputs[0]); }

  template <typename... Args>
  void Require(bool condition, fmt::format_string<Args...> format, Args&&... args) const {
    if (condition) return;
    throw Error::Format("{} ({}): {}", op.name, OperatorName(op.attributes),
                        fmt::format(format, std::forward<Args>(args)...));
  }
  void RequireInt8(const Tensor& tensor) const;

  /// A legal operator in this one's name.
  void Add(std::vector<TensorId> inputs, TensorId output, Attributes attributes,
           std::optional<std::uint64_t> macs = {}) const;
  /// The operator as it is.
  void Keep(std::optional<std::uint64_t> macs = {}) const;
  /// A tensor like `like`, of another shape and not constant.
  [[nodiscard]] TensorId Like(const Tensor& like, Shape shape, std::string_view suffix) const;
  /// The input under another shape.
  [[nodiscard]] TensorId Reshaped(TensorId input, Shape shape) const;
};

// legalise_compute.cpp
void Legalise(const OperatorView& view, const Conv2D& op);
void Legalise(const OperatorView& view, const DepthwiseConv2D& op);
void Legalise(const OperatorView& view, const TransposeConv& op);
void Legalise(const OperatorView& view, const FullyConnected& op);
void Legalise(const OperatorView& view, const Pool2D& op);
void Legalise(const OperatorView& view, const Reduce& op);

// legalise_elementwise.cpp
void Legalise(const OperatorView& view, const Binary& op);
void Legalise(const OperatorView& view, const Lookup& op);
void Legalise(const OperatorView& view, const Unary& op);
void Legalise(const OperatorView& view, const LeakyRelu& op);
void Legalise(const OperatorView& view, const Prelu& op);
void Legalise(const OperatorView& view, const Quantize& op);
void Legalise(const OperatorView& view, const Dequantize& op);
void Legalise(const OperatorView& view, const Softmax& op);
void Legalise(const OperatorView& view, const ArgMax& op);

// legalise_move.cpp
void Legalise(const OperatorView& view, const Reshape& op);
void Legalise(const OperatorView& view, const Pad& op);
void Legalise(const OperatorView& view, const Concatenation& op);
void Legalise(const OperatorView& view, const SplitAxis& op);
void Legalise(const OperatorView& view, const Slice& op);
void Legalise(const OperatorView& view, const Pack& op);
void Legalise(const OperatorView& view, const Unpack& op);
void Legalise(const OperatorView& view, const Transpose& op);
void Legalise(const OperatorView& view, const Gather& op);
void Legalise(const OperatorView& view, const SpaceToBatch& op);
void Legalise(const OperatorView& view, const SpaceToDepth& op);
void Legalise(const OperatorView& view, const Replicate& op);
void Legalise(const OperatorView& view, const Resize& op);
void Legalise(const OperatorView& view, const Move& op);

/// `input` as a tensor of the shape, by numpy's broadcasting; itself when it has the shape.
TensorId Broadcast(const OperatorView& view, TensorId input, const Shape& shape);
/// RESIZE_BILINEAR on the device; false when it cannot be done there. legalise_resize.cpp
bool LegaliseBilinear(const OperatorView& view, const Resize& op);
/// The input surrounded, and with a step over 1 interspersed, with `fill`.
void AddEmbedding(const OperatorView& view, TensorId input, TensorId output,
                  const Embedding& embedding, std::int64_t fill);

}  // namespace tpu::compiler
