// SPDX-License-Identifier: Apache-2.0
// TensorFlow Lite's float operators in the tensor language compute what plain loops do, for one
// example and for several.
#include "tensor/from_tflite/from_tflite.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "frontends/tflite/import.h"
#include "frontends/tflite/parse.h"
#include "tensor/print.h"
#include "tests/compiler/float_reference.h"
#include "tests/tensor/evaluate.h"

namespace tpu::tensor {
namespace {

using Ids = std::vector<ir::TensorId>;

// A graph grown operator by operator.
class TfliteGraph {
 public:
  explicit TfliteGraph(std::uint32_t seed) : random_(seed) {}

  ir::TensorId Input(ir::Shape shape) {
    graph_.inputs.push_back(Add("input", std::move(shape)));
    return graph_.inputs.back();
  }
  ir::TensorId Constant(ir::Shape shape, float lo = -1) {
    const ir::TensorId id = Add("constant", std::move(shape));
    graph_.tensors[id].data = Numbers(id, lo);
    return id;
  }
  ir::TensorId Make(ir::Attributes attributes, Ids inputs, ir::Shape shape) {
    return MakeAll(std::move(attributes), std::move(inputs), {std::move(shape)})[0];
  }
  Ids MakeAll(ir::Attributes attributes, Ids inputs, const std::vector<ir::Shape>& shapes) {
    Ids outputs;
    for (const ir::Shape& shape : shapes) outputs.push_back(Add("t", shape));
    graph_.operators.push_back({.name = fmt::format("op{}", graph_.operators.size()),
                                .inputs = std::move(inputs),
                                .outputs = outputs,
                                .attributes = std::move(attributes)});
    return outputs;
  }
  std::vector<float> Numbers(ir::TensorId id, float lo = -1) {
    std::vector<float> numbers(static_cast<std::size_t>(graph_.tensors[id].Elements()));
    for (float& n : numbers) n = std::uniform_real_distribution<float>(lo, 2)(random_);
    return numbers;
  }
  ir::Graph& graph() { return graph_; }

 private:
  ir::TensorId Add(const std::string& name, ir::Shape shape) {
    ir::Tensor tensor = {.name = fmt::format("{}{}", name, graph_.tensors.size()),
                         .type = tpu::ElementType::kFloat32};
    tensor.shape = std::move(shape);
    return graph_.AddTensor(std::move(tensor));
  }

