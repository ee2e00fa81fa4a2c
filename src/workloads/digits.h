// SPDX-License-Identifier: Apache-2.0
// The handwritten digits network of models/digits and its test images.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "ir/graph.h"

namespace tpu::workloads {

inline constexpr int kDigitSize = 8;  ///< Pixels in a row and in a column.

struct Digit {
  std::array<std::uint8_t, kDigitSize * kDigitSize> pixels{};  ///< 0 .. 16, row by row.
  int label = 0;
};

/// Reads testset.json. Throws tpu::Error naming the file and what is wrong in it.
std::vector<Digit> LoadDigits(const std::filesystem::path& testset);

/// The network's input for an image: pixel / 16, quantised with the scale and zero point of
/// `input`.
std::vector<std::int8_t> QuantizeDigit(const Digit& digit, const ir::Tensor& input);

}  // namespace tpu::workloads
