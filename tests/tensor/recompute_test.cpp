// SPDX-License-Identifier: Apache-2.0
// Which values a backward pass may compute again, and that it computes the same then.
#include "tensor/recompute.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tensor/builder.h"
#include "tensor/train_step.h"
#include "tests/tensor/count.h"
#include "tests/tensor/evaluate.h"
#include "tests/tensor/networks.h"

namespace tpu::tensor {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr auto kF32 = ElementType::kF32;

struct Example {
  Graph graph;
  ValueId product = 0;
  ValueId twice = 0;
  ValueId tanh = 0;
};

// The loss is made of x y, twice that, and its tanh. The gradient is made of what `wanted` names.
Example MakeExample(const std::set<std::string>& wanted) {
  Builder b;
  Example made;
  const ValueId x = b.Input("x", {kF32, {4, 4}});
  const ValueId y = b.Input("y", {kF32, {4, 4}});
  made.product = b.Append(
      DotGeneral{.lhs_contracting_dimensions = {1}, .rhs_contracting_dimensions = {0}}, {x, y});
  made.twice = b.Scale(made.product, 2);
  made.tanh = b.Tanh(made.twice);
  const ValueId loss = b.Reduce(made.tanh, Reduction::kAdd, {0, 1});
  ValueId gradient = b.Negate(x);
  if (wanted.contains("product")) gradient = b.Multiply(gradient, made.product);
  if (wanted.contains("twice")) gradient = b.Multiply(gradient, made.twice);
  if (wanted.contains("tanh")) gradient = b.Multiply(gradient, made.tanh);
  b.Output("loss", loss);
  b.Output("gradient", gradient);
  made.graph = b.Take();
  return made;
}

TEST(Recompute, KnowsWhatIsMadeOfWhatIsThere) {
  const Example all = MakeExample({"product", "twice", "tanh"});
  EXPECT_THAT(Recomputable(all.graph), ElementsAre(all.twice, all.tanh)) << "products never are";
  const Example ends = MakeExample({"product", "tanh"});
  EXPECT_THAT(Recomputable(ends.graph), ElementsAre(ends.tanh)) << "by two operations";
  EXPECT_THAT(Recomputable(MakeExample({"tanh"}).graph), IsEmpty()) << "the product is not there";
  EXPECT_THAT(Recomputable(MakeExample({}).graph), IsEmpty());
}

TEST(Recompute, KeepsNothingOfTheForwardPassFor) {
  const Example ends = MakeExample({"product", "tanh"});
  const Graph again = Recompute(ends.graph, {ends.tanh});
  EXPECT_EQ(Count<Tanh>(again), 2);
  EXPECT_EQ(Count<Multiply>(again), Count<Multiply>(ends.graph) + 1) << "twice, which is not kept";
  EXPECT_EQ(Count<DotGeneral>(again), 1);
}

TEST(Recompute, ComputesTheSameStep) {
  std::size_t values = 0;
  for (const Network& network : AllNetworks(1)) {
    SCOPED_TRACE(network.name);
    const Graph graph = MakeTrainStep(network.model, {.loss = network.loss}).update;
    const std::vector<ValueId> all = Recomputable(graph);
    std::vector<Values<float>> inputs;
    for (const ValueId id : graph.inputs) {
      Values<float> input(static_cast<std::size_t>(graph.TypeOf(id).Elements()));
      for (std::size_t e = 0; e < input.size(); ++e) {
        input[e] = graph.TypeOf(id).element == ElementType::kS32
                       ? 0.0F
                       : 0.1F * static_cast<float>((e * 7 + id) % 19) - 0.8F;
      }
      inputs.push_back(input);
    }
    const auto expected = Evaluate(graph, inputs);
    std::vector<std::set<ValueId>> choices = {{}, {all.begin(), all.end()}};
    for (const ValueId value : all) choices.push_back({value});
    for (const std::set<ValueId>& choice : choices) {
      const Graph again = Recompute(graph, choice);
      Verify(again);
      EXPECT_EQ(again.nodes.size() > graph.nodes.size(), !choice.empty());
      EXPECT_EQ(Evaluate(again, inputs), expected);
    }
    values += all.size();
  }
  EXPECT_GT(values, 0U);
}

}  // namespace
}  // namespace tpu::tensor
