// SPDX-License-Identifier: Apache-2.0
// The workloads themselves: their results spread, the digits network reads digits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "compiler/compile.h"
#include "devices/golden/golden_device.h"
#include "frontends/tflite/import.h"
#include "frontends/tflite/parse.h"
#include "npy/npy.h"
#include "profile/measure.h"
#include "workloads/digits.h"
#include "workloads/workload.h"

namespace tpu::workloads {
namespace {

using testing::HasSubstr;

using runtime::Bytes;

/// The first output of each run.
std::vector<std::vector<std::int8_t>> RunGolden(const ir::Graph& graph,
                                                const std::vector<std::vector<Bytes>>& inputs) {
  const isa::HardwareConfig config;
  const executable::Executable executable = compiler::Compile(graph, config);
  devices::GoldenDevice device(config);
  profile::Runner runner(device, executable);
  std::vector<std::vector<std::int8_t>> outputs;
  for (const std::vector<Bytes>& tensors : inputs) {
    const Bytes bytes = runner.Run(tensors).outputs.at(0);
    outputs.emplace_back(bytes.begin(), bytes.end());
  }
  return outputs;
}

/// Without fused ReLU, which clamps half of the values on purpose.
std::vector<NamedWorkload> Unclamped() {
  const WindowShape window = Same({.image = {10, 9},
                                   .channels = 20,
                                   .kernel = {3, 3},
                                   .stride = {1, 1},
                                   .dilation = {1, 1},
                                   .padding = {}});
  using ir::Activation;
  using ir::BinaryKind;
  const auto elementwise = [](BinaryKind kind) {
    return [kind](std::uint64_t s) { return Elementwise(kind, {9, 9}, 20, Activation::kNone, s); };
  };
  return {{"matmul", [](std::uint64_t s) { return Matmul(30, 40, 50, s); }},
          {"conv", [=](std::uint64_t s) { return Convolution(window, 24, Activation::kNone, s); }},
          {"depthwise", [=](std::uint64_t s) { return Depthwise(window, Activation::kNone, s); }},
          {"max", [=](std::uint64_t s) { return Pool(ir::PoolKind::kMax, window, s); }},
          {"average", [=](std::uint64_t s) { return Pool(ir::PoolKind::kAverage, window, s); }},
          {"add", elementwise(BinaryKind::kAdd)},
          {"sub", elementwise(BinaryKind::kSub)},
          {"mul", elementwise(BinaryKind::kMul)},
          {"maximum", elementwise(BinaryKind::kMaximum)},
          {"encoder", [](std::uint64_t s) {
             return Encoder(
                 {.attention = {.tokens = 16, .channels = 64, .heads = 4}, .hidden = 128}, s);
           }}};
}

TEST(Workloads, ResultsSpreadOverMostOfInt8) {
  for (const NamedWorkload& named : Unclamped()) {
    SCOPED_TRACE(named.name);
    const Workload workload = named.make(3);
    const Spread spread =
        SpreadOf(RunGolden(workload.graph, {runtime::BytesOf(workload.inputs)}).at(0));
    EXPECT_GT(spread.standard_deviation, 15.0);
    EXPECT_LT(spread.clamped_share, 0.1);
  }
}

TEST(Workloads, AreRepeatableAndDependOnTheSeed) {
  EXPECT_EQ(Matmul(4, 5, 6, 1).inputs, Matmul(4, 5, 6, 1).inputs);
  EXPECT_NE(Matmul(4, 5, 6, 1).inputs, Matmul(4, 5, 6, 2).inputs);
}

// expected.npy is TensorFlow Lite Micro's own answer (models/digits/expected.py).
TEST(Digits, TheNetworkGivesTensorFlowLitesScores) {
  const std::string folder = TPU_SOURCE_DIR "/models/digits";
  const ir::Graph network = tflite::Import(tflite::Load(folder + "/digits.tflite"));
  const std::vector<Digit> digits = LoadDigits(folder + "/testset.json");
  const npy::Array expected = npy::Read(folder + "/expected.npy");
  ASSERT_EQ(digits.size(), 450U);
  ASSERT_EQ(expected.shape, (std::vector<std::int64_t>{450, 10}));
  std::vector<std::vector<Bytes>> inputs;
  for (const Digit& digit : digits) {
    const std::vector<std::int8_t> values =
        QuantizeDigit(digit, network.tensors.at(network.inputs.at(0)));
    inputs.push_back(runtime::BytesOf({{values}}));
  }
  int right = 0;
  const std::vector<std::vector<std::int8_t>> outputs = RunGolden(network, inputs);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::vector<std::int8_t>& scores = outputs[i];
    ASSERT_EQ(scores.size(), 10U);
    for (std::size_t digit = 0; digit < scores.size(); ++digit) {
      EXPECT_EQ(scores[digit], static_cast<std::int8_t>(expected.bytes[10 * i + digit]))
          << "image " << i << ", score of " << digit;
    }
    const auto best = std::ranges::max_element(scores) - scores.begin();
    right += best == digits[i].label ? 1 : 0;
  }
  EXPECT_EQ(right, 446);  // What models/digits/README.md says.
}

TEST(Digits, NoImageIsForTrainingAndForTests) {
  const std::string folder = TPU_SOURCE_DIR "/models/digits";
  const std::vector<Digit> training = LoadDigits(folder + "/trainset.json");
  EXPECT_EQ(training.size(), 1347U);
  std::set<decltype(Digit::pixels)> pixels;
  for (const Digit& digit : training) {
    pixels.insert(digit.pixels);
    EXPECT_TRUE(digit.label >= 0 && digit.label < 10);
    EXPECT_LE(std::ranges::max(digit.pixels), 16);
  }
  for (const Digit& digit : LoadDigits(folder + "/testset.json")) {
    EXPECT_FALSE(pixels.contains(digit.pixels));
  }
}

TEST(Digits, BadFilesAreNamed) {
  try {
    LoadDigits("/nonexistent/testset.json");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("/nonexistent/testset.json: cannot be read"));
  }
}

}  // namespace
}  // namespace tpu::workloads
