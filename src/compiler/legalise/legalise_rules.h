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

/// A rule makes constants of at most so many elements. No reasonable model needs more.
inline constexpr std::int64_t kMostConstant = std::int64_t{1} << 28;

/// The graph that the rules build.
class LegalGraph {
 public:
  LegalGraph(const ir::Graph& source, const isa::HardwareConfig& config, Rounding rounding)
      : source_(source), config_(config), rounding_(rounding) {
    graph_.tensors = source.tensors;
    graph_.inputs = source.inputs;
    graph_.outputs = source.outputs;
    graph_.in_place = source.in_place;
    graph_.states = source.states;
  }

  [[nodiscard]] const ir::Tensor& At(ir::TensorId id) const { return graph_.tensors[id]; }
  [[nodiscard]] const isa::HardwareConfig& Config() const { return config_; }
  [[nodiscard]] Rounding GetRounding() const { return rounding_; }

  /// Whether an operator of the source graph that the device runs takes the tensor.
  [[nodiscard]] bool FeedsDevice(ir::TensorId id) const;

  ir::TensorId AddTensor(ir::Tensor tensor) { return graph_.AddTensor(std::move(tensor)); }
  void AddOperator(ir::Operator op) { graph_.operators.push_back(std::move(op)); }
  ir::Graph Take() { return std::move(graph_); }

 private:
  const ir::Graph& source_;
  ir::Graph graph_;
  isa::HardwareConfig config_;
  Rounding rounding_;
};

/// An operator of the source graph and the graph it is to become part of.
struct OperatorView {
  LegalGraph& graph;
  const ir::Operator& op;

  [[nodiscard]] const ir::Tensor& Input(std::size_t i) const;
  [[nodiscard]] const ir::Tensor& Output() const { return graph.At(op.outputs[0]); }

  template <typename... Args>
  void Require(bool condition, fmt::format_string<Args...> format, Args&&... args) const {
    if (condition) return;
    throw Error::Format("{} ({}): {}", op.name, ir::OperatorName(op.attributes),
                        fmt::format(format, std::forward<Args>(args)...));
  }
  void RequireInt8(const ir::Tensor& tensor) const;
  /// Whether the machine computes with the tensor as floating-point numbers.
  [[nodiscard]] bool IsFloat(const ir::Tensor& tensor) const;
  /// All are int8, all are int16 or all are floating-point numbers.
  void RequireComputable(std::initializer_list<const ir::Tensor*> tensors) const;
  /// All inputs and the output are floating-point numbers.
  void RequireFloats() const;
  void RequireMachineWithInt16() const;
  [[nodiscard]] bool ComputesFloats() const { return IsFloat(Output()); }
  [[nodiscard]] bool ComputesInt16() const { return Output().type == ElementType::kInt16; }

  /// Adds a legal operator that bears the name of this operator.
  void Add(std::vector<ir::TensorId> inputs, ir::TensorId output, ir::Attributes attributes,
           std::optional<std::uint64_t> macs = {}) const;
  /// Adds the operator unchanged.
  void Keep(std::optional<std::uint64_t> macs = {}) const;
  /// Adds a tensor like `like`, but with another shape and not constant.
  [[nodiscard]] ir::TensorId Like(const ir::Tensor& like, ir::Shape shape,
                                  std::string_view suffix) const;
  /// The input, reshaped.
  [[nodiscard]] ir::TensorId Reshaped(ir::TensorId input, ir::Shape shape) const;
};

// legalise_compute.cpp
void Legalise(const OperatorView& view, const ir::Conv2D& op);
void Legalise(const OperatorView& view, const ir::DepthwiseConv2D& op);
void Legalise(const OperatorView& view, const ir::TransposeConv& op);
void Legalise(const OperatorView& view, const ir::FullyConnected& op);
void Legalise(const OperatorView& view, const ir::Pool2D& op);

// legalise_lstm.cpp, legalise_svdf.cpp
void Legalise(const OperatorView& view, const ir::Lstm& op);
void Legalise(const OperatorView& view, const ir::Svdf& op);

// legalise_elementwise.cpp
void Legalise(const OperatorView& view, const ir::Binary& op);
void Legalise(const OperatorView& view, const ir::Lookup& op);
/// Whether the device does it, which then is in the graph: a table, of int8 and a constant.
bool LegaliseOnDevice(const OperatorView& view, const host_operators::Comparison& op);
void Legalise(const OperatorView& view, const ir::Unary& op);
void Legalise(const OperatorView& view, const ir::LeakyRelu& op);
void Legalise(const OperatorView& view, const ir::Function& op);
void Legalise(const OperatorView& view, const ir::Divide& op);
void Legalise(const OperatorView& view, const ir::SquaredDifference& op);
void Legalise(const OperatorView& view, const ir::AddN& op);
void Legalise(const OperatorView& view, const ir::L2Normalization& op);
void Legalise(const OperatorView& view, const ir::Prelu& op);
void Legalise(const OperatorView& view, const ir::Quantize& op);
void Legalise(const OperatorView& view, const ir::Dequantize& op);
void Legalise(const OperatorView& view, const ir::Convert& op);
void Legalise(const OperatorView& view, const ir::IntegerMap& op);
void Legalise(const OperatorView& view, const ir::IntegerSum& op);
void Legalise(const OperatorView& view, const ir::WideLookup& op);
void Legalise(const OperatorView& view, const ir::MatMul& op);
void Legalise(const OperatorView& view, const ir::Map& op);
void Legalise(const OperatorView& view, const ir::Scale& op);
void Legalise(const OperatorView& view, const ir::Chain& op);
void Legalise(const OperatorView& view, const ir::Adam& op);
void Legalise(const OperatorView& view, const ir::ConvWeightGradient& op);
void Legalise(const OperatorView& view, const ir::Softmax& op);
void Legalise(const OperatorView& view, const ir::ArgMax& op);

