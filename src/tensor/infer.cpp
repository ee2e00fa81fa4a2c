// SPDX-License-Identifier: Apache-2.0
// Types of results, and StableHLO's constraints on operands and attributes.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "base/error.h"
#include "tensor/graph.h"
#include "tensor/infer_window.h"
#include "tensor/print.h"

namespace tpu::tensor {
namespace {

std::size_t Index(std::int64_t dimension) { return static_cast<std::size_t>(dimension); }

void CheckShape(const Shape& shape) {
  std::int64_t elements = 1;
  for (const std::int64_t size : shape) {
    if (size < 1) throw TypeError(fmt::format("a dimension of the result has size {}", size));
    if (size > std::numeric_limits<std::int32_t>::max() / elements) {
      throw TypeError("the result has more than 2^31 - 1 elements");
    }
    elements *= size;
  }
}

// Functions named Of give the type of one operation's result.
class Inference {
 public:
  explicit Inference(std::span<const TensorType> operands) : operands_(operands) {}

  TensorType Of(const Input& op) const { return op.type; }
  TensorType Of(const Constant& op) const {
    CheckShape(op.type.shape);
    const auto elements = static_cast<std::size_t>(op.type.Elements());
    Require(op.values.size() == 1 || op.values.size() == elements,
            "{} values are not those of a {}", op.values.size(), TypeText(op.type));
    return op.type;
  }
  TensorType Of(const Iota& op) const {
    CheckDimensions("iota_dimension", {op.iota_dimension}, op.type.Rank());
    Require(op.type.element != ElementType::kPred, "has no elements of i1");
    return op.type;
  }

  template <UnaryOperation Op>
  TensorType Of(const Op& /*op*/) const {
    const bool integer =
        OneOf<Op, Abs, Negate, StopGradient> && operands_[0].element == ElementType::kS32;
    Require(operands_[0].IsFloat() || integer, "is not defined for these elements");
    return operands_[0];
  }
  TensorType Of(const Convert& op) const { return {op.element, operands_[0].shape}; }

  template <BinaryOperation Op>
  TensorType Of(const Op& /*op*/) const {
    Require(operands_[0] == operands_[1], "the operands' types differ");
    Require(operands_[0].element != ElementType::kPred, "is not defined for i1");
    return operands_[0];
  }
  TensorType Of(const Compare& /*op*/) const {
    Require(operands_[0] == operands_[1], "the operands' types differ");
    return {ElementType::kPred, operands_[0].shape};
  }
  TensorType Of(const Select& /*op*/) const {
    Require(operands_[0].element == ElementType::kPred, "the first operand is no i1");
    Require(operands_[1] == operands_[2], "the types of on_true and on_false differ");
    Require(operands_[0].shape == operands_[1].shape, "the operands' shapes differ");
    return operands_[1];
  }

