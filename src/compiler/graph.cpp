#include "compiler/graph.h"

#include <algorithm>

namespace tpu::compiler {
namespace {

struct NameVisitor {
  std::string_view operator()(const Conv2D&) const { return "CONV_2D"; }
  std::string_view operator()(const DepthwiseConv2D&) const { return "DEPTHWISE_CONV_2D"; }
  std::string_view operator()(const FullyConnected&) const { return "FULLY_CONNECTED"; }
  std::string_view operator()(const Binary& op) const {
    switch (op.kind) {
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
  std::string_view operator()(const Pool2D& op) const {
    return op.kind == PoolKind::kMax ? "MAX_POOL_2D" : "AVERAGE_POOL_2D";
  }
  std::string_view operator()(const Lookup&) const { return "LOOKUP"; }
  std::string_view operator()(const Reshape&) const { return "RESHAPE"; }
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

}  // namespace tpu::compiler
