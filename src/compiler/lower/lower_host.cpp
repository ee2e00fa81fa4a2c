// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/lower_host.h"

#include "compiler/lower/bind_tensors.h"

namespace tpu::compiler {
namespace {

void SetKernel(isa::HostCall& call, const Softmax& op) {
  call.kernel = isa::HostKernel::kSoftmax;
  call.beta = op.beta;
}
void SetKernel(isa::HostCall& call, const ArgMax& op) {
  call.kernel = op.smallest ? isa::HostKernel::kArgMin : isa::HostKernel::kArgMax;
  call.axis = op.axis;
}
void SetKernel(isa::HostCall& call, const Quantize& /*op*/) {
  call.kernel = isa::HostKernel::kQuantize;
}
void SetKernel(isa::HostCall& call, const Dequantize& /*op*/) {
  call.kernel = isa::HostKernel::kDequantize;
}
void SetKernel(isa::HostCall& call, const Resize& op) {
  call.kernel = isa::HostKernel::kResizeBilinear;
  call.align_corners = op.align_corners;
  call.half_pixel_centers = op.half_pixel_centers;
}

}  // namespace

void LowerHostCall(const OperatorContext& context, Emitter& emitter) {
  isa::HostCall call = {.single_rounding = context.rounding == Rounding::kSingle};
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
