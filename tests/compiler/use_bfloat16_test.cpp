// SPDX-License-Identifier: Apache-2.0
// Which tensors become bfloat16, and where conversions go.
#include "compiler/legalise/use_bfloat16.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compiler/quantise/bfloat16.h"
#include "float_network.h"

namespace tpu::compiler {
namespace {

using enum ElementType;

constexpr isa::HardwareConfig kWithBf16 = {.bf16 = 1};

// "FULLY_CONNECTED float32 -> bfloat16, ..." for each operator, by first input and output.
std::string Describe(const ir::Graph& graph) {
  std::string text;
  for (const ir::Operator& op : graph.operators) {
    text += fmt::format("{}{} {} -> {}", text.empty() ? "" : ", ", ir::OperatorName(op.attributes),
                        ElementTypeName(graph.tensors[op.inputs[0]].type),
                        ElementTypeName(graph.tensors[op.outputs[0]].type));
  }
  return text;
}

std::string Narrowed(FloatNetwork& network, Ids outputs) {
  network.graph().outputs = std::move(outputs);
  UseBfloat16(network.graph(), kWithBf16);
  return Describe(network.graph());
}

ir::TensorId Relu(FloatNetwork& network, ir::TensorId x) {
  return network.Make(ir::Unary{.kind = ir::UnaryKind::kRelu}, {x}, {2, 3});
}

// An int8 tensor of that scale.
ir::TensorId Quantized(FloatNetwork& network, ir::TensorId x) {
  const ir::TensorId q = network.Make(ir::Quantize{}, {x}, {2, 3});
  network.graph().tensors[q].type = kInt8;
  network.graph().tensors[q].scale = 0.05F;
  network.graph().tensors[q].zero_point = 7;
  return q;
}

TEST(UseBfloat16, LeavesGraphsForOtherMachinesAlone) {
  FloatNetwork network(1, Values::kReals);
  network.graph().outputs = {Relu(network, network.Input({2, 3}))};
  UseBfloat16(network.graph(), {});
  EXPECT_EQ(Describe(network.graph()), "RELU float32 -> float32");
}

TEST(UseBfloat16, ConvertsInputsAndOutputsOnce) {
  FloatNetwork network(1, Values::kReals);
  const ir::TensorId x = network.Input({2, 3});
  const ir::TensorId y = Relu(network, x);
  const ir::TensorId z = network.Combine(y, x, ir::BinaryKind::kAdd, {2, 3});
  EXPECT_EQ(Narrowed(network, {y, z}),
            "CONVERT float32 -> bfloat16, RELU bfloat16 -> bfloat16, CONVERT bfloat16 -> float32, "
            "ADD bfloat16 -> bfloat16, CONVERT bfloat16 -> float32");
  EXPECT_EQ(network.graph().tensors[x].type, kFloat32);
  EXPECT_EQ(network.graph().tensors[z].type, kFloat32);
}

TEST(UseBfloat16, RoundsWeightsAndLeavesBiases) {
  FloatNetwork network(2, Values::kReals);
  ir::TensorId y = 0;
  do {  // Half of the layers have a bias.
    y = network.FullyConnect(network.Input({1, 3}), 2);
  } while (network.graph().operators.back().inputs.size() < 3);
  Narrowed(network, {y});
  const ir::Graph& graph = network.graph();
  for (const ir::Operator& op : graph.operators) {
    if (!std::holds_alternative<ir::FullyConnected>(op.attributes) || op.inputs.size() < 3)
      continue;
    EXPECT_EQ(graph.tensors[op.inputs[1]].type, kBfloat16);
    EXPECT_EQ(graph.tensors[op.inputs[2]].type, kFloat32);
  }
}

TEST(UseBfloat16, TheHostComputesFloat32) {
  FloatNetwork network(1, Values::kReals);
  const ir::TensorId y = Relu(network, network.Input({2, 3}));
  const ir::TensorId soft = network.Make(ir::Softmax{}, {y}, {2, 3});
  EXPECT_EQ(Narrowed(network, {soft}),
            "CONVERT float32 -> bfloat16, RELU bfloat16 -> bfloat16, CONVERT bfloat16 -> float32, "
            "SOFTMAX float32 -> float32");
}

TEST(UseBfloat16, SoftmaxBeforeAnOperatorIsTheDevicesUnlessItIsLong) {
  for (const std::int64_t length : {1024, 1025}) {
    FloatNetwork network(1, Values::kReals);
    const ir::TensorId soft =
        network.Make(ir::Softmax{}, {network.Input({2, length})}, {2, length});
    network.graph().outputs = {
        network.Make(ir::Unary{.kind = ir::UnaryKind::kRelu}, {soft}, {2, length})};
    UseBfloat16(network.graph(), kWithBf16);
    EXPECT_EQ(Describe(network.graph()).find("SOFTMAX bfloat16") != std::string::npos,
              length == 1024);
  }
}

TEST(UseBfloat16, MovesKeepTheirInputsFormat) {
  FloatNetwork network(1, Values::kReals);
  const ir::TensorId x = network.Make(ir::Reshape{}, {network.Input({6})}, {2, 3});
  const ir::TensorId y = network.Make(ir::Reshape{}, {Relu(network, x)}, {6});
  EXPECT_EQ(Narrowed(network, {y}),
            "RESHAPE float32 -> float32, CONVERT float32 -> bfloat16, RELU bfloat16 -> bfloat16, "
            "RESHAPE bfloat16 -> bfloat16, CONVERT bfloat16 -> float32");
}

// What an int8 network begins and ends with stays as exact as it is.
TEST(UseBfloat16, QuantisingInputsAndOutputsStaysOnTheHost) {
  FloatNetwork network(1, Values::kReals);
  const ir::TensorId q = Quantized(network, network.Input({2, 3}));
  EXPECT_EQ(Narrowed(network, {network.Make(ir::Dequantize{}, {q}, {2, 3})}),
            "QUANTIZE float32 -> int8, DEQUANTIZE int8 -> float32");
}

TEST(UseBfloat16, QuantisingBetweenOperatorsIsTheDevices) {
  FloatNetwork network(1, Values::kReals);
  const ir::TensorId q = Quantized(network, Relu(network, network.Input({2, 3})));
  const ir::TensorId y = Relu(network, network.Make(ir::Dequantize{}, {q}, {2, 3}));
  EXPECT_EQ(Narrowed(network, {y}),
            "CONVERT float32 -> bfloat16, RELU bfloat16 -> bfloat16, CONVERT bfloat16 -> int8, "
            "CONVERT int8 -> bfloat16, RELU bfloat16 -> bfloat16, CONVERT bfloat16 -> float32");
}

TEST(UseBfloat16, QuantisedValuesAreTheNearest) {
  FloatNetwork network(1, Values::kIntegers);
  const ir::TensorId x = network.Input({40, 30});
  const ir::TensorId relu = network.Make(ir::Unary{.kind = ir::UnaryKind::kRelu}, {x}, {40, 30});
  const ir::TensorId q = network.Make(ir::Quantize{}, {relu}, {40, 30});
  ir::Tensor& tensor = network.graph().tensors[q];
  tensor.type = kInt8;
  tensor.scale = 0.25F;
  tensor.zero_point = 70;
  const ir::TensorId y = network.Make(ir::Dequantize{}, {q}, {40, 30});
  network.graph().outputs = {q,
                             network.Make(ir::Unary{.kind = ir::UnaryKind::kRelu}, {y}, {40, 30})};
  const auto inputs = network.InputValues();
  const auto outputs = RunOnGolden(Compile(network.graph(), kWithBf16), inputs);
  const auto bytes = ValuesOf<std::int8_t>(outputs[0]);
  const auto reals = ValuesOf<float>(outputs[1]);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const float x_i = std::max(inputs[0][i], 0.0F);
    ASSERT_EQ(int{bytes[i]}, std::min(static_cast<int>(4 * x_i) + 70, 127)) << inputs[0][i];
    ASSERT_EQ(reals[i], static_cast<float>(bytes[i] - 70) / 4);
  }
}

TEST(ToBfloat16, RoundsToTheNearestAndTiesToEven) {
  const auto bits = [](float value) { return ToBfloat16(value).bits; };
  EXPECT_EQ(bits(1.0F), 0x3F80);
  EXPECT_EQ(bits(1.0F + 0x1p-8F), 0x3F80) << "a tie";
  EXPECT_EQ(bits(1.0F + 0x1p-8F + 0x1p-20F), 0x3F81);
  EXPECT_EQ(bits(1.0F + 3 * 0x1p-8F), 0x3F82) << "a tie";
  EXPECT_EQ(bits(-1.0F - 0x1p-7F), 0xBF81);
  EXPECT_EQ(bits(std::numeric_limits<float>::max()), 0x7F80) << "overflow is infinity";
  EXPECT_EQ(bits(-std::numeric_limits<float>::infinity()), 0xFF80);
  EXPECT_EQ(bits(-std::nanf("1")), 0x7FC0);
  EXPECT_EQ(bits(-0x1p-127F), 0x8000) << "subnormal";
  EXPECT_EQ(bits(0x1p-126F), 0x0080);
  EXPECT_EQ(ToFloat({0x3FC0}), 1.5F);
}

}  // namespace
}  // namespace tpu::compiler
