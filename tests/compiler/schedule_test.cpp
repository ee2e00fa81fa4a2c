// SPDX-License-Identifier: Apache-2.0
// The order that the scheduler gives short lists of instructions.
#include "compiler/schedule/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <variant>
#include <vector>

#include "compiler/schedule/orders.h"

namespace tpu::compiler {
namespace {

Access Row(bool write, std::uint64_t row) {
  return {.space = Space::kUnifiedBuffer, .write = write, .begin = row, .end = row + 1};
}

// Instructions carry their place in the list as their layer.
class List {
 public:
  void Load(std::uint64_t row, std::uint32_t bytes) {
    isa::Load load;
    load.row_bytes = bytes;
    load.pixel_bytes = 16;
    Add(load, {Row(true, row)});
  }
  void Vector(std::uint64_t from, std::uint64_t to, std::uint32_t cycles,
              isa::VectorSource source = isa::VectorSource::kUnifiedBuffer) {
    isa::Vector vector;
    vector.source = source;
    vector.n_ow = cycles;
    Add(vector, {Row(false, from), Row(true, to)});
  }
  void Multiply(std::uint64_t from, std::uint32_t cycles, std::uint64_t accumulators,
                std::vector<Access> weights_accesses = {}) {
    Add(isa::Weights{}, std::move(weights_accesses));
    isa::Matmul matmul;
    matmul.n_ow = cycles;
    Add(matmul, {Row(false, from),
                 {.space = Space::kAccumulators,
                  .write = true,
                  .begin = accumulators,
                  .end = accumulators + 1}});
  }
  void Drain(std::uint64_t accumulators, std::uint64_t to, std::uint32_t cycles) {
    Vector(1000, to, cycles, isa::VectorSource::kAccumulators);
    program_.back().accesses[0] = {
        .space = Space::kAccumulators, .begin = accumulators, .end = accumulators + 1};
  }

  // Places in the list, in the scheduled order.
  [[nodiscard]] std::vector<std::uint32_t> Schedule() const {
    std::vector<std::uint32_t> order;
    for (const auto& instruction : compiler::Schedule(program_, {}).program) {
      order.push_back(instruction.layer);
    }
    return order;
  }
  [[nodiscard]] const std::vector<SequentialInstruction>& Program() const { return program_; }

 private:
  void Add(const isa::Instruction& instruction, std::vector<Access> accesses) {
    program_.push_back({.instruction = instruction,
                        .accesses = std::move(accesses),
                        .layer = static_cast<std::uint32_t>(program_.size())});
  }
  std::vector<SequentialInstruction> program_;
};

std::size_t PlaceOf(const std::vector<std::uint32_t>& order, std::uint32_t index) {
  return static_cast<std::size_t>(std::find(order.begin(), order.end(), index) - order.begin());
}

TEST(Schedule, WorkThatIsReadyGoesAheadOfWorkThatWaits) {
  List list;
  list.Load(0, 1 << 20);      // 0
  list.Vector(0, 1, 1000);    // 1: waits for the long load
  list.Vector(10, 11, 1000);  // 2: could start at once
  const auto order = list.Schedule();
  EXPECT_LT(PlaceOf(order, 2), PlaceOf(order, 1));
}

TEST(Schedule, DrainsGoAheadOfOtherVectorWork) {
  List list;
  for (std::uint32_t i = 0; i < 4; ++i) list.Vector(10 + i, 20 + i, 1000);  // 0 .. 3
  list.Multiply(0, 100, 0);                                                 // 4, 5
  list.Drain(0, 1, 100);                                                    // 6
  list.Multiply(1, 10000, 1);                                               // 7, 8
  const auto order = list.Schedule();
  EXPECT_LT(PlaceOf(order, 6), PlaceOf(order, 3));
}

TEST(Schedule, WeightsStayWithTheirProduct) {
  List list;
  for (std::uint64_t i = 0; i < 5; ++i) {
    list.Load(i, 4096);
    list.Multiply(i, 100, i);
  }
  const auto order = list.Schedule();
  for (std::uint32_t i = 1; i < 15; i += 3) {
    EXPECT_EQ(PlaceOf(order, i) + 1, PlaceOf(order, i + 1));
  }
}

TEST(Schedule, AProductWaitsForWhatItsWeightsWaitFor) {
  List list;
  list.Load(0, 1 << 20);                      // 0
  list.Vector(0, 1, 100);                     // 1: waits for the long load
  list.Multiply(2, 100, 0, {Row(false, 1)});  // 2, 3: could start at once but for the weights
  EXPECT_EQ(list.Schedule(), (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

// Two such sums, one behind the other, would keep both halves of the accumulators.
TEST(Schedule, LayersSideBySideTakeTurnsWhenOneIsDrainedLonger) {
  constexpr std::uint32_t kShort = 100;
  List list;
  std::uint64_t place = 0;
  const auto sums = [&](std::uint32_t cycles, std::uint32_t drain) {
    for (int i = 0; i < 4; ++i, ++place) {
      list.Multiply(0, cycles, place);
      list.Drain(place, 10 + place, drain);
    }
  };
  sums(kShort, 2 * kShort);
  sums(3 * kShort, kShort / 4);
  const auto takes_turns = [](const SequentialProgram& program) {
    std::vector<std::uint32_t> cycles;
    for (const SequentialInstruction& instruction : program) {
      if (const auto* matmul = std::get_if<isa::Matmul>(&instruction.instruction))
        cycles.push_back(matmul->n_ow);
    }
    return std::ranges::adjacent_find(cycles) == cycles.end();
  };
  const auto orders = Orders(list.Program(), {}, Overlap::kTwoSideBySide);
  EXPECT_TRUE(std::ranges::any_of(orders, takes_turns));
}

// Whatever moves, reads see the same writes.
TEST(Schedule, KeepsTheOrderOfConflictingInstructions) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    List list;
    for (int i = 0; i < 100; ++i) {
      if (random() % 3 == 0) {
        list.Load(random() % 12, 16 + random() % 4000);
      } else {
        list.Vector(random() % 12, random() % 12, 1 + random() % 300);
      }
    }
    const auto order = list.Schedule();
    ASSERT_EQ(order.size(), list.Program().size());
    // Each read's writer, in the given order and in the program's.
    const auto writers = [&](const std::vector<std::uint32_t>& sequence) {
      std::map<std::uint64_t, std::uint32_t> last;
      std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> seen;
      for (const std::uint32_t index : sequence) {
        for (const Access& access : list.Program()[index].accesses) {
          if (!access.write && last.contains(access.begin)) {
            seen[{index, access.begin}] = last[access.begin];
          }
        }
        for (const Access& access : list.Program()[index].accesses) {
          if (access.write) last[access.begin] = index;
        }
      }
      return seen;
    };
    std::vector<std::uint32_t> original(order.size());
    for (std::uint32_t i = 0; i < original.size(); ++i) original[i] = i;
    EXPECT_EQ(writers(order), writers(original));
  }
}

}  // namespace
}  // namespace tpu::compiler
