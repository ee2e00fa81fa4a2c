// SPDX-License-Identifier: Apache-2.0
#include "tests/system/random_instruction.h"

#include <algorithm>
#include <type_traits>

#include "isa/element_format.h"
#include "isa/fields.h"
#include "isa/tiles.h"
#include "tests/system/random_number.h"

namespace tpu::system_test {
namespace {

using isa::BytesOf;
using isa::NumberFormat;

double WorkOf(const isa::Load& l, const isa::HardwareConfig& c) {
  return 1.0 * l.rows * (1 + l.row_bytes / 8.0) +
         1.0 * l.rows * l.row_bytes / std::min(c.n, l.pixel_bytes);
}
double WorkOf(const isa::Store& s, const isa::HardwareConfig& c) {
  return 1.0 * s.rows * (1 + s.row_bytes / 8.0) +
         1.0 * s.rows * s.row_bytes / std::min(c.n, s.pixel_bytes);
}
double WorkOf(const isa::Weights& w, const isa::HardwareConfig& c) {
  return 1.0 * w.tiles * static_cast<double>(isa::TileBytes(w.format, c)) / 8.0;
}
double WorkOf(const isa::UbWeights& w, const isa::HardwareConfig& c) {
  return static_cast<double>(isa::TileCount(w)) * c.n * static_cast<double>(BytesOf(w.format));
}
double WorkOf(const isa::Matmul& m, const isa::HardwareConfig& c) {
  return static_cast<double>(isa::TileCount(m)) * std::max(1.0 * m.n_oh * m.n_ow, 1.0 * c.n);
}
double WorkOf(const isa::Vector& v, const isa::HardwareConfig& /*c*/) {
  return 1.0 * v.n_cb * v.n_oh * v.n_ow * v.n_kh * v.n_kw;
}
double WorkOf(const isa::Fvector& v, const isa::HardwareConfig& /*c*/) {
  // A tap of a sum, and a row through the longest function with two lanes that share it.
  constexpr double kTap = 5;
  constexpr double kFunction = 26;
  const double rows = 1.0 * v.n_cb * v.n_oh * v.n_ow;
  return rows *
         (kTap * v.n_kh * v.n_kw + (v.function == isa::FloatFunction::kNone ? 0 : kFunction));
}
double WorkOf(const isa::Ivector& v, const isa::HardwareConfig& /*c*/) {
  constexpr double kRow = 4;
  return 1.0 * v.n_cb * v.n_oh * v.n_ow * std::max(kRow, kRow * v.n_kh * v.n_kw);
}
double WorkOf(const isa::Adam& adam, const isa::HardwareConfig& /*c*/) {
  constexpr double kRow = 16;
  constexpr double kWay = 130;
  return kRow * adam.rows + kWay;
}

}  // namespace

double Work(const isa::Instruction& instruction, const isa::HardwareConfig& config) {
  return std::visit([&config](const auto& i) { return WorkOf(i, config); }, instruction);
}

InstructionSource::InstructionSource(const isa::HardwareConfig& config, std::uint64_t seed)
    : config_(config), rng_(seed) {
  // The smaller, the more instructions depend on each other.
  const std::int32_t few = config.bf16 != 0 ? 256 : 128;
  const std::int32_t all = static_cast<std::int32_t>(config.ub_rows);
  const std::int32_t rows = std::max(all >> Pick(0, 5), few);
  const std::int32_t first = Pick(0, all - rows);
  hot_rows_ = {first, first + rows};
}

/// A first address so that the nest stays within the range, less `extent` at its end.
std::int32_t InstructionSource::Place(std::initializer_list<Loop> nest, Range range,
                                      std::int64_t extent) {
  std::int64_t least = 0;
  std::int64_t most = 0;
  for (const Loop& loop : nest) {
    const std::int64_t reach = (loop.count - 1) * loop.stride;
    (reach < 0 ? least : most) += reach;
  }
  const auto low = static_cast<std::int32_t>(range.low - least);
  const auto high = static_cast<std::int32_t>(range.high - most - extent);
  return Pick(low, std::max(low, high));
}

/// int8, or with `wide` one of the formats up to `last`.
NumberFormat InstructionSource::OneOf(bool wide, NumberFormat last) {
  if (!wide || OneIn(3)) return NumberFormat::kInt8;
  return static_cast<NumberFormat>(Pick(1, static_cast<std::int32_t>(last)));
}

NumberFormat InstructionSource::Format() {
  return OneOf(config_.bf16 != 0, NumberFormat::kBfloat16);
}

/// Where numbers of a format mostly lie: integers in the first half, bf16 in the third quarter,
/// fp32 in the last one. Read as bf16 or fp32, other numbers are huge or NaN, and a sum with one of
/// those says nothing about its other terms.
InstructionSource::Range InstructionSource::PartFor(NumberFormat format, Range whole) {
  if (config_.bf16 == 0 || OneIn(8)) return whole;
  const std::int64_t quarter = (whole.high - whole.low) / 4;
  if (format == NumberFormat::kBfloat16) {
    return {whole.low + 2 * quarter, whole.low + 3 * quarter};
  }
  if (format == NumberFormat::kFloat32) return {whole.low + 3 * quarter, whole.high};
  return {whole.low, whole.low + 2 * quarter};
}

InstructionSource::Range InstructionSource::BufferRows(NumberFormat format) {
  return PartFor(format, OneIn(8) ? Range{0, config_.ub_rows} : hot_rows_);
}

/// The same for accumulators and parameters: integers in the first half, fp32 in the second one.
InstructionSource::Range InstructionSource::HalfFor(bool floats, std::int64_t rows) {
  if (config_.bf16 == 0 || OneIn(8)) return {0, rows};
  return floats ? Range{rows / 2, rows} : Range{0, rows / 2};
}

/// Of so many bytes of memory. Most numbers lie at multiples of their size.
std::uint64_t InstructionSource::Address(NumberFormat format, std::int64_t bytes) {
  const Range part = PartFor(format, {0, kArenaBytes});
  const auto address = static_cast<std::uint64_t>(Place({}, part, bytes));
  if (format == NumberFormat::kInt8 || OneIn(8)) return address;
  return address & ~static_cast<std::uint64_t>(BytesOf(format) - 1);
}

/// Gives a few fields any of their values, the extremes more often than others.
template <typename I>
void InstructionSource::Disturb(I& instruction) {
  int fields = 0;
  const auto exists = [this](const isa::Field& field) {
    return isa::FormatsOf(config_).Meet(field.requirement);
  };
  isa::ForEachField(instruction, [&](const isa::Field& field, auto&) {
    if (exists(field)) ++fields;
  });
  for (int times = Pick(1, 3); times > 0; --times) {
    int left = Pick(0, fields - 1);
    isa::ForEachField(instruction, [&](const isa::Field& field, auto& member) {
      if (!exists(field)) return;
      // The destination decides which bytes are legal; addresses of memory are drawn as they are.
      if (left-- != 0 || field.name == "destination" || field.width == 64) return;
      const auto low = static_cast<std::uint64_t>(field.min);
      std::uint64_t value = 0;
      switch (Pick(0, 3)) {
        case 0:
          value = OneIn(2) ? low : field.max;
          break;
        case 1:
          value = low + rng_() % (field.max - low + 1);
          break;
        case 2:
          value = isa::ToBits(member) + (OneIn(2) ? 1 : ~std::uint64_t{0});
          break;
        default:
          value = static_cast<std::uint64_t>(Pick(field.IsSigned() ? -40 : 0, 40));
          break;
      }
      // A negative multiplier is not an error, but gives unspecified bytes.
      if (field.name == "pre_mult") value &= 0x7FFFFFFF;
      if (field.IsLegal(value)) {
        member = isa::FromBits<std::remove_reference_t<decltype(member)>>(value);
      }
    });
  }
}

template <typename Transfer>
Transfer InstructionSource::BufferTransfer() {
  Transfer t;
  t.format = OneOf(HasWide(), NumberFormat::kFloat32);
  const auto size = static_cast<std::uint32_t>(BytesOf(t.format));
  const std::uint32_t n = size * config_.n;  // Bytes of a chunk.
  t.rows = PickCount(5);
  t.row_bytes = PickCount(OneIn(4) ? 1000 : 100);
  t.row_stride = static_cast<std::uint32_t>(Pick(0, static_cast<std::int32_t>(2 * t.row_bytes)));
  t.dram_addr = Address(t.format, t.rows * (t.row_bytes + t.row_stride));
  t.pixel_bytes = PickCount(static_cast<std::int32_t>(2 * n));
  if (size > 1 && !OneIn(8)) {  // Whole numbers.
    t.row_bytes = (t.row_bytes + size - 1) / size * size;
    t.row_stride = t.row_stride / size * size;
    t.pixel_bytes = (t.pixel_bytes + size - 1) / size * size;
  }
  const std::uint32_t chunks = (t.pixel_bytes + n - 1) / n;
  const std::uint32_t pixels = (t.rows * t.row_bytes + t.pixel_bytes - 1) / t.pixel_bytes;
  // Pixels side by side in planes, planes within pixels, or anything.
  t.plane_stride = OneIn(2) ? size * pixels : static_cast<std::uint32_t>(Pick(0, 8));
  t.pixel_stride = OneIn(2) ? size : static_cast<std::uint32_t>(Pick(0, 8));
  t.row = static_cast<std::uint32_t>(
      Place({{chunks, t.plane_stride}, {pixels, t.pixel_stride}}, BufferRows(t.format), size));
  return t;
}

/// Whole entries, or some and the beginning of another.
isa::Load InstructionSource::ParameterLoad() {
  const auto entry = static_cast<std::int32_t>(config_.ParamEntryBytes());
  const auto entries = static_cast<std::int32_t>(config_.param_rows);
  isa::Load load;
  load.destination = isa::LoadDestination::kParameters;
  load.rows = OneIn(2) ? 1 : PickCount(3);
  const std::int32_t per_row = Pick(1, 3);
  const std::int32_t cut = load.rows == 1 ? Pick(0, entry - 1) : 0;
  const std::int32_t stride = Pick(0, 3);
  const std::int32_t rows = static_cast<std::int32_t>(load.rows) * per_row;
  load.row_bytes = static_cast<std::uint32_t>(per_row * entry - cut);
  load.row_stride = static_cast<std::uint32_t>(stride * entry);
  load.dram_addr =
      kParameterImage + static_cast<std::uint64_t>(entry) *
                            static_cast<std::uint64_t>(Pick(
                                0, entries - rows - stride * static_cast<std::int32_t>(load.rows)));
  load.row = static_cast<std::uint32_t>(Pick(0, entries - rows));
  return load;
}

isa::Load InstructionSource::LookupLoad() {
  isa::Load load;
  load.destination = isa::LoadDestination::kLookup;
  load.rows = PickCount(2);
  load.row_bytes = PickCount(300);
  load.row_stride = static_cast<std::uint32_t>(Pick(0, 400));
  load.dram_addr = static_cast<std::uint64_t>(Pick(0, kArenaBytes - 2000));
  load.row = static_cast<std::uint32_t>(Pick(0, 5));
  return load;
}

isa::Load InstructionSource::Load() {
  if (OneIn(6)) return ParameterLoad();
  isa::Load load = OneIn(8) ? LookupLoad() : BufferTransfer<isa::Load>();
  if (OneIn(4)) Disturb(load);
  if (load.destination != isa::LoadDestination::kUnifiedBuffer) load.format = NumberFormat::kInt8;
  return load;
}

isa::Store InstructionSource::Store() {
  isa::Store store = BufferTransfer<isa::Store>();
  if (OneIn(4)) Disturb(store);
  return store;
}

isa::Weights InstructionSource::Weights(std::uint32_t tiles, NumberFormat format) {
  isa::Weights weights;
  weights.format = format;
  weights.tiles = tiles;
  weights.dram_addr = Address(format, tiles * isa::TileBytes(format, config_));
  if (config_.bf16 != 0) weights.transpose = OneIn(3) ? 1 : 0;
  return weights;
}

isa::UbWeights InstructionSource::UbWeights(std::uint32_t tiles, NumberFormat format) {
  const auto size = static_cast<std::int32_t>(BytesOf(format));
  isa::UbWeights weights;
  weights.s_row = OneIn(2) ? size : Pick(-8, 8);
  weights.s_ob = OneIn(2) ? static_cast<std::int32_t>(config_.n) * weights.s_row : Pick(-20, 20);
  weights.s_cb = OneIn(2) ? static_cast<std::int32_t>(config_.n) * weights.s_row : Pick(-20, 20);
  weights.row_bound = OneIn(2) ? 0xFFFF : static_cast<std::uint32_t>(Pick(0, 100));
  weights.along_ob = static_cast<std::uint32_t>(Pick(0, 1));
  weights.along_cb = static_cast<std::uint32_t>(Pick(0, 1));
  weights.transpose = static_cast<std::uint32_t>(Pick(0, 1));
  if (OneIn(4)) Disturb(weights);
  weights.format = format;
  weights.n_ob = tiles % 2 == 0 && OneIn(2) ? 2 : tiles % 3 == 0 && OneIn(2) ? 3 : 1;
  weights.n_cb = tiles / weights.n_ob;
  weights.row =
      static_cast<std::uint32_t>(Place(
          {{weights.n_ob, weights.s_ob}, {weights.n_cb, weights.s_cb}, {config_.n, weights.s_row}},
          BufferRows(format), size)) &
      0xFFFF;
  return weights;
}

isa::Matmul InstructionSource::Matmul(NumberFormat format) {
  const auto n = static_cast<std::int32_t>(config_.n);
  const bool floats = format != NumberFormat::kInt8;
  isa::Matmul m;
  m.accumulate = static_cast<std::uint32_t>(Pick(0, 1));
  m.zero_point = Pick(-128, 127);
  m.n_ob = PickCount(2);
  m.n_cb = PickCount(2);
  m.n_kh = PickCount(3);
  m.n_kw = PickCount(3);
  m.n_oh = PickCount(4);
  m.n_ow = PickCount(OneIn(4) ? 30 : 6);
  const auto stride = [&] { return OneIn(2) ? n * Pick(-4, 4) : Pick(-3 * n, 3 * n); };
  m.s_cb = stride();
  m.s_kh = stride();
  m.s_kw = stride();
  m.s_oh = stride();
  m.s_ow = m.n_ow > 6 ? n : stride();
  m.format = format;
  if (config_.int16 != 0 && !floats) m.planes = static_cast<std::uint32_t>(Pick(0, 1));
  const Range rows = BufferRows(format);
  const std::int64_t size = isa::ActivationBytes(m);
  m.ub_addr = Place(
      {{m.n_cb, m.s_cb}, {m.n_kh, m.s_kh}, {m.n_kw, m.s_kw}, {m.n_oh, m.s_oh}, {m.n_ow, m.s_ow}},
      {rows.low * n / size, rows.high * n / size}, n);
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
      Place({{m.n_ob, m.acc_ob_stride}}, HalfFor(floats, config_.acc_rows), m.n_oh * m.n_ow));
  if (OneIn(4)) Disturb(m);
  m.format = format;
  if (!floats) return m;
  m.zero_point = 0;
  m.planes = 0;
  return m;
}

