// SPDX-License-Identifier: Apache-2.0
#include "tests/system/weaver.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "base/error.h"
#include "isa/tiles.h"
#include "tests/system/random_instruction.h"

namespace tpu::system_test {
namespace {

using assembly::Access;
using assembly::Clock;
using assembly::Space;
using isa::kNumUnits;

constexpr std::size_t Index(isa::Unit unit) { return static_cast<std::size_t>(unit); }

/// Poster and waiter of every order that instructions can need.
constexpr std::pair<isa::Unit, isa::Unit> kNeeded[] = {
    {isa::Unit::kLoad, isa::Unit::kMatmul},   {isa::Unit::kLoad, isa::Unit::kVector},
    {isa::Unit::kLoad, isa::Unit::kStore},    {isa::Unit::kMatmul, isa::Unit::kLoad},
    {isa::Unit::kMatmul, isa::Unit::kVector}, {isa::Unit::kVector, isa::Unit::kLoad},
    {isa::Unit::kVector, isa::Unit::kMatmul}, {isa::Unit::kVector, isa::Unit::kVector},
    {isa::Unit::kVector, isa::Unit::kStore},  {isa::Unit::kStore, isa::Unit::kLoad},
    {isa::Unit::kStore, isa::Unit::kVector},  {isa::Unit::kStore, isa::Unit::kWeights},
    {isa::Unit::kWeights, isa::Unit::kStore},
};
/// Also where WEIGHTS may read the unified buffer.
constexpr std::pair<isa::Unit, isa::Unit> kNeededWithBf16[] = {
    {isa::Unit::kLoad, isa::Unit::kWeights},
    {isa::Unit::kVector, isa::Unit::kWeights},
    {isa::Unit::kWeights, isa::Unit::kLoad},
    {isa::Unit::kWeights, isa::Unit::kVector},
};

/// docs/isa.md, 8: only this must be ordered within a unit.
bool NeedsOrderWithinUnit(const Access& access, bool other_writes) {
  return !access.write && other_writes && access.space == Space::kUnifiedBuffer;
}

std::uint32_t Bit(std::size_t semaphore) { return 1U << semaphore; }

}  // namespace

Weaver::Weaver(const isa::HardwareConfig& config, std::uint64_t readable_bytes,
               std::uint64_t writable_bytes, std::uint64_t seed, bool with_loose)
    : config_(config),
      writable_bytes_(writable_bytes),
      calculator_(config, readable_bytes),
      rng_(seed) {
  AssignSemaphores(with_loose);
}

/// One strict semaphore for each order that may be needed, the others for any two units.
void Weaver::AssignSemaphores(bool with_loose) {
  std::array<std::size_t, isa::kNumSemaphores> numbers{};
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  std::ranges::shuffle(numbers, rng_);
  std::vector<std::pair<isa::Unit, isa::Unit>> needed(std::begin(kNeeded), std::end(kNeeded));
  if (config_.bf16 != 0) {
    needed.insert(needed.end(), std::begin(kNeededWithBf16), std::end(kNeededWithBf16));
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Semaphore& semaphore = semaphores_[numbers[i]];
    if (i < needed.size()) {
      semaphore.poster = Index(needed[i].first);
      semaphore.waiter = Index(needed[i].second);
    } else if (with_loose) {
      semaphore.poster = 1 + rng_() % (kNumUnits - 1);
      semaphore.waiter = 1 + rng_() % (kNumUnits - 1);
      semaphore.loose = OneIn(2);
    }
  }
}

Weaver::History& Weaver::HistoryOf(Space space, std::size_t unit, bool write) {
  History& history = histories_[static_cast<std::size_t>(space)][unit][write ? 1 : 0];
  if (history) return history;
  switch (space) {
    case Space::kUnifiedBuffer:
      history = std::make_unique<assembly::RowHistory>(config_.ub_rows);
      break;
    case Space::kAccumulators:
      history = std::make_unique<assembly::RowHistory>(config_.acc_rows);
      break;
    case Space::kParameters:
      history = std::make_unique<assembly::RowHistory>(config_.param_rows);
      break;
    case Space::kLookup:
      history = std::make_unique<assembly::RowHistory>(config_.lut_tables);
      break;
    case Space::kMemory:
      history = std::make_unique<assembly::ByteHistory>();
      break;
  }
  return history;
}

bool Weaver::Accepts(const isa::Instruction& instruction) {
  const assembly::Footprint footprint = calculator_.Of(instruction);
  if (!footprint.errors.empty()) return false;
  const std::size_t unit = assembly::UnitIndex(instruction);
  const std::size_t weights = Index(isa::Unit::kWeights);
  const std::uint32_t needed = LastConflict(footprint, unit, weights, 0);
  if (needed > 0 && !CanComplete(weights, needed)) return false;
  return std::ranges::none_of(footprint.accesses, [this](const Access& access) {
    return access.write && access.space == Space::kMemory && !access.runs.empty() &&
           access.runs.back().first + access.runs.back().count > writable_bytes_;
  });
}

/// The last instruction of unit `other`, beyond those `known` to have completed, that touches a
/// place in a conflicting way; `known` if there is none.
std::uint32_t Weaver::LastConflict(const assembly::Footprint& footprint, std::size_t unit,
                                   std::size_t other, std::uint32_t known) {
  for (const Access& access : footprint.accesses) {
    for (const bool other_writes : {false, true}) {
      if (!access.write && !other_writes) continue;
      if (unit == other && !NeedsOrderWithinUnit(access, other_writes)) continue;
      const History& history = HistoryOf(access.space, other, other_writes);
      while (const auto last = history->FindAfter(access.runs, known)) known = last->ordinal;
    }
  }
  return known;
}

/// Whether an instruction of the unit completes without instructions that are still to come:
/// WEIGHTS only if the weight FIFO has room for all that nobody takes before.
bool Weaver::CanComplete(std::size_t unit, std::uint32_t ordinal) const {
  if (unit != Index(isa::Unit::kWeights)) return true;
  const std::uint64_t brought = brought_[ordinal - 1];
  return brought <= taken_ + config_.fifo_tiles;
}

void Weaver::TakePost(std::size_t semaphore, isa::Semaphores& semaphores, Clock& clock) {
  Semaphore& s = semaphores_[semaphore];
  const std::size_t post = s.posts[s.waits++];
  semaphores.wait |= Bit(semaphore);
  for (std::size_t u = 0; u < kNumUnits; ++u) {
    clock[u] = std::max(clock[u], order_.at_start[post][u]);
  }
  clock[s.poster] = std::max(clock[s.poster], order_.ordinal[post]);
}

void Weaver::WaitFor(std::size_t other, std::uint32_t ordinal, std::size_t unit,
                     isa::Semaphores& semaphores, Clock& clock) {
  std::vector<std::size_t> usable;
  for (std::size_t s = 0; s < semaphores_.size(); ++s) {
    const Semaphore& semaphore = semaphores_[s];
    if (semaphore.poster != other || semaphore.waiter != unit) continue;
    if ((semaphores.wait & Bit(s)) != 0) continue;
    if (semaphore.HasPending()) {
      // A wait takes the oldest post.
      const std::uint32_t posted = order_.ordinal[semaphore.posts[semaphore.waits]];
      if (posted < ordinal || !CanComplete(other, posted)) continue;
    }
    usable.push_back(s);
  }
  if (usable.empty()) throw Error("no semaphore is left for an order");
  const std::size_t s = usable[rng_() % usable.size()];
  if (!semaphores_[s].HasPending()) {
    const std::vector<std::size_t>& candidates = order_.index_of[other];
    // Posted by a later instruction of the unit, the order is more than what is needed.
    const bool may_be_later = other != Index(isa::Unit::kWeights) && OneIn(4);
    const std::size_t later = may_be_later ? rng_() % (candidates.size() - ordinal + 1) : 0;
    const std::size_t post = candidates[ordinal - 1 + later];
    isa::SemaphoresOf(program_[post]).post |= Bit(s);
    semaphores_[s].posts.push_back(post);
  }
  TakePost(s, semaphores, clock);
}

void Weaver::Append(isa::Instruction instruction) {
  const std::size_t index = program_.size();
  const std::size_t unit = assembly::UnitIndex(instruction);
  const assembly::Footprint footprint = calculator_.Of(instruction);
  isa::Semaphores semaphores;
  std::vector<std::size_t>& own = order_.index_of[unit];
  Clock clock = own.empty() ? Clock{} : order_.at_start[own.back()];
  for (std::size_t s = 0; s < semaphores_.size(); ++s) {
    const Semaphore& loose = semaphores_[s];
    if (!loose.loose || loose.waiter != unit || !loose.HasPending() || !OneIn(8)) continue;
    if (CanComplete(loose.poster, order_.ordinal[loose.posts[loose.waits]])) {
      TakePost(s, semaphores, clock);
    }
  }
  std::array<std::size_t, kNumUnits - 1> others{};
  std::iota(others.begin(), others.end(), std::size_t{1});
  std::ranges::shuffle(others, rng_);
  for (const std::size_t other : others) {
    const std::uint32_t needed = LastConflict(footprint, unit, other, clock[other]);
    if (needed > clock[other]) WaitFor(other, needed, unit, semaphores, clock);
  }
  for (std::size_t s = 0; s < semaphores_.size(); ++s) {
    if (semaphores_[s].loose && semaphores_[s].poster == unit && OneIn(6)) {
      semaphores.post |= Bit(s);
      semaphores_[s].posts.push_back(index);
    }
  }
  if (const auto tiles = isa::TilesBrought(instruction)) {
    brought_.push_back((brought_.empty() ? 0 : brought_.back()) + tiles->count);
  } else if (const auto wanted = isa::TilesTaken(instruction)) {
    taken_ += wanted->count;
  }
  own.push_back(index);
  const auto ordinal = static_cast<std::uint32_t>(own.size());
  for (const Access& access : footprint.accesses) {
    HistoryOf(access.space, unit, access.write)->Record(access.runs, ordinal);
  }
  order_.ordinal.push_back(ordinal);
  order_.at_start.push_back(clock);
  isa::SemaphoresOf(instruction) = semaphores;
  program_.push_back(std::move(instruction));
}

}  // namespace tpu::system_test
