// SPDX-License-Identifier: Apache-2.0
// The derivatives of products and windows. docs/training.md derives those of a convolution.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "base/error.h"
#include "tensor/gradient_rule.h"
#include "tensor/window.h"

namespace tpu::tensor {
namespace {

std::size_t Place(std::int64_t dimension) { return static_cast<std::size_t>(dimension); }

bool AllOnes(const Dimensions& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](std::int64_t n) { return n == 1; });
}

// An operand of a product, and the gradient as the other one.
struct Factors {
  ValueId operand;
  ValueId gradient;
};
Factors FactorsOf(GradientRule& rule, std::size_t operand) {
  const ValueId id = rule.node.operands.at(operand);
  return {id, rule.builder.Convert(rule.g, rule.builder.TypeOf(id).element)};
}

// Dimensions that are neither batching nor contracting.
Dimensions FreeDimensions(const TensorType& type, const Dimensions& batching,
                          const Dimensions& contracting) {
  Dimensions free = AllDimensions(type.Rank());
  std::erase_if(free, [&](std::int64_t d) {
    return std::find(batching.begin(), batching.end(), d) != batching.end() ||
           std::find(contracting.begin(), contracting.end(), d) != contracting.end();
  });
  return free;
}

Dimensions CountFrom(std::int64_t first, std::size_t count) {
  Dimensions numbers = AllDimensions(static_cast<std::int64_t>(count));
  for (std::int64_t& n : numbers) n += first;
  return numbers;
}

// The numbers of `other` in the order in which those of `own` ascend.
Dimensions InOrderOf(const Dimensions& own, const Dimensions& other) {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (std::size_t i = 0; i < own.size(); ++i) pairs.emplace_back(own[i], other[i]);
  std::sort(pairs.begin(), pairs.end());
  Dimensions ordered;
  for (const auto& [first, second] : pairs) ordered.push_back(second);
  return ordered;
}

// Brings dimension i of x to place `places[i]`.
ValueId Arrange(Builder& b, ValueId x, const Dimensions& places) {
  Dimensions permutation(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    permutation[Place(places[i])] = static_cast<std::int64_t>(i);
  }
  return b.Transpose(x, permutation);
}

Dimensions Joined(Dimensions a, const Dimensions& b, const Dimensions& c) {
  a.insert(a.end(), b.begin(), b.end());
  a.insert(a.end(), c.begin(), c.end());
  return a;
}

// Moves a factor `groups`, the outer part of dimension `from`, to the outside of dimension `to`.
ValueId MoveGroups(Builder& b, ValueId x, std::int64_t groups, std::int64_t from, std::int64_t to) {
  Shape split = b.ShapeOf(x);
  Shape joined = split;
  joined[Place(from)] /= groups;
  joined[Place(to)] *= groups;
  split[Place(from)] /= groups;
  split.insert(split.begin() + from, groups);
  // Dimension `from` of the split shape has the groups, `from` + 1 what remains.
  Dimensions permutation = AllDimensions(static_cast<std::int64_t>(split.size()));
  permutation.erase(permutation.begin() + from);
  permutation.insert(permutation.begin() + to, from);
  return b.Reshape(b.Transpose(b.Reshape(x, split), permutation), joined);
}

// Gradient of the input: the gradient of the output, spread by the strides, under the kernel in the
// other direction.
void GiveInput(const Convolution& op, GradientRule& rule) {
  Builder& b = rule.builder;
  const Shape input = rule.ShapeOf(0);
  const Shape kernel_shape = rule.ShapeOf(1);
  auto [kernel, gradient] = FactorsOf(rule, 1);
  const std::int64_t groups = op.feature_group_count * op.batch_group_count;
  // A depthwise kernel serves in either direction as it lies.
  const bool depthwise = kernel_shape[Place(op.kernel_input_feature_dimension)] == 1 &&
                         kernel_shape[Place(op.kernel_output_feature_dimension)] == groups;
  if (groups > 1 && !depthwise) {
    kernel = MoveGroups(b, kernel, groups, op.kernel_output_feature_dimension,
                        op.kernel_input_feature_dimension);
  }
  Convolution back = op;
  back.element = ElementType::kF32;
  back.window_strides = op.lhs_dilation;
  back.lhs_dilation = op.window_strides;
  back.window_reversal.flip();
  for (std::size_t d = 0; d < op.padding.size(); ++d) {
    const std::int64_t size = input[Place(op.input_spatial_dimensions[d])];
    const std::int64_t window =
        Dilated(kernel_shape[Place(op.kernel_spatial_dimensions[d])], op.rhs_dilation[d]);
    const std::int64_t spread =
        Dilated(rule.node.type.shape[Place(op.output_spatial_dimensions[d])], op.window_strides[d]);
    const std::int64_t low = window - 1 - op.padding[d][0];
    back.padding[d] = {low, Dilated(size, op.lhs_dilation[d]) - 1 + window - low - spread};
  }
  std::swap(back.input_batch_dimension, back.output_batch_dimension);
  std::swap(back.input_feature_dimension, back.output_feature_dimension);
  std::swap(back.input_spatial_dimensions, back.output_spatial_dimensions);
  if (!depthwise) {
    std::swap(back.kernel_input_feature_dimension, back.kernel_output_feature_dimension);
  }
  back.feature_group_count = groups;
  back.batch_group_count = 1;
  ValueId result = b.Convolution(gradient, kernel, back);
  if (op.batch_group_count > 1) {
    result = MoveGroups(b, result, groups, op.input_feature_dimension, op.input_batch_dimension);
  }
  rule.Give(0, result);
}

