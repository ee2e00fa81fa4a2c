// SPDX-License-Identifier: Apache-2.0
#include "tests/system/crowded_program.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <random>
#include <utility>
#include <variant>

#include "isa/element_format.h"
#include "isa/tiles.h"
#include "tests/system/program.h"

namespace tpu::system_test {
namespace {

using isa::NumberFormat;

// The places in memory for a program of so many granules.
constexpr unsigned kMostGranules = (kZeroAddress - kProgramAddress) / isa::kGranuleBytes;
// Instructions of WEIGHTS whose MATMUL comes later.
constexpr std::size_t kMostAhead = 2;

struct Loop {
  std::uint32_t count = 1;
  std::int32_t stride = 0;
};

class Generator {
 public:
  Generator(const isa::HardwareConfig& config, std::uint64_t seed) : config_(config), rng_(seed) {}

  std::vector<isa::Instruction> Run() {
    // Half of the programs have many short instructions, half of them few long ones.
    long_ = Chance(2);
    granules_ = kMostGranules - 8 - static_cast<unsigned>(Pick(0, 60));
    while (granules_ > 4) AddAny();
    while (!brought_.empty()) AddMatmul();
    return std::move(program_);
  }

 private:
  std::int64_t Pick(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution(low, high)(rng_);
  }
  std::uint32_t Count(std::int64_t low, std::int64_t high) {
    return static_cast<std::uint32_t>(Pick(low, high));
  }
  bool Chance(unsigned of) { return Pick(1, of) == 1; }
  template <typename Enum>
  Enum OneOf(std::initializer_list<Enum> values) {
    return values.begin()[Pick(0, static_cast<std::int64_t>(values.size()) - 1)];
  }
  [[nodiscard]] bool bf16() const { return config_.bf16 != 0; }
  [[nodiscard]] bool int16() const { return config_.int16 != 0; }
  NumberFormat MemoryFormat() {
    if (!bf16() && !int16()) return NumberFormat::kInt8;
    return OneOf({NumberFormat::kInt8, NumberFormat::kBfloat16, NumberFormat::kFloat32});
  }
  NumberFormat TileFormat() {
    return !bf16() || Chance(3) ? NumberFormat::kInt8 : NumberFormat::kBfloat16;
  }

  // The first row of loops whose rows all lie in [low, high); strides are halved until they do.
  std::int32_t Base(std::initializer_list<Loop*> loops, std::int64_t low, std::int64_t high,
                    std::int64_t lines = 1) {
    while (true) {
      std::int64_t least = 0;
      std::int64_t most = lines - 1;
      for (const Loop* loop : loops) {
        const std::int64_t far = std::int64_t{loop->count - 1} * loop->stride;
        least += std::min<std::int64_t>(far, 0);
        most += std::max<std::int64_t>(far, 0);
      }
      if (most - least < high - low) {
        return static_cast<std::int32_t>(Pick(low - least, high - 1 - most));
      }
      for (Loop* loop : loops) loop->stride /= 2;
    }
  }
  Loop Strided(std::uint32_t count) {
    return {count, static_cast<std::int32_t>(Chance(3) ? Pick(-4, 13) : Pick(0, 2))};
  }

  // A semaphore for each pair of units, so that all posts are of one and all waits of another.
  void Add(isa::Instruction instruction) {
    const auto unit = static_cast<std::size_t>(isa::UnitOf(isa::OpcodeOf(instruction))) - 1;
    isa::Semaphores& semaphores = isa::SemaphoresOf(instruction);
    if (Chance(3)) {
      const auto from = static_cast<std::size_t>(Pick(0, 4));
      if (unmet_.at(from).at(unit) != 0) {
        --unmet_.at(from).at(unit);
        semaphores.wait = Semaphore(from, unit);
      }
    }
    // Nobody waits for tiles, of which the FIFO may hold too few.
    const auto to = static_cast<std::size_t>(Pick(0, 4));
    if (Chance(2) && to != unit && !isa::TilesBrought(instruction)) {
      ++unmet_.at(unit).at(to);
      semaphores.post = Semaphore(unit, to);
    }
    granules_ -= std::min(granules_, isa::Granules(isa::OpcodeOf(instruction)));
    program_.push_back(instruction);
  }
  static std::uint32_t Semaphore(std::size_t from, std::size_t to) {
    return std::uint32_t{1} << (from * 5 + to);
  }

