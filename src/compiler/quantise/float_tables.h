// SPDX-License-Identifier: Apache-2.0
// Functions of one 8-bit element in rounding float, as tables of 256 bytes: what XNNPACK computes.
#pragma once

#include <optional>

#include "compiler/quantise/quantization.h"

namespace tpu::compiler {

/// LOGISTIC, TANH and ELU; none of other functions, for which LiteRT has its own kernels.
std::optional<ir::Lookup> FloatUnaryTable(ir::UnaryKind kind, const ir::Tensor& input,
                                          const ir::Tensor& output);

/// LEAKY_RELU, with factors in 256ths. None: LiteRT leaves such scales to its own kernel.
std::optional<ir::Lookup> FloatLeakyReluTable(float alpha, const ir::Tensor& input,
                                              const ir::Tensor& output);

/// QUANTIZE between tensors of one type, with a factor in 256ths. None: as above.
std::optional<ir::Lookup> FloatQuantizeTable(const ir::Tensor& input, const ir::Tensor& output);

/// MEAN of one element.
ir::Lookup FloatMeanTable(const ir::Tensor& input, const ir::Tensor& output);

/// The same values with another scale and zero point, as QuantizeLinear of ONNX Runtime has them.
ir::Lookup FloatRescaledTable(const ir::Tensor& input, const ir::Tensor& output);

/// PRELU as ONNX Runtime computes it: a function of float32 between DequantizeLinear and
/// QuantizeLinear.
ir::Lookup FloatPreluTable(float slope, const ir::Tensor& input, const ir::Tensor& output);

/// The square of a tensor's values, whose zero point is added before rounding.
ir::Lookup FloatSquareTable(ir::Activation activation, const ir::Tensor& input,
                            const ir::Tensor& output);

}  // namespace tpu::compiler
