// SPDX-License-Identifier: Apache-2.0
#include "host_kernels/kernels.h"

#include "base/error.h"

namespace tpu::host_kernels {

Bytes Run(const executable::HostCall& call, std::span<const Bytes> inputs) {
  if (inputs.empty() || inputs.size() != call.inputs.size()) {
    throw Error::Format("host kernel for {}: {} inputs instead of {}", call.output.name,
                        inputs.size(), call.inputs.size());
  }
  switch (call.kernel) {
    case executable::HostKernel::kSoftmax:
      return Softmax(call, inputs[0]);
    case executable::HostKernel::kArgMax:
    case executable::HostKernel::kArgMin:
      return ArgExtreme(call, inputs[0]);
    case executable::HostKernel::kQuantize:
      return Quantize(call, inputs[0]);
    case executable::HostKernel::kDequantize:
      return Dequantize(call, inputs[0]);
    case executable::HostKernel::kResizeBilinear:
      return ResizeBilinear(call, inputs[0]);
    case executable::HostKernel::kDivide:
      return Divide(call, inputs);
    case executable::HostKernel::kSquaredDifference:
      return SquaredDifference(call, inputs);
    case executable::HostKernel::kAddN:
      return AddN(call, inputs);
    case executable::HostKernel::kL2Normalization:
      return L2Normalization(call, inputs[0]);
  }
  throw Error::Format("host kernel for {}: unknown kernel {}", call.output.name,
                      static_cast<int>(call.kernel));
}

}  // namespace tpu::host_kernels
