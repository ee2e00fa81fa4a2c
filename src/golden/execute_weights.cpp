// SPDX-License-Identifier: Apache-2.0
// WEIGHTS and UBWEIGHTS: tiles on their way to the weight FIFO (docs/isa.md, 6 and 10.3).
#include <bit>
#include <utility>

#include "golden/execute.h"
#include "golden/numbers.h"

namespace tpu::golden {
namespace {

/// Appends the N x N numbers of `bytes` to the weight FIFO.
void PushTile(std::span<const std::uint8_t> bytes, isa::NumberFormat format, bool transpose,
              State& state) {
  const auto number_bytes = static_cast<std::size_t>(isa::BytesOf(format));
  WeightTile& tile = state.weight_fifo.emplace_back();
  tile.format = format;
  tile.weights.reserve(bytes.size() / number_bytes);
  for (std::size_t i = 0; i < bytes.size(); i += number_bytes) {
    const auto low = static_cast<isa::Weight>(bytes[i]);
    tile.weights.push_back(number_bytes == 1
                               ? std::int16_t{low}
                               : std::bit_cast<std::int16_t>(LittleEndian16(&bytes[i])));
  }
  if (!transpose) return;
  const std::size_t n = state.config.n;
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < row; ++column) {
      std::swap(tile.weights[row * n + column], tile.weights[column * n + row]);
    }
  }
}

}  // namespace

void Execute(const isa::Weights& weights, State& state) {
  std::vector<std::uint8_t> bytes(
      static_cast<std::size_t>(isa::TileBytes(weights.format, state.config)));
  for (std::uint64_t tile = 0; tile < weights.tiles; ++tile) {
    ReadMemory(state, weights.dram_addr + tile * bytes.size(), bytes);
    PushTile(bytes, weights.format, weights.transpose != 0, state);
  }
}

void Execute(const isa::UbWeights& weights, State& state) {
  const std::int64_t n = state.config.n;
  const std::int64_t number_rows = isa::BytesOf(weights.format);
  std::vector<std::uint8_t> bytes;
  for (std::int64_t ob = 0; ob < weights.n_ob; ++ob) {
    for (std::int64_t cb = 0; cb < weights.n_cb; ++cb) {
      const std::int64_t first_row = weights.row + ob * weights.s_ob + cb * weights.s_cb;
      const std::int64_t first_y =
          n * ((weights.along_ob != 0 ? ob : 0) + (weights.along_cb != 0 ? cb : 0));
      bytes.clear();
      for (std::int64_t j = 0; j < n; ++j) {
        for (std::int64_t e = 0; e < number_rows; ++e) {
          if (first_y + j < weights.row_bound) {
            const auto row = AsBytes(state.ub.Row(first_row + j * weights.s_row + e));
            bytes.insert(bytes.end(), row.begin(), row.end());
          } else {
            bytes.insert(bytes.end(), static_cast<std::size_t>(n), std::uint8_t{0});
          }
        }
      }
      PushTile(bytes, weights.format, weights.transpose != 0, state);
    }
  }
}

}  // namespace tpu::golden
