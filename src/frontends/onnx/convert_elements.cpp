// SPDX-License-Identifier: Apache-2.0
// Functions of one number, and of two tensors element by element.
#include <algorithm>
#include <limits>

#include "frontends/onnx/convert.h"

namespace tpu::onnx {
namespace {

float Compute(BinaryKind kind, float a, float b) {
  switch (kind) {
    case BinaryKind::kAdd:
      return a + b;
    case BinaryKind::kSub:
      return a - b;
    case BinaryKind::kMul:
      return a * b;
    case BinaryKind::kMaximum:
      return std::max(a, b);
    case BinaryKind::kMinimum:
      return std::min(a, b);
  }
  return 0;
}

// A constant of one number that leaves the shape of the other operand as it is.
bool IsNumber(const Value& value, const Value& other) {
  return value.constant != nullptr && value.constant->Elements() == 1 &&
         value.constant->type != ElementType::kInt64 && value.shape.size() <= other.shape.size() &&
         other.constant == nullptr;
}

// The value with axes of size 1 in front.
Value WithRank(const NodeReader& op, const Value& value, std::size_t rank) {
  if (value.shape.size() == rank) return value;
  Shape shape(rank - value.shape.size(), 1);
  shape.insert(shape.end(), value.shape.begin(), value.shape.end());
  return op.builder().Reshaped(value, value.name, shape);
}

}  // namespace

Value ConvertFunction(const NodeReader& op, const std::function<float(float)>& function) {
  Value result = op.Input(0);
  NodeReader::Require(result.constant == nullptr, "{} is constant", result.name);
  NodeReader::Require(result.meaning != nullptr,
                      "{} is {} and not dequantised; only quantised models are supported: quantise "
                      "the model",
                      result.name, ElementTypeName(result.type));
  Meaning meaning = {.reals = result.meaning->reals};
  for (float& real : meaning.reals) real = function(real);
  result.name = op.ResultName();
  result.meaning = std::make_shared<const Meaning>(meaning);
  return result;
}

Value ConvertClip(const NodeReader& op) {
  const float least = op.HasInput(1) ? op.Number(1) : std::numeric_limits<float>::lowest();
  const float most = op.HasInput(2) ? op.Number(2) : std::numeric_limits<float>::max();
  return ConvertFunction(op, [least, most](float x) { return std::min(std::max(x, least), most); });
}

Value ConvertDiv(const NodeReader& op) {
  const float divisor = op.Number(1);
  NodeReader::Require(IsNumber(op.Input(1), op.Input(0)), "{} has too many axes", op.Input(1).name);
  return ConvertFunction(op, [divisor](float x) { return x / divisor; });
}

Value ConvertPrelu(const NodeReader& op) {
  const Value& x = op.Activations(0);
  const std::size_t rank = x.shape.size();
  NodeReader::Require(op.Operand(1).constant != nullptr, "the slopes {} must be constant",
                      op.Input(1).name);
  NodeReader::Require(op.Input(1).shape.size() <= rank, "the slopes {} have too many axes",
                      op.Input(1).name);
  const Layout& layout = Builder::LayoutOf(x);
  const Graph::Tensor slopes = op.builder().Stored(WithRank(op, op.Input(1), rank), layout);
  return op.Made(x.shape, layout,
                 op.graph().Prelu(op.builder().Stored(x, layout), slopes, op.Written()));
}

Value ConvertBinary(const NodeReader& op, BinaryKind kind) {
  if (IsNumber(op.Input(1), op.Input(0))) {
    return ConvertFunction(
        op, [kind, number = op.Number(1)](float x) { return Compute(kind, x, number); });
  }
  NodeReader::Require(op.Inputs() == 2, "has {} inputs; only 2 are supported", op.Inputs());
  const std::size_t rank = std::max(op.Input(0).shape.size(), op.Input(1).shape.size());
  Value a = WithRank(op, op.Operand(0), rank);
  Value b = WithRank(op, op.Operand(1), rank);
  NodeReader::Require(a.constant == nullptr || b.constant == nullptr, "both operands are constant");
  const bool follows_second =
      a.constant != nullptr ||
      (b.constant == nullptr && op.Input(1).shape.size() > op.Input(0).shape.size());
  const Layout layout = Builder::LayoutOf(follows_second ? b : a);
  Builder& builder = op.builder();
  if (kind == BinaryKind::kMaximum || kind == BinaryKind::kMinimum) {
    // On integers of one scale; rounding to that scale first changes no order.
    for (Value* operand : {&a, &b}) {
      NodeReader::Require(operand->constant == nullptr, "{} is constant", operand->name);
      Target target = op.To();
      target.name = operand->name + "_rescaled";
      *operand = builder.Quantize(*operand, target, target.name);
    }
  }
  const Graph::Tensor result = op.graph().Binary(
      kind, builder.Stored(a, layout), builder.Stored(b, layout), Activation::kNone, op.Written());
  const Shape stored = op.graph().Info(result).shape;
  Shape shape(rank);
  for (std::size_t i = 0; i < rank; ++i) shape[layout[i]] = stored[i];
  return op.Made(shape, layout, result);
}

}  // namespace tpu::onnx
