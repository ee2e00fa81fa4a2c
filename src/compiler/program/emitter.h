// SPDX-License-Identifier: Apache-2.0
// Appends to a network what lowering writes: layers, instructions, constants, host calls. What
// becomes of them, other files decide: on_chip_memory.h where on the chip they work, schedule/ in
// which order they run, link/ which bytes they are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/program/on_chip_memory.h"
#include "compiler/program/overlap.h"
#include "compiler/program/placement.h"
#include "compiler/program/sequential.h"
#include "executable/executable.h"
#include "isa/element_format.h"
#include "isa/hardware_config.h"

namespace tpu::compiler {

class Emitter {
 public:
  Emitter(const isa::HardwareConfig& config, bool tries_tilings, Overlap overlap = Overlap::kEnds)
      : network_(config),
        tries_tilings_(tries_tilings),
        overlap_(overlap),
        on_chip_(config, overlap) {}

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

  // On-chip memories, for the layer: see OnChipMemory.
  std::int64_t AllocateBuffer(std::int64_t rows) {
    return on_chip_.AllocateBuffer(rows, LayerName());
  }
  std::int64_t AllocateParameters(std::int64_t entries) {
    return on_chip_.AllocateParameters(entries, LayerName());
  }
  std::int64_t AllocateLookup(std::int64_t tables) { return on_chip_.AllocateLookup(tables); }
  [[nodiscard]] std::int64_t BufferRows() const { return on_chip_.BufferRows(); }
  [[nodiscard]] std::int64_t LayerRows() const { return on_chip_.LayerRows(); }
  void SetFreeRows(ir::Range rows) { on_chip_.SetFreeRows(rows); }
  std::int64_t NextAccumulators() { return on_chip_.NextAccumulators(); }

  // Instructions made of several fields that always go together.
  void LoadWide(const Placement& placement, std::int64_t image, ir::Range blocks, const Tile& tile);
  void LoadThin(const Placement& placement, std::int64_t image, const Tile& tile);
  void StoreWide(const Placement& placement, std::int64_t image, ir::Range blocks,
                 const Tile& tile);
  /// Loads `bytes` constant bytes at `address` to rows of the unified buffer.
  void LoadRows(std::uint64_t address, std::int64_t bytes, std::int64_t row);
  /// `computed`: instructions before this one write some of them.
  void LoadParameters(std::uint64_t address, std::int64_t entries, std::int64_t first,
                      bool computed = false);
  void LoadLookup(std::uint64_t address, std::int64_t first, std::int64_t tables);

  /// Has the host run a kernel when the instructions so far are done and before those that follow.
  void Call(executable::HostCall call);

  /// How many steps there are. Instructions from here on do not join the last one.
  std::size_t BeginRegion();
  /// Puts a step that decides on those that are there from `step` on before them.
  void Decide(std::size_t step, SequentialStep decision);
  /// A state of operators in a branch or a loop, which is changed in its place.
  void AddState(executable::State state) { network_.states.push_back(std::move(state)); }
  /// The layer that instructions belong to.
  [[nodiscard]] std::uint32_t CurrentLayer() const;

  /// Copies bytes from one place in memory to another; both transfers make one stream of `bytes`
  /// bytes.
  void Copy(Transfer from, Transfer to, std::int64_t bytes);

  /// Whether operators that can be cut in several ways try them, each in an emitter of its own.
  [[nodiscard]] bool TriesTilings() const { return tries_tilings_; }
  /// How the layers are to be scheduled.
  [[nodiscard]] Overlap LayerOverlap() const { return overlap_; }
  /// For a try: has the instructions of this layer and the one before since the last host call, no
  /// constants.
  [[nodiscard]] Emitter Trial() const;
  /// The instructions since the last host call.
  [[nodiscard]] const SequentialProgram& LastProgram() const;

  /// Everything that was emitted.
  SequentialNetwork Take() { return std::move(network_); }

 private:
  SequentialNetwork network_;
  bool program_ended_ = true;
  bool tries_tilings_;
  Overlap overlap_;
  OnChipMemory on_chip_;
};

}  // namespace tpu::compiler
