// SPDX-License-Identifier: Apache-2.0
// tpu_vector_lanes alone: taps and columns in, rows of bytes out, in every configuration. The
// compiler's choice of instructions and the reads belong to tpu_vector; here the taps of an
// instruction come at random distances, and both configuration banks are in use at a time.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include "Vlanes_n4.h"
#include "Vlanes_n4_r4.h"
#include "Vlanes_n8_r2.h"
#include "Vlanes_n8_r8_window.h"
#include "isa/encoding.h"
#include "lane_control.h"
#include "tb/dut.h"
#include "vector_model.h"

namespace tpu::vector_test {
namespace {

using isa::VectorMap;
using isa::VectorReduce;
using isa::VectorRequant;

constexpr std::uint32_t kParamRows = 16;
constexpr std::uint64_t kIssueToOperands = 3;
constexpr std::uint64_t kTapToBytes = 17;  // And a cycle for each lane that shares a requantiser.

// What enters the lanes in one cycle: a tap, or a column.
struct Step {
  bool column = false;
  bool weight = false;
  bool tap = false;
  bool inside = true;
  bool uses_b = false;
  bool first = true;
  bool last = false;
  bool final = false;
  std::uint32_t param = 0;
  // Rows of the three streams; none: not read.
  std::array<std::optional<std::uint32_t>, 3> rows;
};

template <typename Model, std::size_t kN, std::uint64_t kRequantLanes, bool kWindow>
class Lanes {
 public:
  explicit Lanes(std::uint64_t seed) : dut_(seed), rng_(seed) {
    dut_->take = 0;
    dut_->token = 0;
    dut_->param_wr_valid = 0;
    dut_->lut_wr_valid = 0;
    dut_.Reset();
    FillMemories();
  }

  void Run(int instructions) {
    bool bank = false;
    for (int i = 0; i < instructions; ++i) {
      const bool columns = kWindow && rng_() % 3 == 0;
      const isa::Vector v = columns ? RandomWindows() : RandomTaps();
      while ((dut_->bank_busy >> static_cast<int>(bank) & 1) != 0) Cycle(nullptr);
      Take(v, bank);
      const Effects effects = Execute(v, memories_, kWindow);
      auto write = effects.writes.begin();
      for (const Step& step : columns ? Columns(v) : Taps(v)) {
        while (rng_() % 4 == 0 || (step.last && dut_.cycles() < next_row_)) Cycle(nullptr);
        if (step.last) {
          next_row_ = dut_.cycles() + kRequantLanes;
          rows_.push_back(
              {dut_.cycles() + kTapToBytes + kRequantLanes, (write++)->bytes, step.final});
        }
        Cycle(&step);
        if (::testing::Test::HasFailure()) return;
      }
      ASSERT_EQ(write, effects.writes.end());
      bank = !bank;
    }
    while (!rows_.empty()) {
      Cycle(nullptr);
      if (::testing::Test::HasFailure()) return;
    }
    for (int i = 0; i < 3; ++i) Cycle(nullptr);
    EXPECT_EQ(dut_->bank_busy, 0);
  }

 private:
  struct Row {
    std::uint64_t cycle;
    std::vector<std::int8_t> bytes;
    bool final;
  };
  struct Operands {
    std::uint64_t cycle;
    Step step;
  };

  std::int32_t Word() {
    constexpr std::array kExtremes = {0, 1, -1, std::numeric_limits<std::int32_t>::max(),
                                      std::numeric_limits<std::int32_t>::min()};
    if (rng_() % 8 == 0) return kExtremes[rng_() % kExtremes.size()];
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(rng_())) >> (rng_() % 32);
  }

  std::int8_t Byte() {
    constexpr std::array<std::int8_t, 4> kExtremes = {0, 1, -128, 127};
    return rng_() % 4 == 0 ? kExtremes[rng_() % 4] : static_cast<std::int8_t>(rng_());
  }

  void FillMemories() {
    memories_.ub.resize(256);
    memories_.acc.resize(256);
    for (std::size_t row = 0; row < 256; ++row) {
      for (std::size_t i = 0; i < kN; ++i) {
        memories_.ub[row].push_back(Byte());
        memories_.acc[row].push_back(Word());
      }
    }
    memories_.params.resize(kParamRows);
    for (std::uint32_t e = 0; e < kParamRows; ++e) {
      ParamEntry& entry = memories_.params[e];
      for (std::size_t i = 0; i < kN; ++i) {
        entry.bias.push_back(Word());
        entry.multiplier.push_back(static_cast<std::int32_t>(rng_() & 0x7FFFFFFF) >>
                                   (rng_() % 2 * (rng_() % 31)));
        entry.shift.push_back(static_cast<std::int8_t>(static_cast<int>(rng_() % 46) - 31));
      }
      std::vector<std::uint8_t> bytes(9 * kN);
      std::memcpy(bytes.data(), entry.bias.data(), 4 * kN);
      std::memcpy(bytes.data() + 4 * kN, entry.multiplier.data(), 4 * kN);
      std::memcpy(bytes.data() + 8 * kN, entry.shift.data(), kN);
      for (std::uint8_t chunk = 0; chunk < 9; ++chunk) {
        dut_->param_wr_valid = 1;
        dut_->param_wr_entry = static_cast<std::uint8_t>(e);
        dut_->param_wr_chunk = chunk;
        std::memcpy(static_cast<void*>(&dut_->param_wr_data), bytes.data() + chunk * kN, kN);
        dut_.Tick();
      }
    }
    dut_->param_wr_valid = 0;
    for (std::uint32_t i = 0; i < 2048; ++i) {
      memories_.luts[i / 256][i % 256] = static_cast<std::int8_t>(rng_());
      dut_->lut_wr_valid = 1;
      dut_->lut_wr_addr = static_cast<std::uint16_t>(i);
      dut_->lut_wr_data = static_cast<std::uint8_t>(memories_.luts[i / 256][i % 256]);
      dut_.Tick();
    }
    dut_->lut_wr_valid = 0;
  }

