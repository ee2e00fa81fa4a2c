// SPDX-License-Identifier: Apache-2.0
// tpu_weights against docs/isa.md, 6 and 10.3: every tile row in order, completion, errors,
// halting, throughput.
#include <gtest/gtest.h>

#include <optional>

#include "Vtpu_weights_16_128.h"
#include "Vtpu_weights_32_128.h"
#include "Vtpu_weights_4_64.h"
#include "Vtpu_weights_4_64_bf16.h"
#include "Vtpu_weights_8_512.h"
#include "Vtpu_weights_8_64_bf16.h"
#include "isa/element_format.h"
#include "tests/rtl/memory/dma_bench.h"

namespace tpu {
namespace {

using isa::ErrorCode;
using isa::Weights;

constexpr std::uint32_t kMemoryBytes = 1 << 17;

template <typename M, unsigned kLanes, bool kFormats = false>
struct Config {
  using Model = M;
  static constexpr unsigned kN = kLanes;
  static constexpr bool kBf16 = kFormats;
};

template <typename C>
class WeightsBench {
 public:
  static constexpr unsigned kN = C::kN;
  static constexpr unsigned kAddressBits = 40;
  static constexpr bool kBf16 = C::kBf16;

  WeightsBench(std::uint64_t seed, const tb::AxiMemoryOptions& options, double stall)
      : rng_(seed),
        stall_(stall),
        dut_(seed),
        ports_(*dut_),
        memory_(ports_, options),
        checker_(ports_) {
    memory_.Resize(kMemoryBytes);
    memory_.bytes() = RandomBytes(kMemoryBytes, rng_);
    Reset();
  }

  std::mt19937_64& rng() { return rng_; }
  tb::AxiMemory<ReadClientPorts<typename C::Model>>& memory() { return memory_; }
  std::uint64_t cycles() const { return dut_.cycles(); }
  /// Code and instruction of the error that ended the last Execute().
  const std::optional<std::pair<ErrorCode, std::uint32_t>>& failure() const { return failure_; }
  std::uint64_t rows() const { return rows_; }

  void Reset() {
    dut_->cmd_valid = 0;
    dut_->halt = 0;
    dut_.Reset();
    checker_.SampleReset();
  }
  /// One cycle of reset in the middle of whatever goes on; the bus forgets what it owes.
  void ResetNow() {
    dut_->cmd_valid = 0;
    dut_->halt = 0;
    memory_.Reset();
    dut_.Reset(1);
    checker_.SampleReset();
    ASSERT_EQ(dut_->cmd_ready, 1) << "right after a reset";
    ASSERT_EQ(dut_->busy + dut_->done + dut_->err_valid + dut_->wt_valid, 0);
  }

  /// Runs the program for so many cycles and checks nothing: something else ends it.
  void Begin(const std::vector<Weights>& program, std::uint64_t count) {
    std::size_t started = 0;
    base_ = RandomPage(rng_, kAddressBits, 2 * kMemoryBytes);
    memory_.MoveTo(base_);
    for (std::uint64_t i = 0; i < count; ++i) {
      dut_->cmd_valid = started < program.size();
      if (dut_->cmd_valid) SetCommand(dut_->cmd, OnBus(program[started]));
      dut_->wt_ready = !Stall();
      dut_.Eval();
      if (dut_->cmd_valid && dut_->cmd_ready) ++started;
      Step();
    }
    dut_->cmd_valid = 0;
    dut_.Eval();
  }
  bool failed() { return dut_->err_valid != 0; }
  /// From two cycles after the front end raised `halt` no error comes.
  void ExpectNoErrorAfterHalt() {
    dut_->halt = 1;
    for (int i = 0; i < 150; ++i) {
      Step();
      ASSERT_EQ(dut_->err_valid, 0) << i << " cycles after the halt";
    }
  }

