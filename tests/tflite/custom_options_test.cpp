// SPDX-License-Identifier: Apache-2.0
// Options of custom operators, good ones and damaged ones.
#include "frontends/tflite/custom_options.h"

#include <flatbuffers/flexbuffers.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "frontends/tflite/import.h"
#include "frontends/tflite/parse.h"
#include "model_builder.h"

namespace tpu::tflite {
namespace {

using testing::HasSubstr;

// A model of one custom operator with these options.
ModelBuilder Window(const Bytes& options) {
  ModelBuilder b;
  const std::int32_t x = b.Input({4}, TensorType::INT16);
  const std::int32_t weights = b.Input({4}, TensorType::INT16);
  b.Operator(BuiltinOperator::CUSTOM, {x, weights}, {b.Tensor({4}, TensorType::INT16)});
  b.model().operator_codes.back()->custom_code = "SignalWindow";
  b.op(0).custom_options = options;
  return b;
}

std::string ErrorOf(const Bytes& options) {
  try {
    tflite::Import(Parse(Window(options).File(), "x.tflite"));
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("x.tflite: op0 (SignalWindow): "));
    return error.what();
  }
  return "accepted";
}

template <typename Fill>
Bytes MapOf(Fill fill) {
  flexbuffers::Builder builder;
  builder.Map([&] { fill(builder); });
  builder.Finish();
  return builder.GetBuffer();
}

class WithoutSubgraphs : public SubgraphImporter {
 public:
  ir::Graph Import(std::int32_t /*subgraph*/, const std::string& /*name*/,
                   std::span<const ir::Tensor> /*inputs*/) override {
    return {};
  }
};

TEST(CustomOptions, AreNumbersOfAnyWidth) {
  const Bytes options = MapOf([](flexbuffers::Builder& b) {
    b.Int("shift", 12);
    b.Int("a", -3);
    b.Int("b", 300);
    b.Int("c", 70'000);
    b.Int("d", std::numeric_limits<std::int64_t>::min());
    b.UInt("e", 0xffff'ffffU);
    b.Bool("f", true);
    b.IndirectInt("g", -40'000);
    b.IndirectUInt("h", 200);
    b.Double("i", 1.5);
    b.String("j", "text");
    b.Float("k", 0.25F);
    b.IndirectFloat("l", -0.1F);
  });
  const Model model = Parse(Window(options).File(), "x.tflite");
  ir::Graph graph = tflite::Import(model);
  WithoutSubgraphs subgraphs;
  const Scope scope = {.model = model, .subgraph = model, .prefix = "", .subgraphs = subgraphs};
  const OperatorReader reader(scope, 0, graph);
  const CustomOptions numbers(reader);
  EXPECT_EQ(numbers.Integer("shift"), 12);
  EXPECT_EQ(numbers.Integer("a"), -3);
  EXPECT_EQ(numbers.Integer("b"), 300);
  EXPECT_EQ(numbers.Integer("c"), 70'000);
  EXPECT_EQ(numbers.Integer("d"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(numbers.Integer("e"), 0xffff'ffff);
  EXPECT_EQ(numbers.Integer("f"), 1);
  EXPECT_EQ(numbers.Integer("g"), -40'000);
  EXPECT_EQ(numbers.Integer("h"), 200);
  EXPECT_THROW((void)numbers.Integer("i"), Error);
  EXPECT_EQ(numbers.Real("i"), 1.5F);
  EXPECT_EQ(numbers.Real("k"), 0.25F);
  EXPECT_EQ(numbers.Real("l"), -0.1F);
  EXPECT_EQ(numbers.Real("a"), -3.0F);
  EXPECT_THROW((void)numbers.Real("j"), Error);
  EXPECT_EQ(numbers.Integer("b", 7), 300);
  EXPECT_EQ(numbers.Integer("none", 7), 7);
  EXPECT_THROW((void)numbers.Integer("j"), Error);
  const auto& op = std::get<ir::HostOperator>(graph.operators.at(0).attributes);
  EXPECT_EQ(std::get<host_operators::SignalWindow>(op.attributes).shift, 12);
}

TEST(CustomOptions, WhatIsMissingIsNamed) {
  EXPECT_THAT(ErrorOf(MapOf([](auto& b) { b.Int("shaft", 1); })),
              HasSubstr("its options have no number shift"));
  EXPECT_THAT(ErrorOf({}), HasSubstr("its options are damaged"));
  flexbuffers::Builder vector;
  vector.Vector([&] { vector.Int(7); });
  vector.Finish();
  EXPECT_THAT(ErrorOf(vector.GetBuffer()), HasSubstr("they are no map"));
  EXPECT_THAT(ErrorOf(MapOf([](auto& b) { b.Int("shift", 99); })),
              HasSubstr("shift is 99, not between 0 and 31"));
}

TEST(CustomOptions, TruncatedOrChangedTheyAreReadOrRefused) {
  constexpr std::uint32_t kSeed = 5;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  const Bytes options = MapOf([](auto& b) {
    b.Int("shift", 12);
    b.Int("something_else", 70'000);
    b.IndirectInt("third", 1);
  });
  EXPECT_EQ(ErrorOf(options), "accepted");
  for (std::size_t size = 0; size < options.size(); ++size) {
    ErrorOf(Bytes(options.begin(), options.begin() + static_cast<std::ptrdiff_t>(size)));
  }
  int refused = 0;
  constexpr int kTrials = 3000;
  for (int trial = 0; trial < kTrials; ++trial) {
    Bytes changed = options;
    for (int i = 0; i < 2; ++i) {
      changed[random() % changed.size()] = static_cast<std::uint8_t>(random());
    }
    refused += ErrorOf(changed) == "accepted" ? 0 : 1;
  }
  EXPECT_GT(refused, kTrials / 10);
}

}  // namespace
}  // namespace tpu::tflite
