// SPDX-License-Identifier: Apache-2.0
// Operators one after the other, each with the rows of unified buffer that the plan leaves.
#include "compiler/lower/lower_network.h"

#include <gtest/gtest.h>

#include <array>

#include "lowered.h"

namespace tpu::compiler {
namespace {

// A table on the device, a softmax on the host, another table.
struct ThreeOperators {
  PlacedGraph source;
  ResidencyPlan plan;

  ThreeOperators() {
    std::array<ir::TensorId, 4> t{};
    for (ir::TensorId& id : t) id = source.Add({.shape = {1, 64}});
    source.Append("first", ir::Lookup{}, {t[0]}, t[1]);
    source.Append("host", ir::Softmax{}, {t[1]}, t[2]);
    source.Append("last", ir::Lookup{}, {t[2]}, t[3]);
    plan.row.resize(4);
    plan.free = {{.begin = 100, .end = 164}, {}, {.begin = 300, .end = 364}};
  }
  SequentialNetwork Lower(Rounding rounding = Rounding::kDouble) {
    Emitter emitter(FourLanes(), false);
    LowerNetwork(source.graph(), source.placements(), plan, rounding, emitter);
    return emitter.Take();
  }
};

TEST(LowerNetwork, KeepsTheOrderOfTheOperators) {
  ThreeOperators three;
  const SequentialNetwork network = three.Lower();
  ASSERT_EQ(network.layers.size(), 3U);
  EXPECT_EQ(network.layers[0].name, "first");
  EXPECT_EQ(network.layers[1].name, "host");
  EXPECT_EQ(network.layers[2].name, "last");
  ASSERT_EQ(network.steps.size(), 3U);
  for (const auto& [step, layer] : {std::pair{0U, 0U}, std::pair{2U, 2U}}) {
    for (const SequentialInstruction& instruction :
         std::get<SequentialProgram>(network.steps[step])) {
      EXPECT_EQ(instruction.layer, layer);
    }
  }
  const auto& call = std::get<executable::HostCall>(network.steps[1]);
  EXPECT_EQ(call.layer, 1U);
  EXPECT_EQ(call.inputs.at(0).address, PlacedGraph::TensorAddress(1));
  EXPECT_EQ(call.outputs.at(0).address, PlacedGraph::TensorAddress(2));
}

TEST(LowerNetwork, EachOperatorUsesTheRowsThatAreFreeForIt) {
  ThreeOperators three;
  const SequentialNetwork network = three.Lower();
  for (const std::size_t step : {std::size_t{0}, std::size_t{2}}) {
    const ir::Range free = three.plan.free[step];
    std::size_t accesses = 0;
    for (const SequentialInstruction& instruction :
         std::get<SequentialProgram>(network.steps[step])) {
      for (const Access& access : instruction.accesses) {
        if (access.space != Space::kUnifiedBuffer) continue;
        ++accesses;
        EXPECT_GE(access.begin, static_cast<std::uint64_t>(free.begin));
        EXPECT_LE(access.end, static_cast<std::uint64_t>(free.end));
      }
    }
    EXPECT_GT(accesses, 0U);
  }
}

TEST(LowerNetwork, SaysWhichLayerDoesNotFit) {
  ThreeOperators three;
  three.plan.free[2] = {.begin = 0, .end = 1};
  try {
    three.Lower();
    ADD_FAILURE() << "no error";
  } catch (const DoesNotFit& error) {
    EXPECT_NE(std::string(error.what()).find("last"), std::string::npos) << error.what();
  }
}

TEST(LowerNetwork, HandsTheRoundingOn) {
  ThreeOperators three;
  EXPECT_FALSE(
      std::get<executable::HostCall>(three.Lower(Rounding::kDouble).steps[1]).single_rounding);
  EXPECT_TRUE(
      std::get<executable::HostCall>(three.Lower(Rounding::kSingle).steps[1]).single_rounding);
}

}  // namespace
}  // namespace tpu::compiler
