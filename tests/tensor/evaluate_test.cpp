// SPDX-License-Identifier: Apache-2.0
// The evaluator on examples that were worked out by hand.
#include "tests/tensor/evaluate.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "tensor/builder.h"
#include "tests/tensor/names.h"

namespace tpu::tensor {
namespace {

// What `make` makes of one tensor.
template <typename Make>
Values<double> Of(Shape shape, const Values<double>& x, Make make) {
  Builder b;
  b.Output("y", make(b, b.Input("x", {kF32, std::move(shape)})));
  return Evaluate<double>(b.graph(), {x}).at(0);
}

TEST(Evaluate, Elements) {
  const auto y = Of({2}, {-1.5, 4}, [](Builder& b, ValueId x) {
    const ValueId larger = b.Compare(ComparisonDirection::kGt, x, b.SplatLike(x, 1));
    return b.Select(larger, b.Sqrt(x), b.Subtract(b.Abs(x), b.Iota(b.TypeOf(x), 0)));
  });
  EXPECT_EQ(y, (Values<double>{1.5, 2}));
}

TEST(Evaluate, MovedElements) {
  const Values<double> x = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(Of({2, 3}, x,
               [](Builder& b, ValueId v) {
                 return b.Transpose(v, {1, 0});
               }),
            (Values<double>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(Of({2, 3}, x, [](Builder& b, ValueId v) { return b.Reverse(v, {1}); }),
            (Values<double>{3, 2, 1, 6, 5, 4}));
  EXPECT_EQ(Of({2, 3}, x,
               [](Builder& b, ValueId v) {
                 return b.Slice(v, {1, 0}, {2, 3}, {1, 2});
               }),
            (Values<double>{4, 6}));
  EXPECT_EQ(Of({3}, {1, 2, 3},
               [](Builder& b, ValueId v) {
                 return b.Pad(v, 9, {{-1}, {2}, {1}});
               }),
            (Values<double>{9, 2, 9, 3, 9, 9}));
  EXPECT_EQ(Of({1, 2}, {1, 2},
               [](Builder& b, ValueId v) {
                 return b.BroadcastInDim(v, {2, 3}, {1, 0});
               }),
            (Values<double>{1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(Of({2, 1}, {1, 2},
               [](Builder& b, ValueId v) {
                 return b.Concatenate({v, v}, 1);
               }),
            (Values<double>{1, 1, 2, 2}));
}

// The examples of StableHLO's specification.
TEST(Evaluate, Windows) {
  EXPECT_EQ(Of({3, 2}, {1, 2, 3, 4, 5, 6},
               [](Builder& b, ValueId v) {
                 return b.ReduceWindow(v, {.body = Reduction::kAdd,
                                           .window_dimensions = {2, 1},
                                           .window_strides = {4, 1},
                                           .base_dilations = {2, 1},
                                           .window_dilations = {3, 1},
                                           .padding = {{2, 1}, {0, 0}}});
               }),
            (Values<double>{0, 0, 3, 4}));
  Builder b;
  const ValueId x = b.Input("x", {kF32, {4, 2}});
  const ValueId source = b.Input("source", {kF32, {2, 2}});
  b.Output("y", b.SelectAndScatter(x, source,
                                   {.window_dimensions = {3, 1},
                                    .window_strides = {2, 1},
                                    .padding = {{0, 1}, {0, 0}}}));
  EXPECT_EQ(Evaluate<double>(b.graph(), {{1, 5, 2, 5, 3, 6, 4, 4}, {5, 6, 7, 8}}).at(0),
            (Values<double>{0, 0, 0, 0, 5, 14, 7, 0}));
}

TEST(Evaluate, TheFirstOfEqualElementsIsSelected) {
  Builder b;
  const ValueId x = b.Input("x", {kF32, {3}});
  const ValueId source = b.Input("source", {kF32, {1}});
  b.Output("y", b.SelectAndScatter(x, source, {.window_dimensions = {3}}));
  EXPECT_EQ(Evaluate<double>(b.graph(), {{2, 2, 1}, {5}}).at(0), (Values<double>{5, 0, 0}));
}

TEST(Evaluate, DotGeneral) {
  Builder b;
  const ValueId x = b.Input("x", {kF32, {2, 2, 2}});
  const ValueId y = b.Input("y", {kF32, {2, 2, 2}});
  b.Output("z", b.DotGeneral(x, y,
                             {.lhs_batching_dimensions = {0},
                              .rhs_batching_dimensions = {0},
                              .lhs_contracting_dimensions = {2},
                              .rhs_contracting_dimensions = {1}}));
  // The specification's example.
  EXPECT_EQ(Evaluate<double>(b.graph(), {{1, 2, 3, 4, 5, 6, 7, 8}, {1, 0, 0, 1, 1, 0, 0, 1}}).at(0),
            (Values<double>{1, 2, 3, 4, 5, 6, 7, 8}));
}

Values<double> Convolved(Convolution op, const TensorType& input, const TensorType& kernel,
                         const Values<double>& x, const Values<double>& w) {
  Builder b;
  op.input_spatial_dimensions = op.kernel_spatial_dimensions = op.output_spatial_dimensions = {1};
  op.input_batch_dimension = op.output_batch_dimension = 0;
  op.input_feature_dimension = op.output_feature_dimension = 2;
  op.kernel_input_feature_dimension = 0;
  op.kernel_output_feature_dimension = 2;
  const ValueId data = b.Input("x", input);
  b.Output("y", b.Convolution(data, b.Input("w", kernel), op));
  return Evaluate<double>(b.graph(), {x, w}).at(0);
}

TEST(Evaluate, Convolution) {
  const TensorType row = {kF32, {1, 3, 1}};
  const TensorType two = {kF32, {1, 2, 1}};
  EXPECT_EQ(Convolved({}, row, two, {1, 2, 3}, {10, 1}), (Values<double>{12, 23}));
  EXPECT_EQ(Convolved({.window_reversal = {true}}, row, two, {1, 2, 3}, {10, 1}),
            (Values<double>{21, 32}));
  EXPECT_EQ(Convolved({.window_strides = {2}, .padding = {{1, 0}}}, row, two, {1, 2, 3}, {10, 1}),
            (Values<double>{1, 23}));
  // 1 0 2 0 3, less the first one.
  EXPECT_EQ(Convolved({.padding = {{-1, 0}}, .lhs_dilation = {2}}, row, two, {1, 2, 3}, {10, 1}),
            (Values<double>{2, 20, 3}));
  EXPECT_EQ(Convolved({.rhs_dilation = {2}}, row, two, {1, 2, 3}, {10, 1}), (Values<double>{13}));
}

TEST(Evaluate, GroupsOfConvolutions) {
  // Features 1 and 2 apart, each with a weight.
  EXPECT_EQ(Convolved({.feature_group_count = 2}, {kF32, {1, 1, 2}}, {kF32, {1, 1, 4}}, {3, 5},
                      {1, 2, 10, 20}),
            (Values<double>{3, 6, 50, 100}));
  // The first image makes the first feature, the second one the other.
  EXPECT_EQ(
      Convolved({.batch_group_count = 2}, {kF32, {2, 1, 1}}, {kF32, {1, 1, 2}}, {3, 5}, {1, 10}),
      (Values<double>{3, 50}));
}

TEST(Evaluate, FloatsRoundBf16ToTheNearestEven) {
  Builder b;
  const ValueId x = b.Input("x", {kF32, {4}});
  b.Output("y", b.Convert(b.Convert(x, kBf16), kF32));
  // Of 8 bits: halfway to even below and above, more than halfway, infinity.
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(Evaluate<float>(b.graph(), {{0x1.01p0F, 0x1.03p0F, 0x1.0101p0F, infinity}}).at(0),
            (Values<float>{1, 0x1.04p0F, 0x1.02p0F, infinity}));
  EXPECT_EQ(Evaluate<double>(b.graph(), {{1.001, 0, 0, 0}}).at(0)[0], 1.001);
}

}  // namespace
}  // namespace tpu::tensor
