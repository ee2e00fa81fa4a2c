// SPDX-License-Identifier: Apache-2.0
// A network, before it is compiled.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tpu/tensor.h"

namespace tpu {

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
  /// Reads a TensorFlow Lite file. Throws tpu::Error naming the file, the operator and the tensor
  /// for what is malformed or not supported.
  static Model Load(const std::filesystem::path& path);

  [[nodiscard]] std::vector<TensorInfo> inputs() const;   ///< In the file's order.
  [[nodiscard]] std::vector<TensorInfo> outputs() const;  ///< In the file's order.
  /// Each after those whose outputs it takes.
  [[nodiscard]] std::vector<OperatorInfo> operators() const;

 private:
  friend class Program;
  struct Network;
  explicit Model(std::shared_ptr<const Network> network);
  std::shared_ptr<const Network> network_;
};

}  // namespace tpu
