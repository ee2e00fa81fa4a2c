// SPDX-License-Identifier: Apache-2.0
// Instructions on their way: fetch, decode, queues, semaphores, and the units that read memory.
#include "timing/machine.h"

#include <bit>
#include <variant>

#include "base/error.h"

namespace tpu::timing {
namespace {

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

}  // namespace

Machine::Machine(std::span<const isa::Instruction> program, std::uint64_t address,
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

Estimate Machine::Run() {
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
    // No loop: the host predicts six separate branches better than one.
    if (Due(kIssueAgent + kLoad, cycle)) StepIssue(kLoad, cycle);
    if (Due(kIssueAgent + kWeights, cycle)) StepIssue(kWeights, cycle);
    if (Due(kIssueAgent + kMatmul, cycle)) StepIssue(kMatmul, cycle);
    if (Due(kIssueAgent + kVector, cycle)) StepIssue(kVector, cycle);
    if (Due(kIssueAgent + kStore, cycle)) StepIssue(kStore, cycle);
    if (Due(kRetireAgent, cycle)) StepRetire(cycle);
  }
  // The last instruction is retired in the next cycle. The program is done in the cycle after that.
  estimate_.cycles = last_retirement_ + 2;
  return std::move(estimate_);
}

void Machine::StepFetch(Cycle cycle) {
  fetch_.Issue(cycle);
  Wake(kPortAgent, port_.Next());
}

void Machine::StepLoad(Cycle cycle) {
  vector_.Foresee(cycle, stepped_);
  load_.Step(cycle, vector_);
  CompleteAll(kLoad, load_.completions());
  Wake(kLoadAgent, load_.next());
  Wake(kPortAgent, port_.Next());
  WakeGranted(kLoad, cycle);
}

void Machine::StepWeights(Cycle cycle) {
  weights_.Step(cycle);
  Wake(kWeightsAgent, weights_.next());
  Wake(kPortAgent, port_.Next());
  WakeGranted(kWeights, cycle);
}

void Machine::StepPort(Cycle cycle) {
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

void Machine::Couple(Cycle cycle) {
  bool progress = true;
  while (progress) {
    weights_.Advance();
    std::optional<Cycle> completion;
    progress = matmul_.Advance(weights_, completion);
    if (completion) Complete(kMatmul, *completion);
  }
  CompleteAll(kWeights, weights_.completions());
  Wake(kWeightsAgent, std::max(weights_.next(), cycle));
  // The readers may be ahead.
  Wake(kBufferAgent, std::max(weights_.read(), stepped_));
  WakeGranted(kWeights, cycle);
  WakeGranted(kMatmul, cycle);
}

void Machine::StepDecode(Cycle cycle) {
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

void Machine::StepFill(Cycle cycle) {
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

Cycle Machine::UnitReady(std::size_t unit) const {
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

void Machine::StepIssue(std::size_t unit, Cycle cycle) {
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

void Machine::Start(std::size_t unit, Cycle cycle) {
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
      if (const auto* tiles = std::get_if<isa::UbWeights>(&instruction)) {
        weights_.Accept(*tiles, cycle);
        // Rows of zeros ask for nothing.
        return Couple(cycle);
      }
      weights_.Accept(std::get<isa::Weights>(instruction), cycle);
      return Wake(kWeightsAgent, cycle + 1);
    case kMatmul:
      matmul_.Accept(std::get<isa::Matmul>(instruction), cycle);
      return Couple(cycle);
    case kVector:
      if (const auto* fvector = std::get_if<isa::Fvector>(&instruction)) {
        vector_.Accept(*fvector, cycle);
      } else if (const auto* ivector = std::get_if<isa::Ivector>(&instruction)) {
        vector_.Accept(*ivector, cycle);
      } else if (const auto* adam = std::get_if<isa::Adam>(&instruction)) {
        vector_.Accept(*adam, cycle);
      } else {
        vector_.Accept(std::get<isa::Vector>(instruction), cycle);
      }
      return Wake(kBufferAgent, cycle + 1);
    default:
      store_.Accept(std::get<isa::Store>(instruction), cycle);
      return Wake(kBufferAgent, std::max(store_.read(), cycle + 1));
  }
}

void Machine::StepRetire(Cycle cycle) {
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

void Machine::Count(std::uint32_t semaphores, int change) {
  for (; semaphores != 0; semaphores &= semaphores - 1) {
    const auto semaphore = static_cast<std::size_t>(std::countr_zero(semaphores));
    counts_[semaphore] += change;
    const std::uint32_t bit = std::uint32_t{1} << semaphore;
    nonzero_ = counts_[semaphore] != 0 ? nonzero_ | bit : nonzero_ & ~bit;
  }
}

}  // namespace tpu::timing
