// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/lower_host.h"

#include "compiler/lower/bind_tensors.h"
#include "host_operators/host_operators.h"

namespace tpu::compiler {
namespace {

host_operators::Attributes KernelOf(const ir::Softmax& op) {
  return host_operators::Softmax{.beta = op.beta};
}
host_operators::Attributes KernelOf(const ir::ArgMax& op) {
  return host_operators::ArgExtreme{.axis = op.axis, .smallest = op.smallest};
}
host_operators::Attributes KernelOf(const ir::Quantize& /*op*/) {
  return host_operators::Quantize{};
}
host_operators::Attributes KernelOf(const ir::Dequantize& /*op*/) {
  return host_operators::Dequantize{};
}
host_operators::Attributes KernelOf(const ir::Resize& op) {
  return host_operators::ResizeBilinear{.align_corners = op.align_corners,
                                        .half_pixel_centers = op.half_pixel_centers};
}
host_operators::Attributes KernelOf(const ir::Divide& /*op*/) { return host_operators::Divide{}; }
host_operators::Attributes KernelOf(const ir::SquaredDifference& /*op*/) {
  return host_operators::SquaredDifference{};
}
host_operators::Attributes KernelOf(const ir::AddN& /*op*/) { return host_operators::AddN{}; }
host_operators::Attributes KernelOf(const ir::L2Normalization& /*op*/) {
  return host_operators::L2Normalization{};
}
host_operators::Attributes KernelOf(const ir::HostOperator& op) { return op.attributes; }

std::vector<executable::TensorBinding> BindingsOf(const OperatorContext& context,
                                                  const std::vector<ir::TensorId>& ids) {
  std::vector<executable::TensorBinding> bindings;
  for (const ir::TensorId id : ids) {
    bindings.push_back(BindingOf(context.graph.tensors[id], context.placements[id]));
  }
  return bindings;
}

}  // namespace

void LowerHostCall(const OperatorContext& context, Emitter& emitter) {
  executable::HostCall call = {.single_rounding = context.rounding == Rounding::kSingle};
  std::visit(
      [&](const auto& op) {
        if constexpr (requires { KernelOf(op); }) call.attributes = KernelOf(op);
      },
      context.op.attributes);
  call.inputs = BindingsOf(context, context.op.inputs);
  call.outputs = BindingsOf(context, context.op.outputs);
  emitter.Call(std::move(call));
}

}  // namespace tpu::compiler
