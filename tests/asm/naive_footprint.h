// SPDX-License-Identifier: Apache-2.0
// Footprints straight from the loops of docs/isa.md, one place at a time, to check the fast ones
// against.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "asm/footprint.h"

namespace tpu::assembly {

struct NaiveFootprint {
  /// Places by memory and write, whether or not they exist.
  std::map<std::tuple<Space, bool>, std::set<std::uint64_t>> places;
  bool reads_own_output = false;

  void Touch(Space space, bool write, std::uint64_t place) { places[{space, write}].insert(place); }
};

inline std::uint64_t Row(std::int64_t row) { return static_cast<std::uint64_t>(row) & 0xFFFFF; }

inline std::int64_t Wrapped(std::int64_t coordinate) {
  const std::int64_t low = coordinate & 0xFFFFF;
  return low >= 0x80000 ? low - 0x100000 : low;
}

inline std::uint64_t NaiveBytes(isa::NumberFormat format) {
  constexpr std::uint64_t kBytes[] = {1, 2, 4, 4};
  return kBytes[static_cast<std::size_t>(format)];
}

template <typename Transfer>
void NaiveTransfer(const Transfer& t, std::uint64_t n, bool load, NaiveFootprint& f) {
  std::uint64_t stream = 0;
  for (std::uint64_t r = 0; r < t.rows; ++r) {
    for (std::uint64_t b = 0; b < t.row_bytes; ++b, ++stream) {
      f.Touch(Space::kMemory, !load, t.dram_addr + r * t.row_stride + b);
      if constexpr (std::is_same_v<Transfer, isa::Load>) {
        if (t.destination == isa::LoadDestination::kParameters) {
          f.Touch(Space::kParameters, true, Row(static_cast<std::int64_t>(t.row + stream / n / 9)));
          continue;
        }
        if (t.destination == isa::LoadDestination::kLookup) {
          f.Touch(Space::kLookup, true, Row(static_cast<std::int64_t>(t.row + stream / 256)));
          continue;
        }
      }
      const std::uint64_t size = NaiveBytes(t.format);
      const std::uint64_t pixel = stream / t.pixel_bytes;
      const std::uint64_t byte = stream % t.pixel_bytes;
      const std::uint64_t chunk = byte / (size * n);
      const std::uint64_t row = t.row + chunk * t.plane_stride + pixel * t.pixel_stride;
      const std::uint64_t first = load ? 0 : byte % (size * n) / n;
      const std::uint64_t last = load ? size - 1 : first;
      for (std::uint64_t part = first; part <= last; ++part) {
        f.Touch(Space::kUnifiedBuffer, load, Row(static_cast<std::int64_t>(row + part)));
      }
    }
  }
}

inline void NaiveCompute(const isa::Load& i, std::int64_t n, NaiveFootprint& f) {
  NaiveTransfer(i, static_cast<std::uint64_t>(n), true, f);
}

inline void NaiveCompute(const isa::Store& i, std::int64_t n, NaiveFootprint& f) {
  NaiveTransfer(i, static_cast<std::uint64_t>(n), false, f);
}

inline void NaiveCompute(const isa::Weights& i, std::int64_t n, NaiveFootprint& f) {
  for (std::uint64_t b = 0; b < NaiveBytes(i.format) * i.tiles * static_cast<std::uint64_t>(n * n);
       ++b) {
    f.Touch(Space::kMemory, false, i.dram_addr + b);
  }
}

inline void NaiveCompute(const isa::UbWeights& i, std::int64_t n, NaiveFootprint& f) {
  f.places[{Space::kUnifiedBuffer, false}];
  for (std::int64_t ob = 0; ob < i.n_ob; ++ob)
    for (std::int64_t cb = 0; cb < i.n_cb; ++cb)
      for (std::int64_t j = 0; j < n; ++j)
        for (std::int64_t e = 0; e < static_cast<std::int64_t>(NaiveBytes(i.format)); ++e) {
          const std::int64_t y =
              j + (i.along_ob != 0 ? n * ob : 0) + (i.along_cb != 0 ? n * cb : 0);
          if (y >= i.row_bound) continue;
          f.Touch(Space::kUnifiedBuffer, false,
                  Row(i.row + ob * i.s_ob + cb * i.s_cb + j * i.s_row + e));
        }
}

inline void NaiveCompute(const isa::Matmul& i, std::int64_t n, NaiveFootprint& f) {
  f.places[{Space::kUnifiedBuffer, false}];
  for (std::int64_t ob = 0; ob < i.n_ob; ++ob)
    for (std::int64_t cb = 0; cb < i.n_cb; ++cb)
      for (std::int64_t kh = 0; kh < i.n_kh; ++kh)
        for (std::int64_t kw = 0; kw < i.n_kw; ++kw)
          for (std::int64_t oh = 0; oh < i.n_oh; ++oh)
            for (std::int64_t ow = 0; ow < i.n_ow; ++ow) {
              const std::int64_t row = i.planes == 0 ? oh : oh / 2;
              const std::int64_t address =
                  i.ub_addr + cb * i.s_cb + kh * i.s_kh + kw * i.s_kw + row * i.s_oh + ow * i.s_ow;
              const std::int64_t y = Wrapped(i.y0 + kh * i.ys_kh + row * i.ys_oh);
              const std::int64_t x = Wrapped(i.x0 + kw * i.xs_kw + ow * i.xs_ow);
              for (std::int64_t k = 0; k < n; ++k) {
                if (y < 0 || y >= i.y_bound || x + k < 0 || x + k >= i.x_bound) continue;
                const std::uint64_t size = i.planes == 0 ? NaiveBytes(i.format) : 2;
                const std::uint64_t number = static_cast<std::uint64_t>(address + k) & 0x3FFFFFF;
                for (std::uint64_t byte = size * number; byte < size * (number + 1); ++byte) {
                  f.Touch(Space::kUnifiedBuffer, false, byte / static_cast<std::uint64_t>(n));
                }
              }
              f.Touch(Space::kAccumulators, true,
                      Row(i.acc_row + ob * i.acc_ob_stride + oh * i.n_ow + ow));
            }
}

/// Whether the second row of two takes the parameter entry behind.
template <typename V>
bool TakesNext(const V& i) {
  if constexpr (std::is_same_v<V, isa::Fvector>) {
    return i.interleave == isa::FloatInterleave::kNext;
  }
  return false;
}

/// `a`, `b` and `o` are the rows that a number of lanes take; b is 0 where B is not read. Those of
/// A are `apart`.
template <typename V>
void NaiveVector(const V& i, std::uint64_t a, std::uint64_t b, std::uint64_t o,
                 std::optional<std::uint32_t> table, NaiveFootprint& f, std::int64_t apart = 1,
                 std::uint32_t tables = 1) {
  const Space source =
      i.source == isa::VectorSource::kUnifiedBuffer ? Space::kUnifiedBuffer : Space::kAccumulators;
  f.places[{source, false}];
  if (b > 0) f.places[{Space::kUnifiedBuffer, false}];
  std::set<std::uint64_t> written;
  std::int64_t outputs = 0;
  const auto read = [&](Space space, std::int64_t first, std::uint64_t rows, std::int64_t step) {
    for (std::uint64_t r = 0; r < rows; ++r) {
      const std::uint64_t row = Row(first + static_cast<std::int64_t>(r) * step);
      f.Touch(space, false, row);
      if (space == Space::kUnifiedBuffer && written.contains(row)) f.reads_own_output = true;
    }
  };
  for (std::int64_t cb = 0; cb < i.n_cb; ++cb)
    for (std::int64_t oh = 0; oh < i.n_oh; ++oh)
      for (std::int64_t ow = 0; ow < i.n_ow; ++ow) {
        for (std::int64_t kh = 0; kh < i.n_kh; ++kh)
          for (std::int64_t kw = 0; kw < i.n_kw; ++kw) {
            const std::int64_t y = Wrapped(i.y0 + oh * i.ys_oh + kh * i.ys_kh);
            const std::int64_t x = Wrapped(i.x0 + ow * i.xs_ow + kw * i.xs_kw);
            if (y < 0 || y >= i.y_bound || x < 0 || x >= i.x_bound) continue;
            read(source,
                 i.a_row + cb * i.a_cb + oh * i.a_oh + ow * i.a_ow + kh * i.a_kh + kw * i.a_kw, a,
                 apart);
            read(Space::kUnifiedBuffer,
                 i.b_row + cb * i.b_cb + oh * i.b_oh + ow * i.b_ow + kh * i.b_kh + kw * i.b_kw, b,
                 1);
          }
        const bool second = outputs++ % 2 != 0;
        const std::int64_t next = second && TakesNext(i) ? 1 : 0;
        f.Touch(Space::kParameters, false, Row(i.param_row + cb * i.param_stride + next));
        for (std::uint32_t t = 0; table && t < tables; ++t) {
          f.Touch(Space::kLookup, false, *table + t);
        }
        for (std::uint64_t r = 0; r < o; ++r) {
          const std::uint64_t row =
              Row(i.o_row + cb * i.o_cb + oh * i.o_oh + ow * i.o_ow + static_cast<std::int64_t>(r));
          f.Touch(Space::kUnifiedBuffer, true, row);
          written.insert(row);
        }
      }
}

inline void NaiveCompute(const isa::Vector& i, std::int64_t, NaiveFootprint& f) {
  NaiveVector(i, 1, i.map == isa::VectorMap::kCopy ? 0 : 1, 1,
              i.lut_enable != 0 ? std::optional(i.lut) : std::nullopt, f);
}

inline void NaiveCompute(const isa::Fvector& i, std::int64_t, NaiveFootprint& f) {
  const bool reads_b =
      i.map != isa::FloatMap::kCopy && i.operand == isa::FloatOperand::kUnifiedBuffer;
  NaiveVector(i, i.source == isa::VectorSource::kAccumulators ? 1 : NaiveBytes(i.a_format),
              reads_b ? NaiveBytes(i.b_format) : 0, NaiveBytes(i.o_format), std::nullopt, f);
}

inline void NaiveCompute(const isa::Ivector& i, std::int64_t, NaiveFootprint& f) {
  // int8, int16, int32, pair
  constexpr std::uint64_t kRows[] = {1, 2, 4, 2};
  const auto rows = [&](isa::IntegerFormat format) {
    return kRows[static_cast<std::size_t>(format)];
  };
  const bool pair = i.a_format == isa::IntegerFormat::kPair;
  const bool words = i.source == isa::VectorSource::kAccumulators && !pair;
  const bool reads_b =
      (i.map != isa::IntegerMap::kCopy || i.requant == isa::IntegerRequant::kProduct) &&
      i.operand == isa::IntegerOperand::kUnifiedBuffer;
  NaiveVector(i, words ? 1 : rows(i.a_format), reads_b ? rows(i.b_format) : 0, rows(i.o_format),
              i.map == isa::IntegerMap::kLook ? std::optional(4 * i.lut) : std::nullopt, f,
              pair ? i.a_low : 1, 4);
}

inline void NaiveCompute(const isa::Adam& i, std::int64_t, NaiveFootprint& f) {
  std::set<std::uint64_t> written;
  for (std::int64_t r = 0; r < i.rows; ++r) {
    const std::int64_t squares = i.squares + 4 * r;
    const std::int64_t gradients = i.gradients + 4 * r;
    for (const std::int64_t first :
         {squares, gradients, squares + i.to_moments, gradients + i.to_weights}) {
      for (std::int64_t line = 0; line < 4; ++line) {
        f.Touch(Space::kUnifiedBuffer, false, Row(first + line));
        if (written.contains(Row(first + line))) f.reads_own_output = true;
      }
    }
    for (const std::int64_t first : {squares, squares + i.to_moments, i.output + 4 * r}) {
      for (std::int64_t line = 0; line < 4; ++line) {
        f.Touch(Space::kUnifiedBuffer, true, Row(first + line));
        written.insert(Row(first + line));
      }
    }
  }
  f.Touch(Space::kParameters, false, i.param_row);
  f.Touch(Space::kParameters, false, i.param_row ^ 1);
}

inline NaiveFootprint ComputeNaively(const isa::Instruction& instruction, std::uint32_t n) {
  NaiveFootprint footprint;
  std::visit([&](const auto& i) { NaiveCompute(i, n, footprint); }, instruction);
  return footprint;
}

}  // namespace tpu::assembly
