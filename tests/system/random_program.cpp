// SPDX-License-Identifier: Apache-2.0
#include "tests/system/random_program.h"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <random>
#include <utility>

#include "asm/footprint.h"
#include "asm/verifier.h"
#include "base/error.h"
#include "isa/element_format.h"
#include "isa/encoding.h"
#include "isa/tiles.h"
#include "tests/system/random_instruction.h"
#include "tests/system/random_number.h"
#include "tests/system/weaver.h"

namespace tpu::system_test {
namespace {

using isa::NumberFormat;
using isa::Unit;

constexpr std::uint32_t kLutBytes = 256;

std::uint64_t AlignUp(std::uint64_t value) {
  constexpr std::uint64_t kPage = 4096;
  return (value + kPage - 1) / kPage * kPage;
}

std::uint64_t ReadableBytes(const isa::HardwareConfig& config) {
  return kParameterImage + std::uint64_t{config.param_rows} * config.ParamEntryBytes();
}

/// Draws instructions and keeps the account of weight tiles (docs/isa.md, 2).
class BodyMaker {
 public:
  BodyMaker(const isa::HardwareConfig& config, std::uint64_t seed)
      : config_(config),
        source_(config, seed),
        weaver_(config, ReadableBytes(config), kArenaBytes, seed + 1) {
    for (int& share : shares_) share = source_.Pick(0, 4);
  }

  std::vector<isa::Instruction> Make(int count) {
    for (int i = 0; i < count; ++i) Step();
    TakeAll();
    return weaver_.program();
  }

 private:
  enum Kind { kLoad, kStore, kWeights, kMatmul, kVector, kKinds };

  template <typename Draw>
  auto Legal(Draw draw) {
    constexpr double kMostWork = 2500;
    for (;;) {
      auto instruction = draw();
      if (Work(instruction, config_) <= kMostWork && weaver_.Accepts(instruction)) {
        return instruction;
      }
    }
  }

  void Step() {
    int total = 0;
    for (const int share : shares_) total += share;
    int chosen = source_.Pick(0, total);
    int kind = 0;
    while (kind < kVector && chosen >= shares_[static_cast<std::size_t>(kind)]) {
      chosen -= shares_[static_cast<std::size_t>(kind)];
      ++kind;
    }
    switch (kind) {
      case kLoad:
        return Add(Legal([this] { return source_.Load(); }));
      case kStore:
        return Add(Legal([this] { return source_.Store(); }));
      case kWeights:
        if (InFlight() < isa::kMaxWeightsAhead) BringAny();
        return;
      case kMatmul:
        return AddMatmul();
      default:
        if (source_.WantsFvector()) {
          if (source_.WantsAdam()) return Add(Legal([this] { return source_.Adam(); }));
          return Add(Legal([this] { return source_.Fvector(); }));
        }
        if (source_.WantsIvector()) return Add(Legal([this] { return source_.Ivector(); }));
        return Add(Legal([this] { return source_.Vector(); }));
    }
  }

  void AddMatmul() {
    const NumberFormat format = left_.empty() ? source_.Format() : left_.front();
    // Behind tiles of this format, which it takes, there may be tiles of the other one.
    const std::uint32_t most =
        NextTiles() < TilesLeft() ? NextTiles() : InstructionSource::kMaxTiles;
    const isa::Matmul matmul = Legal([&] {
      isa::Matmul m = source_.Matmul(format);
      while (isa::TileCount(m) > most) m = source_.Matmul(format);
      return m;
    });
    const auto needed = static_cast<std::uint32_t>(isa::TileCount(matmul));
    // Not one more WEIGHTS may come before tiles are taken.
    if (InFlight() == isa::kMaxWeightsAhead && TilesLeft() < needed) TakeAll();
    while (TilesLeft() < needed) Bring(format, needed - TilesLeft());
    // One more WEIGHTS may come between.
    if (InFlight() < isa::kMaxWeightsAhead && source_.OneIn(4)) BringAny();
    Add(matmul);
  }