/// Loops, bounds, parameters and strides.
template <typename V>
void InstructionSource::Walk(V& v) {
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
  // The entry behind, too, of two rows that are interleaved.
  v.param_row = static_cast<std::uint32_t>(
      Place({{v.n_cb, v.param_stride}, {2, std::is_same_v<V, isa::Fvector> ? 1 : 0}},
            HalfFor(std::is_same_v<V, isa::Fvector>, config_.param_rows)));
  for (std::int32_t* stride : {&v.a_cb, &v.a_oh, &v.a_ow, &v.a_kh, &v.a_kw, &v.b_cb, &v.b_oh,
                               &v.b_ow, &v.b_kh, &v.b_kw, &v.o_cb, &v.o_oh, &v.o_ow}) {
    *stride = Pick(-6, 6);
  }
}

isa::Vector InstructionSource::Vector() {
  isa::Vector v;
  Operation(v);
  Walk(v);
  const bool from_buffer = v.source == isa::VectorSource::kUnifiedBuffer;
  if (from_buffer && OneIn(3)) Columns(v);
  constexpr Numbers kBytes = {NumberFormat::kInt8, 1};
  Rows(v, {kBytes, kBytes, kBytes});
  if (from_buffer && OneIn(8)) InPlace(v);
  if (OneIn(4)) Disturb(v);
  if (v.source == isa::VectorSource::kAccumulators) v.map = isa::VectorMap::kCopy;
  return v;
}

