// SPDX-License-Identifier: Apache-2.0
#include "compiler/program/emitter.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "compiler/program/fields.h"

namespace tpu::compiler {
namespace {

template <typename Instruction>
Instruction MakeTransfer(const Transfer& transfer) {
  Instruction instruction;
  instruction.format = transfer.format;
  instruction.dram_addr = transfer.address;
  instruction.row_bytes = U32(transfer.row_bytes);
  instruction.rows = U32(transfer.rows);
  instruction.row_stride = U32(transfer.row_stride);
  instruction.row = U32(transfer.ub_row);
  instruction.plane_stride = U32(transfer.plane_stride);
  instruction.pixel_bytes = U32(transfer.pixel_bytes);
  instruction.pixel_stride = U32(transfer.pixel_stride);
  return instruction;
}

// A load of consecutive constant bytes to a memory other than the unified buffer.
isa::Load ConstantLoad(isa::LoadDestination destination, std::uint64_t address, std::int64_t bytes,
                       std::int64_t row) {
  isa::Load load;
  load.destination = destination;
  load.dram_addr = address;
  load.row_bytes = U32(bytes);
  load.row = U32(row);
  return load;
}

Access Span(Space space, bool write, std::int64_t begin, std::int64_t size) {
  return {.space = space,
          .write = write,
          .begin = static_cast<std::uint64_t>(begin),
          .end = static_cast<std::uint64_t>(begin + size)};
}

}  // namespace

void Emitter::BeginLayer(const executable::Layer& layer) {
  std::vector<executable::Layer>& layers = network_.layers;
  if (layers.empty() || layers.back().name != layer.name || layers.back().op != layer.op) {
    layers.push_back(layer);
    return;
  }
  layers.back().macs += layer.macs;
  layers.back().host = layers.back().host || layer.host;
}

std::uint32_t Emitter::CurrentLayer() const {
  return static_cast<std::uint32_t>(network_.layers.size() - 1);
}

void Emitter::Emit(isa::Instruction instruction, std::vector<Access> accesses) {
  auto& steps = network_.steps;
  if (program_ended_) steps.emplace_back(SequentialProgram());
  program_ended_ = false;
  std::get<SequentialProgram>(steps.back())
      .push_back({.instruction = std::move(instruction),
                  .accesses = std::move(accesses),
                  .layer = CurrentLayer()});
}

std::uint64_t Emitter::AddConstant(std::vector<std::uint8_t> bytes) {
  const std::uint64_t address = AllocateMemory(bytes.size());
  network_.constants.push_back({.address = address, .bytes = std::move(bytes)});
  return address;
}

void Emitter::LoadWide(const Placement& placement, std::int64_t image, ir::Range blocks,
                       const Tile& tile) {
  for (const Transfer& transfer : WideTransfers(placement, image, blocks, tile, Lanes())) {
    std::vector<Access> accesses = MemoryAccesses(transfer, false);
    for (Access access : TileAccesses(transfer, tile, blocks.Size(), true)) {
      accesses.push_back(access);
    }
    Emit(MakeTransfer<isa::Load>(transfer), std::move(accesses));
  }
}

void Emitter::LoadThin(const Placement& placement, std::int64_t image, const Tile& tile) {
  const Transfer transfer = ThinTransfer(placement, image, tile, Lanes());
  std::vector<Access> accesses = MemoryAccesses(transfer, false);
  accesses.push_back(Span(Space::kUnifiedBuffer, true, tile.row, tile.plane));
  Emit(MakeTransfer<isa::Load>(transfer), std::move(accesses));
}

void Emitter::StoreWide(const Placement& placement, std::int64_t image, ir::Range blocks,
                        const Tile& tile) {
  for (const Transfer& transfer : WideTransfers(placement, image, blocks, tile, Lanes())) {
    std::vector<Access> accesses = MemoryAccesses(transfer, true);
    for (Access access : TileAccesses(transfer, tile, blocks.Size(), false)) {
      accesses.push_back(access);
    }
    Emit(MakeTransfer<isa::Store>(transfer), std::move(accesses));
  }
}

void Emitter::LoadRows(std::uint64_t address, std::int64_t bytes, std::int64_t row) {
  isa::Load load = ConstantLoad(isa::LoadDestination::kUnifiedBuffer, address, bytes, row);
  load.pixel_bytes = U32(RowBytes());
  load.pixel_stride = 1;
  Emit(load, {Span(Space::kUnifiedBuffer, true, row, ir::CeilDiv(bytes, RowBytes()))});
}

void Emitter::LoadParameters(std::uint64_t address, std::int64_t entries, std::int64_t first,
                             bool computed) {
  const std::int64_t bytes = entries * Config().ParamEntryBytes();
  std::vector<Access> accesses = {Span(Space::kParameters, true, first, entries)};
  if (computed) {
    accesses.push_back(Span(Space::kMemory, false, static_cast<std::int64_t>(address), bytes));
  }
  Emit(ConstantLoad(isa::LoadDestination::kParameters, address, bytes, first), std::move(accesses));
}

void Emitter::LoadLookup(std::uint64_t address, std::int64_t first, std::int64_t tables) {
  Emit(ConstantLoad(isa::LoadDestination::kLookup, address, tables * isa::kTableBytes, first),
       {Span(Space::kLookup, true, first, tables)});
}

void Emitter::Call(executable::HostCall call) {
  call.layer = CurrentLayer();
  network_.steps.emplace_back(std::move(call));
  program_ended_ = true;
}

std::size_t Emitter::BeginRegion() {
  program_ended_ = true;
  return network_.steps.size();
}

void Emitter::Decide(std::size_t step, SequentialStep decision) {
  network_.steps.insert(network_.steps.begin() + static_cast<std::ptrdiff_t>(step),
                        std::move(decision));
  program_ended_ = true;
}

void Emitter::Copy(Transfer from, Transfer to, std::int64_t bytes) {
  const std::int64_t rows = ir::CeilDiv(bytes, RowBytes());
  const std::int64_t row = AllocateBuffer(rows);
  for (Transfer* transfer : {&from, &to}) {
    transfer->ub_row = row;
    transfer->pixel_bytes = RowBytes();
    transfer->pixel_stride = 1;
  }
  std::vector<Access> reads = MemoryAccesses(from, false);
  reads.push_back(Span(Space::kUnifiedBuffer, true, row, rows));
  Emit(MakeTransfer<isa::Load>(from), std::move(reads));
  std::vector<Access> writes = MemoryAccesses(to, true);
  writes.push_back(Span(Space::kUnifiedBuffer, false, row, rows));
  Emit(MakeTransfer<isa::Store>(to), std::move(writes));
}

Emitter Emitter::Trial() const {
  Emitter trial(network_.config, false, overlap_);
  trial.network_.layers = network_.layers;
  trial.network_.memory = network_.memory;
  const SequentialProgram& program = LastProgram();
  const auto first = std::find_if(program.begin(), program.end(), [&](const auto& instruction) {
    return instruction.layer + 2 >= network_.layers.size();
  });
  if (first != program.end()) {
    trial.network_.steps.emplace_back(SequentialProgram(first, program.end()));
    trial.program_ended_ = false;
  }
  trial.on_chip_ = on_chip_;
  return trial;
}

const SequentialProgram& Emitter::LastProgram() const {
  static const SequentialProgram none;
  return program_ended_ ? none : std::get<SequentialProgram>(network_.steps.back());
}

}  // namespace tpu::compiler