  std::mt19937 random_;
  ir::Graph graph_;
};

struct Example {
  std::string name;
  std::function<ir::TensorId(TfliteGraph&)> make;
  float lo = -1;  ///< The least number that the inputs have.
};

std::vector<double> RunOn(const FromTfliteResult& result,
                          const std::vector<std::vector<float>>& data) {
  const Graph& graph = result.model.graph;
  std::vector<Values<double>> inputs;
  std::size_t next = 0;
  for (const ValueId id : graph.inputs) {
    const auto parameter =
        std::find_if(result.model.parameters.begin(), result.model.parameters.end(),
                     [&](const Parameter& p) { return p.value == id; });
    const std::vector<float>& from =
        parameter == result.model.parameters.end() ? data.at(next++) : parameter->initial;
    inputs.emplace_back(from.begin(), from.end());
  }
  return Evaluate(graph, inputs).at(0);
}

constexpr ir::Extent kTwo = {.h = 2, .w = 2};
constexpr ir::Extent kThree = {.h = 3, .w = 3};
constexpr ir::Padding kUneven = {.top = 1, .left = 0, .bottom = 1, .right = 2};

std::vector<Example> WindowModels() {
  return {
      {"CONV_2D",
       [](TfliteGraph& g) {
         const ir::Conv2D op = {.stride = {.h = 2, .w = 1},
                                .dilation = {.h = 1, .w = 2},
                                .padding = kUneven,
                                .activation = ir::Activation::kRelu6};
         return g.Make(op, {g.Input({1, 5, 6, 3}), g.Constant({2, 3, 2, 3}), g.Constant({2})},
                       {1, 3, 6, 2});
       }},
      {"CONV_2D in groups",
       [](TfliteGraph& g) {
         return g.Make(ir::Conv2D{}, {g.Input({1, 4, 4, 4}), g.Constant({6, 2, 2, 2})},
                       {1, 3, 3, 6});
       }},
      {"DEPTHWISE_CONV_2D",
       [](TfliteGraph& g) {
         const ir::DepthwiseConv2D op = {.stride = {.h = 1, .w = 2}, .padding = kUneven};
         return g.Make(op, {g.Input({1, 4, 5, 2}), g.Constant({1, 3, 3, 4}), g.Constant({4})},
                       {1, 4, 3, 4});
       }},
      {"TRANSPOSE_CONV",
       [](TfliteGraph& g) {
         const ir::TransposeConv op = {.stride = kTwo,
                                       .padding = {.top = 1, .left = 0, .bottom = 0, .right = 1}};
         return g.Make(op, {g.Input({1, 3, 2, 2}), g.Constant({3, 3, 3, 2}), g.Constant({3})},
                       {1, 6, 4, 3});
       }},
      {"FULLY_CONNECTED",
       [](TfliteGraph& g) {
         return g.Make(ir::FullyConnected{.activation = ir::Activation::kRelu},
                       {g.Input({1, 2, 3}), g.Constant({4, 6}), g.Constant({4})}, {1, 4});
       }},
      {"BATCH_MATMUL",
       [](TfliteGraph& g) {
         return g.Make(ir::BatchMatMul{.transposed = {true, true}},
                       {g.Input({1, 2, 4, 3}), g.Constant({2, 5, 4})}, {1, 2, 3, 5});
       }},
      {"MAX_POOL_2D",
       [](TfliteGraph& g) {
         const ir::Pool2D op = {.filter = kThree, .stride = kTwo, .padding = kUneven};
         return g.Make(op, {g.Input({1, 5, 5, 2})}, {1, 3, 3, 2});
       }},
      {"AVERAGE_POOL_2D",
       [](TfliteGraph& g) {
         const ir::Pool2D op = {.kind = ir::PoolKind::kAverage,
                                .filter = kThree,
                                .stride = kTwo,
                                .padding = kUneven,
                                .activation = ir::Activation::kReluN1To1};
         return g.Make(op, {g.Input({1, 5, 5, 2})}, {1, 3, 3, 2});
       }},
      {"AVERAGE_POOL_2D without padding",
       [](TfliteGraph& g) {
         const ir::Pool2D op = {
             .kind = ir::PoolKind::kAverage, .filter = kTwo, .stride = kTwo, .padding = {}};
         return g.Make(op, {g.Input({1, 4, 4, 2})}, {1, 2, 2, 2});
       }},
  };
}

template <typename Op>
Example OfOne(std::string name, Op op, float lo = -1) {
  return {std::move(name),
          [op](TfliteGraph& g) {
            return g.Make(op, {g.Input({1, 3, 4})}, {1, 3, 4});
          },
          lo};
}
template <typename Op>
Example OfTwo(std::string name, Op op, float lo = -1) {
  return {std::move(name),
          [op, lo](TfliteGraph& g) {
            const ir::TensorId sum =
                g.Make(op, {g.Input({1, 3, 4}), g.Constant({3, 1}, lo)}, {1, 3, 4});
            return g.Make(op, {sum, g.Constant({4}, lo)}, {1, 3, 4});
          },
          lo};
}

std::vector<Example> ElementModels() {
  std::vector<Example> models = {
      OfTwo("DIV", ir::Divide{}, 0.5F),
      OfTwo("SQUARED_DIFFERENCE", ir::SquaredDifference{}),
      {"ADD_N",
       [](TfliteGraph& g) {
         return g.Make(ir::AddN{}, {g.Input({1, 3, 4}), g.Input({1, 3, 4}), g.Input({1, 3, 4})},
                       {1, 3, 4});
       }},
      OfOne("LEAKY_RELU", ir::LeakyRelu{.alpha = 0.2F}),
      OfOne("SOFTMAX", ir::Softmax{.beta = 0.5F}),
      {"PRELU",
       [](TfliteGraph& g) {
         return g.Make(ir::Prelu{}, {g.Input({1, 3, 4}), g.Constant({4})}, {1, 3, 4});
       }},
      {"MEAN",
       [](TfliteGraph& g) {
         return g.Make(ir::Reduce{.kind = ir::ReduceKind::kMean, .axes = {1, 2}},
                       {g.Input({1, 3, 4, 2})}, {1, 2});
       }},
      {"SUM",
       [](TfliteGraph& g) {
         return g.Make(ir::Reduce{.kind = ir::ReduceKind::kSum, .axes = {2}}, {g.Input({1, 3, 4})},
                       {1, 3, 1});
       }},
  };
  for (int kind = 0; kind < 5; ++kind) {
    models.push_back(OfTwo(fmt::format("binary {}", kind),
                           ir::Binary{.kind = static_cast<ir::BinaryKind>(kind)}));
  }
  for (int kind = 0; kind < 7; ++kind) {
    models.push_back(OfOne(fmt::format("unary {}", kind),
                           ir::Unary{.kind = static_cast<ir::UnaryKind>(kind)}, -4));
  }
  for (int kind = 0; kind < 8; ++kind) {
    models.push_back(OfOne(fmt::format("function {}", kind),
                           ir::Function{.kind = static_cast<ir::FunctionKind>(kind)}, 0.5F));
  }
  return models;
}

std::vector<Example> MoveModels() {
  return {
      {"RESHAPE",
       [](TfliteGraph& g) {
         return g.Make(ir::Reshape{}, {g.Input({1, 3, 4})}, {1, 2, 6});
       }},
      {"PAD",
       [](TfliteGraph& g) {
         return g.Make(ir::Pad{.before = {0, 1, 0}, .after = {0, 0, 2}, .fill = 0},
                       {g.Input({1, 3, 4})}, {1, 4, 6});
       }},
      {"CONCATENATION",
       [](TfliteGraph& g) {
         return g.Make(ir::Concatenation{.axis = 2}, {g.Input({1, 3, 4}), g.Input({1, 3, 2})},
                       {1, 3, 6});
       }},
      {"PACK",
       [](TfliteGraph& g) {
         return g.Make(ir::Pack{.axis = 1}, {g.Input({1, 3}), g.Input({1, 3})}, {1, 2, 3});
       }},
      {"SPLIT",
       [](TfliteGraph& g) {
         const Ids parts =
             g.MakeAll(ir::SplitAxis{.axis = 2}, {g.Input({1, 3, 4})}, {{1, 3, 1}, {1, 3, 3}});
         return g.Make(ir::Binary{.kind = ir::BinaryKind::kSub}, {parts[1], parts[0]}, {1, 3, 3});
       }},
      {"UNPACK",
       [](TfliteGraph& g) {
         const Ids parts = g.MakeAll(ir::Unpack{.axis = 1}, {g.Input({1, 2, 4})}, {{1, 4}, {1, 4}});
         return g.Make(ir::Binary{.kind = ir::BinaryKind::kSub}, {parts[1], parts[0]}, {1, 4});
       }},
      {"STRIDED_SLICE",
       [](TfliteGraph& g) {
         return g.Make(ir::Slice{.begin = {0, 2, 0}, .size = {1, 1, 2}, .stride = {1, 1, 3}},
                       {g.Input({1, 3, 4})}, {1, 2});
       }},
      {"STRIDED_SLICE backwards",
       [](TfliteGraph& g) {
         return g.Make(ir::Slice{.begin = {0, 2, 3}, .size = {1, 3, 2}, .stride = {1, -1, -2}},
                       {g.Input({1, 3, 4})}, {1, 3, 2});
       }},
      {"TRANSPOSE of the batch",
       [](TfliteGraph& g) {
         const ir::TensorId there =
             g.Make(ir::Transpose{.permutation = {1, 0, 2}}, {g.Input({1, 3, 4})}, {3, 1, 4});
         return g.Make(ir::Transpose{.permutation = {1, 2, 0}}, {there}, {1, 4, 3});
       }},
      {"TRANSPOSE",
       [](TfliteGraph& g) {
         return g.Make(ir::Transpose{.permutation = {0, 2, 1}}, {g.Input({1, 3, 4})}, {1, 4, 3});
       }},
  };
}

TEST(FromTflite, ComputesWhatPlainLoopsDoForAnyBatch) {
  std::vector<Example> models = WindowModels();
  for (Example& model : ElementModels()) models.push_back(std::move(model));
  for (Example& model : MoveModels()) models.push_back(std::move(model));
  for (const Example& model : models) {
    SCOPED_TRACE(model.name);
    TfliteGraph g(1);
    g.graph().outputs = {model.make(g)};
    constexpr std::size_t kBatch = 3;
    std::vector<std::vector<float>> data(g.graph().inputs.size());
    std::vector<double> expected;
    for (std::size_t example = 0; example < kBatch; ++example) {
      std::vector<std::vector<float>> one;
      for (std::size_t i = 0; i < data.size(); ++i) {
        one.push_back(g.Numbers(g.graph().inputs[i], model.lo));
        data[i].insert(data[i].end(), one[i].begin(), one[i].end());
      }
      std::vector<double> values;
      const std::vector<reference::Numbers> outputs = reference::EvaluateFloats(g.graph(), one);
      for (const reference::Number& n : outputs.at(0)) values.push_back(n.value);
      expected.insert(expected.end(), values.begin(), values.end());
      if (example > 0) continue;
      const std::vector<double> got = RunOn(FromTflite(g.graph()), one);
      EXPECT_THAT(got, testing::Pointwise(testing::DoubleNear(1e-6), values));
    }
    const FromTfliteResult result = FromTflite(g.graph(), {.batch = kBatch});
    SCOPED_TRACE(Print(result.model.graph));
    Verify(result.model.graph);
    EXPECT_THAT(RunOn(result, data), testing::Pointwise(testing::DoubleNear(1e-6), expected));
    if (HasFailure()) return;
  }
}

std::vector<float> ReadFloats(const std::filesystem::path& path) {
  const std::vector<std::uint8_t> bytes = ReadBytes(path);
  std::vector<float> floats(bytes.size() / sizeof(float));
  std::memcpy(floats.data(), bytes.data(), bytes.size());
  return floats;
}

// The models of models/float_vectors, with TensorFlow Lite Micro's outputs behind their inputs.
TEST(FromTflite, ComputesWhatTensorFlowLiteDoes) {
  const auto folder = std::filesystem::path(TPU_SOURCE_DIR) / "models" / "float_vectors";
  std::set<std::string> refused;
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".tflite") continue;
    const std::string name = entry.path().stem().string();
    SCOPED_TRACE(name);
    const ir::Graph graph = tflite::Import(tflite::Load(entry.path()));
    std::vector<float> values = ReadFloats(folder / (name + ".data"));
    std::vector<std::vector<float>> data;
    for (const ir::TensorId id : graph.inputs) {
      const auto end = values.begin() + graph.tensors[id].Elements();
      data.emplace_back(values.begin(), end);
      values.erase(values.begin(), end);
    }
    FromTfliteResult result;
    try {
      result = FromTflite(graph, {.batch = graph.tensors[graph.inputs[0]].shape[0]});
    } catch (const Error&) {
      refused.insert(name);
      continue;
    }
    ++compared;
    const std::vector<double> got = RunOn(result, data);
    ASSERT_EQ(got.size(), values.size());
    for (std::size_t e = 0; e < got.size(); ++e) {
      const auto expected = static_cast<double>(values[e]);
      EXPECT_NEAR(got[e], expected, 1e-5 * (1 + std::abs(expected))) << "element " << e;
    }
    EXPECT_NO_THROW(MakeTrainStep(result.model, {.loss = Loss::kMeanSquaredError}));
  }
  EXPECT_GT(compared, 40);
  EXPECT_THAT(refused, testing::ElementsAre("resize_bilinear", "resize_bilinear_half_pixel_centers",
                                            "resize_nearest_neighbor"));
}

