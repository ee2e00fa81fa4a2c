// A network as the compiler takes it: tensors and operators in the terms of TensorFlow Lite (int8).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tpu::compiler {

using TensorId = std::uint32_t;

/// Quantised tensor: real value = scale * (q - zero_point). Activations are int8 with one scale;
/// weights are int8 with zero point 0 and one scale or one per output channel; biases are int32.
struct Tensor {
  std::string name;
  std::vector<std::int64_t>
      shape;  ///< Row-major; activations [n, h, w, c] or fewer dimensions, channels last.
  float scale = 1.0F;
  std::int32_t zero_point = 0;
  std::vector<float>
      channel_scales;  ///< Weights only: one per output channel; empty: `scale` for all.
  /// Contents, when constant.
  std::variant<std::monostate, std::vector<std::int8_t>, std::vector<std::int32_t>> data;

  [[nodiscard]] bool IsConstant() const { return data.index() != 0; }
  [[nodiscard]] std::int64_t Elements() const;
};

/// Applied by clamping the output.
enum class Activation : std::uint8_t { kNone, kRelu, kRelu6, kReluN1To1 };

/// Rows and columns added around the image; they read as the input's zero point (pooling: not at
/// all).
struct Padding {
  std::int32_t top = 0;
  std::int32_t left = 0;
  std::int32_t bottom = 0;
  std::int32_t right = 0;
};

/// A height and a width.
struct Extent {
  std::int32_t h = 1;
  std::int32_t w = 1;
};

/// Inputs: activations [n,h,w,ic], weights [oc,kh,kw,ic], optional bias [oc].
struct Conv2D {
  Extent stride;
  Extent dilation;
  Padding padding;
  Activation activation = Activation::kNone;
};

/// Inputs: activations [n,h,w,ic], weights [1,kh,kw,ic*multiplier], optional bias. Output channel
/// c*multiplier + m.
struct DepthwiseConv2D {
  Extent stride;
  Extent dilation;
  Padding padding;
  Activation activation = Activation::kNone;
};

/// Inputs: activations, flattened to rows of `in` values, weights [out,in], optional bias [out].
struct FullyConnected {
  Activation activation = Activation::kNone;
};

enum class BinaryKind : std::uint8_t { kAdd, kSub, kMul, kMaximum, kMinimum };

/// Inputs: two tensors of the output's shape, either may be constant. Maximum and minimum work on
/// the raw values: all scales and zero points must be equal.
struct Binary {
  BinaryKind kind = BinaryKind::kAdd;
  Activation activation = Activation::kNone;
};

enum class PoolKind : std::uint8_t { kMax, kAverage };

/// Input: activations; the output has the same scale and zero point. Windows are clipped to the
/// image.
struct Pool2D {
  PoolKind kind = PoolKind::kMax;
  Extent filter;
  Extent stride;
  Padding padding;
  Activation activation = Activation::kNone;
};

/// Any function of one int8: output = table[q & 255].
struct Lookup {
  std::array<std::int8_t, 256> table{};
};

/// The same bytes under another shape.
struct Reshape {};

using Attributes =
    std::variant<Conv2D, DepthwiseConv2D, FullyConnected, Binary, Pool2D, Lookup, Reshape>;

struct Operator {
  std::string name;
  std::vector<TensorId> inputs;
  TensorId output = 0;
  Attributes attributes;
};

/// Operators are in an order in which each tensor is made before it is used.
struct Graph {
  std::vector<Tensor> tensors;
  std::vector<Operator> operators;
  std::vector<TensorId> inputs;
  std::vector<TensorId> outputs;

  TensorId AddTensor(Tensor tensor) {
    tensors.push_back(std::move(tensor));
    return static_cast<TensorId>(tensors.size() - 1);
  }
};

/// TensorFlow Lite's name of the operator, e.g. "CONV_2D".
std::string_view OperatorName(const Attributes& attributes);

/// TensorFlow Lite's padding. SAME: as much as makes ceil(in / stride) outputs, the odd row or
/// column at the bottom or right.
Padding SamePadding(Extent input, Extent filter, Extent stride, Extent dilation = {});

/// Output height and width of a window moved over a padded input.
Extent WindowOutput(Extent input, Extent filter, Extent stride, Extent dilation,
                    const Padding& padding);

}  // namespace tpu::compiler
