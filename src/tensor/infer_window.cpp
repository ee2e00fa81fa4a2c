// SPDX-License-Identifier: Apache-2.0
#include "tensor/infer_window.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/error.h"
#include "tensor/print.h"

namespace tpu::tensor {
namespace {

template <typename... Args>
void Require(bool holds, fmt::format_string<Args...> format, Args&&... args) {
  if (!holds) throw TypeError(fmt::format(format, std::forward<Args>(args)...));
}

std::int64_t SizeAt(const TensorType& type, std::int64_t dimension) {
  return type.shape[static_cast<std::size_t>(dimension)];
}

bool AllPositive(const Dimensions& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](std::int64_t n) { return n >= 1; });
}

void CheckWindow(std::string_view attribute, const Dimensions& numbers, std::size_t rank) {
  Require(numbers.size() == rank, "{} has {} numbers, not {}", attribute, numbers.size(), rank);
  Require(AllPositive(numbers), "{} has a number below 1", attribute);
}

std::int64_t PlacesOf(const WindowDimension& window, std::int64_t base, std::size_t dimension) {
  const std::int64_t places = window.Places(base);
  Require(places >= 1, "the window does not fit into dimension {} of size {}", dimension, base);
  return places;
}

Shape PoolShape(const ReduceWindow& op, const TensorType& operand) {
  const std::size_t rank = operand.shape.size();
  CheckWindow("window_dimensions", op.window_dimensions, rank);
  CheckWindow("window_strides", op.window_strides, rank);
  CheckWindow("base_dilations", op.base_dilations, rank);
  CheckWindow("window_dilations", op.window_dilations, rank);
  Require(op.padding.size() == rank, "padding has {} pairs, not {}", op.padding.size(), rank);
  Shape shape(rank);
  for (std::size_t d = 0; d < rank; ++d) {
    const WindowDimension window = {op.window_dimensions[d], op.window_strides[d],
                                    op.base_dilations[d], op.window_dilations[d], op.padding[d]};
    shape[d] = PlacesOf(window, operand.shape[d], d);
  }
  return shape;
}

void CheckProduct(std::span<const TensorType> operands, ElementType element) {
  const ElementType from = operands[0].element;
  Require(operands[0].IsFloat() && operands[1].element == from,
          "the operands are not both of f32 or both of bf16");
  Require(element == ElementType::kF32 || element == from,
          "the result is neither of f32 nor of the operands' elements");
}

// Batch, feature and spatial dimensions must be all dimensions.
void CheckRoles(std::string_view tensor, std::int64_t first, std::int64_t second,
                const Dimensions& spatial, std::int64_t rank) {
  Dimensions all = spatial;
  all.push_back(first);
  all.push_back(second);
  Require(static_cast<std::int64_t>(all.size()) == rank,
          "the dimension numbers of the {} are {}, not {}", tensor, all.size(), rank);
  CheckDimensions(tensor, all, rank);
}

void CheckGroups(const Convolution& op, std::span<const TensorType> operands) {
  const std::int64_t batch = SizeAt(operands[0], op.input_batch_dimension);
  const std::int64_t features = SizeAt(operands[0], op.input_feature_dimension);
  const std::int64_t per_group = SizeAt(operands[1], op.kernel_input_feature_dimension);
  const std::int64_t outputs = SizeAt(operands[1], op.kernel_output_feature_dimension);
  const std::int64_t groups = op.feature_group_count;
  Require(groups >= 1 && op.batch_group_count >= 1, "has less than one group");
  Require(groups == 1 || op.batch_group_count == 1, "has groups of features and of batches");
  Require(features == per_group * groups,
          "{} input features are not {} for each of feature_group_count = {}", features, per_group,
          groups);
  Require(outputs % groups == 0, "feature_group_count = {} does not divide {} output features",
          groups, outputs);
  Require(batch % op.batch_group_count == 0 && outputs % op.batch_group_count == 0,
          "batch_group_count = {} does not divide a batch of {} and {} output features",
          op.batch_group_count, batch, outputs);
}

}  // namespace

void CheckDimensions(std::string_view attribute, const Dimensions& dimensions, std::int64_t rank) {
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    Require(0 <= dimensions[i] && dimensions[i] < rank, "{} has {}, of {} dimensions", attribute,
            dimensions[i], rank);
    Require(std::count(dimensions.begin(), dimensions.end(), dimensions[i]) == 1, "{} has {} twice",
            attribute, dimensions[i]);
  }
}

TensorType InferWindow(const ReduceWindow& op, std::span<const TensorType> operands) {
  Require(operands[0].element != ElementType::kPred, "is not defined for i1");
  return {operands[0].element, PoolShape(op, operands[0])};
}

