// SPDX-License-Identifier: Apache-2.0
// Random instructions with short loops around small memories, so that they often collide and
// sometimes miss.
#pragma once

#include <random>

#include "isa/instruction.h"

namespace tpu::assembly {

class SmallInstructions {
 public:
  /// Rows are drawn below `rows`, strides up to `stride`.
  SmallInstructions(std::uint64_t seed, unsigned rows, int stride)
      : rng_(seed), rows_(rows), stride_(stride) {}

  isa::Instruction Next() {
    switch (rng_() % 9) {
      case 0:
        return MakeTransfer<isa::Load>();
      case 1:
        return MakeTransfer<isa::Store>();
      case 2:
        return MakeWeights();
      case 3:
        return MakeMatmul();
      case 4:
        return MakeVector();
      case 5:
        return MakeUbWeights();
      case 6:
        return MakeIvector();
      case 7:
        return MakeAdam();
      default:
        return MakeFvector();
    }
  }

 private:
  std::uint32_t Below(std::uint32_t n) { return static_cast<std::uint32_t>(rng_() % n); }
  std::uint32_t Count(std::uint32_t most) { return 1 + Below(most); }
  std::int32_t Signed() { return static_cast<std::int32_t>(Below(2U * UStride() + 1)) - stride_; }
  std::uint32_t UStride() const { return static_cast<std::uint32_t>(stride_); }

  template <typename Transfer>
  Transfer MakeTransfer() {
    Transfer t;
    t.dram_addr = Below(200);
    t.row_bytes = Count(12);
    t.rows = Count(4);
    t.row_stride = Below(20);
    t.row = Below(rows_);
    t.plane_stride = Below(UStride() + 1);
    t.pixel_bytes = Count(12);
    t.pixel_stride = Below(UStride() + 1);
    t.format = Format(3);
    if constexpr (std::is_same_v<Transfer, isa::Load>) {
      t.destination = static_cast<isa::LoadDestination>(Below(3));
      if (t.destination != isa::LoadDestination::kUnifiedBuffer) {
        t.row = Below(9);
        t.format = isa::NumberFormat::kInt8;
      }
      if (t.destination == isa::LoadDestination::kLookup) t.row_bytes = Count(400);
    }
    return t;
  }

  isa::Weights MakeWeights() {
    isa::Weights w;
    w.dram_addr = Below(200);
    w.tiles = Count(3);
    w.format = Format(2);
    return w;
  }

  isa::UbWeights MakeUbWeights() {
    isa::UbWeights w;
    w.row = Below(rows_);
    w.n_ob = Count(3);
    w.n_cb = Count(3);
    w.s_row = Signed();
    w.s_ob = Signed();
    w.s_cb = Signed();
    w.row_bound = Below(20);
    w.along_ob = Below(2);
    w.along_cb = Below(2);
    w.format = Format(2);
    return w;
  }

  isa::Matmul MakeMatmul() {
    isa::Matmul m;
    m.accumulate = Below(2);
    m.format = Format(2);
    if (m.format == isa::NumberFormat::kInt8) m.planes = Below(2);
    m.ub_addr = static_cast<std::int32_t>(Below(4 * rows_));
    m.n_ob = Count(2);
    m.n_cb = Count(2);
    m.n_kh = Count(3);
    m.n_kw = Count(3);
    m.n_oh = Count(3);
    m.n_ow = Count(6);
    m.y0 = static_cast<std::int32_t>(Below(4)) - 2;
    m.x0 = static_cast<std::int32_t>(Below(12)) - 6;
    m.y_bound = Below(6);
    m.x_bound = Below(24);
    m.acc_row = Below(10);
    m.acc_ob_stride = Below(4);
    m.xs_kw = Below(6);
    m.xs_ow = Below(6);
    m.s_cb = 4 * Signed();
    m.ys_kh = Below(3);
    m.s_kh = 4 * Signed();
    m.ys_oh = Below(3);
    m.s_kw = Signed();
    m.s_oh = 4 * Signed();
    m.s_ow = Below(2) == 0 ? 4 * Signed() : Signed();
    if (Below(8) == 0) {  // Coordinates that wrap at 2^20.
      m.xs_ow = 0xFFFF;
      m.n_ow = 40;
      m.s_ow = 0;
    }
    return m;
  }