  void TakeAll() {
    while (TilesLeft() > 0) {
      isa::Matmul matmul;
      matmul.format = left_.front();
      matmul.n_kh = std::min<std::uint32_t>(NextTiles(), InstructionSource::kMaxTiles);
      matmul.y_bound = 1;
      matmul.x_bound = config_.n;
      Add(matmul);
    }
  }

  /// One WEIGHTS; at least `missing` tiles if no other one may follow before they are taken.
  void Bring(NumberFormat format, std::uint32_t missing) {
    auto tiles = static_cast<std::uint32_t>(source_.Pick(1, 12));
    if (InFlight() + 1 >= isa::kMaxWeightsAhead) tiles = std::max(tiles, missing);
    if (source_.WantsUbWeights()) {
      return Add(Legal([&] { return source_.UbWeights(tiles, format); }));
    }
    Add(source_.Weights(tiles, format));
  }
  void BringAny() { Bring(source_.Format(), 0); }

  void Add(const isa::Instruction& instruction) {
    if (const auto tiles = isa::TilesBrought(instruction)) {
      const auto count = static_cast<std::uint32_t>(tiles->count);
      brought_.push_back((brought_.empty() ? 0 : brought_.back()) + count);
      left_.insert(left_.end(), count, tiles->format);
    }
    if (const auto wanted = isa::TilesTaken(instruction)) {
      const auto tiles = static_cast<std::uint32_t>(wanted->count);
      taken_ += tiles;
      left_.erase(left_.begin(), left_.begin() + tiles);
    }
    weaver_.Append(instruction);
  }

  [[nodiscard]] std::uint32_t TilesLeft() const { return static_cast<std::uint32_t>(left_.size()); }
  /// Of those left, how many of the first one's format come before one of the other.
  [[nodiscard]] std::uint32_t NextTiles() const {
    const auto other = std::ranges::find_if(
        left_, [this](NumberFormat format) { return format != left_.front(); });
    return static_cast<std::uint32_t>(other - left_.begin());
  }
  /// WEIGHTS whose last tile is not taken.
  [[nodiscard]] unsigned InFlight() const {
    return static_cast<unsigned>(
        std::ranges::count_if(brought_, [this](std::uint32_t b) { return b > taken_; }));
  }

  isa::HardwareConfig config_;
  InstructionSource source_;
  Weaver weaver_;
  std::array<int, kKinds> shares_{};
  std::vector<std::uint32_t> brought_;  // After each WEIGHTS
  std::uint32_t taken_ = 0;
  std::deque<NumberFormat> left_;  // Of the tiles that are brought and not taken.
};

/// A program in which each instruction waits for the one before.
class Chain {
 public:
  void Add(isa::Instruction instruction) {
    if (!program_.empty()) {
      isa::Instruction& before = program_.back();
      const auto from = static_cast<unsigned>(isa::UnitOf(isa::OpcodeOf(before)));
      const auto to = static_cast<unsigned>(isa::UnitOf(isa::OpcodeOf(instruction)));
      const std::uint32_t semaphore = 1U << (5 * (from - 1) + to - 1);
      isa::SemaphoresOf(before).post |= semaphore;
      isa::SemaphoresOf(instruction).wait |= semaphore;
    }
    program_.push_back(std::move(instruction));
  }
  [[nodiscard]] const std::vector<isa::Instruction>& program() const { return program_; }

 private:
  std::vector<isa::Instruction> program_;
};

/// Rows of memory, `row_stride` apart, to consecutive rows, entries or tables from `row`.
isa::Load LoadFrom(std::uint64_t address, std::uint32_t rows, std::uint32_t row_bytes,
                   std::uint32_t row_stride, std::uint32_t row = 0) {
  isa::Load load;
  load.dram_addr = address;
  load.row_bytes = row_bytes;
  load.rows = rows;
  load.row_stride = row_stride;
  load.row = row;
  load.pixel_bytes = row_bytes;
  load.pixel_stride = 1;
  return load;
}

/// Everything but the body: what is in memory, how the buffers are filled and written out.
class Surroundings {
 public:
  Surroundings(const isa::HardwareConfig& config, std::uint64_t seed)
      : config_(config),
        rng_(seed),
        constants_(AlignUp(ReadableBytes(config))),
        results_(AlignUp(constants_ + kLutBytes + kDrains.size() * config.ParamEntryBytes())),
        end_(results_) {}

