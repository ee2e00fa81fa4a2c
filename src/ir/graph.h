// SPDX-License-Identifier: Apache-2.0
// A network as the compiler takes it: tensors and operators in the terms of TensorFlow Lite.
// More than 400 lines: all operators stand in one list.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "arithmetic/multiplier.h"
#include "host_operators/host_operators.h"
#include "ir/copy_operators.h"
#include "ir/training_operators.h"
#include "tpu/operators.h"
#include "tpu/tensor.h"

namespace tpu::ir {

using TensorId = std::uint32_t;

// What the operators of a graph have in common with those of the public headers.
using tpu::Activation;
using tpu::BinaryKind;
using tpu::FunctionKind;
using tpu::PoolKind;
using tpu::ReduceKind;
using tpu::ResizeKind;
using tpu::UnaryKind;

/// Quantised tensor (int8, uint8, int16, and int32 where it is no index): real value = scale *
/// (q - zero_point). Activations have one scale; weights are int8 with zero point 0 and one scale
/// or one per output channel, those of FullyConnected with one scale have any zero point; biases
/// are int32, of int16 activations int64. Scale and zero point mean nothing for float32, int64 and
/// bool.
struct Tensor {
  std::string name;
  ElementType type = ElementType::kInt8;
  Shape shape;  ///< Row-major; activations [n, h, w, c] or fewer dimensions, channels last.
  float scale = 1.0F;
  std::int32_t zero_point = 0;
  std::vector<float>
      channel_scales;  ///< Weights only: one per output channel; empty: `scale` for all.
  /// Contents, when constant: values of `type`; bool as uint8 of 0 or 1.
  std::variant<std::monostate, std::vector<std::int8_t>, std::vector<std::uint8_t>,
               std::vector<std::int16_t>, std::vector<std::int32_t>, std::vector<std::int64_t>,
               std::vector<std::uint32_t>, std::vector<std::uint64_t>, std::vector<float>,
               std::vector<Bfloat16>>
      data;