  /// Puts the memory anywhere and runs the program until it is done, has failed or `halt_after`
  /// cycles have passed, checking every row.
  void Execute(const std::vector<Weights>& program, std::uint64_t halt_after = 100000) {
    std::vector<std::uint64_t> addresses;  // Of each row
    std::vector<isa::NumberFormat> formats;
    std::vector<std::uint64_t> rows_at_done;
    for (const Weights& w : program) {
      // No row comes from outside the memory.
      for (std::uint64_t r = 0; r < std::uint64_t{w.tiles} * kN; ++r) {
        const std::uint64_t address =
            w.dram_addr + r * kN * static_cast<std::uint64_t>(isa::BytesOf(w.format));
        if (address >= kMemoryBytes) break;
        addresses.push_back(address);
        formats.push_back(w.format);
      }
      rows_at_done.push_back(addresses.size());
    }
    std::size_t started = 0;
    std::size_t dones = 0;
    rows_ = 0;
    failure_.reset();
    base_ = RandomPage(rng_, kAddressBits, 2 * kMemoryBytes);
    first_index_ = static_cast<std::uint32_t>(rng_());
    memory_.MoveTo(base_);
    const std::uint64_t begin = cycles();
    while (dones < program.size() && !failure_ && cycles() - begin < halt_after) {
      ASSERT_LT(cycles() - begin, 50000U) << "stuck";
      const bool offer = started < program.size() && !Stall();
      dut_->cmd_valid = offer;
      if (offer) SetCommand(dut_->cmd, OnBus(program[started]));
      dut_->cmd_index = first_index_ + static_cast<std::uint32_t>(started);
      dut_->wt_ready = !Stall();
      dut_.Eval();
      if (offer && dut_->cmd_ready) ++started;
      if (dut_->wt_valid && dut_->wt_ready) {
        ASSERT_LT(rows_, addresses.size());
        ASSERT_EQ(PortBytes(dut_->wt_data, kBf16 ? 2 * kN : kN),
                  RowAt(addresses[rows_], formats[rows_]))
            << "row " << rows_;
        ++rows_;
      }
      if (dut_->wt_valid) {
        ASSERT_EQ(dut_->busy, 1);
      }
      ASSERT_TRUE(dut_->busy || started == dones + dut_->done || (offer && dut_->cmd_ready))
          << "an instruction is inside";
      if (dut_->done) {
        ASSERT_GE(rows_, rows_at_done.at(dones)) << "done before the last row";
        ++dones;
      }
      if (dut_->err_valid) {
        failure_ = {static_cast<ErrorCode>(dut_->err_code), dut_->err_index - first_index_};
        ASSERT_EQ(dut_->cmd_ready, 0) << "accepts with an error";
      }
      Step();
    }
    dut_->cmd_valid = 0;
    if (failure_) ExpectFailed();
    if (dones < program.size()) {
      ExpectStops();
      return;
    }
    ASSERT_EQ(rows_, addresses.size());
    ASSERT_EQ(dut_->busy, 0);
    checker_.ExpectDrained();
  }

 private:
  /// A row in memory, as the FIFO gets it.
  std::vector<std::uint8_t> RowAt(std::uint64_t address, isa::NumberFormat format) {
    const std::size_t bytes = kBf16 && format == isa::NumberFormat::kInt8 ? 1 : 0;
    const std::size_t count = kN * static_cast<std::size_t>(isa::BytesOf(format));
    std::vector<std::uint8_t> row;
    for (std::size_t i = 0; i < count; ++i) {
      row.push_back(memory_.bytes()[address + i]);
      row.resize(row.size() + bytes);
    }
    return row;
  }

  // The test's addresses count from the start of the memory.
  isa::Instruction OnBus(Weights weights) const {
    weights.dram_addr += base_;
    return weights;
  }

  bool Stall() { return stall_ > 0 && std::bernoulli_distribution(stall_)(rng_); }

  void Step() {
    checker_.Sample();
    memory_.Sample();
    dut_.Tick();
    memory_.Drive();
  }

