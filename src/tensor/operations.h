// SPDX-License-Identifier: Apache-2.0
// The operations of the tensor language. Names, attributes and meaning are those of StableHLO; what
// differs stands beside the operation. docs/training.md has the table.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tpu::tensor {

/// As in "f32". A pred is StableHLO's i1, an s32 its i32.
enum class ElementType : std::uint8_t { kF32, kBf16, kS32, kPred };

/// Sizes of a tensor's dimensions; empty: a scalar.
using Shape = std::vector<std::int64_t>;
/// Numbers of dimensions, or one number for each dimension.
using Dimensions = std::vector<std::int64_t>;
/// For each dimension of a window, what is added before and behind; negative: what is left out.
using Padding = std::vector<std::array<std::int64_t, 2>>;

struct TensorType {
  ElementType element = ElementType::kF32;
  Shape shape;

  [[nodiscard]] std::int64_t Elements() const;
  [[nodiscard]] std::int64_t Rank() const { return static_cast<std::int64_t>(shape.size()); }
  [[nodiscard]] bool IsFloat() const {
    return element == ElementType::kF32 || element == ElementType::kBf16;
  }
  bool operator==(const TensorType&) const = default;
};

/// What a reduction makes of two elements: StableHLO's body, which is any function there. Its
/// init_value is the one that changes nothing.
enum class Reduction : std::uint8_t { kAdd, kMaximum, kMinimum };

enum class ComparisonDirection : std::uint8_t { kEq, kNe, kGe, kGt, kLe, kLt };

// ---- Values from outside

/// An argument of StableHLO's function.
struct Input {
  static constexpr std::string_view kName = "input";
  std::string name;
  TensorType type;
  bool operator==(const Input&) const = default;
};

/// One value for each element, or a single one for all of them.
struct Constant {
  static constexpr std::string_view kName = "constant";
  TensorType type;
  std::vector<double> values;
  [[nodiscard]] bool IsSplat() const { return values.size() == 1; }
  bool operator==(const Constant&) const = default;
};

/// Each element is its index along a dimension.
struct Iota {
  static constexpr std::string_view kName = "iota";
  TensorType type;
  std::int64_t iota_dimension = 0;
  bool operator==(const Iota&) const = default;
};

// ---- Functions of one element

struct Abs {
  static constexpr std::string_view kName = "abs";
  bool operator==(const Abs&) const = default;
};
struct Exponential {
  static constexpr std::string_view kName = "exponential";
  bool operator==(const Exponential&) const = default;
};
struct Log {
  static constexpr std::string_view kName = "log";
  bool operator==(const Log&) const = default;
};
struct Logistic {
  static constexpr std::string_view kName = "logistic";
  bool operator==(const Logistic&) const = default;
};
struct Negate {
  static constexpr std::string_view kName = "negate";
  bool operator==(const Negate&) const = default;
};
struct Rsqrt {
  static constexpr std::string_view kName = "rsqrt";
  bool operator==(const Rsqrt&) const = default;
};
struct Sqrt {
  static constexpr std::string_view kName = "sqrt";
  bool operator==(const Sqrt&) const = default;
};
struct Tanh {
  static constexpr std::string_view kName = "tanh";
  bool operator==(const Tanh&) const = default;
};
/// The same value, through which no gradient passes. Not in StableHLO; JAX's lax.stop_gradient.
struct StopGradient {
  static constexpr std::string_view kName = "stop_gradient";
  bool operator==(const StopGradient&) const = default;
};
/// To another type of elements.
struct Convert {
  static constexpr std::string_view kName = "convert";
  ElementType element = ElementType::kF32;
  bool operator==(const Convert&) const = default;
};

// ---- Functions of two elements

struct Add {
  static constexpr std::string_view kName = "add";
  bool operator==(const Add&) const = default;
};
struct Subtract {
  static constexpr std::string_view kName = "subtract";
  bool operator==(const Subtract&) const = default;
};
struct Multiply {
  static constexpr std::string_view kName = "multiply";
  bool operator==(const Multiply&) const = default;
};
struct Divide {
  static constexpr std::string_view kName = "divide";
  bool operator==(const Divide&) const = default;
};
struct Maximum {
  static constexpr std::string_view kName = "maximum";
  bool operator==(const Maximum&) const = default;
};
struct Minimum {
  static constexpr std::string_view kName = "minimum";
  bool operator==(const Minimum&) const = default;
};
struct Compare {
  static constexpr std::string_view kName = "compare";
  ComparisonDirection comparison_direction = ComparisonDirection::kEq;
  bool operator==(const Compare&) const = default;
};

/// Operands: pred, on_true, on_false, of one shape.
struct Select {
  static constexpr std::string_view kName = "select";
  bool operator==(const Select&) const = default;
};

// ---- Other shapes of the same elements