  void ChooseOutput(isa::Vector& v) {
    v.reduce = static_cast<VectorReduce>(rng_() % 2);
    v.requant = static_cast<VectorRequant>(rng_() % 4);
    v.float_rounding = rng_() % 4 == 0 ? 1 : 0;
    v.lut_enable = rng_() % 2;
    v.lut = rng_() % 8;
    v.param_row = rng_() % kParamRows;
    v.a_zero = Byte();
    v.o_zero = Byte();
    v.lo = Byte();
    v.hi = Byte();
    v.n_cb = 1;
    v.n_oh = 1;
  }

  // Rows of taps that lie one behind the other in memory; some of the taps outside the image.
  isa::Vector RandomTaps() {
    isa::Vector v{};
    ChooseOutput(v);
    v.map = static_cast<VectorMap>(rng_() % 7);
    if (v.map == VectorMap::kCopy && rng_() % 2 == 0) v.source = isa::VectorSource::kAccumulators;
    v.pre_mult = rng_() % 4 == 0 ? 0 : static_cast<std::int32_t>(rng_() & 0x7FFFFFFF);
    v.pre_shift = rng_() % 32;
    v.b_zero = Byte();
    v.n_kh = 1;
    v.n_kw = 1 + rng_() % 4;
    v.n_ow = 1 + rng_() % 12;
    v.a_kw = 1;
    v.a_ow = static_cast<std::int32_t>(v.n_kw);
    v.b_row = 128;
    v.b_kw = 1;
    v.b_ow = v.a_ow;
    v.o_ow = 1;
    v.xs_kw = 1;
    v.y_bound = 1;
    v.x0 = -static_cast<std::int32_t>(rng_() % 2);
    v.x_bound = 1 + rng_() % 5;
    return v;
  }

  static std::vector<Step> Taps(const isa::Vector& v) {
    std::vector<Step> steps;
    for (std::uint32_t ow = 0; ow < v.n_ow; ++ow) {
      for (std::uint32_t kw = 0; kw < v.n_kw; ++kw) {
        const std::int64_t x = v.x0 + std::int64_t{kw};
        const bool last = kw + 1 == v.n_kw;
        Step step = {.tap = true,
                     .inside = x >= 0 && x < v.x_bound,
                     .uses_b = v.map != VectorMap::kCopy,
                     .first = kw == 0,
                     .last = last,
                     .final = last && ow + 1 == v.n_ow,
                     .param = v.param_row};
        if (step.inside) step.rows[0] = ow * v.n_kw + kw;
        if (step.inside && step.uses_b) step.rows[1] = 128 + ow * v.n_kw + kw;
        steps.push_back(step);
      }
    }
    return steps;
  }

  // A line of 3 x 3 windows, one or two columns apart.
  isa::Vector RandomWindows() {
    isa::Vector v{};
    ChooseOutput(v);
    if (rng_() % 2 == 0) {
      v.map = VectorMap::kMultiply;
      v.reduce = VectorReduce::kSum;
    }
    const auto apart = static_cast<std::int32_t>(1 + rng_() % 2);
    v.n_kh = 3;
    v.n_kw = 3;
    v.n_ow = 1 + rng_() % 8;
    v.a_kh = 30;
    v.a_kw = 1;
    v.a_ow = apart;
    v.b_row = 128;
    v.b_kh = 3;
    v.b_kw = 1;
    v.b_cb = 9;
    v.o_ow = 1;
    v.ys_kh = 1;
    v.xs_kw = 1;
    v.xs_ow = static_cast<std::uint32_t>(apart);
    v.y0 = -static_cast<std::int32_t>(rng_() % 4);
    v.x0 = -static_cast<std::int32_t>(rng_() % 5);
    v.y_bound = 1 + rng_() % 3;
    v.x_bound = 1 + rng_() % 20;
    return v;
  }

