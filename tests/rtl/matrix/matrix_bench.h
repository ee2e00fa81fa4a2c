// SPDX-License-Identifier: Apache-2.0
// What the tests of the matrix unit share: instructions and weights for a model of any size, and
// the loops of docs/isa.md, sections 6, 10.3 and 11.2.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <random>
#include <vector>

#include "VmatrixN16.h"
#include "VmatrixN32.h"
#include "VmatrixN4.h"
#include "VmatrixN4Bf16.h"
#include "VmatrixN4Int16.h"
#include "VmatrixN4Slow.h"
#include "VmatrixN8Both.h"
#include "VmatrixN8Slow.h"
#include "arithmetic/float/float32.h"
#include "isa/element_format.h"
#include "isa/encoding.h"
#include "tb/dut.h"

namespace tpu {
template <typename Model>
struct Shape;
template <>
struct Shape<VmatrixN4> {
  static constexpr int kN = 4, kUbRows = 64, kAccRows = 32, kAddLatency = 1, kBf16 = 0, kInt16 = 0;
};
template <>
struct Shape<VmatrixN4Slow> {
  static constexpr int kN = 4, kUbRows = 64, kAccRows = 32, kAddLatency = 3, kBf16 = 0, kInt16 = 0;
};
template <>
struct Shape<VmatrixN4Bf16> {
  static constexpr int kN = 4, kUbRows = 128, kAccRows = 32, kAddLatency = 3, kBf16 = 1, kInt16 = 0;
};
template <>
struct Shape<VmatrixN4Int16> {
  static constexpr int kN = 4, kUbRows = 128, kAccRows = 32, kAddLatency = 1, kBf16 = 0, kInt16 = 1;
};
template <>
struct Shape<VmatrixN8Both> {
  static constexpr int kN = 8, kUbRows = 128, kAccRows = 64, kAddLatency = 3, kBf16 = 1, kInt16 = 1;
};
template <>
struct Shape<VmatrixN8Slow> {
  static constexpr int kN = 8, kUbRows = 64, kAccRows = 64, kAddLatency = 1, kBf16 = 0, kInt16 = 0;
};
template <>
struct Shape<VmatrixN16> {
  static constexpr int kN = 16, kUbRows = 128, kAccRows = 64, kAddLatency = 1, kBf16 = 0,
                       kInt16 = 0;
};
template <>
struct Shape<VmatrixN32> {
  static constexpr int kN = 32, kUbRows = 64, kAccRows = 128, kAddLatency = 1, kBf16 = 0,
                       kInt16 = 0;
};

/// Copies bytes to and from a port of any width.
template <typename Port>
void SetBytes(Port& port, const std::uint8_t* bytes, std::size_t size) {
  std::memcpy(&port, bytes, size);
}

template <typename Model>
class Bench {
 public:
  static constexpr int kN = Shape<Model>::kN;
  static constexpr int kUbBytes = Shape<Model>::kUbRows * kN;
  static constexpr int kAccRows = Shape<Model>::kAccRows;
  static constexpr bool kBf16 = Shape<Model>::kBf16 != 0;
  static constexpr bool kInt16 = Shape<Model>::kInt16 != 0;
  /// Bytes of a weight on its way in, of a row of weights, and of a row that the buffer gives.
  static constexpr std::size_t kWeightBytes = kBf16 ? 2 : 1;
  static constexpr std::size_t kRowBytes = kWeightBytes * kN;
  static constexpr std::size_t kReadBytes = (kBf16 || kInt16 ? 2 : 1) * kN;
  /// Cycles from one row to the next of the same accumulator row.
  static constexpr int kDistance =
      Shape<Model>::kAddLatency == 1 ? 1 : Shape<Model>::kAddLatency + 2;
  /// `count` random runs, of the largest array fewer: it is simulated a hundred times slower.
  static constexpr std::uint64_t Runs(std::uint64_t count) {
    return kN < 32 ? count : count / 10 + 1;
  }
  /// Cycles from a read of the unified buffer to its data; of an accumulator row.
  static constexpr std::size_t kReadLatency = 3;
  static constexpr int kDrain = 3;
  /// Weights as int8, or as the words of bf16.
  using Tile = std::array<std::int16_t, kN * kN>;

