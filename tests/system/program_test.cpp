// SPDX-License-Identifier: Apache-2.0
// Programs written instruction by instruction: against results computed here, and RTL against the
// golden model.
#include "tests/system/program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "runtime/session.h"
#include "tests/system/compare.h"
#include "tests/system/machines.h"

namespace tpu::system_test {
namespace {

using isa::Instruction;
using isa::VectorSource;
using runtime::Session;

class SystemProgramTest : public testing::TestWithParam<Machine> {};
class SystemLongProgramTest : public testing::TestWithParam<Machine> {};
class SystemRtlProgramTest : public testing::TestWithParam<Machine> {};

/// Those that are simulated fastest.
std::vector<Machine> SmallestMachines() {
  std::vector<Machine> machines = AllMachines();
  std::erase_if(machines, [](const Machine& m) { return m.config.n > 4; });
  return machines;
}

INSTANTIATE_TEST_SUITE_P(, SystemProgramTest, testing::ValuesIn(AllMachines()),
                         testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(, SystemLongProgramTest, testing::ValuesIn(SmallestMachines()),
                         testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(, SystemRtlProgramTest, testing::ValuesIn(RtlMachines()),
                         testing::PrintToStringParamName());

int Signed(std::uint8_t byte) { return static_cast<std::int8_t>(byte); }

TEST_P(SystemProgramTest, MultipliesAMatrix) {
  const isa::HardwareConfig& config = GetParam().config;
  const std::uint32_t n = config.n;
  const std::uint32_t rows = 5;
  const executable::Executable executable =
      MakeExecutable(config, {LoadRows(rows, n, {.wait = 0, .post = kInput}), OneTile(),
                              LoadZeroParameters(n, {.wait = 0, .post = kParameter}),
                              MultiplyRows(rows, n, {.wait = kInput, .post = kAccumulated}),
                              CopyRows(VectorSource::kAccumulators, rows, 0,
                                       {.wait = kAccumulated | kParameter, .post = kResult}),
                              StoreRows(rows, n, {.wait = kResult, .post = 0})});
  const auto device = MakeDevice(GetParam());
  Session session(*device, executable);
  session.Run({.max_cycles = 20'000});
  std::vector<std::uint8_t> result(std::size_t{rows} * n);
  device->ReadMemory(kTargetAddress, result);
  for (std::size_t m = 0; m < rows; ++m) {
    for (std::size_t j = 0; j < n; ++j) {
      int sum = 0;
      for (std::size_t k = 0; k < n; ++k) {
        sum += Signed(SourceByte(m * n + k)) * Signed(SourceByte(k * n + j));
      }
      ASSERT_EQ(Signed(result[m * n + j]), std::clamp(sum, -128, 127)) << m << "," << j;
    }
  }
}

TEST_P(SystemProgramTest, KeepsBuffersFromOneProgramToTheNext) {
  const isa::HardwareConfig& config = GetParam().config;
  const auto device = MakeDevice(GetParam());
  const executable::Executable load = MakeExecutable(config, {LoadRows(3, config.n)});
  Session(*device, load).Run({.max_cycles = 5000});
  const executable::Executable store = MakeExecutable(config, {StoreRows(3, config.n)});
  Session(*device, store).Run({.max_cycles = 5000});
  std::vector<std::uint8_t> result(std::size_t{3} * config.n);
  device->ReadMemory(kTargetAddress, result);
  for (std::size_t i = 0; i < result.size(); ++i) ASSERT_EQ(result[i], SourceByte(i)) << i;
}

TEST_P(SystemLongProgramTest, OverflowsASemaphoreAtItsLastCount) {
  const isa::HardwareConfig& config = GetParam().config;
  constexpr std::uint32_t kMost = isa::kMaxSemaphore;
  std::vector<Instruction> program(kMost, LoadRows(1, config.n, {.wait = 0, .post = kInput}));
  executable::Executable executable = MakeExecutable(config, program);
  // A program of this size needs memory of its own.
  ProgramOf(executable).address = kMemoryBytes;
  executable.segments.at(0).address = kMemoryBytes;
  executable.memory_bytes = kMemoryBytes + executable.segments.at(0).bytes.size() + 64;
  const auto device = MakeFastDevice(GetParam());
  Session(*device, executable).Run({.max_cycles = 5'000'000});

  std::vector<std::uint8_t> last;
  isa::Encode(program.back(), last);
  executable.segments.push_back({kMemoryBytes + executable.segments.at(0).bytes.size(), last});
  ProgramOf(executable).granules += 1;
  Session session(*device, executable);
  try {
    session.Run({.max_cycles = 5'000'000});
    FAIL() << "the program ended without an error";
  } catch (const runtime::DeviceError& error) {
    EXPECT_EQ(isa::Name(error.code()), "SEM_OVERFLOW");
    EXPECT_EQ(error.index(), kMost);
  }
}

/// Fields of LOAD and STORE that fit the buffer and the memory.
template <typename Transfer>
Transfer RandomTransfer(std::uint64_t base, const isa::HardwareConfig& config,
                        std::mt19937_64& rng) {
  const auto pick = [&rng](std::uint32_t low, std::uint32_t high) {
    return std::uniform_int_distribution<std::uint32_t>(low, high)(rng);
  };
  Transfer t;
  t.row_bytes = pick(1, 200);
  t.rows = pick(1, 6);
  t.row_stride = t.row_bytes + pick(0, 40);
  t.dram_addr = base + pick(0, 9000);
  t.pixel_bytes = pick(1, 3 * config.n);
  const std::uint32_t chunks = (t.pixel_bytes + config.n - 1) / config.n;
  const std::uint32_t pixels = (t.rows * t.row_bytes + t.pixel_bytes - 1) / t.pixel_bytes;
  // Rows of different chunks must differ: pixels side by side in planes, or planes within pixels.
  const bool planes = pick(0, 1) != 0;
  t.plane_stride = planes ? pixels : 1;
  t.pixel_stride = planes ? 1 : chunks;
  const std::uint32_t used = pixels * chunks;
  if (used > config.ub_rows) return RandomTransfer<Transfer>(base, config, rng);
  t.row = pick(0, config.ub_rows - used);
  return t;
}

/// Fills the unified buffer, then alternates random loads and stores, each waiting for the one
/// before.
executable::Executable RandomTransfers(const isa::HardwareConfig& config, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::vector<Instruction> program = {LoadRows(config.ub_rows, config.n)};
  std::get<isa::Load>(program[0]).row_stride = 1;
  for (int i = 0; i < 12; ++i) {
    isa::SemaphoresOf(program.back()).post = kInput;
    program.emplace_back(RandomTransfer<isa::Store>(kTargetAddress, config, rng));
    isa::SemaphoresOf(program.back()) = {.wait = kInput, .post = kResult};
    program.emplace_back(RandomTransfer<isa::Load>(kSourceAddress, config, rng));
    isa::SemaphoresOf(program.back()).wait = kResult;
  }
  return MakeExecutable(config, program);
}

// Two products, the second of which begins before its tile is asked for and pads four rows of six.
TEST_P(SystemRtlProgramTest, CountsWhatEachUnitDoes) {
  using isa::Counter;
  const isa::HardwareConfig& config = GetParam().config;
  const std::uint32_t n = config.n;
  const std::uint32_t rows = 5;
  isa::Matmul padded = MultiplyRows(2, n);
  padded.acc_row = rows;
  padded.n_oh = 3;
  padded.ys_oh = 1;
  padded.y0 = -1;
  const executable::Executable executable = MakeExecutable(
      config, {LoadRows(rows, n, {.wait = 0, .post = kInput}), OneTile(),
               LoadZeroParameters(n, {.wait = 0, .post = kParameter}),
               MultiplyRows(rows, n, {.wait = kInput, .post = kAccumulated}), padded, OneTile(),
               CopyRows(VectorSource::kAccumulators, rows, 0,
                        {.wait = kAccumulated | kParameter, .post = kResult}),
               StoreRows(rows, n, {.wait = kResult, .post = 0})});
  const auto device = MakeRtl(GetParam());
  const runtime::RunReport report = Session(*device, executable).Run({.max_cycles = 20'000});
  const auto count = [&](Counter counter) { return runtime::Count(report.counters, counter); };
  EXPECT_EQ(count(Counter::kArrayActive), rows + 6);
  EXPECT_EQ(count(Counter::kArrayPadRows), 4U);
  EXPECT_EQ(runtime::ArrayCycles(report.counters), report.cycles);
  EXPECT_EQ(count(Counter::kVectorActive), rows);
  EXPECT_EQ(count(Counter::kVectorActive) + count(Counter::kVectorStallPort) +
                count(Counter::kVectorStallOperand) + count(Counter::kVectorStallOutput) +
                count(Counter::kVectorWait) + count(Counter::kVectorNoWork),
            report.cycles);
  EXPECT_EQ(count(Counter::kVectorStallOperand), 0U);
  EXPECT_EQ(count(Counter::kMatmulRetired), 2U);
  const std::uint64_t beat = config.axi_data_width / 8;
  EXPECT_EQ(count(Counter::kWeightsBeats), 2 * ((std::uint64_t{n} * n + beat - 1) / beat));
  // A beat that the bus stalls counts once.
  const auto stalled = MakeRtl(GetParam(), 7);
  const runtime::RunReport slow = Session(*stalled, executable).Run({.max_cycles = 20'000});
  EXPECT_EQ(runtime::Count(slow.counters, Counter::kStoreBeats), count(Counter::kStoreBeats));
  for (const Counter counter :
       {Counter::kArrayWaitWeights, Counter::kArrayWeightShift, Counter::kArrayWaitInput,
        Counter::kArrayNoWork, Counter::kVectorWait, Counter::kVectorNoWork, Counter::kLoadBusy,
        Counter::kWeightsBusy, Counter::kStoreBusy, Counter::kStoreWait}) {
    EXPECT_GT(count(counter), 0U) << isa::kCounterNames[static_cast<std::size_t>(counter)];
  }
}

TEST_P(SystemRtlProgramTest, MovesBytesAsTheGoldenModelDoes) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const bool stalls = seed % 2 == 0;
    const auto device =
        MakeRtl(GetParam(), stalls ? std::optional<std::uint64_t>(seed) : std::nullopt);
    ExpectSameMemory(*device, RandomTransfers(GetParam().config, seed), {});
  }
}

}  // namespace
}  // namespace tpu::system_test