  static std::vector<Step> Columns(const isa::Vector& v) {
    std::vector<Step> steps;
    for (std::uint32_t kw = 0; kw < 3; ++kw) {
      Step step = {.column = true, .weight = true};
      for (std::uint32_t kh = 0; v.map == VectorMap::kMultiply && kh < 3; ++kh) {
        step.rows[kh] = 128 + 3 * kh + kw;
      }
      steps.push_back(step);
    }
    const std::uint32_t columns = v.xs_ow * (v.n_ow - 1) + 3;
    for (std::uint32_t column = 0; column < columns; ++column) {
      const bool complete = column >= 2 && (column - 2) % v.xs_ow == 0;
      Step step = {.column = true,
                   .tap = complete,
                   .last = complete,
                   .final = column + 1 == columns,
                   .param = v.param_row};
      for (std::uint32_t kh = 0; kh < 3; ++kh) {
        const std::int64_t y = v.y0 + std::int64_t{kh};
        const std::int64_t x = v.x0 + std::int64_t{column};
        if (y >= 0 && y < v.y_bound && x >= 0 && x < v.x_bound) step.rows[kh] = 30 * kh + column;
      }
      steps.push_back(step);
    }
    return steps;
  }

  void Take(const isa::Vector& v, bool bank) {
    bank_ = bank;
    std::vector<std::uint8_t> bytes;
    isa::Encode(v, bytes);
    std::memcpy(static_cast<void*>(&dut_->cmd), bytes.data(), sizeof(dut_->cmd));
    dut_->take = 1;
    dut_->take_bank = bank ? 1 : 0;
    Cycle(nullptr);
    dut_->take = 0;
    dut_->take_bank = rng_() & 1;
  }

  // Bytes of the row, or noise.
  std::vector<std::int8_t> Bytes(const std::optional<std::uint32_t>& row) {
    if (row && *row < memories_.ub.size()) return memories_.ub[*row];
    std::vector<std::int8_t> noise(kN);
    for (auto& byte : noise) byte = static_cast<std::int8_t>(rng_());
    return noise;
  }

  // rtl/include/tpu_vector_token.vh; of a cycle without tap and column, what may be anything.
  static constexpr std::uint64_t kBesideNothing = 0b111'1111'1100;
  [[nodiscard]] std::uint64_t Token(const Step& step) const {
    std::uint64_t token = 0;
    const std::array bits = {step.tap,    step.column, step.weight, step.rows[0].has_value(),
                             step.column, step.inside, step.uses_b, step.first,
                             step.last,   step.final,  bank_};
    for (std::size_t i = 0; i < bits.size(); ++i) token |= std::uint64_t{bits[i]} << i;
    return token;
  }

  void Cycle(const Step* step) {
    dut_->token =
        static_cast<std::uint16_t>(step != nullptr ? Token(*step) : rng_() & kBesideNothing);
    dut_->token_param =
        static_cast<std::uint8_t>(step != nullptr ? step->param : rng_() % kParamRows);
    if (step != nullptr) operands_.push_back({dut_.cycles() + kIssueToOperands, *step});
    Step now = {.inside = false};
    if (!operands_.empty() && operands_.front().cycle == dut_.cycles()) {
      now = operands_.front().step;
      operands_.pop_front();
    }
    SetPort(dut_->a_bytes, Bytes(now.rows[0]));
    SetPort(dut_->b_bytes, Bytes(now.rows[1]));
    SetPort(dut_->c_bytes, Bytes(now.rows[2]));
    SetPort(dut_->a_words, memories_.acc[now.rows[0].value_or(rng_() % 256)]);
    dut_->b_present = now.rows[1].has_value() ? 1 : 0;
    dut_->c_present = now.rows[2].has_value() ? 1 : 0;
    dut_.Eval();
    EXPECT_EQ(dut_->b_pop != 0, now.column || (now.tap && now.inside && now.uses_b));
    EXPECT_EQ(dut_->c_pop != 0, now.column);
    const bool due = !rows_.empty() && rows_.front().cycle == dut_.cycles();
    EXPECT_EQ(dut_->out_valid != 0, due) << "cycle " << dut_.cycles();
    EXPECT_EQ(dut_->out_final != 0, due && rows_.front().final) << "cycle " << dut_.cycles();
    if (due) {
      std::vector<std::int8_t> bytes(kN);
      std::memcpy(bytes.data(), static_cast<const void*>(&dut_->out_bytes), kN);
      EXPECT_EQ(bytes, rows_.front().bytes);
      rows_.pop_front();
    }
    dut_.Tick();
  }

  tb::Dut<Model> dut_;
  std::mt19937_64 rng_;
  Memories memories_;
  bool bank_ = false;
  std::uint64_t next_row_ = 0;
  std::deque<Operands> operands_;
  std::deque<Row> rows_;
};

template <typename T>
class VectorLanes : public ::testing::Test {};

using Configurations =
    ::testing::Types<Lanes<Vlanes_n4, 4, 1, true>, Lanes<Vlanes_n4_r4, 4, 4, false>,
                     Lanes<Vlanes_n8_r2, 8, 2, true>, Lanes<Vlanes_n8_r8_window, 8, 8, true>>;
TYPED_TEST_SUITE(VectorLanes, Configurations);

TYPED_TEST(VectorLanes, RandomTapsAndColumnsMatchTheModel) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    TypeParam lanes(seed);
    lanes.Run(100);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace tpu::vector_test
