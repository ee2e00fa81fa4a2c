// SPDX-License-Identifier: Apache-2.0
// Short programs written instruction by instruction.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "executable/executable.h"
#include "isa/element_format.h"
#include "isa/encoding.h"
#include "isa/instruction.h"

namespace tpu::system_test {

/// The 64 KiB of memory that these programs use: program, zeros, counting bytes, results.
inline constexpr std::uint64_t kProgramAddress = 0x400;
inline constexpr std::uint64_t kZeroAddress = 0x2000;
inline constexpr std::uint64_t kSourceAddress = 0x4000;
inline constexpr std::uint64_t kTargetAddress = 0x8000;
inline constexpr std::uint64_t kMemoryBytes = 0x10000;

inline std::uint8_t SourceByte(std::size_t i) { return static_cast<std::uint8_t>(i * 37 + i / 7); }

/// Masks of a few semaphores by class (docs/isa.md, 2).
inline constexpr std::uint32_t kInput = 1U << 0;
inline constexpr std::uint32_t kParameter = 1U << 1;
inline constexpr std::uint32_t kAccumulated = 1U << 8;
inline constexpr std::uint32_t kResult = 1U << 9;

/// `rows` rows of N source bytes to UB row 0.
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

/// Parameter entry 0: all zeros.
inline isa::Load LoadZeroParameters(std::uint32_t n, isa::Semaphores semaphores = {}) {
  isa::Load load = LoadRows(1, 9 * n, semaphores);
  load.destination = isa::LoadDestination::kParameters;
  load.dram_addr = kZeroAddress;
  return load;
}

/// `rows` rows of N bytes from UB row 0 to the target area.
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

/// The same rows, each of N numbers.
template <typename Transfer>
Transfer OfNumbers(Transfer transfer, isa::NumberFormat format) {
  const auto size = static_cast<std::uint32_t>(isa::BytesOf(format));
  transfer.format = format;
  transfer.row_bytes *= size;
  transfer.row_stride *= size;
  transfer.pixel_bytes *= size;
  transfer.pixel_stride *= size;
  return transfer;
}

/// One tile of source bytes.
inline isa::Weights OneTile() {
  isa::Weights weights;
  weights.dram_addr = kSourceAddress;
  return weights;
}

/// `rows` rows from UB row 0 times one tile to accumulator row 0.
inline isa::Matmul MultiplyRows(std::uint32_t rows, std::uint32_t n,
                                isa::Semaphores semaphores = {}) {
  isa::Matmul matmul;
  matmul.semaphores = semaphores;
  matmul.n_ow = rows;
  matmul.s_ow = static_cast<std::int32_t>(n);
  matmul.y_bound = 1;
  matmul.x_bound = n;
  return matmul;
}

/// `rows` rows from row 0 of `source` to UB row `target`, clamped to int8 and otherwise unchanged
/// when parameter entry 0 is zero.
inline isa::Vector CopyRows(isa::VectorSource source, std::uint32_t rows, std::uint32_t target,
                            isa::Semaphores semaphores = {}) {
  isa::Vector vector;
  vector.semaphores = semaphores;
  vector.source = source;
  vector.n_ow = rows;
  vector.a_ow = 1;
  vector.o_ow = 1;
  vector.o_row = target;
  vector.y_bound = 1;
  vector.x_bound = 1;
  vector.lo = -128;
  vector.hi = 127;
  return vector;
}

/// `rows` rows of fp32 from row 0 of the accumulators to UB row `target`, unchanged.
inline isa::Fvector DrainRows(std::uint32_t rows, std::uint32_t target,
                              isa::Semaphores semaphores = {}) {
  isa::Fvector vector;
  vector.semaphores = semaphores;
  vector.source = isa::VectorSource::kAccumulators;
  vector.a_format = vector.o_format = isa::NumberFormat::kFloat32;
  vector.n_ow = rows;
  vector.a_ow = 1;
  vector.o_ow = static_cast<std::int32_t>(isa::BytesOf(vector.o_format));
  vector.o_row = target;
  vector.y_bound = 1;
  vector.x_bound = 1;
  vector.lo = 0xFF800000;  // Infinities
  vector.hi = 0x7F800000;
  return vector;
}

/// `rows` rows of int32 from row 0 of the accumulators to UB row `target`, clamped to int8 and
/// otherwise unchanged when parameter entry 0 is zero.
inline isa::Ivector DrainIntegers(std::uint32_t rows, std::uint32_t target,
                                  isa::Semaphores semaphores = {}) {
  isa::Ivector vector;
  vector.semaphores = semaphores;
  vector.source = isa::VectorSource::kAccumulators;
  vector.a_format = isa::IntegerFormat::kInt32;
  vector.n_ow = rows;
  vector.a_ow = 1;
  vector.o_ow = 1;
  vector.o_row = target;
  vector.y_bound = 1;
  vector.x_bound = 1;
  vector.lo = -128;
  vector.hi = 127;
  return vector;
}

inline executable::Executable MakeExecutable(const isa::HardwareConfig& config,
                                             std::vector<std::uint8_t> program) {
  executable::Executable executable;
  executable.config = config;
  executable.steps = {executable::DeviceProgram{
      .address = kProgramAddress,
      .granules = static_cast<std::uint32_t>(program.size() / isa::kGranuleBytes)}};
  executable.memory_bytes = kMemoryBytes;
  std::vector<std::uint8_t> source(kTargetAddress - kSourceAddress);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = SourceByte(i);
  executable.segments = {{kProgramAddress, std::move(program)},
                         {kSourceAddress, std::move(source)}};
  return executable;
}

inline executable::Executable MakeExecutable(const isa::HardwareConfig& config,
                                             const std::vector<isa::Instruction>& program) {
  return MakeExecutable(config, isa::EncodeProgram(program));
}

/// The program of an executable that has only one.
inline executable::DeviceProgram& ProgramOf(executable::Executable& executable) {
  return std::get<executable::DeviceProgram>(executable.steps.at(0));
}

/// Copies 8 rows from the source to the target area through the unified buffer: shows that a
/// machine works.
inline executable::Executable CopyProgram(const isa::HardwareConfig& config) {
  return MakeExecutable(config, {LoadRows(8, config.n, {.wait = 0, .post = kInput}),
                                 StoreRows(8, config.n, {.wait = kInput, .post = 0})});
}

}  // namespace tpu::system_test
