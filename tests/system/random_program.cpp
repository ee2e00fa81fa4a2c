#include "tests/system/random_program.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <random>
#include <utility>
#include <vector>

#include "isa/encoding.h"
#include "isa/instruction.h"

namespace tpu::system_test {
namespace {

using isa::Unit;

// Memory: the parameter image, random bytes, results, and the program behind them.
constexpr std::uint64_t kParameters = 0;
constexpr std::uint64_t kRandomBytes = 0x20000;
constexpr std::uint64_t kResults = 0x40000;
constexpr std::uint64_t kBuffer = 0x60000;

/// One loop of a nest: how often it runs and how far each iteration moves the address.
struct Loop {
  std::int64_t count;
  std::int64_t stride;
};

class Generator {
 public:
  Generator(const isa::HardwareConfig& config, std::uint64_t seed) : config_(config), rng_(seed) {}

  isa::Executable Make(int count) {
    FillMemories();
    for (int i = 0; i < count; ++i) {
      switch (Pick(0, 9)) {
        case 0:
          Append(RandomLoad());
          break;
        case 1:
          Append(RandomStore());
          break;
        case 2:
        case 3:
        case 4:
          AppendMatmul(RandomMatmul());
          break;
        default:
          Append(RandomVector());
          break;
      }
    }
    Append(DumpBuffer());
    return Finish();
  }

 private:
  std::int32_t Pick(std::int32_t low, std::int32_t high) {
    return std::uniform_int_distribution<std::int32_t>(low, high)(rng_);
  }
  std::uint32_t PickCount(std::int32_t high) { return static_cast<std::uint32_t>(Pick(1, high)); }

  /// A first address so that the nest stays within low .. high - extent.
  std::int32_t Place(std::initializer_list<Loop> nest, std::int64_t low, std::int64_t high,
                     std::int64_t extent = 1) {
    std::int64_t least = 0;
    std::int64_t most = 0;
    for (const Loop& loop : nest) {
      const std::int64_t reach = (loop.count - 1) * loop.stride;
      (reach < 0 ? least : most) += reach;
    }
    return Pick(static_cast<std::int32_t>(low - least),
                static_cast<std::int32_t>(high - most - extent));
  }

  /// Makes the instruction start after the one before it has completed.
  void Append(isa::Instruction instruction) {
    const Unit unit = isa::UnitOf(isa::OpcodeOf(instruction));
    if (last_ >= 0) {
      isa::Instruction& before = program_[static_cast<std::size_t>(last_)];
      const Unit from = isa::UnitOf(isa::OpcodeOf(before));
      // Each pair of units has a semaphore of its own: one poster, one waiter.
      const std::uint32_t semaphore =
          1U << (5 * (static_cast<unsigned>(from) - 1) + static_cast<unsigned>(unit) - 1);
      isa::SemaphoresOf(before).post |= semaphore;
      isa::SemaphoresOf(instruction).wait |= semaphore;
    }
    program_.push_back(std::move(instruction));
    last_ = static_cast<std::ptrdiff_t>(program_.size()) - 1;
  }

  /// The tiles come whenever the weights unit has time, as the weight FIFO allows.
  void AppendMatmul(const isa::Matmul& matmul) {
    isa::Weights weights;
    weights.tiles = matmul.n_ob * matmul.n_cb * matmul.n_kh * matmul.n_kw;
    weights.dram_addr = kRandomBytes + static_cast<std::uint64_t>(Pick(0, 0x8000));
    program_.emplace_back(weights);
    Append(matmul);
  }

  void FillMemories() {
    Append(RowLoad(config_.ub_rows, config_.n));
    isa::Load parameters = RowLoad(config_.param_rows, config_.ParamEntryBytes());
    parameters.destination = isa::LoadDestination::kParameters;
    parameters.dram_addr = kParameters;
    parameters.row_stride = config_.ParamEntryBytes();
    Append(parameters);
    isa::Load tables = RowLoad(config_.lut_tables, 256);
    tables.destination = isa::LoadDestination::kLookup;
    Append(tables);
    isa::Matmul matmul;
    matmul.n_ow = config_.acc_rows;
    matmul.y_bound = 1;
    matmul.x_bound = config_.n;
    AppendMatmul(matmul);
  }

  /// Overlapping rows, so that a little memory fills a large buffer.
  [[nodiscard]] isa::Load RowLoad(std::uint32_t rows, std::uint32_t row_bytes) const {
    isa::Load load;
    load.dram_addr = kRandomBytes;
    load.row_bytes = row_bytes;
    load.rows = rows;
    load.row_stride = 3;
    load.pixel_bytes = row_bytes;
    load.pixel_stride = 1;
    return load;
  }

