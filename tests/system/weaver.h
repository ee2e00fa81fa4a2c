// SPDX-License-Identifier: Apache-2.0
// Semaphores for a list of instructions: as few orders as the instructions need, in as many ways as
// the instruction set allows.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "asm/access_history.h"
#include "asm/footprint.h"
#include "asm/order.h"
#include "isa/hardware_config.h"
#include "isa/instruction.h"

namespace tpu::system_test {

/// Appends instructions in program order and makes each wait for those that it conflicts with
/// (docs/isa.md, 8), unless that follows from earlier waits. Which semaphore, and whether the
/// instruction itself or a later one of its unit posts, is drawn at random. Some semaphores are
/// *loose*: posted and waited for without need, so that they count ahead.
class Weaver {
 public:
  /// Instructions may read memory below `readable_bytes` and write it below `writable_bytes`.
  Weaver(const isa::HardwareConfig& config, std::uint64_t readable_bytes,
         std::uint64_t writable_bytes, std::uint64_t seed, bool with_loose = true);

  /// The instruction touches only places that exist, none that it has written itself, and need not
  /// wait for WEIGHTS that themselves wait for room in the weight FIFO.
  [[nodiscard]] bool Accepts(const isa::Instruction& instruction);

  /// `instruction` must be one that it accepts; its semaphores are replaced.
  void Append(isa::Instruction instruction);

  [[nodiscard]] const std::vector<isa::Instruction>& program() const { return program_; }

 private:
  static constexpr std::size_t kNumSpaces = 5;
  using History = std::unique_ptr<assembly::AccessHistory>;
  struct Semaphore {
    std::size_t poster = 0;  ///< Unit; 0: unused.
    std::size_t waiter = 0;
    bool loose = false;
    std::vector<std::size_t> posts;  ///< Program indices.
    std::size_t waits = 0;
    [[nodiscard]] bool HasPending() const { return waits < posts.size(); }
  };

  void AssignSemaphores(bool with_loose);
  History& HistoryOf(assembly::Space space, std::size_t unit, bool write);
  [[nodiscard]] std::uint32_t LastConflict(const assembly::Footprint& footprint, std::size_t unit,
                                           std::size_t other, std::uint32_t known);
  [[nodiscard]] bool CanComplete(std::size_t unit, std::uint32_t ordinal) const;
  void WaitFor(std::size_t other, std::uint32_t ordinal, std::size_t unit,
               isa::Semaphores& semaphores, assembly::Clock& clock);
  void TakePost(std::size_t semaphore, isa::Semaphores& semaphores, assembly::Clock& clock);
  bool OneIn(unsigned n) { return rng_() % n == 0; }

  isa::HardwareConfig config_;
  std::uint64_t writable_bytes_;
  assembly::FootprintCalculator calculator_;
  std::mt19937_64 rng_;
  std::vector<isa::Instruction> program_;
  assembly::Order order_;
  std::array<std::array<std::array<History, 2>, isa::kNumUnits>, kNumSpaces> histories_;
  std::array<Semaphore, isa::kNumSemaphores> semaphores_;
  std::vector<std::uint64_t> brought_;  ///< Tiles after each WEIGHTS.
  std::uint64_t taken_ = 0;
};

}  // namespace tpu::system_test
