// SPDX-License-Identifier: Apache-2.0
// Writes ONNX files, field by field.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tpu/graph.h"

namespace tpu::onnx {

using Bytes = std::vector<std::uint8_t>;

/// A message of Protocol Buffers.
class Proto {
 public:
  Proto& Int(std::uint32_t field, std::int64_t value) {
    Varint(field << 3);
    Varint(static_cast<std::uint64_t>(value));
    return *this;
  }
  Proto& Float(std::uint32_t field, float value) {
    Varint(field << 3 | 5U);
    Little(std::bit_cast<std::uint32_t>(value));
    return *this;
  }
  Proto& Text(std::uint32_t field, std::string_view text) {
    Varint(field << 3 | 2U);
    Varint(text.size());
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    return *this;
  }
  Proto& Message(std::uint32_t field, const Proto& message) {
    return Text(field,
                {reinterpret_cast<const char*>(message.bytes_.data()), message.bytes_.size()});
  }
  [[nodiscard]] const Bytes& bytes() const { return bytes_; }

 private:
  void Varint(std::uint64_t value) {
    for (; value > 0x7F; value >>= 7) bytes_.push_back(static_cast<std::uint8_t>(value | 0x80));
    bytes_.push_back(static_cast<std::uint8_t>(value));
  }
  void Little(std::uint32_t value) {
    for (int i = 0; i < 4; ++i) bytes_.push_back(static_cast<std::uint8_t>(value >> 8 * i));
  }

  Bytes bytes_;
};

// TensorProto.DataType.
inline constexpr std::int64_t kFloatType = 1;
inline constexpr std::int64_t kUint8Type = 2;
inline constexpr std::int64_t kInt8Type = 3;
inline constexpr std::int64_t kInt32Type = 6;
inline constexpr std::int64_t kInt64Type = 7;

/// A TensorProto with raw bytes of any type.
template <typename T>
Proto TensorOf(std::string_view name, std::int64_t type, const Shape& shape,
               const std::vector<T>& values) {
  Proto tensor;
  for (const std::int64_t d : shape) tensor.Int(1, d);
  tensor.Int(2, type).Text(8, name);
  tensor.Text(9, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  return tensor;
}

inline Proto IntAttribute(std::string_view name, std::int64_t value) {
  return Proto().Text(1, name).Int(3, value).Int(20, 2);
}
inline Proto IntsAttribute(std::string_view name, const std::vector<std::int64_t>& values) {
  Proto attribute = Proto().Text(1, name).Int(20, 7);
  for (const std::int64_t value : values) attribute.Int(8, value);
  return attribute;
}

/// A model, node by node. Names of nodes are "n0", "n1", ...
class ModelBuilder {
 public:
  ModelBuilder& Input(std::string_view name, std::int64_t type, const Shape& shape) {
    graph_.Message(11, Info(name, type, shape));
    return *this;
  }
  ModelBuilder& Output(std::string_view name, std::int64_t type = kFloatType) {
    graph_.Message(12, Info(name, type, {}));
    return *this;
  }
  template <typename T>
  ModelBuilder& Constant(std::string_view name, std::int64_t type, const Shape& shape,
                         const std::vector<T>& values) {
    graph_.Message(5, TensorOf(name, type, shape, values));
    return *this;
  }
  ModelBuilder& Initializer(const Proto& tensor) {
    graph_.Message(5, tensor);
    return *this;
  }
  /// A scale "NAME_s" and a zero point "NAME_z".
  template <typename T>
  ModelBuilder& Scale(const std::string& name, float scale, T zero_point) {
    Constant<float>(name + "_s", kFloatType, {}, {scale});
    return Constant<T>(name + "_z", std::is_signed_v<T> ? kInt8Type : kUint8Type, {}, {zero_point});
  }
  ModelBuilder& Node(std::string_view type, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs,
                     const std::vector<Proto>& attributes = {}, std::string_view domain = "") {
    Proto node;
    for (const std::string& input : inputs) node.Text(1, input);
    for (const std::string& output : outputs) node.Text(2, output);
    node.Text(3, "n" + std::to_string(nodes_++)).Text(4, type).Text(7, domain);
    for (const Proto& attribute : attributes) node.Message(5, attribute);
    graph_.Message(1, node);
    return *this;
  }
  /// QuantizeLinear of "NAME" to "NAME_q" with NAME_s and NAME_z, and DequantizeLinear to "NAME_d".
  ModelBuilder& Quantize(const std::string& name) {
    Node("QuantizeLinear", {name, name + "_s", name + "_z"}, {name + "_q"});
    return Dequantize(name);
  }
  /// DequantizeLinear of "NAME_q" to "NAME_d".
  ModelBuilder& Dequantize(const std::string& name) {
    return Node("DequantizeLinear", {name + "_q", name + "_s", name + "_z"}, {name + "_d"});
  }
  [[nodiscard]] Bytes Finish(std::int64_t opset = 17) const {
    const Proto version = Proto().Text(1, "").Int(2, opset);
    return Proto().Int(1, 9).Text(2, "test").Message(7, graph_).Message(8, version).bytes();
  }

 private:
  static Proto Info(std::string_view name, std::int64_t type, const Shape& shape) {
    Proto dimensions;
    for (const std::int64_t d : shape) {
      // A dimension below 0 has a name instead of a number.
      dimensions.Message(1, d < 0 ? Proto().Text(2, "batch") : Proto().Int(1, d));
    }
    const Proto tensor = Proto().Int(1, type).Message(2, dimensions);
    return Proto().Text(1, name).Message(2, Proto().Message(1, tensor));
  }

  Proto graph_;
  int nodes_ = 0;
};

}  // namespace tpu::onnx
