// SPDX-License-Identifier: Apache-2.0
// Collects the instructions and constants of a network and hands out the machine's memories.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "compiler/program/placement.h"
#include "compiler/program/sequential.h"
#include "compiler/quantise/quantization.h"
#include "executable/executable.h"
#include "isa/element_format.h"
#include "isa/hardware_config.h"

namespace tpu::compiler {

/// One lane's entry of the parameter memory.
struct LaneParameters {
  isa::Bias bias = 0;
  Multiplier multiplier;
};

/// A layer needs more room on chip than it can have.
class DoesNotFit : public Error {
 public:
  using Error::Error;
};

class Emitter {
 public:
  Emitter(const isa::HardwareConfig& config, bool tries_tilings)
      : network_(config),
        tries_tilings_(tries_tilings),
        free_rows_{.begin = 0, .end = config.ub_rows} {}

  [[nodiscard]] const isa::HardwareConfig& Config() const { return network_.config; }
  [[nodiscard]] std::int64_t Lanes() const { return network_.config.n; }
  /// Bytes of a row of the unified buffer.
  [[nodiscard]] std::int64_t RowBytes() const { return isa::RowBytes(network_.config); }

  /// Instructions from here on belong to this layer. Legal operators that come from one operator of
  /// the model make one layer.
  void BeginLayer(const executable::Layer& layer);
  /// Name of the layer, for error messages.
  [[nodiscard]] const std::string& LayerName() const { return network_.layers.back().name; }

  void Emit(isa::Instruction instruction, std::vector<Access> accesses);

  // Memory.
  std::uint64_t AllocateMemory(std::uint64_t bytes) { return network_.memory.Allocate(bytes); }
  std::uint64_t AddConstant(std::vector<std::uint8_t> bytes);

  // On-chip memories. What is handed out lasts until it comes round again, which is not before the
  // layer's end; the synchronisation keeps the layers apart. All throw DoesNotFit.
  std::int64_t AllocateBuffer(std::int64_t rows);
  std::int64_t AllocateParameters(std::int64_t entries);
  std::int64_t AllocateLookup();
  /// UB rows that AllocateBuffer can give.
  [[nodiscard]] std::int64_t BufferRows() const { return free_rows_.Size(); }
  /// Tells which rows no tensor occupies.
  void SetFreeRows(ir::Range rows) { free_rows_ = rows; }
  /// Start of the half of the accumulators to be used next; alternates.
  std::int64_t NextAccumulators();

  // Instructions made of several fields that always go together.
  void LoadWide(const Placement& placement, std::int64_t image, ir::Range blocks, const Tile& tile);
  void LoadThin(const Placement& placement, std::int64_t image, const Tile& tile);
  void StoreWide(const Placement& placement, std::int64_t image, ir::Range blocks,
                 const Tile& tile);
  /// Loads `bytes` constant bytes at `address` to rows of the unified buffer.
  void LoadRows(std::uint64_t address, std::int64_t bytes, std::int64_t row);
  void LoadParameters(std::uint64_t address, std::int64_t entries, std::int64_t first);
  void LoadLookup(std::uint64_t address, std::int64_t table);

  /// Memory image of parameter entries; missing lanes of the last entry are zero.
  [[nodiscard]] std::vector<std::uint8_t> PackParameters(
      const std::vector<LaneParameters>& lanes) const;

  /// Has the host run a kernel when the instructions so far are done and before those that follow.
  void Call(executable::HostCall call);

  /// Copies bytes from one place in memory to another; both transfers make one stream of `bytes`
  /// bytes.
  void Copy(Transfer from, Transfer to, std::int64_t bytes);

  /// Whether operators that can be cut in several ways try them, each in an emitter of its own.
  [[nodiscard]] bool TriesTilings() const { return tries_tilings_; }
  /// For a try: has the instructions of this layer and the one before since the last host call, no
  /// constants.
  [[nodiscard]] Emitter Trial() const;
  /// The instructions since the last host call.
  [[nodiscard]] const SequentialProgram& LastProgram() const;

  /// Everything that was emitted.
  SequentialNetwork Take() { return std::move(network_); }

 private:
  [[nodiscard]] std::uint32_t CurrentLayer() const;

  SequentialNetwork network_;
  bool tries_tilings_;
  ir::Range free_rows_;
  std::int64_t next_buffer_ = 0;
  std::int64_t next_parameters_ = 0;
  std::int64_t next_lookup_ = 0;
  bool upper_accumulators_ = false;
};

}  // namespace tpu::compiler
