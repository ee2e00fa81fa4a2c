// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/legalise_rules.h"

#include <algorithm>

#include "compiler/legalise/legalise.h"

namespace tpu::compiler {

bool LegalGraph::FeedsDevice(ir::TensorId id) const {
  return std::ranges::any_of(source_.operators, [&](const ir::Operator& op) {
    if (std::ranges::find(op.inputs, id) == op.inputs.end()) return false;
    if (std::holds_alternative<ir::Reshape>(op.attributes)) return FeedsDevice(op.outputs[0]);
    if (const auto* host = std::get_if<ir::HostOperator>(&op.attributes)) {
      const auto* product = std::get_if<host_operators::BatchMatMul>(&host->attributes);
      return product != nullptr && ComputesOnDevice(*product, source_.tensors[op.inputs[0]],
                                                    source_.tensors[op.outputs[0]], config_);
    }
    return !RunsOnHost(op);
  });
}

const ir::Tensor& OperatorView::Input(std::size_t i) const {
  Require(i < op.inputs.size(), "input {} is missing", i);
  return graph.At(op.inputs[i]);
}

void OperatorView::RequireInt8(const ir::Tensor& tensor) const {
  Require(tensor.type == ElementType::kInt8, "tensor {} must be int8, not {}", tensor.name,
          ElementTypeName(tensor.type));
}

bool OperatorView::IsFloat(const ir::Tensor& tensor) const {
  return tensor.type == ElementType::kBfloat16 ||
         (tensor.type == ElementType::kFloat32 && graph.Config().bf16 != 0);
}

void OperatorView::RequireComputable(std::initializer_list<const ir::Tensor*> tensors) const {
  const ir::Tensor& first = **tensors.begin();
  for (const ir::Tensor* tensor : tensors) {
    Require(tensor->type != ElementType::kFloat32 || IsFloat(*tensor),
            "tensor {} is float32, and the machine has no bf16: quantise the model to int8, or "
            "compile it for a machine with bf16",
            tensor->name);
    Require(tensor->type != ElementType::kInt16 || graph.Config().int16 != 0,
            "tensor {} is int16, and the machine has no int16: quantise the model to int8, or "
            "compile it for a machine with int16",
            tensor->name);
    if (first.type == ElementType::kInt16) {
      Require(tensor->type == ElementType::kInt16, "tensor {} must be int16 as {} is, not {}",
              tensor->name, first.name, ElementTypeName(tensor->type));
      continue;
    }
    if (!IsFloat(first)) RequireInt8(*tensor);
    Require(IsFloat(*tensor) == IsFloat(first), "tensor {} must be {} as the others are, not {}",
            tensor->name, ElementTypeName(first.type), ElementTypeName(tensor->type));
  }
}

void OperatorView::RequireFloats() const {
  for (std::size_t i = 0; i < op.inputs.size(); ++i) RequireComputable({&Input(i), &Output()});
  Require(ComputesFloats(), "tensor {} is int8, and only float32 is supported", Output().name);
}

void OperatorView::RequireMachineWithInt16() const {
  Require(graph.Config().int16 != 0,
          "it needs int16, which the machine does not have: compile it for a machine with int16");
}

void OperatorView::Add(std::vector<ir::TensorId> inputs, ir::TensorId output,
                       ir::Attributes attributes, std::optional<std::uint64_t> macs) const {
  graph.AddOperator({.name = op.name,
                     .inputs = std::move(inputs),
                     .outputs = {output},
                     .attributes = std::move(attributes),
                     .origin = std::string(ir::OperatorName(op.attributes)),
                     .macs = macs});
}

void OperatorView::Keep(std::optional<std::uint64_t> macs) const {
  graph.AddOperator({.name = op.name,
                     .inputs = op.inputs,
                     .outputs = op.outputs,
                     .attributes = op.attributes,
                     .origin = std::string(ir::OperatorName(op.attributes)),
                     .macs = macs});
}

ir::TensorId OperatorView::Like(const ir::Tensor& like, ir::Shape shape,
                                std::string_view suffix) const {
  ir::Tensor tensor;
  tensor.name = fmt::format("{}/{}", op.name, suffix);
  tensor.type = like.type;
  tensor.shape = std::move(shape);
  tensor.scale = like.scale;
  tensor.zero_point = like.zero_point;
  return graph.AddTensor(std::move(tensor));
}

ir::TensorId OperatorView::Reshaped(ir::TensorId input, ir::Shape shape) const {
  const ir::Tensor tensor = graph.At(input);
  if (tensor.shape == shape) return input;
  const ir::TensorId output = Like(tensor, std::move(shape), "reshaped");
  Add({input}, output, ir::Reshape{});
  return output;
}

}  // namespace tpu::compiler
