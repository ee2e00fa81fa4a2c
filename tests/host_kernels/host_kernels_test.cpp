// SPDX-License-Identifier: Apache-2.0
// Host kernels against their definitions in real numbers, and the rules they make of their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "base/error.h"
#include "host_kernels/kernels.h"
#include "tests/host_kernels/values.h"

namespace tpu::host_kernels {
namespace {

using testing::ElementsAre;

executable::HostCall Call(host_operators::Attributes attributes, executable::TensorBinding input,
                          executable::TensorBinding output) {
  return {.attributes = std::move(attributes),
          .inputs = {std::move(input)},
          .outputs = {std::move(output)}};
}

// The output of a kernel with one input.
Bytes RunOne(const executable::HostCall& call, const Bytes& input) {
  return Run(call, std::vector<Bytes>{input}).at(0);
}

std::vector<std::int8_t> RandomBytes(std::mt19937& random, std::size_t count) {
  std::vector<std::int8_t> values(count);
  for (std::int8_t& v : values) {
    v = static_cast<std::int8_t>(std::uniform_int_distribution<int>(-128, 127)(random));
  }
  return values;
}

TEST(Softmax, IsWithinOneStepOfTheRealFunction) {
  constexpr std::uint32_t kSeed = 3;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  for (const float scale : {0.005F, 0.1F, 0.7F}) {
    const std::vector<std::int64_t> shape = {4, 13};
    const auto values = RandomBytes(random, 52);
    for (const bool single : {false, true}) {
      executable::HostCall call =
          Call(host_operators::Softmax{}, {.shape = shape, .scale = scale, .zero_point = 5},
               {.shape = shape, .scale = 1.0F / 256, .zero_point = -128});
      call.single_rounding = single;
      call.attributes = host_operators::Softmax{.beta = 0.8F};
      const auto got = ValuesOf<std::int8_t>(RunOne(call, BytesOf(values)));
      for (std::size_t row = 0; row < 52; row += 13) {
        double sum = 0;
        for (std::size_t i = row; i < row + 13; ++i) {
          sum += std::exp(0.8 * static_cast<double>(scale) * values[i]);
        }
        for (std::size_t i = row; i < row + 13; ++i) {
          const double real = std::exp(0.8 * static_cast<double>(scale) * values[i]) / sum;
          EXPECT_NEAR(got[i], std::min(real * 256 - 128, 127.0), 1.0) << i;
        }
      }
    }
  }
}

// Outputs of TensorFlow Lite Micro's interpreter (tflite-micro 0.dev20261023182759 of Python's
// package index) for a model of one SOFTMAX.
TEST(Softmax, IsTensorFlowLites) {
  struct Case {
    float scale, beta;
    std::vector<std::int8_t> input, output;
  };
  const std::vector<Case> cases = {
      {.scale = 0.1F,
       .beta = 1.0F,
       .input = {127, 100, -94, -7, 115, 61, -122, 3, -26, 40, -46, 65, 59},
       .output = {58, -115, -128, -128, -72, -128, -128, -128, -128, -128, -128, -128, -128}},
      {.scale = 0.7F,
       .beta = 0.8F,
       .input = {77, -104, 108, -120, 118, 36, 103, -92, 82, -17, 44, 82, 46},
       .output = {-128, -128, -127, -128, 127, -128, -128, -128, -128, -128, -128, -128, -128}},
      {.scale = 0.005F,
       .beta = 1.0F,
       .input = {41, -14, 77, -65, 32, -81, 84, -49, -56, -16, -8, 94, -59},
       .output = {-105, -110, -100, -114, -106, -115, -99, -113, -114, -110, -110, -98, -114}}};
  for (const Case& c : cases) {
    executable::HostCall call =
        Call(host_operators::Softmax{}, {.shape = {1, 13}, .scale = c.scale},
             {.shape = {1, 13}, .scale = 1.0F / 256, .zero_point = -128});
    call.attributes = host_operators::Softmax{.beta = c.beta};
    EXPECT_EQ(ValuesOf<std::int8_t>(RunOne(call, BytesOf(c.input))), c.output) << c.scale;
  }
}

TEST(Softmax, OfInt16OutputIsTensorFlowLites) {
  executable::HostCall call = Call(
      host_operators::Softmax{}, {.shape = {1, 13}, .scale = 0.1F},
      {.shape = {1, 13}, .type = ElementType::kInt16, .scale = 1.0F / 65536, .zero_point = -32768});
  const std::vector<std::int8_t> input = {-92, -19, 110, -59, -77, -47, 100,
                                          83,  74,  -70, 74,  -63, -52};
  EXPECT_THAT(ValuesOf<std::int16_t>(RunOne(call, BytesOf(input))),
              ElementsAre(-32768, -32768, 11224, -32768, -32768, -32768, -16584, -29812, -31566,
                          -32768, -31566, -32768, -32768));
}

TEST(Softmax, OfFloatsIsTheRealFunction) {
  const std::vector<float> values = {1.0F, 2.0F, -90.0F, 700.0F, 700.0F, -700.0F};
  const executable::TensorBinding tensor = {.shape = {2, 3}, .type = ElementType::kFloat32};
  executable::HostCall call = Call(host_operators::Softmax{}, tensor, tensor);
  call.attributes = host_operators::Softmax{.beta = 0.5F};
  const auto got = ValuesOf<float>(RunOne(call, BytesOf(values)));
  EXPECT_FLOAT_EQ(got[0], 1.0F / (1.0F + std::exp(0.5F)));
  EXPECT_FLOAT_EQ(got[0] + got[1], 1.0F);
  EXPECT_FLOAT_EQ(got[2] / got[0], std::exp(-45.5F));
  EXPECT_THAT(std::vector(got.begin() + 3, got.end()), ElementsAre(0.5F, 0.5F, 0.0F));
}

TEST(ArgMax, TakesTheFirstOfEquals) {
  executable::HostCall call = Call(host_operators::ArgExtreme{.axis = 1}, {.shape = {2, 3, 2}},
                                   {.shape = {2, 2}, .type = ElementType::kInt64});
  const std::vector<std::int8_t> values = {1, -5, 7, -5, 7, -9, -128, 0, -128, 127, -128, 127};
  EXPECT_THAT(ValuesOf<std::int64_t>(RunOne(call, BytesOf(values))), ElementsAre(1, 0, 0, 1));
  call.attributes = host_operators::ArgExtreme{.axis = 1, .smallest = true};
  call.outputs[0].type = ElementType::kInt32;
  EXPECT_THAT(ValuesOf<std::int32_t>(RunOne(call, BytesOf(values))), ElementsAre(0, 2, 0, 0));
}

TEST(Quantize, RoundsHalvesAwayFromZeroAndSaturates) {
  executable::HostCall call =
      Call(host_operators::Quantize{}, {.shape = {8}, .type = ElementType::kFloat32},
           {.shape = {8}, .scale = 0.5F, .zero_point = -3});
  const std::vector<float> values = {0.0F, 0.25F, -0.25F, 0.2F, 1000.F, -1e30F, INFINITY, NAN};
  EXPECT_THAT(ValuesOf<std::int8_t>(RunOne(call, BytesOf(values))),
              ElementsAre(-3, -2, -4, -3, 127, -128, 127, -3));
  call.outputs[0].type = ElementType::kUint8;
  call.outputs[0].zero_point = 200;
  EXPECT_THAT(ValuesOf<std::uint8_t>(RunOne(call, BytesOf(values))),
              ElementsAre(200, 201, 199, 200, 255, 0, 255, 200));
}

TEST(Quantize, RescalesIntegers) {
  const executable::HostCall call =
      Call(host_operators::Quantize{},
           {.shape = {4}, .type = ElementType::kInt16, .scale = 0.25F, .zero_point = 0},
           {.shape = {4}, .scale = 1.0F, .zero_point = 10});
  EXPECT_THAT(
      ValuesOf<std::int8_t>(RunOne(call, BytesOf(std::vector<std::int16_t>{0, 40, -40, 30000}))),
      ElementsAre(10, 20, 0, 127));
}

TEST(Dequantize, SubtractsTheZeroPoint) {
  const executable::HostCall call =
      Call(host_operators::Dequantize{}, {.shape = {3}, .scale = 0.5F, .zero_point = -128},
           {.shape = {3}, .type = ElementType::kFloat32});
  EXPECT_THAT(ValuesOf<float>(RunOne(call, BytesOf(std::vector<std::int8_t>{-128, 0, 127}))),
              ElementsAre(0.0F, 64.0F, 127.5F));
}

// Bilinear interpolation reproduces a plane, up to rounding, where it does not reach the border.
TEST(ResizeBilinear, ReproducesAPlane) {
  std::vector<std::int8_t> image;
  for (int y = 0; y < 5; ++y) {
    for (int x = 0; x < 7; ++x) image.push_back(static_cast<std::int8_t>(8 * y - 10 * x));
  }
  executable::HostCall call = Call(host_operators::ResizeBilinear{.align_corners = true},
                                   {.shape = {1, 5, 7, 1}}, {.shape = {1, 9, 13, 1}});
  for (const bool single : {false, true}) {
    call.single_rounding = single;
    const auto got = ValuesOf<std::int8_t>(RunOne(call, BytesOf(image)));
    for (int y = 0; y < 9; ++y) {
      for (int x = 0; x < 13; ++x) {
        EXPECT_EQ(got[static_cast<std::size_t>(y * 13 + x)], 4 * y - 5 * x);
      }
    }
  }
}

TEST(ResizeBilinear, RepeatsTheBorderOfHalfPixelImages) {
  executable::HostCall call = Call(host_operators::ResizeBilinear{.half_pixel_centers = true},
                                   {.shape = {1, 1, 2, 1}}, {.shape = {1, 1, 4, 1}});
  const auto got = RunOne(call, BytesOf(std::vector<std::int8_t>{-100, 100}));
  EXPECT_THAT(ValuesOf<std::int8_t>(got), ElementsAre(-100, -50, 50, 100));
}

// Shares of 0.731 and 0.269 are 73 and 26.9 of the 100 whole steps that one has of a scale of
// 0.00999; TensorFlow Lite has no such scale.
TEST(Softmax, OfOnnxHasAnyScale) {
  const executable::HostCall call =
      Call(host_operators::Softmax{.of_onnx = true}, {.shape = {1, 2}, .scale = 0.1F},
           {.shape = {1, 2}, .scale = 0.00999F, .zero_point = -128});
  EXPECT_THAT(ValuesOf<std::int8_t>(RunOne(call, BytesOf(std::vector<std::int8_t>{10, 0}))),
              ElementsAre(73 - 128, 27 - 128));
}

// A third of the way from -1 to 2 is 683 of 2048 parts, from which -1 + 2049/2048 becomes 0;
// halves, here -0.5, go upwards.
TEST(ResizeBilinear, HasFloatPositions) {
  const host_operators::ResizeBilinear corners = {.align_corners = true, .float_positions = true};
  executable::HostCall call = Call(corners, {.shape = {1, 1, 2, 1}}, {.shape = {1, 1, 4, 1}});
  EXPECT_THAT(ValuesOf<std::int8_t>(RunOne(call, BytesOf(std::vector<std::int8_t>{-1, 2}))),
              ElementsAre(-1, 0, 1, 2));
  const host_operators::ResizeBilinear halves = {.float_positions = true};
  call = Call(halves, {.shape = {1, 1, 2, 1}}, {.shape = {1, 1, 4, 1}});
  EXPECT_THAT(ValuesOf<std::int8_t>(RunOne(call, BytesOf(std::vector<std::int8_t>{-1, 0}))),
              ElementsAre(-1, 0, 0, 0));
}

// The outputs of TensorFlow Lite Micro's interpreter (tflite-micro 0.dev20261009205824).
struct Elementwise {
  host_operators::Attributes attributes;
  float second_scale;
  std::int32_t second_zero;
  executable::TensorBinding output;
  std::vector<std::int8_t> expected;
};

TEST(Elementwise, IsTensorFlowLites) {
  const std::vector<std::int64_t> shape = {1, 10};
  const std::vector<std::int8_t> first = {-128, -100, -37, -5, 0, 1, 2, 30, 77, 127};
  const std::vector<std::int8_t> second = {127, -90, 3, -6, 8, -128, 19, 64, -2, 50};
  const Elementwise cases[] = {
      {host_operators::Divide{},
       0.02F,
       -7,
       {.shape = shape, .scale = 0.04F, .zero_point = -20},
       {-57, 27, -128, -128, -33, -19, -24, -7, 127, 60}},
      {host_operators::SquaredDifference{},
       0.02F,
       -7,
       {.shape = shape, .scale = 0.1F, .zero_point = -128},
       {127, -106, -107, -127, -126, -75, -124, -124, -86, -64}},
      {host_operators::AddN{},
       0.03F,
       5,
       {.shape = shape, .scale = 0.06F, .zero_point = -10},
       {-85, -128, -56, -28, -16, -83, -8, 42, 56, 127}},
  };
  for (const Elementwise& c : cases) {
    SCOPED_TRACE(host_operators::Name(c.attributes));
    executable::HostCall call =
        Call(c.attributes, {.shape = shape, .scale = 0.03F, .zero_point = 5}, c.output);
    call.inputs.push_back({.shape = shape, .scale = c.second_scale, .zero_point = c.second_zero});
    std::vector<Bytes> inputs = {BytesOf(first), BytesOf(second)};
    if (std::holds_alternative<host_operators::AddN>(c.attributes)) {
      call.inputs.push_back(call.inputs[0]);
      inputs.push_back(inputs[0]);
    }
    EXPECT_EQ(ValuesOf<std::int8_t>(host_kernels::Run(call, inputs).at(0)), c.expected);
  }
}

TEST(Elementwise, RepeatsWhatBroadcasts) {
  executable::HostCall call =
      Call(host_operators::SquaredDifference{}, {.shape = {2, 1, 3}}, {.shape = {2, 2, 3}});
  call.inputs.push_back({.shape = {2, 1}});
  const auto got = host_kernels::Run(
                       call, std::vector<Bytes>{BytesOf(std::vector<std::int8_t>{0, 1, 2, 3, 4, 5}),
                                                BytesOf(std::vector<std::int8_t>{0, 2})})
                       .at(0);
  EXPECT_THAT(ValuesOf<std::int8_t>(got), ElementsAre(0, 1, 4, 4, 1, 0, 9, 16, 25, 1, 4, 9));
}

// Two first factors and one second; both of them as they are and transposed. Halves go up.
TEST(BatchMatMul, MultipliesMatricesOfInt16) {
  using Int16s = std::vector<std::int16_t>;
  const auto product = [](std::array<bool, 2> transposed, const Shape& a, const Int16s& first,
                          const Shape& b, const Int16s& second) {
    executable::HostCall call =
        Call(host_operators::BatchMatMul{.transposed = transposed},
             {.shape = a, .type = ElementType::kInt16, .scale = 0.5F},
             {.shape = {2, 2, 1}, .type = ElementType::kInt16, .scale = 2.0F});
    call.inputs.push_back({.shape = b, .type = ElementType::kInt16, .scale = 0.25F});
    return ValuesOf<std::int16_t>(
        host_kernels::Run(call, std::vector<Bytes>{BytesOf(first), BytesOf(second)}).at(0));
  };
  const Int16s rows = {100, 200, 300, 400, 500, 600, -1, -2, -3, 32767, 32767, 32767};
  const Int16s columns = {100, 400, 200, 500, 300, 600, -1, 32767, -2, 32767, -3, 32767};
  const Int16s second = {8, -8, 32767};
  // (800 - 1600 + 300 * 32767) / 16 and so on; the third is -98293 / 16 = -6143.3.
  const auto expected = ElementsAre(32767, 32767, -6143, 32767);
  EXPECT_THAT(product({false, false}, {2, 2, 3}, rows, {3, 1}, second), expected);
  EXPECT_THAT(product({true, true}, {2, 3, 2}, columns, {1, 1, 3}, second), expected);
  const Int16s small = {8, 0, 0, -8, 0, 0, 7, 0, 0, 0, 9, 0};
  EXPECT_THAT(product({false, false}, {2, 2, 3}, small, {3, 1}, {1, 2, 3}),
              ElementsAre(1, 0, 0, 1));  // 8, -8, 7 and 18 sixteenths.
}

TEST(BatchMatMul, RefusesFactorsThatDoNotFit) {
  const auto run = [](const Shape& a, const Shape& b, const Shape& y, float scale) {
    executable::HostCall call =
        Call(host_operators::BatchMatMul{}, {.shape = a, .type = ElementType::kInt16},
             {.shape = y, .type = ElementType::kInt16, .scale = scale});
    call.inputs.push_back({.shape = b, .type = ElementType::kInt16});
    (void)host_kernels::Run(call, std::vector<Bytes>{Bytes(12), Bytes(12)});
  };
  EXPECT_NO_THROW(run({2, 3}, {3, 2}, {2, 2}, 1.0F));
  EXPECT_THROW(run({2, 3}, {2, 3}, {2, 2}, 1.0F), Error);
  EXPECT_THROW(run({2, 3}, {3, 2}, {2, 3}, 1.0F), Error);
  EXPECT_THROW(run({6}, {6, 1}, {1}, 1.0F), Error);
  EXPECT_THROW(run({2, 3}, {3, 2}, {2, 2}, 1.0F / 128), Error);
}

TEST(L2Normalization, IsTensorFlowLites) {
  const executable::HostCall call =
      Call(host_operators::L2Normalization{}, {.shape = {2, 5}, .scale = 0.03F, .zero_point = 5},
           {.shape = {2, 5}, .scale = 1.0F / 128, .zero_point = 0});
  const std::vector<std::int8_t> values = {-128, -100, -37, -5, 0, 1, 2, 30, 77, 127};
  const auto got = RunOne(call, BytesOf(values));
  EXPECT_THAT(ValuesOf<std::int8_t>(got), ElementsAre(-97, -77, -31, -7, -4, -4, -3, 22, 64, 108));
}

TEST(L2Normalization, ZerosStayZeros) {
  const executable::HostCall call = Call(host_operators::L2Normalization{},
                                         {.shape = {1, 3}, .zero_point = 5}, {.shape = {1, 3}});
  const auto got = RunOne(call, BytesOf(std::vector<std::int8_t>{5, 5, 5}));
  EXPECT_THAT(ValuesOf<std::int8_t>(got), ElementsAre(0, 0, 0));
}

TEST(Run, RefusesTypesThatAKernelDoesNotTake) {
  const executable::HostCall softmax =
      Call(host_operators::Softmax{}, {.shape = {1}, .type = ElementType::kUint8}, {.shape = {1}});
  EXPECT_THROW((void)host_kernels::Run(softmax, std::vector<Bytes>{Bytes(1)}), Error);
  const executable::HostCall resize =
      Call(host_operators::ResizeBilinear{}, {.shape = {1, 1, 1, 1}, .type = ElementType::kFloat32},
           {.shape = {1, 1, 1, 1}});
  EXPECT_THROW((void)host_kernels::Run(resize, std::vector<Bytes>{Bytes(4)}), Error);
  EXPECT_THROW((void)host_kernels::Run(softmax, std::vector<Bytes>{}), Error);
}

}  // namespace
}  // namespace tpu::host_kernels