/// Dimension d of the operand, of the result's size or 1, becomes broadcast_dimensions[d].
struct BroadcastInDim {
  static constexpr std::string_view kName = "broadcast_in_dim";
  Shape shape;
  Dimensions broadcast_dimensions;
  bool operator==(const BroadcastInDim&) const = default;
};
struct Reshape {
  static constexpr std::string_view kName = "reshape";
  Shape shape;
  bool operator==(const Reshape&) const = default;
};
/// Dimension d of the result is permutation[d] of the operand.
struct Transpose {
  static constexpr std::string_view kName = "transpose";
  Dimensions permutation;
  bool operator==(const Transpose&) const = default;
};
struct Reverse {
  static constexpr std::string_view kName = "reverse";
  Dimensions dimensions;
  bool operator==(const Reverse&) const = default;
};
struct Slice {
  static constexpr std::string_view kName = "slice";
  Dimensions start_indices;
  Dimensions limit_indices;
  Dimensions strides;
  bool operator==(const Slice&) const = default;
};
/// Operands: a tensor, the scalar that stands where no element of it does.
struct Pad {
  static constexpr std::string_view kName = "pad";
  Dimensions edge_padding_low;
  Dimensions edge_padding_high;
  Dimensions interior_padding;
  bool operator==(const Pad&) const = default;
};
struct Concatenate {
  static constexpr std::string_view kName = "concatenate";
  std::int64_t dimension = 0;
  bool operator==(const Concatenate&) const = default;
};

// ---- Sums, windows, products

struct Reduce {
  static constexpr std::string_view kName = "reduce";
  Reduction body = Reduction::kAdd;
  Dimensions dimensions;
  bool operator==(const Reduce&) const = default;
};
struct ReduceWindow {
  static constexpr std::string_view kName = "reduce_window";
  Reduction body = Reduction::kAdd;
  Dimensions window_dimensions;
  Dimensions window_strides;
  Dimensions base_dilations;
  Dimensions window_dilations;
  Padding padding;
  bool operator==(const ReduceWindow&) const = default;
};
/// Operands: a tensor, and one value for each of its windows. Each value is added to where the
/// window's first largest element lies: `select` compares with GE, `scatter` adds, init_value is 0.
struct SelectAndScatter {
  static constexpr std::string_view kName = "select_and_scatter";
  Dimensions window_dimensions;
  Dimensions window_strides;
  Padding padding;
  bool operator==(const SelectAndScatter&) const = default;
};
/// The result's dimensions: batching, free ones of the left operand, free ones of the right.
struct DotGeneral {
  static constexpr std::string_view kName = "dot_general";
  Dimensions lhs_batching_dimensions;
  Dimensions rhs_batching_dimensions;
  Dimensions lhs_contracting_dimensions;
  Dimensions rhs_contracting_dimensions;
  ElementType element = ElementType::kF32;  ///< Of the result and of the sums.
  bool operator==(const DotGeneral&) const = default;
};
struct Convolution {
  static constexpr std::string_view kName = "convolution";
  Dimensions window_strides;
  Padding padding;
  Dimensions lhs_dilation;
  Dimensions rhs_dilation;
  std::vector<bool> window_reversal;
  std::int64_t input_batch_dimension = 0;
  std::int64_t input_feature_dimension = 0;
  Dimensions input_spatial_dimensions;
  std::int64_t kernel_input_feature_dimension = 0;
  std::int64_t kernel_output_feature_dimension = 0;
  Dimensions kernel_spatial_dimensions;
  std::int64_t output_batch_dimension = 0;
  std::int64_t output_feature_dimension = 0;
  Dimensions output_spatial_dimensions;
  std::int64_t feature_group_count = 1;
  std::int64_t batch_group_count = 1;
  ElementType element = ElementType::kF32;  ///< Of the result and of the sums.
  bool operator==(const Convolution&) const = default;
};

using Operation =
    std::variant<Input, Constant, Iota, Abs, Exponential, Log, Logistic, Negate, Rsqrt, Sqrt, Tanh,
                 StopGradient, Convert, Add, Subtract, Multiply, Divide, Maximum, Minimum, Compare,
                 Select, BroadcastInDim, Reshape, Transpose, Reverse, Slice, Pad, Concatenate,
                 Reduce, ReduceWindow, SelectAndScatter, DotGeneral, Convolution>;

template <typename Op, typename... Ops>
concept OneOf = (std::same_as<Op, Ops> || ...);
/// Of one float, and the same type again.
template <typename Op>
concept UnaryOperation =
    OneOf<Op, Abs, Exponential, Log, Logistic, Negate, Rsqrt, Sqrt, Tanh, StopGradient>;
/// Of two elements of one type, and that type again.
template <typename Op>
concept BinaryOperation = OneOf<Op, Add, Subtract, Multiply, Divide, Maximum, Minimum>;

/// StableHLO's name, e.g. "dot_general".
inline std::string_view NameOf(const Operation& operation) {
  return std::visit([](const auto& op) { return op.kName; }, operation);
}

}  // namespace tpu::tensor