void InstructionSource::Operation(isa::Vector& v) {
  v.source = static_cast<isa::VectorSource>(Pick(0, 1));
  const bool from_buffer = v.source == isa::VectorSource::kUnifiedBuffer;
  v.map = from_buffer ? static_cast<isa::VectorMap>(Pick(0, 6)) : isa::VectorMap::kCopy;
  v.reduce = static_cast<isa::VectorReduce>(Pick(0, 1));
  v.requant = static_cast<isa::VectorRequant>(Pick(0, 3));
  v.float_rounding = config_.float_rounding != 0 && OneIn(3) ? 1 : 0;
  v.lut_enable = static_cast<std::uint32_t>(Pick(0, 1));
  v.lut = static_cast<std::uint32_t>(Pick(0, 7));
  v.a_zero = Pick(-128, 127);
  v.b_zero = Pick(-128, 127);
  v.o_zero = Pick(-128, 127);
  v.lo = Pick(-128, 127);
  v.hi = Pick(-128, 127);
  v.pre_shift = static_cast<std::uint32_t>(Pick(0, 31));
  v.pre_mult = Pick(0, 0x7FFFFFFF);
}

/// 3 x 3 windows of the kind that the RTL does column by column.
void InstructionSource::Columns(isa::Vector& v) {
  const std::int32_t apart = Pick(1, 2);
  v.n_kh = v.n_kw = 3;
  v.n_ow = PickCount(OneIn(2) ? 24 : 5);
  v.a_kw = v.n_ow > 5 ? 1 : v.a_kw;
  v.o_ow = v.n_ow > 5 ? 1 : v.o_ow;
  v.a_ow = apart * v.a_kw;
  v.xs_ow = static_cast<std::uint32_t>(apart) * v.xs_kw;
  v.map = isa::VectorMap::kCopy;
  if (OneIn(3)) return;
  v.map = isa::VectorMap::kMultiply;
  v.reduce = isa::VectorReduce::kSum;
  v.b_zero = v.b_oh = v.b_ow = 0;
  v.b_cb = 9;
  v.b_kh = 3;
  v.b_kw = 1;
}

