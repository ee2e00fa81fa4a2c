// SPDX-License-Identifier: Apache-2.0
#include "timing/estimate.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <numeric>
#include <optional>
#include <variant>

#include "base/error.h"
#include "timing/fetch.h"
#include "timing/load_unit.h"
#include "timing/matmul_unit.h"
#include "timing/read_port.h"
#include "timing/ring.h"
#include "timing/store_unit.h"
#include "timing/vector_unit.h"
#include "timing/weights_unit.h"

namespace tpu::timing {
namespace {

constexpr std::size_t kUnits = 5;
constexpr std::size_t kLoad = 0;
constexpr std::size_t kWeights = 1;
constexpr std::size_t kMatmul = 2;
constexpr std::size_t kVector = 3;
constexpr std::size_t kStore = 4;

std::size_t UnitIndex(const isa::Instruction& instruction) {
  return static_cast<std::size_t>(isa::UnitOf(isa::OpcodeOf(instruction))) - 1;
}

// Bits up to the highest field of each unit's instructions.
std::array<unsigned, kUnits> UsedBits() {
  std::array<unsigned, kUnits> used{};
  const auto extend = [&used](isa::Opcode opcode, unsigned bit) {
    unsigned& bits = used[static_cast<std::size_t>(isa::UnitOf(opcode)) - 1];
    bits = std::max(bits, bit);
  };
#define TPU_FIELD(opcode, name, word, lsb, width, type, min, max, doc) \
  extend(isa::Opcode::opcode, 32 * (word) + (lsb) + (width));
#include "isa/tpu_isa.def"
  return used;
}

/// A unit's instruction queue, its head and what it has in flight (rtl/control/tpu_queues.v,
/// rtl/control/tpu_issue.v).
struct Queue {
  static constexpr std::uint64_t kInFlight = 8;
  // The longest instructions of which a queue holds the words.
  static constexpr std::uint32_t kLongest = 8 * isa::kMaxGranules;

  // From the read of a word to the cycle in which the head has it.
  static constexpr Cycle kReadToHead = 2;
  // From an instruction's last word in hand to its first cycle as one that may start.
  static constexpr Cycle kDecodeToLegal = 3;

  std::vector<std::uint32_t> instructions;  // Of the whole program.
  std::uint64_t started = 0;
  std::uint64_t retired = 0;
  bool granted = false;         // The head has taken its semaphores,
  std::uint32_t waits_for = 0;  // or waits for these; 0: for none, as far as is known.
  Cycle last_start = 0;
  Ring<Cycle, kInFlight> completions;

  // Words, each written by decode and read into the head.
  std::uint32_t length = 0;  // Words of an instruction that are kept.
  std::uint64_t written = 0;
  std::uint64_t read = 0;
  std::vector<Cycle> written_at;
  std::vector<Cycle> read_at;
  std::uint32_t in_head = 0;  // Words of the head that were read.
  Cycle first_at = kNever;    // When the head has its first word, has all.
  Cycle complete_at = kNever;

  /// First cycle in which decode may write a word; kNever: not known yet.
  [[nodiscard]] Cycle room() const {
    if (written < read_at.size()) return 0;
    const std::uint64_t oldest = written - read_at.size();
    return oldest < read ? read_at[oldest % read_at.size()] + 1 : kNever;
  }
  void Write(Cycle cycle) { written_at[written++ % written_at.size()] = cycle; }
  /// First cycle in which the next word may be read; kNever: not known yet.
  [[nodiscard]] Cycle readable() const {
    if (read == written || in_head == length) return kNever;
    return std::max(written_at[read % written_at.size()], last_start) + 1;
  }
  void Read(Cycle cycle) {
    read_at[read++ % read_at.size()] = cycle;
    if (in_head++ == 0) first_at = cycle + kReadToHead;
    if (in_head == length) complete_at = cycle + kReadToHead;
  }
  void Start(Cycle cycle) {
    granted = false;
    last_start = cycle;
    in_head = 0;
    first_at = kNever;
    complete_at = kNever;
  }
};

/// All units, each worked on in the cycles in which something may happen in it.
class Machine {
 public:
  Machine(std::span<const isa::Instruction> program, std::uint64_t address,
          const isa::HardwareConfig& config, const Memory& memory, Pace pace)
      : program_(program),
        pace_(pace),
        fetch_(address, Granules(program), config),
        load_(config),
        weights_(config),
        matmul_(config),
        vector_(config),
        store_(config, memory.latency),
        ahead_(std::min(memory.latency, VectorUnit::kAhead)),
        port_({&fetch_.request(), &load_.request(), &weights_.request()}, memory.latency) {
    for (std::uint32_t i = 0; i < program.size(); ++i) {
      queues_[UnitIndex(program[i])].instructions.push_back(i);
    }
    const std::array<unsigned, kUnits> used = UsedBits();
    const std::uint32_t word_bits = Fetch::WordBits(config);
    granule_words_ = 8 * isa::kGranuleBytes / word_bits;
    for (std::size_t unit = 0; unit < kUnits; ++unit) {
      queues_[unit].length = (used[unit] + word_bits - 1) / word_bits;
      queues_[unit].written_at.resize(Queue::kLongest * granule_words_);
      queues_[unit].read_at.resize(Queue::kLongest * granule_words_);
    }
    legal_at_.resize(program.size(), kNever);
    estimate_.started.resize(program.size());
    estimate_.completed.resize(program.size());
    wake_.fill(kNever);
  }