  void AddAny() {
    switch (Pick(0, 9)) {
      case 0:
      case 1:
        return AddLoad();
      case 2:
        return AddStore();
      case 3:
      case 4:
        if (brought_.size() == kMostAhead || (!brought_.empty() && Chance(2))) return AddMatmul();
        return Chance(2) || !bf16() ? AddWeights() : AddUbWeights();
      case 5:
      case 6:
        return AddVector();
      default:
        if (bf16() && (!int16() || Chance(2))) return AddFvector();
        return int16() ? AddIvector() : AddVector();
    }
  }

  // Fields that LOAD and STORE share.
  template <typename Transfer>
  void Draw(Transfer& t, std::int64_t address) {
    t.format = MemoryFormat();
    const auto e = static_cast<std::uint32_t>(isa::BytesOf(t.format));
    const std::uint32_t chunk = e * config_.n;
    t.rows = Chance(2) ? 1 : Count(1, 5);
    t.row_bytes = Chance(2) ? chunk * Count(1, long_ ? 30 : 4) : Count(1, 3 * chunk);
    t.row_stride = Chance(2) ? t.row_bytes : t.row_bytes + Count(0, 40);
    t.pixel_bytes = Chance(2) ? chunk : Count(std::max(1U, chunk / 4), 3 * chunk);
    const std::uint32_t bytes = t.rows * t.row_bytes;
    Loop pixels = {(bytes + t.pixel_bytes - 1) / t.pixel_bytes,
                   static_cast<std::int32_t>(Chance(2) ? e : Pick(0, 9))};
    Loop planes = {(t.pixel_bytes + chunk - 1) / chunk, static_cast<std::int32_t>(Pick(0, 9))};
    t.row = static_cast<std::uint32_t>(Base({&pixels, &planes}, 0, config_.ub_rows, e));
    t.pixel_stride = static_cast<std::uint32_t>(pixels.stride);
    t.plane_stride = static_cast<std::uint32_t>(planes.stride);
    t.dram_addr = static_cast<std::uint64_t>(address + (Chance(2) ? 64 * Pick(0, 9) : Pick(0, 99)));
  }

  void AddLoad() {
    isa::Load load;
    Draw(load, kSourceAddress);
    if (Chance(8)) {
      load.destination = isa::LoadDestination::kParameters;
      load.format = NumberFormat::kInt8;
      load.rows = 1;
      load.row_bytes = Count(1, 2 * config_.ParamEntryBytes());
      load.row = Count(0, 4);
    }
    Add(load);
  }

  void AddStore() {
    isa::Store store;
    Draw(store, kTargetAddress);
    Add(store);
  }

  void AddWeights() {
    isa::Weights weights;
    weights.format = TileFormat();
    weights.tiles = Chance(2) ? 1 : Count(1, long_ ? 8 : 3);
    weights.dram_addr = kSourceAddress + Count(0, 100);
    if (bf16()) weights.transpose = Chance(3) ? 1 : 0;
    brought_.push_back(*isa::TilesBrought(weights));
    Add(weights);
  }

  void AddUbWeights() {
    isa::UbWeights weights;
    weights.format = TileFormat();
    weights.n_ob = Chance(2) ? 1 : Count(1, 2);
    weights.n_cb = Chance(2) ? 1 : Count(1, long_ ? 4 : 2);
    Loop ob = Strided(weights.n_ob);
    Loop cb = Strided(weights.n_cb);
    Loop rows = Strided(config_.n);
    weights.row = static_cast<std::uint32_t>(
        Base({&ob, &cb, &rows}, 0, config_.ub_rows, isa::BytesOf(weights.format)));
    weights.s_ob = ob.stride, weights.s_cb = cb.stride, weights.s_row = rows.stride;
    weights.row_bound = Chance(2) ? 0xFFFF : Count(0, 3 * config_.n);
    weights.along_ob = Count(0, 1);
    weights.along_cb = Count(0, 1);
    weights.transpose = Count(0, 1);
    brought_.push_back(*isa::TilesBrought(weights));
    Add(weights);
  }

