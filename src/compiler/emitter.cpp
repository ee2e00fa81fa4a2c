#include "compiler/emitter.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "asm/verifier.h"
#include "base/error.h"
#include "compiler/schedule.h"
#include "isa/encoding.h"

namespace tpu::compiler {
namespace {

// Start of a transfer's first burst; also enough for programs, which must lie at multiples of 64.
constexpr std::uint64_t kAlignment = 64;

std::uint32_t U32(std::int64_t value) { return static_cast<std::uint32_t>(value); }

template <typename Instruction>
Instruction MakeTransfer(const Transfer& transfer) {
  Instruction instruction;
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

void AppendLittleEndian(std::vector<std::uint8_t>& bytes, std::int32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint32_t>(value) >> shift));
  }
}

// Round-robin: the place after the previous one, or the beginning when the end is too near.
std::int64_t RoundRobin(std::int64_t& next, std::int64_t size, Range space) {
  const bool fits = next >= space.begin && next + size <= space.end;
  const std::int64_t place = fits ? next : space.begin;
  next = place + size;
  return place;
}

// A finding is a mistake of the compiler, not of its user.
void Check(const std::vector<isa::Instruction>& program, const isa::DeviceProgram& step,
           const isa::Executable& executable) {
  const auto findings = assembly::Verify(program, executable.config,
                                         {.memory_bytes = executable.memory_bytes,
                                          .program_address = step.address,
                                          .max_findings = 1});
  if (findings.empty()) return;
  const isa::Layer& layer =
      executable
          .layers[executable.layer_of_instruction[step.first_instruction + findings.front().index]];
  throw Error::Format("internal error: {} ({}) became a wrong program: {}", layer.name, layer.op,
                      assembly::ToString(findings.front(), program));
}

}  // namespace

void Emitter::BeginLayer(const isa::Layer& layer) {
  if (layers_.empty() || layers_.back().name != layer.name || layers_.back().op != layer.op) {
    layers_.push_back(layer);
    return;
  }
  layers_.back().macs += layer.macs;
  layers_.back().host = layers_.back().host || layer.host;
}

void Emitter::Emit(isa::Instruction instruction, std::vector<Access> accesses) {
  program_.push_back({.instruction = std::move(instruction),
                      .accesses = std::move(accesses),
                      .layer = static_cast<std::uint32_t>(layers_.size() - 1)});
}

std::uint64_t Emitter::AllocateMemory(std::uint64_t bytes) {
  const std::uint64_t address = memory_end_;
  if (bytes > (std::uint64_t{1} << config_.axi_addr_width) - memory_end_) {
    throw Error::Format("the network needs more memory than the machine's {} address bits reach",
                        config_.axi_addr_width);
  }
  memory_end_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
  return address;
}

std::uint64_t Emitter::AddConstant(std::vector<std::uint8_t> bytes) {
  const std::uint64_t address = AllocateMemory(bytes.size());
  constants_.push_back({.address = address, .bytes = std::move(bytes)});
  return address;
}

std::int64_t Emitter::AllocateBuffer(std::int64_t rows) {
  if (rows > BufferRows()) {
    throw DoesNotFit(fmt::format("{}: needs {} rows of unified buffer, there are {}", LayerName(),
                                 rows, BufferRows()));
  }
  return RoundRobin(next_buffer_, rows, free_rows_);
}

std::int64_t Emitter::AllocateParameters(std::int64_t entries) {
  if (entries > config_.param_rows) {
    throw DoesNotFit(fmt::format("{}: needs {} parameter entries, the machine has {}", LayerName(),
                                 entries, config_.param_rows));
  }
  return RoundRobin(next_parameters_, entries, {.begin = 0, .end = config_.param_rows});
}

std::int64_t Emitter::AllocateLookup() {
  return RoundRobin(next_lookup_, 1, {.begin = 0, .end = config_.lut_tables});
}

std::int64_t Emitter::NextAccumulators() {
  upper_accumulators_ = !upper_accumulators_;
  return upper_accumulators_ ? config_.acc_rows / 2 : 0;
}

void Emitter::LoadWide(const Placement& placement, std::int64_t image, Range blocks,
                       const Tile& tile) {
  for (const Transfer& transfer : WideTransfers(placement, image, blocks, tile, Lanes())) {
    std::vector<Access> accesses = MemoryAccesses(transfer, false);
    for (Access access : tile.Accesses(tile.ys, blocks.Size(), true)) accesses.push_back(access);
    Emit(MakeTransfer<isa::Load>(transfer), std::move(accesses));
  }
}

void Emitter::LoadThin(const Placement& placement, std::int64_t image, const Tile& tile) {
  const Transfer transfer = ThinTransfer(placement, image, tile, Lanes());
  std::vector<Access> accesses = MemoryAccesses(transfer, false);
  accesses.push_back(Span(Space::kUnifiedBuffer, true, tile.row, tile.plane));
  Emit(MakeTransfer<isa::Load>(transfer), std::move(accesses));
}

void Emitter::StoreWide(const Placement& placement, std::int64_t image, Range blocks,
                        const Tile& tile) {
  for (const Transfer& transfer : WideTransfers(placement, image, blocks, tile, Lanes())) {
    std::vector<Access> accesses = MemoryAccesses(transfer, true);
    for (Access access : tile.Accesses(tile.ys, blocks.Size(), false)) accesses.push_back(access);
    Emit(MakeTransfer<isa::Store>(transfer), std::move(accesses));
  }
}

