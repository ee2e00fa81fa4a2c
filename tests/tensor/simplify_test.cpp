// SPDX-License-Identifier: Apache-2.0
// Simplified graphs compute the same, and have become what was worked out by hand.
#include "tensor/simplify.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tensor/print.h"
#include "tests/seeds.h"
#include "tests/tensor/count.h"
#include "tests/tensor/names.h"
#include "tests/tensor/random_case.h"
#include "tests/tensor/random_graph.h"

namespace tpu::tensor {
namespace {

void ExpectSameValues(const Graph& graph, const std::vector<Values<double>>& inputs) {
  const Graph simple = Simplify(graph);
  SCOPED_TRACE(fmt::format("{}\nsimplified:\n{}", Print(graph), Print(simple)));
  Verify(simple);
  // A constant is no work.
  EXPECT_LE(simple.nodes.size() - static_cast<std::size_t>(Count<Constant>(simple)),
            graph.nodes.size() - static_cast<std::size_t>(Count<Constant>(graph)));
  const auto expected = Evaluate(graph, inputs);
  const auto got = Evaluate(simple, inputs);
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t o = 0; o < got.size(); ++o) {
    EXPECT_EQ(simple.outputs[o].name, graph.outputs[o].name);
    ASSERT_EQ(got[o].size(), expected[o].size());
    for (std::size_t e = 0; e < got[o].size(); ++e) {
      ASSERT_NEAR(got[o][e], expected[o][e], 1e-12 * (1 + std::abs(expected[o][e])))
          << "output " << o << " element " << e;
    }
  }
}

TEST(Simplify, KeepsTheValuesOfEveryGradient) {
  for (const CaseKind& kind : CaseKinds()) {
    for (const unsigned seed : Seeds(10)) {
      SCOPED_TRACE(fmt::format("seed {} {}", seed, kind.name));
      const Case both = WithGradients(MakeCase(kind, seed), seed);
      ExpectSameValues(both.graph, both.inputs);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(Simplify, KeepsTheValuesOfRandomGraphs) {
  std::size_t before = 0;
  std::size_t after = 0;
  for (const unsigned seed : Seeds(150)) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const Case random = RandomGraph(seed);
    ExpectSameValues(random.graph, random.inputs);
    if (HasFailure()) return;
    before += random.graph.nodes.size();
    after += Simplify(random.graph).nodes.size();
  }
  // Something was simplified at all.
  EXPECT_LT(after, before * 3 / 4);
}

struct Rule {
  std::string name;
  Shape shape;
  std::function<ValueId(Builder&, ValueId)> make;
  std::vector<std::string> left;  ///< Names of the operations that are left, beside the input.
};

std::vector<std::string> NamesOf(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node& node : graph.nodes) {
    if (!std::holds_alternative<Input>(node.operation)) names.emplace_back(NameOf(node.operation));
  }
  return names;
}

std::vector<Rule> RulesOfElements() {
  return {
      {"x + 0", {2}, [](Builder& b, ValueId x) { return b.Add(b.SplatLike(x, 0), x); }, {}},
      {"x * 1", {2}, [](Builder& b, ValueId x) { return b.Scale(x, 1); }, {}},
      {"x / 1", {2}, [](Builder& b, ValueId x) { return b.Divide(x, b.SplatLike(x, 1)); }, {}},
      {"x - 0", {2}, [](Builder& b, ValueId x) { return b.Subtract(x, b.SplatLike(x, 0)); }, {}},
      {"--x", {2}, [](Builder& b, ValueId x) { return b.Negate(b.Negate(x)); }, {}},
      {"0 - x",
       {2},
       [](Builder& b, ValueId x) { return b.Subtract(b.SplatLike(x, 0), x); },
       {"negate"}},
      {"exp x + -x",
       {2},
       [](Builder& b, ValueId x) { return b.Add(b.Exponential(x), b.Negate(x)); },
       {"exponential", "subtract"}},
      {"x + x", {2}, [](Builder& b, ValueId x) { return b.Add(x, x); }, {"constant", "multiply"}},
      {"x * 2 * 3",
       {2},
       [](Builder& b, ValueId x) { return b.Scale(b.Scale(x, 2), 3); },
       {"constant", "multiply"}},
      {"a constant",
       {2},
       [](Builder& b, ValueId x) { return b.Exponential(b.Scale(b.SplatLike(x, 2), 3)); },
       {"constant"}},
      {"mask * x",
       {2},
       [](Builder& b, ValueId x) {
         const ValueId mask = b.Compare(ComparisonDirection::kGt, x, b.SplatLike(x, 0));
         return b.Multiply(b.Convert(mask, kF32), x);
       },
       {"constant", "compare", "select"}},
      {"one choice",
       {2},
       [](Builder& b, ValueId x) {
         return b.Select(b.Compare(ComparisonDirection::kGt, x, b.SplatLike(x, 0)), x, x);
       },
       {}},
      {"bf16 through f32",
       {2},
       [](Builder& b, ValueId x) {
         const ValueId narrow = b.Convert(x, kBf16);
         return b.Append(Convert{kBf16}, {b.Convert(narrow, kF32)});
       },
       {"convert"}},
      {"a mask through f32",
       {2},
       [](Builder& b, ValueId x) {
         const ValueId mask = b.Compare(ComparisonDirection::kGt, x, b.SplatLike(x, 0));
         return b.Convert(b.Convert(mask, kF32), kBf16);
       },
       {"constant", "compare", "convert", "convert"}},
      {"f32 through bf16 is rounded",
       {2},
       [](Builder& b, ValueId x) { return b.Convert(b.Convert(x, kBf16), kF32); },
       {"convert", "convert"}},
      {"the same twice",
       {2},
       [](Builder& b, ValueId x) { return b.Subtract(b.Tanh(x), b.Multiply(b.Tanh(x), x)); },
       {"tanh", "multiply", "subtract"}},
      {"a stop_gradient stays",
       {2},
       [](Builder& b, ValueId x) { return b.StopGradient(x); },
       {"stop_gradient"}},
  };
}

std::vector<Rule> RulesOfShapes() {
  return {
      {"a transpose and back",
       {2, 3},
       [](Builder& b, ValueId x) {
         return b.Transpose(b.Transpose(x, {1, 0}), {1, 0});
       },
       {}},
      {"a transpose of a row",
       {1, 3},
       [](Builder& b, ValueId x) {
         return b.Transpose(x, {1, 0});
       },
       {"reshape"}},
      {"reshapes",
       {2, 3},
       [](Builder& b, ValueId x) {
         return b.Reshape(b.Reshape(x, {6}), {2, 3});
       },
       {}},
      {"broadcasts",
       {3},
       [](Builder& b, ValueId x) {
         return b.BroadcastTo(b.BroadcastTo(b.Reshape(x, {3, 1}), {3, 2}), {4, 3, 2});
       },
       {"broadcast_in_dim"}},
      {"a broadcast of nothing",
       {3},
       [](Builder& b, ValueId x) {
         return b.BroadcastTo(x, {1, 3});
       },
       {"reshape"}},
      {"a sum of a broadcast",
       {3},
       [](Builder& b, ValueId x) {
         return b.Reduce(b.BroadcastTo(x, {4, 3}), Reduction::kAdd, {0});
       },
       {"constant", "multiply"}},
      {"a maximum of a broadcast",
       {3},
       [](Builder& b, ValueId x) {
         return b.Reduce(b.BroadcastTo(x, {4, 3}), Reduction::kMaximum, {0});
       },
       {}},
      {"sums of sums",
       {2, 3},
       [](Builder& b, ValueId x) {
         return b.Reduce(b.Reduce(x, Reduction::kAdd, {0}), Reduction::kAdd, {0});
       },
       {"reduce"}},
      {"a sum of one",
       {1, 3},
       [](Builder& b, ValueId x) { return b.Reduce(x, Reduction::kAdd, {0}); },
       {"reshape"}},
      {"a whole slice", {3}, [](Builder& b, ValueId x) { return b.Slice(x, {0}, {3}, {1}); }, {}},
      {"no padding",
       {3},
       [](Builder& b, ValueId x) {
         return b.Pad(x, 0, {{0}, {0}, {0}});
       },
       {}},
      {"one part", {3}, [](Builder& b, ValueId x) { return b.Concatenate({x}, 0); }, {}},
      {"reversed twice",
       {3, 2},
       [](Builder& b, ValueId x) {
         return b.Reverse(b.Reverse(x, {0, 1}), {1, 0});
       },
       {}},
  };
}

Rule RuleOfProducts() {
  return {"a product's transposes",
          {2, 3},
          [](Builder& b, ValueId x) {
            const ValueId left = b.Transpose(x, {1, 0});
            return b.Transpose(b.DotGeneral(left, x,
                                            {.lhs_batching_dimensions = {},
                                             .rhs_batching_dimensions = {},
                                             .lhs_contracting_dimensions = {1},
                                             .rhs_contracting_dimensions = {0}}),
                               {1, 0});
          },
          {"dot_general"}};
}

TEST(Simplify, LeavesWhatIsNeeded) {
  std::vector<Rule> rules = RulesOfElements();
  rules.push_back(RuleOfProducts());
  for (Rule& rule : RulesOfShapes()) rules.push_back(std::move(rule));
  for (const Rule& rule : rules) {
    SCOPED_TRACE(rule.name);
    Builder b;
    const ValueId x = b.Input("x", {kF32, rule.shape});
    b.Output("y", rule.make(b, x));
    EXPECT_EQ(NamesOf(Simplify(b.graph())), rule.left);
    Values<double> numbers(static_cast<std::size_t>(b.TypeOf(x).Elements()));
    for (std::size_t e = 0; e < numbers.size(); ++e) numbers[e] = 0.5 * static_cast<double>(e) - 1;
    ExpectSameValues(b.graph(), {numbers});
  }
}

TEST(Simplify, ConvolutionsTakeTransposesAsDimensionNumbers) {
  Builder b;
  const ValueId x = b.Transpose(b.Input("x", {kF32, {1, 2, 5}}), {0, 2, 1});
  const ValueId kernel = b.Reverse(b.Transpose(b.Input("w", {kF32, {3, 2, 3}}), {2, 1, 0}), {0});
  Convolution op = {.padding = {{1, 0}}};
  op.input_feature_dimension = op.output_feature_dimension = 2;
  op.input_spatial_dimensions = op.output_spatial_dimensions = {1};
  op.kernel_input_feature_dimension = 1;
  op.kernel_output_feature_dimension = 2;
  op.kernel_spatial_dimensions = {0};
  b.Output("y", b.Transpose(b.Convolution(x, kernel, op), {2, 0, 1}));
  const Graph simple = Simplify(b.graph());
  EXPECT_EQ(NamesOf(simple), std::vector<std::string>{"convolution"});
  Values<double> data(10, 0.5);
  Values<double> weights(18, -1);
  for (std::size_t e = 0; e < data.size(); ++e) data[e] += static_cast<double>(e);
  for (std::size_t e = 0; e < weights.size(); ++e) weights[e] += static_cast<double>(e % 5);
  ExpectSameValues(b.graph(), {data, weights});
}

// Of the result's dimensions only the operands' order can be exchanged, not that within one.
TEST(Simplify, ProductsOfExchangedDimensionsKeepTheirTransposes) {
  Values<double> numbers(8);
  for (std::size_t e = 0; e < numbers.size(); ++e) numbers[e] = static_cast<double>(e * e);
  for (const Dimensions& permutation :
       {Dimensions{1, 0, 2}, Dimensions{2, 0, 1}, Dimensions{0, 2, 1}, Dimensions{1, 2, 0}}) {
    for (const std::size_t side : {0U, 1U}) {
      SCOPED_TRACE(fmt::format("{} side {}", fmt::join(permutation, " "), side));
      Builder b;
      const ValueId x = b.Input("x", {kF32, {2, 2, 2}});
      std::vector<ValueId> operands = {x, x};
      operands[side] = b.Transpose(x, permutation);
      b.Output("y", b.DotGeneral(operands[0], operands[1],
                                 {.lhs_batching_dimensions = {},
                                  .rhs_batching_dimensions = {},
                                  .lhs_contracting_dimensions = {2},
                                  .rhs_contracting_dimensions = {2}}));
      ExpectSameValues(b.graph(), {numbers});
      const bool in_order =
          permutation == Dimensions{1, 2, 0} || permutation == Dimensions{0, 2, 1};
      EXPECT_EQ(Count<Transpose>(Simplify(b.graph())), in_order ? 0 : 1);
    }
  }
}

// The product would be computed twice.
TEST(Simplify, AProductThatIsUsedOtherwiseKeepsItsTranspose) {
  Builder b;
  const ValueId x = b.Input("x", {kF32, {2, 3}});
  const ValueId w = b.Input("w", {kF32, {2, 3}});
  const ValueId y = b.DotGeneral(x, w,
                                 {.lhs_batching_dimensions = {},
                                  .rhs_batching_dimensions = {},
                                  .lhs_contracting_dimensions = {0},
                                  .rhs_contracting_dimensions = {0}});
  b.Output("y", y);
  b.Output("transposed", b.Transpose(b.Tanh(y), {1, 0}));
  b.Output("z", b.Transpose(y, {1, 0}));
  EXPECT_EQ(Count<DotGeneral>(Simplify(b.graph())), 1);
}

TEST(Simplify, InputsThatNobodyUsesStay) {
  Builder b;
  b.Input("unused", {kF32, {2}});
  b.Output("y", b.Negate(b.Input("x", {kF32, {2}})));
  EXPECT_EQ(Simplify(b.graph()).inputs.size(), 2U);
}

}  // namespace
}  // namespace tpu::tensor
