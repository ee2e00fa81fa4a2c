// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/lower_host.h"

#include "compiler/lower/bind_tensors.h"

namespace tpu::compiler {
namespace {

void SetKernel(executable::HostCall& call, const ir::Softmax& op) {
  call.kernel = executable::HostKernel::kSoftmax;
  call.beta = op.beta;
}
void SetKernel(executable::HostCall& call, const ir::ArgMax& op) {
  call.kernel = op.smallest ? executable::HostKernel::kArgMin : executable::HostKernel::kArgMax;
  call.axis = op.axis;
}
void SetKernel(executable::HostCall& call, const ir::Quantize& /*op*/) {
  call.kernel = executable::HostKernel::kQuantize;
}
void SetKernel(executable::HostCall& call, const ir::Dequantize& /*op*/) {
  call.kernel = executable::HostKernel::kDequantize;
}
void SetKernel(executable::HostCall& call, const ir::Resize& op) {
  call.kernel = executable::HostKernel::kResizeBilinear;
  call.align_corners = op.align_corners;
  call.half_pixel_centers = op.half_pixel_centers;
}
void SetKernel(executable::HostCall& call, const ir::Divide& /*op*/) {
  call.kernel = executable::HostKernel::kDivide;
}
void SetKernel(executable::HostCall& call, const ir::SquaredDifference& /*op*/) {
  call.kernel = executable::HostKernel::kSquaredDifference;
}
void SetKernel(executable::HostCall& call, const ir::AddN& /*op*/) {
  call.kernel = executable::HostKernel::kAddN;
}
void SetKernel(executable::HostCall& call, const ir::L2Normalization& /*op*/) {
  call.kernel = executable::HostKernel::kL2Normalization;
}

}  // namespace

void LowerHostCall(const OperatorContext& context, Emitter& emitter) {
  executable::HostCall call = {.single_rounding = context.rounding == Rounding::kSingle};
  std::visit(
      [&](const auto& op) {
        if constexpr (requires { SetKernel(call, op); }) SetKernel(call, op);
      },
      context.op.attributes);
  for (std::size_t i = 0; i < context.op.inputs.size(); ++i) {
    call.inputs.push_back(BindingOf(context.Input(i), context.InputPlacement(i)));
  }
  call.output = BindingOf(context.Output(), context.OutputPlacement());
  emitter.Call(std::move(call));
}

}  // namespace tpu::compiler
