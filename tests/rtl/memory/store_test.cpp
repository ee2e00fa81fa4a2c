// SPDX-License-Identifier: Apache-2.0
// tpu_store against docs/isa.md, 5 and 10.2: the whole memory after every program, completion,
// errors, halting, throughput.
#include <gtest/gtest.h>

#include <bitset>
#include <deque>
#include <optional>

#include "Vtpu_store_16_128.h"
#include "Vtpu_store_16_64.h"
#include "Vtpu_store_32_128.h"
#include "Vtpu_store_4_128.h"
#include "Vtpu_store_4_128_bf16.h"
#include "Vtpu_store_4_32.h"
#include "Vtpu_store_8_512.h"
#include "Vtpu_store_8_64_bf16.h"
#include "tests/rtl/memory/dma_bench.h"

namespace tpu {
namespace {

using isa::ErrorCode;
using isa::Store;

constexpr std::uint32_t kUbRows = 256;
constexpr std::uint32_t kMemoryBytes = 1 << 17;

template <typename M, unsigned kLanes, bool kFormats = false>
struct Config {
  using Model = M;
  static constexpr unsigned kN = kLanes;
  static constexpr bool kBf16 = kFormats;
};

struct Failure {
  ErrorCode code;
  std::uint32_t instruction;
};

template <typename C>
class StoreBench {
 public:
  static constexpr unsigned kN = C::kN;
  static constexpr bool kBf16 = C::kBf16;
  static constexpr unsigned kAddressBits = 32;
  using Model = typename C::Model;

  StoreBench(std::uint64_t seed, const tb::AxiMemoryOptions& options, double stall)
      : rng_(seed), stall_(stall), dut_(seed), memory_(*dut_, options), checker_(*dut_) {
    memory_.Resize(kMemoryBytes);
    memory_.bytes() = RandomBytes(kMemoryBytes, rng_);
    ub_ = RandomBytes(std::size_t{kUbRows} * kN, rng_);
    Reset();
  }

  std::mt19937_64& rng() { return rng_; }
  tb::AxiMemory<Model>& memory() { return memory_; }
  std::uint64_t cycles() const { return dut_.cycles(); }
  const std::optional<Failure>& failure() const { return failure_; }

  void Reset() {
    dut_->cmd_valid = 0;
    dut_->halt = 0;
    reads_.clear();
    dut_.Reset();
    checker_.SampleReset();
  }
  /// One cycle of reset in the middle of whatever goes on; the bus forgets what it was asked for,
  /// before or behind it.
  void ResetNow(bool bus_first = true) {
    dut_->cmd_valid = 0;
    dut_->halt = 0;
    if (bus_first) memory_.Reset();
    dut_.Reset(1);
    if (!bus_first) memory_.Reset();
    checker_.SampleReset();
    ASSERT_EQ(dut_->cmd_ready, 1) << "right after a reset";
    ASSERT_EQ(dut_->busy + dut_->done + dut_->err_valid + dut_->st_rd_valid, 0);
  }

