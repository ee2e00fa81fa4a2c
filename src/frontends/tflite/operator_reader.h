// SPDX-License-Identifier: Apache-2.0
// One operator of a TensorFlow Lite model, as the importer looks at it.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "frontends/tflite/model.h"
#include "host_operators/host_operators.h"
#include "ir/graph.h"

namespace tpu::tflite {

/// "[1, 2, 3]".
std::string Text(const ir::Shape& shape);

/// Turns subgraphs that operators run into graphs.
class SubgraphImporter {
 public:
  SubgraphImporter() = default;
  SubgraphImporter(const SubgraphImporter&) = delete;
  SubgraphImporter& operator=(const SubgraphImporter&) = delete;
  virtual ~SubgraphImporter() = default;
  /// Names of its operators begin with `name` and a slash. Inputs whose shapes the file leaves open
  /// get those of `inputs`, tensors of the graph around it. Throws tpu::Error.
  virtual ir::Graph Import(std::int32_t subgraph, const std::string& name,
                           std::span<const ir::Tensor> inputs) = 0;
};

/// The graph that an operator stands in.
struct Scope {
  const Model& model;
  const Subgraph& subgraph;
  std::string prefix;  ///< Of names of operators; empty for the model's own graph.
  SubgraphImporter& subgraphs;
};

/// Inputs and outputs of the operator that the decoders ask for are checked on the way, and those
/// that become inputs of the graph's operator are noted. All methods throw tpu::Error naming the
/// file and the operator.
class OperatorReader {
 public:
  /// Reads and, where the model leaves them open, sets the shapes in `graph`.
  OperatorReader(const Scope& scope, std::size_t index, ir::Graph& graph);

  [[nodiscard]] BuiltinOperator Code() const { return op_.code; }
  /// "CONV_2D"; of a custom operator as the file names it.
  [[nodiscard]] const std::string& Name() const { return op_.name; }
  /// Of the graph's operator.
  [[nodiscard]] const std::string& GraphName() const { return graph_name_; }
  [[nodiscard]] const std::vector<std::uint8_t>& CustomOptions() const {
    return op_.custom_options;
  }

  template <typename... Args>
  void Require(bool condition, fmt::format_string<Args...> format, Args&&... args) const {
    if (condition) return;
    throw Error::Format("{}: {}: {}", scope_.model.file, name_,
                        fmt::format(format, std::forward<Args>(args)...));
  }

  /// The operator has so many inputs and outputs.
  void RequireCounts(std::size_t least_inputs, std::size_t most_inputs,
                     std::size_t outputs = 1) const;
  [[nodiscard]] std::size_t Inputs() const { return op_.inputs.size(); }
  [[nodiscard]] std::size_t Outputs() const { return op_.outputs.size(); }
  [[nodiscard]] bool HasInput(std::size_t i) const {
    return i < op_.inputs.size() && op_.inputs[i] >= 0;
  }

  /// An input that the graph's operator gets too: any type, at least one element.
  const ir::Tensor& Operand(std::size_t i);
  /// The same of an operator that moves values: all outputs are of the input's type.
  const ir::Tensor& Moved(std::size_t i);
  /// int8 with one scale, int16 with one scale and zero point 0, or float32.
  const ir::Tensor& Activations(std::size_t i);
  /// The same, but not int16.
  const ir::Tensor& BytesOrFloats(std::size_t i);
  /// Constant, for activations that were asked for before. Of int8: int8 with zero point 0, and one
  /// scale or one for each index of dimension `axis`. Of float32: float32.
  /// `uncentred`: weights of one scale may have another zero point.
  const ir::Tensor& Weights(std::size_t i, std::size_t axis, bool uncentred = false);
  /// Optional: constant int32, of one of the types `of_int16` for int16 activations, or float32 for
  /// float32 activations; one for each of `channels`.
  void Bias(std::size_t i, std::int64_t channels, std::initializer_list<ElementType> of_int16);
  [[nodiscard]] const ir::Tensor& Output(std::size_t i = 0) const;
  /// int8 or int16 with one scale, made from integers that stand for multiples of `unit`. Or
  /// float32. Of the first operand's type.
  const ir::Tensor& OutputActivations(double unit) const;
  /// As activations.
  void RequireComputable(const ir::Tensor& tensor) const;
  /// An operand that is float32.
  const ir::Tensor& Floats(std::size_t i);
  /// Whether the first operand is float32.
  [[nodiscard]] bool ComputesFloats() const;
  /// Has one scale, and no other type than these.
  void RequireQuantized(const ir::Tensor& tensor, std::initializer_list<ElementType> types) const;
  void RequireSameType(const ir::Tensor& input, const ir::Tensor& output) const;
  void RequireRank(const ir::Tensor& tensor, std::size_t rank) const;
  /// Integers that stand for multiples of `unit` can be turned into the output's by TensorFlow
  /// Lite's arithmetic.
  void RequireScalable(double unit) const;

