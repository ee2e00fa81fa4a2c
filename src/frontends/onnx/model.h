// SPDX-License-Identifier: Apache-2.0
// The parts of an ONNX model that the importer needs, with the names of ONNX's schema.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tpu/graph.h"
#include "tpu/tensor.h"

namespace tpu::onnx {

/// TensorProto: constant values, row-major and little-endian.
struct Array {
  std::string name;
  ElementType type = ElementType::kFloat32;
  Shape shape;
  std::vector<std::uint8_t> bytes;

  [[nodiscard]] std::int64_t Elements() const;
  /// The values of any integer type or bool.
  [[nodiscard]] std::vector<std::int64_t> Integers() const;
  /// The values of any type, as floats.
  [[nodiscard]] std::vector<float> Floats() const;
};

/// A constant of these floats.
Array FloatArray(std::string name, Shape shape, const std::vector<float>& values);
/// A constant of integers of a type that has 8, 32 or 64 bits.
Array IntegerArray(std::string name, ElementType type, Shape shape,
                   const std::vector<std::int64_t>& values);

/// AttributeProto. What the attribute is not stays empty.
struct Attribute {
  std::string name;
  std::optional<float> f;
  std::optional<std::int64_t> i;
  std::optional<std::string> s;
  std::shared_ptr<const Array> t;
  std::vector<float> floats;
  std::vector<std::int64_t> ints;
};

/// NodeProto. An empty name among the inputs or outputs: there is none at this place.
struct Node {
  std::string name;
  std::string op_type;
  std::string domain;  ///< Empty: ONNX's own.
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<Attribute> attributes;
};

/// ValueInfoProto of an input or output of the graph.
struct ValueInfo {
  std::string name;
  ElementType type = ElementType::kFloat32;
  /// Dimensions without a number are none.
  std::vector<std::optional<std::int64_t>> shape;
};

/// ModelProto with its one graph.
struct Model {
  std::map<std::string, std::int64_t> opsets;  ///< Version of each domain.
  std::vector<Node> nodes;
  std::vector<std::shared_ptr<const Array>> initializers;
  std::vector<ValueInfo> inputs;  ///< Without those that have an initializer.
  std::vector<ValueInfo> outputs;
};

}  // namespace tpu::onnx
