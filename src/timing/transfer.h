// SPDX-License-Identifier: Apache-2.0
// AXI bursts of a transfer of strided rows, as rtl/memory/tpu_dma_bursts.v cuts them.
#pragma once

#include <cstdint>

#include "isa/instruction.h"

namespace tpu::timing {

struct Burst {
  std::uint32_t beats = 0;
  std::uint32_t first = 0;  ///< The transfer's bytes begin at this byte of the first beat.
  std::uint32_t end = 0;    ///< Last byte of the last beat.
  bool last = false;        ///< The last burst of the transfer.

  /// How many of the `beat_bytes` bytes of beat `beat` belong to the transfer.
  [[nodiscard]] std::uint32_t BytesOf(std::uint32_t beat, std::uint32_t beat_bytes) const {
    return (beat + 1 == beats ? end + 1 : beat_bytes) - (beat == 0 ? first : 0);
  }
};

class Transfer {
 public:
  Transfer() = default;
  /// `rows` rows of `row_bytes` bytes, `stride` bytes apart. Contiguous rows count as one long row
  /// (tpu_dma_command.v). `beat_bytes` is a power of two.
  Transfer(std::uint64_t address, std::uint64_t row_bytes, std::uint32_t rows, std::uint32_t stride,
           std::uint32_t beat_bytes);

  [[nodiscard]] bool done() const { return rows_left_ == 0; }
  /// The next burst; only while the transfer is not done. `Step` goes on to the burst after it.
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
  unsigned log_beat_ = 0;  // log2 of the bytes of a beat.
};

/// The bytes in memory that a LOAD or STORE moves.
template <typename Instruction>
Transfer TransferOf(const Instruction& instruction, std::uint32_t beat_bytes) {
  return {instruction.dram_addr, instruction.row_bytes, instruction.rows, instruction.row_stride,
          beat_bytes};
}

}  // namespace tpu::timing
