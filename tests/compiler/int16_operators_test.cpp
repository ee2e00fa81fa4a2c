// SPDX-License-Identifier: Apache-2.0
// Operators on int16 as jobs: products in two planes, parameters of wide sums, what is refused.
// That the results are right, models/vectors shows.
#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/compile.h"
#include "compiler/place/residency.h"
#include "compiler/tile/conv_tiling.h"
#include "lowered.h"

namespace tpu::compiler {
namespace {

using Int8s = std::vector<std::int8_t>;
using Int32s = std::vector<std::int32_t>;
using Int64s = std::vector<std::int64_t>;

constexpr std::int64_t kMostBias = std::int64_t{1} << 46;

isa::HardwareConfig Int16Lanes() {
  isa::HardwareConfig config = FourLanes();
  config.int16 = 1;
  return config;
}

isa::HardwareConfig WithoutInt16() {
  isa::HardwareConfig config = FourLanes();
  config.int16 = 0;
  return config;
}

ir::Tensor Words(std::string name, ir::Shape shape, float scale = 1.0F) {
  return {.name = std::move(name),
          .type = ElementType::kInt16,
          .shape = std::move(shape),
          .scale = scale};
}

// A 1 x 1 convolution of 2 x 2 pixels and four channels into two. The biases may be of any type.
PlacedGraph Convolution(decltype(ir::Tensor::data) biases, ElementType type = ElementType::kInt64) {
  PlacedGraph source;
  const ir::TensorId x = source.Add(Words("x", {1, 2, 2, 4}, 0.5F));
  const ir::TensorId w = source.Add({.name = "w",
                                     .shape = {2, 1, 1, 4},
                                     .scale = 0.75F,
                                     .data = Int8s{1, 2, 3, 4, -1, -1, -1, -1}});
  const ir::TensorId b =
      source.Add({.name = "b", .type = type, .shape = {2}, .data = std::move(biases)});
  source.Append("conv", ir::Conv2D{}, {x, w, b}, source.Add(Words("y", {1, 2, 2, 2})));
  return source;
}

TEST(Int16Products, MultiplyTheSameWeightsWithBothBytes) {
  const Lowered lowered = Convolution(Int64s{0, 0}).Lower(Int16Lanes());
  EXPECT_EQ(lowered.Kinds(), "load load weights matmul ivector store");
  const auto product = lowered.At<isa::Matmul>(0);
  EXPECT_EQ(product.planes, 1U);
  EXPECT_EQ(product.format, isa::NumberFormat::kInt8);
  EXPECT_EQ(product.n_oh, 4U) << "two planes of each of two rows";
  EXPECT_EQ(product.n_ow, 2U);
  EXPECT_EQ(product.zero_point, 0);
  EXPECT_EQ(product.accumulate, 0U);
  const auto drain = lowered.At<isa::Ivector>(0);
  EXPECT_EQ(drain.a_format, isa::IntegerFormat::kPair);
  EXPECT_EQ(drain.o_format, isa::IntegerFormat::kInt16);
  EXPECT_EQ(drain.a_low, 2) << "a row's low bytes are behind its high bytes";
  EXPECT_EQ(drain.a_oh, 4);
  EXPECT_EQ(drain.lo, -32768);
  EXPECT_EQ(drain.hi, 32767);
}

TEST(Int16Products, WideSumsHaveTheUpperBitsOfTheirBiasBesideTheMultiplier) {
  constexpr std::int64_t kBig = (std::int64_t{5} << 32) + 7;
  const Lowered lowered = Convolution(Int64s{kBig, -1}).Lower(Int16Lanes());
  EXPECT_EQ(lowered.At<isa::Ivector>(0).requant, isa::IntegerRequant::kWide);
  // The low bytes are 128 less than they should be, and so the weights' sums are added 128 times.
  EXPECT_EQ(lowered.BiasOf(1, 0), 7 + 128 * 10);
  EXPECT_EQ(lowered.BiasOf(1, 1), -1 + 128 * -4);
  // 0.5 * 0.75 = 0.75 * 2^-1, whose upper 15 bits are 0x6000.
  EXPECT_EQ(lowered.MultiplierOf(1, 0), 5 << 16 | 0x6000);
  EXPECT_EQ(static_cast<std::uint32_t>(lowered.MultiplierOf(1, 1)), 0xFFFF6000U);
}

TEST(Int16Products, BiasesOfInt32MakeSumsOfInt32) {
  const PlacedGraph source = Convolution(Int32s{100, 200}, ElementType::kInt32);
  const Lowered twice = source.Lower(Int16Lanes(), Rounding::kDouble);
  EXPECT_EQ(twice.At<isa::Ivector>(0).requant, isa::IntegerRequant::kDouble);
  EXPECT_EQ(twice.BiasOf(1, 0), 100 + 128 * 10);
  EXPECT_EQ(twice.BiasOf(1, 1), 200 + 128 * -4);
  EXPECT_EQ(twice.MultiplierOf(1, 0), 3 << 29) << "all bits of 0.75";
  const Lowered once = source.Lower(Int16Lanes(), Rounding::kSingle);
  EXPECT_EQ(once.At<isa::Ivector>(0).requant, isa::IntegerRequant::kSingle);
}

TEST(Int16Products, WithoutABiasSumsAreWide) {
  PlacedGraph source = Convolution(Int64s{0, 0});
  source.graph().operators[0].inputs.pop_back();
  const Lowered lowered = source.Lower(Int16Lanes());
  EXPECT_EQ(lowered.At<isa::Ivector>(0).requant, isa::IntegerRequant::kWide);
  EXPECT_EQ(lowered.BiasOf(1, 0), 128 * 10);
}

TEST(Int16Products, RefuseWhatTheirMultiplicationCannotHold) {
  const auto lower = [](const PlacedGraph& source) { return source.Lower(Int16Lanes()); };
  // The weights' sum, -4, is added 128 times.
  lower(Convolution(Int64s{0, kMostBias - 1 + 4 * 128}));
  ExpectError([&] { lower(Convolution(Int64s{0, kMostBias + 4 * 128})); }, "is too large");
  lower(Convolution(Int64s{-kMostBias - 10 * 128, 0}));
  ExpectError([&] { lower(Convolution(Int64s{-kMostBias - 10 * 128 - 1, 0})); }, "is too large");
  PlacedGraph source = Convolution(Int64s{0, 0});
  source.graph().tensors[0].scale = 128.0F;  // 128 * 0.75 is below 2^7.
  lower(source);
  source.graph().tensors[0].scale = 256.0F;
  ExpectError([&] { lower(source); }, "conv (CONV_2D): the scales make a factor of 2^8");
}

TEST(Int16Products, DepthwiseConvolutionsGoToTheArray) {
  PlacedGraph source;
  const ir::TensorId x = source.Add(Words("x", {1, 3, 3, 4}));
  const ir::TensorId w = source.Add({.name = "w", .shape = {1, 3, 3, 4}, .data = Int8s(36, 1)});
  source.Append("depthwise", ir::DepthwiseConv2D{}, {x, w}, source.Add(Words("y", {1, 1, 1, 4})));
  const Lowered lowered = source.Lower(Int16Lanes());
  EXPECT_EQ(lowered.All<isa::Matmul>().size(), 1U);
  EXPECT_TRUE(lowered.All<isa::Vector>().empty());
}

// Three channels and three columns of the kernel are nine of sixteen lanes: thin.
TEST(Int16Products, ThinImagesAreReadByteByByte) {
  PlacedGraph source;
  const ir::TensorId x = source.Add(Words("x", {1, 16, 16, 3}));
  const ir::TensorId w =
      source.Add({.name = "w", .shape = {16, 3, 3, 3}, .data = Int8s(std::size_t{16} * 27, 1)});
  source.Append("conv", ir::Conv2D{}, {x, w}, source.Add(Words("y", {1, 14, 14, 16})));
  isa::HardwareConfig config;
  config.int16 = 1;
  const Lowered lowered = source.Lower(config);
  for (const isa::Matmul& product : lowered.All<isa::Matmul>()) {
    EXPECT_EQ(product.n_kw, 1U) << "columns of the kernel lie in the lanes";
    EXPECT_EQ(product.xs_ow, 3U) << "numbers, not bytes, from a pixel to the next one";
  }
  EXPECT_FALSE(lowered.All<isa::Matmul>().empty());
}

TEST(Int16Tiling, BothPlanesOfASumFitHalfOfTheAccumulators) {
  const isa::HardwareConfig config = {.n = 8, .ub_rows = 512, .acc_rows = 64, .param_rows = 16};
  ConvShape shape;
  shape.input = {.w = 100, .c = 24};
  shape.output = {.w = 100, .c = 16};
  shape.x.input = 100;
  for (const ElementType type : {ElementType::kInt8, ElementType::kInt16}) {
    shape.format = {type};
    shape.output_format = {type};
    const std::int64_t bytes = type == ElementType::kInt16 ? 2 : 1;
    shape.input_pixel_bytes = shape.input.c * bytes;
    shape.output_pixel_bytes = shape.output.c * bytes;
    shape.input_pixel_rows = bytes;
    const std::vector<ConvTiling> tilings = ConvTilings(shape, config, config.ub_rows);
    ASSERT_FALSE(tilings.empty());
    std::int64_t most = 0;
    for (const ConvTiling& tiling : tilings) {
      most =
          std::max(most, ir::LargestSize(tiling.columns) * ir::LargestSize(tiling.output_blocks));
      EXPECT_LE((tiling.input_rows + tiling.output_rows) * (tiling.Loads() > 1 ? 2 : 1), 512);
    }
    EXPECT_LE(most * bytes, 32);
    EXPECT_GT(most * bytes, 16) << "more than a quarter of the accumulators is used";
  }
}

TEST(Int16Residency, APixelTakesTwoRows) {
  PlacedGraph source;
  const ir::TensorId x = source.Add(Words("x", {1, 8, 8, 16}));
  const ir::TensorId y = source.Add(Words("y", {1, 8, 8, 16}));
  source.Append("first", ir::Binary{}, {x, x}, y);
  source.Append("second", ir::Binary{}, {y, y}, source.Add(Words("z", {1, 8, 8, 16})));
  source.graph().inputs = {x};
  source.graph().outputs = {2};
  isa::HardwareConfig config;
  config.int16 = 1;
  const ResidencyPlan plan = PlanResidency(source.graph(), config);
  EXPECT_EQ(plan.row[y], 0);
  EXPECT_EQ(plan.free[0].begin, 2 * 64);
}

// One of two operands is only shifted; SUB depends on which.
TEST(Int16Elementwise, TheOperandOfTheSmallerScaleIsMultiplied) {
  for (const bool first_is_larger : {true, false}) {
    PlacedGraph source;
    const ir::TensorId a = source.Add(Words("a", {1, 2, 2, 4}, first_is_larger ? 1.0F : 0.25F));
    const ir::TensorId b = source.Add(Words("b", {1, 2, 2, 4}, first_is_larger ? 0.25F : 1.0F));
    source.Append("sub", ir::Binary{.kind = ir::BinaryKind::kSub}, {a, b},
                  source.Add(Words("y", {1, 2, 2, 4}, 2.0F)));
    const Lowered lowered = source.Lower(Int16Lanes());
    const auto operation = lowered.At<isa::Ivector>(0);
    EXPECT_EQ(operation.map, first_is_larger ? isa::IntegerMap::kSubtractScaled
                                             : isa::IntegerMap::kReverseSubtractScaled);
    EXPECT_EQ(operation.constant, 1 << 30);
    EXPECT_EQ(operation.pre_shift, 2U) << "0.25 / (2 * 1)";
    EXPECT_EQ(lowered.MultiplierOf(0, 0), 1 << 30) << "2 / (2^15 * 2)";
  }
}

TEST(Int16Elementwise, MaximumNeedsOneScale) {
  PlacedGraph source;
  const ir::TensorId a = source.Add(Words("a", {1, 2, 2, 4}));
  const ir::TensorId b = source.Add(Words("b", {1, 2, 2, 4}));
  source.Append("max", ir::Binary{.kind = ir::BinaryKind::kMaximum}, {a, b},
                source.Add(Words("y", {1, 2, 2, 4})));
  const auto operation = source.Lower(Int16Lanes()).At<isa::Ivector>(0);
  EXPECT_EQ(operation.map, isa::IntegerMap::kMaximum);
  EXPECT_EQ(operation.requant, isa::IntegerRequant::kNone);
  source.graph().tensors[b].scale = 0.5F;
  ExpectError([&] { return source.Lower(Int16Lanes()); }, "a, b and y must have the same scale");
}

// A graph of one operator from x to y.
struct OneOperator {
  ir::Graph graph;

