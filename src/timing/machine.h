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
  // At least so many cycles pass until an instruction first reads the unified buffer: from its
  // start, from the cycle in which the instruction takes its semaphores, from a post that the
  // instruction waits for, from the cycle in which its queue's head gets a word, and from decode.
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
    // Rounded up to a multiple of four, for Soonest.
    kAgents = (kRetireAgent / 4 + 1) * 4
  };

  static std::uint64_t Granules(std::span<const isa::Instruction> program) {
    return std::accumulate(program.begin(), program.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const isa::Instruction& instruction) {
                             return sum + isa::Granules(isa::OpcodeOf(instruction));
                           });
  }

  // Compares four chains at a time: the host need not finish one comparison before the next.
  [[nodiscard]] Cycle Soonest() const {
    std::array<Cycle, 4> soonest = {wake_[0], wake_[1], wake_[2], wake_[3]};
    for (std::size_t agent = 4; agent < kAgents; ++agent) {
      soonest[agent % 4] = std::min(soonest[agent % 4], wake_[agent]);
    }
    return std::min(std::min(soonest[0], soonest[1]), std::min(soonest[2], soonest[3]));
  }

  // First cycle in which an event elsewhere may concern the readers of the unified buffer. A
  // request to the memory is answered no sooner than after the memory's latency, and completes a
  // LOAD or a tile later still. The rows that LOAD has in hand take a cycle each. Where decode
  // waits for LOAD or WEIGHTS, all instructions behind wait as well.
  [[nodiscard]] Cycle Horizon() const;
  // First cycle after this one in which the readers cannot follow one pattern: something may
  // concern them, or WEIGHTS asks.
  [[nodiscard]] Cycle Until(Cycle cycle) const {
    return std::max(std::min(soonest_, weights_.read()), cycle + 1);
  }

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

  // ---- Readers of memory ----
  void StepFetch(Cycle cycle);
  void StepLoad(Cycle cycle);
  void StepWeights(Cycle cycle);

  // ---- Read port ----
  void StepPort(Cycle cycle);
  // Passes what WEIGHTS knows about tiles to MATMUL, and what MATMUL takes to WEIGHTS.
  void Couple(Cycle cycle);

  // ---- Unified buffer ----
  // Works ahead of the other agents, up to the next cycle in which one of them may concern the
  // buffer.
  void StepBuffer(Cycle cycle);
  // Works from this cycle on, as many cycles at once as follow one pattern. Returns the next cycle
  // in which there is something to do.
  Cycle PassBanks(Cycle cycle);
  // Works for this cycle, in which the array reads `reads`. Returns the next cycle in which there
  // is something to do.
  Cycle StepBanks(Cycle cycle, Banks reads);
  // Adds the bank that WEIGHTS reads.
  void StepTiles(Cycle cycle, Banks& reads);
  void StepStore(Cycle cycle, Banks reads);
  // Lets the store unit read from this cycle on, up to `end` or the next cycle in which anything
  // else may happen, while others read `reads(cycle)`. Returns the next cycle in which the store
  // unit asks for a row.
  template <typename Reads>
  Cycle RunStore(Cycle cycle, Cycle end, Reads reads);
  // Works from this cycle on, as long as windows go column by column. Returns the next cycle.
  Cycle StepColumns(Cycle cycle);
  // Works from this cycle on, as long as nothing holds up the vector unit. The array reads `others`
  // in the first of these cycles. Returns the next cycle.
  Cycle RepeatVector(Cycle cycle, Banks others);

  // ---- Decode (rtl/control/tpu_decode.v) ----
  // Takes a word, and writes it a cycle later at the soonest if the unit's queue keeps it.
  void StepDecode(Cycle cycle);

  // ---- Queues and heads (rtl/control/tpu_queues.v) ----
  // Moves one word in a cycle, for the first unit whose head lacks a word.
  void StepFill(Cycle cycle);

  // ---- Issue and semaphores (rtl/control/tpu_issue.v, tpu_semaphores.v) ----
  // First cycle in which the unit may accept an instruction; kNever: not known yet.
  [[nodiscard]] Cycle UnitReady(std::size_t unit) const;
  void WakeGranted(std::size_t unit, Cycle cycle) {
    if (queues_[unit].granted) Wake(kIssueAgent + unit, std::max(Startable(unit), cycle));
  }
  void StepIssue(std::size_t unit, Cycle cycle);
  // First cycle in which the head, which has taken its semaphores, may start; kNever: not known
  // yet.
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
  Cycle ahead_;  // The memory answers a request no sooner than after so many cycles.
  ReadPort port_;
  std::array<Cycle, kAgents> wake_{};
  Cycle soonest_ = 0;  // While kBufferAgent works: nothing concerns it before this cycle.
  Cycle stepped_ = 0;  // The readers of the unified buffer were stepped up to here.

  std::size_t decoded_ = 0;
  std::size_t words_ = 0;  // Words of the instruction in hand that were written or dropped.
  bool in_hand_ = false;   // A word is in hand.
  Cycle decode_from_ =
      0;  // From this cycle on the word in hand can be written, or the next one taken.
  std::size_t granule_words_ = 0;
  std::vector<Cycle> legal_at_;   // By instruction: when it may start; kNever: not decoded yet.
  std::size_t stalled_ = kUnits;  // The unit whose queue decode waits for, if any.

  std::array<Queue, kUnits> queues_;
  std::array<int, isa::kNumSemaphores> counts_{};
  std::uint32_t nonzero_ = 0;
  std::size_t retired_ = 0;
  Cycle last_retirement_ = 0;
  Estimate estimate_;
};

}  // namespace tpu::timing
