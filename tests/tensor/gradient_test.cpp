// SPDX-License-Identifier: Apache-2.0
// The derivative of each operation, against central differences in double precision.
#include "tensor/gradient.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cstdint>
#include <variant>
#include <vector>

#include "tensor/print.h"
#include "tests/seeds.h"
#include "tests/tensor/differences.h"
#include "tests/tensor/random_case.h"

namespace tpu::tensor {
namespace {

class Rules : public testing::TestWithParam<CaseKind> {};

TEST_P(Rules, AreTheSlopesOfTheResult) {
  for (const unsigned seed : Seeds(60)) {
    const Case forward = MakeCase(GetParam(), seed);
    const Case both = WithGradients(forward, seed);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, Print(both.graph)));
    Verify(both.graph);
    const std::vector<Values<double>> results = Evaluate(both.graph, both.inputs);
    if (GetParam().name == "stop_gradient") {
      // Half of the slope, as one of the factors does not count.
      for (std::size_t e = 0; e < results[0].size(); ++e) {
        ASSERT_DOUBLE_EQ(results[1][e], both.inputs[0][e] * both.inputs.back()[e]);
      }
      continue;
    }
    for (std::size_t i = 0; i < forward.inputs.size(); ++i) {
      ExpectSlope(forward.graph, forward.inputs, i, results.at(i + 1), both.inputs.back(), seed);
    }
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Gradient, Rules, testing::ValuesIn(CaseKinds()), [](const auto& info) {
  std::string name = info.param.name;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
});

// The gradient of the sum of what `make` makes of a row, with respect to the row.
template <typename Make>
Values<double> SlopesOf(const Values<double>& row, Make make) {
  Builder b;
  const ValueId x = b.Input("x", {ElementType::kF32, {static_cast<std::int64_t>(row.size())}});
  const ValueId y = make(b, x);
  const ValueId ones = b.Splat({ElementType::kF32, b.ShapeOf(y)}, 1);
  b.Output("slopes", VectorJacobianProduct(b, y, ones, std::vector{x}).at(0));
  return Evaluate<double>(b.graph(), {row}).at(0);
}

// Where there is no slope, one is chosen.
TEST(Gradient, OfEqualElements) {
  EXPECT_EQ(
      SlopesOf({-1, 0, 1}, [](Builder& b, ValueId x) { return b.Maximum(x, b.SplatLike(x, 0)); }),
      (Values<double>{0, 0, 1}));
  EXPECT_EQ(
      SlopesOf({5, 6, 7}, [](Builder& b, ValueId x) { return b.Minimum(x, b.SplatLike(x, 6)); }),
      (Values<double>{1, 0, 0}));
  EXPECT_EQ(SlopesOf({2, 2, 1},
                     [](Builder& b, ValueId x) { return b.Reduce(x, Reduction::kMaximum, {0}); }),
            (Values<double>{0.5, 0.5, 0}));
  EXPECT_EQ(SlopesOf({2, 2, 1},
                     [](Builder& b, ValueId x) {
                       return b.ReduceWindow(
                           x, {.body = Reduction::kMaximum, .window_dimensions = {3}});
                     }),
            (Values<double>{1, 0, 0}));
}

// The first of equal elements is selected, whose place counts 5.
TEST(Gradient, OfSelectAndScatterIsOfTheFirstOfEqualElements) {
  const auto scattered = [](Builder& b, ValueId source) {
    const TensorType row = {ElementType::kF32, {3}};
    const ValueId places =
        b.SelectAndScatter(b.Constant(row, {2, 2, 1}), source, {.window_dimensions = {3}});
    return b.Multiply(places, b.Constant(row, {5, 7, 9}));
  };
  EXPECT_EQ(SlopesOf({1}, scattered), Values<double>{5});
}

TEST(Gradient, OfWhatDoesNotDependOnItIsZero) {
  EXPECT_EQ(SlopesOf({1, 2}, [](Builder& b, ValueId x) { return b.SplatLike(x, 3); }),
            (Values<double>{0, 0}));
  EXPECT_EQ(SlopesOf({1, 2}, [](Builder& b, ValueId x) { return b.StopGradient(x); }),
            (Values<double>{0, 0}));
}

TEST(Gradient, RefusesWhatHasNone) {
  Builder b;
  const ValueId x = b.Input("x", {ElementType::kF32, {5}});
  EXPECT_THROW(Gradient(b, x, std::vector{x}), TypeError);
  const ValueId integers = b.Input("integers", {ElementType::kS32, {}});
  EXPECT_THROW(Gradient(b, integers, std::vector{x}), TypeError);
  const ValueId dilated = b.ReduceWindow(x, {.body = Reduction::kMaximum,
                                             .window_dimensions = {2},
                                             .window_strides = {},
                                             .base_dilations = {},
                                             .window_dilations = {2},
                                             .padding = {}});
  const ValueId loss = b.Reduce(dilated, Reduction::kAdd, {0});
  EXPECT_THROW(Gradient(b, loss, std::vector{x}), TypeError);
}

// What a product takes is bf16, all else is f32.
TEST(Gradient, OfBf16IsOfF32) {
  Builder b;
  const ValueId x = b.Input("x", {ElementType::kBf16, {2, 3}});
  const ValueId y = b.DotGeneral(x, x,
                                 {.lhs_batching_dimensions = {},
                                  .rhs_batching_dimensions = {},
                                  .lhs_contracting_dimensions = {0, 1},
                                  .rhs_contracting_dimensions = {0, 1},
                                  .element = ElementType::kBf16});
  const ValueId gradient = Gradient(b, y, std::vector{x}).at(0);
  EXPECT_EQ(b.TypeOf(gradient), (TensorType{ElementType::kF32, {2, 3}}));
  for (const Node& node : b.graph().nodes) {
    if (!std::holds_alternative<DotGeneral>(node.operation)) continue;
    for (const ValueId operand : node.operands) {
      EXPECT_EQ(b.TypeOf(operand).element, ElementType::kBf16);
    }
  }
}

}  // namespace
}  // namespace tpu::tensor