/// First rows of sources and output.
template <typename V>
void InstructionSource::Rows(V& v, const Operands& operands) {
  const bool from_buffer = v.source == isa::VectorSource::kUnifiedBuffer;
  v.a_row = Place(
      {{v.n_cb, v.a_cb}, {v.n_oh, v.a_oh}, {v.n_ow, v.a_ow}, {v.n_kh, v.a_kh}, {v.n_kw, v.a_kw}},
      from_buffer ? BufferRows(operands.a.format)
                  : HalfFor(operands.a.format == NumberFormat::kFloat32, config_.acc_rows),
      from_buffer ? operands.a.rows : 1);
  v.b_row = Place(
      {{v.n_cb, v.b_cb}, {v.n_oh, v.b_oh}, {v.n_ow, v.b_ow}, {v.n_kh, v.b_kh}, {v.n_kw, v.b_kw}},
      BufferRows(operands.b.format), operands.b.rows);
  v.o_row =
      static_cast<std::uint32_t>(Place({{v.n_cb, v.o_cb}, {v.n_oh, v.o_oh}, {v.n_ow, v.o_ow}},
                                       BufferRows(operands.output.format), operands.output.rows));
}

/// Each row is read, then written.
template <typename V>
void InstructionSource::InPlace(V& v) {
  v.n_kh = v.n_kw = 1;
  v.o_cb = v.a_cb;
  v.o_oh = v.a_oh;
  v.o_ow = v.a_ow;
  if (v.a_row >= 0) v.o_row = static_cast<std::uint32_t>(v.a_row);
}

