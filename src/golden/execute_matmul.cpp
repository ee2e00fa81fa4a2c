// SPDX-License-Identifier: Apache-2.0
// MATMUL (docs/isa.md, 6 and 10.3).
#include <algorithm>
#include <bit>

#include "arithmetic/float/float32.h"
#include "golden/arithmetic.h"
#include "golden/execute.h"
#include "golden/numbers.h"

namespace tpu::golden {
namespace {

/// A position in the loop nest below the output channel blocks.
struct MatmulStep {
  std::int64_t cb, kh, kw, oh, ow;
};

WeightTile TakeTile(const isa::Matmul& m, State& state) {
  if (state.weight_fifo.empty()) {
    throw Fault(isa::ErrorCode::kBusTimeout,
                "the weight FIFO is empty and no earlier WEIGHTS brings another tile");
  }
  WeightTile tile = std::move(state.weight_fifo.front());
  state.weight_fifo.pop_front();
  // Programs may not; hardware need not notice.
  if (tile.format != m.format) {
    throw Fault(isa::ErrorCode::kIllegalField, "the weight tile is of another format");
  }
  return tile;
}

/// Lanes of one step that lie inside the image, and the bytes of the unified buffer that they read.
struct WindowPart {
  std::size_t first, count;
  std::span<const std::uint8_t> bytes;
};

WindowPart FindWindow(const isa::Matmul& m, State& state, const MatmulStep& at) {
  const std::int64_t oh = m.planes == 0 ? at.oh : at.oh / 2;
  const std::int64_t address =
      m.ub_addr + at.cb * m.s_cb + at.kh * m.s_kh + at.kw * m.s_kw + oh * m.s_oh + at.ow * m.s_ow;
  const std::int64_t y = Coordinate(m.y0 + at.kh * m.ys_kh + oh * m.ys_oh);
  const std::int64_t x = Coordinate(m.x0 + at.kw * m.xs_kw + at.ow * m.xs_ow);
  const std::int64_t n = state.config.n;

  // They are [begin, end).
  const std::int64_t begin = std::clamp<std::int64_t>(-x, 0, n);
  const bool row_inside = 0 <= y && y < m.y_bound;
  const std::int64_t end = row_inside ? std::clamp<std::int64_t>(m.x_bound - x, begin, n) : begin;
  const auto first = static_cast<std::size_t>(begin);
  const auto count = static_cast<std::size_t>(end - begin);
  if (count == 0) return {first, 0, {}};

  const std::span<const std::uint8_t> ub = AsBytes(state.ub.All());
  const auto size = static_cast<std::size_t>(isa::ActivationBytes(m));
  const auto byte = size * static_cast<std::size_t>(UbNumberAddress(address + begin));
  if (byte + size * count > ub.size()) {
    throw Fault(isa::ErrorCode::kUbRange,
                fmt::format("unified buffer bytes {} to {} do not all exist, there are {}", byte,
                            byte + size * count - 1, ub.size()));
  }
  return {first, count, ub.subspan(byte, size * count)};
}

/// Reads the N activations of one step: numbers of the unified buffer where the window is inside
/// the image, else the zero point.
void ReadWindow(const isa::Matmul& m, State& state, const MatmulStep& at,
                std::span<isa::Activation> lanes) {
  const WindowPart part = FindWindow(m, state, at);
  // The high byte of each int16, or the low byte less 128, of the zero point, too (docs/isa.md,
  // 11.2).
  const bool low = m.planes != 0 && at.oh % 2 != 0;
  if (part.count < lanes.size()) {
    std::ranges::fill(lanes,
                      static_cast<isa::Activation>(low ? m.zero_point ^ -128 : m.zero_point));
  }
  const std::span<std::uint8_t> inside = AsBytes(lanes).subspan(part.first, part.count);
  if (m.planes == 0) {
    std::ranges::copy(part.bytes, inside.begin());
    return;
  }
  for (std::size_t i = 0; i < part.count; ++i) {
    inside[i] = low ? part.bytes[2 * i] ^ 0x80U : part.bytes[2 * i + 1];
  }
}

void ReadWindow(const isa::Matmul& m, State& state, const MatmulStep& at, std::span<float> lanes) {
  const WindowPart part = FindWindow(m, state, at);
  if (part.count < lanes.size()) std::ranges::fill(lanes, 0.0F);
  for (std::size_t i = 0; i < part.count; ++i) {
    lanes[part.first + i] = arithmetic::FloatOfBf16(LittleEndian16(&part.bytes[2 * i]));
  }
}

/// acc[n] = (first ? 0 : acc[n]) + sum over k of lanes[k] * W[k][n]. `sums` is scratch of N words;
/// no sum of N products overflows.
void MultiplyAccumulate(std::span<const isa::Activation> lanes, std::span<const std::int16_t> tile,
                        bool first, std::span<isa::Sum> sums, std::span<isa::Sum> acc) {
  const std::size_t n = lanes.size();
  std::ranges::fill(sums, 0);
  for (std::size_t k = 0; k < n; ++k) {
    const std::int16_t* weights = tile.data() + k * n;
    const std::int16_t a = lanes[k];
    for (std::size_t i = 0; i < n; ++i) sums[i] += a * weights[i];
  }
  if (first) std::ranges::fill(acc, 0);
  for (std::size_t i = 0; i < n; ++i) acc[i] = Wrap32(std::int64_t{acc[i]} + sums[i]);
}

/// The same with fp32 sums (docs/isa.md, 10.3): one product after the other, then the accumulator.
void MultiplyAccumulate(std::span<const float> lanes, std::span<const float> tile, bool first,
                        std::span<float> sums, std::span<isa::Sum> acc) {
  const std::size_t n = lanes.size();
  std::ranges::fill(sums, 0.0F);
  for (std::size_t k = 0; k < n; ++k) {
    const float* weights = tile.data() + k * n;
    for (std::size_t i = 0; i < n; ++i) sums[i] = arithmetic::Fma(sums[i], lanes[k], weights[i]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const float sum = first ? sums[i] : arithmetic::Add(std::bit_cast<float>(acc[i]), sums[i]);
    acc[i] = std::bit_cast<isa::Sum>(sum);
  }
}

/// The weights as MultiplyAccumulate takes them.
void Convert(const WeightTile& tile, std::vector<std::int16_t>& weights) { weights = tile.weights; }
void Convert(const WeightTile& tile, std::vector<float>& weights) {
  weights.clear();
  for (const std::int16_t word : tile.weights) {
    weights.push_back(arithmetic::FloatOfBf16(std::bit_cast<std::uint16_t>(word)));
  }
}

template <typename Lane, typename Weight, typename Sum>
void Run(const isa::Matmul& m, State& state) {
  std::vector<Lane> lanes(state.config.n);
  std::vector<Weight> weights;
  std::vector<Sum> sums(state.config.n);
  // One weight tile meets every output row before the next tile is taken.
  const auto multiply_tile = [&](std::int64_t ob, MatmulStep at) {
    Convert(TakeTile(m, state), weights);
    const bool first = at.cb == 0 && at.kh == 0 && at.kw == 0 && m.accumulate == 0;
    const std::int64_t acc_row = std::int64_t{m.acc_row} + ob * std::int64_t{m.acc_ob_stride};
    for (at.oh = 0; at.oh < m.n_oh; ++at.oh) {
      for (at.ow = 0; at.ow < m.n_ow; ++at.ow) {
        ReadWindow(m, state, at, std::span(lanes));
        const std::span<isa::Sum> acc = state.acc.Row(acc_row + at.oh * m.n_ow + at.ow);
        MultiplyAccumulate(lanes, weights, first, sums, acc);
      }
    }
  };
  for (std::int64_t ob = 0; ob < m.n_ob; ++ob) {
    for (std::int64_t cb = 0; cb < m.n_cb; ++cb) {
      for (std::int64_t kh = 0; kh < m.n_kh; ++kh) {
        for (std::int64_t kw = 0; kw < m.n_kw; ++kw) {
          multiply_tile(ob, MatmulStep{.cb = cb, .kh = kh, .kw = kw, .oh = 0, .ow = 0});
        }
      }
    }
  }
}

}  // namespace

void Execute(const isa::Matmul& m, State& state) {
  if (m.format == isa::NumberFormat::kInt8) {
    Run<isa::Activation, std::int16_t, isa::Sum>(m, state);
  } else {
    Run<float, float, float>(m, state);
  }
}

}  // namespace tpu::golden