  isa::Vector MakeVector() {
    auto v = MakeWalk<isa::Vector>();
    v.map = v.source == isa::VectorSource::kAccumulators ? isa::VectorMap::kCopy
                                                         : static_cast<isa::VectorMap>(Below(7));
    v.lut_enable = Below(2);
    v.lut = Below(8);
    return v;
  }

  isa::Fvector MakeFvector() {
    auto v = MakeWalk<isa::Fvector>();
    v.map = static_cast<isa::FloatMap>(Below(12));
    v.operand = static_cast<isa::FloatOperand>(Below(2));
    v.a_format =
        v.source == isa::VectorSource::kAccumulators ? isa::NumberFormat::kFloat32 : Format(4);
    v.b_format = Format(4);
    // In place with rows of one size, which is fine, more often than not.
    v.o_format = Below(4) == 0 ? Format(4) : v.a_format;
    if (v.o_format == isa::NumberFormat::kBfloat16) {
      v.interleave = static_cast<isa::FloatInterleave>(Below(3));
    }
    return v;
  }

  isa::Ivector MakeIvector() {
    auto v = MakeWalk<isa::Ivector>();
    v.map = static_cast<isa::IntegerMap>(Below(11));
    v.requant = static_cast<isa::IntegerRequant>(Below(6));
    v.lut = Below(2);
    v.operand = static_cast<isa::IntegerOperand>(Below(2));
    const auto format = [this] { return static_cast<isa::IntegerFormat>(Below(3)); };
    v.a_format = format();
    if (v.source == isa::VectorSource::kAccumulators) {
      v.a_format = Below(3) == 0 ? isa::IntegerFormat::kInt32 : isa::IntegerFormat::kPair;
      v.a_low = static_cast<std::int32_t>(Below(12)) - 5;
    }
    v.b_format = format();
    v.o_format =
        Below(4) == 0 || v.source == isa::VectorSource::kAccumulators ? format() : v.a_format;
    return v;
  }

  isa::Adam MakeAdam() {
    isa::Adam adam;
    adam.rows = Count(3);
    adam.param_row = Below(8);
    adam.squares = Below(rows_);
    adam.gradients = Below(rows_);
    const auto away = [this] { return static_cast<std::int32_t>(Below(2 * rows_)) - 10; };
    adam.to_moments = away();
    adam.to_weights = away();
    adam.output = Below(rows_);
    if (Below(2) == 0 && adam.to_weights >= 0) {  // In place.
      adam.output = adam.gradients + static_cast<std::uint32_t>(adam.to_weights);
    }
    return adam;
  }

  /// int8 as often as all others together.
  isa::NumberFormat Format(std::uint32_t formats) {
    return Below(2) == 0 ? isa::NumberFormat::kInt8
                         : static_cast<isa::NumberFormat>(Below(formats));
  }

  template <typename V>
  V MakeWalk() {
    V v;
    v.source = static_cast<isa::VectorSource>(Below(2));
    v.n_cb = Count(2);
    v.n_oh = Count(3);
    v.n_ow = Count(4);
    v.n_kh = Count(2);
    v.n_kw = Count(2);
    v.param_row = Below(8);
    v.a_row =
        static_cast<std::int32_t>(Below(v.source == isa::VectorSource::kAccumulators ? 10 : rows_));
    v.b_row = static_cast<std::int32_t>(Below(rows_));
    v.o_row = Below(rows_);
    v.param_stride = Below(3);
    for (std::int32_t* stride : {&v.a_cb, &v.a_oh, &v.a_ow, &v.a_kh, &v.a_kw, &v.b_cb, &v.b_oh,
                                 &v.b_ow, &v.b_kh, &v.b_kw, &v.o_cb, &v.o_oh, &v.o_ow}) {
      *stride = Signed();
    }
    v.y0 = static_cast<std::int32_t>(Below(4)) - 2;
    v.x0 = static_cast<std::int32_t>(Below(4)) - 2;
    v.y_bound = Below(6);
    v.x_bound = Below(6);
    v.ys_oh = Below(3);
    v.ys_kh = Below(3);
    v.xs_ow = Below(3);
    v.xs_kw = Below(3);
    if (v.source == isa::VectorSource::kUnifiedBuffer && Below(4) == 0) {  // In place.
      v.o_row = static_cast<std::uint32_t>(v.a_row);
      v.o_cb = v.a_cb;
      v.o_oh = v.a_oh;
      v.o_ow = v.a_ow;
    }
    return v;
  }

  std::mt19937_64 rng_;
  unsigned rows_;
  int stride_;
};

}  // namespace tpu::assembly
