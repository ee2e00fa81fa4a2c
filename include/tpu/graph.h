// SPDX-License-Identifier: Apache-2.0
// Networks written in code instead of read from a file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tpu/operators.h"
#include "tpu/tensor.h"

namespace tpu {

/// The sizes of a tensor, the outermost dimension first. Images are [batch, height, width,
/// channels].
using Shape = std::vector<std::int64_t>;

/// What a tensor of a Graph is called, and what its elements stand for: an integer q for the real
/// value scale * (q - zero_point).
struct TensorOptions {
  std::string name = {};                   ///< Empty: "t" and a number.
  ElementType type = ElementType::kInt8;   ///< Of each element; Constant takes it from C++.
  float scale = 1.0F;                      ///< The real value of one step of an integer.
  std::int32_t zero_point = 0;             ///< The integer that stands for 0.
  std::vector<float> channel_scales = {};  ///< Weights only: one for each output channel.
};

/// What an operator of a Graph and its result are called, and what the result's elements stand for.
/// What is left open is as the operator's method says, or else as in the operator's first input.
struct Result {
  std::string name = {};                 ///< Of the tensor. Empty: "t" and a number.
  std::string operator_name = {};        ///< In messages and reports. Empty: "op" and a number.
  std::optional<ElementType> type = {};  ///< Of each element.
  std::optional<float> scale = {};       ///< The real value of one step of an integer.
  std::optional<std::int32_t> zero_point = {};  ///< The integer that stands for 0.
  /// FullyConnected, Reduce and Slice: another shape for the same elements. Empty: as the method
  /// says.
  Shape shape = {};
};

/// How a window moves over an image.
struct WindowOptions {
  Extent stride = {};    ///< Pixels from one window to the next, 1 to 255.
  Extent dilation = {};  ///< Pixels from one element of the window to the next, 1 to 255.
  Padding padding = {};  ///< Around the image; 0 to 255 on each side.
  /// Padding as TensorFlow's SAME: as much as makes ceil(size / stride) outputs, the odd row or
  /// column at the bottom or right. `padding` has to be zero then.
  bool same_padding = false;
  Activation activation = Activation::kNone;  ///< Clamps the result.
};

/// A network that grows operator by operator. Each method checks what it is given and throws
/// tpu::Error naming the operator and the tensor; the graph is then as it was before. Operators
/// compute what TensorFlow Lite's operators of the same names compute: on int8 to the bit, on
/// float32 with numbers that are rounded to bfloat16 between operators (docs/arithmetic.md).
/// Activations are int8 or float32 unless a method says more, all of one operator of the same type,
/// which is the result's. Scales and zero points of float32 mean nothing. Operators on float32 need
/// a machine with bf16: HardwareConfig::bf16.
///
/// Model::FromGraph makes a Model of a graph, and Program::Compile a Program of the model.
class Graph {
 public:
  /// A tensor of one graph. Any other graph refuses the tensor.
  class Tensor {
   private:
    friend class Graph;
    Tensor(const void* graph, std::uint32_t id) : graph_(graph), id_(id) {}
    const void* graph_;
    std::uint32_t id_;
  };
  /// The bias of a product; none: zeros.
  using Bias = std::optional<Tensor>;

  Graph();
  ~Graph();
  /// The other graph can only be assigned to or destroyed afterwards. Its tensors are those of this
  /// graph then.
  Graph(Graph&&) noexcept;
  /// Gives up the network that this graph had.
  Graph& operator=(Graph&&) noexcept;

  /// An input of the network.
  Tensor Input(Shape shape, TensorOptions options = {});
  /// Values of the type T that are part of the network, in the order of the shape. Weights for int8
  /// are int8 with zero point 0 and one scale, or one for each output channel, and biases int32.
  /// Weights of FullyConnected with one scale may have any zero point.
  /// Weights and biases for float32 are float32.
  template <typename T>
  Tensor Constant(const Shape& shape, std::span<const T> values, TensorOptions options = {}) {
    options.type = ElementTypeOf<T>::value;
    return AddConstant(shape,
                       {reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()},
                       std::move(options));
  }
  /// Makes a tensor an output of the network. The outputs stand in the order of the calls.
  void Output(Tensor tensor);
  /// What is known of a tensor: its shape, for example.
  [[nodiscard]] TensorInfo Info(Tensor tensor) const;

  // Products.

