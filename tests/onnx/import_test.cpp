// SPDX-License-Identifier: Apache-2.0
// What nodes become in the graph. What the results are is compared with ONNX Runtime
// (onnx_test.py).
#include "frontends/onnx/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "frontends/onnx/parse.h"
#include "ir/check_graph.h"
#include "sample_model.h"

namespace tpu::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ir::Graph ImportOf(const Bytes& file) {
  ir::Graph graph = Import(Parse(file));
  ir::CheckGraph(graph);
  return graph;
}

// The operators that are code.
std::vector<std::string> Operators(const ir::Graph& graph) {
  std::vector<std::string> names;
  for (const ir::Operator& op : graph.operators) {
    const std::string name(ir::OperatorName(op.attributes));
    if (name != "RESHAPE") names.push_back(name);
  }
  return names;
}

const ir::Tensor& TensorNamed(const ir::Graph& graph, std::string_view name) {
  const auto found = std::ranges::find(graph.tensors, name, &ir::Tensor::name);
  if (found == graph.tensors.end()) throw Error::Format("no tensor {}", name);
  return *found;
}

void ExpectError(const ModelBuilder& model, const std::string& message, std::int64_t opset = 17) {
  try {
    (void)Import(Parse(model.Finish(opset)));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(message));
  }
}

// int8 [1, 2, 3, 4] of scale 1/2 as "x_d".
ModelBuilder WithInput() {
  ModelBuilder model;
  model.Input("x_q", kInt8Type, {1, 2, 3, 4}).Scale<std::int8_t>("x", 0.5F, 3).Dequantize("x");
  model.Scale<std::int8_t>("y", 0.25F, -7);
  return model;
}

TEST(Import, LeavesTheOperatorsAlone) {
  const ir::Graph graph = ImportOf(SampleModel());
  // One channel: images have the same bytes in both orders. The zero point is RELU.
  EXPECT_THAT(Operators(graph),
              ElementsAre("QUANTIZE", "CONV_2D", "MAX_POOL_2D", "CONV_2D", "DEQUANTIZE"));
  ASSERT_EQ(graph.inputs.size(), 1U);
  EXPECT_EQ(graph.tensors[graph.inputs[0]].name, "x");
  EXPECT_EQ(graph.tensors[graph.inputs[0]].type, ElementType::kFloat32);
  ASSERT_EQ(graph.outputs.size(), 1U);
  EXPECT_EQ(graph.tensors[graph.outputs[0]].name, "y_d");
  EXPECT_THAT(graph.tensors[graph.outputs[0]].shape, ElementsAre(1, 2));
}

TEST(Import, KeepsScalesAndMovesZeroPoints) {
  const ir::Graph graph = ImportOf(SampleModel());
  const ir::Tensor& x = TensorNamed(graph, "x_q");
  EXPECT_EQ(x.type, ElementType::kInt8);
  EXPECT_EQ(x.scale, 0.25F);
  EXPECT_EQ(x.zero_point, 130 - 128);
  const ir::Tensor& c = TensorNamed(graph, "c_q");
  EXPECT_EQ(c.scale, 0.125F);
  EXPECT_EQ(c.zero_point, -128);
  EXPECT_EQ(TensorNamed(graph, "w_d").scale, 0.5F);
  EXPECT_EQ(TensorNamed(graph, "y_q").scale, 0.375F);
}

TEST(Import, TransposesAtTheEdgesAlone) {
  ModelBuilder model;
  model.Input("x_q", kInt8Type, {1, 2, 3, 4}).Scale<std::int8_t>("x", 0.5F, 0).Dequantize("x");
  const std::vector<std::int8_t> weights = {1, 2, 3, 4};
  model.Constant("w_q", kInt8Type, {2, 2, 1, 1}, weights).Scale<std::int8_t>("w", 0.25F, 0);
  model.Dequantize("w").Scale<std::int8_t>("a", 1.0F, 0).Scale<std::int8_t>("y", 1.0F, 0);
  model.Node("Conv", {"x_d", "w_d"}, {"a"}).Quantize("a");
  model.Node("Transpose", {"a_d"}, {"t"}, {IntsAttribute("perm", {0, 2, 3, 1})});
  model.Node("Relu", {"t"}, {"r"});
  model.Node("Transpose", {"r"}, {"u"}, {IntsAttribute("perm", {0, 3, 1, 2})});
  model.Node("QuantizeLinear", {"u", "a_s", "a_z"}, {"v_q"});
  model.Node("DequantizeLinear", {"v_q", "a_s", "a_z"}, {"v_d"});
  model.Node("Conv", {"v_d", "w_d"}, {"y"}).Quantize("y");
  model.Output("y_q", kInt8Type);
  const ir::Graph graph = ImportOf(model.Finish());
  EXPECT_THAT(Operators(graph),
              ElementsAre("TRANSPOSE", "CONV_2D", "LOOKUP", "CONV_2D", "TRANSPOSE"));
  EXPECT_THAT(graph.tensors[graph.outputs[0]].shape, ElementsAre(1, 2, 3, 4));
}

