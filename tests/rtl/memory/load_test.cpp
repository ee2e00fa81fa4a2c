// SPDX-License-Identifier: Apache-2.0
// tpu_load against docs/isa.md, 4 and 10.2: every write in order, completion, errors, halting,
// throughput.
#include <gtest/gtest.h>

#include <deque>
#include <optional>

#include "Vtpu_load_16_128.h"
#include "Vtpu_load_16_64.h"
#include "Vtpu_load_32_128.h"
#include "Vtpu_load_4_128.h"
#include "Vtpu_load_4_128_bf16.h"
#include "Vtpu_load_4_32.h"
#include "Vtpu_load_8_512.h"
#include "Vtpu_load_8_64_bf16.h"
#include "tests/rtl/memory/dma_bench.h"

namespace tpu {
namespace {

using isa::ErrorCode;
using isa::Load;
using isa::LoadDestination;

constexpr std::uint32_t kUbRows = 256;
constexpr std::uint32_t kParamRows = 16;
constexpr std::uint32_t kMemoryBytes = 1 << 17;

struct Write {
  LoadDestination destination;
  std::uint32_t row;
  std::uint32_t index;  // Chunk of an entry, byte of a table
  std::vector<std::uint8_t> bytes;
  friend bool operator==(const Write&, const Write&) = default;
};

std::ostream& operator<<(std::ostream& out, const Write& w) {
  out << "destination " << static_cast<int>(w.destination) << " row " << w.row << " index "
      << w.index << ":";
  for (const unsigned b : w.bytes) out << " " << b;
  return out;
}

struct Failure {
  ErrorCode code;
  std::uint32_t instruction;
};

// What the unit must do: all writes in order, up to the first error.
struct Expected {
  std::vector<Write> writes;
  std::vector<std::size_t> writes_at_done;  // By instruction
  std::optional<Failure> failure;
};

template <unsigned kN>
std::vector<Chunk> ChunksOf(const Load& load) {
  const std::uint64_t total = std::uint64_t{load.rows} * load.row_bytes;
  switch (load.destination) {
    case LoadDestination::kParameters:
      return CutChunks(total, 9 * kN, kN, load.row, 0, 1);
    case LoadDestination::kLookup:
      return CutChunks(total, 256, 1, load.row, 0, 1);
    default:
      return CutRows(load, kN, true);
  }
}

std::optional<ErrorCode> RangeError(LoadDestination destination, std::uint32_t row) {
  switch (destination) {
    case LoadDestination::kParameters:
      return row < kParamRows ? std::nullopt : std::optional(ErrorCode::kParamRange);
    case LoadDestination::kLookup:
      return row < 8 ? std::nullopt : std::optional(ErrorCode::kLutRange);
    default:
      return row < kUbRows ? std::nullopt : std::optional(ErrorCode::kUbRange);
  }
}

// Addresses whose beats answer with an error.
struct BadRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

template <unsigned kN>
Expected Run(const std::vector<Load>& program, const std::vector<std::uint8_t>& memory,
             BadRange bad, std::size_t beat_bytes, unsigned address_bits) {
  Expected expected;
  for (std::uint32_t i = 0; i < program.size(); ++i) {
    const std::vector<std::uint64_t> addresses = StreamAddresses(program[i]);
    for (const Chunk& chunk : ChunksOf<kN>(program[i])) {
      std::optional<ErrorCode> error = RangeError(program[i].destination, chunk.row);
      Write write{program[i].destination, chunk.row, 0, {}};
      if (write.destination != LoadDestination::kUnifiedBuffer) write.index = chunk.index;
      for (std::uint64_t b = chunk.begin; b < chunk.end && !error; ++b) {
        const std::uint64_t beat = addresses[b] / beat_bytes * beat_bytes;
        if (addresses[b] >> address_bits != 0) {
          error = ErrorCode::kAddrRange;
        } else if (addresses[b] >= memory.size() ||
                   (beat < bad.end && beat + beat_bytes > bad.begin)) {
          error = ErrorCode::kBusRead;
        } else {
          write.bytes.push_back(memory[addresses[b]]);
        }
      }
      if (error) {
        expected.failure = Failure{*error, i};
        return expected;
      }
      write.bytes.resize(write.destination == LoadDestination::kLookup ? 1 : kN);
      expected.writes.push_back(write);
    }
    expected.writes_at_done.push_back(expected.writes.size());
  }
  return expected;
}

template <typename M, unsigned kLanes, bool kFormats = false>
struct Config {
  using Model = M;
  static constexpr unsigned kN = kLanes;
  static constexpr bool kBf16 = kFormats;
};

template <typename C>
class LoadBench {
 public:
  static constexpr unsigned kN = C::kN;
  static constexpr bool kBf16 = C::kBf16;
  static constexpr std::size_t kBeatBytes = sizeof(C::Model::r_data);
  static constexpr unsigned kAddressBits = 32;

