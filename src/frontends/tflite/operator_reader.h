// SPDX-License-Identifier: Apache-2.0
// One operator of a TensorFlow Lite model, as the importer looks at it.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "frontends/tflite/model.h"
#include "ir/graph.h"

namespace tpu::compiler {

/// "[1, 2, 3]".
std::string Text(const Shape& shape);

/// Inputs and outputs of the operator that the decoders ask for are checked on the way, and those
/// that become inputs of the graph's operator are noted. All methods throw tpu::Error naming the
/// file and the operator.
class OperatorReader {
 public:
  /// Reads and, where the model leaves them open, sets the shapes in `graph`.
  OperatorReader(const tflite::Model& model, std::size_t index, Graph& graph);

  [[nodiscard]] tflite::BuiltinOperator Code() const { return op_.code; }

  template <typename... Args>
  void Require(bool condition, fmt::format_string<Args...> format, Args&&... args) const {
    if (condition) return;
    throw Error::Format("{}: {}: {}", model_.file, name_,
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
  const Tensor& Operand(std::size_t i);
  /// The same of an operator that moves values: all outputs are of the input's type.
  const Tensor& Moved(std::size_t i);
  /// int8 with one scale.
  const Tensor& Activations(std::size_t i);
  /// Constant int8 with zero point 0, and one scale or one for each index of dimension `axis`.
  const Tensor& Weights(std::size_t i, std::size_t axis);
  /// Optional: constant int32, one for each of `channels`.
  void Bias(std::size_t i, std::int64_t channels);
  [[nodiscard]] const Tensor& Output(std::size_t i = 0) const;
  /// int8 with one scale. It is made from integers that stand for multiples of `unit`.
  const Tensor& OutputActivations(double unit) const;
  /// Has one scale, and no other type than these.
  void RequireQuantized(const Tensor& tensor, std::initializer_list<ElementType> types) const;
  void RequireSameType(const Tensor& input, const Tensor& output) const;
  void RequireRank(const Tensor& tensor, std::size_t rank) const;
  /// Integers that stand for multiples of `unit` can be turned into the output's by TensorFlow
  /// Lite's arithmetic.
  void RequireScalable(double unit) const;

  /// Values of a constant int32 or int64 input that the graph's operator does not get.
  std::vector<std::int64_t> Integers(std::size_t i, std::string_view what) const;
  /// The same, as one value.
  std::int64_t Integer(std::size_t i, std::string_view what) const;
  /// Whether the input's values are known.
  [[nodiscard]] bool IsKnown(std::size_t i) const;
  [[nodiscard]] const Tensor& Input(std::size_t i) const;
  /// A dimension, counted from the end when negative, as a dimension from 0.
  [[nodiscard]] std::size_t Axis(std::int64_t axis, std::size_t rank) const;

  /// The output must have this shape, or gets it when the model leaves it open.
  void SettleOutput(const Shape& shape, std::size_t i = 0);
  /// The same for outputs of which only the number of elements matters: files give some of them
  /// dimensions of 1 that the operator does not make.
  void SettleElements(const Shape& shape);
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
  [[nodiscard]] Activation FusedActivation(tflite::schema::ActivationFunctionType type) const;

  /// The graph's operator, with the operands asked for in order.
  [[nodiscard]] Operator Finish(Attributes attributes) const;

 private:
  [[nodiscard]] const tflite::Tensor& Source(const Tensor& tensor) const;
  [[nodiscard]] static std::string Name(const Tensor& tensor);

  const tflite::Model& model_;
  const tflite::Operator& op_;
  Graph& graph_;
  std::string graph_name_;
  std::string name_;
  std::vector<TensorId> operands_;
};

/// What one unit of a sum of products is worth; with several weight scales the largest.
double SumUnit(const Tensor& input, const Tensor& weights);

// Decoders: check the operator and give its attributes.
Attributes DecodeConv2D(OperatorReader& op);
Attributes DecodeDepthwiseConv2D(OperatorReader& op);
Attributes DecodeTransposeConv(OperatorReader& op);
Attributes DecodeFullyConnected(OperatorReader& op);
Attributes DecodePool2D(OperatorReader& op, PoolKind kind);
Attributes DecodeBinary(OperatorReader& op, BinaryKind kind);
Attributes DecodeUnary(OperatorReader& op, UnaryKind kind);
Attributes DecodeLeakyRelu(OperatorReader& op);
Attributes DecodePrelu(OperatorReader& op);
Attributes DecodeQuantize(OperatorReader& op);
Attributes DecodeDequantize(OperatorReader& op);
Attributes DecodeSoftmax(OperatorReader& op);
Attributes DecodeReduce(OperatorReader& op, ReduceKind kind);
Attributes DecodeArgMax(OperatorReader& op, bool smallest);
Attributes DecodeReshape(OperatorReader& op);
Attributes DecodeSqueeze(OperatorReader& op);
Attributes DecodeExpandDims(OperatorReader& op);
Attributes DecodePad(OperatorReader& op);
Attributes DecodeConcatenation(OperatorReader& op);
Attributes DecodeSplit(OperatorReader& op);
Attributes DecodeSplitV(OperatorReader& op);
Attributes DecodeSlice(OperatorReader& op);
Attributes DecodeStridedSlice(OperatorReader& op);
Attributes DecodePack(OperatorReader& op);
Attributes DecodeUnpack(OperatorReader& op);
Attributes DecodeTranspose(OperatorReader& op);
Attributes DecodeGather(OperatorReader& op);
Attributes DecodeSpaceToBatch(OperatorReader& op, bool inverse);
Attributes DecodeSpaceToDepth(OperatorReader& op, bool inverse);
Attributes DecodeTile(OperatorReader& op);
Attributes DecodeResize(OperatorReader& op, ResizeKind kind);

/// Computes an operator on int32 or int64 constants; returns false when it is none that shapes are
/// computed with.
bool Fold(const Operator& op, Graph& graph);

}  // namespace tpu::compiler