  [[nodiscard]] std::vector<isa::Instruction> Fill() const {
    Chain chain;
    // With bf16 whole numbers from where those lie.
    chain.Add(config_.bf16 == 0 ? LoadFrom(0, config_.ub_rows, config_.n, 3)
                                : LoadFrom(kArenaBytes / 2, config_.ub_rows, config_.n, 2));
    isa::Load parameters = LoadFrom(kParameterImage, config_.param_rows, config_.ParamEntryBytes(),
                                    config_.ParamEntryBytes());
    parameters.destination = isa::LoadDestination::kParameters;
    chain.Add(parameters);
    isa::Load tables = LoadFrom(0, config_.lut_tables, kLutBytes, 3);
    tables.destination = isa::LoadDestination::kLookup;
    chain.Add(tables);
    isa::Weights weights;
    weights.tiles = 1;
    chain.Add(weights);
    isa::Matmul matmul;
    matmul.n_ow = config_.acc_rows;
    matmul.s_ow = static_cast<std::int32_t>(config_.n) * 3 / 4;
    matmul.y_bound = 1;
    matmul.x_bound = config_.n;
    chain.Add(matmul);
    if (config_.bf16 != 0) {
      weights.format = matmul.format = NumberFormat::kBfloat16;
      weights.dram_addr = kArenaBytes / 2;
      matmul.acc_row = matmul.n_ow = config_.acc_rows / 2;
      chain.Add(weights);
      chain.Add(matmul);
    }
    return chain.program();
  }

  std::vector<isa::Instruction> Dump() {
    Chain chain;
    Write(chain, 0, config_.ub_rows);
    chain.Add(LoadFrom(constants_, kLutBytes / config_.n, config_.n, config_.n));
    const std::uint32_t scratch = kLutBytes / config_.n;
    // Of every entry, each kind of requantisation of the constants' row 1.
    for (const isa::VectorRequant requant :
         {isa::VectorRequant::kNone, isa::VectorRequant::kDouble, isa::VectorRequant::kSingle,
          isa::VectorRequant::kDivide}) {
      isa::Vector v = Rows(config_.param_rows, scratch);
      v.a_row = 1;
      v.param_row = 0;
      v.param_stride = 1;
      v.n_cb = config_.param_rows;
      v.n_ow = 1;
      v.o_cb = 1;
      v.requant = requant;
      chain.Add(v);
      Write(chain, scratch, config_.param_rows);
    }
    if (config_.bf16 != 0) DumpFloatParameters(chain, scratch);
    isa::Load drains = LoadFrom(constants_ + kLutBytes, static_cast<std::uint32_t>(kDrains.size()),
                                config_.ParamEntryBytes(), config_.ParamEntryBytes());
    drains.destination = isa::LoadDestination::kParameters;
    chain.Add(drains);
    for (std::uint32_t table = 0; table < config_.lut_tables; ++table) {
      isa::Vector v = Rows(scratch, scratch);
      v.a_ow = 1;
      v.param_row = kNoDrain;
      v.lut_enable = 1;
      v.lut = table;
      chain.Add(v);
      Write(chain, scratch, scratch);
    }
    for (std::uint32_t entry = 0; entry < kNoDrain; ++entry) {
      isa::Vector v = Rows(config_.acc_rows, scratch);
      v.source = isa::VectorSource::kAccumulators;
      v.a_ow = 1;
      v.param_row = entry;
      v.requant = isa::VectorRequant::kDouble;
      chain.Add(v);
      Write(chain, scratch, config_.acc_rows);
    }
    return chain.program();
  }