  OneOperator(ir::Attributes attributes, ir::Tensor x, ir::Tensor y) {
    const ir::TensorId input = graph.AddTensor(std::move(x));
    const ir::TensorId output = graph.AddTensor(std::move(y));
    graph.operators.push_back({.name = "op",
                               .inputs = {input},
                               .outputs = {output},
                               .attributes = std::move(attributes)});
    graph.inputs = {input};
    graph.outputs = {output};
  }

  // How many steps of the executable are host calls.
  [[nodiscard]] std::size_t HostCalls(const isa::HardwareConfig& config = Int16Lanes()) const {
    const executable::Executable executable = Compile(graph, config);
    return static_cast<std::size_t>(std::count_if(
        executable.steps.begin(), executable.steps.end(),
        [](const auto& step) { return std::holds_alternative<executable::HostCall>(step); }));
  }
};

TEST(Int16Quantise, RunsOnTheDeviceWhereFieldsHoldTheZeroPoints) {
  const ir::Tensor bytes = {.name = "bytes", .shape = {1, 2, 2, 4}, .zero_point = -5};
  const ir::Tensor words = Words("words", {1, 2, 2, 4}, 0.25F);
  EXPECT_EQ(OneOperator(ir::Quantize{}, bytes, words).HostCalls(), 0U);
  EXPECT_EQ(OneOperator(ir::Quantize{}, words, bytes).HostCalls(), 0U);
  EXPECT_EQ(OneOperator(ir::Quantize{}, words, words).HostCalls(), 0U);
  ir::Tensor shifted = words;
  shifted.zero_point = 1;
  EXPECT_EQ(OneOperator(ir::Quantize{}, bytes, shifted).HostCalls(), 1U);
  EXPECT_EQ(OneOperator(ir::Quantize{}, shifted, bytes).HostCalls(), 1U);
  EXPECT_EQ(OneOperator(ir::Quantize{}, bytes, words).HostCalls(WithoutInt16()), 1U)
      << "the machine has no int16";
}

TEST(Int16Machines, OthersRefuseOperatorsThatCompute) {
  const ir::Tensor words = Words("words", {1, 2, 2, 4});
  const OneOperator relu(ir::Unary{.kind = ir::UnaryKind::kRelu}, words, words);
  EXPECT_EQ(relu.HostCalls(), 0U);
  ExpectError([&] { return relu.HostCalls(WithoutInt16()); },
              "op (RELU): tensor words is int16, and the machine has no int16");
}

TEST(Int16Operators, RefuseTypesThatDiffer) {
  ir::Tensor bytes = {.name = "bytes", .shape = {1, 2, 2, 4}};
  const OneOperator relu(ir::Unary{.kind = ir::UnaryKind::kRelu}, Words("words", {1, 2, 2, 4}),
                         bytes);
  ExpectError([&] { return relu.HostCalls(); }, "tensor bytes must be int16 as words is, not int8");
}

TEST(Int16Operators, RefuseWhatTensorFlowLiteHasOnInt8Alone) {
  const ir::Tensor words = Words("words", {1, 2, 2, 4});
  for (const ir::UnaryKind kind : {ir::UnaryKind::kReluN1To1, ir::UnaryKind::kHardSwish}) {
    ExpectError([&] { return OneOperator(ir::Unary{.kind = kind}, words, words).HostCalls(); },
                "words is int16, which this operator is not supported on");
  }
}

}  // namespace
}  // namespace tpu::compiler
