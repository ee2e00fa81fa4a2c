// Short programs written instruction by instruction.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/encoding.h"
#include "isa/executable.h"
#include "isa/instruction.h"

namespace tpu::system_test {

/// Where programs and data lie in the memory of 64 KiB that these tests use.
inline constexpr std::uint64_t kProgramAddress = 0x400;
inline constexpr std::uint64_t kSourceAddress = 0x4000;
inline constexpr std::uint64_t kTargetAddress = 0x8000;
inline constexpr std::uint64_t kMemoryBytes = 0x10000;

inline isa::Load LoadRows(std::uint32_t rows, std::uint32_t n, isa::Semaphores semaphores = {}) {
  isa::Load load;
  load.semaphores = semaphores;
  load.dram_addr = kSourceAddress;
  load.row_bytes = n;
  load.rows = rows;
  load.row_stride = n;
  load.pixel_bytes = n;
  load.pixel_stride = 1;
  return load;
}

inline isa::Store StoreRows(std::uint32_t rows, std::uint32_t n, isa::Semaphores semaphores = {}) {
  isa::Store store;
  store.semaphores = semaphores;
  store.dram_addr = kTargetAddress;
  store.row_bytes = n;
  store.rows = rows;
  store.row_stride = n;
  store.pixel_bytes = n;
  store.pixel_stride = 1;
  return store;
}

inline isa::Weights WeightTiles(std::uint32_t tiles) {
  isa::Weights weights;
  weights.dram_addr = kSourceAddress;
  weights.tiles = tiles;
  return weights;
}

/// `rows` rows from UB row 0 times one tile into accumulator row 0.
inline isa::Matmul MultiplyRows(std::uint32_t rows, std::uint32_t n,
                                isa::Semaphores semaphores = {}) {
  isa::Matmul matmul;
  matmul.semaphores = semaphores;
  matmul.n_ow = rows;
  matmul.s_ow = static_cast<std::int32_t>(n);
  matmul.x_bound = n;
  matmul.y_bound = 1;
  return matmul;
}

/// `rows` rows from UB row 0 copied to UB row `rows`, unchanged: requantisation none, parameter
/// entry 0 (whose biases must be 0).
inline isa::Vector CopyRows(std::uint32_t rows, isa::Semaphores semaphores = {}) {
  isa::Vector vector;
  vector.semaphores = semaphores;
  vector.n_ow = rows;
  vector.a_ow = 1;
  vector.o_ow = 1;
  vector.o_row = rows;
  vector.y_bound = 1;
  vector.x_bound = 1;
  vector.lo = -128;
  vector.hi = 127;
  return vector;
}

/// An executable of `bytes` of program and a source area of counting bytes.
inline isa::Executable MakeExecutable(const isa::HardwareConfig& config,
                                      std::vector<std::uint8_t> program) {
  isa::Executable executable;
  executable.config = config;
  executable.program_address = kProgramAddress;
  executable.program_granules = static_cast<std::uint32_t>(program.size() / isa::kGranuleBytes);
  executable.memory_bytes = kMemoryBytes;
  std::vector<std::uint8_t> source(kTargetAddress - kSourceAddress);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::uint8_t>(i * 37);
  executable.segments = {{kProgramAddress, std::move(program)}, {kSourceAddress, source}};
  return executable;
}

inline isa::Executable MakeExecutable(const isa::HardwareConfig& config,
                                      const std::vector<isa::Instruction>& program) {
  return MakeExecutable(config, isa::EncodeProgram(program));
}

}  // namespace tpu::system_test