  /// To be called after Dump, which decides how long the results are.
  executable::Executable Finish(const std::array<std::vector<isa::Instruction>, 3>& programs) {
    executable::Executable executable;
    executable.config = config_;
    std::vector<std::uint8_t> arena(kArenaBytes);
    for (std::uint8_t& b : arena) b = static_cast<std::uint8_t>(rng_());
    if (config_.bf16 != 0) PutNumbers(arena);
    executable.segments = {
        {0, std::move(arena)}, {kParameterImage, Parameters()}, {constants_, Constants()}};
    for (const std::vector<isa::Instruction>& program : programs) {
      std::vector<std::uint8_t> bytes = isa::EncodeProgram(program);
      end_ = AlignUp(end_);
      executable::DeviceProgram step;
      step.address = end_;
      step.granules = static_cast<std::uint32_t>(bytes.size() / isa::kGranuleBytes);
      executable.steps.emplace_back(step);
      end_ += bytes.size();
      if (!bytes.empty()) executable.segments.push_back({step.address, std::move(bytes)});
    }
    executable.memory_bytes = end_;
    return executable;
  }

 private:
  /// Shifts with which "double" requantisation brings one byte after the other of an accumulator to
  /// the top and then down to int8; multiplier 2^7. The last entry makes nothing of anything, but
  /// bias 0.
  static constexpr std::array<std::int8_t, 5> kDrains = {24, 16, 8, 0, 0};
  static constexpr std::uint32_t kNoDrain = kDrains.size() - 1;

  template <typename V>
  static V Walk(std::uint32_t rows, std::uint32_t target) {
    V v;
    v.n_ow = rows;
    v.o_ow = 1;
    v.o_row = target;
    v.y_bound = 1;
    v.x_bound = 1;
    return v;
  }
  static isa::Vector Rows(std::uint32_t rows, std::uint32_t target) {
    auto v = Walk<isa::Vector>(rows, target);
    v.lo = -128;
    v.hi = 127;
    return v;
  }

  /// Of every entry, as fp32, the bias and its sum with multiples of the multiplier: the constants'
  /// row 1, times 0 and times 1.
  void DumpFloatParameters(Chain& chain, std::uint32_t scratch) {
    for (const std::uint32_t factor : {0x00000000U, 0x3F800000U}) {
      auto v = Walk<isa::Fvector>(1, scratch);
      v.a_row = 1;
      v.map = isa::FloatMap::kMultiply;
      v.operand = isa::FloatOperand::kConstant;
      v.constant = factor;
      v.scale = 1;
      v.param_stride = 1;
      v.n_cb = config_.param_rows;
      v.o_format = NumberFormat::kFloat32;
      v.o_cb = static_cast<std::int32_t>(isa::BytesOf(v.o_format));
      v.lo = 0xFF800000;
      v.hi = 0x7F800000;
      chain.Add(v);
      Write(chain, scratch, config_.param_rows * static_cast<std::uint32_t>(v.o_cb));
    }
  }

  /// Numbers of bf16 in the third quarter of the arena and of fp32 in the last one, where
  /// instructions of these formats mostly look for them. The last eighth of each has special ones.
  void PutNumbers(std::vector<std::uint8_t>& arena) {
    for (std::size_t at = kArenaBytes / 2; at < kArenaBytes; at += 4) {
      const auto draw = [&] {
        const bool special = at % (kArenaBytes / 4) >= kArenaBytes / 32 * 7;
        return special ? AnyNumber(rng_) : OrdinaryNumber(rng_);
      };
      std::uint32_t word = draw();
      if (at < kArenaBytes / 4 * 3) word = (word & 0xFFFF0000) | draw() >> 16;
      for (std::size_t b = 0; b < 4; ++b) arena[at + b] = static_cast<std::uint8_t>(word >> 8 * b);
    }
  }

  /// Stores UB rows behind what is stored already.
  void Write(Chain& chain, std::uint32_t row, std::uint32_t rows) {
    isa::Store store;
    store.dram_addr = end_;
    store.row_bytes = rows * config_.n;
    store.rows = 1;
    store.row = row;
    store.pixel_bytes = config_.n;
    store.pixel_stride = 1;
    chain.Add(store);
    end_ += store.row_bytes;
  }

  static void AppendWord(std::vector<std::uint8_t>& bytes, std::int32_t value) {
    for (int b = 0; b < 4; ++b) {
      bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint32_t>(value) >> (8 * b)));
    }
  }

