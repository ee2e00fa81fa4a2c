// SPDX-License-Identifier: Apache-2.0
// MATMUL (docs/isa.md, 6).
#include <algorithm>

#include "golden/arithmetic.h"
#include "golden/execute.h"

namespace tpu::golden {
namespace {

/// A position in the loop nest below the output channel blocks.
struct MatmulStep {
  std::int64_t cb, kh, kw, oh, ow;
};

WeightTile TakeTile(State& state) {
  if (state.weight_fifo.empty()) {
    throw Fault(isa::ErrorCode::kBusTimeout,
                "the weight FIFO is empty and no earlier WEIGHTS brings another tile");
  }
  WeightTile tile = std::move(state.weight_fifo.front());
  state.weight_fifo.pop_front();
  return tile;
}

/// Reads the N activations of one step: UB bytes where the window is inside the image, else the
/// zero point.
void ReadWindow(const isa::Matmul& m, State& state, const MatmulStep& at,
                std::span<isa::Activation> lanes) {
  const std::int64_t address = m.ub_addr + at.cb * m.s_cb + at.kh * m.s_kh + at.kw * m.s_kw +
                               at.oh * m.s_oh + at.ow * m.s_ow;
  const std::int64_t y = Coordinate(m.y0 + at.kh * m.ys_kh + at.oh * m.ys_oh);
  const std::int64_t x = Coordinate(m.x0 + at.kw * m.xs_kw + at.ow * m.xs_ow);
  const auto n = static_cast<std::int64_t>(lanes.size());

  // The lanes inside the image are [begin, end).
  const std::int64_t begin = std::clamp<std::int64_t>(-x, 0, n);
  const bool row_inside = 0 <= y && y < m.y_bound;
  const std::int64_t end = row_inside ? std::clamp<std::int64_t>(m.x_bound - x, begin, n) : begin;
  const auto first = static_cast<std::size_t>(begin);
  const auto count = static_cast<std::size_t>(end - begin);
  if (count < lanes.size()) std::ranges::fill(lanes, static_cast<isa::Activation>(m.zero_point));
  if (count == 0) return;

  const std::span<const isa::Activation> ub = state.ub.All();
  const auto byte = static_cast<std::size_t>(UbByteAddress(address + begin));
  if (byte + count > ub.size()) {
    throw Fault(isa::ErrorCode::kUbRange,
                fmt::format("unified buffer bytes {} to {} do not all exist, there are {}", byte,
                            byte + count - 1, ub.size()));
  }
  std::ranges::copy(ub.subspan(byte, count), lanes.subspan(first).begin());
}

/// acc[n] += sum over k of lanes[k] * W[k][n]. `sums` is scratch of N words; no sum of N products
/// overflows.
void MultiplyAccumulate(std::span<const isa::Activation> lanes, const WeightTile& tile,
                        std::span<isa::Sum> sums, std::span<isa::Sum> acc) {
  const std::size_t n = lanes.size();
  std::ranges::fill(sums, 0);
  for (std::size_t k = 0; k < n; ++k) {
    const std::int16_t* weights = tile.data() + k * n;
    const std::int16_t a = lanes[k];
    for (std::size_t i = 0; i < n; ++i) sums[i] += a * weights[i];
  }
  for (std::size_t i = 0; i < n; ++i) acc[i] = Wrap32(std::int64_t{acc[i]} + sums[i]);
}

}  // namespace

void Execute(const isa::Matmul& m, State& state) {
  std::vector<isa::Activation> lanes(state.config.n);
  std::vector<isa::Sum> sums(state.config.n);
  // One weight tile meets every output row before the next tile is taken.
  const auto multiply_tile = [&](std::int64_t ob, MatmulStep at) {
    const WeightTile tile = TakeTile(state);
    const bool first = at.cb == 0 && at.kh == 0 && at.kw == 0 && m.accumulate == 0;
    const std::int64_t acc_row = std::int64_t{m.acc_row} + ob * std::int64_t{m.acc_ob_stride};
    for (at.oh = 0; at.oh < m.n_oh; ++at.oh) {
      for (at.ow = 0; at.ow < m.n_ow; ++at.ow) {
        ReadWindow(m, state, at, lanes);
        const std::span<isa::Sum> acc = state.acc.Row(acc_row + at.oh * m.n_ow + at.ow);
        if (first) std::ranges::fill(acc, 0);
        MultiplyAccumulate(lanes, tile, sums, acc);
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

}  // namespace tpu::golden