isa::Fvector InstructionSource::Fvector() {
  isa::Fvector v;
  Operation(v);
  Walk(v);
  const bool from_buffer = v.source == isa::VectorSource::kUnifiedBuffer;
  const bool in_place = from_buffer && OneIn(8);
  if (in_place && v.interleave == isa::FloatInterleave::kNone) v.o_format = v.a_format;
  const auto numbers = [](NumberFormat format) { return Numbers{format, BytesOf(format)}; };
  const Operands operands = {numbers(v.a_format), numbers(v.b_format), numbers(v.o_format)};
  if (!OneIn(4)) Strides(v, operands);
  Rows(v, operands);
  if (in_place) InPlace(v);
  if (OneIn(4)) Disturb(v);
  if (v.source == isa::VectorSource::kAccumulators && BytesOf(v.a_format) < 4) {
    v.a_format = NumberFormat::kFloat32;
  }
  if (v.o_format != NumberFormat::kBfloat16) v.interleave = isa::FloatInterleave::kNone;
  return v;
}

isa::Adam InstructionSource::Adam() {
  isa::Adam adam;
  adam.rows = PickCount(OneIn(8) ? 24 : 4);
  const auto place = [&] {
    return Place({{adam.rows, 4}}, BufferRows(NumberFormat::kFloat32),
                 BytesOf(NumberFormat::kFloat32));
  };
  const std::int32_t squares = place();
  const std::int32_t gradients = place();
  const std::int32_t weights = place();
  adam.squares = static_cast<std::uint32_t>(squares);
  adam.gradients = static_cast<std::uint32_t>(gradients);
  adam.to_moments = place() - squares;
  adam.to_weights = weights - gradients;
  adam.output = static_cast<std::uint32_t>(OneIn(2) ? weights : place());
  adam.param_row =
      static_cast<std::uint32_t>(Pick(0, static_cast<std::int32_t>(config_.param_rows) - 1));
  adam.moment_factor = AnyNumber(rng_);
  adam.square_scale = AnyNumber(rng_);
  adam.moment_scale = AnyNumber(rng_);
  return adam;
}

