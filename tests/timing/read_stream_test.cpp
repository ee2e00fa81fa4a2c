// SPDX-License-Identifier: Apache-2.0
// Rows that go on in one step go on when they would one at a time.
#include "timing/read_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/seeds.h"

namespace tpu::timing {
namespace {

constexpr isa::HardwareConfig kMachine;
constexpr std::uint32_t kRow = 16;

struct Input {
  Transfer transfer;
  std::size_t rows = 0;             // Of kRow bytes.
  std::vector<Cycle> pauses;        // Of the memory, before each burst.
  std::vector<Cycle> doors;         // When a row may leave at the earliest.
  std::vector<std::uint32_t> most;  // That are looked for at once.
};

struct Passage {
  std::vector<Cycle> issued;  // Bursts.
  std::vector<Cycle> left;    // Rows.
  Cycle last_taken = 0;
  bool operator==(const Passage&) const = default;
};

Input RandomInput(std::mt19937& rng) {
  const auto pick = [&rng](std::uint32_t low, std::uint32_t high) {
    return std::uniform_int_distribution(low, high)(rng);
  };
  Input input;
  const std::uint32_t rows = 2 * pick(1, 20);
  const std::uint32_t row_bytes = pick(0, 3) == 0 ? 8 * pick(1, 50) : kRow * pick(1, 50);
  const std::uint32_t offset = pick(0, 3) == 0 ? pick(0, 15) : 0;
  input.transfer = Transfer(64 * std::uint64_t{pick(0, 20)} + offset, row_bytes, rows,
                            row_bytes + kRow * pick(0, 2), kRow);
  input.rows = std::size_t{rows} * row_bytes / kRow;
  input.pauses.resize(37);
  for (Cycle& pause : input.pauses) pause = pick(0, 2) == 0 ? pick(0, 40) : 0;
  Cycle door = 0;
  const std::uint32_t held_up = pick(1, 30);  // Every so many rows.
  for (std::size_t i = 0; i < input.rows; ++i) {
    door += pick(0, held_up) == 0 ? pick(0, 30) : 1;
    input.doors.push_back(door);
    input.most.push_back(pick(1, 50));
  }
  return input;
}

Passage PassRows(const Input& input, bool many_at_a_time) {
  Passage seen;
  ReadStream stream(kMachine, kMachine.n);
  ReadClient& client = stream.client();
  client.Start(input.transfer, 0);
  Cycle bus_free = 0;
  bool waits = false;
  bool progress = false;
  while (seen.left.size() < input.rows) {
    // Bursts become known when nothing goes on without them, or sooner.
    bool known = false;
    const bool tells = !progress || input.most[seen.left.size()] % 2 == 0;
    for (; tells && client.issue() < kNever; client.request().valid = false) {
      const Cycle pause = input.pauses[seen.issued.size() % input.pauses.size()];
      seen.issued.push_back(client.issue());
      client.Issue(client.issue());
      const Burst burst = client.request().burst;
      const Cycle first = std::max(seen.issued.back() + kMemoryLatency, bus_free) + pause;
      bus_free = first + burst.beats;
      client.Deliver(burst, first);
      known = true;
    }
    progress = stream.TakeBeat();
    if (!waits && stream.Holds(kRow)) {
      stream.Cut(kRow);
      progress = waits = true;
    }
    if (waits) {
      const auto door = [&] { return input.doors[seen.left.size()]; };
      Cycle left = std::max(stream.cut() + 1, door());
      ReadStream::Flow flow;
      if (many_at_a_time) flow = stream.FlowFrom(left, kRow, input.most[seen.left.size()]);
      // The last row is not cut behind another one.
      if (flow.rows == 0 || seen.left.size() + 1 == input.rows) {
        stream.Leave(left);
        seen.left.push_back(left);
        waits = false;
        progress = true;
        continue;
      }
      const Cycle end = left + flow.rows;
      for (; left < end && door() <= left && seen.left.size() + 1 < input.rows; ++left) {
        seen.left.push_back(left);
      }
      const auto rows = static_cast<std::uint32_t>(left - flow.left);
      stream.Pass(flow, rows);
      progress = true;
    }
    if (tells && !known && !progress) {
      ADD_FAILURE() << "nothing goes on after " << seen.left.size() << " rows";
      break;
    }
  }
  seen.last_taken = client.last_taken();
  return seen;
}

TEST(ReadStream, RowsFlowManyAtATimeAsOneAtATime) {
  for (const unsigned seed : Seeds(300)) {
    std::mt19937 rng(seed);
    const Input input = RandomInput(rng);
    const Passage one = PassRows(input, false);
    const Passage many = PassRows(input, true);
    ASSERT_EQ(many.left, one.left) << "TPU_SEED=" << seed;
    ASSERT_EQ(many, one) << "TPU_SEED=" << seed;
  }
}

TEST(Gearbox, APieceOfNoBytesWaitsForNoWord) {
  Gearbox gearbox(16);
  gearbox.Pass(/*words=*/1, /*pushed=*/10, /*pieces=*/1, /*cut=*/11);
  gearbox.Push(16, 100);
  EXPECT_LE(gearbox.Ready(0), 12U);
  EXPECT_EQ(gearbox.Ready(16), 101U);
}

}  // namespace
}  // namespace tpu::timing
