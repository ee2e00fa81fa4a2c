// SPDX-License-Identifier: Apache-2.0
// When the vector unit writes, seen from behind it.
#include "timing/vector_unit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "tests/seeds.h"

namespace tpu::timing {
namespace {

// Rows of accumulators, a tap in each cycle.
isa::Vector RandomVector(std::mt19937& rng) {
  const auto pick = [&rng](std::uint32_t low, std::uint32_t high) {
    return std::uniform_int_distribution(low, high)(rng);
  };
  isa::Vector v;
  v.source = isa::VectorSource::kAccumulators;
  v.n_cb = pick(1, 3);
  v.n_oh = pick(1, 5);
  v.n_ow = pick(1, 9);
  v.n_kw = pick(0, 2) == 0 ? pick(1, 3) : 1;
  v.o_row = pick(0, 3);
  v.o_cb = static_cast<std::int32_t>(pick(0, 50));
  v.o_oh = static_cast<std::int32_t>(pick(0, 9));
  v.o_ow = static_cast<std::int32_t>(pick(0, 3));
  return v;
}

// Adds the writes of an instruction whose taps end in cycle `last`.
void AddWrites(const isa::Vector& v, Cycle last, std::map<Cycle, Banks>& writes) {
  Cycle tap = last + 1 - Cycle{v.n_cb} * v.n_oh * v.n_ow * v.n_kw;
  for (std::uint32_t cb = 0; cb < v.n_cb; ++cb) {
    for (std::uint32_t oh = 0; oh < v.n_oh; ++oh) {
      for (std::uint32_t ow = 0; ow < v.n_ow; ++ow) {
        tap += v.n_kw;
        const std::int64_t row = std::int64_t{v.o_row} + std::int64_t{cb} * v.o_cb +
                                 std::int64_t{oh} * v.o_oh + std::int64_t{ow} * v.o_ow;
        // 19 cycles after the window's last tap.
        writes[tap - 1 + 19] = BankOf(static_cast<std::uint32_t>(row));
      }
    }
  }
}

struct Seen {
  Cycle cycle = 0;
  Banks banks = 0;
};

TEST(VectorUnit, ForeseesItsWritesFromWhereverItIsStepped) {
  for (const unsigned seed : Seeds(100)) {
    SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
    std::mt19937 rng(seed);
    const std::vector<isa::Vector> program = [&rng] {
      std::vector<isa::Vector> vectors(10);
      for (isa::Vector& vector : vectors) vector = RandomVector(rng);
      return vectors;
    }();
    VectorUnit unit{isa::HardwareConfig{}};
    MatmulUnit array{isa::HardwareConfig{}};
    std::map<Cycle, Banks> writes;
    std::vector<Seen> seen;
    std::size_t accepted = 0;
    std::size_t completed = 0;
    Cycle now = 0;
    for (Cycle stepped = 100; completed < program.size(); ++stepped) {
      // Whoever asks does so now and then, about any cycle from its own on.
      now = std::max(now, stepped - rng() % (VectorUnit::kAhead + 1));
      if (rng() % 16 == 0) {
        unit.Foresee(now, stepped);
        ASSERT_GE(unit.writes_known(), stepped + 19);
        for (Cycle cycle = now; cycle < unit.writes_known(); ++cycle) {
          seen.push_back({cycle, unit.Writes(cycle)});
        }
      }
      Banks banks = 0;
      if (const auto completion = unit.Step(stepped, array, banks)) {
        AddWrites(program[completed++], *completion - VectorUnit::TapToDone({}), writes);
      }
      if (accepted < program.size() && unit.ready() <= stepped && rng() % 8 == 0) {
        unit.Accept(program[accepted++], stepped);
      }
    }
    for (const auto& [cycle, banks] : seen) {
      const auto found = writes.find(cycle);
      ASSERT_EQ(banks, found == writes.end() ? 0 : found->second) << cycle;
    }
  }
}

}  // namespace
}  // namespace tpu::timing
