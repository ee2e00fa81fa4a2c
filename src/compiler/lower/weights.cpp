// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/weights.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tpu::compiler {
namespace {

template <typename T>
class TilePacker {
 public:
  TilePacker(const DenseWeights& weights, std::span<const T> values, std::int64_t lanes,
             std::size_t tiles)
      : weights_(weights), values_(values), lanes_(lanes) {
    bytes_.reserve(tiles * TileBytes());
  }

  // Input lanes are the channels of block `cb`.
  void AddWide(std::int64_t ob, std::int64_t cb, std::int64_t kh, std::int64_t kw) {
    AddRows(ob, std::clamp<std::int64_t>(weights_.ic - cb * lanes_, 0, lanes_),
            [&](std::int64_t o, std::int64_t lane) {
              return weights_.Index(o, kh, kw, cb * lanes_ + lane);
            });
  }

  // Input lanes are (column, channel) pairs of a kernel row, N at a time.
  void AddThin(std::int64_t ob, std::int64_t kh, std::int64_t column_tile) {
    const std::int64_t first = column_tile * lanes_;
    AddRows(
        ob, std::clamp<std::int64_t>(weights_.kw * weights_.ic - first, 0, lanes_),
        [&](std::int64_t o, std::int64_t lane) { return weights_.Index(o, kh, 0, first + lane); });
  }

  // Tile (tile_y, tile_x) of those that the window needs, for a piece of the channel block.
  void AddBlock(std::int64_t ob, std::int64_t piece, std::int64_t tile_y, std::int64_t tile_x,
                const BlockWindow& window) {
    const std::size_t tile = bytes_.size();
    bytes_.resize(tile + TileBytes(), 0);
    const PixelBlock& block = window.block;
    const std::int64_t size = lanes_ / block.Pixels();
    for (std::int64_t pixel = 0; pixel < block.Pixels(); ++pixel) {
      for (std::int64_t output = 0; output < block.Pixels(); ++output) {
        const auto kh =
            TapOf(window.y, block.down, tile_y, pixel % block.down, output / block.across);
        const auto kw =
            TapOf(window.x, block.across, tile_x, pixel / block.down, output % block.across);
        if (!kh || !kw) continue;
        for (std::int64_t i = 0; i < size; ++i) {
          const std::int64_t lane = piece * size + i;
          const std::int64_t o = ob * lanes_ + lane;
          if (o >= weights_.oc) break;
          Set(tile, pixel * size + i, output * size + i, weights_.Index(o, *kh, *kw, lane));
        }
      }
    }
  }

  std::vector<std::uint8_t> Take() { return std::move(bytes_); }

 private:
  template <typename IndexOf>
  void AddRows(std::int64_t ob, std::int64_t used_lanes, IndexOf index_of) {
    const std::size_t tile = bytes_.size();
    bytes_.resize(tile + TileBytes(), 0);
    const std::int64_t outputs = std::min(lanes_, weights_.oc - ob * lanes_);
    for (std::int64_t k = 0; k < used_lanes; ++k) {
      for (std::int64_t n = 0; n < outputs; ++n) {
        Set(tile, k, n, index_of(ob * lanes_ + n, k));
      }
    }
  }

  // Element (k, n) of the tile that begins at byte `tile`.
  void Set(std::size_t tile, std::int64_t k, std::int64_t n, std::int64_t index) {
    const T weight = values_[static_cast<std::size_t>(index)];
    std::memcpy(&bytes_[tile + static_cast<std::size_t>(k * lanes_ + n) * sizeof(T)], &weight,
                sizeof(T));
  }

  [[nodiscard]] std::size_t TileBytes() const {
    return static_cast<std::size_t>(lanes_ * lanes_) * sizeof(T);
  }

