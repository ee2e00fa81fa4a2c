// SPDX-License-Identifier: Apache-2.0
// The timing model of a whole machine (docs/timing.md). machine_buffer.cpp holds what happens at
// the unified buffer, machine.cpp all else.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "isa/hardware_config.h"
#include "isa/instruction.h"
#include "timing/banks.h"
#include "timing/cycle.h"
#include "timing/estimate.h"
#include "timing/fetch.h"
#include "timing/load_unit.h"
#include "timing/matmul_unit.h"
#include "timing/queue.h"
#include "timing/read_port.h"
#include "timing/store_unit.h"
#include "timing/vector_unit.h"
#include "timing/weights_unit.h"

namespace tpu::timing {

inline constexpr std::size_t kUnits = 5;
inline constexpr std::size_t kLoad = 0;
inline constexpr std::size_t kWeights = 1;
inline constexpr std::size_t kMatmul = 2;
inline constexpr std::size_t kVector = 3;
inline constexpr std::size_t kStore = 4;

/// All units, each worked on in the cycles in which something may happen in it.
class Machine {
 public:
  Machine(std::span<const isa::Instruction> program, std::uint64_t address,
          const isa::HardwareConfig& config, const Memory& memory, Pace pace);

  /// To the end of the program. Throws Error if the program does not end.
  Estimate Run();

 private:
  // To the first cycle in which an instruction reads the unified buffer, at the least: from its
  // start, from when it takes its semaphores, from a post that it waits for, from when its head
  // gets a word, and from decode.
  static constexpr Cycle kStartToRead = 1;
  static constexpr Cycle kTakeToRead = kStartToRead + 1;
  static constexpr Cycle kRetireToRead = kTakeToRead + 1;
  static constexpr Cycle kFillToRead = kStartToRead + Queue::kReadToHead;
  static constexpr Cycle kDecodeToRead = kFillToRead + 1;

  // In the order in which they act on each other within a cycle. Unit u's queue is kIssueAgent + u.
  enum Agent : std::size_t {
    kPortAgent,
    kFetchAgent,
    kLoadAgent,
    kWeightsAgent,
    kDecodeAgent,
    kFillAgent,
    kBufferAgent,
    kIssueAgent,
    kRetireAgent = kIssueAgent + kUnits,
    // Up to a multiple of four, for Soonest.
    kAgents = (kRetireAgent / 4 + 1) * 4
  };

  static std::uint64_t Granules(std::span<const isa::Instruction> program) {
    return std::accumulate(program.begin(), program.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const isa::Instruction& instruction) {
                             return sum + isa::Granules(isa::OpcodeOf(instruction));
                           });
  }

  // Four at a time, so that they need not wait for each other.
  [[nodiscard]] Cycle Soonest() const {
    std::array<Cycle, 4> soonest = {wake_[0], wake_[1], wake_[2], wake_[3]};
    for (std::size_t agent = 4; agent < kAgents; ++agent) {
      soonest[agent % 4] = std::min(soonest[agent % 4], wake_[agent]);
    }
    return std::min(std::min(soonest[0], soonest[1]), std::min(soonest[2], soonest[3]));
  }

  // First cycle in which anything that happens elsewhere may concern those who read the unified
  // buffer. What the memory is asked for comes later by its latency, and completes LOADs and tiles
  // later still; what LOAD has in hand takes a cycle per row. But where decode waits for one of
  // the two that read memory, whatever comes behind waits with it.
  [[nodiscard]] Cycle Horizon() const;

  void Wake(std::size_t agent, Cycle cycle) {
    wake_[agent] = std::min(wake_[agent], cycle);
    if (agent != kBufferAgent) soonest_ = std::min(soonest_, cycle);
  }

  // Whether an agent is to be stepped in this cycle; it no longer waits then.
  bool Due(std::size_t agent, Cycle cycle) {
    if (wake_[agent] > cycle) return false;
    wake_[agent] = kNever;
    return true;
  }

  // ---- Those that read memory ----
  void StepFetch(Cycle cycle);
  void StepLoad(Cycle cycle);
  void StepWeights(Cycle cycle);

  // ---- Read port ----
  void StepPort(Cycle cycle);
  // Tiles and the instructions that take them.
  void Couple(Cycle cycle);

