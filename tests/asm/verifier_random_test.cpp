// SPDX-License-Identifier: Apache-2.0
// Order findings of random programs against a search through the graph of starts and completions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>

#include "asm/order.h"
#include "asm/verifier.h"
#include "tests/asm/naive_footprint.h"
#include "tests/asm/small_instruction.h"

namespace tpu::assembly {
namespace {

constexpr std::uint64_t kRandomBytes = 1024;
using Program = std::vector<isa::Instruction>;

isa::HardwareConfig RandomConfig() {
  isa::HardwareConfig config;
  config.n = 4;
  config.ub_rows = 64;
  config.acc_rows = 32;
  config.param_rows = 16;
  config.bf16 = 1;
  config.int16 = 1;
  return config;
}

/// Instructions in range, each posting and waiting at random where a post is there to meet the
/// wait.
Program RandomProgram(std::uint64_t seed) {
  SmallInstructions instructions(seed, 50, 3);
  FootprintCalculator calculator(RandomConfig(), kRandomBytes);
  std::mt19937_64 rng(seed);
  // Semaphore s is posted by unit 1 + s % 5 and waited for by unit 1 + s / 5.
  std::array<int, 25> available{};
  Program program;
  while (program.size() < 24) {
    isa::Instruction instruction = instructions.Next();
    if (!calculator.Of(instruction).errors.empty()) continue;
    const std::size_t unit = UnitIndex(instruction);
    isa::Semaphores& semaphores = isa::SemaphoresOf(instruction);
    for (std::size_t s = 0; s < available.size(); ++s) {
      if (1 + s / 5 == unit && available[s] > 0 && rng() % 4 != 0) {
        semaphores.wait |= 1U << s;
        --available[s];
      }
    }
    for (std::size_t s = 0; s < available.size(); ++s) {
      if (1 + s % 5 == unit && rng() % 3 == 0) {
        semaphores.post |= 1U << s;
        ++available[s];
      }
    }
    program.push_back(instruction);
  }
  return program;
}

/// Nodes 2i and 2i+1 are the start and the completion of instruction i.
class Graph {
 public:
  explicit Graph(const Program& program) : next_(2 * program.size()) {
    std::array<std::deque<std::size_t>, 32> posts;
    std::array<std::optional<std::size_t>, isa::kNumUnits> previous;
    for (std::size_t i = 0; i < program.size(); ++i) {
      next_[2 * i].push_back(2 * i + 1);
      std::optional<std::size_t>& before = previous[UnitIndex(program[i])];
      if (before) {
        next_[2 * *before].push_back(2 * i);
        next_[2 * *before + 1].push_back(2 * i + 1);
      }
      before = i;
      const isa::Semaphores& semaphores = isa::SemaphoresOf(program[i]);
      for (std::size_t s = 0; s < 32; ++s) {
        if ((semaphores.wait >> s & 1) != 0) {
          next_[2 * posts[s].front() + 1].push_back(2 * i);
          posts[s].pop_front();
        }
      }
      for (std::size_t s = 0; s < 32; ++s) {
        if ((semaphores.post >> s & 1) != 0) posts[s].push_back(i);
      }
    }
  }

  /// Whether the completion of `i` precedes the start of `j`.
  [[nodiscard]] bool Precedes(std::size_t i, std::size_t j) const {
    std::vector<bool> seen(next_.size());
    std::vector<std::size_t> open = {2 * i + 1};
    while (!open.empty()) {
      const std::size_t node = open.back();
      open.pop_back();
      if (node == 2 * j) return true;
      for (const std::size_t n : next_[node]) {
        if (!seen[n]) open.push_back(n);
        seen[n] = true;
      }
    }
    return false;
  }

 private:
  std::vector<std::vector<std::size_t>> next_;
};

bool Meet(const std::set<std::uint64_t>& a, const std::set<std::uint64_t>& b) {
  return std::any_of(a.begin(), a.end(), [&b](auto place) { return b.contains(place); });
}

/// Whether the instructions touch a place in a way that the units do not order by themselves.
bool Conflict(const NaiveFootprint& first, const NaiveFootprint& second, bool same_unit) {
  for (const auto& [a, places_a] : first.places) {
    for (const auto& [b, places_b] : second.places) {
      const auto& [space_a, write_a] = a;
      const auto& [space_b, write_b] = b;
      if (space_a != space_b || !(write_a || write_b)) continue;
      const bool ub_read_after_write = space_a == Space::kUnifiedBuffer && write_a && !write_b;
      if (same_unit && !ub_read_after_write) continue;
      if (Meet(places_a, places_b)) return true;
    }
  }
  return false;
}

/// Later instruction, and unit of an earlier one that it races with.
using Races = std::set<std::pair<std::size_t, std::size_t>>;

Races NaiveRaces(const Program& program) {
  std::vector<NaiveFootprint> footprints;
  for (const auto& i : program) footprints.push_back(ComputeNaively(i, RandomConfig().n));
  const Graph graph(program);
  Races races;
  for (std::size_t j = 0; j < program.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      const std::size_t unit = UnitIndex(program[i]);
      if (Conflict(footprints[i], footprints[j], unit == UnitIndex(program[j])) &&
          !graph.Precedes(i, j)) {
        races.insert({j, unit});
      }
    }
  }
  return races;
}

TEST(VerifierRandom, FindsExactlyTheRacesOfTheGraph) {
  std::size_t racing = 0;
  std::size_t ordered = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const Program program = RandomProgram(seed);
    VerifyOptions options;
    options.memory_bytes = kRandomBytes;
    options.max_findings = 10000;
    Races found;
    for (const Finding& finding : Verify(program, RandomConfig(), options)) {
      EXPECT_NE(finding.rule, Rule::kSemaphores) << finding.message;
      EXPECT_NE(finding.rule, Rule::kAccess) << finding.message;
      if (finding.rule != Rule::kOrder) continue;
      EXPECT_LT(finding.other, finding.index);
      found.insert({finding.index, UnitIndex(program[finding.other])});
    }
    const Races expected = NaiveRaces(program);
    ASSERT_EQ(found, expected);
    racing += expected.size();
    std::vector<Finding> ignored;
    for (const Clock& clock : FindOrder(program, ignored).at_start) {
      ordered += std::count_if(clock.begin(), clock.end(), [](auto c) { return c > 0; }) > 1;
    }
  }
  EXPECT_GT(racing, 1000U);
  EXPECT_GT(ordered, 1000U);  // The semaphores order much, too.
}

}  // namespace
}  // namespace tpu::assembly