  [[nodiscard]] bool IsConstant() const { return data.index() != 0; }
  [[nodiscard]] std::int64_t Elements() const;
  /// Number of values in `data`; 0 when it is no constant.
  [[nodiscard]] std::size_t DataElements() const;
  /// Whether `data` holds values of `type`.
  [[nodiscard]] bool DataHasType() const;
  /// The contents as they lie in memory (little-endian); empty when it is no constant.
  [[nodiscard]] std::span<const std::uint8_t> DataBytes() const;
};

/// Inputs: activations [n,h,w,ic], weights [oc,kh,kw,ic/groups], optional bias [oc]. Group g makes
/// the output channels [g*oc/groups, (g+1)*oc/groups) from the like share of the input channels.
struct Conv2D {
  Extent stride;
  Extent dilation;
  Padding padding;
  Activation activation = Activation::kNone;
  /// The weights are [ic,kh,kw,oc], rows and columns counted from the other end: what the gradient
  /// of a convolution's input is made with. Only of weights that are no constant.
  bool turned = false;
  Taps taps = {};  ///< Those that count. Only of weights that are no constant.
};

/// Inputs: activations [n,h,w,ic], weights [1,kh,kw,ic*multiplier], optional bias. Output channel
/// c*multiplier + m.
struct DepthwiseConv2D {
  Extent stride;
  Extent dilation;
  Padding padding;
  Activation activation = Activation::kNone;
  bool turned = false;  ///< As that of Conv2D, and so is `taps`.
  Taps taps = {};
};

/// Inputs: activations [n,h,w,ic], weights [oc,kh,kw,ic], optional bias [oc]. Input pixel (y, x)
/// adds to output pixels (y*stride.h + ky - padding.top, x*stride.w + kx - padding.left); what
/// falls outside the output is dropped.
struct TransposeConv {
  Extent stride;
  Padding padding;
  Activation activation = Activation::kNone;
};

/// Inputs: activations, flattened to rows of `in` values, weights [out,in], optional bias [out].
struct FullyConnected {
  Activation activation = Activation::kNone;
  /// What sums of products are multiplied by, one for each output; none: what the scales make.
  std::vector<arithmetic::Multiplier> factors = {};
};

/// A long short-term memory over all time steps, from the state that the last run left. Inputs:
/// activations [batch, time, in] or, `time_major`, [time, batch, in], int8 or int16; int8 weights
/// [cells, in] of the gates input, forget, cell, output; recurrent weights [cells, cells] of these;
/// their biases [cells]; hidden state [batch, cells] of the activations' type; cell state [batch,
/// cells], int16 with a power of two for its scale. Outputs: the hidden states of all steps, and
/// both states behind the last one.
struct Lstm {
  static constexpr std::size_t kGates = 4;
  bool time_major = false;
  double cell_clip = 0;  ///< Largest magnitude of the cell state; 0: none.
  bool tanh = true;      ///< The cell gate's function; else LOGISTIC.
};

/// Singular value decomposition filter. Inputs: int8 [batch, in]; int8 weights of the features
/// [filters, in]; weights of the time [filters, memory], int8 or int16; optional int32 bias
/// [units]; state [batch, filters * memory]. `rank` neighbouring filters make one unit. Outputs:
/// int8 [batch, units], and the new state.
struct Svdf {
  std::int64_t rank = 1;
};

/// Inputs: two tensors whose shapes broadcast to the output's (numpy's rules), either may be
/// constant. Maximum and minimum work on the raw values: all scales and zero points must be equal.
struct Binary {
  BinaryKind kind = BinaryKind::kAdd;
  Activation activation = Activation::kNone;
};

/// Input: activations; the output has the same scale and zero point. Windows are clipped to the
/// image.
struct Pool2D {
  PoolKind kind = PoolKind::kMax;
  Extent filter;
  Extent stride;
  Padding padding;
  Activation activation = Activation::kNone;
};

/// One operation of IVECTOR on each element (docs/isa.md, 11.3), on int8, int16 and int32. Scales
/// and zero points of the tensors mean nothing to it. Made by legalisation:
///   output = clamp(round((map(x, y) + bias) * factor) + zero)
/// x is input 0, y is `constant` or else input 1.
struct IntegerMap {
  /// kJoin and kJoinNegative: 2^14 x + 2^low_shift y' and 2^14 x - 2^low_shift y', of 48 bits,
  /// where y' is the lower 16 bits of y, signed.
  enum class Kind : std::uint8_t {
    kCopy,
    kAdd,
    kSub,
    kMul,
    kMaximum,
    kMinimum,
    kJoin,
    kJoinNegative
  };
  /// Not at all, as the network's other operators, or once, halves towards plus infinity.
  /// kProduct: the last input, from 0 to 2^31, is the factor, in 2^31sts, rounded half up.
  /// kWide: of 48 bits, as TensorFlow Lite rounds integers of 64 bits; of a power of two half up.
  enum class Rounds : std::uint8_t { kNot, kAsNetwork, kHalfUp, kProduct, kWide };
  Kind kind = Kind::kCopy;
  std::optional<std::int32_t> constant;
  int low_shift = 0;  ///< Up to 14.
  std::int32_t bias = 0;
  Rounds rounds = Rounds::kNot;  ///< kNot: `factor` is 1.
  arithmetic::Multiplier factor;
  std::int32_t zero = 0;
  std::int32_t lo = -32768;  ///< Of int8 and int16.
  std::int32_t hi = 32767;
};

/// Sums over height and width of int8, int16 or int32 [n, h, w, c], with an int32 bias [c] as input
/// 1 if there is one, and then as IntegerMap: clamp(round((sum + bias) * factor) + zero). Made by
/// legalisation.
struct IntegerSum {
  arithmetic::Multiplier factor;
  std::int32_t zero = 0;
  std::int32_t lo = 0;
  std::int32_t hi = 0;
};

/// A table of 32 bits: table[(x + 128) & 255] of int8, int16 or int32 x as int32, or clamped to
/// int8 when the output is int8. Input 1, if there is one, has a parameter entry of 9 N bytes for
/// each image row, of which all lanes take lane 0's parameters; the output is then int8:
/// clamp(round((table[x + 128] + bias) * multiplier) + zero). Made by legalisation.
struct WideLookup {
  std::array<std::int32_t, 256> table{};
  std::int32_t zero = 0;
};

/// Any function of one int8: output = table[q & 255].
struct Lookup {
  std::array<std::int8_t, 256> table{};
};

/// Input: activations; the output may have another scale and zero point.
struct Unary {
  UnaryKind kind = UnaryKind::kRelu;
};

/// On float32; kAbsolute and kRsqrt on int8, too.
struct Function {
  FunctionKind kind = FunctionKind::kNegate;
};

/// Inputs: two tensors whose shapes broadcast to the output's.
struct Divide {
  Activation activation = Activation::kNone;
};

/// The square of the difference of two tensors, which are as those of Divide.
struct SquaredDifference {};

/// The sum of two or more tensors of one shape, scale and zero point. On int8 as TensorFlow Lite
/// Micro adds: the inputs' zero point is subtracted once more than there are inputs.
struct AddN {};

/// Each row of the last axis divided by its length. Of int8 alone; the output has scale 1/128 and
/// zero point 0.
struct L2Normalization {};

/// Inputs: matrices [.., m, k] and [.., k, n], each of them `transposed` or not, whose dimensions
/// before the last two broadcast.
struct BatchMatMul {
  std::array<bool, 2> transposed = {false, false};
};

/// Inputs: matrices [p, 1, m, k] and [p, 1, k, n] or, `transposed`, [p, 1, n, k]; optional float32
/// bias [n]. Made by legalisation.
struct MatMul {
  bool transposed = false;
  /// Of int8 alone: the second factor is [p * blocks of n, 1, k, N], both rounded up to whole
  /// blocks of N, with zeros behind the last row: N x N weight tiles in the array's order.
  bool tiled = false;
};

struct LeakyRelu {
  float alpha = 0.0F;
};

/// Inputs: activations, constant slopes for negative values that broadcast to the output's shape.
struct Prelu {};

/// From float32 or an integer type to an integer type of another scale, zero point or width.
struct Quantize {};

/// To float32.
struct Dequantize {};

/// The same real value in another format, to the nearest: between float32, bfloat16 and int8. Made
/// by passes of the compiler.
struct Convert {};

/// Over the last axis.
struct Softmax {
  float beta = 1.0F;
};

/// Over `axes`, which are ascending and count from 0. The output's shape is the input's with those
/// axes 1 or left out, which makes no difference to the bytes.
struct Reduce {
  ReduceKind kind = ReduceKind::kMean;
  std::vector<std::int64_t> axes;
};

/// Index of the largest (or smallest) value along `axis`, the first of equals; the output, int32 or
/// int64, lacks that axis.
struct ArgMax {
  std::int64_t axis = 0;
  bool smallest = false;
};

/// The same bytes under another shape: RESHAPE, SQUEEZE, EXPAND_DIMS.
struct Reshape {};

/// Elements put before and after each axis of the input, all with the raw value `fill`.
struct Pad {
  std::vector<std::int64_t> before;
  std::vector<std::int64_t> after;
  std::int64_t fill = 0;
};

/// Any number of inputs, one after the other along `axis`, copied as they are.
struct Concatenation {
  std::int64_t axis = 0;
  Activation activation = Activation::kNone;
};

/// Several outputs that lie one after the other along `axis` of the input: SPLIT, SPLIT_V.
struct SplitAxis {
  std::int64_t axis = 0;
};

/// Element i of the output's axis a is element begin[a] + i*stride[a] of the input's: SLICE,
/// STRIDED_SLICE. All of the input's rank; the output may lack axes of size 1, which makes no
/// difference to the bytes. A stride may be negative.
struct Slice {
  std::vector<std::int64_t> begin;
  std::vector<std::int64_t> size;
  std::vector<std::int64_t> stride;
};

/// Inputs of one shape become the new axis `axis` of the output.
struct Pack {
  std::int64_t axis = 0;
};

/// One output for each element of `axis`, without that axis.
struct Unpack {
  std::int64_t axis = 0;
};

/// Axis i of the output is axis permutation[i] of the input.
struct Transpose {
  std::vector<std::int64_t> permutation;
};

/// Slice i of the output along `axis` is slice indices[i] of the input. When the indices have
/// several dimensions, so has the output in place of `axis`. `axes` neighbouring axes from `axis`
/// on count as one.
struct Gather {
  std::int64_t axis = 0;
  std::vector<std::int64_t> indices;
  std::int64_t axes = 1;
};

/// Blocks of pixels into the batch, element [n, y, x, c] of the image, counted from `before` rows
/// and columns outside of it, to [(y % block[0] * block[1] + x % block[1]) * batch + n, y /
/// block[0], x / block[1], c]; or back (`inverse`). [n, width, c] has one column.
struct SpaceToBatch {
  std::array<std::int64_t, 2> block = {1, 1};
  std::array<std::int64_t, 2> before = {0, 0};
  bool inverse = false;
};

/// Blocks of block x block pixels into the channels, those of one pixel together; or back
/// (`inverse`).
struct SpaceToDepth {
  std::int64_t block = 1;
  bool inverse = false;
};

/// TILE: the input multiples[i] times along axis i.
struct Replicate {
  std::vector<std::int64_t> multiples;
};

/// [n,h,w,c] to another height and width.
struct Resize {
  ResizeKind kind = ResizeKind::kNearest;
  bool align_corners = false;
  bool half_pixel_centers = false;
};

/// Operations on elements, one after the other on the same elements of all tensors, which are
/// equally many. Made by legalisation.
struct Chain {
  using Operation = std::variant<Map, Scale, Function, Unary, Convert>;
  /// An input of the operator, or the result of a step before.
  struct Operand {
    bool of_step = false;
    std::size_t index = 0;
  };
  struct Step {
    Operation operation;
    std::vector<Operand> operands;
    ElementType type = ElementType::kFloat32;  ///< Of the result.
  };
  std::vector<Step> steps;
  std::vector<std::size_t> results;  ///< The steps whose results are the operator's outputs.
};

/// An operator that the host runs, whatever the machine.
struct HostOperator {
  host_operators::Attributes attributes;
};

struct Graph;

/// The host chooses one of two graphs. Inputs: a condition, bool of one element, and then the
/// inputs of both graphs. Outputs: those of the chosen one. Bytes go over as they are: scales and
/// zero points inside of the graphs are their own.
struct If {
  std::shared_ptr<const Graph> then_graph;
  std::shared_ptr<const Graph> else_graph;
};

/// A loop that the host ends. Inputs: the first values. As long as `condition` makes a true one of
/// the values, bool of one element, `body` makes the next values. Outputs: the last ones. Bytes go
/// over as in If.
struct While {
  std::shared_ptr<const Graph> condition;
  std::shared_ptr<const Graph> body;
};

/// Strided copies from the inputs that together make the whole output; where they overlap, the last
/// one counts. Made by legalisation of all that only moves data.
struct Move {
  struct Loop {
    std::int64_t count = 1;
    std::int64_t from_stride = 0;
    std::int64_t to_stride = 0;
  };
  /// One element at the middle of loops, outermost first. Positions and strides in elements.
  struct Copy {
    std::size_t input = 0;
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::vector<Loop> loops;
  };
  std::vector<Copy> copies;
};

using Attributes =
    std::variant<Conv2D, DepthwiseConv2D, TransposeConv, FullyConnected, Lstm, Svdf, Binary, Pool2D,
                 IntegerMap, IntegerSum, WideLookup, Lookup, Unary, Function, Divide,
                 SquaredDifference, AddN, L2Normalization, BatchMatMul, MatMul, Map, Scale,
                 ConvWeightGradient, Adam, Chain, LeakyRelu, Prelu, Quantize, Dequantize, Convert,
                 Softmax, Reduce, ArgMax, Reshape, Pad, Concatenation, SplitAxis, Slice, Pack,
                 Unpack, Transpose, Gather, SpaceToBatch, SpaceToDepth, Replicate, Resize,
                 MirrorPad, BroadcastTo, UpdateSlice, HostOperator, If, While, Move>;

/// Whether the attributes are those of one of these operators.
template <typename... Ops>
bool HoldsAnyOf(const Attributes& attributes) {
  return (std::holds_alternative<Ops>(attributes) || ...);
}

/// A table applied to an operator's output, made by legalisation.
struct FusedLookup {
  Lookup lookup;
  TensorId before = 0;  ///< Has the scale and zero point of the values that are looked up.
};

/// A function of floating-point outputs, made by legalisation.
using FusedFunction = std::variant<UnaryKind, FunctionKind>;

struct Operator {
  std::string name;
  std::vector<TensorId> inputs;
  std::vector<TensorId> outputs;  ///< One; some operators have several.
  Attributes attributes;
  /// The operator of the model that an operator made by legalisation stands for, and that
  /// operator's multiply-accumulates. Empty and none: the operator stands for itself.
  std::string origin = {};
  std::optional<std::uint64_t> macs = {};
  std::optional<FusedLookup> fused = {};
  std::optional<FusedFunction> function = {};  ///< Behind an operator without activation.
};

/// An output of the graph that takes the place of one of its inputs in memory. Nothing reads the
/// input behind the operator that makes the output.
struct InPlace {
  TensorId output = 0;
  TensorId input = 0;
};

/// A tensor that a run takes over from the run before: `before` has no maker, and the next run's
/// `before` is what `after` is at the end of this run.
struct State {
  TensorId before = 0;
  TensorId after = 0;
  std::vector<std::uint8_t> initial;  ///< The bytes of `before` in the first run.
};

/// Operators are in an order in which each tensor is made before it is used.
struct Graph {
  std::vector<Tensor> tensors;
  std::vector<Operator> operators;
  std::vector<TensorId> inputs;
  std::vector<TensorId> outputs;
  std::vector<InPlace> in_place = {};
  std::vector<State> states = {};
  bool of_onnx = false;  ///< Rounding float is ONNX Runtime's instead of XNNPACK's.

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

}  // namespace tpu::ir
