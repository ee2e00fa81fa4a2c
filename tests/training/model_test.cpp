// SPDX-License-Identifier: Apache-2.0
// Weights of a model's file: random ones, trained ones, ones that overflow. And the report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "frontends/tflite/replace.h"
#include "tests/training/example_files.h"
#include "tpu/device.h"
#include "training/initialise.h"
#include "training/non_finite.h"
#include "training/report.h"

namespace tpu::training {
namespace {

using testing::Each;
using testing::HasSubstr;

Bytes BytesOf(const std::vector<float>& values) {
  Bytes bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

const std::vector<float>& Contents(const ir::Graph& graph, std::size_t tensor) {
  return std::get<std::vector<float>>(graph.tensors.at(tensor).data);
}

TEST(ReplaceConstants, ChangesTheseAlone) {
  const Bytes file = MlpFile().File();
  const std::vector<float> weights = SomeFloats(20, 77);
  const std::vector<float> bias = SomeFloats(3, 78);
  const Bytes w = BytesOf(weights);
  const Bytes b = BytesOf(bias);
  const Bytes changed =
      tflite::ReplaceConstants(file, "m.tflite", std::vector<tflite::NewConstant>{{1, w}, {5, b}});
  EXPECT_EQ(changed.size(), file.size());
  const ir::Graph before = tflite::Import(tflite::Parse(file, "m.tflite"));
  const ir::Graph after = tflite::Import(tflite::Parse(changed, "m.tflite"));
  EXPECT_EQ(Contents(after, 1), weights);
  EXPECT_EQ(Contents(after, 2), Contents(before, 2));
  EXPECT_EQ(Contents(after, 4), Contents(before, 4));
  EXPECT_EQ(Contents(after, 5), bias);
  // Back again it is the old file.
  EXPECT_EQ(tflite::ReplaceConstants(
                changed, "m.tflite",
                std::vector<tflite::NewConstant>{{1, before.tensors[1].DataBytes()},
                                                 {5, before.tensors[5].DataBytes()}}),
            file);
}

std::string Replacing(const tflite::ModelBuilder& builder, std::uint32_t tensor,
                      std::size_t elements) {
  const Bytes bytes = BytesOf(SomeFloats(elements, 1));
  return ErrorOf([&] {
    tflite::ReplaceConstants(builder.File(), "m.tflite",
                             std::vector<tflite::NewConstant>{{tensor, bytes}});
  });
}

TEST(ReplaceConstants, SaysWhereThereIsNoPlace) {
  EXPECT_EQ(Replacing(MlpFile(), 1, 20), "no error");
  EXPECT_THAT(Replacing(MlpFile(), 1, 19),
              HasSubstr("m.tflite: tensor t1: has 80 bytes in the file, not 76"));
  EXPECT_THAT(Replacing(MlpFile(), 3, 5), HasSubstr("tensor t3: has no contents of its own"));
  EXPECT_THAT(Replacing(MlpFile(), 99, 5), HasSubstr("m.tflite: there is no tensor 99"));
  tflite::ModelBuilder quantised = tflite::SampleModel();
  EXPECT_THAT(Replacing(quantised, 1, 18), HasSubstr("tensor t1: is INT8 in the file"));
}

TEST(ReplaceConstants, RefusesSharedContents) {
  using tflite::BuiltinOperator;
  tflite::ModelBuilder b = MlpFile(false);
  const std::int32_t twin = b.Constant<float>({3}, SomeFloats(3, 4));
  b.tensor(twin).buffer = b.tensor(5).buffer;
  const std::int32_t y = b.Tensor({1, 3}, tflite::TensorType::FLOAT32);
  b.Operator(BuiltinOperator::ADD, {6, twin}, {y}, tflite::schema::AddOptionsT{});
  EXPECT_THAT(Replacing(b, 5, 3),
              HasSubstr("tensor t5: shares its contents in the file with tensor t7"));
  EXPECT_EQ(Replacing(b, 4, 15), "no error");
}

TEST(Initialise, DrawsWeightsAndClearsBiases) {
  const ir::Graph graph = GraphOf(MlpFile());
  auto result = tensor::FromTflite(graph);
  Initialise(graph, 1, result);
  const auto& parameters = result.model.parameters;
  ASSERT_EQ(parameters.size(), 4U);
  const auto largest = [](const std::vector<float>& values) {
    float most = 0;
    for (const float x : values) most = std::max(most, std::abs(x));
    return most;
  };
  // A RELU follows the first one only.
  EXPECT_LT(largest(parameters[0].initial), std::sqrt(6.0F / 4));
  EXPECT_GT(largest(parameters[0].initial), 0.6F * std::sqrt(6.0F / 4));
  EXPECT_LT(largest(parameters[2].initial), std::sqrt(6.0F / 8));
  EXPECT_GT(largest(parameters[2].initial), 0.6F * std::sqrt(6.0F / 8));
  EXPECT_THAT(parameters[1].initial, Each(0.0F));
  EXPECT_THAT(parameters[3].initial, Each(0.0F));

  auto again = tensor::FromTflite(graph);
  Initialise(graph, 1, again);
  EXPECT_EQ(again.model.parameters[0].initial, parameters[0].initial);
  Initialise(graph, 2, again);
  EXPECT_NE(again.model.parameters[0].initial, parameters[0].initial);
}

TEST(Initialise, KnowsTheFanOfConvolutions) {
  using tflite::BuiltinOperator;
  tflite::ModelBuilder b;
  const std::int32_t x = b.Input({1, 8, 8, 16}, tflite::TensorType::FLOAT32);
  const std::int32_t w = b.Constant<float>({32, 3, 3, 16}, SomeFloats(4608, 1));
  const std::int32_t y = b.Tensor({1, 8, 8, 32}, tflite::TensorType::FLOAT32);
  tflite::schema::Conv2DOptionsT conv;
  conv.stride_h = conv.stride_w = 1;
  b.Operator(BuiltinOperator::CONV_2D, {x, w}, {y}, conv);
  const std::int32_t d = b.Constant<float>({1, 5, 5, 32}, SomeFloats(800, 1));
  const std::int32_t z = b.Tensor({1, 8, 8, 32}, tflite::TensorType::FLOAT32);
  tflite::schema::DepthwiseConv2DOptionsT depthwise;
  depthwise.stride_h = depthwise.stride_w = 1;
  depthwise.fused_activation_function = tflite::schema::ActivationFunctionType::RELU6;
  b.Operator(BuiltinOperator::DEPTHWISE_CONV_2D, {y, d}, {z}, depthwise);
  const ir::Graph graph = GraphOf(b);
  auto result = tensor::FromTflite(graph);
  Initialise(graph, 1, result);
  const auto range = [&](std::size_t i) {
    float most = 0;
    for (const float v : result.model.parameters.at(i).initial) most = std::max(most, std::abs(v));
    return most;
  };
  EXPECT_NEAR(range(0), std::sqrt(6.0F / (9 * 16 + 9 * 32)), 1e-3);
  EXPECT_NEAR(range(1), std::sqrt(6.0F / 25), 1e-2);
}

class NonFiniteTest : public ExampleFiles {
 protected:
  // With one number of tensor `which` of t1, t2, t4, t5 changed.
  [[nodiscard]] std::optional<std::string> With(std::size_t which, float value) const {
    const ir::Graph graph = GraphOf(MlpFile());
    const std::vector<ir::TensorId> tensors = {1, 2, 4, 5};
    std::vector<Bytes> weights;
    for (const ir::TensorId id : tensors) weights.push_back(BytesOf(Contents(graph, id)));
    std::memcpy(weights[which].data(), &value, sizeof(value));
    const Examples examples(WriteInputs("x.npy", 3), WriteLabels("y.npy", 3),
                            {.input = {4}, .label = {}, .classes = 3});
    isa::HardwareConfig config;
    config.bf16 = 1;
    const auto device = MakeDevice("golden", config);
    return FirstNonFiniteOperator({graph, tensors, weights}, examples,
                                  std::vector<std::int64_t>{2, 0, 1}, *device, config);
  }
};

TEST_F(NonFiniteTest, OperatorsAreNamed) {
  EXPECT_EQ(With(1, 1.0F), std::nullopt);
  EXPECT_EQ(With(1, INFINITY), "op0 (FULLY_CONNECTED)");
  EXPECT_EQ(With(3, -INFINITY), "op1 (FULLY_CONNECTED)");
}

TEST(FirstNonFinite, FindsTheTensor) {
  const std::vector<Bytes> tensors = {BytesOf({1, 2}), BytesOf({1, NAN}), BytesOf({INFINITY})};
  EXPECT_EQ(FirstNonFinite(tensors), 1U);
  EXPECT_EQ(FirstNonFinite(std::span(tensors).first(1)), std::nullopt);
}

TEST(Report, HoldsWhatWasPromised) {
  Settings settings;
  settings.steps = 4;
  settings.schedule = Schedule::kLinear;
  settings.optimizer = tensor::Momentum{.momentum = 0.5};
  History history = {.losses = {2, 1}, .weights_crc32 = {7, 8}, .evaluations = {{2, 0.75}}};
  history.cost.cycles = 100;
  history.cost.macs = 12800;
  const auto json = Report({.model = "m.tflite",
                            .backend = "rtl",
                            .steps_per_epoch = 4,
                            .ending = "done",
                            .seconds = 2,
                            .steps_here = 2},
                           settings, history);
  EXPECT_EQ(json.at("loss").dump(), "[2.0,1.0]");
  EXPECT_EQ(json.at("weights_crc32").dump(), "[7,8]");
  EXPECT_EQ(json.at("accuracy"), 0.75);
  EXPECT_EQ(json.at("cycles"), 100);
  EXPECT_EQ(json.at("macs"), 12800);
  EXPECT_EQ(json.at("utilization"), 0.5);
  EXPECT_EQ(json.at("evaluations").dump(), R"([{"step":2,"epoch":0.5,"accuracy":0.75}])");
  EXPECT_EQ(json.at("learning_rate").dump(), "[0.01,0.0075]");
  EXPECT_EQ(json.at("images_per_second"), 32);
  EXPECT_EQ(json.at("options").at("momentum"), 0.5);
  EXPECT_FALSE(json.contains("divergence"));
}

TEST(Report, OfSquaredErrorsHasNoAccuracy) {
  Settings settings;
  settings.loss = tensor::Loss::kMeanSquaredError;
  History history = {.losses = {2}, .weights_crc32 = {7}, .evaluations = {{1, 0.25}}};
  auto json = Report({.ending = "done"}, settings, history);
  EXPECT_TRUE(json.at("accuracy").is_null());
  EXPECT_EQ(json.at("mean_squared_error"), 0.25);
  history.evaluations.clear();
  json = Report({.ending = "done"}, settings, history);
  EXPECT_TRUE(json.at("mean_squared_error").is_null());
}

TEST(LastingOptions, KnowTheStepsOnlyOfSchedules) {
  Settings settings;
  const auto has = [&](const std::string& name) {
    return std::ranges::count(LastingOptions(settings), name, &OptionTexts::value_type::first) == 1;
  };
  EXPECT_FALSE(has("--steps"));
  settings.schedule = Schedule::kCosine;
  EXPECT_TRUE(has("--steps"));
  EXPECT_FALSE(has("--weight-decay"));
  settings.optimizer = OptimizerOf("adam");
  EXPECT_TRUE(has("--weight-decay"));
  EXPECT_FALSE(has("--also-train"));
  settings.also_trained = {"places", "scale"};
  EXPECT_THAT(LastingOptions(settings),
              testing::Contains(testing::Pair("--also-train", "places, scale")));
  EXPECT_THAT(ErrorOf([] { OptimizerOf("none"); }), HasSubstr("no optimiser none"));
  EXPECT_THAT(ErrorOf([] { ScheduleOf("none"); }), HasSubstr("no schedule none"));
}

}  // namespace
}  // namespace tpu::training
