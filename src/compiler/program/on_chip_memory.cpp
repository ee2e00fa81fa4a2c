// SPDX-License-Identifier: Apache-2.0
#include "compiler/program/on_chip_memory.h"

#include <fmt/format.h>

namespace tpu::compiler {
namespace {

// Round-robin: the place after the previous one, or the beginning when the end is too near.
std::int64_t RoundRobin(std::int64_t& next, std::int64_t size, ir::Range space) {
  const bool fits = next >= space.begin && next + size <= space.end;
  const std::int64_t place = fits ? next : space.begin;
  next = place + size;
  return place;
}

}  // namespace

std::int64_t OnChipMemory::AllocateBuffer(std::int64_t rows, const std::string& layer) {
  if (rows > BufferRows()) {
    throw DoesNotFit(fmt::format("{}: needs {} rows of unified buffer, there are {}", layer, rows,
                                 BufferRows()));
  }
  if (AreSideBySide(overlap_) && rows <= LayerRows()) {
    part_ = (part_ + 1) % LayersAtOnce(overlap_);
    return free_rows_.begin + part_ * LayerRows();
  }
  return RoundRobin(next_buffer_, rows, free_rows_);
}

std::int64_t OnChipMemory::AllocateParameters(std::int64_t entries, const std::string& layer) {
  if (entries > config_.param_rows) {
    throw DoesNotFit(fmt::format("{}: needs {} parameter entries, the machine has {}", layer,
                                 entries, config_.param_rows));
  }
  return RoundRobin(next_parameters_, entries, {.begin = 0, .end = config_.param_rows});
}

std::int64_t OnChipMemory::AllocateLookup(std::int64_t tables) {
  next_lookup_ = ir::RoundUp(next_lookup_, tables);
  return RoundRobin(next_lookup_, tables, {.begin = 0, .end = config_.lut_tables});
}

std::int64_t OnChipMemory::NextAccumulators() {
  upper_accumulators_ = !upper_accumulators_;
  return upper_accumulators_ ? config_.acc_rows / 2 : 0;
}

}  // namespace tpu::compiler