void Emitter::LoadRows(std::uint64_t address, std::int64_t bytes, std::int64_t row) {
  isa::Load load = ConstantLoad(isa::LoadDestination::kUnifiedBuffer, address, bytes, row);
  load.pixel_bytes = config_.n;
  load.pixel_stride = 1;
  Emit(load, {Span(Space::kUnifiedBuffer, true, row, CeilDiv(bytes, Lanes()))});
}

void Emitter::LoadParameters(std::uint64_t address, std::int64_t entries, std::int64_t first) {
  Emit(ConstantLoad(isa::LoadDestination::kParameters, address, entries * config_.ParamEntryBytes(),
                    first),
       {Span(Space::kParameters, true, first, entries)});
}

void Emitter::LoadLookup(std::uint64_t address, std::int64_t table) {
  Emit(ConstantLoad(isa::LoadDestination::kLookup, address, 256, table),
       {Span(Space::kLookup, true, table, 1)});
}

std::vector<std::uint8_t> Emitter::PackParameters(const std::vector<LaneParameters>& lanes) const {
  const std::size_t n = config_.n;
  std::vector<std::uint8_t> bytes;
  bytes.reserve((lanes.size() + n - 1) / n * config_.ParamEntryBytes());
  for (std::size_t first = 0; first < lanes.size(); first += n) {
    std::vector<LaneParameters> entry(n);
    std::copy_n(lanes.begin() + static_cast<std::ptrdiff_t>(first),
                std::min(n, lanes.size() - first), entry.begin());
    for (const LaneParameters& lane : entry) AppendLittleEndian(bytes, lane.bias);
    for (const LaneParameters& lane : entry) AppendLittleEndian(bytes, lane.multiplier.multiplier);
    for (const LaneParameters& lane : entry) {
      bytes.push_back(static_cast<std::uint8_t>(lane.multiplier.shift));
    }
  }
  return bytes;
}

void Emitter::Call(isa::HostCall call) {
  call.layer = static_cast<std::uint32_t>(layers_.size() - 1);
  calls_.push_back({.before = program_.size(), .call = std::move(call)});
}

void Emitter::Copy(Transfer from, Transfer to, std::int64_t bytes) {
  const std::int64_t rows = CeilDiv(bytes, Lanes());
  const std::int64_t row = AllocateBuffer(rows);
  for (Transfer* transfer : {&from, &to}) {
    transfer->ub_row = row;
    transfer->pixel_bytes = Lanes();
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
  Emitter trial(config_, false);
  trial.layers_ = layers_;
  const auto first = std::find_if(program_.begin(), program_.end(), [&](const auto& instruction) {
    return instruction.layer + 2 >= layers_.size();
  });
  trial.program_.assign(first, program_.end());
  trial.memory_end_ = memory_end_;
  trial.free_rows_ = free_rows_;
  trial.next_buffer_ = next_buffer_;
  trial.next_parameters_ = next_parameters_;
  trial.next_lookup_ = next_lookup_;
  trial.upper_accumulators_ = upper_accumulators_;
  return trial;
}

timing::Cycle Emitter::EstimatedCycles() const {
  return EstimateCycles(Schedule(program_, config_), config_);
}

isa::Executable Emitter::Finish() {
  isa::Executable executable;
  executable.config = config_;
  executable.layers = std::move(layers_);
  executable.segments = std::move(constants_);
  std::size_t begin = 0;
  for (PlacedCall& call : calls_) {
    AddProgram(begin, call.before, executable);
    executable.steps.emplace_back(std::move(call.call));
    begin = call.before;
  }
  AddProgram(begin, program_.size(), executable);
  executable.memory_bytes = memory_end_;
  return executable;
}

// The instructions [begin, end) as the next step.
void Emitter::AddProgram(std::size_t begin, std::size_t end, isa::Executable& executable) {
  if (begin == end) return;
  std::vector<SequentialInstruction> part(
      std::make_move_iterator(program_.begin() + static_cast<std::ptrdiff_t>(begin)),
      std::make_move_iterator(program_.begin() + static_cast<std::ptrdiff_t>(end)));
  part = Schedule(part, config_);
  cycles_ += EstimateCycles(part, config_);
  std::vector<isa::Instruction> program;
  program.reserve(part.size());
  for (const SequentialInstruction& instruction : part) {
    program.push_back(instruction.instruction);
    executable.layer_of_instruction.push_back(instruction.layer);
  }
  std::vector<std::uint8_t> bytes = isa::EncodeProgram(program);
  const isa::DeviceProgram step = {
      .address = AllocateMemory(bytes.size()),
      .granules = static_cast<std::uint32_t>(bytes.size() / isa::kGranuleBytes),
      .first_instruction = static_cast<std::uint32_t>(begin)};
  executable.steps.emplace_back(step);
  executable.memory_bytes = memory_end_;
  Check(program, step, executable);
  executable.segments.push_back({.address = step.address, .bytes = std::move(bytes)});
}

}  // namespace tpu::compiler
