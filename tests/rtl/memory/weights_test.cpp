// SPDX-License-Identifier: Apache-2.0
// tpu_weights against docs/isa.md, 6 and 10.3: every tile row in order, from memory and from the
// unified buffer, transposed or not; completion, errors, halting, throughput.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <variant>

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
using isa::UbWeights;
using isa::Weights;
using Program = std::vector<isa::Instruction>;
// A number of a tile, int8 or bf16, in 16 bits.
using Tile = std::vector<std::uint16_t>;

constexpr std::uint32_t kMemoryBytes = 1 << 17;
constexpr std::uint32_t kUbRows = 1024;

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
    ub_ = RandomBytes(std::size_t{kUbRows} * kN, rng_);
    ub_data_.fill(RandomBytes(std::size_t{2} * kN, rng_));
    Reset();
  }

  std::mt19937_64& rng() { return rng_; }
  tb::AxiMemory<ReadClientPorts<typename C::Model>>& memory() { return memory_; }
  std::uint64_t cycles() const { return dut_.cycles(); }
  /// Code and instruction of the error that ended the last Execute().
  const std::optional<std::pair<ErrorCode, std::uint32_t>>& failure() const { return failure_; }
  std::uint64_t rows() const { return rows_; }
  /// Reads of the unified buffer are granted in this share of the cycles.
  void GrantReads(double share) { granted_ = share; }
  /// Rows of the unified buffer that were read.
  std::uint64_t reads() const { return reads_; }

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
  void Begin(const Program& program, std::uint64_t count) {
    std::size_t started = 0;
    base_ = RandomPage(rng_, kAddressBits, 2 * kMemoryBytes);
    memory_.MoveTo(base_);
    for (std::uint64_t i = 0; i < count; ++i) {
      dut_->cmd_valid = started < program.size();
      if (dut_->cmd_valid) SetCommand(dut_->cmd, OnBus(program[started]));
      dut_->wt_ready = !Stall();
      Eval();
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

  /// Runs the program for so many cycles and halts: from the next cycle on the unified buffer is
  /// not read, and no row leaves but one that was on its way.
  void ExpectHaltStops(const Program& program, std::uint64_t count) {
    Begin(program, count);
    dut_->halt = 1;
    dut_->wt_ready = 1;
    int rows = 0;
    for (int i = 0; i < 100; ++i) {
      Eval();
      Step();
      Eval();
      ASSERT_EQ(dut_->rd_valid, 0) << i << " cycles after the halt";
      rows += dut_->wt_valid;
    }
    ASSERT_LE(rows, 1);
  }
  /// Takes no row of the instruction: the first one is offered nevertheless, and stands.
  void ExpectOffer(const isa::Instruction& instruction) {
    Begin({instruction}, 0);
    dut_->cmd_valid = 1;
    dut_->wt_ready = 0;
    SetCommand(dut_->cmd, OnBus(instruction));
    Eval();
    ASSERT_EQ(dut_->cmd_ready, 1);
    std::vector<std::vector<std::uint8_t>> expected;
    std::visit([&](const auto& i) { AppendRows(i, expected); }, instruction);
    const std::uint64_t begin = cycles();
    do {
      Step();
      dut_->cmd_valid = 0;
      Eval();
      ASSERT_LT(cycles() - begin, 200U) << "waits until a row is asked for";
    } while (!dut_->wt_valid);
    for (int i = 0; i < 20; ++i) {
      ASSERT_EQ(dut_->wt_valid, 1);
      ASSERT_EQ(PortBytes(dut_->wt_data, kBf16 ? 2 * kN : kN), expected[0]);
      Step();
      Eval();
    }
  }

  /// Puts the memory anywhere and runs the program until it is done, has failed or `halt_after`
  /// cycles have passed, checking every row.
  void Execute(const Program& program, std::uint64_t halt_after = 100000) {
    std::vector<std::vector<std::uint8_t>> expected;  // Each row
    std::vector<std::uint64_t> rows_at_done;
    for (const isa::Instruction& instruction : program) {
      std::visit([&](const auto& i) { AppendRows(i, expected); }, instruction);
      rows_at_done.push_back(expected.size());
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
      Eval();
      if (offer && dut_->cmd_ready) ++started;
      if (dut_->wt_valid && dut_->wt_ready) {
        ASSERT_LT(rows_, expected.size());
        ASSERT_EQ(PortBytes(dut_->wt_data, kBf16 ? 2 * kN : kN), expected[rows_])
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
    ASSERT_EQ(rows_, expected.size());
    ASSERT_EQ(dut_->busy, 0);
    checker_.ExpectDrained();
  }

 private:
  // Numbers from some bytes on.
  static void AppendNumbers(const std::uint8_t* bytes, std::size_t count, isa::NumberFormat format,
                            Tile& tile) {
    for (std::size_t i = 0; i < count; ++i) {
      tile.push_back(format == isa::NumberFormat::kInt8
                         ? bytes[i]
                         : static_cast<std::uint16_t>(bytes[2 * i] | bytes[2 * i + 1] << 8));
    }
  }
  // A tile's rows, or those that there are, as the FIFO gets them.
  static void AppendTile(const Tile& tile, bool transpose,
                         std::vector<std::vector<std::uint8_t>>& rows) {
    for (std::size_t r = 0; r < (transpose ? kN : tile.size() / kN); ++r) {
      std::vector<std::uint8_t>& row = rows.emplace_back();
      for (std::size_t c = 0; c < kN; ++c) {
        const std::uint16_t number = transpose ? tile[c * kN + r] : tile[r * kN + c];
        row.push_back(static_cast<std::uint8_t>(number));
        if (kBf16) row.push_back(static_cast<std::uint8_t>(number >> 8));
      }
    }
  }
  void AppendRows(const Weights& w, std::vector<std::vector<std::uint8_t>>& rows) {
    const std::uint64_t row_bytes = kN * static_cast<std::uint64_t>(isa::BytesOf(w.format));
    for (std::uint64_t t = 0; t < w.tiles; ++t) {
      Tile tile;
      // No row comes from outside the memory.
      for (std::uint64_t r = t * kN; r < (t + 1) * kN; ++r) {
        const std::uint64_t address = w.dram_addr + r * row_bytes;
        if (address < kMemoryBytes) {
          AppendNumbers(&memory_.bytes()[address], kN, w.format, tile);
        }
      }
      if (tile.size() < kN * kN && w.transpose != 0) return;
      AppendTile(tile, w.transpose != 0, rows);
      if (tile.size() < kN * kN) return;
    }
  }
  void AppendRows(const UbWeights& w, std::vector<std::vector<std::uint8_t>>& rows) {
    const std::int64_t number_rows = isa::BytesOf(w.format);
    for (std::int64_t ob = 0; ob < w.n_ob; ++ob) {
      for (std::int64_t cb = 0; cb < w.n_cb; ++cb) {
        Tile tile;
        for (std::int64_t j = 0; j < kN; ++j) {
          const std::int64_t y =
              j + (w.along_ob != 0 ? kN * ob : 0) + (w.along_cb != 0 ? kN * cb : 0);
          std::vector<std::uint8_t> bytes(static_cast<std::size_t>(number_rows) * kN);
          for (std::int64_t e = 0; e < number_rows && y < w.row_bound; ++e) {
            const std::int64_t row =
                (w.row + ob * w.s_ob + cb * w.s_cb + j * w.s_row + e) & 0xFFFFF;
            // The first row outside ends the program, behind the rows before it.
            if (row >= kUbRows) {
              if (w.transpose == 0) AppendTile(tile, false, rows);
              return;
            }
            std::copy_n(&ub_[static_cast<std::size_t>(row) * kN], kN,
                        &bytes[static_cast<std::size_t>(e) * kN]);
          }
          AppendNumbers(bytes.data(), kN, w.format, tile);
        }
        AppendTile(tile, w.transpose != 0, rows);
      }
    }
  }
  template <typename Other>
  void AppendRows(const Other&, std::vector<std::vector<std::uint8_t>>&) {}

  // The test's addresses count from the start of the memory.
  isa::Instruction OnBus(isa::Instruction instruction) const {
    if (auto* weights = std::get_if<Weights>(&instruction)) weights->dram_addr += base_;
    return instruction;
  }

  bool Stall() { return stall_ > 0 && std::bernoulli_distribution(stall_)(rng_); }

  // Settles, and grants a read of the unified buffer or not.
  void Eval() {
    if constexpr (kBf16) {
      dut_->rd_ready = std::bernoulli_distribution(granted_)(rng_) ? 1 : 0;
      tb::SetPortBytes(dut_->rd_data, ub_data_.back().data());
    }
    dut_.Eval();
  }

  // The unified buffer: a row, or a pair of rows, shows three cycles after its grant, until the
  // next one does. Behind a single row is anything.
  void ReadUb() {
    std::vector<std::uint8_t> rows = ub_data_.front();
    if (dut_->rd_valid && dut_->rd_ready) {
      const std::uint32_t count = dut_->rd_pair ? 2 : 1;
      ASSERT_LE(dut_->rd_row + count, kUbRows) << "reads a row that does not exist";
      reads_ += count;
      rows = RandomBytes(rows.size(), rng_);
      std::copy_n(&ub_[std::size_t{dut_->rd_row} * kN], std::size_t{count} * kN, rows.begin());
    }
    std::ranges::copy_backward(std::span(ub_data_).first(2), ub_data_.end());
    ub_data_.front() = std::move(rows);
  }

  void Step() {
    if constexpr (kBf16) {
      ReadUb();
    } else {
      ASSERT_EQ(dut_->rd_valid + dut_->rd_pair + dut_->rd_row, 0) << "no bf16, no such reads";
    }
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
      Eval();
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
      Eval();
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
  std::vector<std::uint8_t> ub_;
  std::array<std::vector<std::uint8_t>, 3> ub_data_;  // On its way from the buffer, the last shows.
  double granted_ = 0.7;
  std::uint64_t reads_ = 0;
};

Weights WeightsOf(std::uint64_t address, std::uint32_t tiles) {
  Weights weights;
  weights.dram_addr = address;
  weights.tiles = tiles;
  return weights;
}

/// Whether all rows that an instruction reads exist.
bool Inside(const UbWeights& w, std::int64_t n) {
  for (std::int64_t ob = 0; ob < w.n_ob; ++ob) {
    for (std::int64_t cb = 0; cb < w.n_cb; ++cb) {
      for (std::int64_t j = 0; j < n; ++j) {
        if (j + n * (w.along_ob * ob + w.along_cb * cb) >= w.row_bound) continue;
        const std::int64_t row = w.row + ob * w.s_ob + cb * w.s_cb + j * w.s_row;
        if (row < 0 || row + isa::BytesOf(w.format) > kUbRows) return false;
      }
    }
  }
  return true;
}

/// Tiles of anything in the buffer, of which some rows may be zeros.
template <unsigned kN>
UbWeights RandomUbWeights(std::mt19937_64& rng) {
  UbWeights w;
  const auto coin = [&rng] { return static_cast<std::uint32_t>(rng() % 2); };
  w.transpose = coin();
  w.along_cb = coin();
  w.along_ob = coin();
  if (coin() != 0) w.format = isa::NumberFormat::kBfloat16;
  do {
    w.n_ob = Uniform(rng, 1, 4);
    w.n_cb = Uniform(rng, 1, 4);
    w.row_bound = Uniform(rng, 0, 5 * kN);
    if (rng() % 8 == 0) w.row_bound = Uniform(rng, 0, 0xFFFF);
    w.row = Uniform(rng, 0, kUbRows - 1);
    w.s_row = static_cast<std::int32_t>(Uniform(rng, 0, 16)) - 8;
    w.s_cb = static_cast<std::int32_t>(Uniform(rng, 0, 200)) - 100;
    w.s_ob = static_cast<std::int32_t>(Uniform(rng, 0, 200)) - 100;
  } while (!Inside(w, kN));
  return w;
}

template <unsigned kN, bool kBf16>
Weights RandomMemoryWeights(std::mt19937_64& rng) {
  const bool bf16 = kBf16 && rng() % 2 == 0;
  const std::uint32_t tiles = Uniform(rng, 1, std::max(1U, 1000 / (kN * kN)));
  const std::uint32_t room = kMemoryBytes - tiles * kN * kN * (bf16 ? 2 : 1);
  const std::uint32_t page = Uniform(rng, 0, room / 4096) * 4096;
  Weights weights = WeightsOf(std::min(room, page + Uniform(rng, 0, 200)), tiles);
  if (bf16) weights.format = isa::NumberFormat::kBfloat16;
  if (kBf16) weights.transpose = static_cast<std::uint32_t>(rng() % 2);
  return weights;
}

template <unsigned kN, bool kBf16>
isa::Instruction RandomWeights(std::mt19937_64& rng) {
  if (kBf16 && rng() % 2 == 0) return RandomUbWeights<kN>(rng);
  return RandomMemoryWeights<kN, kBf16>(rng);
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
    Program program;
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
    Program program = {WeightsOf(0, 1), WeightsOf(5000, 1), WeightsOf(8192, 2),
                       WeightsOf(kMemoryBytes, 1)};
    ErrorCode code = ErrorCode::kBusRead;
    std::uint64_t rows = 2 * std::uint64_t{Bench::kN};
    if (seed % 3 == 0) {
      std::get<Weights>(program[2]).dram_addr = (std::uint64_t{1} << 40U) + 64;
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

// Not so many as the lower bits of their size say. Only large tiles are enough for all addresses.
TEST(WeightsSize, MoreTilesThanThereAreAddressesAreReadUntilTheBusFails) {
  using Bench = WeightsBench<Config<Vtpu_weights_32_128, 32>>;
  constexpr std::uint64_t kTile = Bench::kN * Bench::kN;
  constexpr std::uint64_t kTiles = (std::uint64_t{1} << Bench::kAddressBits) / kTile + 1;
  static_assert(kTiles >> 32 == 0);
  Bench bench(4, {}, 0);
  bench.Execute({WeightsOf(kMemoryBytes - 3 * kTile, kTiles)});
  ASSERT_TRUE(bench.failure());
  EXPECT_EQ(bench.failure()->first, ErrorCode::kBusRead);
}

TYPED_TEST(WeightsTest, HaltDrainsAtAnyTimeAndResetMakesReadyAgain) {
  using Bench = WeightsBench<TypeParam>;
  Bench bench(5, {.latency = 30, .stalls = StallAll(0.2), .seed = 5}, 0.2);
  for (const std::uint32_t halt_after : {0U, 3U, 33U, 50U, 111U}) {
    SCOPED_TRACE(fmt::format("halt after {}", halt_after));
    Program program;
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
  const Program program = {WeightsOf(0, 1)};
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

TYPED_TEST(WeightsTest, AHaltStopsTheRows) {
  using Bench = WeightsBench<TypeParam>;
  Bench bench(14, {.latency = 10}, 0);
  bench.GrantReads(1.0);
  UbWeights tiles;
  tiles.n_ob = 60;
  tiles.row_bound = Bench::kN;
  Program instructions = {WeightsOf(4096, 60)};
  if (Bench::kBf16) instructions.emplace_back(tiles);
  for (const isa::Instruction& instruction : instructions) {
    for (std::uint64_t halt = 0; halt < 60; ++halt) {
      SCOPED_TRACE(fmt::format("halt after {} cycles", halt));
      bench.ExpectHaltStops({instruction}, halt);
      if (this->HasFatalFailure()) return;
      bench.ResetNow();
    }
  }
}

// The FIFO may wait for a row before it says that it takes one.
TYPED_TEST(WeightsTest, ARowIsOfferedBeforeItIsAskedFor) {
  using Bench = WeightsBench<TypeParam>;
  Bench bench(15, {.latency = 10}, 0);
  bench.ExpectOffer(WeightsOf(4099, 2));
  if (!Bench::kBf16 || this->HasFatalFailure()) return;
  bench.ResetNow();
  UbWeights tiles;
  tiles.row_bound = Bench::kN;
  tiles.s_row = 1;
  bench.ExpectOffer(tiles);
}

template <typename Bench>
double BusShare(Bench& bench, const Program& program) {
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
  Program program;
  for (std::uint64_t i = 0; i < 100; ++i) program.emplace_back(WeightsOf(i * 128, 1));
  for (isa::Instruction& w : program) std::get<Weights>(w).format = isa::NumberFormat::kBfloat16;
  EXPECT_GE(BusShare(bench, program), 0.95);
  program = {WeightsOf(3, 800)};
  EXPECT_GE(BusShare(bench, program), 0.95) << "int8";
  std::get<Weights>(program.front()).format = isa::NumberFormat::kBfloat16;
  EXPECT_GE(BusShare(bench, program), 0.95) << "not aligned";
}

TEST(WeightsThroughput, SingleTilesFollowWithoutGaps) {
  WeightsBench<Config<Vtpu_weights_16_128, 16>> bench(1, {}, 0);
  Program program;
  for (std::uint64_t i = 0; i < 100; ++i) program.emplace_back(WeightsOf(i * 256, 1));
  EXPECT_GE(BusShare(bench, program), 0.95);
  for (isa::Instruction& w : program) std::get<Weights>(w).tiles = 4;
  EXPECT_GE(BusShare(bench, program), 0.95);
}

// ---- From the unified buffer, transposed
// ---------------------------------------------------------

template <typename C>
class UbWeightsTest : public testing::Test {};

using Bf16Configs = testing::Types<Config<Vtpu_weights_4_64_bf16, 4, true>,
                                   Config<Vtpu_weights_8_64_bf16, 8, true>>;
TYPED_TEST_SUITE(UbWeightsTest, Bf16Configs);

TYPED_TEST(UbWeightsTest, ARowOutsideTheBufferIsAnError) {
  using Bench = WeightsBench<TypeParam>;
  Bench bench(8, {.latency = 10}, 0.1);
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE(fmt::format("number {}", i));
    UbWeights bad = RandomUbWeights<Bench::kN>(bench.rng());
    bad.row_bound = Uniform(bench.rng(), 1, 0xFFFF);
    do {
      bad.row = Uniform(bench.rng(), 0, 0xFFFF);
      bad.s_row = static_cast<std::int32_t>(Uniform(bench.rng(), 0, 0xFFFF)) - 0x8000;
    } while (Inside(bad, Bench::kN));
    bench.Execute({RandomUbWeights<Bench::kN>(bench.rng()), bad, WeightsOf(kMemoryBytes, 1)});
    if (this->HasFatalFailure()) return;
    ASSERT_TRUE(bench.failure());
    ASSERT_EQ(static_cast<int>(bench.failure()->first), static_cast<int>(ErrorCode::kUbRange));
    ASSERT_EQ(bench.failure()->second, 1U);
    bench.Reset();
  }
}

// Of the two rows of a tile's row of bf16 one does not exist, behind the buffer's end or before its
// beginning. A row of zeros is not read, nor a second row of int8.
TYPED_TEST(UbWeightsTest, OneOfTwoRowsOutsideTheBufferIsAnError) {
  using Bench = WeightsBench<TypeParam>;
  Bench bench(13, {}, 0);
  UbWeights behind;
  behind.format = isa::NumberFormat::kBfloat16;
  behind.row = kUbRows - 2 * Bench::kN + 1;
  behind.s_row = 2;
  behind.row_bound = Bench::kN;
  UbWeights before = behind;
  before.row = 0;
  before.s_row = -1;
  before.row_bound = 2;
  for (const UbWeights& bad : {behind, before}) {
    SCOPED_TRACE(fmt::format("from row {}", bad.row));
    bench.Execute({bad});
    if (this->HasFatalFailure()) return;
    ASSERT_TRUE(bench.failure());
    EXPECT_EQ(static_cast<int>(bench.failure()->first), static_cast<int>(ErrorCode::kUbRange));
    bench.Reset();
    UbWeights good = bad;
    --good.row_bound;
    bench.Execute({good});
    ASSERT_FALSE(bench.failure());
  }
  behind.format = isa::NumberFormat::kInt8;
  bench.Execute({behind});
  ASSERT_FALSE(bench.failure());
}

TYPED_TEST(UbWeightsTest, ABadBeatIsNotOfTheInstructionBefore) {
  using Bench = WeightsBench<TypeParam>;
  Bench bench(9, {.latency = 2}, 0);
  bench.memory().FailRange(0, 1, tb::AxiResponse::kSlaveError);
  UbWeights tiles;
  tiles.n_ob = 20;
  tiles.row_bound = 0xFFFF;
  tiles.s_row = 1;
  bench.Execute({tiles, WeightsOf(0, 1)});
  if (this->HasFatalFailure()) return;
  ASSERT_TRUE(bench.failure());
  EXPECT_EQ(bench.failure()->second, 1U);
  EXPECT_EQ(bench.rows(), 20 * Bench::kN);
}

TYPED_TEST(UbWeightsTest, RowsOfZerosAreNotRead) {
  using Bench = WeightsBench<TypeParam>;
  Bench bench(10, {}, 0);
  UbWeights tiles;
  tiles.n_cb = 5;
  tiles.along_cb = 1;
  tiles.row_bound = 2 * Bench::kN + 3;
  tiles.row = kUbRows - tiles.row_bound;  // The rows behind do not exist.
  tiles.s_row = 1;
  tiles.s_cb = Bench::kN;
  bench.Execute({tiles});
  ASSERT_FALSE(bench.failure());
  EXPECT_EQ(bench.reads(), tiles.row_bound);
  tiles.row -= tiles.row_bound;
  tiles.s_row = 2;
  tiles.s_cb = 2 * Bench::kN;
  tiles.format = isa::NumberFormat::kBfloat16;
  bench.Execute({tiles});
  ASSERT_FALSE(bench.failure());
  EXPECT_EQ(bench.reads(), 3 * tiles.row_bound) << "bf16 has two rows for one of int8";
}

// A row of a tile in each cycle; the transposer rests for two cycles after each tile.
TYPED_TEST(UbWeightsTest, ARowInEachCycle) {
  using Bench = WeightsBench<TypeParam>;
  Bench bench(11, {}, 0);
  bench.GrantReads(1.0);
  for (const auto format : {isa::NumberFormat::kInt8, isa::NumberFormat::kBfloat16}) {
    for (const std::uint32_t transpose : {0U, 1U}) {
      SCOPED_TRACE(fmt::format("format {} transpose {}", static_cast<int>(format), transpose));
      UbWeights tiles;
      tiles.n_ob = 50;
      tiles.row_bound = Bench::kN;
      tiles.s_row = 2;
      tiles.format = format;
      tiles.transpose = transpose;
      const std::uint64_t begin = bench.cycles();
      bench.Execute({tiles});
      const std::uint64_t transposes = transpose != 0 ? Bench::kN + 2 * 50 : 0;
      EXPECT_LE(bench.cycles() - begin, 50 * Bench::kN + transposes + 12);
    }
  }
}

// A tile from memory leaves right behind one that is transposed, and not before it.
TYPED_TEST(UbWeightsTest, TransposedTilesKeepTheirPlace) {
  using Bench = WeightsBench<TypeParam>;
  Bench bench(12, {}, 0);
  Program program;
  for (std::uint64_t i = 0; i < 60; ++i) {
    Weights weights = WeightsOf(1000 * i, 1);
    weights.transpose = i % 3 == 0 ? 1 : 0;
    if (i % 2 == 0) weights.format = isa::NumberFormat::kBfloat16;
    program.emplace_back(weights);
  }
  bench.Execute(program);
  ASSERT_FALSE(bench.failure());
}

}  // namespace
}  // namespace tpu
