// SPDX-License-Identifier: Apache-2.0
// The machine's on-chip memories, handed out round and round.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "compiler/program/overlap.h"
#include "ir/range.h"
#include "isa/hardware_config.h"

namespace tpu::compiler {

/// A layer needs more room on chip than it can have.
class DoesNotFit : public Error {
 public:
  using Error::Error;
};

/// What is handed out lasts until it comes round again, which is not before the layer's end; the
/// synchronisation keeps the layers apart. `layer` is for messages. All throw DoesNotFit.
class OnChipMemory {
 public:
  explicit OnChipMemory(const isa::HardwareConfig& config, Overlap overlap = Overlap::kEnds)
      : config_(config), overlap_(overlap), free_rows_{.begin = 0, .end = config.ub_rows} {}

  std::int64_t AllocateBuffer(std::int64_t rows, const std::string& layer);
  std::int64_t AllocateParameters(std::int64_t entries, const std::string& layer);
  /// `tables` tables, whose first one has a number that is a multiple of that.
  std::int64_t AllocateLookup(std::int64_t tables);
  /// UB rows that AllocateBuffer can give.
  [[nodiscard]] std::int64_t BufferRows() const { return free_rows_.Size(); }
  /// Those that a layer should do with, so that its neighbours have room.
  [[nodiscard]] std::int64_t LayerRows() const { return BufferRows() / LayersAtOnce(overlap_); }
  /// Tells which rows no tensor occupies.
  void SetFreeRows(ir::Range rows) { free_rows_ = rows; }
  /// Start of the half of the accumulators to be used next; alternates.
  std::int64_t NextAccumulators();

 private:
  isa::HardwareConfig config_;
  Overlap overlap_;
  ir::Range free_rows_;
  std::int64_t part_ = 0;  // Of the free rows: that of the last layer.
  std::int64_t next_buffer_ = 0;
  std::int64_t next_parameters_ = 0;
  std::int64_t next_lookup_ = 0;
  bool upper_accumulators_ = false;
};

}  // namespace tpu::compiler
