// SPDX-License-Identifier: Apache-2.0
// What models/host_vectors cannot show of TFLite_Detection_PostProcess: outputs behind the last
// detection, which TensorFlow Lite Micro leaves as memory is, and boxes that it stops at.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/error.h"
#include "host_kernels/kernels.h"
#include "tests/host_kernels/values.h"

namespace tpu::host_kernels {
namespace {

using testing::ElementsAre;

executable::TensorBinding Floats(Shape shape) {
  return {.shape = std::move(shape), .type = ElementType::kFloat32};
}

/// Three boxes of height and width 2, the first two of them one below the other by a quarter, and
/// scores of a background and two classes.
executable::HostCall Call() {
  return {.attributes = host_operators::DetectionPostprocess{.max_detections = 3,
                                                             .classes = 2,
                                                             .detections_per_class = 3,
                                                             .score_threshold = 0.5F,
                                                             .overlap_threshold = 0.5F},
          .inputs = {Floats({1, 3, 4}), Floats({1, 3, 3}), Floats({3, 4})},
          .outputs = {Floats({1, 4, 4}), Floats({1, 4}), Floats({1, 4}), Floats({1})}};
}

std::vector<Bytes> Inputs() {
  return {BytesOf(std::vector<float>{0, 0, 0, 0, 0.25F, 0, 0, 0, 0, 9, 0, 0}),
          BytesOf(std::vector<float>{9, 0.6F, 0.7F, 9, 0.8F, 0.1F, 9, 0.2F, 0.5F}),
          BytesOf(std::vector<float>{1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2})};
}

std::vector<std::vector<float>> OutputsOf(const executable::HostCall& call) {
  std::vector<std::vector<float>> values;
  for (const Bytes& bytes : host_kernels::Run(call, Inputs())) {
    values.push_back(ValuesOf<float>(bytes));
  }
  return values;
}

// The union of the first two is 5 and their intersection 3.
TEST(DetectionPostprocess, ABetterBoxOfAnyClassSuppressesOthers) {
  const auto outputs = OutputsOf(Call());
  EXPECT_THAT(outputs[0], ElementsAre(0.5F, 0, 2.5F, 2, 0, 18, 2, 20, 0, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(outputs[1], ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(outputs[2], ElementsAre(0.8F, 0.5F, 0, 0));
  EXPECT_THAT(outputs[3], ElementsAre(2));
}

TEST(DetectionPostprocess, ABetterBoxOfTheClassSuppressesOthers) {
  executable::HostCall call = Call();
  std::get<host_operators::DetectionPostprocess>(call.attributes).each_class = true;
  const auto outputs = OutputsOf(call);
  EXPECT_THAT(outputs[1], ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(outputs[2], ElementsAre(0.8F, 0.7F, 0.5F, 0));
  EXPECT_THAT(outputs[3], ElementsAre(3));
}

TEST(DetectionPostprocess, OverlapOfTheThresholdIsAllowed) {
  executable::HostCall call = Call();
  auto& op = std::get<host_operators::DetectionPostprocess>(call.attributes);
  op.overlap_threshold = 3.0F / 5.0F;
  EXPECT_THAT(OutputsOf(call)[3], ElementsAre(3));
  op.overlap_threshold = std::nextafter(op.overlap_threshold, 0.0F);
  EXPECT_THAT(OutputsOf(call)[3], ElementsAre(2));
}

TEST(DetectionPostprocess, AnEmptyBoxIsAnError) {
  std::vector<Bytes> inputs = Inputs();
  inputs[2] = BytesOf(std::vector<float>{1, 1, 2, 2, 1, 1, 2, 0, 1, 1, 2, 2});
  EXPECT_THROW(host_kernels::Run(Call(), inputs), Error);
}

TEST(DetectionPostprocess, WhatDoesNotFitIsRefused) {
  using Op = host_operators::DetectionPostprocess;
  const auto refuses = [](const std::function<void(executable::HostCall&, Op&)>& damage) {
    executable::HostCall call = Call();
    damage(call, std::get<Op>(call.attributes));
    EXPECT_THROW(host_kernels::Run(call, Inputs()), Error);
  };
  refuses([](auto& /*call*/, Op& op) { op.max_detections = 5; });
  refuses([](auto& /*call*/, Op& op) { op.max_detections = 0; });
  refuses([](auto& /*call*/, Op& op) { op.classes = 1; });
  refuses([](auto& /*call*/, Op& op) { op.classes = 4; });
  refuses([](auto& /*call*/, Op& op) { op.overlap_threshold = 0; });
  refuses([](auto& /*call*/, Op& op) { op.overlap_threshold = std::nanf(""); });
  refuses([](auto& /*call*/, Op& op) {
    op.each_class = true;
    op.detections_per_class = 0;
  });
  refuses([](auto& call, Op& /*op*/) { call.outputs[0].shape = {1, 3, 4}; });
  refuses([](auto& call, Op& /*op*/) { call.inputs[1].shape = {1, 9}; });
}

}  // namespace
}  // namespace tpu::host_kernels