  // The error stays, and nothing more is accepted, whether the front end raises `halt` or not.
  void ExpectFailed() {
    for (int i = 0; i < 30; ++i) {
      dut_->cmd_valid = 1;
      dut_->wt_ready = 1;
      dut_.Eval();
      ASSERT_EQ(dut_->cmd_ready, 0) << "goes on after an error";
      ASSERT_EQ(dut_->err_valid, 1);
      ASSERT_EQ(static_cast<ErrorCode>(dut_->err_code), failure_->first);
      ASSERT_EQ(dut_->err_index - first_index_, failure_->second);
      Step();
    }
    dut_->cmd_valid = 0;
  }

  void ExpectStops() {
    dut_->halt = 1;
    const std::uint64_t begin = cycles();
    do {
      Step();
      dut_.Eval();
      ASSERT_EQ(dut_->err_valid != 0, failure_.has_value());
      ASSERT_LT(cycles() - begin, 5000U) << "does not drain";
    } while (dut_->ar_valid || !memory_.Idle());
    checker_.ExpectDrained();
    for (int i = 0; i < 100; ++i) {
      Step();
      ASSERT_EQ(dut_->ar_valid, 0);
      ASSERT_EQ(dut_->cmd_ready, 0);
    }
  }

  std::mt19937_64 rng_;
  double stall_;
  std::uint64_t base_ = 0;         // Of the memory
  std::uint32_t first_index_ = 0;  // Of the program
  tb::Dut<typename C::Model> dut_;
  ReadClientPorts<typename C::Model> ports_;
  tb::AxiMemory<ReadClientPorts<typename C::Model>> memory_;
  tb::AxiProtocolChecker<ReadClientPorts<typename C::Model>> checker_;
  std::optional<std::pair<ErrorCode, std::uint32_t>> failure_;
  std::uint64_t rows_ = 0;
};

Weights WeightsOf(std::uint64_t address, std::uint32_t tiles) {
  Weights weights;
  weights.dram_addr = address;
  weights.tiles = tiles;
  return weights;
}

template <unsigned kN, bool kBf16>
Weights RandomWeights(std::mt19937_64& rng) {
  const bool bf16 = kBf16 && rng() % 2 == 0;
  const std::uint32_t tiles = Uniform(rng, 1, std::max(1U, 1000 / (kN * kN)));
  const std::uint32_t room = kMemoryBytes - tiles * kN * kN * (bf16 ? 2 : 1);
  const std::uint32_t page = Uniform(rng, 0, room / 4096) * 4096;
  Weights weights = WeightsOf(std::min(room, page + Uniform(rng, 0, 200)), tiles);
  if (bf16) weights.format = isa::NumberFormat::kBfloat16;
  return weights;
}

template <typename C>
class WeightsTest : public testing::Test {};

using Configs = testing::Types<Config<Vtpu_weights_4_64, 4>, Config<Vtpu_weights_16_128, 16>,
                               Config<Vtpu_weights_8_512, 8>, Config<Vtpu_weights_32_128, 32>,
                               Config<Vtpu_weights_4_64_bf16, 4, true>,
                               Config<Vtpu_weights_8_64_bf16, 8, true>>;
TYPED_TEST_SUITE(WeightsTest, Configs);

TYPED_TEST(WeightsTest, RandomProgramsWithAndWithoutStalls) {
  using Bench = WeightsBench<TypeParam>;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const double stall = seed % 3 == 0 ? 0.5 : seed % 3 == 1 ? 0.0 : 0.1;
    SCOPED_TRACE(fmt::format("seed {} stall {}", seed, stall));
    Bench bench(seed,
                {.latency = 64,
                 .ready_after_valid = seed % 4 == 1,
                 .stalls = StallAll(stall),
                 .seed = seed},
                stall);
    std::vector<Weights> program;
    for (int i = 0; i < 20; ++i)
      program.push_back(RandomWeights<Bench::kN, Bench::kBf16>(bench.rng()));
    bench.Execute(program);
    ASSERT_FALSE(bench.failure());
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(WeightsTest, ReportsErrorsWithTheirInstructionAfterTheRowsBefore) {
  using Bench = WeightsBench<TypeParam>;
  constexpr std::uint64_t kTile = std::uint64_t{Bench::kN} * Bench::kN;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const double stall = seed % 2 == 0 ? 0.3 : 0.0;
    Bench bench(seed,
                {.latency = 20,
                 .ready_after_valid = seed % 4 == 1,
                 .stalls = StallAll(stall),
                 .seed = seed},
                stall);
    // The third instruction fails; the fourth fails too, but comes later.
    std::vector<Weights> program = {WeightsOf(0, 1), WeightsOf(5000, 1), WeightsOf(8192, 2),
                                    WeightsOf(kMemoryBytes, 1)};
    ErrorCode code = ErrorCode::kBusRead;
    std::uint64_t rows = 2 * std::uint64_t{Bench::kN};
    if (seed % 3 == 0) {
      program[2].dram_addr = (std::uint64_t{1} << 40U) + 64;
      code = ErrorCode::kAddrRange;
    } else {
      bench.memory().FailRange(8192 + kTile, 8192 + kTile + 1, tb::AxiResponse::kSlaveError);
      // A row fails when its beat does.
      rows += kTile / std::max<std::uint64_t>(Bench::kN, sizeof(TypeParam::Model::r_data)) *
              std::max<std::uint64_t>(Bench::kN, sizeof(TypeParam::Model::r_data)) / Bench::kN;
    }
    bench.Execute(program);
    if (this->HasFatalFailure()) return;
    ASSERT_TRUE(bench.failure());
    ASSERT_EQ(static_cast<int>(bench.failure()->first), static_cast<int>(code));
    ASSERT_EQ(bench.failure()->second, 2U);
    // The last row may still stand at the FIFO.
    ASSERT_LE(rows - bench.rows(), 1U);
  }
}

TYPED_TEST(WeightsTest, RefusesAnyNumberOfTilesBeyondTheAddressSpace) {
  using Bench = WeightsBench<TypeParam>;
  Bench bench(3, {}, 0);
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(fmt::format("number {}", i));
    const std::uint64_t beyond = std::uint64_t{1} << Uniform(bench.rng(), Bench::kAddressBits, 62);
    const std::uint64_t address = (bench.rng()() & 0x7FFF'FFFF'FFFF'FFFFU) | beyond;
    Weights weights = WeightsOf(address, Uniform(bench.rng(), 1, 0xFFFFFFFF));
    if (Bench::kBf16 && i % 2 == 0) weights.format = isa::NumberFormat::kBfloat16;
    bench.Execute({weights});
    if (this->HasFatalFailure()) return;
    ASSERT_TRUE(bench.failure());
    ASSERT_EQ(static_cast<int>(bench.failure()->first), static_cast<int>(ErrorCode::kAddrRange));
    ASSERT_EQ(bench.failure()->second, 0U);
    ASSERT_EQ(bench.memory().traffic().read_bursts, 0U);
    bench.Reset();
  }
}

TYPED_TEST(WeightsTest, HaltDrainsAtAnyTimeAndResetMakesReadyAgain) {
  using Bench = WeightsBench<TypeParam>;
  Bench bench(5, {.latency = 30, .stalls = StallAll(0.2), .seed = 5}, 0.2);
  for (const std::uint32_t halt_after : {0U, 3U, 33U, 50U, 111U}) {
    SCOPED_TRACE(fmt::format("halt after {}", halt_after));
    std::vector<Weights> program;
    for (int i = 0; i < 12; ++i)
      program.push_back(RandomWeights<Bench::kN, Bench::kBf16>(bench.rng()));
    bench.Execute(program, halt_after);
    bench.Reset();
    program.resize(2);
    bench.Execute(program);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(WeightsTest, AResetInAnyCycleLeavesNothing) {
  using Bench = WeightsBench<TypeParam>;
  for (const double stall : {0.0, 0.3}) {
    Bench bench(6, {.latency = 10, .stalls = StallAll(stall), .seed = 6}, stall);
    // Every other program fails.
    bench.memory().FailRange(0, 1, tb::AxiResponse::kSlaveError);
    for (std::uint64_t cycles = 0; cycles < 70; ++cycles) {
      SCOPED_TRACE(fmt::format("stall {}, reset after {} cycles", stall, cycles));
      const std::uint64_t first = cycles % 2 == 0 ? 0 : 8192;
      bench.Begin({WeightsOf(first, 1), WeightsOf(4096, 2)}, cycles);
      bench.ResetNow();
      bench.Execute({WeightsOf(12288, 1), WeightsOf(5000, 1)});
      if (this->HasFatalFailure()) return;
      ASSERT_FALSE(bench.failure());
    }
  }
}

TYPED_TEST(WeightsTest, NoErrorComesAfterAHalt) {
  using Bench = WeightsBench<TypeParam>;
  Bench bench(7, {.latency = 10}, 0);
  bench.memory().FailRange(0, 1, tb::AxiResponse::kSlaveError);
  const std::vector<Weights> program = {WeightsOf(0, 1)};
  std::uint64_t cycles = 0;
  for (bool failed = false; !failed; bench.ResetNow()) {
    bench.Begin(program, ++cycles);
    failed = bench.failed();
  }
  // An error is seen up to two cycles before it is reported.
  for (std::uint64_t halt = 0; halt + 2 < cycles; ++halt) {
    SCOPED_TRACE(fmt::format("halt after {} of {} cycles", halt, cycles));
    bench.Begin(program, halt);
    bench.ExpectNoErrorAfterHalt();
    if (this->HasFatalFailure()) return;
    bench.ResetNow();
  }
}

template <typename Bench>
double BusShare(Bench& bench, const std::vector<Weights>& program) {
  const std::uint64_t cycles = bench.cycles();
  const std::uint64_t beats = bench.memory().traffic().read_beats;
  bench.Execute(program);
  return static_cast<double>(bench.memory().traffic().read_beats - beats) /
         static_cast<double>(bench.cycles() - cycles);
}

TEST(WeightsThroughput, LongTransfersUse95PercentOfTheBus) {
  WeightsBench<Config<Vtpu_weights_16_128, 16>> bench(1, {}, 0);
  EXPECT_GE(BusShare(bench, {WeightsOf(0, 200)}), 0.95);
  EXPECT_GE(BusShare(bench, {WeightsOf(4093, 200)}), 0.95) << "not aligned";
}

TEST(WeightsThroughput, Bf16UsesTheBusAsInt8Does) {
  WeightsBench<Config<Vtpu_weights_8_64_bf16, 8, true>> bench(1, {}, 0);
  std::vector<Weights> program;
  for (std::uint64_t i = 0; i < 100; ++i) program.push_back(WeightsOf(i * 128, 1));
  for (Weights& w : program) w.format = isa::NumberFormat::kBfloat16;
  EXPECT_GE(BusShare(bench, program), 0.95);
  program = {WeightsOf(3, 800)};
  EXPECT_GE(BusShare(bench, program), 0.95) << "int8";
  program.front().format = isa::NumberFormat::kBfloat16;
  EXPECT_GE(BusShare(bench, program), 0.95) << "not aligned";
}

TEST(WeightsThroughput, SingleTilesFollowWithoutGaps) {
  WeightsBench<Config<Vtpu_weights_16_128, 16>> bench(1, {}, 0);
  std::vector<Weights> program;
  for (std::uint64_t i = 0; i < 100; ++i) program.push_back(WeightsOf(i * 256, 1));
  EXPECT_GE(BusShare(bench, program), 0.95);
  for (Weights& w : program) w.tiles = 4;
  EXPECT_GE(BusShare(bench, program), 0.95);
}

}  // namespace
}  // namespace tpu
