// SPDX-License-Identifier: Apache-2.0
// Types of results, what the language refuses, and graphs as text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tensor/builder.h"
#include "tensor/print.h"
#include "tests/tensor/names.h"

namespace tpu::tensor {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TensorType Infer(const Operation& operation, const std::vector<TensorType>& operands) {
  return InferType(operation, operands);
}

// What InferType says against it.
std::string Refusal(const Operation& operation, const std::vector<TensorType>& operands) {
  try {
    const TensorType type = InferType(operation, operands);
    return "accepted as " + TypeText(type);
  } catch (const TypeError& error) {
    return error.what();
  }
}

TEST(Types, ElementsKeepTheirShape) {
  const TensorType x = {kF32, {2, 3}};
  EXPECT_EQ(Infer(Tanh{}, {x}), x);
  EXPECT_EQ(Infer(Add{}, {x, x}), x);
  EXPECT_EQ(Infer(Convert{kBf16}, {x}), (TensorType{kBf16, {2, 3}}));
  EXPECT_EQ(Infer(Compare{}, {x, x}), (TensorType{kPred, {2, 3}}));
  EXPECT_EQ(Infer(Select{}, {{kPred, {2, 3}}, x, x}), x);
}

TEST(Types, ShapesOfMovedElements) {
  const TensorType x = {kF32, {2, 3, 4}};
  EXPECT_EQ(Infer(Transpose{{2, 0, 1}}, {x}).shape, (Shape{4, 2, 3}));
  EXPECT_EQ(Infer(Reshape{{6, 4}}, {x}).shape, (Shape{6, 4}));
  EXPECT_EQ(Infer(BroadcastInDim{{3, 5, 2}, {2, 0}}, {{kF32, {2, 1}}}).shape, (Shape{3, 5, 2}));
  EXPECT_EQ(Infer(Slice{{0, 1, 0}, {2, 3, 4}, {1, 1, 3}}, {x}).shape, (Shape{2, 2, 2}));
  EXPECT_EQ(Infer(Pad{{1, 0, -1}, {0, 2, 0}, {1, 0, 0}}, {x, {kF32, {}}}).shape, (Shape{4, 5, 3}));
  EXPECT_EQ(Infer(Concatenate{1}, {x, {kF32, {2, 5, 4}}}).shape, (Shape{2, 8, 4}));
  EXPECT_EQ(Infer(Reduce{Reduction::kAdd, {0, 2}}, {x}).shape, (Shape{3}));
}

TEST(Types, ProductsAndWindows) {
  const DotGeneral dot = {.lhs_batching_dimensions = {0},
                          .rhs_batching_dimensions = {2},
                          .lhs_contracting_dimensions = {2},
                          .rhs_contracting_dimensions = {0}};
  EXPECT_EQ(Infer(dot, {{kBf16, {2, 3, 4}}, {kBf16, {4, 5, 2}}}), (TensorType{kF32, {2, 3, 5}}));
  Convolution conv = {.window_strides = {2},
                      .padding = {{1, 0}},
                      .lhs_dilation = {2},
                      .rhs_dilation = {3},
                      .window_reversal = {false},
                      .input_batch_dimension = 0,
                      .input_feature_dimension = 2,
                      .input_spatial_dimensions = {1},
                      .kernel_input_feature_dimension = 1,
                      .kernel_output_feature_dimension = 2,
                      .kernel_spatial_dimensions = {0},
                      .output_batch_dimension = 2,
                      .output_feature_dimension = 1,
                      .output_spatial_dimensions = {0},
                      .feature_group_count = 2};
  // 7 elements dilated are 13, padded 14; a window of 2 reaches over 4; (14 - 4) / 2 + 1.
  EXPECT_EQ(Infer(conv, {{kF32, {3, 7, 4}}, {kF32, {2, 2, 6}}}).shape, (Shape{6, 6, 3}));
  conv.feature_group_count = 1;
  conv.batch_group_count = 3;
  EXPECT_EQ(Infer(conv, {{kF32, {3, 7, 4}}, {kF32, {2, 4, 6}}}).shape, (Shape{6, 6, 1}));
}

TEST(Types, RefusalsNameTheOperationAndTheTypes) {
  const TensorType x = {kF32, {2, 3}};
  EXPECT_THAT(Refusal(Add{}, {x, {kF32, {3, 2}}}),
              AllOf(HasSubstr("add(tensor<2x3xf32>, tensor<3x2xf32>)"), HasSubstr("differ")));
  EXPECT_THAT(Refusal(Add{}, {x}), HasSubstr("takes 2 operands, not 1"));
  EXPECT_THAT(Refusal(Add{}, {{kPred, {2}}, {kPred, {2}}}), HasSubstr("i1"));
  EXPECT_THAT(Refusal(Exponential{}, {{kS32, {2}}}), HasSubstr("exponential(tensor<2xi32>)"));
  EXPECT_THAT(Refusal(Select{}, {x, x, x}), HasSubstr("no i1"));
  EXPECT_THAT(Refusal(Reshape{{5}}, {x}), HasSubstr("another number of elements"));
  EXPECT_THAT(Refusal(Transpose{{0, 0}}, {x}), HasSubstr("permutation has 0 twice"));
  EXPECT_THAT(Refusal(Transpose{{0, 2}}, {x}), HasSubstr("permutation has 2"));
  EXPECT_THAT(Refusal(BroadcastInDim{{2, 4}, {0, 1}}, {x}), HasSubstr("size 3"));
  EXPECT_THAT(Refusal(Slice{{0, 0}, {3, 3}, {1, 1}}, {x}), HasSubstr("dimension 0"));
  EXPECT_THAT(Refusal(Pad{{-3, 0}, {0, 0}, {0, 0}}, {x, {kF32, {}}}), HasSubstr("size -1"));
  EXPECT_THAT(Refusal(Concatenate{0}, {x, {kF32, {2, 4}}}), HasSubstr("more than dimension 0"));
  EXPECT_THAT(Refusal(Constant{x, {1, 2}}, {}), HasSubstr("2 values"));
  EXPECT_THAT(Refusal(Input{"x", {kF32, {1 << 20, 1 << 20}}}, {}), HasSubstr("2^31"));
  EXPECT_THAT(Refusal(Constant{{kF32, {1LL << 40, 1LL << 40}}, {1}}, {}), HasSubstr("2^31"));
}

TEST(Types, RefusalsOfProductsAndWindows) {
  const TensorType x = {kF32, {2, 3}};
  const DotGeneral dot = {.lhs_batching_dimensions = {},
                          .rhs_batching_dimensions = {},
                          .lhs_contracting_dimensions = {1},
                          .rhs_contracting_dimensions = {0}};
  EXPECT_THAT(Refusal(dot, {x, x}), HasSubstr("sizes 3 and 2"));
  EXPECT_THAT(Refusal(dot, {x, {kBf16, {3, 2}}}), HasSubstr("both of bf16"));
  EXPECT_THAT(Refusal(ReduceWindow{.window_dimensions = {3, 3},
                                   .window_strides = {1, 1},
                                   .base_dilations = {1, 1},
                                   .window_dilations = {1, 1},
                                   .padding = {{0, 0}, {0, 0}}},
                      {x}),
              HasSubstr("does not fit into dimension 0 of size 2"));
  Convolution conv = {.window_strides = {1},
                      .padding = {{0, 0}},
                      .lhs_dilation = {1},
                      .rhs_dilation = {1},
                      .window_reversal = {false},
                      .input_batch_dimension = 0,
                      .input_feature_dimension = 1,
                      .input_spatial_dimensions = {2},
                      .kernel_input_feature_dimension = 1,
                      .kernel_output_feature_dimension = 2,
                      .kernel_spatial_dimensions = {0},
                      .output_batch_dimension = 0,
                      .output_feature_dimension = 1,
                      .output_spatial_dimensions = {2}};
  const TensorType images = {kF32, {2, 4, 5}};
  EXPECT_EQ(Refusal(conv, {images, {kF32, {3, 4, 6}}}), "accepted as tensor<2x6x3xf32>");
  EXPECT_THAT(Refusal(conv, {images, {kF32, {3, 3, 6}}}), HasSubstr("4 input features"));
  EXPECT_THAT(Refusal(conv, {images, {kF32, {6, 4, 6}}}), HasSubstr("does not fit"));
  conv.batch_group_count = 4;
  EXPECT_THAT(Refusal(conv, {images, {kF32, {3, 4, 8}}}), HasSubstr("batch_group_count = 4"));
  conv.batch_group_count = 1;
  conv.output_spatial_dimensions = {1};
  EXPECT_THAT(Refusal(conv, {images, {kF32, {3, 4, 6}}}), HasSubstr("output has 1 twice"));
}

TEST(Verify, FindsWhatIsNoGraph) {
  Builder b;
  const ValueId x = b.Input("x", {kF32, {2}});
  b.Output("y", b.Add(x, x));
  EXPECT_NO_THROW(Verify(b.graph()));
  Graph late = b.graph();
  late.nodes[1].operands[0] = 1;
  EXPECT_THROW(Verify(late), TypeError);
  Graph wrong = b.graph();
  wrong.nodes[1].type.shape = {3};
  EXPECT_THROW(Verify(wrong), TypeError);
  Graph unlisted = b.graph();
  unlisted.inputs.clear();
  EXPECT_THROW(Verify(unlisted), TypeError);
  Graph twice = b.graph();
  twice.outputs.push_back(twice.outputs[0]);
  EXPECT_THROW(Verify(twice), TypeError);
  EXPECT_THROW(b.Input("x", {kF32, {}}), TypeError);
  EXPECT_THROW(b.Add(x, 7), TypeError);
}

TEST(Builder, BroadcastsAsNumpyDoes) {
  Builder b;
  const ValueId x = b.Input("x", {kF32, {3, 1}});
  EXPECT_EQ(b.ShapeOf(b.BroadcastTo(x, {2, 3, 4})), (Shape{2, 3, 4}));
  EXPECT_EQ(b.BroadcastTo(x, {3, 1}), x);
  EXPECT_THROW(b.BroadcastTo(x, {1}), TypeError);
  EXPECT_THROW(b.BroadcastTo(x, {2, 4}), TypeError);
}

TEST(Print, IsStableHlo) {
  Builder b;
  const ValueId x = b.Input("x", {kF32, {2, 3}});
  const ValueId w = b.Convert(b.Constant({kF32, {3}}, {1, -2.5, 0}), kBf16);
  const ValueId y = b.DotGeneral(b.Convert(x, kBf16), w,
                                 {.lhs_batching_dimensions = {},
                                  .rhs_batching_dimensions = {},
                                  .lhs_contracting_dimensions = {1},
                                  .rhs_contracting_dimensions = {0}});
  b.Output("y", b.Reduce(y, Reduction::kMaximum, {0}));
  EXPECT_EQ(Print(b.graph()),
            R"(func.func @main(%0: tensor<2x3xf32> loc("x")) -> (tensor<f32>) {
  %1 = stablehlo.constant dense<[1.00000000000000000e+00, -2.50000000000000000e+00, 0.00000000000000000e+00]> : tensor<3xf32>
  %2 = stablehlo.convert %1 : (tensor<3xf32>) -> tensor<3xbf16>
  %3 = stablehlo.convert %0 : (tensor<2x3xf32>) -> tensor<2x3xbf16>
  %4 = stablehlo.dot_general %3, %2, contracting_dims = [1] x [0] : (tensor<2x3xbf16>, tensor<3xbf16>) -> tensor<2xf32>
  %init_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %5 = stablehlo.reduce(%4 init: %init_5) applies stablehlo.maximum across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return %5 : tensor<f32>
}
)");
}

}  // namespace
}  // namespace tpu::tensor
