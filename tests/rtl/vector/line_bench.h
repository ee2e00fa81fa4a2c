// SPDX-License-Identifier: Apache-2.0
// The vector unit beside the golden model, for instructions of all kinds: what the tests of FVECTOR
// and IVECTOR share.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "golden/execute.h"
#include "golden/vector_walk.h"
#include "isa/element_format.h"
#include "isa/encoding.h"
#include "timing/vector_unit.h"
#include "vector_bench.h"

namespace tpu::vector_test {

using Any = std::variant<isa::Vector, isa::Fvector, isa::Ivector, isa::Adam>;

// Sources lie in the lower half of the buffer and outputs in the upper half, so that instructions
// do not depend on each other.
inline constexpr std::int64_t kOutBase = kUbRows / 2;
// Of VECTOR, FVECTOR and ADAM. Behind them lies what an ADAM replaces.
inline constexpr std::int64_t kOutRows = kUbRows / 4;
// Entries before the first one are for VECTOR, and for IVECTOR with the same requantisation, those
// from it on for wide requantisation, those from the second one on for FVECTOR.
inline constexpr std::uint32_t kWideEntries = 5;
inline constexpr std::uint32_t kFloatEntries = kParamRows / 2;

inline std::uint64_t Seed(std::uint64_t otherwise) {
  const char* text = std::getenv("TPU_SEED");
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

inline bool ReadsB(const isa::Fvector& v) {
  return v.map != isa::FloatMap::kCopy && v.operand == isa::FloatOperand::kUnifiedBuffer;
}
inline bool ReadsB(const isa::Ivector& v) {
  return (v.map != isa::IntegerMap::kCopy || v.requant == isa::IntegerRequant::kProduct) &&
         v.operand == isa::IntegerOperand::kUnifiedBuffer;
}

/// Rows that N numbers of a format take.
inline std::uint32_t Lines(isa::NumberFormat format) {
  return static_cast<std::uint32_t>(isa::BytesOf(format));
}
inline std::uint32_t Lines(isa::IntegerFormat format) {
  return static_cast<std::uint32_t>(isa::RowsOf(format));
}

inline std::uint32_t LinesOfA(const isa::Fvector& v) {
  return v.source == isa::VectorSource::kAccumulators ? 1 : Lines(v.a_format);
}
inline std::uint32_t LinesOfA(const isa::Ivector& v) {
  const bool words = v.a_format == isa::IntegerFormat::kInt32;
  return v.source == isa::VectorSource::kAccumulators && words ? 1 : Lines(v.a_format);
}

/// Cycles in which something is issued.
template <typename V>
std::uint64_t Active(const V& v, const Memories& /*memories*/) {
  const std::uint64_t inside = std::max(LinesOfA(v), ReadsB(v) ? Lines(v.b_format) : 1);
  std::uint64_t active = 0;
  golden::ForEachOutput(v, [&](golden::VectorStep at) {
    for (at.kh = 0; at.kh < v.n_kh; ++at.kh) {
      for (at.kw = 0; at.kw < v.n_kw; ++at.kw) active += golden::IsInside(v, at) ? inside : 1;
    }
  });
  return active;
}
inline std::uint64_t Active(const isa::Vector& v, const Memories& memories) {
  return Execute(v, memories, true).steps;
}

template <typename V>
std::uint64_t Writes(const V& v) {
  return std::uint64_t{v.n_cb} * v.n_oh * v.n_ow * Lines(v.o_format);
}
inline std::uint64_t Writes(const isa::Vector& v) {
  return std::uint64_t{v.n_cb} * v.n_oh * v.n_ow;
}

/// Of each row two taps, and three rows of numbers as results.
inline std::uint64_t Active(const isa::Adam& adam, const Memories& /*memories*/) {
  return std::uint64_t{2} * Lines(isa::NumberFormat::kFloat32) * adam.rows;
}
inline std::uint64_t Writes(const isa::Adam& adam) {
  return std::uint64_t{3} * Lines(isa::NumberFormat::kFloat32) * adam.rows;
}

/// The same instruction for one row.
inline void Shorten(Any& instruction) {
  std::visit(
      [](auto& v) {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, isa::Adam>) {
          v.rows = 1;
        } else {
          v.n_cb = v.n_oh = v.n_ow = 1;
        }
      },
      instruction);
}

/// Random loops, and VECTORs.
class LoopGenerator {
 public:
  explicit LoopGenerator(std::uint64_t seed) : rng_(seed) {}

