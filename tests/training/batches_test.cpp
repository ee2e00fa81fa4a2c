// SPDX-License-Identifier: Apache-2.0
// Order of the examples, learning rates, random numbers.
#include "training/batches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/training/example_files.h"
#include "training/random.h"
#include "training/schedule.h"

namespace tpu::training {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::int64_t> Taken(Batches& batches, std::uint64_t step) {
  const auto examples = batches.OfStep(step);
  return {examples.begin(), examples.end()};
}

TEST(SplitMix64, IsTheOneOfItsAuthor) {
  SplitMix64 random(1234567);
  EXPECT_EQ(random.Next(), 6457827717110365317U);
  EXPECT_EQ(random.Next(), 3203168211198807973U);
  EXPECT_EQ(random.Next(), 9817491932198370423U);
}

TEST(SplitMix64, BelowGivesEachNumberAsOften) {
  SplitMix64 random(1);
  std::vector<int> counts(7);
  for (int i = 0; i < 7000; ++i) ++counts[random.Below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
}

TEST(SplitMix64, SymmetricFillsItsRange) {
  SplitMix64 random(1);
  double sum = 0;
  double largest = 0;
  for (int i = 0; i < 10000; ++i) {
    const double x = random.Symmetric();
    ASSERT_LT(std::abs(x), 1);
    sum += x;
    largest = std::max(largest, std::abs(x));
  }
  EXPECT_NEAR(sum / 10000, 0, 0.03);
  EXPECT_GT(largest, 0.99);
}

TEST(SplitMix64, StreamsDiffer) {
  std::set<std::uint64_t> firsts;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const Stream stream : {Stream::kOrder, Stream::kWeights}) {
      for (std::uint64_t index = 0; index < 10; ++index) {
        firsts.insert(StreamOf(seed, stream, index).Next());
      }
    }
  }
  EXPECT_EQ(firsts.size(), 200U);
}

// A run must be the same on every machine and with every later version.
TEST(Permutation, StaysWhatItIs) {
  EXPECT_THAT(Permutation(8, 1, 0), ElementsAre(6, 1, 7, 0, 3, 4, 2, 5));
  EXPECT_THAT(Permutation(8, 1, 1), ElementsAre(0, 1, 3, 6, 4, 2, 5, 7));
}

TEST(Permutation, HoldsEachNumberOnce) {
  for (std::int64_t count = 0; count < 20; ++count) {
    std::vector<std::int64_t> order = Permutation(count, 5, 3);
    std::ranges::sort(order);
    for (std::int64_t i = 0; i < count; ++i) EXPECT_EQ(order.at(static_cast<std::size_t>(i)), i);
  }
}

TEST(Permutation, PutsEachNumberAtEachPlaceAsOften) {
  std::vector<int> counts(16);
  for (std::uint64_t epoch = 0; epoch < 4000; ++epoch) {
    const auto order = Permutation(4, 1, epoch);
    for (std::size_t i = 0; i < 4; ++i) ++counts[4 * i + static_cast<std::size_t>(order[i])];
  }
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
}

TEST(Batches, DropWhatFillsNoStep) {
  Batches batches(10, 4, 1);
  EXPECT_EQ(batches.steps_per_epoch(), 2U);
  const std::vector<std::int64_t> order = Permutation(10, 1, 0);
  EXPECT_EQ(Taken(batches, 0), std::vector(order.begin(), order.begin() + 4));
  EXPECT_EQ(Taken(batches, 1), std::vector(order.begin() + 4, order.begin() + 8));
  const std::vector<std::int64_t> next = Permutation(10, 1, 1);
  EXPECT_EQ(Taken(batches, 2), std::vector(next.begin(), next.begin() + 4));
}

TEST(Batches, CanBeContinuedAnywhere) {
  Batches whole(23, 5, 7);
  for (std::uint64_t step = 0; step < 20; ++step) {
    Batches fresh(23, 5, 7);
    EXPECT_EQ(Taken(fresh, step), Taken(whole, step)) << step;
  }
}

TEST(Batches, NeedAStepsExamples) {
  EXPECT_NO_THROW(Batches(4, 4, 1));
  EXPECT_THAT(ErrorOf([] { Batches(3, 4, 1); }), HasSubstr("3 examples do not fill a step of 4"));
}

TEST(LearningRate, FollowsItsSchedule) {
  for (std::uint64_t step = 0; step < 8; ++step) {
    EXPECT_EQ(LearningRate(Schedule::kConstant, 0.5, step, 8), 0.5);
    EXPECT_DOUBLE_EQ(LearningRate(Schedule::kLinear, 0.5, step, 8),
                     0.5 - 0.0625 * static_cast<double>(step));
  }
  EXPECT_EQ(LearningRate(Schedule::kCosine, 0.5, 0, 8), 0.5);
  EXPECT_NEAR(LearningRate(Schedule::kCosine, 0.5, 4, 8), 0.25, 1e-15);
  EXPECT_NEAR(LearningRate(Schedule::kCosine, 0.5, 8, 8), 0, 1e-15);
  EXPECT_NEAR(LearningRate(Schedule::kCosine, 1, 2, 8), 0.5 + std::sqrt(0.125), 1e-15);
}

}  // namespace
}  // namespace tpu::training