  /// Values of a constant int32 or int64 input that the graph's operator does not get.
  std::vector<std::int64_t> Integers(std::size_t i, std::string_view what) const;
  /// The same, as one value.
  std::int64_t Integer(std::size_t i, std::string_view what) const;
  /// Whether the input's values are known.
  [[nodiscard]] bool IsKnown(std::size_t i) const;
  [[nodiscard]] const ir::Tensor& Input(std::size_t i) const;
  /// A dimension, counted from the end when negative, as a dimension from 0.
  [[nodiscard]] std::size_t Axis(std::int64_t axis, std::size_t rank) const;

  /// The output must have this shape, or gets it when the model leaves it open.
  void SettleOutput(const ir::Shape& shape, std::size_t i = 0);
  /// The same for outputs of which only the number of elements matters: files give some of them
  /// dimensions of 1 that the operator does not make.
  void SettleElements(const ir::Shape& shape);
  /// Whether the model leaves the output's shape open.
  [[nodiscard]] bool OutputIsOpen(std::size_t i = 0) const;

  template <typename Options>
  [[nodiscard]] const Options& OptionsAs() const {
    Require(op_.options.type == tflite::schema::BuiltinOptionsUnionTraits<Options>::enum_value,
            "its options are missing");
    return *static_cast<const Options*>(op_.options.value);
  }
  /// Options that files may leave out.
  template <typename Options>
  [[nodiscard]] Options OptionsOrDefault() const {
    if (op_.options.type == tflite::schema::BuiltinOptionsUnionTraits<Options>::enum_value) {
      return *static_cast<const Options*>(op_.options.value);
    }
    return {};
  }
  [[nodiscard]] ir::Activation FusedActivation(tflite::schema::ActivationFunctionType type) const;

  /// A subgraph that the operator runs on the operands from `first` on.
  [[nodiscard]] std::shared_ptr<const ir::Graph> Region(std::int32_t subgraph,
                                                        std::string_view name,
                                                        std::size_t first) const;

  /// Gives the graph's operator one more input and output: a state, for which the bytes of the
  /// first run are given. Tensors that were asked for before are elsewhere then.
  void AddState(ElementType type, const ir::Shape& shape, std::vector<std::uint8_t> initial);
  /// An input that the model calls a variable, as such a state. TensorFlow Lite Micro fills it with
  /// zeros, int8 with the zero point.
  void AddVariable(std::size_t i, std::initializer_list<ElementType> types);

  /// The graph's operator, with the operands asked for in order.
  [[nodiscard]] ir::Operator Finish(ir::Attributes attributes) const;

 private:
  [[nodiscard]] const Tensor& Source(const ir::Tensor& tensor) const;
  [[nodiscard]] static std::string Name(const ir::Tensor& tensor);

