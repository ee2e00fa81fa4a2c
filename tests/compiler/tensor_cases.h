// SPDX-License-Identifier: Apache-2.0
// Graphs in the tensor language on the golden model, beside the same graphs in double precision.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "executable/executable.h"
#include "isa/hardware_config.h"
#include "tensor/graph.h"
#include "tests/tensor/evaluate.h"
#include "tests/tensor/random_case.h"

namespace tpu::compiler {

/// A machine with bf16 of N = 4 (small) or 16.
isa::HardwareConfig MachineOf(std::uint32_t n);

/// The bytes of an input's or an output's values, and the other way round.
std::vector<std::uint8_t> BytesOf(const executable::TensorBinding& tensor,
                                  const tensor::Values<double>& values);
tensor::Values<double> FloatsOf(const std::vector<std::uint8_t>& bytes);

/// What the golden model makes of the graph.
std::vector<tensor::Values<double>> RunOnMachine(const tensor::Graph& graph,
                                                 const std::vector<tensor::Values<double>>& inputs,
                                                 const isa::HardwareConfig& config);

/// Largest difference, over the largest of the expected values.
double RelativeError(const tensor::Values<double>& got, const tensor::Values<double>& expected);

/// Layers with random shapes, strides, paddings and dilations: images last but one are NHWC.
const std::vector<tensor::CaseKind>& LayerKinds();

}  // namespace tpu::compiler
