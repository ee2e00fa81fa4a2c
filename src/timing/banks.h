// SPDX-License-Identifier: Apache-2.0
// Banks of the unified buffer (rtl/memory/tpu_unified_buffer.v).
#pragma once

#include <cstdint>

#include "isa/element_format.h"

namespace tpu::timing {

/// Bit b: bank b.
using Banks = unsigned;

/// Rows that N numbers of a format take.
constexpr std::uint32_t RowsOf(isa::NumberFormat format) {
  return static_cast<std::uint32_t>(isa::BytesOf(format));
}

constexpr Banks BankOf(std::uint32_t row) { return 1U << (row % 4); }

/// The banks of the rows that lie `rows` rows behind the rows of `banks`.
constexpr Banks Further(Banks banks, std::uint64_t rows) {
  return ((banks << (rows % 4)) | (banks << (rows % 4) >> 4)) & 15;
}

}  // namespace tpu::timing