  /// Input [n, h, w, ic], constant weights [oc, kh, kw, ic / groups], constant bias [oc]. Gives [n,
  /// oh, ow, oc]. Group g makes the output channels from g * oc / groups on from the like share of
  /// the input channels. The bias counts in the input's scale times the weights' scale.
  Tensor Conv2D(Tensor input, Tensor weights, Bias bias, const WindowOptions& window = {},
                const Result& result = {});
  /// Input [n, h, w, c], constant weights [1, kh, kw, c * multiplier], constant bias. Gives [n, oh,
  /// ow, c * multiplier]; channel c makes channels c * multiplier and following.
  Tensor DepthwiseConv2D(Tensor input, Tensor weights, Bias bias, const WindowOptions& window = {},
                         const Result& result = {});
  /// Input [n, h, w, ic], constant weights [oc, kh, kw, ic], constant bias [oc]. Gives images of
  /// `size`, [n, size.h, size.w, oc]: such as a convolution with this window would turn into images
  /// as large as the input's. Input pixel (y, x) adds to the output pixels (y * stride.h + ky -
  /// padding.top, x * stride.w + kx - padding.left). The dilation has to be 1.
  Tensor TransposeConv(Tensor input, Tensor weights, Bias bias, Extent size,
                       const WindowOptions& window = {}, const Result& result = {});
  /// Input flattened to rows of `in` values, constant weights [out, in], constant bias [out]. Gives
  /// [rows, out].
  Tensor FullyConnected(Tensor input, Tensor weights, Bias bias,
                        Activation activation = Activation::kNone, const Result& result = {});

  // Windows and reductions.

  /// Images [n, h, w, c]; gives [n, oh, ow, c] of the input's scale and zero point. A window takes
  /// only what lies in the image, and must not lie in the padding alone. The dilation has to be 1.
  Tensor Pool2D(PoolKind kind, Tensor input, Extent filter, const WindowOptions& window = {},
                const Result& result = {});
  /// Mean or sum over `axes`, counted from 0, or from the end when negative. Gives the input's
  /// shape without those axes, or with those axes 1 (`keep_axes`).
  Tensor Reduce(ReduceKind kind, Tensor input, const std::vector<std::int64_t>& axes,
                bool keep_axes = false, const Result& result = {});

  // Elements by themselves.

  /// Two tensors whose shapes broadcast to each other by numpy's rules. One may be constant.
  Tensor Binary(BinaryKind kind, Tensor first, Tensor second,
                Activation activation = Activation::kNone, const Result& result = {});
  /// A function of one value. kLogistic gives scale 1/256 and zero point -128, kTanh 1/128 and 0;
  /// so on int8.
  Tensor Unary(UnaryKind kind, Tensor input, const Result& result = {});
  /// Values below zero times `alpha`.
  Tensor LeakyRelu(Tensor input, float alpha, const Result& result = {});
  /// Values below zero times constant slopes that broadcast to the input's shape.
  Tensor Prelu(Tensor input, Tensor slopes, const Result& result = {});
  /// Any function of one integer q: table[q & 255]. int8 or uint8.
  Tensor Lookup(Tensor input, const std::array<std::int8_t, 256>& table, const Result& result = {});
  /// From float32, int8, uint8 or int16 to int8, uint8 or int16: int8 when the result says nothing.
  Tensor Quantize(Tensor input, const Result& result = {});
  /// From int8, uint8 or int16 to float32.
  Tensor Dequantize(Tensor input, const Result& result = {});

  /// A function of one value, of float32; kAbsolute and kRsqrt of int8, too.
  Tensor Function(FunctionKind kind, Tensor input, const Result& result = {});
  /// The quotient of two tensors whose shapes broadcast to each other. One may be constant.
  Tensor Divide(Tensor first, Tensor second, Activation activation = Activation::kNone,
                const Result& result = {});
  /// The sum of two or more tensors of one shape and, on int8, one scale and zero point.
  Tensor AddN(std::span<const Tensor> inputs, const Result& result = {});
  /// The square of the difference of two tensors whose shapes broadcast to each other.
  Tensor SquaredDifference(Tensor first, Tensor second, const Result& result = {});
  /// Products of matrices [.., m, k] and [.., k, n], each of them [.., k, m] or [.., n, k] if it is
  /// transposed. What stands before the last two dimensions broadcasts. Gives [.., m, n].
  Tensor BatchMatMul(Tensor first, Tensor second, bool first_transposed = false,
                     bool second_transposed = false, const Result& result = {});

  // Along an axis; the host's processor computes these, Softmax before an operator on float32
  // or, on int8, before one of the device aside.