TEST(Import, ComposesFunctionsToOneTable) {
  ModelBuilder model = WithInput();
  model.Node("Relu", {"x_d"}, {"r"}).Node("Neg", {"r"}, {"y"}).Quantize("y");
  model.Output("y_q", kInt8Type);
  const ir::Graph graph = ImportOf(model.Finish());
  ASSERT_THAT(Operators(graph), ElementsAre("LOOKUP"));
  const auto& table = std::get<ir::Lookup>(graph.operators.front().attributes).table;
  // 13 is 5.0, whose -5.0 is 20 steps below -7; 2 is -0.5, which Relu makes 0.
  EXPECT_EQ(table[13], -27);
  EXPECT_EQ(table[2], -7);
  EXPECT_EQ(table[127], -128);
}

TEST(Import, RoundsHalvesToEven) {
  ModelBuilder model = WithInput();
  model.Scale<std::int8_t>("z", 1.0F, 0);
  model.Node("QuantizeLinear", {"x_d", "z_s", "z_z"}, {"y"}).Output("y", kInt8Type);
  const ir::Graph graph = ImportOf(model.Finish());
  const auto& table = std::get<ir::Lookup>(graph.operators.front().attributes).table;
  EXPECT_EQ(table[4], 0);  // 0.5
  EXPECT_EQ(table[6], 2);  // 1.5
}

TEST(Import, TakesWeightsOfUint8) {
  ModelBuilder model = WithInput();
  model.Constant<std::uint8_t>("w_q", kUint8Type, {1, 2, 1, 1}, {255, 1});
  model.Scale<std::uint8_t>("w", 0.5F, 128).Dequantize("w");
  model.Node("Conv", {"x_d", "w_d"}, {"y"}).Quantize("y").Output("y_d");
  const ir::Graph graph = ImportOf(model.Finish());
  const ir::Tensor& weights = TensorNamed(graph, "w_d");
  EXPECT_THAT(std::get<std::vector<std::int8_t>>(weights.data), ElementsAre(127, -127));
  EXPECT_EQ(weights.zero_point, 0);
}

TEST(Import, BringsBiasesToUnitsOfTheSums) {
  ModelBuilder model = WithInput();
  model.Constant<std::int8_t>("w_q", kInt8Type, {2, 2, 1, 1}, {1, 2, 3, 4});
  model.Scale<std::int8_t>("w", 0.5F, 0).Dequantize("w");
  model.Constant<float>("b", kFloatType, {2}, {1.0F, -3.0F});
  model.Node("Conv", {"x_d", "w_d", "b"}, {"y"}).Quantize("y").Output("y_d");
  const ir::Graph graph = ImportOf(model.Finish());
  EXPECT_THAT(std::get<std::vector<std::int32_t>>(TensorNamed(graph, "b").data),
              ElementsAre(4, -12));
}

TEST(Import, RescalesBiasesOfOtherScales) {
  const auto values = [](float scale) {
    ModelBuilder model = WithInput();
    model.Constant<std::int8_t>("w_q", kInt8Type, {1, 2, 1, 1}, {1, 2});
    model.Scale<std::int8_t>("w", 0.5F, 0).Dequantize("w");
    model.Constant<std::int32_t>("b_q", kInt32Type, {1}, {100'000'001});
    model.Constant<float>("b_s", kFloatType, {}, {scale});
    model.Node("DequantizeLinear", {"b_q", "b_s"}, {"b"});
    model.Node("Conv", {"x_d", "w_d", "b"}, {"y"}).Quantize("y").Output("y_d");
    return std::get<std::vector<std::int32_t>>(TensorNamed(ImportOf(model.Finish()), "b").data);
  };
  // Integers that count in units of the sums, 1/4, stay as they are, though no float holds them.
  EXPECT_THAT(values(0.25F), ElementsAre(100'000'001));
  EXPECT_THAT(values(0.5F), ElementsAre(200'000'000));
}

TEST(Import, TakesOperatorsOfIntegers) {
  ModelBuilder model;
  model.Input("x", kUint8Type, {2, 3}).Scale<std::uint8_t>("x", 0.5F, 10);
  model.Constant<std::int8_t>("w", kInt8Type, {3, 2}, {1, 2, 3, 4, 5, 6});
  model.Scale<std::int8_t>("w", 0.25F, 0).Scale<std::uint8_t>("y", 2.0F, 20);
  model.Node("QLinearMatMul", {"x", "x_s", "x_z", "w", "w_s", "w_z", "y_s", "y_z"}, {"y"});
  model.Output("y", kUint8Type);
  const ir::Graph graph = ImportOf(model.Finish());
  EXPECT_THAT(Operators(graph), ElementsAre("QUANTIZE", "FULLY_CONNECTED", "QUANTIZE"));
  EXPECT_EQ(graph.tensors[graph.inputs[0]].zero_point, 10);
  EXPECT_EQ(graph.tensors[graph.outputs[0]].zero_point, 20);
  EXPECT_EQ(graph.tensors[graph.outputs[0]].type, ElementType::kUint8);
  // [outputs, inputs]
  EXPECT_THAT(std::get<std::vector<std::int8_t>>(TensorNamed(graph, "w").data),
              ElementsAre(1, 3, 5, 2, 4, 6));
}