// Gradient of the kernel: the input under the gradient of the output. Images are summed, as input
// features are in the convolution itself, and input features stand apart, as images do there.
void GiveKernel(const Convolution& op, GradientRule& rule) {
  Builder& b = rule.builder;
  const Shape input = rule.ShapeOf(0);
  const Shape kernel = rule.ShapeOf(1);
  const auto [x, gradient] = FactorsOf(rule, 0);
  Convolution back = op;
  back.element = ElementType::kF32;
  back.window_strides = op.rhs_dilation;
  back.rhs_dilation = op.window_strides;
  back.window_reversal.assign(op.window_reversal.size(), false);
  Dimensions reversed;
  for (std::size_t d = 0; d < op.padding.size(); ++d) {
    const std::int64_t size = input[Place(op.input_spatial_dimensions[d])];
    const std::int64_t window =
        Dilated(kernel[Place(op.kernel_spatial_dimensions[d])], op.rhs_dilation[d]);
    const std::int64_t spread =
        Dilated(rule.node.type.shape[Place(op.output_spatial_dimensions[d])], op.window_strides[d]);
    const std::int64_t low = op.padding[d][0];
    back.padding[d] = {low, window - 1 + spread - Dilated(size, op.lhs_dilation[d]) - low};
    if (op.window_reversal[d]) reversed.push_back(op.kernel_spatial_dimensions[d]);
  }
  std::swap(back.input_batch_dimension, back.input_feature_dimension);
  back.kernel_input_feature_dimension = op.output_batch_dimension;
  back.kernel_output_feature_dimension = op.output_feature_dimension;
  back.kernel_spatial_dimensions = op.output_spatial_dimensions;
  back.output_batch_dimension = op.kernel_input_feature_dimension;
  back.output_feature_dimension = op.kernel_output_feature_dimension;
  back.output_spatial_dimensions = op.kernel_spatial_dimensions;
  std::swap(back.feature_group_count, back.batch_group_count);
  const ValueId result = b.Convolution(x, gradient, back);
  rule.Give(1, reversed.empty() ? result : b.Reverse(result, reversed));
}

// Each element is added to the windows that it lies in: the sum over those windows.
void GiveSums(const ReduceWindow& op, GradientRule& rule) {
  Builder& b = rule.builder;
  const Shape shape = rule.ShapeOf(0);
  Pad pad = {.edge_padding_low = {}, .edge_padding_high = {}, .interior_padding = {}};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const std::int64_t window = Dilated(op.window_dimensions[d], op.window_dilations[d]);
    const std::int64_t spread = Dilated(rule.node.type.shape[d], op.window_strides[d]);
    const std::int64_t low = window - 1 - op.padding[d][0];
    pad.edge_padding_low.push_back(low);
    pad.edge_padding_high.push_back(Dilated(shape[d], op.base_dilations[d]) - 1 + window - low -
                                    spread);
    pad.interior_padding.push_back(op.window_strides[d] - 1);
  }
  rule.Give(0, b.ReduceWindow(b.Pad(rule.g, 0, pad), {.body = Reduction::kAdd,
                                                      .window_dimensions = op.window_dimensions,
                                                      .window_strides = op.base_dilations,
                                                      .base_dilations = {},
                                                      .window_dilations = op.window_dilations,
                                                      .padding = {}}));
}

}  // namespace

void Differentiate(const ReduceWindow& op, GradientRule& rule) {
  if (op.body == Reduction::kAdd) {
    GiveSums(op, rule);
    return;
  }
  if (!AllOnes(op.window_dilations) || !AllOnes(op.base_dilations)) {
    throw TypeError(
        "reduce_window of a maximum or minimum has no gradient when it is dilated: "
        "select_and_scatter has no dilations");
  }
  Builder& b = rule.builder;
  const ValueId x = rule.Operand(0);
  const bool smallest = op.body == Reduction::kMinimum;
  rule.Give(0, b.SelectAndScatter(smallest ? b.Negate(x) : x, rule.g,
                                  {.window_dimensions = op.window_dimensions,
                                   .window_strides = op.window_strides,
                                   .padding = op.padding}));
}

