// SPDX-License-Identifier: Apache-2.0
// The parameters a machine was built with, as read back from its registers.
#pragma once

#include <cstdint>

namespace tpu {

/// Each default is that of the machine of `make sim`.
struct HardwareConfig {
  std::uint32_t n = 16;                ///< Array size: N rows, N columns, N vector lanes.
  std::uint32_t ub_rows = 16384;       ///< Unified buffer rows of N bytes.
  std::uint32_t acc_rows = 2048;       ///< Accumulator rows of N int32, in two halves.
  std::uint32_t param_rows = 512;      ///< Parameter entries.
  std::uint32_t lut_tables = 8;        ///< 256-byte lookup tables.
  std::uint32_t fifo_tiles = 4;        ///< Weight FIFO depth in tiles.
  std::uint32_t axi_data_width = 128;  ///< Bits.
  std::uint32_t axi_addr_width = 40;   ///< Bits.
  std::uint32_t ub_banks = 4;          ///< Unified buffer banks (low row-address bits).
  std::uint32_t window = 1;            ///< 1: 3 x 3 windows go column by column, 0: tap by tap.
  std::uint32_t requant_lanes = 1;     ///< Vector lanes that share a requantiser.
  std::uint32_t bf16 = 0;              ///< 1: bf16 products and fp32 vectors, too. 0: integers.
  std::uint32_t int16 = 1;             ///< 1: activations of int16, too. 0: int8 alone.
  std::uint32_t float_rounding = 1;    ///< 1: VECTOR rounds as float32, too.

  /// Bytes of one parameter entry in memory: N biases, N multipliers, N shifts.
  [[nodiscard]] std::uint32_t ParamEntryBytes() const { return 9 * n; }
  /// Bytes of one int8 weight tile.
  [[nodiscard]] std::uint32_t TileBytes() const { return n * n; }

  /// Whether they are the same machine for a program.
  friend bool operator==(const HardwareConfig&, const HardwareConfig&) = default;
};

}  // namespace tpu
