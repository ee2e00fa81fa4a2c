// SPDX-License-Identifier: Apache-2.0
// Operators that the host runs between device programs, bit-exact with TensorFlow Lite's reference
// kernels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "executable/executable.h"

namespace tpu::host_kernels {

using Bytes = std::vector<std::uint8_t>;

/// The output's bytes. `inputs` in the order of call.inputs, each of the size its binding says.
/// Throws tpu::Error for types or shapes that the kernel does not take.
Bytes Run(const executable::HostCall& call, std::span<const Bytes> inputs);

// The kernels.
Bytes Softmax(const executable::HostCall& call, const Bytes& input);
Bytes ArgExtreme(const executable::HostCall& call, const Bytes& input);
Bytes Quantize(const executable::HostCall& call, const Bytes& input);
Bytes Dequantize(const executable::HostCall& call, const Bytes& input);
Bytes ResizeBilinear(const executable::HostCall& call, const Bytes& input);
Bytes Divide(const executable::HostCall& call, std::span<const Bytes> inputs);
Bytes SquaredDifference(const executable::HostCall& call, std::span<const Bytes> inputs);
Bytes AddN(const executable::HostCall& call, std::span<const Bytes> inputs);
Bytes L2Normalization(const executable::HostCall& call, const Bytes& input);

}  // namespace tpu::host_kernels