  TensorType Of(const BroadcastInDim& op) const {
    const Shape& from = operands_[0].shape;
    RequireCount("broadcast_dimensions", op.broadcast_dimensions.size());
    CheckDimensions("broadcast_dimensions", op.broadcast_dimensions,
                    static_cast<std::int64_t>(op.shape.size()));
    for (std::size_t d = 0; d < from.size(); ++d) {
      const std::int64_t to = op.shape[Index(op.broadcast_dimensions[d])];
      Require(from[d] == 1 || from[d] == to, "dimension {} of size {} does not become one of {}", d,
              from[d], to);
    }
    return {operands_[0].element, op.shape};
  }
  TensorType Of(const Reshape& op) const {
    CheckShape(op.shape);
    TensorType type = {operands_[0].element, op.shape};
    Require(type.Elements() == operands_[0].Elements(), "{} has another number of elements",
            TypeText(type));
    return type;
  }
  TensorType Of(const Transpose& op) const {
    RequireCount("permutation", op.permutation.size());
    CheckDimensions("permutation", op.permutation, operands_[0].Rank());
    TensorType type = operands_[0];
    for (std::size_t d = 0; d < type.shape.size(); ++d) {
      type.shape[d] = operands_[0].shape[Index(op.permutation[d])];
    }
    return type;
  }
  TensorType Of(const Reverse& op) const {
    CheckDimensions("dimensions", op.dimensions, operands_[0].Rank());
    return operands_[0];
  }
  TensorType Of(const Slice& op) const {
    TensorType type = operands_[0];
    RequireCount("start_indices", op.start_indices.size());
    RequireCount("limit_indices", op.limit_indices.size());
    RequireCount("strides", op.strides.size());
    for (std::size_t d = 0; d < type.shape.size(); ++d) {
      const auto [start, limit] = std::pair(op.start_indices[d], op.limit_indices[d]);
      Require(0 <= start && start < limit && limit <= type.shape[d] && op.strides[d] >= 1,
              "dimension {} has no elements {} to {} in steps of {}", d, start, limit,
              op.strides[d]);
      type.shape[d] = (limit - start - 1) / op.strides[d] + 1;
    }
    return type;
  }
  TensorType Of(const Pad& op) const {
    TensorType type = operands_[0];
    Require(operands_[1] == TensorType{type.element, {}},
            "the second operand is no scalar of the first one's elements");
    RequireCount("edge_padding_low", op.edge_padding_low.size());
    RequireCount("edge_padding_high", op.edge_padding_high.size());
    RequireCount("interior_padding", op.interior_padding.size());
    for (std::size_t d = 0; d < type.shape.size(); ++d) {
      Require(op.interior_padding[d] >= 0, "interior_padding is negative");
      type.shape[d] = Dilated(type.shape[d], op.interior_padding[d] + 1) + op.edge_padding_low[d] +
                      op.edge_padding_high[d];
    }
    return type;
  }
  TensorType Of(const Concatenate& op) const {
    TensorType type = operands_[0];
    CheckDimensions("dimension", {op.dimension}, type.Rank());
    std::int64_t size = 0;
    for (TensorType operand : operands_) {
      Require(operand.Rank() == type.Rank(), "the operands' ranks differ");
      std::swap(size, operand.shape[Index(op.dimension)]);
      size += operand.shape[Index(op.dimension)];
      type.shape[Index(op.dimension)] = operand.shape[Index(op.dimension)] = 0;
      Require(operand == type, "the operands differ in more than dimension {}", op.dimension);
    }
    type.shape[Index(op.dimension)] = size;
    return type;
  }

  TensorType Of(const Reduce& op) const {
    CheckDimensions("dimensions", op.dimensions, operands_[0].Rank());
    Require(operands_[0].element != ElementType::kPred, "is not defined for i1");
    TensorType type = {operands_[0].element, {}};
    for (std::int64_t d = 0; d < operands_[0].Rank(); ++d) {
      const bool gone =
          std::find(op.dimensions.begin(), op.dimensions.end(), d) != op.dimensions.end();
      if (!gone) type.shape.push_back(operands_[0].shape[Index(d)]);
    }
    return type;
  }
  // Windows and products (infer_window.cpp).
  template <typename Op>
  requires OneOf<Op, ReduceWindow, SelectAndScatter, DotGeneral, Convolution> TensorType
  Of(const Op& op)
  const { return InferWindow(op, operands_); }

 private:
  template <typename... Args>
  static void Require(bool holds, fmt::format_string<Args...> format, Args&&... args) {
    if (!holds) throw TypeError(fmt::format(format, std::forward<Args>(args)...));
  }
  void RequireCount(std::string_view attribute, std::size_t count) const {
    Require(count == operands_[0].shape.size(), "{} has {} numbers, not {}", attribute, count,
            operands_[0].shape.size());
  }

  std::span<const TensorType> operands_;
};

std::size_t OperandsOf(const Operation& operation, std::size_t given) {
  return std::visit(
      [given]<typename Op>(const Op& /*op*/) -> std::size_t {
        if constexpr (OneOf<Op, Input, Constant, Iota>) return 0;
        if constexpr (OneOf<Op, Select>) return 3;
        if constexpr (OneOf<Op, Concatenate>) return std::max<std::size_t>(given, 1);
        if constexpr (BinaryOperation<Op> ||
                      OneOf<Op, Compare, Pad, SelectAndScatter, DotGeneral, Convolution>) {
          return 2;
        }
        return 1;
      },
      operation);
}

}  // namespace

TensorType InferType(const Operation& operation, std::span<const TensorType> operands) try {
  const std::size_t count = OperandsOf(operation, operands.size());
  if (operands.size() != count) {
    throw TypeError(fmt::format("takes {} operands, not {}", count, operands.size()));
  }
  const Inference inference(operands);
  TensorType type = std::visit([&](const auto& op) { return inference.Of(op); }, operation);
  CheckShape(type.shape);
  return type;
} catch (const TypeError& error) {
  std::string types;
  for (const TensorType& operand : operands) {
    if (!types.empty()) types += ", ";
    types += TypeText(operand);
  }
  throw TypeError(fmt::format("{}({}): {}", NameOf(operation), types, error.what()));
}

}  // namespace tpu::tensor
