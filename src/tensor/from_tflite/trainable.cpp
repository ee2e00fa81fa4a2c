// SPDX-License-Identifier: Apache-2.0
#include "tensor/from_tflite/trainable.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include "base/error.h"

namespace tpu::tensor {
namespace {

// Whether there is one number for each channel, and more than one channel.
bool IsPerChannel(const ir::Tensor& tensor, const ir::Tensor& output) {
  return !tensor.shape.empty() && !output.shape.empty() && tensor.Elements() > 1 &&
         tensor.Elements() == tensor.shape.back() && tensor.shape.back() == output.shape.back();
}

bool IsTrained(const ir::Graph& graph, const ir::Operator& op, std::size_t input) {
  using ir::HoldsAnyOf;
  if (HoldsAnyOf<ir::BatchMatMul>(op.attributes)) return true;
  if (HoldsAnyOf<ir::Conv2D, ir::DepthwiseConv2D, ir::TransposeConv, ir::FullyConnected, ir::Prelu>(
          op.attributes)) {
    return input > 0;
  }
  const auto* binary = std::get_if<ir::Binary>(&op.attributes);
  const bool sum_or_product = binary != nullptr && (binary->kind == ir::BinaryKind::kAdd ||
                                                    binary->kind == ir::BinaryKind::kSub ||
                                                    binary->kind == ir::BinaryKind::kMul);
  return sum_or_product &&
         IsPerChannel(graph.tensors.at(op.inputs[input]), graph.tensors.at(op.outputs.at(0)));
}

}  // namespace

std::set<ir::TensorId> TrainableTensors(const ir::Graph& graph, const FromTfliteOptions& options) {
  std::set<ir::TensorId> trainable;
  std::set<std::string> found;  // Of options.trained.
  for (const ir::Operator& op : graph.operators) {
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      const ir::Tensor& tensor = graph.tensors.at(op.inputs[i]);
      if (!std::holds_alternative<std::vector<float>>(tensor.data)) continue;
      const bool named = std::ranges::find(options.trained, tensor.name) != options.trained.end();
      if (named) found.insert(tensor.name);
      if (named || IsTrained(graph, op, i)) trainable.insert(op.inputs[i]);
    }
  }
  for (const std::string& name : options.trained) {
    if (found.contains(name)) continue;
    throw Error::Format("{}: no operator takes a constant of float32 of that name", name);
  }
  for (const std::string& name : options.frozen) {
    const auto named = [&](const ir::Tensor& tensor) {
      return tensor.name == name && tensor.IsConstant();
    };
    if (std::none_of(graph.tensors.begin(), graph.tensors.end(), named)) {
      throw Error::Format("{}: the model has no constant of that name", name);
    }
    std::erase_if(trainable, [&](ir::TensorId id) { return named(graph.tensors[id]); });
  }
  return trainable;
}

}  // namespace tpu::tensor
