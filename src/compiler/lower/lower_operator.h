// SPDX-License-Identifier: Apache-2.0
// From operators of the graph to jobs of the array and the vector unit.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "compiler/lower/weights.h"
#include "compiler/place/layout.h"
#include "compiler/program/emitter.h"
#include "compiler/program/placement.h"
#include "compiler/quantise/quantization.h"
#include "ir/graph.h"
#include "isa/element_format.h"

namespace tpu::compiler {

/// An operator with what lowering it needs.
struct OperatorContext {
  const ir::Graph& graph;
  const ir::Operator& op;
  const std::vector<Placement>& placements;  ///< By tensor.
  Rounding rounding;

  [[nodiscard]] const ir::Tensor& Input(std::size_t i) const;
  /// Before a fused table.
  [[nodiscard]] const ir::Tensor& Output() const {
    return graph.tensors[op.fused ? op.fused->before : op.outputs[0]];
  }
  /// A fused table's 256 bytes; empty: none.
  [[nodiscard]] std::vector<std::uint8_t> Table() const;
  [[nodiscard]] const Placement& InputPlacement(std::size_t i) const {
    return placements[op.inputs[i]];
  }
  [[nodiscard]] const Placement& OutputPlacement() const { return placements[op.outputs[0]]; }

  /// "NAME (CONV_2D)".
  [[nodiscard]] std::string Name() const;
  /// Throws an error about this operator.
  template <typename... Args>
  void Require(bool condition, fmt::format_string<Args...> format, Args&&... args) const {
    if (condition) return;
    throw Error::Format("{}: {}", Name(), fmt::format(format, std::forward<Args>(args)...));
  }

  /// Contents of constant inputs; errors when it is no constant of that type and size. No bias:
  /// empty.
  [[nodiscard]] WeightValues Weights(std::size_t input) const;
  [[nodiscard]] std::span<const isa::Bias> Bias(std::size_t input, std::int64_t channels) const {
    return Constants<isa::Bias>(input, channels);
  }
  template <typename T>
  [[nodiscard]] std::span<const T> Constants(std::size_t input, std::int64_t channels) const {
    if (input >= op.inputs.size()) return {};
    const ir::Tensor& tensor = Input(input);
    const auto* values = std::get_if<std::vector<T>>(&tensor.data);
    Require(values != nullptr, "bias {} must be constant {}", tensor.name,
            isa::kFormatOf<T>.Name());
    Require(values->size() == static_cast<std::size_t>(channels), "bias {} has {} values, not {}",
            tensor.name, values->size(), channels);
    return *values;
  }
};

/// Appends the operator's layer and instructions.
void LowerOperator(const OperatorContext& context, Emitter& emitter);

// One for each operator; called by LowerOperator.
void LowerConv2D(const OperatorContext& context, const ir::Conv2D& op, Emitter& emitter);
void LowerDepthwise(const OperatorContext& context, const ir::DepthwiseConv2D& op,
                    Emitter& emitter);
void LowerFullyConnected(const OperatorContext& context, const ir::FullyConnected& op,
                         Emitter& emitter);
void LowerMatMul(const OperatorContext& context, const ir::MatMul& op, Emitter& emitter);
void LowerBinary(const OperatorContext& context, const ir::Binary& op, Emitter& emitter);
void LowerPool(const OperatorContext& context, const ir::Pool2D& op, Emitter& emitter);
void LowerIntegerMap(const OperatorContext& context, const ir::IntegerMap& op, Emitter& emitter);
void LowerIntegerSum(const OperatorContext& context, const ir::IntegerSum& op, Emitter& emitter);
void LowerWideLookup(const OperatorContext& context, const ir::WideLookup& op, Emitter& emitter);
void LowerLookup(const OperatorContext& context, const ir::Lookup& op, Emitter& emitter);
void LowerUnary(const OperatorContext& context, const ir::Unary& op, Emitter& emitter);
void LowerMap(const OperatorContext& context, const ir::Map& op, Emitter& emitter);
void LowerAdam(const OperatorContext& context, const ir::Adam& op, Emitter& emitter);
void LowerChain(const OperatorContext& context, const ir::Chain& chain, Emitter& emitter);
void LowerScale(const OperatorContext& context, Emitter& emitter);
void LowerConvWeightGradient(const OperatorContext& context, const ir::ConvWeightGradient& op,
                             Emitter& emitter);
void LowerFunction(const OperatorContext& context, const ir::Function& op, Emitter& emitter);
void LowerConvert(const OperatorContext& context, Emitter& emitter);
void LowerReduce(const OperatorContext& context, const ir::Reduce& op, Emitter& emitter);
void LowerMove(const OperatorContext& context, const ir::Move& op, Emitter& emitter);

/// Has results requantised in that rounding.
inline void SetRequant(isa::Vector& operation, Rounding rounding) {
  using enum isa::VectorRequant;
  operation.requant = rounding == Rounding::kSingle ? kSingle : kDouble;
  operation.float_rounding = IsFloat(rounding) ? 1 : 0;
}

/// Multiply-accumulates of the operator.
std::uint64_t MacsOf(const OperatorContext& context);

}  // namespace tpu::compiler
