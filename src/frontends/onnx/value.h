// SPDX-License-Identifier: Apache-2.0
// What a value of an ONNX model is while the model is imported.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontends/onnx/layout.h"
#include "frontends/onnx/model.h"
#include "tpu/graph.h"

namespace tpu::onnx {

/// Scales and zero points of a QuantizeLinear or DequantizeLinear: one of each, or one for each
/// index of `axis`.
struct Quantisation {
  std::vector<float> scales;
  std::vector<std::int64_t> zero_points;
  std::size_t axis = 0;
};

/// A tensor of the graph with the values in some order of axes.
struct Form {
  Layout layout;
  Graph::Tensor tensor;
};

/// The float that each int8 stands for, of q at q + 128.
struct Meaning {
  std::array<float, 256> reals{};
  /// As DequantizeLinear says: scale * (q - zero_point). Else a function was applied to that.
  bool affine = false;
  float scale = 1.0F;
  std::int32_t zero_point = 0;  ///< Of int8.
};

/// The 256 floats of an affine meaning, computed as ONNX Runtime does.
std::shared_ptr<const Meaning> AffineMeaning(float scale, std::int32_t zero_point);

/// A constant, or a tensor of the graph:
///  - of int8 or uint8, as the model says. The graph has int8 for both, 128 less for uint8;
///  - of float32, which the graph has as int8 with the meaning of each integer. Functions of single
///    values only change the meaning. QuantizeLinear makes a table of the meaning, or nothing where
///    the meaning is what QuantizeLinear says;
///  - of float32 in the graph, too: inputs and outputs of the network.
struct Value {
  std::string name;
  Shape shape;  ///< As ONNX has it.
  ElementType type = ElementType::kFloat32;
  std::shared_ptr<const Array> constant;
  /// Of a constant of float32 that is stored as integers.
  std::optional<Quantisation> quantisation;
  /// The same values in several orders; the first one is how they were made. Values with the same
  /// tensors share the list, so that each order is made once.
  std::shared_ptr<std::vector<Form>> forms;
  std::shared_ptr<const Meaning> meaning;
};

/// Where the results of an operator go: the QuantizeLinear behind it.
struct Target {
  std::string name;  ///< Of the quantised tensor.
  float scale = 1.0F;
  std::int64_t zero_point = 0;  ///< Of `type`.
  ElementType type = ElementType::kInt8;
  friend bool operator==(const Target& a, const Target& b) {
    return a.scale == b.scale && a.zero_point == b.zero_point && a.type == b.type;
  }
};

/// What is added to integers of the type to have them as int8.
constexpr std::int64_t Shift(ElementType type) { return type == ElementType::kUint8 ? -128 : 0; }

/// The float of each element of a constant.
std::vector<float> FloatsOf(const Value& constant);

/// QuantizeLinear of one number, which is then of int8: to the nearest, halves to even.
std::int8_t QuantizedByte(float value, const Target& target);

}  // namespace tpu::onnx