  template <typename Transfer>
  Transfer RandomTransfer(std::uint64_t address) {
    Transfer t;
    const std::uint32_t n = config_.n;
    t.dram_addr = address + static_cast<std::uint64_t>(Pick(0, 0x4000));
    t.rows = PickCount(5);
    t.row_bytes = PickCount(100);
    t.row_stride = t.row_bytes + PickCount(30);
    t.pixel_bytes = PickCount(static_cast<std::int32_t>(2 * n));
    const std::uint32_t chunks = (t.pixel_bytes + n - 1) / n;
    const std::uint32_t pixels = (t.rows * t.row_bytes + t.pixel_bytes - 1) / t.pixel_bytes;
    t.plane_stride = pixels;
    t.pixel_stride = 1;
    if (chunks * pixels >= config_.ub_rows) return RandomTransfer<Transfer>(address);
    t.row = static_cast<std::uint32_t>(
        Pick(0, static_cast<std::int32_t>(config_.ub_rows - chunks * pixels)));
    return t;
  }
  isa::Load RandomLoad() { return RandomTransfer<isa::Load>(kRandomBytes); }
  isa::Store RandomStore() { return RandomTransfer<isa::Store>(kResults); }

  isa::Store DumpBuffer() {
    isa::Store store;
    store.dram_addr = kBuffer;
    store.row_bytes = config_.ub_rows * config_.n;
    store.row_stride = 0;
    store.pixel_bytes = config_.n;
    store.pixel_stride = 1;
    return store;
  }

  isa::Matmul RandomMatmul() {
    const auto n = static_cast<std::int32_t>(config_.n);
    isa::Matmul m;
    m.accumulate = static_cast<std::uint32_t>(Pick(0, 1));
    m.zero_point = Pick(-128, 127);
    m.n_ob = PickCount(2);
    m.n_cb = PickCount(2);
    m.n_kh = PickCount(3);
    m.n_kw = PickCount(3);
    m.n_oh = PickCount(4);
    m.n_ow = PickCount(6);
    const auto stride = [&] { return Pick(0, 1) != 0 ? n * Pick(-4, 4) : Pick(-3 * n, 3 * n); };
    m.s_cb = stride();
    m.s_kh = stride();
    m.s_kw = stride();
    m.s_oh = stride();
    m.s_ow = stride();
    m.ub_addr = Place(
        {{m.n_cb, m.s_cb}, {m.n_kh, m.s_kh}, {m.n_kw, m.s_kw}, {m.n_oh, m.s_oh}, {m.n_ow, m.s_ow}},
        0, std::int64_t{config_.ub_rows} * n, n);
    m.y0 = Pick(-3, 2);
    m.x0 = Pick(-2 * n, n);
    m.ys_kh = static_cast<std::uint32_t>(Pick(0, 3));
    m.ys_oh = static_cast<std::uint32_t>(Pick(0, 3));
    m.xs_kw = static_cast<std::uint32_t>(Pick(0, 2 * n));
    m.xs_ow = static_cast<std::uint32_t>(Pick(0, 2 * n));
    m.y_bound = static_cast<std::uint32_t>(Pick(0, 8));
    m.x_bound = static_cast<std::uint32_t>(Pick(0, 8 * n));
    m.acc_ob_stride = static_cast<std::uint32_t>(Pick(0, 12));
    m.acc_row = static_cast<std::uint32_t>(
        Place({{m.n_ob, m.acc_ob_stride}}, 0, config_.acc_rows, m.n_oh * m.n_ow));
    return m;
  }

  isa::Vector RandomVector() {
    isa::Vector v;
    RandomOperation(v);
    v.n_cb = PickCount(3);
    v.n_oh = PickCount(4);
    v.n_ow = PickCount(5);
    v.n_kh = PickCount(3);
    v.n_kw = PickCount(3);
    v.y0 = Pick(-2, 2);
    v.x0 = Pick(-2, 2);
    v.y_bound = static_cast<std::uint32_t>(Pick(1, 8));
    v.x_bound = static_cast<std::uint32_t>(Pick(1, 8));
    v.ys_oh = static_cast<std::uint32_t>(Pick(0, 2));
    v.ys_kh = static_cast<std::uint32_t>(Pick(0, 2));
    v.xs_ow = static_cast<std::uint32_t>(Pick(0, 2));
    v.xs_kw = static_cast<std::uint32_t>(Pick(0, 2));
    v.param_stride = static_cast<std::uint32_t>(Pick(0, 2));
    v.param_row =
        static_cast<std::uint32_t>(Place({{v.n_cb, v.param_stride}}, 0, config_.param_rows));
    RandomStrides(v);
    if (v.source == isa::VectorSource::kUnifiedBuffer && Pick(0, 2) == 0) MakeColumns(v);
    PlaceRows(v);
    return v;
  }

  void RandomOperation(isa::Vector& v) {
    v.source = static_cast<isa::VectorSource>(Pick(0, 1));
    const bool from_buffer = v.source == isa::VectorSource::kUnifiedBuffer;
    v.map = from_buffer ? static_cast<isa::VectorMap>(Pick(0, 6)) : isa::VectorMap::kCopy;
    v.reduce = static_cast<isa::VectorReduce>(Pick(0, 1));
    v.requant = static_cast<isa::VectorRequant>(Pick(0, 3));
    v.lut_enable = static_cast<std::uint32_t>(Pick(0, 1));
    v.lut = static_cast<std::uint32_t>(Pick(0, 7));
    v.a_zero = Pick(-128, 127);
    v.b_zero = Pick(-128, 127);
    v.o_zero = Pick(-128, 127);
    v.lo = Pick(-128, 127);
    v.hi = Pick(-128, 127);
    v.pre_shift = static_cast<std::uint32_t>(Pick(0, 15));
    v.pre_mult = Pick(0, 0x7FFFFFFF);
  }