  const Scope& scope_;
  const Operator& op_;
  ir::Graph& graph_;
  std::string graph_name_;
  std::string name_;
  std::vector<ir::TensorId> operands_;
  std::vector<ir::TensorId> states_;  // As outputs.
};

/// numpy's rules: dimensions are matched from the last, and those of 1 are repeated.
ir::Shape Broadcast(const OperatorReader& op, const ir::Shape& a, const ir::Shape& b);
/// The second input's axes, at least one, as ascending ones from 0.
std::vector<std::int64_t> ReducedAxes(const OperatorReader& op, std::size_t rank);
/// The input's shape with those axes 1 or left out.
ir::Shape ReducedShape(const ir::Shape& input, const std::vector<std::int64_t>& axes, bool keep);

/// The real value of one unit of a sum of products. With several weight scales: the largest value.
double SumUnit(const ir::Tensor& input, const ir::Tensor& weights);

// Decoders: check the operator and give its attributes.
ir::Attributes DecodeConv2D(OperatorReader& op);
ir::Attributes DecodeDepthwiseConv2D(OperatorReader& op);
ir::Attributes DecodeTransposeConv(OperatorReader& op);
ir::Attributes DecodeFullyConnected(OperatorReader& op);
ir::Attributes DecodeLstm(OperatorReader& op);
ir::Attributes DecodeSvdf(OperatorReader& op);
ir::Attributes DecodePool2D(OperatorReader& op, ir::PoolKind kind);
ir::Attributes DecodeBinary(OperatorReader& op, ir::BinaryKind kind);
ir::Attributes DecodeUnary(OperatorReader& op, ir::UnaryKind kind);
ir::Attributes DecodeFunction(OperatorReader& op, ir::FunctionKind kind);
ir::Attributes DecodeAbs(OperatorReader& op);
ir::Attributes DecodeRsqrt(OperatorReader& op);
ir::Attributes DecodeAddN(OperatorReader& op);
ir::Attributes DecodeL2Normalization(OperatorReader& op);
ir::Attributes DecodeDivide(OperatorReader& op);
ir::Attributes DecodeSquaredDifference(OperatorReader& op);
ir::Attributes DecodeBatchMatMul(OperatorReader& op);
ir::Attributes DecodeComparison(OperatorReader& op, host_operators::Relation relation);
ir::Attributes DecodeHostUnary(OperatorReader& op, host_operators::UnaryOperation operation);
ir::Attributes DecodeHostBinary(OperatorReader& op, host_operators::BinaryOperation operation,
                                ir::Activation activation = ir::Activation::kNone);
ir::Attributes DecodeSelect(OperatorReader& op);
ir::Attributes DecodeCast(OperatorReader& op);
ir::Attributes DecodeCumulativeSum(OperatorReader& op);
ir::Attributes DecodeReduceExtreme(OperatorReader& op, bool smallest);
ir::Attributes DecodeLogSoftmax(OperatorReader& op);
ir::Attributes DecodeL2Pool(OperatorReader& op);
ir::Attributes DecodeGatherNd(OperatorReader& op);
ir::Attributes DecodeEmbeddingLookup(OperatorReader& op);
ir::Attributes DecodeDynamicUpdateSlice(OperatorReader& op);
ir::Attributes DecodeBroadcastTo(OperatorReader& op);
ir::Attributes DecodeBroadcastArgs(OperatorReader& op);
ir::Attributes DecodeFill(OperatorReader& op);
ir::Attributes DecodeReverse(OperatorReader& op);
ir::Attributes DecodeMirrorPad(OperatorReader& op);
ir::Attributes DecodeSignalWindow(OperatorReader& op);
ir::Attributes DecodeSignalFftAutoScale(OperatorReader& op);
ir::Attributes DecodeSignalFft(OperatorReader& op, bool inverse);
ir::Attributes DecodeSignalEnergy(OperatorReader& op);
ir::Attributes DecodeSignalFilterBank(OperatorReader& op);
ir::Attributes DecodeSignalSquareRoot(OperatorReader& op);
ir::Attributes DecodeSignalSpectralSubtraction(OperatorReader& op);
ir::Attributes DecodeSignalPcan(OperatorReader& op);
ir::Attributes DecodeSignalLog(OperatorReader& op);
ir::Attributes DecodeSignalDelay(OperatorReader& op);
ir::Attributes DecodeSignalFramer(OperatorReader& op);
ir::Attributes DecodeSignalOverlapAdd(OperatorReader& op);
ir::Attributes DecodeSignalStacker(OperatorReader& op);
ir::Attributes DecodeDetectionPostprocess(OperatorReader& op);
ir::Attributes DecodeIf(OperatorReader& op);
ir::Attributes DecodeWhile(OperatorReader& op);
ir::Attributes DecodeLeakyRelu(OperatorReader& op);
ir::Attributes DecodePrelu(OperatorReader& op);
ir::Attributes DecodeQuantize(OperatorReader& op);
ir::Attributes DecodeDequantize(OperatorReader& op);
ir::Attributes DecodeSoftmax(OperatorReader& op);
ir::Attributes DecodeReduce(OperatorReader& op, ir::ReduceKind kind);
ir::Attributes DecodeArgMax(OperatorReader& op, bool smallest);
ir::Attributes DecodeReshape(OperatorReader& op);
ir::Attributes DecodeSqueeze(OperatorReader& op);
ir::Attributes DecodeExpandDims(OperatorReader& op);
ir::Attributes DecodePad(OperatorReader& op);
ir::Attributes DecodeConcatenation(OperatorReader& op);
ir::Attributes DecodeSplit(OperatorReader& op);
ir::Attributes DecodeSplitV(OperatorReader& op);
ir::Attributes DecodeSlice(OperatorReader& op);
ir::Attributes DecodeStridedSlice(OperatorReader& op);
ir::Attributes DecodePack(OperatorReader& op);
ir::Attributes DecodeUnpack(OperatorReader& op);
ir::Attributes DecodeTranspose(OperatorReader& op);
ir::Attributes DecodeGather(OperatorReader& op);
ir::Attributes DecodeSpaceToBatch(OperatorReader& op, bool inverse);
ir::Attributes DecodeSpaceToDepth(OperatorReader& op, bool inverse);
ir::Attributes DecodeTile(OperatorReader& op);
ir::Attributes DecodeResize(OperatorReader& op, ir::ResizeKind kind);

/// Carries out an IF or WHILE whose condition is known; returns false when there is none.
bool Inline(const ir::Operator& op, ir::Graph& graph);

/// Computes an operator on int32 or int64 constants, or compares them; returns false when it is
/// none that shapes are computed with.
bool Fold(const ir::Operator& op, ir::Graph& graph);

}  // namespace tpu::tflite
