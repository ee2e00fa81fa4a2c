// SPDX-License-Identifier: Apache-2.0
// The cycles of the unified buffer: in each of them its readers ask for its banks.
#include "timing/machine.h"

namespace tpu::timing {

Cycle Machine::Horizon() const {
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

void Machine::StepBuffer(Cycle cycle) {
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

Cycle Machine::PassBanks(Cycle cycle) {
  Banks reads = 0;
  if (weights_.read() <= cycle) {
    reads = matmul_.Reads(cycle);
  } else if (vector_.reads_buffer()) {
    reads = matmul_.Reads(cycle);
    Cycle next = RepeatVector(cycle, reads);
    if (next != cycle) return next;
    next = StepColumns(cycle);
    if (next != cycle) return next;
  } else if (store_.read() <= cycle) {
    if (const Cycle end = vector_.next(); end > cycle) {
      const Cycle asks = RunStore(cycle, end, [this](Cycle now) { return matmul_.Reads(now); });
      return std::min({end, asks, weights_.read()});
    }
    reads = matmul_.Reads(cycle);
  }
  return StepBanks(cycle, reads);
}

Cycle Machine::StepBanks(Cycle cycle, Banks reads) {
  if (vector_.next() <= cycle) {
    if (const auto completion = vector_.Step(cycle, matmul_, reads)) Complete(kVector, *completion);
    if (vector_.ready() == cycle + 1) WakeGranted(kVector, cycle);
  }
  if (weights_.read() <= cycle) StepTiles(cycle, reads);
  if (store_.read() <= cycle) StepStore(cycle, reads);
  // A reader that waited in this cycle asks again in the next one.
  return std::max(std::min({vector_.next(), weights_.read(), store_.read()}), cycle + 1);
}

void Machine::StepTiles(Cycle cycle, Banks& reads) {
  const Banks banks = weights_.read_banks();
  const bool free = (banks & reads) == 0;
  reads |= banks;  // STORE leaves both to a row that waits for one of them.
  if (!free) return;
  weights_.Read(cycle);
  Couple(cycle);
}

void Machine::StepStore(Cycle cycle, Banks reads) {
  if ((store_.read_bank() & reads) != 0) return;
  store_.Read(cycle);
  CompleteAll(kStore, store_.completions());
  WakeGranted(kStore, cycle);
}

template <typename Reads>
Cycle Machine::RunStore(Cycle cycle, Cycle end, Reads reads) {
  Cycle until = std::min(end, Until(cycle));
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
      until = std::min({end, soonest_, weights_.read()});
    }
    cycle = std::max(cycle, store_.read());
  } while (cycle < until);
  return cycle;
}

Cycle Machine::StepColumns(Cycle cycle) {
  const bool stores = store_.read() <= cycle;
  const Cycle end = stores ? cycle + 1 : std::min(Until(cycle), store_.read());
  Banks reads = 0;
  const Cycle next = vector_.StepColumns(cycle, end, matmul_, reads);
  if (stores && next != cycle) StepStore(cycle, reads);
  return next;
}

Cycle Machine::RepeatVector(Cycle cycle, Banks others) {
  const bool stores = store_.read() <= cycle;
  const VectorUnit::Repetition repetition = vector_.Repeats(cycle, others, stores);
  if (repetition.cycles == 0) return cycle;
  Cycle end = cycle + std::min(repetition.cycles, matmul_.Regular(cycle, repetition.bank_step));
  end = std::min(end, Until(cycle));
  if (!stores) end = std::min(end, store_.read());
  if (stores) {
    const Banks first = repetition.banks | others;
    const Cycle asks = RunStore(cycle, end, [&](Cycle now) {
      return Further(first, repetition.bank_step * (now - cycle));
    });
    end = std::min({end, asks, Until(cycle)});
  }
  vector_.Repeat(cycle, end - cycle);
  return end;
}

}  // namespace tpu::timing
