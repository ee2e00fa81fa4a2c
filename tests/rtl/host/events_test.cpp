// tpu_events: what every cycle counts as, for all that the units can be doing.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <random>
#include <utility>

#include "Vtpu_events.h"
#include "isa/registers.h"

namespace tpu {
namespace {

using isa::Counter;

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
      events->mm_queued = queued ? 1 : 0;
      events->mm_waiting = waiting ? 1 : 0;
      events->mm_wait_class = static_cast<std::uint8_t>(wait_class);
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
      events->vx_queued = queued ? 1 : 0;
      const Counter cause = issuing < 4 ? kIssuing[issuing]
                            : queued    ? Counter::kVectorWait
                                        : Counter::kVectorNoWork;
      EXPECT_EQ(events.Get() & kVector, Events::Bits({cause})) << issuing << " " << queued;
    }
  }
}

TEST(Events, TheOthersCountASignalEach) {
  Events events;
  const std::pair<std::uint8_t*, Counter> signals[] = {
      {&events->mm_pad, Counter::kArrayPadRows},    {&events->ld_inflight, Counter::kLoadBusy},
      {&events->ld_waiting, Counter::kLoadWait},    {&events->wt_inflight, Counter::kWeightsBusy},
      {&events->wt_waiting, Counter::kWeightsWait}, {&events->st_inflight, Counter::kStoreBusy},
      {&events->st_waiting, Counter::kStoreWait},   {&events->fe_beat, Counter::kFetchBeats},
      {&events->ld_beat, Counter::kLoadBeats},      {&events->wt_beat, Counter::kWeightsBeats},
      {&events->st_beat, Counter::kStoreBeats},     {&events->ld_done, Counter::kLoadRetired},
      {&events->wt_done, Counter::kWeightsRetired}, {&events->mm_done, Counter::kMatmulRetired},
      {&events->vx_done, Counter::kVectorRetired},  {&events->st_done, Counter::kStoreRetired},
  };
  ASSERT_EQ(std::size(signals) + 1 + static_cast<unsigned>(std::popcount(kArray | kVector)),
            isa::kNumCounters);
  for (const auto& [signal, counter] : signals) {
    *signal = 1;
    EXPECT_EQ(events.Get() & ~(kArray | kVector), Events::Bits({Counter::kCycles, counter}));
    *signal = 0;
  }
  EXPECT_EQ(events.Get() & ~(kArray | kVector), Events::Bits({Counter::kCycles}));
}

TEST(Events, WhatMovedIsProgress) {
  Events events;
  std::uint8_t* const no_progress[] = {
      &events->mm_pad,        &events->mm_wait_weights,  &events->mm_weight_shift,
      &events->mm_queued,     &events->mm_waiting,       &events->mm_wait_class,
      &events->vx_stall_port, &events->vx_stall_operand, &events->vx_stall_output,
      &events->vx_queued,     &events->ld_inflight,      &events->ld_waiting,
      &events->wt_inflight,   &events->wt_waiting,       &events->st_inflight,
      &events->st_waiting};
  std::uint8_t* const progress[] = {&events->ld_start,  &events->wt_start,   &events->mm_start,
                                    &events->vx_start,  &events->st_start,   &events->ld_done,
                                    &events->wt_done,   &events->mm_done,    &events->vx_done,
                                    &events->st_done,   &events->ld_beat,    &events->wt_beat,
                                    &events->fe_beat,   &events->st_beat,    &events->mm_active,
                                    &events->vx_active, &events->row_written};
  for (std::uint8_t* const signal : no_progress) *signal = 1;
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
}

TEST(Events, StartsAreInTheOrderOfTheUnits) {
  Events events;
  std::uint8_t* const starts[] = {&events->ld_start, &events->wt_start, &events->mm_start,
                                  &events->vx_start, &events->st_start};
  for (std::size_t i = 0; i < std::size(starts); ++i) {
    *starts[i] = 1;
    events.Get();
    EXPECT_EQ(events->starts, 1U << i);
    *starts[i] = 0;
  }
}

}  // namespace
}  // namespace tpu