  explicit Bench(std::uint64_t seed) : dut(seed), rng(seed), ub(kUbBytes), acc(kAccRows * kN) {
    for (auto& b : ub) b = static_cast<std::int8_t>(Uniform(-128, 127));
    // As bf16 such bytes are mostly infinities before long.
    for (std::size_t i = 0; kBf16 && i < ub.size(); i += 2) {
      const std::int16_t number = RandomWeight(isa::NumberFormat::kBfloat16);
      std::memcpy(&ub[i], &number, 2);
    }
    dut->cmd_valid = 0;
    dut->halt = 0;
    dut->wt_valid = 0;
    dut->acc_rd_valid = 0;
    dut.Reset();
  }

  /// What the n-th instruction of a run is given as its index: any numbers, different in all bits.
  static std::uint32_t IndexOf(std::size_t n) {
    return static_cast<std::uint32_t>(n + 1) * 0x9E3779B1U;
  }

  int Uniform(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(rng); }

  /// Any int8; bf16 near 1, rarely any other.
  std::int16_t RandomWeight(isa::NumberFormat format) {
    if (format == isa::NumberFormat::kInt8) return static_cast<std::int16_t>(Uniform(-128, 127));
    const int any = Uniform(0, 0xFFFF);
    if (Uniform(0, 99) == 0) return static_cast<std::int16_t>(any);
    return static_cast<std::int16_t>((any & 0x807F) | Uniform(120, 132) << 7);
  }

  /// Makes an instruction one of any format that the machine has. Returns how many of its
  /// numbers the buffer holds.
  int DrawFormat(isa::Matmul& m) {
    if (kBf16 && Uniform(0, 2) != 0) {
      m.format = isa::NumberFormat::kBfloat16;
      m.zero_point = 0;
    } else if (kInt16) {
      m.planes = static_cast<std::uint32_t>(Uniform(0, 1));
    }
    return Numbers(m);
  }
  static int Numbers(const isa::Matmul& m) {
    return kUbBytes / static_cast<int>(isa::ActivationBytes(m));
  }

  /// Queues an instruction with random weights and executes it in the model.
  void Add(const isa::Matmul& m) {
    std::vector<std::uint8_t> bytes;
    isa::Encode(m, bytes);
    commands.push_back(bytes);
    const std::size_t rows = std::size_t{m.n_ob} * m.n_cb * m.n_kh * m.n_kw * m.n_oh * m.n_ow;
    row_bytes.insert(row_bytes.end(), rows, kN * static_cast<std::size_t>(isa::ActivationBytes(m)));
    for (std::uint32_t ob = 0; ob < m.n_ob; ++ob) {
      for (std::uint32_t t = 0; t < m.n_cb * m.n_kh * m.n_kw; ++t) {
        Tile tile;
        for (auto& w : tile) w = RandomWeight(m.format);
        for (std::size_t row = 0; row < kN; ++row) {
          std::vector<std::uint8_t> out(kRowBytes);
          for (std::size_t n = 0; n < kN; ++n) {
            std::memcpy(&out[kWeightBytes * n], &tile[row * kN + n], kWeightBytes);
          }
          weight_rows.push_back(out);
        }
        const int kw = static_cast<int>(t % m.n_kw);
        const int kh = static_cast<int>(t / m.n_kw % m.n_kh);
        const int cb = static_cast<int>(t / m.n_kw / m.n_kh);
        ModelTile(m, static_cast<int>(ob), cb, kh, kw, tile, t == 0 && m.accumulate == 0);
      }
    }
  }

