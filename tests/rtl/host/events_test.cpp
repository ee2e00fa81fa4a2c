// SPDX-License-Identifier: Apache-2.0
// tpu_events: what every cycle counts as, for all that the units can be doing.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <random>

#include "Vtpu_events.h"
#include "isa/registers.h"

namespace tpu {
namespace {

using isa::Counter;

// Places of the units on their buses.
enum : std::uint8_t { kLd, kWt, kMm, kVx, kSt, kUnits };

class Events {
 public:
  Vtpu_events* operator->() { return model_.get(); }

  /// What a cycle with the inputs as they are counts as.
  std::uint32_t Get() {
    for (const int level : {0, 1}) {
      model_->clk = static_cast<std::uint8_t>(level);
      model_->eval();
    }
    return model_->events;
  }

  static std::uint32_t Bits(std::initializer_list<Counter> counters) {
    std::uint32_t bits = 0;
    for (const Counter counter : counters) bits |= 1U << static_cast<unsigned>(counter);
    return bits;
  }

 private:
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Vtpu_events> model_ = std::make_unique<Vtpu_events>(context_.get());
};

const std::uint32_t kArray =
    Events::Bits({Counter::kArrayActive, Counter::kArrayWaitWeights, Counter::kArrayWeightShift,
                  Counter::kArrayWaitInput, Counter::kArrayWaitDependence, Counter::kArrayWaitSpace,
                  Counter::kArrayWaitOther, Counter::kArrayNoWork});
const std::uint32_t kVector =
    Events::Bits({Counter::kVectorActive, Counter::kVectorStallPort, Counter::kVectorStallOperand,
                  Counter::kVectorStallOutput, Counter::kVectorWait, Counter::kVectorNoWork});

TEST(Events, TheArraysCycleHasOneCause) {
  constexpr Counter kWaits[] = {Counter::kArrayWaitInput, Counter::kArrayWaitDependence,
                                Counter::kArrayWaitSpace, Counter::kArrayWaitOther};
  Events events;
  for (unsigned issuing = 0; issuing < 4; ++issuing) {
    for (unsigned rest = 0; rest < 16; ++rest) {
      const bool queued = (rest & 1) != 0;
      const bool waiting = (rest & 2) != 0;
      const unsigned wait_class = rest >> 2;
      events->mm_active = issuing == 1 ? 1 : 0;
      events->mm_wait_weights = issuing == 2 ? 1 : 0;
      events->mm_weight_shift = issuing == 3 ? 1 : 0;
      events->queued = queued ? 1U << kMm : 0U;
      events->waiting = waiting ? 1U << kMm : 0U;
      events->wait_class = static_cast<std::uint16_t>(wait_class << 2 * kMm);
      Counter cause = Counter::kArrayNoWork;
      if (issuing == 1) {
        cause = Counter::kArrayActive;
      } else if (issuing == 2) {
        cause = Counter::kArrayWaitWeights;
      } else if (issuing == 3) {
        cause = Counter::kArrayWeightShift;
      } else if (queued) {
        cause = waiting ? kWaits[wait_class] : Counter::kArrayWaitOther;
      }
      EXPECT_EQ(events.Get() & kArray, Events::Bits({cause})) << issuing << " " << rest;
    }
  }
}

TEST(Events, TheVectorUnitsCycleHasOneCause) {
  constexpr Counter kIssuing[] = {Counter::kVectorActive, Counter::kVectorStallPort,
                                  Counter::kVectorStallOperand, Counter::kVectorStallOutput};
  Events events;
  for (unsigned issuing = 0; issuing <= 4; ++issuing) {
    for (const bool queued : {false, true}) {
      events->vx_active = issuing == 0 ? 1 : 0;
      events->vx_stall_port = issuing == 1 ? 1 : 0;
      events->vx_stall_operand = issuing == 2 ? 1 : 0;
      events->vx_stall_output = issuing == 3 ? 1 : 0;
      events->queued = queued ? 1U << kVx : 0U;
      const Counter cause = issuing < 4 ? kIssuing[issuing]
                            : queued    ? Counter::kVectorWait
                                        : Counter::kVectorNoWork;
      EXPECT_EQ(events.Get() & kVector, Events::Bits({cause})) << issuing << " " << queued;
    }
  }
}

TEST(Events, TheOthersCountASignalEach) {
  Events events;
  struct Signal {
    std::uint8_t* bus;
    unsigned bit;
    Counter counter;
  };
  const Signal signals[] = {
      {&events->mm_pad, 0, Counter::kArrayPadRows},
      {&events->inflight, kLd, Counter::kLoadBusy},
      {&events->waiting, kLd, Counter::kLoadWait},
      {&events->inflight, kWt, Counter::kWeightsBusy},
      {&events->waiting, kWt, Counter::kWeightsWait},
      {&events->inflight, kSt, Counter::kStoreBusy},
      {&events->waiting, kSt, Counter::kStoreWait},
      {&events->fe_beat, 0, Counter::kFetchBeats},
      {&events->ld_beat, 0, Counter::kLoadBeats},
      {&events->wt_beat, 0, Counter::kWeightsBeats},
      {&events->st_beat, 0, Counter::kStoreBeats},
      {&events->done, kLd, Counter::kLoadRetired},
      {&events->done, kWt, Counter::kWeightsRetired},
      {&events->done, kMm, Counter::kMatmulRetired},
      {&events->done, kVx, Counter::kVectorRetired},
      {&events->done, kSt, Counter::kStoreRetired},
  };
  ASSERT_EQ(std::size(signals) + 1 + static_cast<unsigned>(std::popcount(kArray | kVector)),
            isa::kNumCounters);
  for (const auto& [bus, bit, counter] : signals) {
    *bus = static_cast<std::uint8_t>(1U << bit);
    EXPECT_EQ(events.Get() & ~(kArray | kVector), Events::Bits({Counter::kCycles, counter}));
    *bus = 0;
  }
  EXPECT_EQ(events.Get() & ~(kArray | kVector), Events::Bits({Counter::kCycles}));
}

TEST(Events, WhatMovedIsProgress) {
  Events events;
  std::uint8_t* const no_progress[] = {
      &events->mm_pad,        &events->mm_wait_weights,  &events->mm_weight_shift,
      &events->vx_stall_port, &events->vx_stall_operand, &events->vx_stall_output,
      &events->queued,        &events->waiting,          &events->inflight};
  std::uint8_t* const progress[] = {&events->ld_beat, &events->wt_beat,   &events->fe_beat,
                                    &events->st_beat, &events->mm_active, &events->vx_active};
  for (std::uint8_t* const signal : no_progress) *signal = 1;
  events->queued = events->waiting = events->inflight = 0x1F;
  events.Get();
  EXPECT_EQ(events->progress, 0);
  for (std::uint8_t* const signal : progress) {
    *signal = 1;
    events.Get();
    EXPECT_EQ(events->progress, 1);
    *signal = 0;
    events.Get();
    EXPECT_EQ(events->progress, 0);
  }
  for (std::uint8_t* const bus : {&events->starts, &events->done}) {
    for (unsigned unit = 0; unit < kUnits; ++unit) {
      *bus = static_cast<std::uint8_t>(1U << unit);
      events.Get();
      EXPECT_EQ(events->progress, 1);
      *bus = 0;
      events.Get();
      EXPECT_EQ(events->progress, 0);
    }
  }
}

TEST(Events, StartsPassWithTheEvents) {
  Events events;
  for (unsigned starts = 0; starts < 1U << kUnits; ++starts) {
    events->starts = static_cast<std::uint8_t>(starts);
    events.Get();
    EXPECT_EQ(events->event_starts, starts);
  }
}

}  // namespace
}  // namespace tpu