  const DenseWeights& weights_;
  std::span<const T> values_;
  std::int64_t lanes_;
  std::vector<std::uint8_t> bytes_;
};

template <typename T>
std::vector<std::uint8_t> Pack(const DenseWeights& weights, std::span<const T> values,
                               const ConvTiling& tiling, bool thin, std::int64_t lanes) {
  const std::int64_t columns = thin ? ir::CeilDiv(weights.kw * weights.ic, lanes) : weights.kw;
  const std::int64_t tiles =
      tiling.output_blocks.back().end * tiling.input_blocks.back().end * weights.kh * columns;
  TilePacker<T> packer(weights, values, lanes, static_cast<std::size_t>(tiles));
  const auto add_group = [&](ir::Range outputs, ir::Range inputs, ir::Range taps) {
    for (std::int64_t ob = outputs.begin; ob < outputs.end; ++ob) {
      for (std::int64_t cb = inputs.begin; cb < inputs.end; ++cb) {
        for (std::int64_t kh = taps.begin; kh < taps.end; ++kh) {
          for (std::int64_t column = 0; column < columns; ++column) {
            if (thin) {
              packer.AddThin(ob, kh, column);
            } else {
              packer.AddWide(ob, cb, kh, column);
            }
          }
        }
      }
    }
  };
  for (std::size_t group = 0; group < tiling.output_blocks.size(); ++group) {
    for (const ir::Range& inputs : tiling.InputGroups(group)) {
      for (const ir::Range& taps : tiling.kernel_rows) {
        add_group(tiling.output_blocks[group], inputs, taps);
      }
    }
  }
  return packer.Take();
}

template <typename T>
std::vector<std::uint8_t> PackBlocks(const DenseWeights& weights, std::span<const T> values,
                                     const BlockWindow& window, const ConvTiling& tiling,
                                     std::int64_t lanes) {
  const std::int64_t pieces = window.block.Pixels();
  const std::int64_t columns = TilesAlong(window.x, window.block.across);
  const std::int64_t tiles =
      tiling.output_blocks.back().end * pieces * tiling.kernel_rows.back().end * columns;
  TilePacker<T> packer(weights, values, lanes, static_cast<std::size_t>(tiles));
  const auto add_block = [&](std::int64_t ob, ir::Range rows) {
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
      for (std::int64_t row = rows.begin; row < rows.end; ++row) {
        for (std::int64_t column = 0; column < columns; ++column) {
          packer.AddBlock(ob, piece, row, column, window);
        }
      }
    }
  };
  for (const ir::Range& outputs : tiling.output_blocks) {
    for (const ir::Range& rows : tiling.kernel_rows) {
      for (std::int64_t ob = outputs.begin; ob < outputs.end; ++ob) add_block(ob, rows);
    }
  }
  return packer.Take();
}

}  // namespace

isa::ElementFormat FormatOf(const WeightValues& values) {
  return std::visit(
      [](const auto& span) { return isa::kFormatOf<std::ranges::range_value_t<decltype(span)>>; },
      values);
}

std::vector<std::uint8_t> PackWeights(const DenseWeights& weights, const ConvTiling& tiling,
                                      bool thin, std::int64_t lanes) {
  return std::visit([&](const auto& values) { return Pack(weights, values, tiling, thin, lanes); },
                    weights.values);
}

std::vector<std::uint8_t> PackBlockWeights(const DenseWeights& weights, const BlockWindow& window,
                                           const ConvTiling& tiling, std::int64_t lanes) {
  return std::visit(
      [&](const auto& values) { return PackBlocks(weights, values, window, tiling, lanes); },
      weights.values);
}

std::vector<std::int64_t> SumsOf(const DenseWeights& weights) {
  const auto values = std::get<std::span<const isa::Weight>>(weights.values);
  const auto per_channel = static_cast<std::size_t>(weights.kh * weights.kw * weights.ic);
  std::vector<std::int64_t> sums(static_cast<std::size_t>(weights.oc));
  for (std::size_t o = 0; o < sums.size(); ++o) {
    for (const isa::Weight w : values.subspan(o * per_channel, per_channel)) sums[o] += w;
  }
  return sums;
}

std::vector<std::int32_t> FoldZeroPoint(const DenseWeights& weights,
                                        std::span<const std::int32_t> bias,
                                        std::int32_t zero_point) {
  std::vector<std::int32_t> folded;
  for (const std::int64_t sum : SumsOf(weights)) {
    const std::int64_t value = (bias.empty() ? 0 : bias[folded.size()]) - zero_point * sum;
    folded.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(value)));
  }
  return folded;
}

}  // namespace tpu::compiler
