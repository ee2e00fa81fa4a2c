// SPDX-License-Identifier: Apache-2.0
#include "frontends/onnx/builder.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/error.h"

namespace tpu::onnx {
namespace {

std::shared_ptr<std::vector<Form>> OneForm(Layout layout, Graph::Tensor tensor) {
  return std::make_shared<std::vector<Form>>(
      std::vector<Form>{{.layout = std::move(layout), .tensor = tensor}});
}

}  // namespace

Result ResultOf(const Target& target, const std::string& operator_name) {
  return {.name = target.name,
          .operator_name = operator_name,
          .scale = target.scale,
          .zero_point = static_cast<std::int32_t>(target.zero_point + Shift(target.type))};
}

const Layout& Builder::LayoutOf(const Value& value) { return value.forms->front().layout; }

Graph::Tensor Builder::Stored(const Value& value, const Layout& layout) {
  if (value.constant != nullptr) return StoredConstant(value, layout);
  for (const Form& form : *value.forms) {
    if (form.layout == layout) return form.tensor;
  }
  const Form& first = value.forms->front();
  const Result result = {.name = value.name + "_transposed"};
  const Graph::Tensor tensor =
      HaveSameBytes(value.shape, first.layout, layout)
          ? graph_.Reshape(first.tensor, StoredShape(value.shape, layout), result)
          : graph_.Transpose(first.tensor, Permutation(first.layout, layout), result);
  value.forms->push_back({.layout = layout, .tensor = tensor});
  return tensor;
}

Graph::Tensor Builder::StoredConstant(const Value& value, const Layout& layout) {
  const ElementType type = value.constant->type;
  if (type != ElementType::kInt8 && type != ElementType::kUint8) {
    throw Error::Format("constant {} is {}; quantise it to int8 or uint8", value.name,
                        ElementTypeName(type));
  }
  TensorOptions options = {.name = value.name};
  if (value.quantisation) {
    if (value.quantisation->scales.size() != 1) {
      throw Error::Format("constant {} has several scales, which only weights can", value.name);
    }
    options.scale = value.quantisation->scales[0];
    options.zero_point =
        static_cast<std::int32_t>(value.quantisation->zero_points[0] + Shift(type));
  }
  std::vector<std::int8_t> bytes;
  for (const std::int64_t q : value.constant->Integers()) {
    bytes.push_back(static_cast<std::int8_t>(q + Shift(type)));
  }
  const std::vector<std::int8_t> stored =
      Transposed(bytes, value.shape, Permutation(Plain(value.shape.size()), layout));
  return graph_.Constant<std::int8_t>(StoredShape(value.shape, layout), stored, options);
}

Value Builder::Moved(const Value& like, const std::string& name, Shape shape, Layout layout,
                     Graph::Tensor tensor) {
  return {.name = name,
          .shape = std::move(shape),
          .type = like.type,
          .forms = OneForm(std::move(layout), tensor),
          .meaning = like.meaning};
}

Value Builder::Reshaped(const Value& value, const std::string& name, const Shape& shape) {
  if (value.constant != nullptr) {
    Value result = value;
    result.name = name;
    result.shape = shape;
    return result;
  }
  const Graph::Tensor plain = Stored(value, Plain(value.shape.size()));
  return Moved(value, name, shape, Plain(shape.size()),
               graph_.Reshape(plain, shape, {.name = name}));
}

Value Builder::Made(const std::string& name, Shape shape, Layout layout, Graph::Tensor tensor) {
  const TensorInfo info = graph_.Info(tensor);
  return {.name = name,
          .shape = std::move(shape),
          .type = ElementType::kFloat32,
          .forms = OneForm(std::move(layout), tensor),
          .meaning = AffineMeaning(info.scale, info.zero_point)};
}

Value Builder::Dequantize(const Value& x, const Quantisation& quantisation,
                          const std::string& name) {
  Value result = x;
  result.name = name;
  result.type = ElementType::kFloat32;
  if (x.constant != nullptr) {
    result.quantisation = quantisation;
    return result;
  }
  if (x.type != ElementType::kInt8 && x.type != ElementType::kUint8) {
    throw Error::Format("{} is {}; should be int8 or uint8", x.name, ElementTypeName(x.type));
  }
  if (quantisation.scales.size() != 1) {
    throw Error::Format("{} has several scales, which only constants can", x.name);
  }
  const float scale = quantisation.scales[0];
  const auto zero_point = static_cast<std::int32_t>(quantisation.zero_points[0] + Shift(x.type));
  if (zero_point < -128 || zero_point > 127) {
    throw Error::Format("{} has zero point {}, which is no {}", x.name, quantisation.zero_points[0],
                        ElementTypeName(x.type));
  }
  result.meaning = AffineMeaning(scale, zero_point);
  const Form& first = x.forms->front();
  const TensorInfo info = graph_.Info(first.tensor);
  if (info.scale == scale && info.zero_point == zero_point) return result;
  // The same integers, which stand for something else from here on.
  const Graph::Tensor tensor = graph_.Reshape(
      first.tensor, info.shape, {.name = name, .scale = scale, .zero_point = zero_point});
  result.forms = OneForm(first.layout, tensor);
  return result;
}

Value Builder::Quantize(const Value& x, const Target& target, const std::string& operator_name) {
  Value result = {.name = target.name, .shape = x.shape, .type = target.type, .forms = x.forms};
  const Form& first = x.forms->front();
  const Result as = ResultOf(target, operator_name);
  if (x.meaning == nullptr) {
    result.forms =
        OneForm(first.layout, graph_.Quantize(first.tensor, {.name = as.name,
                                                             .operator_name = as.operator_name,
                                                             .type = ElementType::kInt8,
                                                             .scale = as.scale,
                                                             .zero_point = as.zero_point}));
    return result;
  }
  std::array<std::int8_t, 256> table{};
  bool changes = false;
  for (int q = -128; q <= 127; ++q) {
    const std::int8_t byte =
        QuantizedByte(x.meaning->reals.at(static_cast<std::size_t>(q + 128)), target);
    table.at(static_cast<std::size_t>(q & 255)) = byte;
    changes = changes || byte != q;
  }
  const TensorInfo info = graph_.Info(first.tensor);
  if (changes) {
    result.forms = OneForm(first.layout, graph_.Lookup(first.tensor, table, as));
  } else if (info.scale != as.scale || info.zero_point != as.zero_point) {
    result.forms = OneForm(first.layout, graph_.Reshape(first.tensor, info.shape, as));
  }
  return result;
}

Value Builder::Float(const Value& x, const std::string& name) {
  if (x.meaning == nullptr) return x;
  if (!x.meaning->affine) {
    throw Error::Format(
        "{} is a function of a quantised tensor, and no QuantizeLinear follows; quantise it",
        x.name);
  }
  const std::size_t rank = x.shape.size();
  return {.name = name,
          .shape = x.shape,
          .type = ElementType::kFloat32,
          .forms = OneForm(Plain(rank), graph_.Dequantize(Stored(x, Plain(rank)), {.name = name}))};
}

}  // namespace tpu::onnx