// An input, a layer with a bias, a scale for each channel, one for all, softmax.
ir::Graph Classifier() {
  TfliteGraph g(1);
  const ir::TensorId x = g.Input({1, 4});
  const ir::TensorId hidden =
      g.Make(ir::FullyConnected{}, {x, g.Constant({3, 4}), g.Constant({3})}, {1, 3});
  const ir::TensorId scaled =
      g.Make(ir::Binary{.kind = ir::BinaryKind::kMul}, {hidden, g.Constant({3})}, {1, 3});
  const ir::TensorId halved =
      g.Make(ir::Binary{.kind = ir::BinaryKind::kMul}, {scaled, g.Constant({1})}, {1, 3});
  g.graph().outputs = {g.Make(ir::Softmax{}, {halved}, {1, 3})};
  return g.graph();
}

TEST(FromTflite, WeightsBecomeParametersAndOtherConstantsStay) {
  const ir::Graph graph = Classifier();
  const FromTfliteResult result = FromTflite(graph, {.batch = 2});
  ASSERT_EQ(result.tensors.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const ir::Tensor& tensor = graph.tensors[result.tensors[i]];
    const ValueId id = *FindInput(result.model.graph, tensor.name);
    EXPECT_EQ(id, result.model.parameters[i].value);
    EXPECT_EQ(result.model.graph.TypeOf(id).shape, tensor.shape);
    EXPECT_EQ(result.model.parameters[i].initial, std::get<std::vector<float>>(tensor.data));
  }
  const std::string bias = graph.tensors[result.tensors[1]].name;
  EXPECT_EQ(FromTflite(graph, {.frozen = {bias}}).tensors.size(), 2U);
  EXPECT_THROW(FromTflite(graph, {.frozen = {"nothing"}}), Error);
}