  isa::Vector NextVector() {
    isa::Vector v;
    v.source = Pick(3) == 0 ? isa::VectorSource::kAccumulators : isa::VectorSource::kUnifiedBuffer;
    const bool acc = v.source == isa::VectorSource::kAccumulators;
    v.map = acc ? isa::VectorMap::kCopy : static_cast<isa::VectorMap>(Pick(7));
    v.reduce = static_cast<isa::VectorReduce>(Pick(2));
    v.requant = static_cast<isa::VectorRequant>(Pick(4));
    v.lut_enable = Pick(3) == 0 ? 1 : 0;
    v.lut = Pick(8);
    v.a_zero = Between(-128, 127);
    v.b_zero = Between(-128, 127);
    v.o_zero = Between(-128, 127);
    v.lo = -128;
    v.hi = 127;
    v.pre_shift = Pick(32);
    v.pre_mult = static_cast<std::int32_t>(rng_() & 0x7FFFFFFF);
    Window(v);
    v.param_row = Pick(4);
    v.param_stride = Pick(2);
    Addresses(v, acc ? std::int64_t{kAccRows} : kOutBase, kOutBase, kOutRows);
    if (Pick(4) == 0 && !acc) {
      // By column
      v.map = isa::VectorMap::kCopy;
      v.n_kh = v.n_kw = 3;
      v.a_kw = v.a_ow;
      v.xs_kw = v.xs_ow;
      v.a_row =
          Base({{v.n_cb, v.a_cb}, {v.n_oh, v.a_oh}, {v.n_ow, v.a_ow}, {3, v.a_kh}, {3, v.a_kw}},
               kOutBase);
    }
    return v;
  }

  std::uint32_t Pick(std::uint32_t n) { return static_cast<std::uint32_t>(rng_() % n); }

 protected:
  std::int32_t Between(std::int32_t lo, std::int32_t hi) {
    return lo + static_cast<std::int32_t>(Pick(static_cast<std::uint32_t>(hi - lo + 1)));
  }

  template <typename V>
  void Window(V& v) {
    v.n_cb = 1 + Pick(2);
    v.n_oh = 1 + Pick(3);
    v.n_ow = 1 + Pick(5);
    if (Pick(2) == 0) {
      v.n_kh = 1 + Pick(3);
      v.n_kw = 1 + Pick(3);
    }
    if (Pick(4) == 0) v.n_cb = v.n_oh = v.n_ow = 1;
    v.y0 = Between(-2, 1);
    v.x0 = Between(-2, 1);
    v.y_bound = Pick(2) == 0 ? 0xFFFF : Pick(7);
    v.x_bound = Pick(2) == 0 ? 0xFFFF : Pick(9);
    if (Pick(2) == 0) v.y0 = v.x0 = 0;
    v.ys_oh = Pick(3);
    v.ys_kh = Pick(3);
    v.xs_ow = Pick(3);
    v.xs_kw = Pick(3);
  }

  template <typename V>
  void Addresses(V& v, std::int64_t a_rows, std::int64_t b_rows, std::int64_t o_rows) {
    for (auto* stride :
         {&v.a_cb, &v.a_oh, &v.a_ow, &v.a_kh, &v.a_kw, &v.b_cb, &v.b_oh, &v.b_ow, &v.b_kh, &v.b_kw})
      *stride = Between(-9, 9);
    for (auto* stride : {&v.o_cb, &v.o_oh, &v.o_ow}) *stride = Between(-20, 20);
    v.a_row = Base(
        {{v.n_cb, v.a_cb}, {v.n_oh, v.a_oh}, {v.n_ow, v.a_ow}, {v.n_kh, v.a_kh}, {v.n_kw, v.a_kw}},
        a_rows);
    v.b_row = Base(
        {{v.n_cb, v.b_cb}, {v.n_oh, v.b_oh}, {v.n_ow, v.b_ow}, {v.n_kh, v.b_kh}, {v.n_kw, v.b_kw}},
        b_rows);
    v.o_row = static_cast<std::uint32_t>(
        kOutBase + Base({{v.n_cb, v.o_cb}, {v.n_oh, v.o_oh}, {v.n_ow, v.o_ow}}, o_rows));
  }

  std::int32_t Base(std::initializer_list<std::pair<std::uint32_t, std::int32_t>> loops,
                    std::int64_t rows) {
    std::int64_t low = 0;
    std::int64_t high = 0;
    for (const auto& [count, stride] : loops) {
      const std::int64_t reach = (std::int64_t{count} - 1) * stride;
      (reach < 0 ? low : high) += reach;
    }
    return Between(static_cast<std::int32_t>(-low), static_cast<std::int32_t>(rows - 1 - high));
  }

  std::mt19937_64& rng() { return rng_; }