  LoadBench(std::uint64_t seed, const tb::AxiMemoryOptions& options, double stall)
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
  const std::optional<Failure>& failure() const { return failure_; }

  void Reset() {
    dut_->cmd_valid = 0;
    dut_->halt = 0;
    dut_->ld_wr_ready = 1;
    dut_.Reset();
    checker_.SampleReset();
  }
  // One cycle of reset in the middle of whatever goes on; the bus forgets what it owes.
  void ResetNow() {
    dut_->cmd_valid = 0;
    dut_->halt = 0;
    memory_.Reset();
    dut_.Reset(1);
    checker_.SampleReset();
    ASSERT_EQ(dut_->cmd_ready, 1) << "right after a reset";
    ASSERT_EQ(dut_->busy + dut_->done + dut_->err_valid, 0);
  }

  // Runs the program for so many cycles and checks nothing: something else ends it.
  void Begin(const std::vector<Load>& program, std::uint64_t count) {
    std::size_t started = 0;
    base_ = RandomPage(rng_, kAddressBits, 2 * kMemoryBytes);
    memory_.MoveTo(base_);
    for (std::uint64_t i = 0; i < count; ++i) {
      dut_->cmd_valid = started < program.size();
      if (dut_->cmd_valid) SetCommand(dut_->cmd, OnBus(program[started]));
      dut_->ld_wr_ready = !Stall();
      dut_.Eval();
      if (dut_->cmd_valid && dut_->cmd_ready) ++started;
      Step();
    }
    dut_->cmd_valid = 0;
    dut_.Eval();
  }
  bool failed() { return dut_->err_valid != 0; }
  ErrorCode error_code() { return static_cast<ErrorCode>(dut_->err_code); }
  // From two cycles after the front end raised `halt` no error comes, and no byte is cut any more.
  void ExpectNoErrorAfterHalt() {
    dut_->halt = 1;
    for (int i = 0; i < 150; ++i) {
      Step();
      ASSERT_EQ(dut_->err_valid, 0) << i << " cycles after the halt";
      if (i > 8) {
        ASSERT_EQ(dut_->ld_wr_valid, 0) << i << " cycles after the halt";
      }
    }
  }