// What an ADD takes for each place may be an embedding to train, or a mask that must stay.
TEST(FromTflite, TrainsFurtherConstantsThatAreNamed) {
  TfliteGraph g(1);
  const ir::TensorId x = g.Input({1, 3, 4});
  const ir::TensorId places = g.Constant({1, 3, 4});
  g.graph().outputs = {g.Make(ir::Binary{.kind = ir::BinaryKind::kAdd}, {x, places}, {1, 3, 4})};
  const std::string name = g.graph().tensors[places].name;
  EXPECT_TRUE(FromTflite(g.graph()).tensors.empty());
  const FromTfliteResult result = FromTflite(g.graph(), {.batch = 2, .trained = {name}});
  ASSERT_THAT(result.tensors, testing::ElementsAre(places));
  const ValueId id = *FindInput(result.model.graph, name);
  EXPECT_EQ(result.model.graph.TypeOf(id).shape, (Shape{1, 3, 4}));
  try {
    FromTflite(g.graph(), {.trained = {name, "nothing"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "nothing: no operator takes a constant of float32 of that name");
  }
}

TEST(FromTflite, CrossEntropyTakesWhatTheSoftmaxDoes) {
  const FromTfliteResult result = FromTflite(Classifier(), {.batch = 2});
  ASSERT_TRUE(result.model.logits);
  EXPECT_NE(*result.model.logits, result.model.prediction);
  const TrainStep step = MakeTrainStep(result.model, {.loss = Loss::kCrossEntropy});
  EXPECT_TRUE(FindInput(step.update, "labels"));
  // One softmax alone.
  EXPECT_EQ(
      std::count_if(step.update.nodes.begin(), step.update.nodes.end(),
                    [](const Node& n) { return std::holds_alternative<Exponential>(n.operation); }),
      1);
}

// Which products a step has, as docs/training.md says.
TEST(FromTflite, WeightsStayAsTheyLie) {
  TfliteGraph g(1);
  const ir::Padding same = {.top = 0, .left = 0, .bottom = 1, .right = 1};
  const ir::TensorId first =
      g.Make(ir::Conv2D{}, {g.Input({1, 8, 8, 2}), g.Constant({3, 1, 1, 2})}, {1, 8, 8, 3});
  const ir::TensorId dense = g.Make(ir::Conv2D{.stride = kTwo, .padding = same},
                                    {first, g.Constant({6, 3, 3, 3})}, {1, 4, 4, 6});
  const ir::TensorId depthwise = g.Make(ir::DepthwiseConv2D{.stride = kTwo, .padding = same},
                                        {dense, g.Constant({1, 3, 3, 6})}, {1, 2, 2, 6});
  g.graph().outputs = {g.Make(ir::FullyConnected{}, {depthwise, g.Constant({5, 24})}, {1, 5})};
  const FromTfliteResult result = FromTflite(g.graph(), {.batch = 2});
  const TrainingOptions options = {.loss = Loss::kMeanSquaredError, .bfloat16 = false};
  const std::string step = Print(MakeTrainStep(result.model, options).update);
  EXPECT_THAT(step, testing::Not(testing::HasSubstr("transpose")));
  const std::string spread =
      "pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], "
      "reverse = [true, true]} {batch_group_count = 1 : i64, ";
  const std::string summed =
      "pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], "
      "reverse = [false, false]} {batch_group_count = ";
  const std::string unit = ", window = {stride = [1, 1], ";
  for (const std::string& product :
       {std::string("[b, 0, 1, f]x[o, 0, 1, i]->[b, 0, 1, f], window = {stride = [2, 2]"),
        std::string("[b, 0, 1, f]x[i, 0, 1, o]->[b, 0, 1, f], window = {stride = [2, 2]"),
        fmt::format("[b, 0, 1, f]x[i, 0, 1, o]->[b, 0, 1, f]{}{}{}", unit, spread,
                    "feature_group_count = 1"),
        fmt::format("[b, 0, 1, f]x[i, 0, 1, o]->[b, 0, 1, f]{}{}{}", unit, spread,
                    "feature_group_count = 6"),
        fmt::format("[f, 0, 1, b]x[i, 0, 1, o]->[f, 0, 1, b]{}{}{}", unit, summed, "1"),
        fmt::format("[f, 0, 1, b]x[i, 0, 1, o]->[b, 0, 1, f]{}{}{}", unit, summed, "6"),
        std::string("contracting_dims = [1] x [1] : (tensor<2x24xf32>, tensor<5x24xf32>)"),
        std::string("contracting_dims = [1] x [0] : (tensor<2x5xf32>, tensor<5x24xf32>)"),
        std::string("contracting_dims = [0] x [0] : (tensor<2x5xf32>, tensor<2x24xf32>)")}) {
    EXPECT_THAT(step, testing::HasSubstr(product));
  }
}

TEST(FromTflite, ConstantsOfOneNameAreToldApart) {
  ir::Graph graph = Classifier();
  for (ir::Tensor& tensor : graph.tensors) tensor.name = "same";
  const FromTfliteResult result = FromTflite(graph);
  EXPECT_TRUE(FindInput(result.model.graph, "same"));
  EXPECT_TRUE(FindInput(result.model.graph, "same.4"));
}

std::string RefusalOf(const ir::Graph& graph, std::int64_t batch = 1) {
  try {
    FromTflite(graph, {.batch = batch});
    return "accepted";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(FromTflite, RefusalsNameTheOperatorAndWhatToDo) {
  TfliteGraph g(1);
  g.graph().outputs = {g.Make(ir::Resize{}, {g.Input({1, 2, 2, 1})}, {1, 4, 4, 1})};
  EXPECT_THAT(RefusalOf(g.graph()),
              testing::AllOf(testing::HasSubstr("op0 (RESIZE_NEAREST_NEIGHBOR)"),
                             testing::HasSubstr("docs/training.md")));
  TfliteGraph quantised(1);
  quantised.graph().outputs = {quantised.Make(ir::Quantize{}, {quantised.Input({1, 2})}, {1, 2})};
  EXPECT_THAT(RefusalOf(quantised.graph()), testing::HasSubstr("float32 version"));
  TfliteGraph mixed(1);
  mixed.graph().outputs = {mixed.Make(ir::Reshape{}, {mixed.Input({1, 4})}, {2, 2})};
  EXPECT_EQ(RefusalOf(mixed.graph()), "accepted");
  // A batch of 3 would make 12 elements of [2, 2]: [6, 2] mixes the examples, and is right.
  EXPECT_EQ(RefusalOf(mixed.graph(), 3), "accepted");
  TfliteGraph integers(1);
  const ir::TensorId x = integers.Input({1, 4});
  integers.graph().tensors[x].type = tpu::ElementType::kInt8;
  integers.graph().outputs = {x};
  EXPECT_THAT(RefusalOf(integers.graph()), testing::HasSubstr("int8"));
  TfliteGraph several(1);
  const ir::TensorId y = several.Input({1, 4});
  several.graph().outputs = {y, y};
  EXPECT_THAT(RefusalOf(several.graph()), testing::HasSubstr("2 outputs"));
  TfliteGraph hidden(1);
  const ir::TensorId there =
      hidden.Make(ir::Transpose{.permutation = {1, 0}}, {hidden.Input({1, 4})}, {4, 1});
  hidden.graph().outputs = {hidden.Make(ir::Reshape{}, {there}, {2, 2})};
  EXPECT_THAT(RefusalOf(hidden.graph(), 2), testing::HasSubstr("not the first dimension"));
  TfliteGraph apart(1);
  apart.graph().outputs = {apart.MakeAll(ir::Unpack{.axis = 0}, {apart.Input({1, 4})}, {{4}})};
  EXPECT_THAT(RefusalOf(apart.graph(), 2), testing::HasSubstr("takes the batch apart"));
}

}  // namespace
}  // namespace tpu::tensor
