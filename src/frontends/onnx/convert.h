// SPDX-License-Identifier: Apache-2.0
// The converters of operators.def: from nodes to operators of a graph.
#pragma once

#include <functional>

#include "frontends/onnx/node_reader.h"

namespace tpu::onnx {

// Between floats and integers (convert_quantisation.cpp).
Value ConvertQuantizeLinear(const NodeReader& op);
Value ConvertDequantizeLinear(const NodeReader& op);
/// The QuantizeLinear or DequantizeLinear with its scale and zero point at these inputs, of values
/// of this shape; both constant.
Quantisation ReadQuantisation(const Value& scale, const Value* zero_point, std::size_t axis);

// Products (convert_products.cpp).
Value ConvertConv(const NodeReader& op);
Value ConvertConvTranspose(const NodeReader& op);
Value ConvertGemm(const NodeReader& op);
Value ConvertMatMul(const NodeReader& op);

// Windows, reductions and Softmax (convert_windows.cpp).
Value ConvertMaxPool(const NodeReader& op);
Value ConvertGlobalMaxPool(const NodeReader& op);
Value ConvertAveragePool(const NodeReader& op);
Value ConvertGlobalAveragePool(const NodeReader& op);
Value ConvertReduceMean(const NodeReader& op);
Value ConvertArgMax(const NodeReader& op);
Value ConvertSoftmax(const NodeReader& op);
Value ConvertResize(const NodeReader& op);

// Single elements (convert_elements.cpp).
Value ConvertFunction(const NodeReader& op, const std::function<float(float)>& function);
Value ConvertClip(const NodeReader& op);
Value ConvertBinary(const NodeReader& op, BinaryKind kind);
Value ConvertPrelu(const NodeReader& op);
Value ConvertDiv(const NodeReader& op);

// The same elements elsewhere (convert_moves.cpp, convert_shapes.cpp).
Value ConvertIdentity(const NodeReader& op);
Value ConvertReshape(const NodeReader& op);
Value ConvertFlatten(const NodeReader& op);
Value ConvertSqueeze(const NodeReader& op);
Value ConvertUnsqueeze(const NodeReader& op);
Value ConvertTranspose(const NodeReader& op);
Value ConvertConcat(const NodeReader& op);
Value ConvertSlice(const NodeReader& op);
Value ConvertGather(const NodeReader& op);
Value ConvertPad(const NodeReader& op);
Value ConvertDepthToSpace(const NodeReader& op);
Value ConvertSpaceToDepth(const NodeReader& op);
Values ConvertSplit(const NodeReader& op);
Value ConvertShape(const NodeReader& op);
Value ConvertCast(const NodeReader& op);

}  // namespace tpu::onnx
