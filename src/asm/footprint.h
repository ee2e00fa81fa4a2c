// SPDX-License-Identifier: Apache-2.0
// Which places of which memories an instruction reads and writes, exactly (docs/isa.md, 4 to 7,
// 10 and 11).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "asm/row_set.h"
#include "isa/hardware_config.h"
#include "isa/instruction.h"

namespace tpu::assembly {

enum class Space : std::uint8_t { kUnifiedBuffer, kAccumulators, kParameters, kLookup, kMemory };

/// "UB row", "memory byte", ...
std::string_view PlaceName(Space space);

/// Places of one memory: rows, entries or tables, in memory bytes. Runs are in order and do not
/// overlap.
struct Access {
  Space space = Space::kUnifiedBuffer;
  bool write = false;
  std::vector<Run> runs;
};

struct Footprint {
  std::vector<Access> accesses;
  /// What the instruction does that no program may: an access outside a memory, reading its own
  /// output.
  std::vector<std::string> errors;
};

/// Computes footprints for one machine whose programs may use memory bytes 0 .. memory_bytes-1.
class FootprintCalculator {
 public:
  FootprintCalculator(const isa::HardwareConfig& config, std::uint64_t memory_bytes);

  /// Field values must be legal. After an access outside a memory that access is left out.
  Footprint Of(const isa::Instruction& instruction);

 private:
  void Compute(const isa::Load& load);
  void Compute(const isa::Store& store);
  void Compute(const isa::Weights& weights);
  void Compute(const isa::UbWeights& weights);
  void Compute(const isa::Matmul& matmul);
  void Compute(const isa::Vector& vector);
  void Compute(const isa::Fvector& vector);
  void Compute(const isa::Ivector& vector);
  void Compute(const isa::Adam& adam);

  bool AddNumbers(std::int64_t bytes, std::int64_t address, std::int64_t stride,
                  std::uint64_t count, std::uint64_t length);
  bool AddWindowRow(const isa::Matmul& matmul, std::int64_t address, std::int64_t x);
  bool AddWindow(const isa::Matmul& matmul);
  template <typename V>
  void ComputeVector(const V& vector, std::uint32_t table, std::uint32_t tables);
  template <typename Transfer>
  bool AddPixels(const Transfer& transfer);

  void Finish(Space space, bool write, RowSet& rows);
  void AddMemory(std::uint64_t address, std::uint64_t row_bytes, std::uint64_t rows,
                 std::uint64_t row_stride, bool write);

  isa::HardwareConfig config_;
  std::uint64_t memory_bytes_;
  RowSet ub_;
  RowSet acc_;
  RowSet param_;
  RowSet lut_;
  Footprint footprint_;
};

}  // namespace tpu::assembly
