// SPDX-License-Identifier: Apache-2.0
// Which operators become ONNX Runtime's Softmax on the host.
#include "compiler/legalise/fuse_onnx_softmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "lowered.h"

namespace tpu::compiler {
namespace {

// A softmax with something behind it, on a graph of two values.
class Chain {
 public:
  ir::TensorId Int8(float scale, std::int32_t zero_point) {
    return Tensor(ElementType::kInt8, scale, zero_point);
  }
  ir::TensorId Float() { return Tensor(ElementType::kFloat32, 1.0F, 0); }
  void Append(ir::Attributes attributes, ir::TensorId from, ir::TensorId to) {
    source_.Append("op", std::move(attributes), {from}, to);
  }
  ir::Graph& Fused(ir::TensorId input, ir::TensorId output) {
    source_.graph().inputs = {input};
    source_.graph().outputs = {output};
    FuseOnnxSoftmax(source_.graph());
    return source_.graph();
  }

 private:
  ir::TensorId Tensor(ElementType type, float scale, std::int32_t zero_point) {
    return source_.Add({.type = type, .shape = {1, 2}, .scale = scale, .zero_point = zero_point});
  }

  PlacedGraph source_;
};

bool IsOnnxSoftmax(const ir::Operator& op) {
  const auto* host = std::get_if<ir::HostOperator>(&op.attributes);
  return host != nullptr && std::get<host_operators::Softmax>(host->attributes).of_onnx;
}

// From 256ths to 128ths: the table halves the distance to -128.
ir::Lookup Halves() {
  ir::Lookup lookup;
  for (std::int32_t q = -128; q < 128; ++q) {
    const auto halved = static_cast<std::int8_t>(std::lrint((q + 128) / 2.0) - 128);
    lookup.table[static_cast<std::uint8_t>(q)] = halved;
  }
  return lookup;
}

// A softmax of int8, and a table from its scale to that of `y`.
struct BeforeTable {
  Chain chain;
  ir::TensorId x = chain.Int8(0.1F, 3);
  ir::TensorId shares = chain.Int8(1.0F / 256, -128);
  ir::TensorId y = chain.Int8(1.0F / 128, -128);

  ir::Graph& Fused(const ir::Lookup& table) {
    chain.Append(ir::Softmax{}, x, shares);
    chain.Append(table, shares, y);
    return chain.Fused(x, y);
  }
};

TEST(FuseOnnxSoftmax, TakesTheTableBehind) {
  BeforeTable softmax;
  const ir::Graph& graph = softmax.Fused(Halves());
  ASSERT_EQ(graph.operators.size(), 1U);
  EXPECT_TRUE(IsOnnxSoftmax(graph.operators[0]));
  EXPECT_EQ(graph.operators[0].outputs[0], softmax.y);
}

TEST(FuseOnnxSoftmax, LeavesOtherTables) {
  BeforeTable softmax;
  ir::Lookup clipped = Halves();
  clipped.table[127] = -5;
  const ir::Graph& graph = softmax.Fused(clipped);
  ASSERT_EQ(graph.operators.size(), 2U);
  EXPECT_TRUE(IsOnnxSoftmax(graph.operators[0]));
  EXPECT_EQ(graph.operators[0].outputs[0], softmax.shares);
}

TEST(FuseOnnxSoftmax, TakesFloatsInBetween) {
  Chain chain;
  const ir::TensorId x = chain.Int8(0.1F, 3);
  const ir::TensorId floats = chain.Float();
  const ir::TensorId shares = chain.Float();
  const ir::TensorId y = chain.Int8(0.001F, -128);
  chain.Append(ir::Dequantize{}, x, floats);
  chain.Append(ir::Softmax{}, floats, shares);
  chain.Append(ir::Quantize{}, shares, y);
  const ir::Graph& graph = chain.Fused(x, y);
  ASSERT_EQ(graph.operators.size(), 1U);
  EXPECT_TRUE(IsOnnxSoftmax(graph.operators[0]));
  EXPECT_EQ(graph.operators[0].inputs[0], x);
  EXPECT_EQ(graph.operators[0].outputs[0], y);
}

// A network whose result is float32.
TEST(FuseOnnxSoftmax, LeavesFloats) {
  Chain chain;
  const ir::TensorId x = chain.Int8(0.1F, 3);
  const ir::TensorId floats = chain.Float();
  const ir::TensorId shares = chain.Float();
  chain.Append(ir::Dequantize{}, x, floats);
  chain.Append(ir::Softmax{}, floats, shares);
  const ir::Graph& graph = chain.Fused(x, shares);
  ASSERT_EQ(graph.operators.size(), 2U);
  EXPECT_TRUE(std::holds_alternative<ir::Softmax>(graph.operators[1].attributes));
}

}  // namespace
}  // namespace tpu::compiler