  /// Runs until `count` instructions are done, or `stop_after` cycles have passed; returns the
  /// cycles from the first row to the last.
  std::uint64_t Run(std::size_t count, double weight_rate) {
    std::bernoulli_distribution weight_valid(weight_rate);
    std::deque<std::vector<std::uint8_t>> reads(kReadLatency,
                                                std::vector<std::uint8_t>(kReadBytes));
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::size_t done = 0;
    std::size_t next_command = 0;
    for (int cycle = 0; done < count && (stop_after < 0 || cycle < stop_after); ++cycle) {
      if (cycle > 200000) {
        ADD_FAILURE() << "no end after 200000 cycles";
        break;
      }
      dut->cmd_valid = next_command < commands.size();
      if (dut->cmd_valid) SetBytes(dut->cmd, commands[next_command].data(), 64);
      dut->cmd_index = IndexOf(next_command);
      if (!wt_offered) wt_offered = !weight_rows.empty() && weight_valid(rng);
      dut->wt_valid = wt_offered;
      dut->acc_rd_valid = drain_row ? 1 : 0;
      dut->acc_rd_row = static_cast<std::uint8_t>(drain_row.value_or(0));
      if (wt_offered) SetBytes(dut->wt_data, weight_rows.front().data(), kRowBytes);
      SetBytes(dut->mm_rd_data, reads.front().data(), kReadBytes);
      dut.Eval();
      reads.pop_front();
      reads.push_back(dut->mm_rd_valid ? Read(dut->mm_rd_addr, dut->mm_rd_banks) : reads.back());
      if (dut->cmd_valid && dut->cmd_ready) ++next_command;
      if (dut->wt_valid && dut->wt_ready) {
        weight_rows.pop_front();
        wt_offered = false;
      }
      if (dut->ev_active) {
        if (first == 0) first = dut.cycles();
        last = dut.cycles();
      }
      const int events = dut->ev_active + dut->ev_wait_weights + dut->ev_weight_shift;
      EXPECT_LE(events, 1);
      if (dut->err_valid) {
        EXPECT_EQ(dut->ev_active, 0) << "a row after an error";
        EXPECT_EQ(dut->cmd_ready, 0) << "accepts after an error";
        break;
      }
      drains_refused += drain_row && dut->acc_rd_ready == 0 ? 1 : 0;
      dut.Tick();
      done += dut->done;
    }
    dut->cmd_valid = 0;
    dut->wt_valid = 0;
    dut->acc_rd_valid = 0;
    commands.clear();
    if (!dut->err_valid && stop_after < 0) {
      for (int cycle = 0; cycle < 3; ++cycle) {
        dut.Tick();
        EXPECT_EQ(dut->ev_active + dut->ev_wait_weights + dut->ev_weight_shift, 0)
            << "without an instruction";
      }
    }
    return last - first + 1;
  }

  /// One cycle of reset in the middle of whatever goes on. Nothing of that is left.
  void ResetNow() {
    weight_rows.clear();
    row_bytes.clear();
    wt_offered = false;
    for (Accumulator& a : acc) a.written = false;
    dut.Reset(1);
    for (const int row : {0, kAccRows / 2}) {
      dut->acc_rd_row = static_cast<std::uint8_t>(row);
      dut.Eval();
      EXPECT_EQ(dut->acc_rd_ready, 1) << "right after a reset";
    }
  }

  /// `cycles` cycles in which nothing may happen.
  void ExpectQuiet(int cycles) {
    for (int i = 0; i < cycles; ++i) {
      dut.Tick();
      ASSERT_EQ(dut->done, 0) << "cycle " << i;
      ASSERT_EQ(dut->err_valid, 0) << "cycle " << i;
      ASSERT_EQ(dut->mm_rd_valid, 0) << "cycle " << i;
      ASSERT_EQ(dut->ev_active + dut->ev_wait_weights + dut->ev_weight_shift, 0) << "cycle " << i;
    }
  }

  /// Drains every accumulator row that was written and compares.
  void CompareAccumulators() {
    for (int row = 0; row < kAccRows + kDrain; ++row) {
      const bool request = row < kAccRows;
      dut->acc_rd_valid = request;
      dut->acc_rd_row = static_cast<std::uint8_t>(request ? row : 0);
      dut.Eval();
      if (request) {
        ASSERT_TRUE(dut->acc_rd_ready);
      }
      if (row >= kDrain) {
        std::array<std::int32_t, kN> got{};
        std::memcpy(got.data(), &dut->acc_rd_data, sizeof got);
        for (int lane = 0; lane < kN; ++lane) {
          const auto& want = acc[static_cast<std::size_t>((row - kDrain) * kN + lane)];
          if (want.written) {
            ASSERT_EQ(got[static_cast<std::size_t>(lane)], want.value)
                << "accumulator row " << row - kDrain << " lane " << lane;
          }
        }
      }
      dut.Tick();
    }
    dut->acc_rd_valid = 0;
  }

  tb::Dut<Model> dut;
  std::mt19937_64 rng;
  std::vector<std::int8_t> ub;
  struct Accumulator {
    std::int32_t value = 0;
    bool written = false;
  };
  std::vector<Accumulator> acc;
  std::deque<std::vector<std::uint8_t>> weight_rows;
  /// Bytes of each row that is still to be requested.
  std::deque<std::size_t> row_bytes;
  std::vector<std::vector<std::uint8_t>> commands;
  bool wt_offered = false;
  /// Accumulator row that Run() asks for in every cycle, and in how many it was told to wait.
  std::optional<int> drain_row;
  int drains_refused = 0;
  /// Cycles after which Run() returns in any case, unless negative.
  int stop_after = -1;