  // Puts the memory anywhere and runs the program until it is done, has failed or `halt_after`
  // cycles have passed; after a failure or halt waits for the bus. Checks every write against
  // `expected` on the way.
  void Execute(const std::vector<Load>& program, const Expected& expected,
               std::uint64_t halt_after = 100000) {
    std::size_t started = 0;
    std::size_t writes = 0;
    std::size_t dones = 0;
    failure_.reset();
    base_ = RandomPage(rng_, kAddressBits, 2 * kMemoryBytes);
    first_index_ = static_cast<std::uint32_t>(rng_());
    memory_.MoveTo(base_);
    const std::uint64_t begin = cycles();
    while (dones < program.size() && !failure_) {
      if (cycles() - begin >= halt_after) break;
      ASSERT_LT(cycles() - begin, 50000U) << "stuck";
      const bool offer = started < program.size() && !Stall();
      dut_->cmd_valid = offer;
      if (offer) SetCommand(dut_->cmd, OnBus(program[started]));
      dut_->cmd_index = first_index_ + static_cast<std::uint32_t>(started);
      dut_->ld_wr_ready = !Stall();
      dut_.Eval();
      if (offer && dut_->cmd_ready) ++started;
      ASSERT_EQ(
          dut_->busy != 0 || started == dones + (dut_->done ? 1 : 0) || (offer && dut_->cmd_ready),
          true);
      if (const std::optional<Write> write = SampleWrite()) {
        ASSERT_LT(writes, expected.writes.size()) << *write;
        ASSERT_EQ(*write, expected.writes[writes]) << "write " << writes;
        ++writes;
      }
      if (dut_->done) {
        ASSERT_LT(dones, expected.writes_at_done.size());
        ASSERT_EQ(writes, std::max(writes, expected.writes_at_done[dones]))
            << "done before the last write";
        ++dones;
      }
      if (dut_->err_valid) {
        failure_ = Failure{static_cast<ErrorCode>(dut_->err_code), dut_->err_index - first_index_};
        ASSERT_EQ(dut_->cmd_ready, 0) << "accepts with an error";
      }
      Step();
    }
    dut_->cmd_valid = 0;
    if (failure_) ExpectFailed();
    if (failure_ || dones < program.size()) {
      ExpectStops();
      return;
    }
    ASSERT_EQ(writes, expected.writes.size());
    ASSERT_EQ(dut_->busy, 0);
    checker_.ExpectDrained();
  }

 private:
  // The test's addresses count from the start of the memory.
  isa::Instruction OnBus(Load load) const {
    load.dram_addr += base_;
    return load;
  }

  bool Stall() { return stall_ > 0 && std::bernoulli_distribution(stall_)(rng_); }

  void Step() {
    checker_.Sample();
    memory_.Sample();
    dut_.Tick();
    memory_.Drive();
  }

  std::optional<Write> SampleWrite() {
    const int valids = dut_->ld_wr_valid + dut_->param_wr_valid + dut_->lut_wr_valid;
    EXPECT_LE(valids, 1);
    if (dut_->ld_wr_valid && dut_->ld_wr_ready) {
      return Write{LoadDestination::kUnifiedBuffer, dut_->ld_wr_row, 0,
                   PortBytes(dut_->ld_wr_data, kN)};
    }
    if (dut_->param_wr_valid) {
      return Write{LoadDestination::kParameters, dut_->param_wr_entry, dut_->param_wr_chunk,
                   PortBytes(dut_->param_wr_data, kN)};
    }
    if (dut_->lut_wr_valid) {
      const std::uint32_t at = dut_->lut_wr_addr;
      return Write{LoadDestination::kLookup, at / 256, at % 256, {dut_->lut_wr_data}};
    }
    return std::nullopt;
  }

  // The error stays, and nothing more is accepted, whether the front end raises `halt` or not.
  void ExpectFailed() {
    for (int i = 0; i < 30; ++i) {
      dut_->cmd_valid = 1;
      dut_->ld_wr_ready = 1;
      dut_.Eval();
      ASSERT_EQ(dut_->cmd_ready, 0) << "goes on after an error";
      ASSERT_EQ(dut_->err_valid, 1);
      ASSERT_EQ(static_cast<ErrorCode>(dut_->err_code), failure_->code);
      ASSERT_EQ(dut_->err_index - first_index_, failure_->instruction);
      Step();
    }
    dut_->cmd_valid = 0;
  }