  /// Runs the program for so many cycles and checks nothing: something else ends it.
  void Begin(const std::vector<Store>& program, std::uint64_t count) {
    std::size_t started = 0;
    base_ = RandomPage(rng_, kAddressBits, 2 * kMemoryBytes);
    memory_.MoveTo(base_);
    for (std::uint64_t i = 0; i < count; ++i) {
      dut_->cmd_valid = started < program.size();
      if (dut_->cmd_valid) SetCommand(dut_->cmd, OnBus(program[started]));
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

  /// Calls f(address, byte) for every byte that the instruction writes, in order.
  template <typename F>
  void ForEachByte(const Store& s, F&& f) const {
    const std::vector<std::uint64_t> addresses = StreamAddresses(s);
    for (const Chunk& chunk : CutRows(s, kN, false)) {
      for (std::uint64_t b = chunk.begin; b < chunk.end; ++b) {
        f(addresses[b], ub_[std::size_t{chunk.row} * kN + (b - chunk.begin)]);
      }
    }
  }
  /// What memory must hold after the first `count` instructions.
  std::vector<std::uint8_t> MemoryAfter(const std::vector<Store>& program,
                                        std::size_t count) const {
    std::vector<std::uint8_t> bytes = memory_.bytes();
    for (std::size_t i = 0; i < count; ++i) {
      ForEachByte(program[i],
                  [&](std::uint64_t address, std::uint8_t byte) { bytes[address] = byte; });
    }
    return bytes;
  }

  /// Puts the memory anywhere and runs the program until it is done, has failed or `halt_after`
  /// cycles have passed; then waits for the bus.
  void Execute(const std::vector<Store>& program, std::uint64_t halt_after = 100000) {
    failure_.reset();
    base_ = RandomPage(rng_, kAddressBits, 2 * kMemoryBytes);
    first_index_ = static_cast<std::uint32_t>(rng_());
    memory_.MoveTo(base_);
    started_ = 0;
    dones_ = 0;
    const std::uint64_t begin = cycles();
    while (dones_ < program.size() && !failure_ && cycles() - begin < halt_after) {
      ASSERT_LT(cycles() - begin, 50000U) << "stuck";
      const bool offer = started_ < program.size() && !Stall();
      dut_->cmd_valid = offer;
      if (offer) SetCommand(dut_->cmd, OnBus(program[started_]));
      dut_->cmd_index = first_index_ + static_cast<std::uint32_t>(started_);
      dut_.Eval();
      ASSERT_TRUE(dut_->busy || started_ == dones_ + dut_->done || (offer && dut_->cmd_ready))
          << "an instruction is inside";
      if (offer && dut_->cmd_ready) ++started_;
      if (dut_->done) {
        ++dones_;
        ASSERT_TRUE(dones_ < program.size() || memory_.Idle()) << "done before the last response";
      }
      if (dut_->err_valid) {
        failure_ = Failure{static_cast<ErrorCode>(dut_->err_code), dut_->err_index - first_index_};
        ASSERT_EQ(dut_->cmd_ready, 0) << "accepts with an error";
      }
      Step();
    }
    dut_->cmd_valid = 0;
    if (failure_) ExpectFailed();
    if (dones_ < program.size()) {
      ExpectStops();
      return;
    }
    ASSERT_EQ(dut_->busy, 0);
    checker_.ExpectDrained();
  }
  std::size_t dones() const { return dones_; }

 private:
  // The test's addresses count from the start of the memory.
  isa::Instruction OnBus(Store store) const {
    store.dram_addr += base_;
    return store;
  }

  bool Stall() { return stall_ > 0 && std::bernoulli_distribution(stall_)(rng_); }

  void Step() {
    dut_->st_rd_ready = !Stall();
    // Data of the read granted three cycles ago, else anything.
    const std::optional<std::uint32_t> row = reads_.size() == 3 ? reads_.front() : std::nullopt;
    const std::vector<std::uint8_t> data =
        row ? std::vector<std::uint8_t>(ub_.begin() + *row * kN, ub_.begin() + (*row + 1) * kN)
            : RandomBytes(kN, rng_);
    tb::SetPortBytes(dut_->st_rd_data, data.data());
    dut_.Eval();
    if (reads_.size() == 3) reads_.pop_front();
    reads_.push_back(dut_->st_rd_valid && dut_->st_rd_ready
                         ? std::optional<std::uint32_t>(dut_->st_rd_row)
                         : std::nullopt);
    checker_.Sample();
    memory_.Sample();
    dut_.Tick();
    memory_.Drive();
  }

  // The error stays, and nothing more is accepted or done, whether the front end raises `halt` or
  // not.
  void ExpectFailed() {
    for (int i = 0; i < 30; ++i) {
      dut_->cmd_valid = 1;
      dut_.Eval();
      ASSERT_EQ(dut_->cmd_ready, 0) << "goes on after an error";
      ASSERT_EQ(dut_->st_rd_valid, 0);
      ASSERT_EQ(dut_->done, 0);
      ASSERT_EQ(dut_->err_valid, 1);
      ASSERT_EQ(static_cast<ErrorCode>(dut_->err_code), failure_->code);
      ASSERT_EQ(dut_->err_index - first_index_, failure_->instruction);
      Step();
    }
    dut_->cmd_valid = 0;
  }

  // The front end raises `halt`: bursts whose address has gone out are completed, nothing else
  // begins.
  void ExpectStops() {
    dut_->halt = 1;
    dut_.Eval();
    const std::uint64_t bursts = memory_.traffic().write_bursts + dut_->m_axi_awvalid;
    const std::uint64_t begin = cycles();
    do {
      Step();
      dut_.Eval();
      ASSERT_EQ(dut_->cmd_ready, 0);
      ASSERT_EQ(dut_->st_rd_valid, 0);
      ASSERT_EQ(dut_->err_valid != 0, failure_.has_value());
      // The halt takes a cycle, and so does a response.
      if (cycles() - begin > 1) {
        ASSERT_EQ(dut_->done, 0);
      }
      ASSERT_LT(cycles() - begin, 20000U) << "does not drain";
    } while (!dut_->drained);
    EXPECT_LE(memory_.traffic().write_bursts, bursts);
    checker_.ExpectDrained();
    for (int i = 0; i < 100; ++i) {
      Step();
      ASSERT_EQ(dut_->m_axi_awvalid, 0);
      ASSERT_EQ(dut_->m_axi_wvalid, 0);
    }
  }

  std::mt19937_64 rng_;
  double stall_;
  std::uint64_t base_ = 0;         // Of the memory
  std::uint32_t first_index_ = 0;  // Of the program
  tb::Dut<Model> dut_;
  tb::AxiMemory<Model> memory_;
  tb::AxiProtocolChecker<Model> checker_;
  std::vector<std::uint8_t> ub_;
  std::deque<std::optional<std::uint32_t>> reads_;  // Granted in the last three cycles
  std::optional<Failure> failure_;
  std::size_t started_ = 0;
  std::size_t dones_ = 0;
};

template <unsigned kN, bool kBf16>
Store RandomStore(std::mt19937_64& rng) {
  Store store;
  RandomRows(store, rng, 1500, kMemoryBytes);
  RandomPixels(store, rng, kN, kUbRows, kBf16);
  return store;
}

template <typename C>
class StoreTest : public testing::Test {};

using Configs =
    testing::Types<Config<Vtpu_store_4_32, 4>, Config<Vtpu_store_4_128, 4>,
                   Config<Vtpu_store_16_128, 16>, Config<Vtpu_store_16_64, 16>,
                   Config<Vtpu_store_8_512, 8>, Config<Vtpu_store_32_128, 32>,
                   Config<Vtpu_store_4_128_bf16, 4, true>, Config<Vtpu_store_8_64_bf16, 8, true>>;
TYPED_TEST_SUITE(StoreTest, Configs);

TYPED_TEST(StoreTest, RandomProgramsWithAndWithoutStalls) {
  using Bench = StoreBench<TypeParam>;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const double stall = seed % 3 == 0 ? 0.5 : seed % 3 == 1 ? 0.0 : 0.1;
    SCOPED_TRACE(fmt::format("seed {} stall {}", seed, stall));
    Bench bench(seed,
                {.latency = seed % 2 == 0 ? 64U : 3U,
                 .ready_after_valid = seed % 4 == 1,
                 .stalls = StallAll(stall),
                 .seed = seed},
                stall);
    std::vector<Store> program;
    for (int i = 0; i < 30; ++i)
      program.push_back(RandomStore<Bench::kN, Bench::kBf16>(bench.rng()));
    const std::vector<std::uint8_t> expected = bench.MemoryAfter(program, program.size());
    bench.Execute(program);
    if (this->HasFatalFailure()) return;
    ASSERT_FALSE(bench.failure());
    ASSERT_TRUE(bench.memory().bytes() == expected);
  }
}

// Whole rows of the unified buffer, or, from row kUbRows on, outside of it.
template <unsigned kN>
Store RowsOf(std::uint64_t address, std::uint32_t count, std::uint32_t row) {
  Store store;
  store.dram_addr = address;
  store.rows = 1;
  store.row_bytes = count * kN;
  store.pixel_bytes = kN;
  store.pixel_stride = 1;
  store.row = row;
  return store;
}

// Each chunk counts once, however long it waits for the buffer: none is left when all have gone.
TYPED_TEST(StoreTest, ReportsARowOutsideOfABufferThatIsTakenMostOfTheTime) {
  using Bench = StoreBench<TypeParam>;
  constexpr unsigned kN = Bench::kN;
  Bench bench(7, {}, 0.8);
  const std::vector<Store> program = {RowsOf<kN>(0, 50, 0), RowsOf<kN>(8192, 1, kUbRows)};
  const std::vector<std::uint8_t> expected = bench.MemoryAfter(program, 1);
  bench.Execute(program);
  if (this->HasFatalFailure()) return;
  ASSERT_TRUE(bench.failure());
  EXPECT_EQ(bench.failure()->code, ErrorCode::kUbRange);
  EXPECT_EQ(bench.failure()->instruction, 1U);
  ASSERT_TRUE(bench.memory().bytes() == expected);
}

TYPED_TEST(StoreTest, ReportsTheFirstErrorInProgramOrderAndDrains) {
  using Bench = StoreBench<TypeParam>;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const double stall = seed % 2 == 0 ? 0.3 : 0.0;
    Bench bench(seed,
                {.latency = 40,
                 .ready_after_valid = seed % 4 == 1,
                 .stalls = StallAll(stall),
                 .seed = seed},
                stall);
    std::vector<Store> program;
    // The upper half of memory is the victim's, so that the other instructions' bytes can be
    // compared afterwards.
    for (int i = 0; i < 6; ++i) {
      program.push_back(RandomStore<Bench::kN, Bench::kBf16>(bench.rng()));
      program.back().rows = 1;
      program.back().row_bytes = std::min(program.back().row_bytes, 700U);
      program.back().dram_addr %= kMemoryBytes / 2 - 1024;
      RandomPixels(program.back(), bench.rng(), Bench::kN, kUbRows, Bench::kBf16);
    }
    const std::size_t at = Uniform(bench.rng(), 0, 4);
    Store& victim = program[at];
    victim.dram_addr |= kMemoryBytes / 2;
    ErrorCode code = ErrorCode::kBusWrite;
    switch (seed % 4) {
      case 0:
        bench.memory().FailRange(victim.dram_addr, victim.dram_addr + 1,
                                 tb::AxiResponse::kSlaveError);
        break;
      case 1:
        victim.dram_addr |= std::uint64_t{1} << Uniform(bench.rng(), 32, 63);
        code = ErrorCode::kAddrRange;
        break;
      case 2:
        victim.rows = 3;
        victim.row_stride = 0xFFFF0000;
        code = ErrorCode::kAddrRange;
        victim.row_bytes = 8;
        victim.dram_addr = kMemoryBytes - 100;
        RandomPixels(victim, bench.rng(), Bench::kN, kUbRows, Bench::kBf16);
        break;
      default:
        victim.row_bytes = std::max(victim.row_bytes, 100U);
        victim.row = kUbRows - 2;
        victim.pixel_bytes = Bench::kN;
        victim.pixel_stride = 1;
        victim.row_bytes = 4 * Bench::kN;
        code = ErrorCode::kUbRange;
        break;
    }
    std::vector<std::uint8_t> expected = bench.MemoryAfter(program, at);
    bench.Execute(program);
    if (this->HasFatalFailure()) return;
    ASSERT_TRUE(bench.failure());
    ASSERT_EQ(static_cast<int>(bench.failure()->code), static_cast<int>(code));
    ASSERT_EQ(bench.failure()->instruction, at);
    ASSERT_EQ(bench.dones(), at);
    // Bytes of later instructions may have been written already, if they are right. Bytes of
    // earlier ones must be.
    program.erase(program.begin() + static_cast<std::ptrdiff_t>(at));
    const std::vector<std::uint8_t>& memory = bench.memory().bytes();
    std::vector<bool> later(memory.size());
    for (std::size_t i = at; i < program.size(); ++i) {
      for (const std::uint64_t a : StreamAddresses(program[i])) later[a] = true;
    }
    for (std::size_t a = 0; a < kMemoryBytes / 2; ++a) {
      ASSERT_TRUE(memory[a] == expected[a] || later[a]) << "address " << a;
    }
  }
}

TYPED_TEST(StoreTest, RefusesTransfersOfAnySizeBeyondTheAddressSpace) {
  using Bench = StoreBench<TypeParam>;
  Bench bench(3, {}, 0);
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(fmt::format("number {}", i));
    Store store = RandomHugeTransfer<Store>(bench.rng(), Bench::kAddressBits);
    store.row %= kUbRows;
    bench.Execute({store});
    if (this->HasFatalFailure()) return;
    ASSERT_TRUE(bench.failure());
    ASSERT_EQ(static_cast<int>(bench.failure()->code), static_cast<int>(ErrorCode::kAddrRange));
    ASSERT_EQ(bench.failure()->instruction, 0U);
    ASSERT_EQ(bench.memory().traffic().write_bursts, 0U);
    bench.Reset();
  }
}

TYPED_TEST(StoreTest, HaltCompletesBurstsWithoutTouchingOtherBytes) {
  using Bench = StoreBench<TypeParam>;
  Bench bench(5, {.latency = 30, .stalls = StallAll(0.2), .seed = 5}, 0.2);
  for (std::uint32_t halt_after : {0U, 5U, 10U, 12U, 15U, 20U, 30U, 42U, 77U, 150U, 333U}) {
    SCOPED_TRACE(fmt::format("halt after {}", halt_after));
    std::vector<Store> program;
    for (int i = 0; i < 12; ++i)
      program.push_back(RandomStore<Bench::kN, Bench::kBf16>(bench.rng()));
    // Values that each byte may have at any time.
    std::vector<std::bitset<256>> legal(kMemoryBytes);
    for (std::size_t a = 0; a < kMemoryBytes; ++a) legal[a].set(bench.memory().bytes()[a]);
    for (const Store& store : program) {
      bench.ForEachByte(
          store, [&](std::uint64_t address, std::uint8_t byte) { legal[address].set(byte); });
    }
    bench.Execute(program, halt_after);
    if (this->HasFatalFailure()) return;
    for (std::size_t a = 0; a < kMemoryBytes; ++a) {
      ASSERT_TRUE(legal[a][bench.memory().bytes()[a]]) << "address " << a;
    }
    bench.Reset();
    program.resize(2);
    const std::vector<std::uint8_t> expected = bench.MemoryAfter(program, 2);
    bench.Execute(program);
    if (this->HasFatalFailure()) return;
    ASSERT_TRUE(bench.memory().bytes() == expected);
  }
}

TYPED_TEST(StoreTest, AResetInAnyCycleLeavesNothing) {
  using Bench = StoreBench<TypeParam>;
  constexpr unsigned kN = Bench::kN;
  for (const double stall : {0.0, 0.3}) {
    Bench bench(6, {.latency = 10, .stalls = StallAll(stall), .seed = 6}, stall);
    bench.memory().FailRange(0, 1, tb::AxiResponse::kSlaveError);
    const std::vector<Store> after = {RowsOf<kN>(12288, 3, 7), RowsOf<kN>(5000, 2, 9)};
    for (std::uint64_t cycles = 0; cycles < 60; ++cycles) {
      SCOPED_TRACE(fmt::format("stall {}, reset after {} cycles", stall, cycles));
      // A bad response, a row outside of the buffer, an address outside of the address space, or
      // none of these.
      const std::uint64_t first = cycles % 4 == 0   ? 0
                                  : cycles % 4 == 1 ? std::uint64_t{1} << Bench::kAddressBits
                                                    : 8192;
      const std::uint32_t row = cycles % 4 == 2 ? kUbRows : 0;
      bench.Begin({RowsOf<kN>(first, 1, row), RowsOf<kN>(4096, 20, 0)}, cycles);
      bench.ResetNow();
      const std::vector<std::uint8_t> expected = bench.MemoryAfter(after, after.size());
      bench.Execute(after);
      if (this->HasFatalFailure()) return;
      ASSERT_FALSE(bench.failure());
      ASSERT_TRUE(bench.memory().bytes() == expected);
    }
  }
}

// Also in the cycle of the last response.
TYPED_TEST(StoreTest, AResetInEachCycleOfAShortStoreLeavesNothing) {
  using Bench = StoreBench<TypeParam>;
  Bench bench(8, {.latency = 2, .seed = 8}, 0.0);
  for (std::uint64_t cycles = 1; cycles < 60; ++cycles) {
    SCOPED_TRACE(fmt::format("reset after {} cycles", cycles));
    Store store;
    store.row_bytes = 4;
    store.rows = 1;
    store.pixel_bytes = 4;
    bench.Begin({store}, cycles);
    bench.ResetNow(false);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(StoreTest, NoErrorComesAfterAHalt) {
  using Bench = StoreBench<TypeParam>;
  constexpr unsigned kN = Bench::kN;
  Bench bench(7, {.latency = 10}, 0);
  bench.memory().FailRange(0, 1, tb::AxiResponse::kSlaveError);
  for (const Store& store : {RowsOf<kN>(0, 1, 0), RowsOf<kN>(4096, 1, kUbRows),
                             RowsOf<kN>(std::uint64_t{1} << Bench::kAddressBits, 1, 0)}) {
    std::uint64_t cycles = 0;
    for (bool failed = false; !failed; bench.ResetNow()) {
      bench.Begin({store}, ++cycles);
      failed = bench.failed();
    }
    // An error is seen in the cycle before it is reported.
    for (std::uint64_t halt = 0; halt + 2 < cycles; ++halt) {
      SCOPED_TRACE(fmt::format("halt after {} of {} cycles", halt, cycles));
      bench.Begin({store}, halt);
      bench.ExpectNoErrorAfterHalt();
      if (this->HasFatalFailure()) return;
      bench.ResetNow();
    }
  }
}

// Share of cycles, from first start to last done, in which the bus took a beat.
template <typename Bench>
double BusShare(Bench& bench, const std::vector<Store>& program) {
  const std::uint64_t cycles = bench.cycles();
  const std::uint64_t beats = bench.memory().traffic().write_beats;
  bench.Execute(program);
  return static_cast<double>(bench.memory().traffic().write_beats - beats) /
         static_cast<double>(bench.cycles() - cycles);
}

Store StoreOf(std::uint32_t rows, std::uint32_t row_bytes, std::uint32_t row_stride,
              std::uint64_t address) {
  Store store;
  store.dram_addr = address;
  store.rows = rows;
  store.row_bytes = row_bytes;
  store.row_stride = row_stride;
  store.pixel_bytes = 16;
  store.pixel_stride = 0;
  return store;
}

TEST(StoreThroughput, LongTransfersUse95PercentOfTheBus) {
  StoreBench<Config<Vtpu_store_16_128, 16>> bench(1, {.max_bursts = 128}, 0);
  EXPECT_GE(BusShare(bench, {StoreOf(1, 65536, 0, 0)}), 0.95) << "one row";
  EXPECT_GE(BusShare(bench, {StoreOf(4096, 16, 16, 0)}), 0.95) << "contiguous rows";
  EXPECT_GE(BusShare(bench, {StoreOf(1, 65536, 0, 4091)}), 0.95) << "one row, not aligned";
  EXPECT_GE(BusShare(bench, {StoreOf(1, 5, 0, 0), StoreOf(1, 65536, 0, 4093)}), 0.95)
      << "chunks and beats lie differently in the gearbox";
  EXPECT_GE(BusShare(bench, {StoreOf(128, 512, 1000, 0)}), 0.95)
      << "rows of 512 bytes, not aligned";
}

TEST(StoreThroughput, ShortInstructionsFollowWithoutGaps) {
  StoreBench<Config<Vtpu_store_16_128, 16>> bench(1, {.max_bursts = 128}, 0);
  std::vector<Store> program;
  for (std::uint64_t i = 0; i < 64; ++i) program.push_back(StoreOf(1, 1024, 0, i * 1024));
  EXPECT_GE(BusShare(bench, program), 0.95);
  for (Store& store : program) store = StoreOf(16, 64, 128, store.dram_addr);
  EXPECT_GE(BusShare(bench, program), 0.95);
}

}  // namespace
}  // namespace tpu