 private:
  std::mt19937_64 rng_;
};

/// The unit, and a golden machine with the same memories.
template <typename BenchT>
class Pair {
 public:
  /// `fill` changes what lies in the memories at random.
  template <typename Fill>
  Pair(std::uint64_t seed, Fill fill)
      : bench_(seed),
        state_({.n = BenchT::kLanes,
                .ub_rows = kUbRows,
                .acc_rows = kAccRows,
                .param_rows = kParamRows,
                .bf16 = 1,
                .int16 = 1},
               external_) {
    bench_.FillMemories();
    bench_.set_remembers(true);
    Memories& memories = bench_.memories();
    fill(memories);
    bench_.LoadTables();
    Copy();
  }

  BenchT& bench() { return bench_; }

  /// Runs all instructions in one go and compares what each of them wrote.
  void ExpectLikeGolden(const std::vector<Any>& program) {
    Copy();
    std::vector<std::vector<std::int8_t>> ub = bench_.memories().ub;
    std::uint64_t active = 0;
    for (std::size_t i = 0; i < program.size(); ++i) {
      std::visit([&](const auto& v) { active += Active(v, bench_.memories()); }, program[i]);
      Queue(program[i], static_cast<std::uint32_t>(i));
    }
    bench_.Run(program.size(), 400000);
    ASSERT_EQ(bench_.dut()->err_valid, 0);
    const Log& log = bench_.log();
    ASSERT_EQ(log.done_cycles.size(), program.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < program.size(); ++i) {
      std::visit([&](const auto& v) { golden::Execute(v, state_); }, program[i]);
      next += std::visit([](const auto& v) { return Writes(v); }, program[i]);
      ASSERT_EQ(log.writes_at_done[i], next) << "writes before instruction " << i << " was done";
      for (std::size_t w = i == 0 ? 0 : log.writes_at_done[i - 1]; w < next; ++w) {
        ub[log.writes[w].row] = log.writes[w].bytes;
      }
      ASSERT_NO_FATAL_FAILURE(CompareBuffer(ub, Describe(program[i], i)));
    }
    EXPECT_EQ(log.active, active);
    for (int i = 0; i < 3; ++i) bench_.Cycle();
    EXPECT_EQ(bench_.dut()->busy, 0);
    EXPECT_EQ(log.done_cycles.size(), program.size());
    EXPECT_EQ(log.writes.size(), next);
  }

  /// The same for a program whose last instruction fails; whatever was issued is written.
  void ExpectErrorOfLast(const std::vector<Any>& program, std::uint32_t index) {
    Copy();
    std::optional<isa::ErrorCode> code;
    for (std::size_t i = 0; i < program.size(); ++i) {
      Queue(program[i], index + static_cast<std::uint32_t>(i));
      try {
        std::visit([&](const auto& v) { golden::Execute(v, state_); }, program[i]);
      } catch (const golden::Fault& fault) {
        ASSERT_EQ(i + 1, program.size());
        code = fault.code();
      }
    }
    Queue(program.front(), index + static_cast<std::uint32_t>(program.size()));
    ASSERT_TRUE(code);
    for (int i = 0; i < 100000 && bench_.dut()->err_valid == 0; ++i) {
      bench_.Cycle();
      ASSERT_LT(bench_.log().done_cycles.size(), program.size());
    }
    ASSERT_EQ(bench_.dut()->err_valid, 1);
    EXPECT_EQ(bench_.dut()->err_code, static_cast<int>(*code)) << Describe(program.back(), 0);
    EXPECT_EQ(bench_.dut()->err_index, index + program.size() - 1);
    for (int i = 0; i < 250; ++i) bench_.Cycle();
    EXPECT_EQ(bench_.dut()->err_index, index + program.size() - 1);
    std::vector<std::vector<std::int8_t>> ub = bench_.memories().ub;
    for (const Write& write : bench_.log().writes) ub[write.row] = write.bytes;
    CompareBuffer(ub, Describe(program.back(), program.size() - 1));
  }

  /// Whether the golden machine finds an error in it.
  template <typename V>
  bool Fails(const V& v) {
    Copy();
    try {
      golden::Execute(v, state_);
    } catch (const golden::Fault&) {
      return true;
    }
    return false;
  }

  void Queue(const Any& instruction, std::uint32_t index) {
    std::vector<std::uint8_t> bytes;
    std::visit([&](const auto& v) { isa::Encode(v, bytes); }, instruction);
    bench_.Queue(bytes, index);
  }

