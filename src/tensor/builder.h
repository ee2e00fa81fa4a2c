// SPDX-License-Identifier: Apache-2.0
// Writes a graph, operation by operation. All functions throw TypeError as InferType does.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tensor/graph.h"

namespace tpu::tensor {

class Builder {
 public:
  Builder() = default;
  /// Goes on behind the last operation of a graph.
  explicit Builder(Graph graph) : graph_(std::move(graph)) {}

  [[nodiscard]] const Graph& graph() const { return graph_; }
  Graph Take() { return std::move(graph_); }
  // Copies, which stay when the graph grows.
  [[nodiscard]] TensorType TypeOf(ValueId value) const { return graph_.TypeOf(value); }
  [[nodiscard]] Shape ShapeOf(ValueId value) const { return graph_.TypeOf(value).shape; }

  /// Any operation; the functions below are the same in fewer words.
  ValueId Append(Operation operation, std::vector<ValueId> operands);
  void Output(std::string name, ValueId value);

  ValueId Input(std::string name, TensorType type);
  ValueId Constant(TensorType type, std::vector<double> values);
  /// The same value everywhere; `SplatLike` with the type of another value.
  ValueId Splat(TensorType type, double value);
  ValueId SplatLike(ValueId like, double value);
  ValueId Iota(TensorType type, std::int64_t dimension);

  ValueId Abs(ValueId x) { return Append(tensor::Abs{}, {x}); }
  ValueId Exponential(ValueId x) { return Append(tensor::Exponential{}, {x}); }
  ValueId Log(ValueId x) { return Append(tensor::Log{}, {x}); }
  ValueId Logistic(ValueId x) { return Append(tensor::Logistic{}, {x}); }
  ValueId Negate(ValueId x) { return Append(tensor::Negate{}, {x}); }
  ValueId Rsqrt(ValueId x) { return Append(tensor::Rsqrt{}, {x}); }
  ValueId Sqrt(ValueId x) { return Append(tensor::Sqrt{}, {x}); }
  ValueId Tanh(ValueId x) { return Append(tensor::Tanh{}, {x}); }
  ValueId StopGradient(ValueId x) { return Append(tensor::StopGradient{}, {x}); }
  /// The value itself when it has those elements.
  ValueId Convert(ValueId x, ElementType element);

  ValueId Add(ValueId a, ValueId b) { return Append(tensor::Add{}, {a, b}); }
  ValueId Subtract(ValueId a, ValueId b) { return Append(tensor::Subtract{}, {a, b}); }
  ValueId Multiply(ValueId a, ValueId b) { return Append(tensor::Multiply{}, {a, b}); }
  ValueId Divide(ValueId a, ValueId b) { return Append(tensor::Divide{}, {a, b}); }
  ValueId Maximum(ValueId a, ValueId b) { return Append(tensor::Maximum{}, {a, b}); }
  ValueId Minimum(ValueId a, ValueId b) { return Append(tensor::Minimum{}, {a, b}); }
  ValueId Compare(ComparisonDirection direction, ValueId a, ValueId b) {
    return Append(tensor::Compare{direction}, {a, b});
  }
  ValueId Select(ValueId pred, ValueId on_true, ValueId on_false) {
    return Append(tensor::Select{}, {pred, on_true, on_false});
  }
  /// x * factor.
  ValueId Scale(ValueId x, double factor) { return Multiply(x, SplatLike(x, factor)); }

  ValueId BroadcastInDim(ValueId x, Shape shape, Dimensions dimensions);
  /// As numpy does: dimensions are counted from the last one, those of size 1 are repeated.
  ValueId BroadcastTo(ValueId x, const Shape& shape);
  /// The inverse of a reduction over `dimensions` of a tensor of this shape.
  ValueId BroadcastBack(ValueId x, const Shape& shape, const Dimensions& dimensions);
  ValueId Reshape(ValueId x, Shape shape) { return Append(tensor::Reshape{std::move(shape)}, {x}); }
  ValueId Transpose(ValueId x, Dimensions permutation) {
    return Append(tensor::Transpose{std::move(permutation)}, {x});
  }
  ValueId Reverse(ValueId x, Dimensions dimensions) {
    return Append(tensor::Reverse{std::move(dimensions)}, {x});
  }
  ValueId Slice(ValueId x, Dimensions start, Dimensions limit, Dimensions strides) {
    return Append(tensor::Slice{std::move(start), std::move(limit), std::move(strides)}, {x});
  }
  ValueId Pad(ValueId x, double fill, tensor::Pad pad);
  ValueId Concatenate(std::vector<ValueId> parts, std::int64_t dimension) {
    return Append(tensor::Concatenate{dimension}, std::move(parts));
  }

  ValueId Reduce(ValueId x, Reduction body, Dimensions dimensions) {
    return Append(tensor::Reduce{body, std::move(dimensions)}, {x});
  }
  /// Strides and dilations that are left empty are 1, padding that is left empty is 0.
  ValueId ReduceWindow(ValueId x, tensor::ReduceWindow op);
  ValueId SelectAndScatter(ValueId x, ValueId source, tensor::SelectAndScatter op);
  ValueId DotGeneral(ValueId a, ValueId b, tensor::DotGeneral op) {
    return Append(std::move(op), {a, b});
  }
  /// Likewise; nothing is reversed when window_reversal is left empty.
  ValueId Convolution(ValueId x, ValueId kernel, tensor::Convolution op);

 private:
  Graph graph_;
};

/// Writes the inputs of a graph in the order of its arguments, which need not be that of the nodes.
/// Returns what each of the graph's values is in the builder: of inputs so far.
std::vector<ValueId> CopyInputs(const Graph& graph, Builder& builder);

/// 0, 1, ... up to `count` - 1.
Dimensions AllDimensions(std::int64_t count);

}  // namespace tpu::tensor