  // ---- Unified buffer ----
  // Works cycle by cycle up to the next one in which anything else may concern it, ahead of the
  // other agents.
  void StepBuffer(Cycle cycle);
  // Cycles from this one on, as many at once as go on regularly; returns the next cycle in which
  // there is something to do.
  Cycle PassBanks(Cycle cycle);
  // This cycle, in which the array reads `reads`; returns the next one in which there is something
  // to do.
  Cycle StepBanks(Cycle cycle, Banks reads);
  void StepStore(Cycle cycle, Banks reads);
  // Lets the store unit read from this cycle on, up to `end` or the next one in which anything else
  // may happen, while others read `reads(cycle)`; returns the next cycle in which it asks.
  template <typename Reads>
  Cycle RunStore(Cycle cycle, Cycle end, Reads reads);
  // Cycles from this one on in which windows go column by column; returns the next cycle.
  Cycle StepColumns(Cycle cycle);
  // Cycles from this one on in which nothing holds up the vector unit, while the array reads
  // `others` in the first one; returns the next cycle.
  Cycle RepeatVector(Cycle cycle, Banks others);

  // ---- Decode (rtl/control/tpu_decode.v) ----
  // Takes words and writes those that its unit's queue keeps, each a cycle later at the soonest.
  void StepDecode(Cycle cycle);

  // ---- Queues and heads (rtl/control/tpu_queues.v) ----
  // One word in a cycle, for the first unit whose head lacks one.
  void StepFill(Cycle cycle);

  // ---- Issue and semaphores (rtl/control/tpu_issue.v, tpu_semaphores.v) ----
  // First cycle in which the unit may accept an instruction; kNever: not known yet.
  [[nodiscard]] Cycle UnitReady(std::size_t unit) const;
  void WakeGranted(std::size_t unit, Cycle cycle) {
    if (queues_[unit].granted) Wake(kIssueAgent + unit, std::max(Startable(unit), cycle));
  }
  void StepIssue(std::size_t unit, Cycle cycle);
  // First cycle in which the head may start, which has its semaphores; kNever: not known yet.
  [[nodiscard]] Cycle Startable(std::size_t unit) const {
    const Queue& queue = queues_[unit];
    return std::max(
        {UnitReady(unit), queue.complete_at, legal_at_[queue.instructions[queue.started]]});
  }
  void Start(std::size_t unit, Cycle cycle);
  void Complete(std::size_t unit, Cycle cycle) {
    queues_[unit].completions.push_back(cycle);
    Wake(kRetireAgent, cycle);
  }
  void CompleteAll(std::size_t unit, std::vector<Cycle>& completions) {
    if (completions.empty()) return;
    for (const Cycle completion : completions) Complete(unit, completion);
    completions.clear();
  }
  void StepRetire(Cycle cycle);
  void Count(std::uint32_t semaphores, int change);

  std::span<const isa::Instruction> program_;
  Pace pace_;
  Fetch fetch_;
  LoadUnit load_;
  WeightsUnit weights_;
  MatmulUnit matmul_;
  VectorUnit vector_;
  StoreUnit store_;
  Cycle ahead_;  // The memory answers no sooner than so many cycles later.
  ReadPort port_;
  std::array<Cycle, kAgents> wake_{};
  Cycle soonest_ = 0;  // Nothing else concerns kBufferAgent, which is at work, before.
  Cycle stepped_ = 0;  // What reads the unified buffer was stepped up to here.

  std::size_t decoded_ = 0;
  std::size_t words_ = 0;  // Of the instruction in hand that were written or dropped.
  bool in_hand_ = false;   // A word is.
  Cycle decode_from_ = 0;  // It can be written from this cycle on, or the next one taken.
  std::size_t granule_words_ = 0;
  std::vector<Cycle> legal_at_;   // By instruction: when it may start; kNever: not decoded yet.
  std::size_t stalled_ = kUnits;  // Whose queue decode waits for, if any.

  std::array<Queue, kUnits> queues_;
  std::array<int, isa::kNumSemaphores> counts_{};
  std::uint32_t nonzero_ = 0;
  std::size_t retired_ = 0;
  Cycle last_retirement_ = 0;
  Estimate estimate_;
};

}  // namespace tpu::timing
