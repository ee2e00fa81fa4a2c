// SPDX-License-Identifier: Apache-2.0
#include "profile/breakdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <numeric>
#include <utility>

namespace tpu::runtime {
namespace {

using isa::Counter;
using testing::ElementsAre;

Counters Of(std::initializer_list<std::pair<Counter, std::uint64_t>> values) {
  Counters counters{};
  for (const auto& [counter, value] : values) {
    counters.at(static_cast<std::size_t>(counter)) = value;
  }
  return counters;
}

TEST(Breakdown, SumsToTheCycles) {
  const profile::Use use = {Of({{Counter::kCycles, 1000},
                                {Counter::kArrayActive, 500},
                                {Counter::kArrayWaitWeights, 1},
                                {Counter::kArrayWeightShift, 20},
                                {Counter::kArrayWaitInput, 300},
                                {Counter::kArrayWaitDependence, 4},
                                {Counter::kArrayWaitSpace, 50},
                                {Counter::kArrayWaitOther, 60},
                                {Counter::kArrayNoWork, 65},
                                {Counter::kArrayPadRows, 7}}),
                            400};
  const auto cycles = profile::Breakdown(use);
  EXPECT_THAT(cycles, ElementsAre(400, 100, 1, 20, 300, 4, 50, 60, 65));
  EXPECT_EQ(std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0}), 1000U);
  EXPECT_EQ(Name(profile::ArrayTime::kUseful), "useful");
  EXPECT_EQ(Name(profile::ArrayTime::kNoWork), "no_work");
}

TEST(Bound, IsTheBusiestResource) {
  const auto bound = [](std::initializer_list<std::pair<Counter, std::uint64_t>> values) {
    Counters counters = Of(values);
    counters.at(static_cast<std::size_t>(Counter::kCycles)) = 1000;
    return profile::BoundOf(counters);
  };
  EXPECT_EQ(bound({{Counter::kArrayActive, 700}, {Counter::kVectorActive, 690}}),
            profile::Bound::kArray);
  EXPECT_EQ(bound({{Counter::kArrayActive, 900}, {Counter::kWeightsBeats, 1000}}),
            profile::Bound::kArray);
  EXPECT_EQ(bound({{Counter::kArrayActive, 899}, {Counter::kWeightsBeats, 1000}}),
            profile::Bound::kBus);
  EXPECT_EQ(bound({{Counter::kArrayActive, 600},
                   {Counter::kArrayWaitSpace, 400},
                   {Counter::kVectorActive, 500},
                   {Counter::kVectorStallPort, 200},
                   {Counter::kVectorStallOperand, 100},
                   {Counter::kVectorStallOutput, 100}}),
            profile::Bound::kVector);
  EXPECT_EQ(bound({{Counter::kArrayActive, 400},
                   {Counter::kArrayWaitWeights, 200},
                   {Counter::kArrayWeightShift, 400},
                   {Counter::kWeightsBeats, 500}}),
            profile::Bound::kWeights);
  // Reads share a channel; stores have their own.
  EXPECT_EQ(bound({{Counter::kArrayWaitWeights, 900},
                   {Counter::kFetchBeats, 10},
                   {Counter::kLoadBeats, 140},
                   {Counter::kWeightsBeats, 800},
                   {Counter::kStoreBeats, 600}}),
            profile::Bound::kBus);
  EXPECT_EQ(bound({{Counter::kLoadBeats, 400}, {Counter::kStoreBeats, 950}}), profile::Bound::kBus);
  EXPECT_EQ(bound({{Counter::kLoadBeats, 300}, {Counter::kStoreBeats, 300}}),
            profile::Bound::kLatency);
  EXPECT_EQ(bound({{Counter::kArrayActive, 499}, {Counter::kArrayWaitInput, 501}}),
            profile::Bound::kLatency);
  EXPECT_EQ(bound({{Counter::kArrayActive, 500}, {Counter::kArrayWaitInput, 500}}),
            profile::Bound::kArray);
}

TEST(Bound, NothingBoundsNothing) {
  EXPECT_EQ(profile::BoundOf(Counters{}), profile::Bound::kNone);
  EXPECT_EQ(Name(profile::Bound::kNone), "");
  EXPECT_EQ(Name(profile::Bound::kLatency), "latency");
}

}  // namespace
}  // namespace tpu::runtime
