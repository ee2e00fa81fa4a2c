// SPDX-License-Identifier: Apache-2.0
#include "host_kernels/kernels.h"

#include "base/error.h"

namespace tpu::host_kernels {

std::vector<Bytes> Run(const executable::HostCall& call, std::span<const Bytes> inputs) {
  try {
    Invocation invocation(call, inputs);
    std::visit([&](const auto& op) { Compute(invocation, op); }, call.attributes);
    return invocation.Take();
  } catch (const Error& error) {
    throw Error::Format("host kernel for {} ({}): {}",
                        call.outputs.empty() ? "nothing" : call.outputs[0].name,
                        host_operators::Name(call.attributes), error.what());
  }
}

}  // namespace tpu::host_kernels
