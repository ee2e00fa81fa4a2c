// SPDX-License-Identifier: Apache-2.0
#include "asm/verifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>

#include "asm/access_history.h"
#include "asm/footprint.h"
#include "asm/order.h"
#include "base/error.h"
#include "isa/encoding.h"
#include "isa/tiles.h"

namespace tpu::assembly {
namespace {

constexpr std::size_t kNumSpaces = 5;

/// docs/isa.md, 2: tiles are taken in the order they are brought, and no queue fills up with them.
void CheckTiles(std::span<const isa::Instruction> program, std::vector<Finding>& findings) {
  std::vector<std::uint64_t> brought = {0};  // After each WEIGHTS.
  std::uint64_t taken = 0;
  std::size_t last_matmul = 0;
  std::size_t last_weights = 0;
  for (std::size_t i = 0; i < program.size(); ++i) {
    if (const auto tiles = isa::TilesBrought(program[i])) {
      const std::size_t j = brought.size() - 1;
      if (j >= isa::kMaxWeightsAhead && taken < brought[j + 1 - isa::kMaxWeightsAhead]) {
        findings.push_back(
            {Rule::kWeightTiles, i, i,
             fmt::format("comes before the matmul that takes the last tile of the weights "
                         "instruction {} back: {} tiles are taken, {} must be",
                         isa::kMaxWeightsAhead, taken, brought[j + 1 - isa::kMaxWeightsAhead])});
      }
      brought.push_back(brought.back() + tiles->count);
      last_weights = i;
    } else if (const auto wanted = isa::TilesTaken(program[i])) {
      const std::uint64_t had = taken;
      taken += wanted->count;
      if (taken > brought.back() && had <= brought.back()) {
        findings.push_back(
            {Rule::kWeightTiles, i, i,
             fmt::format("takes weight tiles {} .. {}, but earlier weights instructions bring {}",
                         had, taken - 1, brought.back())});
      }
      last_matmul = i;
    }
  }
  if (taken < brought.back()) {
    findings.push_back(
        {Rule::kWeightTiles, last_weights, last_matmul,
         fmt::format("{} weight tiles are brought, but {} are taken", brought.back(), taken)});
  }
}

/// docs/isa.md, 10.3: a matmul takes tiles of its own format.
void CheckFormatsOfTiles(std::span<const isa::Instruction> program,
                         std::vector<Finding>& findings) {
  struct Brought {
    std::size_t index;
    isa::Tiles tiles;  // That no matmul has taken.
  };
  std::deque<Brought> fifo;
  for (std::size_t i = 0; i < program.size(); ++i) {
    if (const auto tiles = isa::TilesBrought(program[i])) fifo.push_back({i, *tiles});
    auto wanted = isa::TilesTaken(program[i]);
    if (!wanted) continue;
    while (wanted->count > 0 && !fifo.empty()) {
      auto& [index, tiles] = fifo.front();
      if (tiles.format != wanted->format) {
        findings.push_back({Rule::kWeightTiles, i, index, "takes weight tiles of another format"});
      }
      const std::uint64_t taken = std::min(wanted->count, tiles.count);
      wanted->count -= taken;
      tiles.count -= taken;
      if (tiles.count == 0) fifo.pop_front();
    }
  }
}

/// docs/isa.md, 2: WEIGHTS complete only when their tiles are in the weight FIFO, so nobody may
/// wait for those that need a later matmul to make room.
void CheckWaitsForTiles(std::span<const isa::Instruction> program, const Order& order,
                        std::uint32_t fifo_tiles, std::vector<Finding>& findings) {
  constexpr auto kWeights = static_cast<std::size_t>(isa::Unit::kWeights);
  std::vector<std::uint64_t> brought = {0};  // After each WEIGHTS.
  std::uint64_t taken = 0;
  std::uint32_t reported = 0;
  for (std::size_t i = 0; i < program.size(); ++i) {
    const std::uint32_t completed = order.at_start[i][kWeights];
    if (completed > reported && brought[completed] > taken + fifo_tiles) {
      findings.push_back(
          {Rule::kWeightTiles, i, order.index_of[kWeights][completed - 1],
           fmt::format("waits for weights to arrive that the weight FIFO has no room for: {} tiles "
                       "are brought by then, earlier matmuls take {}, it holds {}",
                       brought[completed], taken, fifo_tiles)});
      reported = completed;
    }
    if (const auto tiles = isa::TilesBrought(program[i])) {
      brought.push_back(brought.back() + tiles->count);
    } else if (const auto wanted = isa::TilesTaken(program[i])) {
      taken += wanted->count;
    }
  }
}

/// Finds conflicting accesses that are not ordered.
class HazardChecker {
 public:
  HazardChecker(const isa::HardwareConfig& config, const Order& order,
                std::vector<Finding>& findings)
      : config_(config), order_(order), findings_(findings) {}

  /// Instructions in program order.
  void Check(std::size_t index, std::size_t unit, const Footprint& footprint) {
    for (const Access& access : footprint.accesses) {
      for (std::size_t other = 0; other < isa::kNumUnits; ++other) {
        CheckAgainst(index, unit, access, other, /*other_writes=*/true);
        if (access.write) CheckAgainst(index, unit, access, other, /*other_writes=*/false);
      }
    }
    for (const Access& access : footprint.accesses) {
      HistoryOf(access.space, unit, access.write).Record(access.runs, order_.ordinal[index]);
    }
  }