  void RandomStrides(isa::Vector& v) {
    const auto stride = [&] { return Pick(-6, 6); };
    for (std::int32_t* s : {&v.a_cb, &v.a_oh, &v.a_ow, &v.a_kh, &v.a_kw, &v.b_cb, &v.b_oh, &v.b_ow,
                            &v.b_kh, &v.b_kw, &v.o_cb, &v.o_oh, &v.o_ow}) {
      *s = stride();
    }
  }

  /// 3 x 3 windows of the kind that the RTL does column by column.
  void MakeColumns(isa::Vector& v) {
    const std::int32_t apart = Pick(1, 2);
    v.n_kh = v.n_kw = 3;
    v.a_ow = apart * v.a_kw;
    v.xs_ow = static_cast<std::uint32_t>(apart) * v.xs_kw;
    v.map = isa::VectorMap::kCopy;
    if (Pick(0, 2) == 0) return;
    v.map = isa::VectorMap::kMultiply;
    v.reduce = isa::VectorReduce::kSum;
    v.b_zero = v.b_oh = v.b_ow = 0;
    v.b_cb = 9;
    v.b_kh = 3;
    v.b_kw = 1;
  }

  /// Sources in one half of the buffer, the output in the other: an instruction must not read what
  /// it writes.
  void PlaceRows(isa::Vector& v) {
    const std::int64_t half = config_.ub_rows / 2;
    const std::int64_t source = Pick(0, 1) != 0 ? half : 0;
    const bool from_buffer = v.source == isa::VectorSource::kUnifiedBuffer;
    v.a_row = Place(
        {{v.n_cb, v.a_cb}, {v.n_oh, v.a_oh}, {v.n_ow, v.a_ow}, {v.n_kh, v.a_kh}, {v.n_kw, v.a_kw}},
        from_buffer ? source : 0, from_buffer ? source + half : config_.acc_rows);
    v.b_row = Place(
        {{v.n_cb, v.b_cb}, {v.n_oh, v.b_oh}, {v.n_ow, v.b_ow}, {v.n_kh, v.b_kh}, {v.n_kw, v.b_kw}},
        source, source + half);
    v.o_row =
        static_cast<std::uint32_t>(Place({{v.n_cb, v.o_cb}, {v.n_oh, v.o_oh}, {v.n_ow, v.o_ow}},
                                         half - source, config_.ub_rows - source));
  }

  /// Multipliers and shifts in their legal ranges, everything else random.
  std::vector<std::uint8_t> ParameterImage() {
    std::vector<std::uint8_t> image;
    const auto append = [&image](std::int32_t value, int bytes) {
      for (int b = 0; b < bytes; ++b) {
        image.push_back(static_cast<std::uint8_t>(static_cast<std::uint32_t>(value) >> (8 * b)));
      }
    };
    for (std::uint32_t entry = 0; entry < config_.param_rows; ++entry) {
      const std::int32_t bias = Pick(0, 3) == 0 ? 0x7FFFFFFF : 2000;
      for (std::uint32_t i = 0; i < config_.n; ++i) append(Pick(-bias, bias), 4);
      for (std::uint32_t i = 0; i < config_.n; ++i) append(Pick(0, 0x7FFFFFFF), 4);
      for (std::uint32_t i = 0; i < config_.n; ++i) append(Pick(-31, 30), 1);
    }
    return image;
  }

  isa::Executable Finish() {
    isa::Executable executable;
    executable.config = config_;
    std::vector<std::uint8_t> bytes(kResults - kRandomBytes);
    for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(Pick(0, 255));
    std::vector<std::uint8_t> program = isa::EncodeProgram(program_);
    const std::uint64_t buffer_bytes = std::uint64_t{config_.ub_rows} * config_.n;
    const isa::DeviceProgram step = {
        .address = kBuffer + buffer_bytes,
        .granules = static_cast<std::uint32_t>(program.size() / isa::kGranuleBytes)};
    executable.steps = {step};
    executable.memory_bytes = step.address + program.size();
    executable.segments = {{kParameters, ParameterImage()},
                           {kRandomBytes, std::move(bytes)},
                           {step.address, std::move(program)}};
    return executable;
  }

  isa::HardwareConfig config_;
  std::mt19937_64 rng_;
  std::vector<isa::Instruction> program_;
  std::ptrdiff_t last_ = -1;  // Of the chain; WEIGHTS are not in it
};

}  // namespace

isa::Executable RandomProgram(const isa::HardwareConfig& config, int count, std::uint64_t seed) {
  return Generator(config, seed).Make(count);
}

}  // namespace tpu::system_test
