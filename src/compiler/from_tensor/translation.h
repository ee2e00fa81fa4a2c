// SPDX-License-Identifier: Apache-2.0
// The state of a translation, and what the rules for single operations have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "ir/graph.h"
#include "isa/hardware_config.h"
#include "tensor/graph.h"

namespace tpu::compiler {

/// A scalar has one dimension in the compiler's graph.
inline ir::Shape AtLeastOne(const tensor::Shape& shape) {
  return shape.empty() ? ir::Shape{1} : shape;
}

class Translation {
 public:
  Translation(const tensor::Graph& source, const isa::HardwareConfig& config);

  /// Appends the operators of all values, then binds the outputs.
  ir::Graph Run();

  [[nodiscard]] const tensor::Node& NodeOf(tensor::ValueId id) const { return source_.nodes[id]; }
  [[nodiscard]] const tensor::Shape& ShapeOf(tensor::ValueId id) const {
    return source_.nodes[id].type.shape;
  }
  template <typename Op>
  [[nodiscard]] const Op* If(tensor::ValueId id) const {
    return std::get_if<Op>(&source_.nodes[id].operation);
  }
  [[nodiscard]] std::size_t Uses(tensor::ValueId id) const { return uses_[id]; }
  [[nodiscard]] const isa::HardwareConfig& Config() const { return config_; }
  [[nodiscard]] const tensor::Graph& Source() const { return source_; }

  /// The value as a tensor of its own shape.
  ir::TensorId Of(tensor::ValueId id);
  /// The same in bfloat16.
  ir::TensorId Narrow(tensor::ValueId id);
  /// The value, or what it repeats, with dimensions of size 1 where it does.
  ir::TensorId Repeated(tensor::ValueId id);
  /// The element that is everywhere the same.
  [[nodiscard]] std::optional<double> Splat(tensor::ValueId id) const;
  /// A single number that is known only when the program runs, and that this value repeats.
  [[nodiscard]] std::optional<tensor::ValueId> Scalar(tensor::ValueId id) const;

  [[nodiscard]] const ir::Tensor& Tensor(ir::TensorId id) const { return graph_.tensors[id]; }
  [[nodiscard]] bool IsNarrow(ir::TensorId id) const {
    return Tensor(id).type == ElementType::kBfloat16;
  }
  /// A tensor for the value, in the value's format, or for a step on the way to it.
  ir::TensorId Make(tensor::ValueId id);
  ir::TensorId Make(ElementType type, ir::Shape shape);
  ir::TensorId Constant(std::vector<float> values, ir::Shape shape);
  ir::TensorId NarrowConstant(float value, ir::Shape shape);
  ir::TensorId Reshaped(ir::TensorId id, ir::Shape shape);
  ir::TensorId Transposed(ir::TensorId id, const std::vector<std::int64_t>& permutation);
  /// Appends an operator.
  void Add(std::vector<ir::TensorId> inputs, ir::TensorId output, ir::Attributes attributes,
           std::optional<std::uint64_t> macs = {});
  void Add(std::vector<ir::TensorId> inputs, std::vector<ir::TensorId> outputs,
           ir::Attributes attributes, std::optional<std::uint64_t> macs = {});
  /// The sums of its second factor that the gradient of a layer's weights makes beside: the
  /// gradient of the layer's bias. And the other way round.
  [[nodiscard]] std::optional<tensor::ValueId> BiasGradientOf(tensor::ValueId product) const {
    return bias_gradients_[product];
  }
  [[nodiscard]] std::optional<tensor::ValueId> ProductOf(tensor::ValueId bias_gradient) const {
    return products_[bias_gradient];
  }
  /// Says that the tensor is the value at hand.
  void Is(tensor::ValueId id, ir::TensorId tensor) { made_[id] = tensor; }
  [[nodiscard]] bool IsMade(tensor::ValueId id) const { return made_[id].has_value(); }
  [[nodiscard]] ElementType FormatOf(tensor::ValueId id) const;

  /// An error about the operation at hand.
  template <typename... Args>
  void Require(bool condition, fmt::format_string<Args...> format, Args&&... args) const {
    if (condition) return;
    throw Error::Format("{}: {}", name_, fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  void Translate(tensor::ValueId id);
  void BindOutputs();
  void FindBiasGradients();
  // Whether an input that is no state goes nowhere but to the array.
  [[nodiscard]] bool IsUsedNarrow(tensor::ValueId input) const;

  const tensor::Graph& source_;
  const isa::HardwareConfig& config_;
  std::vector<bool> wide_;
  std::vector<std::size_t> uses_;
  std::vector<std::optional<ir::TensorId>> made_;
  std::vector<std::optional<ir::TensorId>> narrow_;  // In bfloat16, by value.
  // By value.
  std::vector<std::optional<tensor::ValueId>> bias_gradients_;
  std::vector<std::optional<tensor::ValueId>> products_;
  ir::Graph graph_;
  std::string name_;  // Of the operation at hand.
};

// One rule for each operation; the result is the value `id`.

// translate_elements.cpp
void TranslateElements(Translation& to, tensor::ValueId id);
/// Whether operations on elements say what this value is, so that nothing has to be made of it.
bool IsPartOfUsers(const Translation& to, tensor::ValueId id);
/// The difference of a parameter and this gradient of it, which is used nowhere else.
std::optional<tensor::ValueId> UpdateBy(const Translation& to, tensor::ValueId product);

/// A value that is a product and a vector that is added to the rows or, of the gradient of a
/// layer's weights, a tensor from which the gradient is subtracted.
struct Product {
  tensor::ValueId node = 0;
  std::optional<tensor::ValueId> bias = {};
  std::optional<tensor::ValueId> minuend = {};
};

// translate_products.cpp
void TranslateProduct(Translation& to, tensor::ValueId id, const Product& product);
/// What multiplies the gradient of a layer's weights: the second factor g, in f32, if the value is
/// such a gradient.
std::optional<tensor::ValueId> GradientFactorOf(const Translation& to, tensor::ValueId id);

// translate_reductions.cpp
void Translate(Translation& to, tensor::ValueId id, const tensor::Reduce& op);
void Translate(Translation& to, tensor::ValueId id, const tensor::ReduceWindow& op);
void Translate(Translation& to, tensor::ValueId id, const tensor::SelectAndScatter& op);

// translate_shapes.cpp
void TranslateShapes(Translation& to, tensor::ValueId id);

}  // namespace tpu::compiler