// Which element a window selects does not change with the operand, so that only the values have a
// gradient: that of the selected place. The window's elements are looked at one after the other.
void Differentiate(const SelectAndScatter& op, GradientRule& rule) {
  if (!rule.Wants(1)) return;
  Builder& b = rule.builder;
  const Shape windows = rule.ShapeOf(1);
  Pad pad = {.edge_padding_low = {},
             .edge_padding_high = {},
             .interior_padding = Dimensions(windows.size(), 0)};
  for (const auto& [low, high] : op.padding) {
    pad.edge_padding_low.push_back(low);
    pad.edge_padding_high.push_back(high);
  }
  constexpr double kLowest = -std::numeric_limits<double>::infinity();
  const ValueId x = b.Pad(rule.Operand(0), kLowest, pad);
  const ValueId g = b.Pad(rule.g, 0, pad);
  ValueId largest = b.Splat({ElementType::kF32, windows}, kLowest);
  ValueId selected = b.Splat({ElementType::kF32, windows}, 0);
  std::int64_t taps = 1;
  for (const std::int64_t size : op.window_dimensions) taps *= size;
  for (std::int64_t tap = 0; tap < taps; ++tap) {
    Dimensions start(windows.size());
    Dimensions limit(windows.size());
    std::int64_t rest = tap;
    for (std::size_t d = windows.size(); d-- > 0;) {
      start[d] = rest % op.window_dimensions[d];
      rest /= op.window_dimensions[d];
      limit[d] = start[d] + Dilated(windows[d], op.window_strides[d]);
    }
    const ValueId candidate = b.Slice(x, start, limit, op.window_strides);
    const ValueId keep = b.Compare(ComparisonDirection::kGe, largest, candidate);
    largest = b.Select(keep, largest, candidate);
    selected = b.Select(keep, selected, b.Slice(g, start, limit, op.window_strides));
  }
  rule.Give(1, selected);
}

// The gradient of one operand is the product of g and the other one, with the dimensions that only
// the other one has contracted.
void Differentiate(const DotGeneral& op, GradientRule& rule) {
  Builder& b = rule.builder;
  const TensorType left = b.TypeOf(rule.node.operands[0]);
  const TensorType right = b.TypeOf(rule.node.operands[1]);
  const Dimensions left_free =
      FreeDimensions(left, op.lhs_batching_dimensions, op.lhs_contracting_dimensions);
  const Dimensions right_free =
      FreeDimensions(right, op.rhs_batching_dimensions, op.rhs_contracting_dimensions);
  const std::size_t batches = op.lhs_batching_dimensions.size();
  const Dimensions batch = CountFrom(0, batches);
  const auto first_left = static_cast<std::int64_t>(batches);
  const auto first_right = first_left + static_cast<std::int64_t>(left_free.size());
  if (rule.Wants(0)) {
    const auto [other, gradient] = FactorsOf(rule, 1);
    const ValueId product =
        b.DotGeneral(gradient, other,
                     {.lhs_batching_dimensions = batch,
                      .rhs_batching_dimensions = op.rhs_batching_dimensions,
                      .lhs_contracting_dimensions = CountFrom(first_right, right_free.size()),
                      .rhs_contracting_dimensions = right_free});
    // The contracted dimensions come last, in the order that they have in the other operand.
    rule.Give(
        0,
        Arrange(b, product,
                Joined(op.lhs_batching_dimensions, left_free,
                       InOrderOf(op.rhs_contracting_dimensions, op.lhs_contracting_dimensions))));
  }
  if (rule.Wants(1)) {
    const auto [other, gradient] = FactorsOf(rule, 0);
    const ValueId product =
        b.DotGeneral(other, gradient,
                     {.lhs_batching_dimensions = op.lhs_batching_dimensions,
                      .rhs_batching_dimensions = batch,
                      .lhs_contracting_dimensions = left_free,
                      .rhs_contracting_dimensions = CountFrom(first_left, left_free.size())});
    rule.Give(
        1, Arrange(b, product,
                   Joined(op.rhs_batching_dimensions,
                          InOrderOf(op.lhs_contracting_dimensions, op.rhs_contracting_dimensions),
                          right_free)));
  }
}

void Differentiate(const Convolution& op, GradientRule& rule) {
  if (rule.Wants(0)) GiveInput(op, rule);
  if (rule.Wants(1)) GiveKernel(op, rule);
}

}  // namespace tpu::tensor
