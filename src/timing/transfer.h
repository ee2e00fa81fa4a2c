// SPDX-License-Identifier: Apache-2.0
// AXI bursts of a transfer of strided rows, as rtl/memory/tpu_dma_bursts.v cuts them.
#pragma once

#include <cstdint>

#include "isa/instruction.h"

namespace tpu::timing {

struct Burst {
  std::uint32_t beats = 0;
  std::uint32_t first = 0;  ///< Byte of the first beat at which the transfer's bytes begin.
  std::uint32_t end = 0;    ///< Last byte of the last beat.
  bool last = false;        ///< Of the transfer.

  /// Bytes of beat `beat` that belong to the transfer, of `beat_bytes`.
  [[nodiscard]] std::uint32_t BytesOf(std::uint32_t beat, std::uint32_t beat_bytes) const {
    return (beat + 1 == beats ? end + 1 : beat_bytes) - (beat == 0 ? first : 0);
  }
};

class Transfer {
 public:
  Transfer() = default;
  /// `rows` rows of `row_bytes` bytes, `stride` bytes apart; rows that lie contiguously are one
  /// (tpu_dma_command.v). `beat_bytes` is a power of two.
  Transfer(std::uint64_t address, std::uint64_t row_bytes, std::uint32_t rows, std::uint32_t stride,
           std::uint32_t beat_bytes);

  [[nodiscard]] bool done() const { return rows_left_ == 0; }
  /// The next burst, only while not done; `Step` goes on to the one after it.
  [[nodiscard]] Burst Next() const;
  void Step();

 private:
  [[nodiscard]] std::uint64_t Bytes() const;

  std::uint64_t address_ = 0;
  std::uint64_t row_address_ = 0;
  std::uint64_t row_bytes_ = 0;
  std::uint64_t left_ = 0;
  std::uint32_t rows_left_ = 0;
  std::uint32_t stride_ = 0;
  unsigned log_beat_ = 0;  // Of the bytes of a beat.
};

/// What LOAD and STORE move in memory.
template <typename Instruction>
Transfer TransferOf(const Instruction& instruction, std::uint32_t beat_bytes) {
  return {instruction.dram_addr, instruction.row_bytes, instruction.rows, instruction.row_stride,
          beat_bytes};
}

}  // namespace tpu::timing
