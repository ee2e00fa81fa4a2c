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

  // Input lanes are two pixels of a piece of the channel block, output lanes two outputs. The tile
  // has the pixels 2 * `column_tile` and the next one of the columns that the two outputs need.
  void AddPair(std::int64_t ob, std::int64_t piece, std::int64_t kh, std::int64_t column_tile,
               const ir::Window& x) {
    const std::int64_t size = lanes_ / kPair;
    const std::size_t tile = bytes_.size();
    bytes_.resize(tile + TileBytes(), 0);
    for (std::int64_t pixel = 0; pixel < kPair; ++pixel) {
      for (std::int64_t output = 0; output < kPair; ++output) {
        const std::int64_t column = kPair * column_tile + pixel - output * x.stride;
        if (column < 0 || column % x.dilation != 0 || column / x.dilation >= x.size) continue;
        for (std::int64_t i = 0; i < size; ++i) {
          const std::int64_t o = ob * lanes_ + piece * size + i;
          if (o >= weights_.oc) break;
          Set(tile, pixel * size + i, output * size + i,
              weights_.Index(o, kh, column / x.dilation, o % lanes_));
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
std::vector<std::uint8_t> PackPairs(const DenseWeights& weights, std::span<const T> values,
                                    const ir::Window& x, const ConvTiling& tiling,
                                    std::int64_t lanes) {
  const std::int64_t columns = PairColumnTiles(x);
  const std::int64_t tiles = tiling.output_blocks.back().end * kPair * weights.kh * columns;
  TilePacker<T> packer(weights, values, lanes, static_cast<std::size_t>(tiles));
  const auto add_block = [&](std::int64_t ob, ir::Range taps) {
    for (std::int64_t piece = 0; piece < kPair; ++piece) {
      for (std::int64_t kh = taps.begin; kh < taps.end; ++kh) {
        for (std::int64_t column = 0; column < columns; ++column) {
          packer.AddPair(ob, piece, kh, column, x);
        }
      }
    }
  };
  for (const ir::Range& outputs : tiling.output_blocks) {
    for (const ir::Range& taps : tiling.kernel_rows) {
      for (std::int64_t ob = outputs.begin; ob < outputs.end; ++ob) add_block(ob, taps);
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

std::vector<std::uint8_t> PackPairWeights(const DenseWeights& weights, const ir::Window& x,
                                          const ConvTiling& tiling, std::int64_t lanes) {
  return std::visit(
      [&](const auto& values) { return PackPairs(weights, values, x, tiling, lanes); },
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