 private:
  using Slot = std::unique_ptr<AccessHistory>;

  Slot& SlotOf(Space space, std::size_t unit, bool write) {
    return slots_[static_cast<std::size_t>(space)][unit][write ? 1 : 0];
  }

  AccessHistory& HistoryOf(Space space, std::size_t unit, bool write) {
    Slot& slot = SlotOf(space, unit, write);
    if (!slot) slot = MakeHistory(space);
    return *slot;
  }

  [[nodiscard]] Slot MakeHistory(Space space) const {
    switch (space) {
      case Space::kUnifiedBuffer:
        return std::make_unique<RowHistory>(config_.ub_rows);
      case Space::kAccumulators:
        return std::make_unique<RowHistory>(config_.acc_rows);
      case Space::kParameters:
        return std::make_unique<RowHistory>(config_.param_rows);
      case Space::kLookup:
        return std::make_unique<RowHistory>(config_.lut_tables);
      case Space::kMemory:
        break;
    }
    return std::make_unique<ByteHistory>();
  }

  /// Within a unit everything but a read after a write is in program order, and so is reading
  /// accumulators again.
  static bool OrderedWithinUnit(const Access& access, bool other_writes) {
    return access.write || !other_writes || access.space != Space::kUnifiedBuffer;
  }

  void CheckAgainst(std::size_t index, std::size_t unit, const Access& access, std::size_t other,
                    bool other_writes) {
    const Slot& slot = SlotOf(access.space, other, other_writes);
    if (!slot || (other == unit && OrderedWithinUnit(access, other_writes))) return;
    const auto last = slot->FindAfter(access.runs, order_.at_start[index][other]);
    if (!last) return;
    findings_.push_back(
        {Rule::kOrder, index, order_.index_of[other][last->ordinal - 1],
         fmt::format("{} {} {} that the other {}, and no semaphore makes it wait for that",
                     access.write ? "writes" : "reads", PlaceName(access.space), last->place,
                     other_writes ? "writes" : "reads")});
  }

  const isa::HardwareConfig& config_;
  const Order& order_;
  std::vector<Finding>& findings_;
  std::array<std::array<std::array<Slot, 2>, isa::kNumUnits>, kNumSpaces> slots_;
};

/// docs/isa.md, 8: programs do not write into their own instructions.
void CheckOwnInstructions(std::size_t index, const Footprint& footprint, const Run& program,
                          std::vector<Finding>& findings) {
  for (const Access& access : footprint.accesses) {
    if (access.space != Space::kMemory || !access.write) continue;
    for (const Run& run : access.runs) {
      if (run.first + run.count <= program.first || program.first + program.count <= run.first) {
        continue;
      }
      findings.push_back({Rule::kAccess, index, index,
                          fmt::format("writes memory byte {}, which is part of the program",
                                      std::max(run.first, program.first))});
      return;
    }
  }
}

std::optional<std::string> FieldError(const isa::Instruction& instruction,
                                      const isa::HardwareConfig& config,
                                      std::vector<std::uint8_t>& scratch) {
  scratch.clear();
  try {
    isa::Encode(instruction, scratch);
  } catch (const Error& e) {
    return e.what();
  }
  return isa::WhatIsMissing(instruction, isa::FormatsOf(config));
}

}  // namespace

std::vector<Finding> Verify(std::span<const isa::Instruction> program,
                            const isa::HardwareConfig& config, const VerifyOptions& options) {
  std::vector<Finding> findings;
  const Order order = FindOrder(program, findings);
  CheckTiles(program, findings);
  CheckFormatsOfTiles(program, findings);
  CheckWaitsForTiles(program, order, config.fifo_tiles, findings);
  Run own{options.program_address.value_or(0), 0};
  if (options.program_address) {
    for (const isa::Instruction& i : program) {
      own.count += isa::kGranuleBytes * isa::Granules(isa::OpcodeOf(i));
    }
  }
  FootprintCalculator calculator(config, options.memory_bytes);
  HazardChecker hazards(config, order, findings);
  std::vector<std::uint8_t> scratch;
  for (std::size_t i = 0; i < program.size() && findings.size() < options.max_findings; ++i) {
    if (const auto error = FieldError(program[i], config, scratch)) {
      findings.push_back({Rule::kFields, i, i, *error});
      continue;
    }
    const Footprint footprint = calculator.Of(program[i]);
    for (const std::string& error : footprint.errors)
      findings.push_back({Rule::kAccess, i, i, error});
    CheckOwnInstructions(i, footprint, own, findings);
    hazards.Check(i, UnitIndex(program[i]), footprint);
  }
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.index < b.index; });
  if (findings.size() > options.max_findings) findings.resize(options.max_findings);
  return findings;
}

std::string ToString(const Finding& finding, std::span<const isa::Instruction> program) {
  const auto name = [&](std::size_t index) {
    return fmt::format("instruction {} ({})", index, isa::Mnemonic(isa::OpcodeOf(program[index])));
  };
  if (finding.other == finding.index) {
    return fmt::format("{}: {}", name(finding.index), finding.message);
  }
  return fmt::format("{}, with {}: {}", name(finding.index), name(finding.other), finding.message);
}

}  // namespace tpu::assembly
