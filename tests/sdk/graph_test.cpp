// SPDX-License-Identifier: Apache-2.0
// tpu::Graph: what it makes of an operator's description, and what it refuses. rebuild_test
// compares its programs with those of files.
#include "tpu/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tpu/device.h"
#include "tpu/error.h"
#include "tpu/model.h"
#include "tpu/program.h"
#include "tpu/session.h"

namespace tpu {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <typename Action>
std::string ErrorOf(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

Graph::Tensor Zeros(Graph& graph, const Shape& shape, TensorOptions options = {}) {
  std::size_t elements = 1;
  for (const std::int64_t d : shape) elements *= static_cast<std::size_t>(d);
  return graph.Constant<std::int8_t>(shape, std::vector<std::int8_t>(elements), std::move(options));
}

std::vector<std::int8_t> OutputOf(const Graph& graph, const std::vector<std::int8_t>& input) {
  const auto device = MakeDevice("golden", {});
  Session session(*device, Program::Compile(Model::FromGraph(graph), {}));
  session.SetInput<std::int8_t>("x", input);
  session.Run();
  return session.Output<std::int8_t>("y");
}

TEST(Graph, TakesWhatIsLeftOpenFromTheFirstInput) {
  Graph graph;
  const auto x = graph.Input({1, 4}, {.name = "x", .scale = 0.5F, .zero_point = -3});
  const TensorInfo same = graph.Info(graph.Reshape(x, {2, 2}));
  EXPECT_EQ(same.name, "t1");
  EXPECT_EQ(same.scale, 0.5F);
  EXPECT_EQ(same.zero_point, -3);
  EXPECT_THAT(same.shape, ElementsAre(2, 2));
  const TensorInfo told = graph.Info(graph.LeakyRelu(x, 0.1F, {.scale = 0.25F, .zero_point = 7}));
  EXPECT_EQ(told.scale, 0.25F);
  EXPECT_EQ(told.zero_point, 7);
}

TEST(Graph, TakesWhatIsLeftOpenFromTheOperator) {
  Graph graph;
  const auto x = graph.Input({1, 4});
  EXPECT_EQ(graph.Info(graph.Softmax(x)).scale, 1.0F / 256);
  EXPECT_EQ(graph.Info(graph.Softmax(x)).zero_point, -128);
  EXPECT_EQ(graph.Info(graph.Unary(UnaryKind::kTanh, x)).scale, 1.0F / 128);
  EXPECT_EQ(graph.Info(graph.Unary(UnaryKind::kTanh, x)).zero_point, 0);
  EXPECT_EQ(graph.Info(graph.Unary(UnaryKind::kLogistic, x)).zero_point, -128);
  EXPECT_EQ(graph.Info(graph.ArgMax(x, -1)).type, ElementType::kInt32);
  EXPECT_EQ(graph.Info(graph.Dequantize(x)).type, ElementType::kFloat32);
  const auto real = graph.Input({1, 4}, {.type = ElementType::kFloat32});
  EXPECT_EQ(graph.Info(graph.Quantize(real)).type, ElementType::kInt8);
}

TEST(Graph, WorksOutShapes) {
  Graph graph;
  const auto x = graph.Input({2, 5, 7, 6});
  const auto shape = [&](Graph::Tensor tensor) { return graph.Info(tensor).shape; };
  const WindowOptions same = {.stride = {2, 3}, .same_padding = true};
  const WindowOptions padded = {.dilation = {2, 1}, .padding = {.top = 1, .right = 2}};
  EXPECT_THAT(shape(graph.Conv2D(x, Zeros(graph, {4, 3, 2, 3}), {}, same)),
              ElementsAre(2, 3, 3, 4));
  EXPECT_THAT(shape(graph.Conv2D(x, Zeros(graph, {4, 3, 2, 6}), {}, padded)),
              ElementsAre(2, 2, 8, 4));
  EXPECT_THAT(shape(graph.DepthwiseConv2D(x, Zeros(graph, {1, 2, 2, 12}), {})),
              ElementsAre(2, 4, 6, 12));
  EXPECT_THAT(
      shape(graph.TransposeConv(x, Zeros(graph, {3, 2, 2, 6}), {}, {10, 14}, {.stride = {2, 2}})),
      ElementsAre(2, 10, 14, 3));
  EXPECT_THAT(shape(graph.FullyConnected(x, Zeros(graph, {5, 42}), {})), ElementsAre(10, 5));
  EXPECT_THAT(shape(graph.FullyConnected(x, Zeros(graph, {5, 42}), {}, Activation::kNone,
                                         {.shape = {2, 5, 5}})),
              ElementsAre(2, 5, 5));
  EXPECT_THAT(shape(graph.Pool2D(PoolKind::kMax, x, {2, 2}, {.stride = {2, 2}})),
              ElementsAre(2, 2, 3, 6));
  EXPECT_THAT(shape(graph.Reduce(ReduceKind::kMean, x, {1, -2})), ElementsAre(2, 6));
  EXPECT_THAT(shape(graph.Reduce(ReduceKind::kSum, x, {1}, true)), ElementsAre(2, 1, 7, 6));
  EXPECT_THAT(shape(graph.Binary(BinaryKind::kAdd, x, Zeros(graph, {7, 1}))),
              ElementsAre(2, 5, 7, 6));
  EXPECT_THAT(shape(graph.ArgMin(x, 1)), ElementsAre(2, 7, 6));
  EXPECT_THAT(shape(graph.Resize(ResizeKind::kNearest, x, {10, 3})), ElementsAre(2, 10, 3, 6));
}

TEST(Graph, WorksOutShapesOfProductsAndSums) {
  Graph graph;
  const auto x = graph.Input({2, 3, 4}, {.scale = 0.5F});
  const auto shape = [&](Graph::Tensor tensor) { return graph.Info(tensor).shape; };
  EXPECT_THAT(shape(graph.BatchMatMul(x, Zeros(graph, {4, 6}))), ElementsAre(2, 3, 6));
  EXPECT_THAT(shape(graph.Divide(x, Zeros(graph, {4}, {.zero_point = 1}))), ElementsAre(2, 3, 4));
  EXPECT_THAT(shape(graph.SquaredDifference(x, x)), ElementsAre(2, 3, 4));
  EXPECT_THAT(shape(graph.AddN(std::array{x, x, x})), ElementsAre(2, 3, 4));
  EXPECT_THAT(shape(graph.Function(FunctionKind::kRsqrt, x)), ElementsAre(2, 3, 4));
  EXPECT_THAT(shape(graph.Unary(UnaryKind::kElu, x)), ElementsAre(2, 3, 4));
  const auto normalised = graph.L2Normalization(x);
  EXPECT_THAT(shape(normalised), ElementsAre(2, 3, 4));
  EXPECT_EQ(graph.Info(normalised).scale, 1.0F / 128);
}

TEST(Graph, WorksOutShapesOfFloats) {
  Graph graph;
  const auto input = [&](Shape shape) {
    return graph.Input(std::move(shape), {.type = ElementType::kFloat32});
  };
  const auto x = input({2, 3, 4});
  const auto shape = [&](Graph::Tensor tensor) { return graph.Info(tensor).shape; };
  EXPECT_THAT(shape(graph.Function(FunctionKind::kExp, x)), ElementsAre(2, 3, 4));
  EXPECT_THAT(shape(graph.Divide(x, input({4}))), ElementsAre(2, 3, 4));
  EXPECT_THAT(shape(graph.SquaredDifference(input({3, 1}), x)), ElementsAre(2, 3, 4));
  EXPECT_THAT(shape(graph.BatchMatMul(x, input({5, 1, 4, 6}))), ElementsAre(5, 2, 3, 6));
  EXPECT_THAT(shape(graph.BatchMatMul(x, input({6, 3}), true, true)), ElementsAre(2, 4, 6));
  EXPECT_EQ(graph.Info(graph.Softmax(x)).type, ElementType::kFloat32);
  EXPECT_EQ(graph.Info(graph.Unary(UnaryKind::kTanh, x)).type, ElementType::kFloat32);
}

TEST(Graph, WorksOutShapesOfWhatMovesValues) {
  Graph graph;
  const auto x = graph.Input({2, 4, 6, 8});
  const auto shape = [&](Graph::Tensor tensor) { return graph.Info(tensor).shape; };
  const std::array<Graph::Tensor, 2> two = {x, x};
  EXPECT_THAT(shape(graph.Pad(x, {0, 1, 2, 0}, {0, 3, 0, 0})), ElementsAre(2, 8, 8, 8));
  EXPECT_THAT(shape(graph.Concatenation(two, -1)), ElementsAre(2, 4, 6, 16));
  const auto parts = graph.Split(x, 2, {1, 5});
  EXPECT_THAT(shape(parts.at(1)), ElementsAre(2, 4, 5, 8));
  EXPECT_THAT(shape(graph.Slice(x, {0, 3, 0, 1}, {2, 2, 6, 3}, {1, -2, 1, 2})),
              ElementsAre(2, 2, 6, 3));
  EXPECT_THAT(shape(graph.Pack(two, 1)), ElementsAre(2, 2, 4, 6, 8));
  EXPECT_EQ(graph.Unpack(x, 1).size(), 4U);
  EXPECT_THAT(shape(graph.Transpose(x, {3, 0, 1, 2})), ElementsAre(8, 2, 4, 6));
  EXPECT_THAT(shape(graph.Gather(x, 1, {3, 3, 0})), ElementsAre(2, 3, 6, 8));
  EXPECT_THAT(shape(graph.Gather(x, 1, {3}, Shape{})), ElementsAre(2, 6, 8));
  EXPECT_THAT(shape(graph.SpaceToBatch(x, {2, 3}, {0, 0}, {0, 3})), ElementsAre(12, 2, 3, 8));
  EXPECT_THAT(shape(graph.BatchToSpace(x, {2, 1}, {1, 0}, {0, 2})), ElementsAre(1, 7, 4, 8));
  EXPECT_THAT(shape(graph.SpaceToDepth(x, 2)), ElementsAre(2, 2, 3, 32));
  EXPECT_THAT(shape(graph.DepthToSpace(x, 2)), ElementsAre(2, 8, 12, 2));
  EXPECT_THAT(shape(graph.Tile(x, {1, 2, 3, 1})), ElementsAre(2, 8, 18, 8));
}

TEST(Graph, RunsATable) {
  Graph graph;
  std::array<std::int8_t, 256> table{};
  table[3] = 30;
  table[254] = -20;
  graph.Output(graph.Lookup(graph.Input({1, 4}, {.name = "x"}), table, {.name = "y"}));
  EXPECT_THAT(OutputOf(graph, {3, 0, -2, 3}), ElementsAre(30, 0, -20, 30));
}

// 2 x + 100 for x = 10 and 3 x - 1.
TEST(Graph, RunsAProduct) {
  Graph graph;
  const auto x = graph.Input({1, 1}, {.name = "x"});
  const std::array<std::int8_t, 2> weights = {2, 3};
  const std::array<std::int32_t, 2> bias = {100, -1};
  graph.Output(graph.FullyConnected(x, graph.Constant<std::int8_t>({2, 1}, weights),
                                    graph.Constant<std::int32_t>({2}, bias), Activation::kNone,
                                    {.name = "y"}));
  EXPECT_THAT(OutputOf(graph, {10}), ElementsAre(120, 29));
}

// Numbers that bfloat16 holds: 2 x + 1/4 for x = 1.5 and -3 x + 100.
TEST(Graph, RunsAProductOfFloats) {
  Graph graph;
  const auto x = graph.Input({1, 1}, {.name = "x", .type = ElementType::kFloat32});
  const std::array<float, 2> weights = {2.0F, -3.0F};
  const std::array<float, 2> bias = {0.25F, 100.0F};
  graph.Output(graph.FullyConnected(x, graph.Constant<float>({2, 1}, weights),
                                    graph.Constant<float>({2}, bias), Activation::kNone,
                                    {.name = "y"}));
  const HardwareConfig machine = {.bf16 = 1};
  const auto device = MakeDevice("golden", machine);
  Session session(*device, Program::Compile(Model::FromGraph(graph), machine));
  session.SetInput<float>("x", std::array{1.5F});
  session.Run();
  EXPECT_THAT(session.Output<float>("y"), ElementsAre(3.25F, 95.5F));
}

TEST(Graph, FloatsNeedAMachineWithBf16) {
  Graph graph;
  const auto x = graph.Input({4}, {.type = ElementType::kFloat32});
  graph.Output(graph.LeakyRelu(x, 0.5F));
  EXPECT_THAT(ErrorOf([&] { Program::Compile(Model::FromGraph(graph), {}); }), HasSubstr("bf16"));
}

TEST(Graph, PadsFloatsWithZeroWhateverTheirZeroPoint) {
  Graph graph;
  const auto x = graph.Input({1}, {.name = "x", .type = ElementType::kFloat32, .zero_point = 3});
  graph.Output(graph.Pad(x, {1}, {1}, {}, {.name = "y"}));
  const auto device = MakeDevice("golden", {});
  Session session(*device, Program::Compile(Model::FromGraph(graph), {}));
  session.SetInput<float>("x", std::array{1.5F});
  session.Run();
  EXPECT_THAT(session.Output<float>("y"), ElementsAre(0.0F, 1.5F, 0.0F));
}

TEST(Graph, TakesTheMostPadding) {
  for (const Padding padding :
       {Padding{.top = 255}, Padding{.left = 255}, Padding{.bottom = 255}, Padding{.right = 255}}) {
    Graph graph;
    const auto x = graph.Input({1, 8, 8, 4});
    graph.Output(graph.Conv2D(x, Zeros(graph, {4, 3, 3, 4}), {}, {.padding = padding}));
    EXPECT_NO_THROW(Program::Compile(Model::FromGraph(graph), {}));
  }
}

TEST(Graph, IsNotPartOfAModelThatWasMadeBefore) {
  Graph graph;
  const auto x = graph.Input({1, 4}, {.name = "x"});
  graph.Output(graph.LeakyRelu(x, 0.5F));
  const Model model = Model::FromGraph(graph);
  graph.Output(graph.LeakyRelu(x, 0.25F));
  EXPECT_EQ(model.outputs().size(), 1U);
  EXPECT_EQ(model.operators().size(), 1U);
  EXPECT_EQ(Model::FromGraph(graph).operators().at(1).name, "op1");
}

TEST(Graph, StaysAsItWasAfterAnError) {
  Graph graph;
  const auto x = graph.Input({1, 4}, {.name = "x"});
  const std::array<Result, 2> results = {Result{}, Result{.zero_point = 1000}};
  EXPECT_EQ(ErrorOf([&] {
              graph.Split(x, 1, {2, 2}, results);
            }),
            "op0 (SPLIT): tensor t2: zero point 1000 is not an int8");
  const auto y = graph.LeakyRelu(x, 0.5F);
  EXPECT_EQ(graph.Info(y).name, "t1");
  graph.Output(y);
  EXPECT_EQ(Model::FromGraph(graph).operators().at(0).name, "op0");
}

TEST(Graph, CanBeMoved) {
  Graph first;
  const auto x = first.Input({1, 4}, {.name = "x"});
  Graph second = std::move(first);
  EXPECT_THAT(second.Info(second.Reshape(x, {4})).shape, ElementsAre(4));
}

TEST(Graph, ErrorsOfTheCompilerNameTheGraph) {
  Graph graph;
  const auto x = graph.Input({1, 600, 1, 8});
  graph.Output(graph.Conv2D(x, Zeros(graph, {8, 1, 1, 8}), {}, {.stride = {300, 1}}));
  EXPECT_THAT(ErrorOf([&] { Program::Compile(Model::FromGraph(graph, "mine"), {}); }),
              HasSubstr("mine: op0 (CONV_2D): strides must lie between 1 and 255"));
}

struct Case {
  const char* name;
  std::function<void(Graph& graph, Graph::Tensor x)> build;  // x is [1, 4, 4, 8].
  const char* message;
};

const Case kCases[] = {
    {"Scale", [](Graph& g, auto) { g.Input({1}, {.scale = 0.0F}); },
     "tensor t1: the scale is 0; should be above 0"},
    {"ChannelScale",
     [](Graph& g, auto) {
       Zeros(g, {1, 1, 1, 2}, {.channel_scales = {1.0F, -1.0F}});
     },
     "the scale of a channel is -1; should not be below 0"},
    {"ZeroPoint",
     [](Graph& g, auto) { g.Input({1}, {.type = ElementType::kUint8, .zero_point = -1}); },
     "tensor t1: zero point -1 is not an uint8"},
    {"EmptyDimension",
     [](Graph& g, auto) {
       g.Input({1, 0});
     },
     "tensor t1: [1, 0] has a dimension below 1"},
    {"TooLarge",
     [](Graph& g, auto) {
       g.Input({1 << 20, 1 << 20, 1 << 30, 1 << 30});
     },
     "has too many elements"},
    {"ValuesOfConstant",
     [](Graph& g, auto) { g.Constant<std::int8_t>({3}, std::vector<std::int8_t>(2)); },
     "tensor t1: 2 values do not make its shape of 3"},
    {"InputTwice", [](Graph& g, auto) { g.Input({1}, {.name = "x"}); },
     "tensor x: there is an input of that name already"},
    {"OutputTwice",
     [](Graph& g, auto x) {
       g.Output(x);
       g.Output(x);
     },
     "tensor x: there is an output of that name already"},
    {"OtherGraph",
     [](Graph& g, auto) {
       Graph other;
       g.Reshape(other.Input({1}), {1});
     },
     "op0 (RESHAPE): a tensor belongs to another graph"},
    {"NoOutput", [](Graph& g, auto) { Model::FromGraph(g); }, "graph: has no output"},
    {"TypeOfActivations",
     [](Graph& g, auto) {
       g.LeakyRelu(g.Input({1}, {.name = "u", .type = ElementType::kUint8}), 0.1F);
     },
     "op0 (LEAKY_RELU): u is uint8; should be int8 or float32"},
    {"TypesOfActivations",
     [](Graph& g, auto x) {
       g.Binary(BinaryKind::kAdd, x, g.Input({1}, {.name = "f", .type = ElementType::kFloat32}));
     },
     "op0 (ADD): f is float32; should be int8"},
    {"FunctionOfIntegers", [](Graph& g, auto x) { g.Function(FunctionKind::kExp, x); },
     "op0 (EXP): x is int8; should be float32"},
    {"TypeOfFloatResult",
     [](Graph& g, auto) {
       const auto f = g.Input({1}, {.type = ElementType::kFloat32});
       g.Unary(UnaryKind::kTanh, f, {.name = "y", .type = ElementType::kInt8});
     },
     "op0 (TANH): y is int8; should be float32"},
    {"WeightsForFloats",
     [](Graph& g, auto) {
       const auto f = g.Input({1, 4}, {.type = ElementType::kFloat32});
       g.FullyConnected(f, Zeros(g, {2, 4}, {.name = "w"}), {});
     },
     "op0 (FULLY_CONNECTED): weights w must be constant float32"},
    {"BiasForFloats",
     [](Graph& g, auto) {
       const auto f = g.Input({1, 1}, {.type = ElementType::kFloat32});
       const std::array<float, 1> weights = {1.0F};
       g.FullyConnected(f, g.Constant<float>({1, 1}, weights), Zeros(g, {1}, {.name = "b"}));
     },
     "op0 (FULLY_CONNECTED): bias b must be constant float32"},
    {"MatricesThatDoNotMeet",
     [](Graph& g, auto) {
       const auto f = g.Input({2, 3}, {.type = ElementType::kFloat32});
       g.BatchMatMul(f, f);
     },
     "op0 (BATCH_MATMUL): 3 columns of the first matrices meet 2 rows of the second"},
    {"NoMatrices",
     [](Graph& g, auto) {
       const auto f = g.Input({2}, {.name = "f", .type = ElementType::kFloat32});
       g.BatchMatMul(f, f);
     },
     "op0 (BATCH_MATMUL): f [2] must have 2 dimensions or more"},
    {"OneTerm", [](Graph& g, auto x) { g.AddN(std::array{x}); },
     "op0 (ADD_N): has 1 inputs; at least 2"},
    {"TermsOfOtherScales",
     [](Graph& g, auto x) {
       g.AddN(std::array{x, g.Input({1, 4, 4, 8}, {.name = "other", .scale = 0.75F})});
     },
     "and other must have the same scale and zero point"},
    {"FactorOfRsqrt",
     [](Graph& g, auto x) { g.Function(FunctionKind::kRsqrt, x, {.scale = 100000.0F}); },
     "op0 (RSQRT): the scales make too small a factor"},
    {"TypeOfResult",
     [](Graph& g, auto x) { g.LeakyRelu(x, 0.1F, {.name = "y", .type = ElementType::kInt16}); },
     "op0 (LEAKY_RELU): y is int16; should be int8"},
    {"FactorOfScales", [](Graph& g, auto x) { g.LeakyRelu(x, 0.1F, {.scale = 1e-12F}); },
     "op0 (LEAKY_RELU): the scales make a factor of 1e+12, which is too large"},
    {"OperatorName", [](Graph& g, auto x) { g.Reshape(x, {3}, {.operator_name = "flatten"}); },
     "flatten (RESHAPE): the new shape [3] does not have 128 elements"},
    {"ShapeOfResult", [](Graph& g, auto x) { g.LeakyRelu(x, 0.1F, {.shape = {128}}); },
     "op0 (LEAKY_RELU): the result is [1, 4, 4, 8], not [128]"},
    {"WeightsThatChange",
     [](Graph& g, auto x) {
       g.Conv2D(x, g.Input({1, 1, 1, 8}, {.name = "w"}), {});
     },
     "op0 (CONV_2D): weights w must be constant int8"},
    {"ZeroPointOfWeights",
     [](Graph& g, auto x) {
       g.Conv2D(x, Zeros(g, {1, 1, 1, 8}, {.name = "w", .zero_point = 1}), {});
     },
     "op0 (CONV_2D): weights w must have zero point 0"},
    {"ScalesOfWeights",
     [](Graph& g, auto x) {
       g.Conv2D(x, Zeros(g, {3, 1, 1, 8}, {.name = "w", .channel_scales = {1.0F, 1.0F}}), {});
     },
     "op0 (CONV_2D): weights w have 2 scales for 3 channels"},
    {"Groups",
     [](Graph& g, auto x) {
       g.Conv2D(x, Zeros(g, {4, 1, 1, 3}), {});
     },
     "op0 (CONV_2D): 8 input channels are no multiple of the weights' 3"},
    {"Bias",
     [](Graph& g, auto x) {
       g.Conv2D(x, Zeros(g, {4, 1, 1, 8}), Zeros(g, {4}));
     },
     "must be constant int32"},
    {"LengthOfBias",
     [](Graph& g, auto x) {
       g.Conv2D(x, Zeros(g, {4, 1, 1, 8}),
                g.Constant<std::int32_t>({3}, std::vector<std::int32_t>(3), {.name = "b"}));
     },
     "op0 (CONV_2D): bias b has 3 values for 4 channels"},
    {"WindowTooLarge",
     [](Graph& g, auto x) {
       g.Conv2D(x, Zeros(g, {1, 5, 1, 8}), {});
     },
     "op0 (CONV_2D): the window 5x1 is larger than the image 4x4"},
    {"Stride",
     [](Graph& g, auto x) {
       g.Pool2D(PoolKind::kMax, x, {2, 2}, {.stride = {0, 1}});
     },
     "op0 (MAX_POOL_2D): stride 0x1 is out of range"},
    {"Padding",
     [](Graph& g, auto x) {
       g.Pool2D(PoolKind::kMax, x, {2, 2}, {.padding = {.left = 256}});
     },
     "op0 (MAX_POOL_2D): a padding of 256 is out of range"},
    {"PaddingBesideSame",
     [](Graph& g, auto x) {
       g.Pool2D(PoolKind::kMax, x, {2, 2}, {.padding = {.top = 1}, .same_padding = true});
     },
     "op0 (MAX_POOL_2D): there is a padding beside same_padding"},
    {"PoolThatRescales",
     [](Graph& g, auto x) {
       g.Pool2D(PoolKind::kAverage, x, {2, 2}, {}, {.zero_point = 3});
     },
     "op0 (AVERAGE_POOL_2D): x and the result must have the same scale and zero point"},
    {"DepthwiseChannels",
     [](Graph& g, auto x) {
       g.DepthwiseConv2D(x, Zeros(g, {1, 1, 1, 9}), {});
     },
     "op0 (DEPTHWISE_CONV_2D): 9 output channels are no multiple of 8 input channels"},
    {"SizeOfTransposeConv",
     [](Graph& g, auto x) {
       g.TransposeConv(x, Zeros(g, {1, 1, 1, 8}), {}, {9, 4});
     },
     "op0 (TRANSPOSE_CONV): an output of 9x4 does not belong to an input of 4x4"},
    {"Rows",
     [](Graph& g, auto x) {
       g.FullyConnected(x, Zeros(g, {2, 7}), {});
     },
     "op0 (FULLY_CONNECTED): x [1, 4, 4, 8] does not make rows of 7 values"},
    {"Broadcast", [](Graph& g, auto x) { g.Binary(BinaryKind::kAdd, x, Zeros(g, {3})); },
     "op0 (ADD): [1, 4, 4, 8] and [3] do not broadcast"},
    {"MaximumThatRescales",
     [](Graph& g, auto x) { g.Binary(BinaryKind::kMaximum, x, x, {}, {.scale = 2.0F}); },
     "op0 (MAXIMUM): x and the result must have the same scale and zero point"},
    {"Slopes",
     [](Graph& g, auto x) {
       g.Prelu(x, Zeros(g, {2, 1, 1, 1}));
     },
     "op0 (PRELU): the slopes [2, 1, 1, 1] do not broadcast to [1, 4, 4, 8]"},
    {"Alpha", [](Graph& g, auto x) { g.LeakyRelu(x, std::numeric_limits<float>::infinity()); },
     "op0 (LEAKY_RELU): alpha is inf"},
    {"ZeroPointOfTanh", [](Graph& g, auto x) { g.Unary(UnaryKind::kTanh, x, {.zero_point = 1}); },
     "op0 (TANH): the result must have zero point 0, not 1"},
    {"Beta", [](Graph& g, auto x) { g.Softmax(x, 0.0F); }, "op0 (SOFTMAX): beta is 0"},
    {"Axis", [](Graph& g, auto x) { g.ArgMax(x, 4); },
     "op0 (ARG_MAX): there is no axis 4 among 4 dimensions"},
    {"NoAxes", [](Graph& g, auto x) { g.Reduce(ReduceKind::kMean, x, {}); },
     "op0 (MEAN): there are no axes to reduce"},
    {"Margins",
     [](Graph& g, auto x) {
       g.Pad(x, {0, 0, -1, 0}, {0, 0, 0, 0});
     },
     "op0 (PAD): a margin is -1"},
    {"Fill",
     [](Graph& g, auto x) {
       g.Pad(x, {0, 0, 0, 0}, {0, 0, 0, 0}, 200);
     },
     "op0 (PAD): the fill 200 is not from -128 to 127"},
    {"Concatenation",
     [](Graph& g, auto x) {
       const std::array<Graph::Tensor, 2> inputs = {x, g.Input({1, 4, 3, 8}, {.name = "z"})};
       g.Concatenation(inputs, 3);
     },
     "op0 (CONCATENATION): z [1, 4, 3, 8] does not fit [1, 4, 4, 8] along axis 3"},
    {"NothingToPack", [](Graph& g, auto) { g.Pack({}, 0); }, "op0 (PACK): has no inputs"},
    {"Sizes",
     [](Graph& g, auto x) {
       g.Split(x, 3, {4, 3});
     },
     "op0 (SPLIT): the sizes [4, 3] do not make the dimension of 8"},
    {"Results",
     [](Graph& g, auto x) {
       g.Split(x, 3, {4, 4}, std::array<Result, 1>{});
     },
     "op0 (SPLIT): 1 results are described; it has 2"},
    {"Slice",
     [](Graph& g, auto x) {
       g.Slice(x, {0, 1, 0, 0}, {1, 2, 4, 8}, {1, -2, 1, 1});
     },
     "op0 (STRIDED_SLICE): 2 elements from 1 on with stride -2 leave a dimension of 4"},
    {"Permutation",
     [](Graph& g, auto x) {
       g.Transpose(x, {0, 1, 1, 2});
     },
     "op0 (TRANSPOSE): [0, 1, 1, 2] is no permutation of 4 axes"},
    {"Index", [](Graph& g, auto x) { g.Gather(x, 1, {4}); },
     "op0 (GATHER): index 4 is outside a dimension of 4"},
    {"Blocks",
     [](Graph& g, auto x) {
       g.SpaceToBatch(x, {3, 1}, {0, 0}, {0, 0});
     },
     "op0 (SPACE_TO_BATCH_ND): axis 1 with its margins, 4, is no multiple of 3"},
    {"Depth", [](Graph& g, auto x) { g.DepthToSpace(x, 3); },
     "op0 (DEPTH_TO_SPACE): 8 channels are no multiple of 9"},
    {"Multiples",
     [](Graph& g, auto x) {
       g.Tile(x, {1, 0, 1, 1});
     },
     "op0 (TILE): a multiple is 0"},
    {"NewSize",
     [](Graph& g, auto x) {
       g.Resize(ResizeKind::kBilinear, x, {0, 4});
     },
     "op0 (RESIZE_BILINEAR): the new size 0x4 is out of range"},
};

class GraphErrors : public testing::TestWithParam<Case> {};

TEST_P(GraphErrors, NameTheOperatorAndTheTensor) {
  Graph graph;
  const auto x = graph.Input({1, 4, 4, 8}, {.name = "x"});
  const std::string message = ErrorOf([&] { GetParam().build(graph, x); });
  EXPECT_THAT(message, HasSubstr(GetParam().message));
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Cases, GraphErrors, testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tpu