// legalise_matmul.cpp
void Legalise(const OperatorView& view, const ir::BatchMatMul& op);
/// Whether the device does BATCH_MATMUL on int16.
bool ComputesOnDevice(const host_operators::BatchMatMul& op, const ir::Tensor& first,
                      const ir::Tensor& output, const isa::HardwareConfig& config);
/// The same, and adds it to the graph.
bool LegaliseOnDevice(const OperatorView& view, const host_operators::BatchMatMul& op);

// legalise_reduce.cpp
void Legalise(const OperatorView& view, const ir::Reduce& op);
/// Whether the device does it, which then is in the graph.
bool LegaliseOnDevice(const OperatorView& view, const host_operators::ReduceExtreme& op);

// legalise_move.cpp
void Legalise(const OperatorView& view, const ir::Reshape& op);
void Legalise(const OperatorView& view, const ir::Pad& op);
void Legalise(const OperatorView& view, const ir::Concatenation& op);
void Legalise(const OperatorView& view, const ir::SplitAxis& op);
void Legalise(const OperatorView& view, const ir::Slice& op);
void Legalise(const OperatorView& view, const ir::Pack& op);
void Legalise(const OperatorView& view, const ir::Unpack& op);
void Legalise(const OperatorView& view, const ir::Transpose& op);
void Legalise(const OperatorView& view, const ir::Gather& op);
void Legalise(const OperatorView& view, const ir::SpaceToBatch& op);
void Legalise(const OperatorView& view, const ir::SpaceToDepth& op);
void Legalise(const OperatorView& view, const ir::Replicate& op);
void Legalise(const OperatorView& view, const ir::Resize& op);
void Legalise(const OperatorView& view, const ir::Move& op);

// legalise_copies.cpp
void Legalise(const OperatorView& view, const ir::MirrorPad& op);
void Legalise(const OperatorView& view, const ir::BroadcastTo& op);
void Legalise(const OperatorView& view, const ir::UpdateSlice& op);

// legalise_host.cpp
void Legalise(const OperatorView& view, const ir::HostOperator& op);

// legalise_control.cpp
void Legalise(const OperatorView& view, const ir::If& op);
void Legalise(const OperatorView& view, const ir::While& op);

// legalise_copies.cpp
/// Moves take any type, but only one.
void RequireOneType(const OperatorView& view, ir::TensorId output);
/// Adds a move; one that leaves all bytes in their order is a reshape.
void AddMove(const OperatorView& view, std::vector<ir::TensorId> inputs, ir::TensorId output,
             ir::Move move);
void AddMove(const OperatorView& view, ir::TensorId output, ir::Move move);
bool CanBroadcast(const ir::Shape& from, const ir::Shape& to);

/// `input` as a tensor of the shape, by numpy's broadcasting; itself when it has the shape.
ir::TensorId Broadcast(const OperatorView& view, ir::TensorId input, const ir::Shape& shape);
/// Whether AddBinary takes a tensor of this shape, with N channels in the place of its own, beside
/// one that has the output's shape. legalise_broadcast.cpp
bool RepeatsLanes(const OperatorView& view, ir::Shape operand, const ir::Shape& output);
/// Adds an operation of two tensors that broadcast to `output`, one of which may be a
/// floating-point constant of one element. A second one may have N channels, for each N of the
/// output's, beside a first one that has the output's shape. `swapped` is the operation with its
/// operands exchanged, if there is one. legalise_broadcast.cpp
void AddBinary(const OperatorView& view, const ir::Attributes& op,
               const std::optional<ir::Attributes>& swapped, ir::TensorId first,
               ir::TensorId second, ir::TensorId output);
void AddBinary(const OperatorView& view, const ir::Binary& op, ir::TensorId first,
               ir::TensorId second, ir::TensorId output);
/// SOFTMAX from int8 to int8 on the device; false when the host does it.
/// legalise_integer_softmax.cpp
bool LegaliseInteger(const OperatorView& view, const ir::Softmax& op);
/// RESIZE_BILINEAR on the device; false when it cannot be done there. legalise_resize.cpp
bool LegaliseBilinear(const OperatorView& view, const ir::Resize& op);
/// The input surrounded, and with a step over 1 interspersed, with `fill`.
void AddEmbedding(const OperatorView& view, ir::TensorId input, ir::TensorId output,
                  const ir::Embedding& embedding, std::int64_t fill);

}  // namespace tpu::compiler