TensorType InferWindow(const SelectAndScatter& op, std::span<const TensorType> operands) {
  const Dimensions ones(operands[0].shape.size(), 1);
  const Shape windows = PoolShape({.body = Reduction::kMaximum,
                                   .window_dimensions = op.window_dimensions,
                                   .window_strides = op.window_strides,
                                   .base_dilations = ones,
                                   .window_dilations = ones,
                                   .padding = op.padding},
                                  operands[0]);
  Require(operands[0].IsFloat() && operands[1] == TensorType{operands[0].element, windows},
          "the second operand is not {}", TypeText({operands[0].element, windows}));
  return operands[0];
}

TensorType InferWindow(const DotGeneral& op, std::span<const TensorType> operands) {
  CheckProduct(operands, op.element);
  const auto check = [&](std::string_view what, const Dimensions& left, const Dimensions& right) {
    Require(left.size() == right.size(), "the operands have {} and {} {} dimensions", left.size(),
            right.size(), what);
    CheckDimensions(what, left, operands[0].Rank());
    CheckDimensions(what, right, operands[1].Rank());
    for (std::size_t i = 0; i < left.size(); ++i) {
      const auto [a, b] = std::pair(SizeAt(operands[0], left[i]), SizeAt(operands[1], right[i]));
      Require(a == b, "{} dimensions {} and {} have sizes {} and {}", what, left[i], right[i], a,
              b);
    }
  };
  check("batching", op.lhs_batching_dimensions, op.rhs_batching_dimensions);
  check("contracting", op.lhs_contracting_dimensions, op.rhs_contracting_dimensions);
  TensorType type = {op.element, {}};
  for (const std::int64_t d : op.lhs_batching_dimensions) {
    type.shape.push_back(SizeAt(operands[0], d));
  }
  const auto append_free = [&](const TensorType& operand, Dimensions used,
                               const Dimensions& contracting) {
    used.insert(used.end(), contracting.begin(), contracting.end());
    CheckDimensions("batching and contracting", used, operand.Rank());
    for (std::int64_t d = 0; d < operand.Rank(); ++d) {
      const bool free = std::find(used.begin(), used.end(), d) == used.end();
      if (free) type.shape.push_back(SizeAt(operand, d));
    }
  };
  append_free(operands[0], op.lhs_batching_dimensions, op.lhs_contracting_dimensions);
  append_free(operands[1], op.rhs_batching_dimensions, op.rhs_contracting_dimensions);
  return type;
}

TensorType InferWindow(const Convolution& op, std::span<const TensorType> operands) {
  CheckProduct(operands, op.element);
  const std::int64_t rank = operands[0].Rank();
  Require(operands[1].Rank() == rank, "the operands' ranks differ");
  CheckRoles("input", op.input_batch_dimension, op.input_feature_dimension,
             op.input_spatial_dimensions, rank);
  CheckRoles("kernel", op.kernel_input_feature_dimension, op.kernel_output_feature_dimension,
             op.kernel_spatial_dimensions, rank);
  CheckRoles("output", op.output_batch_dimension, op.output_feature_dimension,
             op.output_spatial_dimensions, rank);
  const auto spatial = static_cast<std::size_t>(rank - 2);
  CheckWindow("window_strides", op.window_strides, spatial);
  CheckWindow("lhs_dilation", op.lhs_dilation, spatial);
  CheckWindow("rhs_dilation", op.rhs_dilation, spatial);
  Require(op.padding.size() == spatial, "padding has {} pairs, not {}", op.padding.size(), spatial);
  Require(op.window_reversal.size() == spatial, "window_reversal has {} values, not {}",
          op.window_reversal.size(), spatial);
  CheckGroups(op, operands);
  TensorType type = {op.element, Shape(static_cast<std::size_t>(rank))};
  const auto at = [&](std::int64_t d) -> std::int64_t& {
    return type.shape[static_cast<std::size_t>(d)];
  };
  at(op.output_batch_dimension) =
      SizeAt(operands[0], op.input_batch_dimension) / op.batch_group_count;
  at(op.output_feature_dimension) = SizeAt(operands[1], op.kernel_output_feature_dimension);
  for (std::size_t d = 0; d < spatial; ++d) {
    const WindowDimension window = {SizeAt(operands[1], op.kernel_spatial_dimensions[d]),
                                    op.window_strides[d], op.lhs_dilation[d], op.rhs_dilation[d],
                                    op.padding[d]};
    at(op.output_spatial_dimensions[d]) =
        PlacesOf(window, SizeAt(operands[0], op.input_spatial_dimensions[d]), d);
  }
  return type;
}

}  // namespace tpu::tensor