  // The loops over rows lie outside of the image, so that every address is legal. Rows are read
  // from the buffer all the same. Some tiles lie in both halves of the accumulators.
  void AddMatmul() {
    if (brought_.empty()) return;
    const isa::Tiles tiles = brought_.front();
    brought_.erase(brought_.begin());
    const std::uint32_t half = config_.acc_rows / 2;
    isa::Matmul m;
    m.format = tiles.format;
    if (int16() && m.format == NumberFormat::kInt8) {
      m.planes = static_cast<std::uint32_t>(Pick(0, 1));
    }
    m.n_ob = tiles.count % 2 == 0 ? 2 : 1;
    m.n_kw = static_cast<std::uint32_t>(tiles.count / m.n_ob);
    m.n_oh = Count(1, 3);
    m.n_ow = Count(1, long_ ? 20 : 8);
    m.accumulate = Chance(2) ? 1 : 0;
    const auto stride = [this] {
      return static_cast<std::int32_t>(Chance(2) ? config_.n * Pick(0, 5) : Pick(-20, 50));
    };
    m.ub_addr = static_cast<std::int32_t>(Pick(0, 2000));
    m.s_ow = stride();
    m.s_oh = stride();
    m.s_kw = stride();
    Loop blocks = {m.n_ob, static_cast<std::int32_t>(Pick(0, 20))};
    Loop rows = {m.n_oh * m.n_ow, 1};
    if (rows.count + 20 > half) blocks.stride = 0;
    const std::int64_t low = bf16() ? OneOf({0U, half - 15, half}) : 0;
    const std::int64_t high = bf16() ? low + (Chance(2) ? half : 30) : half;
    m.acc_row = static_cast<std::uint32_t>(Base({&blocks, &rows}, low, high));
    if (rows.stride == 0) m.n_oh = m.n_ow = 1;
    m.acc_ob_stride = static_cast<std::uint32_t>(blocks.stride);
    Add(m);
  }

  // Fields that VECTOR, FVECTOR and IVECTOR share.
  template <typename Vector>
  void Draw(Vector& v, std::int64_t a_lines, std::int64_t b_lines, std::int64_t o_lines) {
    const bool windows = Chance(2);
    v.n_cb = Chance(3) ? Count(1, 3) : 1;
    v.n_oh = Count(1, long_ ? 5 : 2);
    v.n_ow = Chance(4) ? 1 : Count(1, long_ ? 12 : 5);
    v.n_kh = windows ? Count(1, 3) : 1;
    v.n_kw = windows ? Count(1, 3) : 1;
    Loop cb = Strided(v.n_cb);
    Loop oh = Strided(v.n_oh);
    Loop ow = Strided(v.n_ow);
    Loop kh = Strided(v.n_kh);
    Loop kw = Strided(v.n_kw);
    const bool from_buffer = v.source == isa::VectorSource::kUnifiedBuffer;
    Loop low = {1, 0};
    if constexpr (std::is_same_v<Vector, isa::Ivector>) {
      if (v.a_format == isa::IntegerFormat::kPair) low = {2, v.a_low};
    }
    v.a_row = from_buffer ? Base({&cb, &oh, &ow, &kh, &kw}, 0, config_.ub_rows, a_lines)
                          : Base({&cb, &oh, &ow, &kh, &kw, &low}, bf16() ? 0 : config_.acc_rows / 2,
                                 config_.acc_rows);
    if constexpr (std::is_same_v<Vector, isa::Ivector>) v.a_low = low.stride;
    v.a_cb = cb.stride, v.a_oh = oh.stride, v.a_ow = ow.stride;
    v.a_kh = kh.stride, v.a_kw = kw.stride;
    cb = Strided(v.n_cb), oh = Strided(v.n_oh), ow = Strided(v.n_ow);
    kh = Strided(v.n_kh), kw = Strided(v.n_kw);
    v.b_row = Base({&cb, &oh, &ow, &kh, &kw}, 0, config_.ub_rows, b_lines);
    v.b_cb = cb.stride, v.b_oh = oh.stride, v.b_ow = ow.stride;
    v.b_kh = kh.stride, v.b_kw = kw.stride;
    cb = Strided(v.n_cb), oh = Strided(v.n_oh), ow = Strided(v.n_ow);
    v.o_row = static_cast<std::uint32_t>(Base({&cb, &oh, &ow}, 0, config_.ub_rows, o_lines));
    v.o_cb = cb.stride, v.o_oh = oh.stride, v.o_ow = ow.stride;
    const bool inside = Chance(2);
    v.y0 = inside ? 0 : static_cast<std::int32_t>(Pick(-2, 1));
    v.x0 = inside ? 0 : static_cast<std::int32_t>(Pick(-3, 2));
    v.y_bound = inside ? 100 : Count(0, 6);
    v.x_bound = inside ? 100 : Count(1, 12);
    v.ys_oh = Count(0, 2), v.ys_kh = Count(0, 2), v.xs_ow = Count(0, 2), v.xs_kw = Count(0, 2);
    v.param_row = Count(0, 5);
    v.param_stride = Count(0, 2);
  }