  /// Multipliers and shifts in their legal ranges, everything else random. On a machine with int16
  /// shifts are those of the wide requantisation, which are legal in all others. On one with bf16
  /// biases and multipliers of the second half of the entries are words of fp32.
  std::vector<std::uint8_t> Parameters() {
    const auto pick = [this](std::int32_t low, std::int32_t high) {
      return std::uniform_int_distribution<std::int32_t>(low, high)(rng_);
    };
    std::vector<std::uint8_t> image;
    const std::int32_t most_shift = (config_.int16 | config_.float_rounding) != 0 ? 14 : 30;
    for (std::uint32_t entry = 0; entry < config_.param_rows; ++entry) {
      const std::int32_t bias = pick(0, 3) == 0 ? 0x7FFFFFFF : 2000;
      if (config_.bf16 != 0 && entry >= config_.param_rows / 2) {
        const auto number = [&] {
          return std::bit_cast<std::int32_t>(entry % 8 == 0 ? AnyNumber(rng_)
                                                            : OrdinaryNumber(rng_));
        };
        for (std::uint32_t i = 0; i < config_.n; ++i) AppendWord(image, number());
        for (std::uint32_t i = 0; i < config_.n; ++i) AppendWord(image, number() & 0x7FFFFFFF);
      } else {
        for (std::uint32_t i = 0; i < config_.n; ++i) AppendWord(image, pick(-bias, bias));
        for (std::uint32_t i = 0; i < config_.n; ++i) AppendWord(image, pick(0, 0x7FFFFFFF));
      }
      for (std::uint32_t i = 0; i < config_.n; ++i) {
        image.push_back(static_cast<std::uint8_t>(pick(-31, most_shift)));
      }
    }
    return image;
  }

  /// All bytes, then the entries of kDrains.
  [[nodiscard]] std::vector<std::uint8_t> Constants() const {
    std::vector<std::uint8_t> image;
    for (std::uint32_t b = 0; b < kLutBytes; ++b) image.push_back(static_cast<std::uint8_t>(b));
    for (std::size_t entry = 0; entry < kDrains.size(); ++entry) {
      const std::int32_t multiplier = entry == kNoDrain ? 0 : 1 << 7;
      for (std::uint32_t i = 0; i < config_.n; ++i) AppendWord(image, 0);
      for (std::uint32_t i = 0; i < config_.n; ++i) AppendWord(image, multiplier);
      for (std::uint32_t i = 0; i < config_.n; ++i) {
        image.push_back(static_cast<std::uint8_t>(kDrains[entry]));
      }
    }
    return image;
  }

  isa::HardwareConfig config_;
  std::mt19937_64 rng_;
  std::uint64_t constants_;
  std::uint64_t results_;
  std::uint64_t end_;
};

}  // namespace

RandomProgram MakeRandomProgram(const isa::HardwareConfig& config, int count, std::uint64_t seed) {
  RandomProgram program{config, seed, BodyMaker(config, seed).Make(count)};
  if (const std::string why = WhyIllegal(program); !why.empty()) {
    throw Error::Format("the verifier objects to the program of seed {}: {}", seed, why);
  }
  return program;
}

std::string WhyIllegal(const RandomProgram& program) {
  const std::uint64_t readable = ReadableBytes(program.config);
  assembly::FootprintCalculator writes(program.config, kArenaBytes);
  for (const isa::Instruction& instruction : program.body) {
    if (!std::holds_alternative<isa::Store>(instruction)) continue;
    const assembly::Footprint footprint = writes.Of(instruction);
    if (!footprint.errors.empty()) return footprint.errors.front();
  }
  const auto findings =
      assembly::Verify(program.body, program.config, {.memory_bytes = readable, .max_findings = 1});
  return findings.empty() ? "" : assembly::ToString(findings.front(), program.body);
}

executable::Executable ToExecutable(const RandomProgram& program) {
  Surroundings surroundings(program.config, program.memory_seed);
  const std::vector<isa::Instruction> fill = surroundings.Fill();
  const std::vector<isa::Instruction> dump = surroundings.Dump();
  return surroundings.Finish({fill, program.body, dump});
}

}  // namespace tpu::system_test
