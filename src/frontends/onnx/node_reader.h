// SPDX-License-Identifier: Apache-2.0
// One node of an ONNX model, as the converters look at it.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "frontends/onnx/builder.h"
#include "frontends/onnx/model.h"
#include "frontends/onnx/value.h"

namespace tpu::onnx {

/// What follows a node's result, or why that is no QuantizeLinear.
struct Followers {
  std::optional<Target> target;
  std::string reason;
};

/// The inputs, attributes and target of a node. The forms of an operator with and without
/// quantisation look the same: dequantised inputs, and a target. All methods throw tpu::Error.
class NodeReader {
 public:
  NodeReader(Builder& builder, const Node& node, std::vector<std::optional<Value>> inputs,
             Followers followers)
      : builder_(builder),
        node_(node),
        inputs_(std::move(inputs)),
        followers_(std::move(followers)) {}

  template <typename... Args>
  static void Require(bool condition, fmt::format_string<Args...> format, Args&&... args) {
    if (!condition) throw Error::Format("{}", fmt::format(format, std::forward<Args>(args)...));
  }

  [[nodiscard]] Builder& builder() const { return builder_; }
  [[nodiscard]] Graph& graph() const { return builder_.graph(); }
  [[nodiscard]] const Node& node() const { return node_; }
  /// Of the node's first output.
  [[nodiscard]] const std::string& ResultName() const { return node_.outputs[0]; }

  [[nodiscard]] std::size_t Inputs() const { return inputs_.size(); }
  [[nodiscard]] bool HasInput(std::size_t i) const {
    return i < inputs_.size() && inputs_[i].has_value();
  }
  [[nodiscard]] const Value& Input(std::size_t i) const;
  /// A constant that is not stored as integers of a scale.
  [[nodiscard]] const Array& Constant(std::size_t i) const;
  /// A constant list of integers.
  [[nodiscard]] std::vector<std::int64_t> Integers(std::size_t i) const;
  /// A constant of one number.
  [[nodiscard]] float Number(std::size_t i) const;

  [[nodiscard]] std::int64_t Int(std::string_view name, std::int64_t otherwise) const;
  [[nodiscard]] float Float(std::string_view name, float otherwise) const;
  [[nodiscard]] std::string Text(std::string_view name, std::string_view otherwise) const;
  [[nodiscard]] std::optional<std::vector<std::int64_t>> Ints(std::string_view name) const;
  [[nodiscard]] const Attribute* Find(std::string_view name) const;
  /// A list of integers that is an attribute in older versions of ONNX, and input `i` in newer
  /// ones.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> IntsOrInput(std::string_view name,
                                                                     std::size_t i) const;

  /// An axis, counted from the end when negative, from 0.
  static std::size_t Axis(std::int64_t axis, std::size_t rank);

  /// Activations: a value that DequantizeLinear made. Throws with the reason for any other.
  [[nodiscard]] const Value& Activations(std::size_t i) const;
  /// The same, or a constant that DequantizeLinear made.
  [[nodiscard]] const Value& Operand(std::size_t i) const;
  /// The QuantizeLinear that the result goes to. Throws with the reason if there is none.
  [[nodiscard]] const Target& To() const;
  [[nodiscard]] const std::optional<Target>& FindTarget() const { return followers_.target; }
  /// The description of the graph's result that is written for the target.
  [[nodiscard]] Result Written() const { return ResultOf(To(), OperatorName()); }
  /// What the graph's operators are called: as the node, or as its result.
  [[nodiscard]] std::string OperatorName() const {
    return node_.name.empty() ? ResultName() : node_.name;
  }

  /// The value that was written for the target.
  [[nodiscard]] Value Made(Shape shape, Layout layout, Graph::Tensor tensor) const {
    return builder_.Made(ResultName(), std::move(shape), std::move(layout), tensor);
  }

 private:
  Builder& builder_;
  const Node& node_;
  std::vector<std::optional<Value>> inputs_;
  Followers followers_;
};

/// What converters give: a value for each output of the node.
using Values = std::vector<Value>;

}  // namespace tpu::onnx