 private:
  /// The bytes of a row, which lie in these banks, and anything behind them.
  std::vector<std::uint8_t> Read(std::uint32_t addr, unsigned banks) {
    if (row_bytes.empty()) {
      ADD_FAILURE() << "a row of no instruction";
      return std::vector<std::uint8_t>(kReadBytes);
    }
    const std::size_t count = row_bytes.front();
    row_bytes.pop_front();
    std::vector<std::uint8_t> bytes(kReadBytes);
    unsigned expected = 0;
    for (std::uint32_t i = 0; i < kReadBytes; ++i) {
      const std::uint32_t at = (addr + i) % kUbBytes;
      bytes[i] = static_cast<std::uint8_t>(i < count ? ub[at] : Uniform(-128, 127));
      if (i < count) expected |= 1U << (at / kN % 4);
    }
    EXPECT_EQ(banks, expected);
    return bytes;
  }

  /// acc[n] after the tile's sum has been added, or has overwritten it.
  std::int32_t Sum(const isa::Matmul& m, const std::array<std::int16_t, kN>& row, const Tile& tile,
                   int n, bool overwrite, std::int32_t before) const {
    if (m.format == isa::NumberFormat::kInt8) {
      std::int32_t sum = overwrite ? 0 : before;
      for (int k = 0; k < kN; ++k) {
        sum += row[static_cast<std::size_t>(k)] * tile[static_cast<std::size_t>(k * kN + n)];
      }
      return sum;
    }
    const auto number = [](std::int16_t word) {
      return arithmetic::FloatOfBf16(static_cast<std::uint16_t>(word));
    };
    float sum = 0;
    for (int k = 0; k < kN; ++k) {
      sum = arithmetic::Fma(sum, number(row[static_cast<std::size_t>(k)]),
                            number(tile[static_cast<std::size_t>(k * kN + n)]));
    }
    return std::bit_cast<std::int32_t>(
        overwrite ? sum : arithmetic::Add(std::bit_cast<float>(before), sum));
  }

  /// A number of the buffer as the array takes it in output row `oh`. x = 256 high + low + 128.
  std::int16_t Activation(const isa::Matmul& m, int oh, int number) const {
    const auto at = static_cast<std::size_t>(number);
    if (isa::ActivationBytes(m) == 1) return ub[at];
    std::int16_t x = 0;
    std::memcpy(&x, &ub[2 * at], 2);
    const int high = x >> 8;
    if (m.planes == 0) return x;
    return static_cast<std::int16_t>(oh % 2 == 0 ? high : x - 256 * high - 128);
  }

  /// Of a lane outside: the zero point is a byte of each plane as the array takes it.
  static std::int16_t Outside(const isa::Matmul& m, int oh) {
    const bool low = m.planes != 0 && oh % 2 != 0;
    return static_cast<std::int16_t>(!low ? m.zero_point
                                          : m.zero_point - (m.zero_point < 0 ? -128 : 128));
  }