void InstructionSource::Operation(isa::Fvector& v) {
  const auto format = [this] {
    return OneIn(8) ? NumberFormat::kInt32 : static_cast<NumberFormat>(Pick(0, 2));
  };
  v.source = static_cast<isa::VectorSource>(Pick(0, 1));
  const bool from_buffer = v.source == isa::VectorSource::kUnifiedBuffer;
  v.operand = static_cast<isa::FloatOperand>(Pick(0, 1));
  v.a_format = format();
  if (!from_buffer) v.a_format = OneIn(3) ? NumberFormat::kInt32 : NumberFormat::kFloat32;
  v.b_format = format();
  v.o_format = format();
  if (OneIn(4)) {
    v.o_format = NumberFormat::kBfloat16;
    v.interleave = static_cast<isa::FloatInterleave>(Pick(1, 2));
  }
  v.map = static_cast<isa::FloatMap>(Pick(0, 12));
  v.reduce = static_cast<isa::FloatReduce>(Pick(0, 2));
  v.scale = static_cast<std::uint32_t>(Pick(0, 1));
  v.function = static_cast<isa::FloatFunction>(OneIn(2) ? 0 : Pick(1, 8));
  v.constant = AnyNumber(rng_);
  v.lo = AnyNumber(rng_);
  v.hi = AnyNumber(rng_);
  if (OneIn(4)) return;
  // Bounds that leave most results as they are: small numbers, if not all of them.
  v.lo = OneIn(2) ? 0xFF800000 : v.lo | 0x80000000;
  v.hi = OneIn(2) ? 0x7F800000 : v.hi & 0x7FFFFFFF;
}

