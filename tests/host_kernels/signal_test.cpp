// SPDX-License-Identifier: Apache-2.0
// What models/host_vectors cannot show of the signal library, because TensorFlow Lite Micro leaves
// memory as it is; its arithmetic there is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "host_kernels/fft.h"
#include "host_kernels/kernels.h"
#include "tests/host_kernels/values.h"

namespace tpu::host_kernels {
namespace {

using testing::Each;
using testing::ElementsAre;

executable::TensorBinding Tensor(Shape shape, ElementType type) {
  return {.shape = std::move(shape), .type = type};
}

TEST(SignalFramer, WaitsForEnoughSamples) {
  const executable::HostCall call = {
      .attributes = host_operators::SignalFramer{.size = 5, .step = 2},
      .inputs = {Tensor({4}, ElementType::kInt16), Tensor({6}, ElementType::kInt32)},
      .outputs = {Tensor({2, 5}, ElementType::kInt16), Tensor({}, ElementType::kBool),
                  Tensor({6}, ElementType::kInt32)}};
  Bytes state(24, 0);
  std::vector<Bytes> outputs;
  const auto run = [&](const std::vector<std::int16_t>& samples) {
    outputs = host_kernels::Run(call, std::vector<Bytes>{BytesOf(samples), state});
    state = outputs[2];
    return ValuesOf<std::int16_t>(outputs[0]);
  };
  EXPECT_THAT(run({1, 2, 3, 4}), Each(0));
  EXPECT_EQ(outputs[1][0], 0);
  EXPECT_THAT(ValuesOf<std::int32_t>(state), ElementsAre(4, 1, 2, 3, 4, 0));
  EXPECT_THAT(run({5, 6, 7, 8}), ElementsAre(1, 2, 3, 4, 5, 3, 4, 5, 6, 7));
  EXPECT_EQ(outputs[1][0], 1);
  EXPECT_THAT(run({9, 10, 11, 12}), ElementsAre(5, 6, 7, 8, 9, 7, 8, 9, 10, 11));
}

TEST(SignalStacker, WaitsForTheFramesBehind) {
  const host_operators::SignalStacker op = {.channels = 2, .left = 1, .right = 1, .step = 2};
  const executable::HostCall call = {
      .attributes = op,
      .inputs = {Tensor({2}, ElementType::kInt16), Tensor({8}, ElementType::kInt32)},
      .outputs = {Tensor({6}, ElementType::kInt16), Tensor({}, ElementType::kBool),
                  Tensor({8}, ElementType::kInt32)}};
  Bytes state(32, 0);
  std::vector<Bytes> outputs;
  const auto run = [&](const std::vector<std::int16_t>& frame) {
    outputs = host_kernels::Run(call, std::vector<Bytes>{BytesOf(frame), state});
    state = outputs[2];
    return ValuesOf<std::int16_t>(outputs[0]);
  };
  EXPECT_THAT(run({1, 2}), Each(0));
  EXPECT_EQ(outputs[1][0], 0);
  EXPECT_THAT(run({3, 4}), ElementsAre(1, 2, 1, 2, 3, 4));
  EXPECT_EQ(outputs[1][0], 1);
  EXPECT_THAT(run({5, 6}), Each(0));
  EXPECT_THAT(run({7, 8}), ElementsAre(3, 4, 5, 6, 7, 8));
}

TEST(SignalEnergy, OfOtherPairsIsZero) {
  const executable::HostCall call = {
      .attributes = host_operators::SignalEnergy{.begin = 1, .end = 2},
      .inputs = {Tensor({6}, ElementType::kInt16)},
      .outputs = {Tensor({3}, ElementType::kUint32)}};
  const std::vector<std::int16_t> pairs = {1, 2, -32768, -32768, 5, 6};
  EXPECT_THAT(
      ValuesOf<std::uint32_t>(host_kernels::Run(call, std::vector<Bytes>{BytesOf(pairs)})[0]),
      ElementsAre(0, 0x8000'0000U, 0));
}

TEST(RealFft, IsTheFourierTransform) {
  constexpr std::size_t kLength = 60;
  std::vector<float> samples;
  for (std::size_t i = 0; i < kLength; ++i) samples.push_back(static_cast<float>(i * i % 17) - 8);
  const auto pairs = RealFft<float>(kLength, false).Forward(samples);
  for (std::size_t k = 0; k <= kLength / 2; ++k) {
    double real = 0;
    double imaginary = 0;
    for (std::size_t i = 0; i < kLength; ++i) {
      const double phase = 2 * std::numbers::pi * static_cast<double>(i * k) / kLength;
      real += static_cast<double>(samples[i]) * std::cos(phase);
      imaginary -= static_cast<double>(samples[i]) * std::sin(phase);
    }
    EXPECT_NEAR(static_cast<double>(pairs[k].real), real, 1e-4);
    EXPECT_NEAR(static_cast<double>(pairs[k].imaginary), imaginary, 1e-4);
  }
  const std::vector<float> back = RealFft<float>(kLength, true).Backward(pairs);
  for (std::size_t i = 0; i < kLength; ++i) EXPECT_NEAR(back[i], samples[i], 1e-5F);
}

// Values that come with the data and not with the model are looked at when they are there.
TEST(Run, RefusesValuesThatPointElsewhere) {
  const auto expect_error = [](const executable::HostCall& call, const std::vector<Bytes>& inputs) {
    EXPECT_THROW((void)host_kernels::Run(call, inputs), Error);
  };
  const auto table = Tensor({3, 2}, ElementType::kInt8);
  for (const std::int32_t index : {-1, 3}) {
    const Bytes indices = BytesOf(std::vector<std::int32_t>{index});
    expect_error({.attributes = host_operators::Gather{},
                  .inputs = {table, Tensor({1}, ElementType::kInt32)},
                  .outputs = {Tensor({1, 2}, ElementType::kInt8)}},
                 {Bytes(6), indices});
    expect_error({.attributes = host_operators::GatherNd{},
                  .inputs = {table, Tensor({1}, ElementType::kInt32)},
                  .outputs = {Tensor({2}, ElementType::kInt8)}},
                 {Bytes(6), indices});
    expect_error({.attributes = host_operators::EmbeddingLookup{},
                  .inputs = {Tensor({1}, ElementType::kInt32), table},
                  .outputs = {Tensor({1, 2}, ElementType::kInt8)}},
                 {indices, Bytes(6)});
  }
  for (const std::vector<std::int16_t>& counts : {std::vector<std::int16_t>{0, 5}, {9, 1}}) {
    expect_error({.attributes = host_operators::SignalFilterBank{},
                  .inputs = {Tensor({4}, ElementType::kUint32), Tensor({4}, ElementType::kInt16),
                             Tensor({4}, ElementType::kInt16), Tensor({2}, ElementType::kInt16),
                             Tensor({2}, ElementType::kInt16), Tensor({2}, ElementType::kInt16)},
                  .outputs = {Tensor({1}, ElementType::kUint64)}},
                 {Bytes(16), Bytes(8), Bytes(8), Bytes(4), Bytes(4), BytesOf(counts)});
  }
  expect_error({.attributes = host_operators::SignalSquareRoot{},
                .inputs = {Tensor({1}, ElementType::kUint64), Tensor({}, ElementType::kInt32)},
                .outputs = {Tensor({1}, ElementType::kUint32)}},
               {Bytes(8), BytesOf(std::vector<std::int32_t>{40})});
  expect_error({.attributes = host_operators::SignalFramer{.size = 2, .step = 1},
                .inputs = {Tensor({1}, ElementType::kInt16), Tensor({3}, ElementType::kInt32)},
                .outputs = {Tensor({1, 2}, ElementType::kInt16), Tensor({}, ElementType::kBool),
                            Tensor({3}, ElementType::kInt32)}},
               {Bytes(2), BytesOf(std::vector<std::int32_t>{9, 0, 0})});
}

TEST(Binary, IntegersWrapAndDivisionsByZeroAreErrors) {
  using host_operators::BinaryOperation;
  constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();
  const auto compute = [](BinaryOperation operation, std::int32_t a, std::int32_t b) {
    const auto tensor = Tensor({1}, ElementType::kInt32);
    const executable::HostCall call = {.attributes = host_operators::Binary{.operation = operation},
                                       .inputs = {tensor, tensor},
                                       .outputs = {tensor}};
    return ValuesOf<std::int32_t>(host_kernels::Run(
        call, std::vector<Bytes>{BytesOf(std::vector{a}), BytesOf(std::vector{b})})[0])[0];
  };
  EXPECT_EQ(compute(BinaryOperation::kAdd, kLowest, -1), std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(compute(BinaryOperation::kDiv, kLowest, -1), kLowest);
  EXPECT_EQ(compute(BinaryOperation::kDiv, -7, 2), -3);
  EXPECT_EQ(compute(BinaryOperation::kFloorDiv, -7, 2), -4);
  EXPECT_EQ(compute(BinaryOperation::kFloorMod, -7, 2), 1);
  EXPECT_EQ(compute(BinaryOperation::kFloorMod, kLowest, -1), 0);
  for (const auto operation :
       {BinaryOperation::kDiv, BinaryOperation::kFloorDiv, BinaryOperation::kFloorMod}) {
    EXPECT_THROW(compute(operation, 1, 0), Error);
  }
}

}  // namespace
}  // namespace tpu::host_kernels
