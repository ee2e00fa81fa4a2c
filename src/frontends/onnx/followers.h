// SPDX-License-Identifier: Apache-2.0
// What a node's result is quantised to.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontends/onnx/node_reader.h"

namespace tpu::onnx {

/// Finds the users of values.
class Users {
 public:
  explicit Users(const Model& model);

  /// Follows a float value to the QuantizeLinear that all of its users lead to. Between the two may
  /// stand what gives the same behind QuantizeLinear as before: moves, and functions that never
  /// fall and give nothing but their argument or a bound, Relu and Clip.
  [[nodiscard]] Followers Of(const std::string& name,
                             const std::map<std::string, Value>& values) const;

 private:
  struct Use {
    const Node* node = nullptr;  ///< None: an output of the network.
    std::size_t input = 0;
  };
  std::map<std::string, std::vector<Use>> uses_;
};

}  // namespace tpu::onnx