/// Whole rows of numbers, near to each other.
template <typename V>
void InstructionSource::Strides(V& v, const Operands& operands) {
  const auto draw = [this](std::initializer_list<std::int32_t*> strides, std::int64_t rows) {
    for (std::int32_t* stride : strides) *stride = static_cast<std::int32_t>(rows) * Pick(-2, 2);
  };
  draw({&v.a_cb, &v.a_oh, &v.a_ow, &v.a_kh, &v.a_kw},
       v.source == isa::VectorSource::kUnifiedBuffer ? operands.a.rows : 1);
  draw({&v.b_cb, &v.b_oh, &v.b_ow, &v.b_kh, &v.b_kw}, operands.b.rows);
  draw({&v.o_cb, &v.o_oh, &v.o_ow}, operands.output.rows);
}

isa::Ivector InstructionSource::Ivector() {
  isa::Ivector v;
  Operation(v);
  Walk(v);
  const bool from_buffer = v.source == isa::VectorSource::kUnifiedBuffer;
  const bool in_place = from_buffer && OneIn(8);
  if (in_place) v.o_format = v.a_format;
  const auto numbers = [](isa::IntegerFormat format) {
    return Numbers{NumberFormat::kInt8, isa::RowsOf(format)};
  };
  const Operands operands = {numbers(v.a_format), numbers(v.b_format), numbers(v.o_format)};
  if (!OneIn(4)) Strides(v, operands);
  Rows(v, operands);
  if (v.a_format == isa::IntegerFormat::kPair) {
    // Pairs lie side by side, or the low words behind all high words.
    v.a_low = OneIn(2) ? Pick(-4, 4) : Pick(-30, 30);
    v.a_row = Place({{v.n_cb, v.a_cb},
                     {v.n_oh, v.a_oh},
                     {v.n_ow, v.a_ow},
                     {v.n_kh, v.a_kh},
                     {v.n_kw, v.a_kw},
                     {2, v.a_low}},
                    HalfFor(false, config_.acc_rows));
  }
  if (in_place) InPlace(v);
  if (OneIn(4)) Disturb(v);
  // Disturbed, either may be the other's.
  const bool pair = v.a_format == isa::IntegerFormat::kPair;
  if (v.source == isa::VectorSource::kUnifiedBuffer) {
    if (pair) v.a_format = isa::IntegerFormat::kInt16;
  } else if (!pair) {
    v.a_format = isa::IntegerFormat::kInt32;
  }
  return v;
}

void InstructionSource::Operation(isa::Ivector& v) {
  const auto format = [this] { return static_cast<isa::IntegerFormat>(Pick(0, 2)); };
  v.source = static_cast<isa::VectorSource>(Pick(0, 1));
  const bool from_buffer = v.source == isa::VectorSource::kUnifiedBuffer;
  v.operand = OneIn(4) ? isa::IntegerOperand::kConstant : isa::IntegerOperand::kUnifiedBuffer;
  v.a_format = format();
  if (!from_buffer) v.a_format = OneIn(3) ? isa::IntegerFormat::kInt32 : isa::IntegerFormat::kPair;
  v.b_format = format();
  v.o_format = format();
  v.map = static_cast<isa::IntegerMap>(Pick(0, 10));
  v.lut = static_cast<std::uint32_t>(Pick(0, 1));
  v.uniform = static_cast<std::uint32_t>(Pick(0, 1));
  v.reduce = static_cast<isa::VectorReduce>(Pick(0, 1));
  v.requant = static_cast<isa::IntegerRequant>(Pick(0, 5));
  v.o_zero = Pick(-128, 127);
  v.constant = OneIn(2) ? Pick(0, 0x7FFFFFFF) : Pick(-0x7FFFFFFF, 0x7FFFFFFF);
  v.lo = OneIn(3) ? Pick(-32768, 32767) : -32768;
  v.hi = OneIn(3) ? Pick(-32768, 32767) : 32767;
  v.pre_shift = static_cast<std::uint32_t>(OneIn(2) ? Pick(0, 4) : Pick(0, 31));
}

}  // namespace tpu::system_test
