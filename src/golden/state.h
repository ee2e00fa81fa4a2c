// SPDX-License-Identifier: Apache-2.0
// The state of a machine: memory, buffers, weight FIFO, semaphores (docs/isa.md, 1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "isa/element_format.h"
#include "isa/hardware_config.h"
#include "isa/instruction.h"

namespace tpu::golden {

/// An error of the program, as the machine's ERROR register reports it.
class Fault : public Error {
 public:
  Fault(isa::ErrorCode code, const std::string& message) : Error(message), code_(code) {}
  [[nodiscard]] isa::ErrorCode code() const { return code_; }

 private:
  isa::ErrorCode code_;
};

/// Row addresses are computed modulo 2^20.
constexpr std::int64_t RowAddress(std::int64_t row) { return row & 0xFFFFF; }
/// Addresses of numbers in the unified buffer are computed modulo 2^26.
constexpr std::int64_t UbNumberAddress(std::int64_t address) { return address & 0x3FFFFFF; }
/// Window coordinates are 20-bit two's complement.
constexpr std::int64_t Coordinate(std::int64_t value) {
  constexpr std::int64_t kSign = 0x80000;
  return ((value & 0xFFFFF) ^ kSign) - kSign;
}

/// An on-chip memory of rows of equal width.
template <typename T>
class RowMemory {
 public:
  /// `name` and `code` tell what an access outside the memory is called.
  RowMemory(const char* name, isa::ErrorCode code, std::size_t rows, std::size_t width)
      : name_(name), code_(code), rows_(rows), width_(width), values_(rows * width) {}

  /// The row at an address before it is taken modulo 2^20. Throws Fault when it lies outside.
  std::span<T> Row(std::int64_t row) {
    const auto address = static_cast<std::size_t>(RowAddress(row));
    if (address >= rows_) {
      throw Fault(code_,
                  fmt::format("{} row {} does not exist, there are {}", name_, address, rows_));
    }
    return All().subspan(address * width_, width_);
  }

  /// All rows, one behind the other.
  std::span<T> All() { return values_; }

 private:
  const char* name_;
  isa::ErrorCode code_;
  std::size_t rows_;
  std::size_t width_;
  std::vector<T> values_;
};

/// N x N weights.
struct WeightTile {
  isa::NumberFormat format = isa::NumberFormat::kInt8;
  /// W[k][n] at k * N + n. Words of bf16, or int8: 16 bits let the compiler multiply eight at a
  /// time.
  std::vector<std::int16_t> weights;
};

struct State {
  State(const isa::HardwareConfig& hardware, std::vector<std::uint8_t>& external)
      : config(hardware),
        memory(external),
        ub("unified buffer", isa::ErrorCode::kUbRange, config.ub_rows,
           static_cast<std::size_t>(isa::kActivationFormat.ElementsOfRow(config))),
        acc("accumulator", isa::ErrorCode::kAccRange, config.acc_rows, config.n),
        bias("parameter", isa::ErrorCode::kParamRange, config.param_rows, config.n),
        multiplier("parameter", isa::ErrorCode::kParamRange, config.param_rows, config.n),
        shift("parameter", isa::ErrorCode::kParamRange, config.param_rows, config.n),
        lut("lookup table", isa::ErrorCode::kLutRange, config.lut_tables, isa::kTableEntries) {}

  isa::HardwareConfig config;
  std::vector<std::uint8_t>& memory;
  RowMemory<isa::Activation> ub;
  RowMemory<isa::Sum> acc;  ///< Where sums are fp32, these are their words.
  RowMemory<isa::Bias> bias;
  RowMemory<isa::Multiplier> multiplier;
  RowMemory<isa::Shift> shift;
  RowMemory<isa::Activation> lut;
  std::deque<WeightTile> weight_fifo;
  std::array<std::uint32_t, isa::kNumSemaphores> semaphores{};
};

}  // namespace tpu::golden
