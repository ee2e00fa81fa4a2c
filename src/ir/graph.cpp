// SPDX-License-Identifier: Apache-2.0
#include "ir/graph.h"

#include <algorithm>
#include <type_traits>

namespace tpu::ir {
namespace {

std::string_view BinaryName(BinaryKind kind) {
  switch (kind) {
    case BinaryKind::kAdd:
      return "ADD";
    case BinaryKind::kSub:
      return "SUB";
    case BinaryKind::kMul:
      return "MUL";
    case BinaryKind::kMaximum:
      return "MAXIMUM";
    case BinaryKind::kMinimum:
      return "MINIMUM";
  }
  return "?";
}

std::string_view UnaryName(UnaryKind kind) {
  switch (kind) {
    case UnaryKind::kRelu:
      return "RELU";
    case UnaryKind::kRelu6:
      return "RELU6";
    case UnaryKind::kReluN1To1:
      return "RELU_N1_TO_1";
    case UnaryKind::kLogistic:
      return "LOGISTIC";
    case UnaryKind::kTanh:
      return "TANH";
    case UnaryKind::kHardSwish:
      return "HARD_SWISH";
    case UnaryKind::kElu:
      return "ELU";
  }
  return "?";
}

std::string_view FunctionName(FunctionKind kind) {
  switch (kind) {
    case FunctionKind::kNegate:
      return "NEG";
    case FunctionKind::kAbsolute:
      return "ABS";
    case FunctionKind::kExp:
      return "EXP";
    case FunctionKind::kLog:
      return "LOG";
    case FunctionKind::kReciprocal:
      return "RECIPROCAL";
    case FunctionKind::kRsqrt:
      return "RSQRT";
    case FunctionKind::kSqrt:
      return "SQRT";
    case FunctionKind::kSquare:
      return "SQUARE";
  }
  return "?";
}

struct NameVisitor {
  std::string_view operator()(const Conv2D&) const { return "CONV_2D"; }
  std::string_view operator()(const DepthwiseConv2D&) const { return "DEPTHWISE_CONV_2D"; }
  std::string_view operator()(const TransposeConv&) const { return "TRANSPOSE_CONV"; }
  std::string_view operator()(const FullyConnected&) const { return "FULLY_CONNECTED"; }
  std::string_view operator()(const Lstm&) const { return "UNIDIRECTIONAL_SEQUENCE_LSTM"; }
  std::string_view operator()(const Svdf&) const { return "SVDF"; }
  std::string_view operator()(const Binary& op) const { return BinaryName(op.kind); }
  std::string_view operator()(const Pool2D& op) const {
    return op.kind == PoolKind::kMax ? "MAX_POOL_2D" : "AVERAGE_POOL_2D";
  }
  std::string_view operator()(const IntegerMap&) const { return "INTEGER_MAP"; }
  std::string_view operator()(const IntegerSum&) const { return "INTEGER_SUM"; }
  std::string_view operator()(const WideLookup&) const { return "WIDE_LOOKUP"; }
  std::string_view operator()(const Lookup&) const { return "LOOKUP"; }
  std::string_view operator()(const Unary& op) const { return UnaryName(op.kind); }
  std::string_view operator()(const Function& op) const { return FunctionName(op.kind); }
  std::string_view operator()(const Divide&) const { return "DIV"; }
  std::string_view operator()(const SquaredDifference&) const { return "SQUARED_DIFFERENCE"; }
  std::string_view operator()(const AddN&) const { return "ADD_N"; }
  std::string_view operator()(const L2Normalization&) const { return "L2_NORMALIZATION"; }
  std::string_view operator()(const BatchMatMul&) const { return "BATCH_MATMUL"; }
  std::string_view operator()(const MatMul&) const { return "MATMUL"; }
  std::string_view operator()(const Map&) const { return "MAP"; }
  std::string_view operator()(const Scale&) const { return "SCALE"; }
  std::string_view operator()(const Adam&) const { return "ADAM"; }
  std::string_view operator()(const Chain&) const { return "CHAIN"; }
  std::string_view operator()(const ConvWeightGradient&) const { return "CONV_WEIGHT_GRADIENT"; }
  std::string_view operator()(const LeakyRelu&) const { return "LEAKY_RELU"; }
  std::string_view operator()(const Prelu&) const { return "PRELU"; }
  std::string_view operator()(const Quantize&) const { return "QUANTIZE"; }
  std::string_view operator()(const Dequantize&) const { return "DEQUANTIZE"; }
  std::string_view operator()(const Convert&) const { return "CONVERT"; }
  std::string_view operator()(const Softmax&) const { return "SOFTMAX"; }
  std::string_view operator()(const Reduce& op) const {
    return op.kind == ReduceKind::kMean ? "MEAN" : "SUM";
  }
  std::string_view operator()(const ArgMax& op) const {
    return op.smallest ? "ARG_MIN" : "ARG_MAX";
  }
  std::string_view operator()(const Reshape&) const { return "RESHAPE"; }
  std::string_view operator()(const Pad&) const { return "PAD"; }
  std::string_view operator()(const Concatenation&) const { return "CONCATENATION"; }
  std::string_view operator()(const SplitAxis&) const { return "SPLIT"; }
  std::string_view operator()(const Slice&) const { return "STRIDED_SLICE"; }
  std::string_view operator()(const Pack&) const { return "PACK"; }
  std::string_view operator()(const Unpack&) const { return "UNPACK"; }
  std::string_view operator()(const Transpose&) const { return "TRANSPOSE"; }
  std::string_view operator()(const Gather&) const { return "GATHER"; }
  std::string_view operator()(const SpaceToBatch& op) const {
    return op.inverse ? "BATCH_TO_SPACE_ND" : "SPACE_TO_BATCH_ND";
  }
  std::string_view operator()(const SpaceToDepth& op) const {
    return op.inverse ? "DEPTH_TO_SPACE" : "SPACE_TO_DEPTH";
  }
  std::string_view operator()(const Replicate&) const { return "TILE"; }
  std::string_view operator()(const Resize& op) const {
    return op.kind == ResizeKind::kNearest ? "RESIZE_NEAREST_NEIGHBOR" : "RESIZE_BILINEAR";
  }
  std::string_view operator()(const MirrorPad&) const { return "MIRROR_PAD"; }
  std::string_view operator()(const BroadcastTo&) const { return "BROADCAST_TO"; }
  std::string_view operator()(const UpdateSlice&) const { return "DYNAMIC_UPDATE_SLICE"; }
  std::string_view operator()(const HostOperator& op) const {
    return host_operators::Name(op.attributes);
  }
  std::string_view operator()(const If&) const { return "IF"; }
  std::string_view operator()(const While&) const { return "WHILE"; }
  std::string_view operator()(const Move&) const { return "MOVE"; }
};

std::int32_t SameTotal(std::int32_t in, std::int32_t k, std::int32_t stride,
                       std::int32_t dilation) {
  const std::int32_t out = (in + stride - 1) / stride;
  return std::max(0, (out - 1) * stride + (k - 1) * dilation + 1 - in);
}

}  // namespace

std::int64_t Tensor::Elements() const {
  std::int64_t elements = 1;
  for (const std::int64_t d : shape) elements *= d;
  return elements;
}

std::size_t Tensor::DataElements() const {
  return DataBytes().size() / static_cast<std::size_t>(ElementBytes(type));
}

bool Tensor::DataHasType() const {
  // Tensor::data holds bools as uint8.
  const ElementType stored = type == ElementType::kBool ? ElementType::kUint8 : type;
  return std::visit(
      [stored](const auto& values) {
        if constexpr (requires { values[0]; }) {
          return stored == ElementTypeOf<std::remove_cvref_t<decltype(values[0])>>::value;
        } else {
          return false;
        }
      },
      data);
}

std::span<const std::uint8_t> Tensor::DataBytes() const {
  return std::visit(
      [](const auto& values) -> std::span<const std::uint8_t> {
        if constexpr (requires { values.size(); }) {
          return {reinterpret_cast<const std::uint8_t*>(values.data()),
                  values.size() * sizeof(values[0])};
        } else {
          return {};
        }
      },
      data);
}

std::string_view OperatorName(const Attributes& attributes) {
  return std::visit(NameVisitor{}, attributes);
}

Padding SamePadding(Extent input, Extent filter, Extent stride, Extent dilation) {
  const std::int32_t h = SameTotal(input.h, filter.h, stride.h, dilation.h);
  const std::int32_t w = SameTotal(input.w, filter.w, stride.w, dilation.w);
  return {.top = h / 2, .left = w / 2, .bottom = h - h / 2, .right = w - w / 2};
}

Extent WindowOutput(Extent input, Extent filter, Extent stride, Extent dilation,
                    const Padding& padding) {
  const auto size = [](std::int32_t in, std::int32_t k, std::int32_t s, std::int32_t d) {
    const std::int32_t span = in - (k - 1) * d - 1;
    return span < 0 ? 0 : span / s + 1;
  };
  return {.h = size(input.h + padding.top + padding.bottom, filter.h, stride.h, dilation.h),
          .w = size(input.w + padding.left + padding.right, filter.w, stride.w, dilation.w)};
}

}  // namespace tpu::ir