  /// Over the last axis, with `beta` above 0. Gives scale 1/256 and zero point -128 on int8.
  Tensor Softmax(Tensor input, float beta = 1.0F, const Result& result = {});
  /// int8: each row of the last axis divided by its length. Gives scale 1/128 and zero point 0.
  Tensor L2Normalization(Tensor input, const Result& result = {});
  /// Index of the largest value along `axis`, the first of equals. Gives int32, or int64 if the
  /// result says so, without that axis.
  Tensor ArgMax(Tensor input, std::int64_t axis, const Result& result = {});
  /// The same of the smallest value.
  Tensor ArgMin(Tensor input, std::int64_t axis, const Result& result = {});

  // The same values elsewhere: any type, unless a method says otherwise. Axes count from the end
  // when they are negative.

  /// The same elements under another shape.
  Tensor Reshape(Tensor input, Shape shape, const Result& result = {});
  /// int8, uint8 or float32: so many elements of the integer `fill` before and after each axis.
  /// None: the result's zero point, or 0.0.
  Tensor Pad(Tensor input, const std::vector<std::int64_t>& before,
             const std::vector<std::int64_t>& after, std::optional<std::int64_t> fill = {},
             const Result& result = {});
  /// Tensors of one scale and zero point, one behind the other along `axis`.
  Tensor Concatenation(std::span<const Tensor> inputs, std::int64_t axis,
                       const Result& result = {});
  /// Parts of these sizes along `axis`, which together are the input. As many results as sizes, or
  /// none.
  std::vector<Tensor> Split(Tensor input, std::int64_t axis, const std::vector<std::int64_t>& sizes,
                            std::span<const Result> results = {});
  /// Element i of the result along axis a is element begin[a] + i * stride[a] of the input, for
  /// `size[a]` elements. A stride may be negative; no strides: 1.
  Tensor Slice(Tensor input, const std::vector<std::int64_t>& begin,
               const std::vector<std::int64_t>& size, const std::vector<std::int64_t>& stride = {},
               const Result& result = {});
  /// Tensors of one shape along a new axis.
  Tensor Pack(std::span<const Tensor> inputs, std::int64_t axis, const Result& result = {});
  /// A tensor for each element of `axis`, without that axis. As many results, or none.
  std::vector<Tensor> Unpack(Tensor input, std::int64_t axis, std::span<const Result> results = {});
  /// Axis i of the result is axis permutation[i] of the input.
  Tensor Transpose(Tensor input, const std::vector<std::int64_t>& permutation,
                   const Result& result = {});
  /// Slice i of the result along `axis` is slice indices[i] of the input. With `indices_shape` the
  /// result has those dimensions in place of the axis; empty: one dimension.
  Tensor Gather(Tensor input, std::int64_t axis, const std::vector<std::int64_t>& indices,
                const std::optional<Shape>& indices_shape = {}, const Result& result = {});
  /// int8, uint8 or float32, [n, h, w, c] or [n, w, c]: surrounds the axes between the first and
  /// the last with zero points, and moves the pixels of each block into the batch. One `block`,
  /// `before` and `after` for each of these axes.
  Tensor SpaceToBatch(Tensor input, const std::vector<std::int64_t>& block,
                      const std::vector<std::int64_t>& before,
                      const std::vector<std::int64_t>& after, const Result& result = {});
  /// The reverse; drops `before` and `after` rows and columns.
  Tensor BatchToSpace(Tensor input, const std::vector<std::int64_t>& block,
                      const std::vector<std::int64_t>& before,
                      const std::vector<std::int64_t>& after, const Result& result = {});
  /// [n, h, w, c]: moves the pixels of each block x block into the channels.
  Tensor SpaceToDepth(Tensor input, std::int64_t block, const Result& result = {});
  /// The reverse.
  Tensor DepthToSpace(Tensor input, std::int64_t block, const Result& result = {});
  /// The input multiples[a] times along axis a.
  Tensor Tile(Tensor input, const std::vector<std::int64_t>& multiples, const Result& result = {});
  /// Images [n, h, w, c] to another height and width.
  Tensor Resize(ResizeKind kind, Tensor input, Extent size, bool align_corners = false,
                bool half_pixel_centers = false, const Result& result = {});

 private:
  friend class Model;
  friend struct GraphContents;
  struct State;
  class NewOperator;
  Tensor AddConstant(const Shape& shape, std::span<const std::uint8_t> bytes,
                     TensorOptions options);
  Tensor ArgExtreme(Tensor input, std::int64_t axis, bool smallest, const Result& result);
  Tensor MoveBlocks(Tensor input, const std::vector<std::int64_t>& block,
                    const std::vector<std::int64_t>& before, const std::vector<std::int64_t>& after,
                    bool inverse, const Result& result);
  std::unique_ptr<State> state_;
};

}  // namespace tpu