TEST(Import, TakesUnknownDimensionsForOne) {
  ModelBuilder model;
  model.Input("x", kFloatType, {-1, 4}).Scale<std::int8_t>("x", 1.0F, 0).Quantize("x");
  model.Output("x_d");
  EXPECT_THAT(ImportOf(model.Finish()).tensors[0].shape, ElementsAre(1, 4));
}

TEST(Import, NamesNodeOperatorAndReason) {
  const auto conv = [](const std::string& input, const std::string& weights) {
    ModelBuilder model = WithInput();
    model.Constant<std::int8_t>("w_q", kInt8Type, {1, 2, 1, 1}, {1, 2});
    model.Scale<std::int8_t>("w", 0.5F, 0).Dequantize("w");
    model.Input("f", kFloatType, {1, 2, 3, 4});
    model.Constant<float>("g", kFloatType, {1, 2, 1, 1}, {1, 2});
    model.Node("Relu", {"x_d"}, {"r"}).Node("Conv", {input, weights}, {"y"});
    return model;
  };
  ExpectError(conv("f", "w_d").Output("y"),
              "node n3 (Conv): f is float32; only quantised models are supported");
  ExpectError(conv("x_d", "g").Output("y"), "node n3 (Conv): weights g are float32");
  ExpectError(conv("r", "w_d").Output("y"), "r is a function of a quantised tensor");
  ExpectError(conv("x_q", "w_d").Output("y"), "x_q is int8; a DequantizeLinear must come before");
  ExpectError(conv("x_d", "w_d").Output("y"),
              "its result y is an output of the network, where a QuantizeLinear has to stand");
  ExpectError(conv("x_d", "w_d").Node("Tanh", {"y"}, {"t"}).Output("t"), "goes to n4 (Tanh)");
  ExpectError(conv("x_d", "w_d")
                  .Quantize("y")
                  .Node("QuantizeLinear", {"y", "x_s", "x_z"}, {"z"})
                  .Output("y_q", kInt8Type)
                  .Output("z", kInt8Type),
              "its result y is quantised in two ways");
  ExpectError(WithInput().Node("Conv", {"x_d", "nothing"}, {"y"}).Output("y"),
              "nothing is used before it is made");
  ExpectError(WithInput().Node("Loop", {"x_d"}, {"y"}).Output("y"),
              "node n1 (Loop): the operator is not supported");
  ExpectError(WithInput().Node("Fast", {"x_d"}, {"y"}, {}, "my.domain").Output("y"),
              "the operator of my.domain is not supported");
  ExpectError(WithInput().Output("x_q", kInt8Type), "opset 12; should be 13 or later", 12);
  ExpectError(WithInput().Node("Identity", {"x_q"}, {"x_d"}), "value x_d is made twice");
  ExpectError(WithInput().Node("Relu", {"x_d"}, {"y"}).Output("y"), "no QuantizeLinear follows");
}

TEST(Import, RefusesConstantsInThePlaceOfActivations) {
  const auto on_constant = [](const std::string& type) {
    ModelBuilder model = WithInput();
    AddWeights(model, "w");
    model.Node(type, {"w_d", "w_d"}, {"y"}).Quantize("y").Output("y_d");
    return model;
  };
  for (const std::string type : {"Conv", "ConvTranspose", "Gemm", "MaxPool", "GlobalMaxPool",
                                 "AveragePool", "GlobalAveragePool", "ReduceMean", "Softmax",
                                 "ArgMax", "PRelu", "Relu", "Pad", "Resize", "DepthToSpace"}) {
    SCOPED_TRACE(type);
    EXPECT_THROW((void)Import(Parse(on_constant(type).Finish())), Error);
  }
  ExpectError(on_constant("Conv"), "n2 (Conv): w_d is constant");
  ExpectError(on_constant("MatMul"), "both operands are constant");
}

TEST(Import, RefusesWeightsBeyondInt8) {
  ModelBuilder model = WithInput();
  model.Constant<std::uint8_t>("w_q", kUint8Type, {1, 2, 1, 1}, {255, 1});
  model.Scale<std::uint8_t>("w", 0.5F, 5).Dequantize("w");
  model.Node("Conv", {"x_d", "w_d"}, {"y"}).Quantize("y").Output("y_d");
  ExpectError(model, "weights w_d have a value 250 from the zero point; quantise them as int8");
}

}  // namespace
}  // namespace tpu::onnx
