// SPDX-License-Identifier: Apache-2.0
// A network, before it is compiled.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tpu/tensor.h"

namespace tpu {

class Graph;

/// An operator of a network.
struct OperatorInfo {
  std::string name;                 ///< As messages and reports call the operator, as in "op3".
  std::string type;                 ///< TensorFlow Lite's name of its kind, as in "CONV_2D".
  std::vector<TensorInfo> inputs;   ///< Activations first, then constants: weights, biases.
  std::vector<TensorInfo> outputs;  ///< Most operators have one.
};

/// A network, before it is compiled. A copy shares the network with the original.
class Model {
 public:
  /// Reads a TensorFlow Lite file, or an ONNX file of a quantised network. Throws tpu::Error naming
  /// the file, the operator and the tensor for what is malformed or not supported.
  static Model Load(const std::filesystem::path& path);

  /// A network that was built in code, as it is now: what the graph gets later is no part of it.
  /// `name` stands in messages in place of a file. Throws tpu::Error when the graph has no output.
  static Model FromGraph(const Graph& graph, const std::string& name = "graph");

  [[nodiscard]] std::vector<TensorInfo> inputs() const;   ///< In the file's or the graph's order.
  [[nodiscard]] std::vector<TensorInfo> outputs() const;  ///< In the file's or the graph's order.
  /// Each after those whose outputs it takes.
  [[nodiscard]] std::vector<OperatorInfo> operators() const;

 private:
  friend class Program;
  struct Network;
  explicit Model(std::shared_ptr<const Network> network);
  std::shared_ptr<const Network> network_;
};

}  // namespace tpu
