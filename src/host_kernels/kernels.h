// SPDX-License-Identifier: Apache-2.0
// Operators that the host runs between device programs, bit-exact with TensorFlow Lite Micro's
// reference kernels.
#pragma once

#include <span>
#include <vector>

#include "executable/executable.h"
#include "host_kernels/invocation.h"
#include "host_operators/host_operators.h"

namespace tpu::host_kernels {

/// The outputs' bytes. `inputs` in the order of call.inputs, each of the size its binding says.
/// Throws tpu::Error for types or shapes that the kernel does not take, and for values that the
/// operator is not defined for, such as an index outside of a tensor.
std::vector<Bytes> Run(const executable::HostCall& call, std::span<const Bytes> inputs);

// The kernels.
void Compute(Invocation& call, const host_operators::Softmax& op);
void Compute(Invocation& call, const host_operators::LogSoftmax& op);
void Compute(Invocation& call, const host_operators::ArgExtreme& op);
void Compute(Invocation& call, const host_operators::Quantize& op);
void Compute(Invocation& call, const host_operators::Dequantize& op);
void Compute(Invocation& call, const host_operators::ResizeBilinear& op);
void Compute(Invocation& call, const host_operators::Unary& op);
void Compute(Invocation& call, const host_operators::Binary& op);
void Compute(Invocation& call, const host_operators::Comparison& op);
void Compute(Invocation& call, const host_operators::Cast& op);
void Compute(Invocation& call, const host_operators::Select& op);
void Compute(Invocation& call, const host_operators::ReduceExtreme& op);
void Compute(Invocation& call, const host_operators::CumulativeSum& op);
void Compute(Invocation& call, const host_operators::L2Pool& op);
void Compute(Invocation& call, const host_operators::Divide& op);
void Compute(Invocation& call, const host_operators::SquaredDifference& op);
void Compute(Invocation& call, const host_operators::AddN& op);
void Compute(Invocation& call, const host_operators::L2Normalization& op);
void Compute(Invocation& call, const host_operators::Gather& op);
void Compute(Invocation& call, const host_operators::GatherNd& op);
void Compute(Invocation& call, const host_operators::EmbeddingLookup& op);
void Compute(Invocation& call, const host_operators::DynamicUpdateSlice& op);
void Compute(Invocation& call, const host_operators::BroadcastArgs& op);
void Compute(Invocation& call, const host_operators::SignalWindow& op);
void Compute(Invocation& call, const host_operators::SignalFftAutoScale& op);
void Compute(Invocation& call, const host_operators::SignalFft& op);
void Compute(Invocation& call, const host_operators::SignalEnergy& op);
void Compute(Invocation& call, const host_operators::SignalFilterBank& op);
void Compute(Invocation& call, const host_operators::SignalSquareRoot& op);
void Compute(Invocation& call, const host_operators::SignalSpectralSubtraction& op);
void Compute(Invocation& call, const host_operators::SignalPcan& op);
void Compute(Invocation& call, const host_operators::SignalLog& op);
void Compute(Invocation& call, const host_operators::SignalDelay& op);
void Compute(Invocation& call, const host_operators::SignalFramer& op);
void Compute(Invocation& call, const host_operators::SignalOverlapAdd& op);
void Compute(Invocation& call, const host_operators::SignalStacker& op);
void Compute(Invocation& call, const host_operators::DetectionPostprocess& op);
void Compute(Invocation& call, const host_operators::BatchMatMul& op);

}  // namespace tpu::host_kernels