  Estimate Run() {
    Wake(kFetchAgent, 1);
    Wake(kRetireAgent, 1);
    while (retired_ < program_.size()) {
      const Cycle cycle = Soonest();
      if (cycle >= kNever) throw Error("the program does not end");
      if (Due(kPortAgent, cycle)) StepPort(cycle);
      if (Due(kFetchAgent, cycle)) StepFetch(cycle);
      if (Due(kLoadAgent, cycle)) StepLoad(cycle);
      if (Due(kWeightsAgent, cycle)) StepWeights(cycle);
      if (Due(kDecodeAgent, cycle)) StepDecode(cycle);
      if (Due(kFillAgent, cycle)) StepFill(cycle);
      if (Due(kBufferAgent, cycle)) StepBuffer(cycle);
      // No loop: each has a branch of its own, which the host foretells better.
      if (Due(kIssueAgent + kLoad, cycle)) StepIssue(kLoad, cycle);
      if (Due(kIssueAgent + kWeights, cycle)) StepIssue(kWeights, cycle);
      if (Due(kIssueAgent + kMatmul, cycle)) StepIssue(kMatmul, cycle);
      if (Due(kIssueAgent + kVector, cycle)) StepIssue(kVector, cycle);
      if (Due(kIssueAgent + kStore, cycle)) StepIssue(kStore, cycle);
      if (Due(kRetireAgent, cycle)) StepRetire(cycle);
    }
    // The last instruction is off the books in the next cycle, the program done in the one after.
    estimate_.cycles = last_retirement_ + 2;
    return std::move(estimate_);
  }

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
  [[nodiscard]] Cycle Horizon() const {
    Cycle memory = std::min(std::min(wake_[kPortAgent], wake_[kFetchAgent]),
                            std::min(wake_[kLoadAgent], wake_[kWeightsAgent]));
    if (stalled_ == kLoad || stalled_ == kWeights) {
      memory += kDecodeToRead;
    } else {
      memory = std::min(memory + ahead_, load_.completes() + kRetireToRead);
    }
    Cycle soonest =
        std::min({memory, wake_[kDecodeAgent] + kDecodeToRead, wake_[kFillAgent] + kFillToRead});
    for (std::size_t unit = 0; unit < kUnits; ++unit) {
      const Cycle to_read = queues_[unit].granted ? kStartToRead : kTakeToRead;
      soonest = std::min(soonest, wake_[kIssueAgent + unit] + to_read);
    }
    return std::min(soonest, wake_[kRetireAgent] + kRetireToRead);
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

  // ---- Those that read memory ----

  void StepFetch(Cycle cycle) {
    fetch_.Issue(cycle);
    Wake(kPortAgent, port_.Next());
  }

  void StepLoad(Cycle cycle) {
    vector_.Foresee(cycle, stepped_);
    load_.Step(cycle, vector_);
    CompleteAll(kLoad, load_.completions());
    Wake(kLoadAgent, load_.next());
    Wake(kPortAgent, port_.Next());
    WakeGranted(kLoad, cycle);
  }

  void StepWeights(Cycle cycle) {
    weights_.Step(cycle);
    Wake(kWeightsAgent, weights_.next());
    Wake(kPortAgent, port_.Next());
    WakeGranted(kWeights, cycle);
  }

  // ---- Read port ----

  void StepPort(Cycle cycle) {
    const ReadPort::Grant grant = port_.Step(cycle);
    if (grant.client == ReadPort::kFetch) {
      fetch_.Deliver(grant.burst, grant.first);
      Wake(kFetchAgent, std::max(fetch_.issue(), cycle));
      Wake(kDecodeAgent, fetch_.valid_at());
    } else if (grant.client == ReadPort::kLoad) {
      load_.Deliver(grant.burst, grant.first);
      Wake(kLoadAgent, cycle);
    } else if (grant.client == ReadPort::kWeights) {
      weights_.Deliver(grant.burst, grant.first);
      Couple(cycle);
    }
    Wake(kPortAgent, port_.Next());
  }

  // Tiles and the instructions that take them.
  void Couple(Cycle cycle) {
    bool progress = true;
    while (progress) {
      weights_.Advance();
      std::optional<Cycle> completion;
      progress = matmul_.Advance(weights_, completion);
      if (completion) Complete(kMatmul, *completion);
    }
    CompleteAll(kWeights, weights_.completions());
    Wake(kWeightsAgent, std::max(weights_.next(), cycle));
    WakeGranted(kMatmul, cycle);
  }

  // ---- Unified buffer ----

  // Works cycle by cycle up to the next one in which anything else may concern it, ahead of the
  // other agents.
  void StepBuffer(Cycle cycle) {
    if (pace_ == Pace::kCycleByCycle) {
      wake_[kBufferAgent] = StepBanks(cycle, matmul_.Reads(cycle));
      stepped_ = cycle + 1;
      return;
    }
    soonest_ = Horizon();
    do {
      cycle = PassBanks(cycle);
    } while (cycle < soonest_ && cycle < kNever);
    // Later than what the steps asked for, which they have done themselves.
    wake_[kBufferAgent] = cycle;
    stepped_ = std::min(cycle, soonest_);
  }

  // Cycles from this one on, as many at once as go on regularly; returns the next cycle in which
  // there is something to do.
  Cycle PassBanks(Cycle cycle) {
    Banks reads = 0;
    if (vector_.reads_buffer()) {
      reads = matmul_.Reads(cycle);
      Cycle next = RepeatVector(cycle, reads);
      if (next != cycle) return next;
      next = StepColumns(cycle);
      if (next != cycle) return next;
    } else if (store_.read() <= cycle) {
      if (const Cycle end = vector_.next(); end > cycle) {
        return std::min(end,
                        RunStore(cycle, end, [this](Cycle now) { return matmul_.Reads(now); }));
      }
      reads = matmul_.Reads(cycle);
    }
    return StepBanks(cycle, reads);
  }

  // This cycle, in which the array reads `reads`; returns the next one in which there is something
  // to do.
  Cycle StepBanks(Cycle cycle, Banks reads) {
    if (vector_.next() <= cycle) {
      if (const auto completion = vector_.Step(cycle, reads)) Complete(kVector, *completion);
      if (vector_.ready() == cycle + 1) WakeGranted(kVector, cycle);
    }
    if (store_.read() <= cycle) StepStore(cycle, reads);
    // What waited in this cycle does so in the next.
    return std::max(std::min(vector_.next(), store_.read()), cycle + 1);
  }

  void StepStore(Cycle cycle, Banks reads) {
    if ((store_.read_bank() & reads) != 0) return;
    store_.Read(cycle);
    CompleteAll(kStore, store_.completions());
    WakeGranted(kStore, cycle);
  }

  // Lets the store unit read from this cycle on, up to `end` or the next one in which anything else
  // may happen, while others read `reads(cycle)`; returns the next cycle in which it asks.
  template <typename Reads>
  Cycle RunStore(Cycle cycle, Cycle end, Reads reads) {
    Cycle until = std::min(end, std::max(soonest_, cycle + 1));
    do {
      std::uint32_t rows = 0;
      const std::uint32_t straight = store_.Straight(cycle);
      for (; rows < straight && cycle < until && store_.whole(); ++cycle) {
        if ((store_.read_bank() & reads(cycle)) != 0) continue;
        store_.Pass(cycle);
        ++rows;
      }
      if (rows != 0) store_.Passed(rows);
      if (cycle < until && store_.read() <= cycle) {
        StepStore(cycle, reads(cycle));
        ++cycle;
        until = std::min(end, soonest_);
      }
      cycle = std::max(cycle, store_.read());
    } while (cycle < until);
    return cycle;
  }

  // Cycles from this one on in which windows go column by column; returns the next cycle.
  Cycle StepColumns(Cycle cycle) {
    const bool stores = store_.read() <= cycle;
    const Cycle end = stores ? cycle + 1 : std::min(std::max(soonest_, cycle + 1), store_.read());
    Banks reads = 0;
    const Cycle next = vector_.StepColumns(cycle, end, matmul_, reads);
    if (stores && next != cycle) StepStore(cycle, reads);
    return next;
  }

  // Cycles from this one on in which nothing holds up the vector unit, while the array reads
  // `others` in the first one; returns the next cycle.
  Cycle RepeatVector(Cycle cycle, Banks others) {
    const bool stores = store_.read() <= cycle;
    const VectorUnit::Repetition repetition = vector_.Repeats(cycle, others, stores);
    if (repetition.cycles == 0) return cycle;
    Cycle end = cycle + std::min(repetition.cycles, matmul_.Regular(cycle, repetition.bank_step));
    end = std::min(end, std::max(soonest_, cycle + 1));
    if (!stores) end = std::min(end, store_.read());
    if (stores) {
      const Banks first = repetition.banks | others;
      const Cycle asks = RunStore(cycle, end, [&](Cycle now) {
        return Further(first, repetition.bank_step * (now - cycle));
      });
      end = std::min({end, asks, std::max(soonest_, cycle + 1)});
    }
    vector_.Repeat(cycle, end - cycle);
    return end;
  }

  // ---- Decode (rtl/control/tpu_decode.v) ----

  // Takes words and writes those that its unit's queue keeps, each a cycle later at the soonest.
  void StepDecode(Cycle cycle) {
    while (decoded_ != program_.size()) {
      const std::size_t unit = UnitIndex(program_[decoded_]);
      Queue& queue = queues_[unit];
      if (!in_hand_) {
        const Cycle valid = std::max(fetch_.valid_at(), decode_from_);
        if (valid > cycle) return Wake(kDecodeAgent, valid);
        fetch_.Take();
        Wake(kFetchAgent, std::max(fetch_.issue(), cycle + 1));
        in_hand_ = true;
        decode_from_ = cycle + 1;
      }
      const bool kept = words_ < queue.length;
      const Cycle write = std::max(kept ? queue.room() : 0, decode_from_);
      // It may be known already for the next cycle.
      const bool stalls = write > std::max(cycle, decode_from_);
      stalled_ = stalls ? unit : kUnits;
      if (stalls) return Wake(kDecodeAgent, write);
      if (kept) {
        queue.Write(write);
        Wake(kFillAgent, write + 1);
      }
      if (++words_ == isa::Granules(isa::OpcodeOf(program_[decoded_])) * granule_words_) {
        legal_at_[decoded_++] = write + Queue::kDecodeToLegal;
        Wake(kIssueAgent + unit, write + Queue::kDecodeToLegal);
        words_ = 0;
      }
      in_hand_ = false;
      decode_from_ = write;
    }
  }

  // ---- Queues and heads (rtl/control/tpu_queues.v) ----

  // One word in a cycle, for the first unit whose head lacks one.
  void StepFill(Cycle cycle) {
    bool filled = false;
    for (std::size_t unit = 0; unit < kUnits; ++unit) {
      Queue& queue = queues_[unit];
      if (!filled && queue.readable() <= cycle) {
        filled = true;
        queue.Read(cycle);
        Wake(kIssueAgent + unit, cycle + Queue::kReadToHead);
        if (stalled_ == unit) Wake(kDecodeAgent, cycle + 1);
      }
      Wake(kFillAgent, std::max(queue.readable(), cycle + 1));
    }
  }

  // ---- Queues and semaphores ----

  [[nodiscard]] Cycle UnitReady(std::size_t unit) const {
    switch (unit) {
      case kLoad:
        return load_.ready();
      case kWeights:
        return weights_.ready();
      case kMatmul:
        return matmul_.ready();
      case kVector:
        return vector_.ready();
      default:
        return store_.ready();
    }
  }

  void WakeGranted(std::size_t unit, Cycle cycle) {
    if (queues_[unit].granted) Wake(kIssueAgent + unit, std::max(Startable(unit), cycle));
  }

  void StepIssue(std::size_t unit, Cycle cycle) {
    Queue& queue = queues_[unit];
    if (queue.granted) {
      const Cycle ready = Startable(unit);
      if (ready > cycle) return Wake(kIssueAgent + unit, ready);
      return Start(unit, cycle);
    }
    if (queue.first_at > cycle) return Wake(kIssueAgent + unit, queue.first_at);
    if (queue.started - queue.retired == Queue::kInFlight) return;
    const std::uint32_t waits = isa::SemaphoresOf(program_[queue.instructions[queue.started]]).wait;
    queue.waits_for = waits & ~nonzero_;
    if (queue.waits_for != 0) return;
    Count(waits, -1);
    queue.granted = true;
    if (Startable(unit) <= cycle + 1) return Start(unit, cycle + 1);
    Wake(kIssueAgent + unit, std::max(Startable(unit), cycle + 1));
  }

  // First cycle in which the head may start, which has its semaphores; kNever: not known yet.
  [[nodiscard]] Cycle Startable(std::size_t unit) const {
    const Queue& queue = queues_[unit];
    return std::max(
        {UnitReady(unit), queue.complete_at, legal_at_[queue.instructions[queue.started]]});
  }

  void Start(std::size_t unit, Cycle cycle) {
    Queue& queue = queues_[unit];
    const std::uint32_t index = queue.instructions[queue.started++];
    estimate_.started[index] = cycle;
    queue.Start(cycle);
    Wake(kFillAgent, std::max(queue.readable(), cycle + 1));
    const isa::Instruction& instruction = program_[index];
    switch (unit) {
      case kLoad:
        load_.Accept(std::get<isa::Load>(instruction), cycle);
        return Wake(kLoadAgent, cycle + 1);
      case kWeights:
        weights_.Accept(std::get<isa::Weights>(instruction), cycle);
        return Wake(kWeightsAgent, cycle + 1);
      case kMatmul:
        matmul_.Accept(std::get<isa::Matmul>(instruction), cycle);
        return Couple(cycle);
      case kVector:
        vector_.Accept(std::get<isa::Vector>(instruction), cycle);
        return Wake(kBufferAgent, cycle + 1);
      default:
        store_.Accept(std::get<isa::Store>(instruction), cycle);
        return Wake(kBufferAgent, std::max(store_.read(), cycle + 1));
    }
  }

  void Complete(std::size_t unit, Cycle cycle) {
    queues_[unit].completions.push_back(cycle);
    Wake(kRetireAgent, cycle);
  }

  void CompleteAll(std::size_t unit, std::vector<Cycle>& completions) {
    if (completions.empty()) return;
    for (const Cycle completion : completions) Complete(unit, completion);
    completions.clear();
  }

  void StepRetire(Cycle cycle) {
    std::uint32_t posted = 0;
    for (std::size_t unit = 0; unit < kUnits; ++unit) {
      Queue& queue = queues_[unit];
      if (queue.completions.empty() || queue.completions.front() > cycle) continue;
      const std::uint32_t index = queue.instructions[queue.retired];
      const std::uint32_t posts = isa::SemaphoresOf(program_[index]).post;
      posted |= posts;
      Count(posts, 1);
      estimate_.completed[index] = queue.completions.front();
      queue.completions.pop_front();
      if (queue.started - queue.retired++ == Queue::kInFlight) Wake(kIssueAgent + unit, cycle + 1);
      ++retired_;
      last_retirement_ = cycle;
    }
    for (std::size_t unit = 0; unit < kUnits; ++unit) {
      const Queue& queue = queues_[unit];
      if ((posted & queue.waits_for) != 0) Wake(kIssueAgent + unit, cycle + 1);
      if (!queue.completions.empty()) {
        Wake(kRetireAgent, std::max(queue.completions.front(), cycle + 1));
      }
    }
  }

  void Count(std::uint32_t semaphores, int change) {
    for (; semaphores != 0; semaphores &= semaphores - 1) {
      const auto semaphore = static_cast<std::size_t>(std::countr_zero(semaphores));
      counts_[semaphore] += change;
      const std::uint32_t bit = std::uint32_t{1} << semaphore;
      nonzero_ = counts_[semaphore] != 0 ? nonzero_ | bit : nonzero_ & ~bit;
    }
  }

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

}  // namespace

Estimate EstimateProgram(std::span<const isa::Instruction> program, std::uint64_t address,
                         const isa::HardwareConfig& config, const Memory& memory, Pace pace) {
  return Machine(program, address, config, memory, pace).Run();
}

}  // namespace tpu::timing
