// SPDX-License-Identifier: Apache-2.0
// A TensorFlow Lite model file as plain data, checked as far as that is possible without knowing
// what the operators mean.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "frontends/tflite/schema_generated.h"

namespace tpu::tflite {

using schema::BuiltinOperator;
using schema::TensorType;

/// Real value = scale * (q - zero_point). Empty: not quantised. Of int32, which QUANTIZE alone
/// looks at, there is one scale, or none if what the file says is no such thing. One scale for the
/// whole tensor, or one for each index of dimension `axis`. As many zero points as scales. Scales
/// are finite and above zero, but one of several may be zero. Zero points are within the tensor's
/// type.
struct Quantization {
  std::vector<float> scales;
  std::vector<std::int64_t> zero_points;
  std::int32_t axis = 0;
};

struct Tensor {
  std::string name;
  TensorType type = TensorType::FLOAT32;
  std::vector<std::int32_t> shape;  ///< No dimension is below 0; fewer than 2^31 elements.
  bool dynamic = false;             ///< The file says that `shape` is a guess.
  bool variable = false;            ///< Keeps its contents from run to run.
  Quantization quantization;
  std::vector<std::uint8_t> data;  ///< Contents, when constant: as many bytes as the shape needs.

  [[nodiscard]] bool IsConstant() const { return !data.empty(); }
  [[nodiscard]] std::int64_t Elements() const;
};

struct Operator {
  BuiltinOperator code = BuiltinOperator::CUSTOM;
  std::string name;                  ///< "CONV_2D"; for custom operators as the file names them.
  std::vector<std::int32_t> inputs;  ///< Indices of tensors; -1 where one is left out.
  std::vector<std::int32_t> outputs;
  schema::BuiltinOptionsUnion options;  ///< Holds nothing for operators whose options say nothing.
  std::vector<std::uint8_t> custom_options;  ///< As the file has them, not checked.
};

/// Operators are in an order in which each tensor is made, once, before it is used.
struct Subgraph {
  std::vector<Tensor> tensors;
  std::vector<Operator> operators;
  std::vector<std::int32_t> inputs;
  std::vector<std::int32_t> outputs;
};

/// Subgraph 0 of a model, and those that its operators run, or theirs: CALL_ONCE, IF and WHILE.
struct Model : Subgraph {
  std::string file;  ///< Its name, for messages.
  std::string description;
  std::map<std::int32_t, Subgraph> subgraphs;  ///< By their index.
};

/// The subgraphs that an operator runs; of most operators none.
std::vector<std::int32_t> SubgraphsOf(const Operator& op);

/// "INT8"; "type 99" when TensorFlow Lite has no such type.
std::string TypeName(TensorType type);

/// Bytes of one element; 0 for types without a fixed whole number of bytes.
std::int64_t TypeBytes(TensorType type);

}  // namespace tpu::tflite
