// SPDX-License-Identifier: Apache-2.0
// Values of a model as tensors of a graph.
#pragma once

#include <string>

#include "frontends/onnx/value.h"
#include "tpu/graph.h"

namespace tpu::onnx {

/// Grows a graph. Errors name the value.
class Builder {
 public:
  [[nodiscard]] Graph& graph() { return graph_; }

  /// The value's tensor with its axes in this order, which is made at its first use. A dequantised
  /// value has the tensor of its integers. Constants are int8, as activations.
  Graph::Tensor Stored(const Value& value, const Layout& layout);
  /// The order that the value has; of a constant, ONNX's own.
  static const Layout& LayoutOf(const Value& value);

  /// A new value with this tensor, of which `like` says the type and what its integers mean.
  static Value Moved(const Value& like, const std::string& name, Shape shape, Layout layout,
                     Graph::Tensor tensor);
  /// The same elements under another shape, in ONNX's order.
  Value Reshaped(const Value& value, const std::string& name, const Shape& shape);
  /// The result of an operator that wrote it for the target.
  Value Made(const std::string& name, Shape shape, Layout layout, Graph::Tensor tensor);

  /// DequantizeLinear. Per axis of constants alone.
  Value Dequantize(const Value& x, const Quantisation& quantisation, const std::string& name);
  /// QuantizeLinear of all but constants.
  Value Quantize(const Value& x, const Target& target, const std::string& operator_name);
  /// The value as float32 in the graph.
  Value Float(const Value& x, const std::string& name);

 private:
  Graph::Tensor StoredConstant(const Value& value, const Layout& layout);

  Graph graph_;
};

/// The result of an operator of the graph that writes for the target.
Result ResultOf(const Target& target, const std::string& operator_name);

}  // namespace tpu::onnx