  void AddVector() {
    isa::Vector v;
    v.source = OneOf({isa::VectorSource::kUnifiedBuffer, isa::VectorSource::kUnifiedBuffer,
                      isa::VectorSource::kAccumulators});
    if (v.source == isa::VectorSource::kUnifiedBuffer) {
      v.map = OneOf({isa::VectorMap::kCopy, isa::VectorMap::kAdd, isa::VectorMap::kMultiply});
    }
    v.reduce = OneOf({isa::VectorReduce::kSum, isa::VectorReduce::kMaximum});
    Draw(v, 1, 1, 1);
    if (Chance(3)) MakePooling(v);
    Add(v);
  }

  // 3 x 3 windows, which go column by column.
  void MakePooling(isa::Vector& v) {
    v.source = isa::VectorSource::kUnifiedBuffer;
    v.map = isa::VectorMap::kCopy;
    v.n_kh = v.n_kw = 3;
    v.a_kw = v.a_ow = 1;
    v.xs_kw = v.xs_ow = 1;
    v.a_kh = static_cast<std::int32_t>(Pick(0, 20));
    v.a_oh = static_cast<std::int32_t>(Pick(0, 20));
    v.a_cb = 7;
    v.a_row = static_cast<std::int32_t>(Pick(0, 400));
  }

  void AddFvector() {
    isa::Fvector v;
    const auto any_format = [this] { return static_cast<NumberFormat>(Pick(0, 3)); };
    v.source = OneOf({isa::VectorSource::kUnifiedBuffer, isa::VectorSource::kUnifiedBuffer,
                      isa::VectorSource::kAccumulators});
    const bool from_buffer = v.source == isa::VectorSource::kUnifiedBuffer;
    v.a_format = from_buffer ? any_format() : OneOf({NumberFormat::kFloat32, NumberFormat::kInt32});
    v.b_format = any_format();
    v.o_format = any_format();
    v.operand = Chance(4) ? isa::FloatOperand::kConstant : isa::FloatOperand::kUnifiedBuffer;
    v.map = static_cast<isa::FloatMap>(Pick(0, 11));
    v.reduce = static_cast<isa::FloatReduce>(Pick(0, 2));
    if (Chance(2)) v.reduce = isa::FloatReduce::kSum;
    if (Chance(2)) v.function = static_cast<isa::FloatFunction>(Pick(0, 8));
    v.scale = Count(0, 1);
    Draw(v, from_buffer ? isa::BytesOf(v.a_format) : 1, isa::BytesOf(v.b_format),
         isa::BytesOf(v.o_format));
    Add(v);
  }

  void AddIvector() {
    isa::Ivector v;
    const auto any_format = [this] { return static_cast<isa::IntegerFormat>(Pick(0, 2)); };
    v.source = OneOf({isa::VectorSource::kUnifiedBuffer, isa::VectorSource::kAccumulators});
    const bool from_buffer = v.source == isa::VectorSource::kUnifiedBuffer;
    v.a_format =
        from_buffer ? any_format() : OneOf({isa::IntegerFormat::kInt32, isa::IntegerFormat::kPair});
    // In one half of the accumulators, or one row in each.
    v.a_low = static_cast<std::int32_t>(Chance(2) ? Pick(-4, 4) : Pick(-20, 20));
    if (Chance(4)) v.a_low = static_cast<std::int32_t>(config_.acc_rows / 2 + 1);
    v.b_format = any_format();
    v.o_format = any_format();
    v.operand = Chance(4) ? isa::IntegerOperand::kConstant : isa::IntegerOperand::kUnifiedBuffer;
    v.map = static_cast<isa::IntegerMap>(Pick(0, 9));
    v.reduce = OneOf({isa::VectorReduce::kSum, isa::VectorReduce::kMaximum});
    Draw(v, isa::RowsOf(v.a_format), isa::RowsOf(v.b_format), isa::RowsOf(v.o_format));
    Add(v);
  }

  const isa::HardwareConfig& config_;
  std::mt19937_64 rng_;
  bool long_ = false;
  unsigned granules_ = 0;
  std::vector<isa::Tiles> brought_;
  std::array<std::array<int, 5>, 5> unmet_{};
  std::vector<isa::Instruction> program_;
};

}  // namespace

std::vector<isa::Instruction> MakeCrowdedProgram(const isa::HardwareConfig& config,
                                                 std::uint64_t seed) {
  return Generator(config, seed).Run();
}

}  // namespace tpu::system_test