  void ModelTile(const isa::Matmul& m, int ob, int cb, int kh, int kw, const Tile& tile,
                 bool overwrite) {
    for (int oh = 0; oh < static_cast<int>(m.n_oh); ++oh) {
      for (int ow = 0; ow < static_cast<int>(m.n_ow); ++ow) {
        const int image_row = m.planes == 0 ? oh : oh / 2;
        const int addr =
            m.ub_addr + cb * m.s_cb + kh * m.s_kh + kw * m.s_kw + image_row * m.s_oh + ow * m.s_ow;
        const int y = m.y0 + kh * static_cast<int>(m.ys_kh) + image_row * static_cast<int>(m.ys_oh);
        const int x = m.x0 + kw * static_cast<int>(m.xs_kw) + ow * static_cast<int>(m.xs_ow);
        const auto row = m.acc_row + static_cast<std::uint32_t>(ob) * m.acc_ob_stride +
                         static_cast<std::uint32_t>(oh) * m.n_ow + static_cast<std::uint32_t>(ow);
        if (row >= static_cast<std::uint32_t>(kAccRows)) return;
        std::array<std::int16_t, kN> lanes{};
        for (int k = 0; k < kN; ++k) {
          const bool inside = y >= 0 && y < static_cast<int>(m.y_bound) && x + k >= 0 &&
                              x + k < static_cast<int>(m.x_bound);
          if (inside && (addr + k < 0 || addr + k >= Numbers(m))) return;
          std::int16_t& lane = lanes[static_cast<std::size_t>(k)];
          lane = inside ? Activation(m, oh, addr + k) : Outside(m, oh);
        }
        for (int n = 0; n < kN; ++n) {
          auto& target = acc[row * kN + static_cast<std::uint32_t>(n)];
          target.value = Sum(m, lanes, tile, n, overwrite, target.value);
          target.written = target.written || overwrite;
        }
      }
    }
  }
};

/// A random legal instruction whose inside lanes stay in the buffer: wide (pixels of N bytes) or
/// thin (pixels of C bytes).
template <typename Model>
isa::Matmul RandomMatmul(Bench<Model>& b) {
  constexpr int kN = Bench<Model>::kN;
  const bool thin = b.Uniform(0, 2) == 0;
  const int pixel = thin ? b.Uniform(1, 3) : kN;
  const int height = b.Uniform(1, 5);
  const int width = b.Uniform(1, 6);
  const int stride = b.Uniform(1, 2);
  const int dilation = thin ? 1 : b.Uniform(1, 2);
  const int row_bytes = width * pixel;
  isa::Matmul m;
  m.accumulate = 0;
  m.zero_point = b.Uniform(-128, 127);
  const int numbers = b.DrawFormat(m);
  const int pad_y = b.Uniform(0, 2);
  const int pad_x = b.Uniform(0, 2);
  const int plane = thin ? 0 : row_bytes * height;
  m.n_ob = static_cast<std::uint32_t>(b.Uniform(1, 2));
  m.n_cb = static_cast<std::uint32_t>(thin ? 1 : b.Uniform(1, 2));
  m.n_kh = static_cast<std::uint32_t>(b.Uniform(1, 3));
  m.n_kw = static_cast<std::uint32_t>(b.Uniform(1, 3));
  m.n_oh = static_cast<std::uint32_t>(b.Uniform(1, 3));
  m.n_ow = static_cast<std::uint32_t>(b.Uniform(1, 5));
  const int base = b.Uniform(0, numbers - 2 * height * row_bytes);
  m.y0 = -pad_y;
  m.x0 = -pad_x * pixel;
  m.ub_addr = base + m.y0 * row_bytes + m.x0;
  m.y_bound = static_cast<std::uint32_t>(height);
  m.x_bound = static_cast<std::uint32_t>(row_bytes);
  m.s_cb = plane;
  m.s_kh = dilation * row_bytes;
  m.ys_kh = static_cast<std::uint32_t>(dilation);
  m.s_kw = thin ? kN : dilation * kN;
  m.xs_kw = static_cast<std::uint32_t>(m.s_kw);
  m.s_oh = stride * row_bytes;
  m.ys_oh = static_cast<std::uint32_t>(stride);
  m.s_ow = stride * pixel;
  m.xs_ow = static_cast<std::uint32_t>(m.s_ow);
  const int rows = static_cast<int>(m.n_oh * m.n_ow);
  m.acc_ob_stride = static_cast<std::uint32_t>(m.n_ob > 1 ? rows : 0);
  m.acc_row = static_cast<std::uint32_t>(b.Uniform(0, Bench<Model>::kAccRows - 2 * rows));
  return m;
}

/// An instruction of each format that the model has.
template <typename Model>
std::vector<isa::Matmul> InEachFormat(const isa::Matmul& m) {
  std::vector<isa::Matmul> all(1, m);
  if (Bench<Model>::kBf16) {
    all.push_back(m);
    all.back().format = isa::NumberFormat::kBfloat16;
  }
  if (Bench<Model>::kInt16) {
    all.push_back(m);
    all.back().planes = 1;
  }
  return all;
}

template <typename Model>
isa::Matmul PlainMatmul(std::uint32_t rows, std::uint32_t tiles) {
  isa::Matmul m;
  m.n_ow = rows;
  m.n_cb = tiles;
  m.s_ow = Bench<Model>::kN;
  m.y_bound = 1;
  m.x_bound = Bench<Model>::kN;
  return m;
}

/// Of all shapes.
using Matrices = testing::Types<VmatrixN4, VmatrixN4Slow, VmatrixN4Bf16, VmatrixN4Int16,
                                VmatrixN8Slow, VmatrixN8Both, VmatrixN16, VmatrixN32>;

}  // namespace tpu
