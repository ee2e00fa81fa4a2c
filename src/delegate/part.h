// SPDX-License-Identifier: Apache-2.0
// Some of LiteRT's nodes as a model file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "delegate/litert_abi.h"

namespace tpu::delegate {

/// What LiteRT says of an operator, copied: LiteRT moves these structures, but not what they point
/// to.
struct Operator {
  TfLiteNode node;
  TfLiteRegistration registration;
};

/// Nodes that run together, and the tensors that go in and out.
struct Part {
  std::vector<int> nodes;  ///< Their indices.
  std::vector<Operator> operators;
  std::vector<int> inputs;     ///< Neither constants nor variables.
  std::vector<int> variables;  ///< Tensors that the nodes keep from run to run.
  std::vector<int> outputs;
};

/// One node alone.
Part PartOf(TfLiteContext& context, int node);
/// What LiteRT has grouped.
Part PartOf(TfLiteContext& context, const TfLiteDelegateParams& params);

/// For messages: "LiteRT's nodes 3, 4".
std::string NameOf(const Part& part);

/// A TensorFlow Lite file of the nodes, with the shapes that tensors have now. Throws tpu::Error
/// where they have what files, or parts of them, cannot say.
std::vector<std::uint8_t> ModelFile(TfLiteContext& context, const Part& part);

}  // namespace tpu::delegate