  // The front end raises `halt`, which holds from the next cycle on; at most the request that
  // stands on the bus is still made, and everything is answered.
  void ExpectStops() {
    dut_->halt = 1;
    Step();
    dut_.Eval();
    const std::uint64_t requests = memory_.traffic().read_bursts + (dut_->ar_valid ? 1U : 0U);
    const std::uint64_t begin = cycles();
    do {
      dut_.Eval();
      ASSERT_EQ(dut_->cmd_ready, 0);
      ASSERT_EQ(dut_->err_valid != 0, failure_.has_value());
      Step();
      dut_.Eval();
      ASSERT_LT(cycles() - begin, 5000U) << "does not drain";
    } while (dut_->ar_valid || !memory_.Idle());
    EXPECT_LE(memory_.traffic().read_bursts, requests + 1);
    checker_.ExpectDrained();
    for (int i = 0; i < 100; ++i) {
      Step();
      ASSERT_EQ(dut_->ar_valid, 0);
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
  std::optional<Failure> failure_;
};

template <unsigned kN, bool kBf16>
Load RandomLoad(std::mt19937_64& rng) {
  Load load;
  RandomRows(load, rng, 1500, kMemoryBytes);
  switch (Uniform(rng, 0, 5)) {
    case 0:
      load.destination = LoadDestination::kParameters;
      load.row = Uniform(rng, 0, kParamRows - 1);
      break;
    case 1:
      load.destination = LoadDestination::kLookup;
      load.row = Uniform(rng, 0, 7);
      break;
    default:
      RandomPixels(load, rng, kN, kUbRows, kBf16);
      return load;
  }
  // Parameters and tables from here: shorten the stream to what fits, and set fields that must be
  // ignored.
  const std::uint32_t room = load.destination == LoadDestination::kLookup
                                 ? 256 * (8 - load.row)
                                 : 9 * kN * (kParamRows - load.row);
  load.row_bytes = std::min(load.row_bytes, room);
  load.rows = std::min(load.rows, room / load.row_bytes);
  load.plane_stride = Uniform(rng, 0, 0xFFFF);
  load.pixel_bytes = Uniform(rng, 1, 0xFFFFFF);
  load.pixel_stride = Uniform(rng, 0, 0xFFFF);
  return load;
}

template <typename C>
class LoadTest : public testing::Test {};

using Configs =
    testing::Types<Config<Vtpu_load_4_32, 4>, Config<Vtpu_load_4_128, 4>,
                   Config<Vtpu_load_16_128, 16>, Config<Vtpu_load_16_64, 16>,
                   Config<Vtpu_load_8_512, 8>, Config<Vtpu_load_32_128, 32>,
                   Config<Vtpu_load_4_128_bf16, 4, true>, Config<Vtpu_load_8_64_bf16, 8, true>>;
TYPED_TEST_SUITE(LoadTest, Configs);

TYPED_TEST(LoadTest, RandomProgramsWithAndWithoutStalls) {
  using Bench = LoadBench<TypeParam>;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const double stall = seed % 3 == 0 ? 0.5 : seed % 3 == 1 ? 0.0 : 0.1;
    SCOPED_TRACE(fmt::format("seed {} stall {}", seed, stall));
    Bench bench(seed,
                {.latency = seed % 2 == 0 ? 64U : 3U,
                 .ready_after_valid = seed % 4 == 1,
                 .stalls = StallAll(stall),
                 .seed = seed},
                stall);
    std::vector<Load> program;
    for (int i = 0; i < 30; ++i)
      program.push_back(RandomLoad<Bench::kN, Bench::kBf16>(bench.rng()));
    const Expected expected =
        Run<Bench::kN>(program, bench.memory().bytes(), {}, Bench::kBeatBytes, Bench::kAddressBits);
    ASSERT_FALSE(expected.failure);
    bench.Execute(program, expected);
    ASSERT_FALSE(bench.failure());
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(LoadTest, ReportsTheFirstErrorInProgramOrderAndDrains) {
  using Bench = LoadBench<TypeParam>;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const double stall = seed % 2 == 0 ? 0.3 : 0.0;
    Bench bench(seed,
                {.latency = 20,
                 .ready_after_valid = seed % 4 == 1,
                 .stalls = StallAll(stall),
                 .seed = seed},
                stall);
    std::vector<Load> program;
    for (int i = 0; i < 6; ++i) program.push_back(RandomLoad<Bench::kN, Bench::kBf16>(bench.rng()));
    BadRange bad;
    Load& victim = program[Uniform(bench.rng(), 0, 4)];
    switch (seed % 6) {
      case 0:
        bad.begin = StreamAddresses(victim).back();
        bad.end = bad.begin + 1;
        bench.memory().FailRange(bad.begin, bad.end, tb::AxiResponse::kSlaveError);
        break;
      case 1:
        victim.dram_addr = kMemoryBytes - 100;
        victim.rows = 1;
        victim.row_bytes = 300;
        break;
      case 2:
        victim.dram_addr |= std::uint64_t{1} << Uniform(bench.rng(), 32, 63);
        break;
      case 3:
        victim.dram_addr = 0x150;
        victim.rows = 3;
        victim.row_bytes = 40;
        victim.row_stride = 0xFFFFFF00;
        break;
      case 4:
        victim.destination = LoadDestination::kUnifiedBuffer;
        victim.row = kUbRows - 1;
        victim.pixel_bytes = 1;
        victim.pixel_stride = 0xFFFF;
        victim.row_bytes = std::max(victim.row_bytes, 20U);
        break;
      default:
        victim.destination =
            seed % 12 == 5 ? LoadDestination::kParameters : LoadDestination::kLookup;
        victim.format = isa::NumberFormat::kInt8;
        victim.row = seed % 12 == 5 ? kParamRows - 1 : 7;
        victim.dram_addr = 64;
        victim.row_bytes = 700;
        victim.rows = 1;
        break;
    }
    const Expected expected = Run<Bench::kN>(program, bench.memory().bytes(), bad,
                                             Bench::kBeatBytes, Bench::kAddressBits);
    ASSERT_TRUE(expected.failure);
    bench.Execute(program, expected);
    if (this->HasFatalFailure()) return;
    ASSERT_EQ(static_cast<int>(bench.failure()->code), static_cast<int>(expected.failure->code));
    ASSERT_EQ(bench.failure()->instruction, expected.failure->instruction);
  }
}

// However large: nothing is read, and the first byte's place on the chip is looked at first.
TYPED_TEST(LoadTest, RefusesTransfersOfAnySizeBeyondTheAddressSpace) {
  using Bench = LoadBench<TypeParam>;
  Bench bench(3, {}, 0);
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(fmt::format("number {}", i));
    Load load = RandomHugeTransfer<Load>(bench.rng(), Bench::kAddressBits);
    load.row %= kUbRows;
    bench.Execute({load}, {});
    if (this->HasFatalFailure()) return;
    ASSERT_TRUE(bench.failure());
    ASSERT_EQ(static_cast<int>(bench.failure()->code), static_cast<int>(ErrorCode::kAddrRange));
    ASSERT_EQ(bench.failure()->instruction, 0U);
    ASSERT_EQ(bench.memory().traffic().read_bursts, 0U);
    bench.Reset();
  }
}

TYPED_TEST(LoadTest, HaltDrainsAtAnyTimeAndResetMakesReadyAgain) {
  using Bench = LoadBench<TypeParam>;
  Bench bench(5, {.latency = 30, .stalls = StallAll(0.2), .seed = 5}, 0.2);
  for (std::uint32_t halt_after : {0U, 5U, 20U, 40U, 41U, 42U, 77U, 150U, 333U}) {
    SCOPED_TRACE(fmt::format("halt after {}", halt_after));
    std::vector<Load> program;
    for (int i = 0; i < 12; ++i)
      program.push_back(RandomLoad<Bench::kN, Bench::kBf16>(bench.rng()));
    const Expected expected =
        Run<Bench::kN>(program, bench.memory().bytes(), {}, Bench::kBeatBytes, Bench::kAddressBits);
    bench.Execute(program, expected, halt_after);
    bench.Reset();
    if (this->HasFatalFailure()) return;
    program.resize(2);
    bench.Execute(program, Run<Bench::kN>(program, bench.memory().bytes(), {}, Bench::kBeatBytes,
                                          Bench::kAddressBits));
    if (this->HasFatalFailure()) return;
  }
}

// Whole rows of the unified buffer, or, from row kUbRows on, outside of it.
template <unsigned kN>
Load RowsOf(std::uint64_t address, std::uint32_t count, std::uint32_t row) {
  Load load;
  load.dram_addr = address;
  load.rows = 1;
  load.row_bytes = count * kN;
  load.pixel_bytes = kN;
  load.pixel_stride = 1;
  load.row = row;
  return load;
}

TYPED_TEST(LoadTest, AResetInAnyCycleLeavesNothing) {
  using Bench = LoadBench<TypeParam>;
  constexpr unsigned kN = Bench::kN;
  for (const double stall : {0.0, 0.3}) {
    Bench bench(6, {.latency = 10, .stalls = StallAll(stall), .seed = 6}, stall);
    bench.memory().FailRange(0, 1, tb::AxiResponse::kSlaveError);
    const std::vector<Load> after = {RowsOf<kN>(12288, 3, 7), RowsOf<kN>(5000, 2, 9)};
    const Expected expected =
        Run<kN>(after, bench.memory().bytes(), {}, Bench::kBeatBytes, Bench::kAddressBits);
    for (std::uint64_t cycles = 0; cycles < 60; ++cycles) {
      SCOPED_TRACE(fmt::format("stall {}, reset after {} cycles", stall, cycles));
      // A bad beat, a row outside of the buffer, or neither.
      const std::uint64_t first = cycles % 3 == 0 ? 0 : 8192;
      const std::uint32_t row = cycles % 3 == 1 ? kUbRows : 0;
      bench.Begin({RowsOf<kN>(first, 1, row), RowsOf<kN>(4096, 20, 0)}, cycles);
      bench.ResetNow();
      bench.Execute(after, expected);
      if (this->HasFatalFailure()) return;
      ASSERT_FALSE(bench.failure());
    }
  }
}

TYPED_TEST(LoadTest, NoErrorComesAfterAHalt) {
  using Bench = LoadBench<TypeParam>;
  constexpr unsigned kN = Bench::kN;
  Bench bench(7, {.latency = 10}, 0);
  bench.memory().FailRange(0, 1, tb::AxiResponse::kSlaveError);
  for (const Load& load : {RowsOf<kN>(0, 1, 0), RowsOf<kN>(4096, 1, kUbRows)}) {
    std::uint64_t cycles = 0;
    for (bool failed = false; !failed; bench.ResetNow()) {
      bench.Begin({load}, ++cycles);
      failed = bench.failed();
    }
    // An error is seen up to two cycles before it is reported.
    for (std::uint64_t halt = 0; halt + 2 < cycles; ++halt) {
      SCOPED_TRACE(fmt::format("halt after {} of {} cycles", halt, cycles));
      bench.Begin({load}, halt);
      bench.ExpectNoErrorAfterHalt();
      if (this->HasFatalFailure()) return;
      bench.ResetNow();
    }
  }
}

// While the buffer takes none of the chunks of the instruction before, which fill the unit: one
// more if the bus brings a chunk per cycle.
TYPED_TEST(LoadTest, ARangeErrorIsThatOfItsOwnDestination) {
  using Bench = LoadBench<TypeParam>;
  constexpr unsigned kN = Bench::kN;
  constexpr std::uint32_t kChunks = kN <= Bench::kBeatBytes ? 5 : 4;
  Bench bench(9, {.latency = 10}, 1.0);
  for (const LoadDestination destination :
       {LoadDestination::kUnifiedBuffer, LoadDestination::kParameters, LoadDestination::kLookup}) {
    Load load;
    load.destination = destination;
    load.row = kUbRows;
    bench.Begin({RowsOf<kN>(0, kChunks, 0), load}, 150);
    ASSERT_TRUE(bench.failed());
    EXPECT_EQ(bench.error_code(), *RangeError(destination, kUbRows));
    bench.ResetNow();
  }
}

TYPED_TEST(LoadTest, AHaltEndsTheWrites) {
  using Bench = LoadBench<TypeParam>;
  Bench bench(8, {.latency = 10}, 0);
  for (const std::uint64_t halt : {20U, 25U, 30U, 40U}) {
    SCOPED_TRACE(fmt::format("halt after {} cycles", halt));
    bench.Begin({RowsOf<Bench::kN>(4096, 250, 0), RowsOf<Bench::kN>(4096, 250, 0)}, halt);
    bench.ExpectNoErrorAfterHalt();
    if (this->HasFatalFailure()) return;
    bench.ResetNow();
  }
}

// Share of cycles, from first start to last done, in which the bus brought a beat.
template <typename Bench>
double BusShare(Bench& bench, const std::vector<Load>& program) {
  const std::uint64_t cycles = bench.cycles();
  const std::uint64_t beats = bench.memory().traffic().read_beats;
  bench.Execute(program, Run<Bench::kN>(program, bench.memory().bytes(), {}, Bench::kBeatBytes,
                                        Bench::kAddressBits));
  return static_cast<double>(bench.memory().traffic().read_beats - beats) /
         static_cast<double>(bench.cycles() - cycles);
}

using Bench16 = LoadBench<Config<Vtpu_load_16_128, 16>>;

Load LoadOf(std::uint32_t rows, std::uint32_t row_bytes, std::uint32_t row_stride,
            std::uint64_t address) {
  Load load;
  load.dram_addr = address;
  load.rows = rows;
  load.row_bytes = row_bytes;
  load.row_stride = row_stride;
  load.pixel_bytes = 16;
  load.pixel_stride = 0;
  return load;
}

TEST(LoadThroughput, LongTransfersUse95PercentOfTheBus) {
  Bench16 bench(1, {.max_bursts = 128}, 0);
  EXPECT_GE(BusShare(bench, {LoadOf(1, 65536, 0, 0)}), 0.95) << "one row";
  EXPECT_GE(BusShare(bench, {LoadOf(4096, 16, 16, 0)}), 0.95) << "contiguous rows";
  EXPECT_GE(BusShare(bench, {LoadOf(1, 65536, 0, 4091)}), 0.95) << "one row, not aligned";
  EXPECT_GE(BusShare(bench, {LoadOf(1, 5, 0, 0), LoadOf(1, 65536, 0, 4093)}), 0.95)
      << "bytes and chunks lie differently in the gearbox";
  EXPECT_GE(BusShare(bench, {LoadOf(128, 512, 1000, 0)}), 0.95) << "rows of 512 bytes, not aligned";
  EXPECT_GE(BusShare(bench, {LoadOf(2000, 16, 48, 0)}), 0.95) << "rows of one beat";
}

TEST(LoadThroughput, Bf16AndFp32UseTheBusAsInt8Does) {
  LoadBench<Config<Vtpu_load_8_64_bf16, 8, true>> bench(1, {.max_bursts = 128}, 0);
  for (const isa::NumberFormat format :
       {isa::NumberFormat::kInt8, isa::NumberFormat::kBfloat16, isa::NumberFormat::kFloat32}) {
    SCOPED_TRACE(static_cast<int>(format));
    Load load = LoadOf(1, 65536, 0, 0);
    load.format = format;
    load.pixel_bytes = 64;
    EXPECT_GE(BusShare(bench, {load}), 0.95);
    load.dram_addr = 4091;
    EXPECT_GE(BusShare(bench, {load}), 0.95) << "not aligned";
  }
}

TEST(LoadThroughput, ShortInstructionsFollowWithoutGaps) {
  Bench16 bench(1, {}, 0);
  std::vector<Load> program;
  for (std::uint64_t i = 0; i < 64; ++i) program.push_back(LoadOf(1, 1024, 0, i * 1024));
  EXPECT_GE(BusShare(bench, program), 0.95);
  for (Load& load : program) load = LoadOf(16, 64, 128, load.dram_addr);
  EXPECT_GE(BusShare(bench, program), 0.95);
}

}  // namespace
}  // namespace tpu
