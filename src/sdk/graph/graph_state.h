// SPDX-License-Identifier: Apache-2.0
// What stands behind the methods of tpu::Graph.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ir/graph.h"
#include "tpu/graph.h"

namespace tpu {

struct Graph::State {
  ir::Graph graph;
  std::size_t operators = 0;  ///< Those that were added, for their names.

  /// Gives a tensor without a name the name that the next tensor has.
  void Name(ir::Tensor& tensor) const;
  /// Adds a tensor, which gets a name if it has none.
  Tensor Add(ir::Tensor tensor);
  [[nodiscard]] const ir::Tensor& At(Tensor tensor, std::string_view where) const;
};

/// What a graph was built for.
struct GraphContents {
  /// The network. The graph is then as one that another graph was made of.
  static ir::Graph Take(Graph&& graph) { return std::move(std::exchange(graph.state_, {})->graph); }
};

namespace sdk {

/// "[1, 2, 3]".
inline std::string Text(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

/// How many elements a shape has; -1 when the shape has a dimension below 1 or too many elements.
std::int64_t ElementsOf(const Shape& shape);

}  // namespace sdk

/// An operator on its way into a graph, which stays as it is until Make. All methods throw
/// tpu::Error naming the operator.
class Graph::NewOperator {
 public:
  /// The attributes count for messages only.
  NewOperator(State& state, const ir::Attributes& attributes, const Result& result);

  template <typename... Args>
  void Require(bool condition, fmt::format_string<Args...> format, Args&&... args) const {
    if (condition) return;
    throw Error::Format("{}: {}", title_, fmt::format(format, std::forward<Args>(args)...));
  }

  /// An input of any type.
  const ir::Tensor& Operand(Tensor tensor);
  /// An int8 or float32 input: all of them are of the first one's type.
  const ir::Tensor& Activations(Tensor tensor);
  /// A float32 input.
  const ir::Tensor& Floats(Tensor tensor);
  /// Constant of the activations' type with `rank` dimensions; int8 with zero point 0, and one
  /// scale or one for each index of dimension `axis`.
  const ir::Tensor& Weights(Tensor tensor, std::size_t rank, std::size_t axis,
                            bool uncentred = false);
  /// If there is one: constant int32, or float32 as the activations, one for each of `channels`.
  void AddBias(const Bias& bias, std::int64_t channels);
  void RequireType(const ir::Tensor& tensor, std::initializer_list<ElementType> types) const;
  void RequireRank(const ir::Tensor& tensor, std::size_t rank) const;
  /// The shape to which two shapes broadcast, by numpy's rules: dimensions are matched from the
  /// last, and those of 1 are repeated.
  [[nodiscard]] Shape Broadcast(const Shape& a, const Shape& b) const;
  /// A dimension, counted from the end when negative, as a dimension from 0.
  [[nodiscard]] std::size_t Axis(std::int64_t axis, std::size_t rank) const;

  /// What the result is when its description leaves it open, instead of as the first input.
  void Default(ElementType type, float scale, std::int32_t zero_point);
  /// The result has no other type than these.
  void RequireResult(std::initializer_list<ElementType> types) const;
  /// Whether the operator computes on float32, as the first input tells.
  [[nodiscard]] bool OnFloats() const;
  /// The result has the type of the activations.
  void RequireComputed() const;
  /// The same; if that is int8, the result is made from integers that stand for multiples of
  /// `unit`, by TensorFlow Lite's arithmetic.
  void RequireScalable(double unit) const;
  /// The result is made like that from any integers.
  void RequireFactor(double unit) const;
  /// The result has the scale and the zero point of the input. Those of float32 mean nothing.
  void RequireSameQuantization(const ir::Tensor& input) const;
  /// The result has the type of the input.
  void RequireMoved(const ir::Tensor& input) const;
  /// As the description and the defaults say, without a shape. Needs an input.
  [[nodiscard]] ir::Tensor Output() const;

  /// Adds the operator. The result has this shape, or that of the description if
  /// `may_be_reshaped`.
  Tensor Make(ir::Attributes attributes, Shape shape, bool may_be_reshaped = false);
  /// Adds an operator with several results.
  std::vector<Tensor> MakeAll(ir::Attributes attributes, const std::vector<Shape>& shapes,
                              std::span<const Result> results);

 private:
  [[nodiscard]] const ir::Tensor& First() const { return state_.graph.tensors.at(inputs_.at(0)); }
  [[nodiscard]] ir::Tensor Described(const Result& result) const;

  State& state_;
  Result result_;
  std::string name_;
  std::string title_;
  std::vector<ir::TensorId> inputs_;
};

}  // namespace tpu