 private:
  void Copy() {
    const Memories& memories = bench_.memories();
    for (std::uint32_t r = 0; r < kUbRows; ++r)
      std::ranges::copy(memories.ub[r], state_.ub.Row(r).begin());
    for (std::uint32_t r = 0; r < kAccRows; ++r) {
      std::ranges::copy(memories.acc[r], state_.acc.Row(r).begin());
    }
    for (std::uint32_t e = 0; e < kParamRows; ++e) {
      std::ranges::copy(memories.params[e].bias, state_.bias.Row(e).begin());
      std::ranges::copy(memories.params[e].multiplier, state_.multiplier.Row(e).begin());
      std::ranges::copy(memories.params[e].shift, state_.shift.Row(e).begin());
    }
    for (std::size_t t = 0; t < memories.luts.size(); ++t) {
      std::ranges::copy(memories.luts[t], state_.lut.Row(static_cast<std::int64_t>(t)).begin());
    }
  }

  template <typename V>
  static std::string FieldsOf(const V& v) {
    return fmt::format(
        "map {} reduce {} formats {} {} {} source {} operand {} windows {} {} {} of {} {}",
        static_cast<int>(v.map), static_cast<int>(v.reduce), static_cast<int>(v.a_format),
        static_cast<int>(v.b_format), static_cast<int>(v.o_format), static_cast<int>(v.source),
        static_cast<int>(v.operand), v.n_cb, v.n_oh, v.n_ow, v.n_kh, v.n_kw);
  }

  static std::string Describe(const Any& instruction, std::size_t i) {
    if (const auto* f = std::get_if<isa::Fvector>(&instruction)) {
      return fmt::format("instruction {}: FVECTOR {} scale {} function {}", i, FieldsOf(*f),
                         f->scale, static_cast<int>(f->function));
    }
    if (const auto* v = std::get_if<isa::Ivector>(&instruction)) {
      return fmt::format("instruction {}: IVECTOR {} requant {}", i, FieldsOf(*v),
                         static_cast<int>(v->requant));
    }
    const bool adam = std::holds_alternative<isa::Adam>(instruction);
    return fmt::format("instruction {}: {}", i, adam ? "ADAM" : "VECTOR");
  }

  void CompareBuffer(const std::vector<std::vector<std::int8_t>>& ub, const std::string& what) {
    for (std::uint32_t r = 0; r < kUbRows; ++r) {
      ASSERT_TRUE(std::ranges::equal(ub[r], state_.ub.Row(r))) << "row " << r << ", " << what;
    }
  }

  BenchT bench_;
  std::vector<std::uint8_t> external_;
  golden::State state_;
};

/// What the timing model says of a program whose first instruction may be accepted in `cycle`: the
/// cycles in which each instruction is accepted and completed, and in which rows are written to
/// which banks.
struct Modelled {
  std::vector<std::uint64_t> accepted;
  std::vector<std::uint64_t> completed;
  std::vector<std::pair<std::uint64_t, timing::Banks>> writes;
};
inline Modelled Model(const isa::HardwareConfig& config, const std::vector<Any>& program,
                      std::uint64_t cycle) {
  timing::VectorUnit unit(config);
  timing::MatmulUnit array(config);
  Modelled modelled;
  // The last completion is known before the last rows are written.
  const auto ends = [&] {
    return modelled.completed.size() == program.size() && cycle > modelled.completed.back();
  };
  for (; !ends() && cycle < 1000000; ++cycle) {
    timing::Banks banks = 0;
    if (const auto completion = unit.Step(cycle, array, banks)) {
      modelled.completed.push_back(*completion);
    }
    unit.Foresee(cycle, cycle + 1);
    if (const timing::Banks bank = unit.Writes(cycle)) modelled.writes.emplace_back(cycle, bank);
    if (modelled.accepted.size() == program.size() || unit.ready() > cycle) continue;
    std::visit([&](const auto& v) { unit.Accept(v, cycle); }, program[modelled.accepted.size()]);
    modelled.accepted.push_back(cycle);
  }
  return modelled;
}

/// The same of what happened.
inline std::vector<std::pair<std::uint64_t, timing::Banks>> WritesOf(const Log& log) {
  std::vector<std::pair<std::uint64_t, timing::Banks>> writes;
  for (std::size_t i = 0; i < log.writes.size(); ++i) {
    writes.emplace_back(log.write_cycles[i], timing::BankOf(log.writes[i].row));
  }
  return writes;
}

inline constexpr std::array<Rates, 7> kRates = {{{},
                                                 {.command = 0.1},
                                                 {.a = 0.5, .b = 0.5, .acc = 0.5},
                                                 {.b = 0.2},
                                                 {.a = 0.3, .acc = 0.3},
                                                 {.acc = 0.15},
                                                 {}}};

}  // namespace tpu::vector_test
