// SPDX-License-Identifier: Apache-2.0
// QuantizeLinear and DequantizeLinear.
#include <algorithm>
#include <cmath>

#include "frontends/onnx/convert.h"

namespace tpu::onnx {
namespace {

// The integers of a constant that QuantizeLinear is applied to.
Value QuantizeConstant(const Value& x, const Quantisation& q, ElementType type,
                       const std::string& name) {
  const std::vector<float> floats = FloatsOf(x);
  std::size_t inner = 1;
  for (std::size_t i = q.axis + 1; i < x.shape.size(); ++i) {
    inner *= static_cast<std::size_t>(x.shape[i]);
  }
  std::vector<std::int64_t> integers;
  for (std::size_t i = 0; i < floats.size(); ++i) {
    const std::size_t channel = i / inner % q.scales.size();
    const Target target = {.name = name,
                           .scale = q.scales[channel],
                           .zero_point = q.zero_points[channel],
                           .type = type};
    integers.push_back(QuantizedByte(floats[i], target) - Shift(type));
  }
  return {.name = name,
          .shape = x.shape,
          .type = type,
          .constant = std::make_shared<const Array>(IntegerArray(name, type, x.shape, integers))};
}

Quantisation ReadQuantisation(const NodeReader& op) {
  const Value& x = op.Input(0);
  NodeReader::Require(op.Int("block_size", 0) == 0, "blocks of scales are not supported");
  Quantisation q = onnx::ReadQuantisation(op.Input(1), op.HasInput(2) ? &op.Input(2) : nullptr, 0);
  if (q.scales.size() == 1) return q;
  q.axis = NodeReader::Axis(op.Int("axis", 1), x.shape.size());
  NodeReader::Require(static_cast<std::int64_t>(q.scales.size()) == x.shape[q.axis],
                      "{} scales do not fit axis {} of [{}]", q.scales.size(), q.axis,
                      fmt::join(x.shape, ", "));
  return q;
}

}  // namespace

Quantisation ReadQuantisation(const Value& scale, const Value* zero_point, std::size_t axis) {
  NodeReader::Require(scale.constant != nullptr && scale.constant->type == ElementType::kFloat32,
                      "scale {} must be constant float32", scale.name);
  Quantisation q = {.scales = scale.constant->Floats(), .zero_points = {}, .axis = axis};
  NodeReader::Require(!q.scales.empty(), "scale {} is empty", scale.name);
  for (const float s : q.scales) {
    NodeReader::Require(std::isfinite(s) && s > 0, "scale {} is {}", scale.name, s);
  }
  q.zero_points.assign(q.scales.size(), 0);
  if (zero_point == nullptr) return q;
  NodeReader::Require(zero_point->constant != nullptr, "zero point {} must be constant",
                      zero_point->name);
  const ElementType type = zero_point->constant->type;
  NodeReader::Require(
      type == ElementType::kInt8 || type == ElementType::kUint8 || type == ElementType::kInt32,
      "zero point {} is {}; should be int8 or uint8", zero_point->name, ElementTypeName(type));
  q.zero_points = zero_point->constant->Integers();
  if (q.zero_points.size() == 1) q.zero_points.assign(q.scales.size(), q.zero_points[0]);
  NodeReader::Require(q.zero_points.size() == q.scales.size(),
                      "{} has {} zero points for {} scales", zero_point->name, q.zero_points.size(),
                      q.scales.size());
  return q;
}

Value ConvertQuantizeLinear(const NodeReader& op) {
  const Value& x = op.Input(0);
  NodeReader::Require(x.type == ElementType::kFloat32, "{} is {}; should be float32", x.name,
                      ElementTypeName(x.type));
  const Quantisation q = ReadQuantisation(op);
  // ONNX's type without a zero point, 2 to be told otherwise.
  const ElementType type =
      op.HasInput(2) ? op.Input(2).type
                     : (op.Int("output_dtype", 2) == 3 ? ElementType::kInt8 : ElementType::kUint8);
  NodeReader::Require(type == ElementType::kInt8 || type == ElementType::kUint8,
                      "the result is {}; should be int8 or uint8", ElementTypeName(type));
  if (x.constant != nullptr) return QuantizeConstant(x, q, type, op.ResultName());
  NodeReader::Require(q.scales.size() == 1, "{} has several scales, which only constants can",
                      op.ResultName());
  return op.builder().Quantize(
      x,
      {.name = op.ResultName(), .scale = q.scales[0], .zero_point = q.zero_points[0], .type = type},
      op.OperatorName());
}

Value ConvertDequantizeLinear(const NodeReader& op) {
  NodeReader::Require(!op.Input(0).quantisation, "{} is dequantised already", op.Input(0).name);
  return op.builder().Dequantize(op.Input(0), ReadQuantisation(op), op.ResultName());
}

}  // namespace tpu::onnx
