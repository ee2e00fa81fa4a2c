// SPDX-License-Identifier: Apache-2.0
// The footprints of VECTOR, FVECTOR, IVECTOR and ADAM.
#include "asm/footprint.h"
#include "asm/window.h"
#include "isa/element_format.h"

namespace tpu::assembly {
namespace {

/// Source A, source B or the output: first row, rows per iteration of each loop, rows that N
/// numbers take, and how far apart these are.
struct Operand {
  std::int64_t row, cb, oh, ow, kh, kw;
  std::int64_t rows;
  std::int64_t apart = 1;

  [[nodiscard]] std::int64_t At(std::int64_t i_cb, std::int64_t i_oh, std::int64_t i_ow,
                                std::int64_t i_kh, std::int64_t i_kw) const {
    return row + i_cb * cb + i_oh * oh + i_ow * ow + i_kh * kh + i_kw * kw;
  }
};

/// What the unit reads and writes.
struct Operands {
  Operand a, b, output;
  bool a_in_ub;  ///< Else in the accumulators.
  bool reads_b;

  [[nodiscard]] bool ReadsUb() const { return a_in_ub || reads_b; }
};

template <typename V>
Operands WithRows(const V& v, std::int64_t a_rows, std::int64_t b_rows, std::int64_t o_rows) {
  return {.a = {v.a_row, v.a_cb, v.a_oh, v.a_ow, v.a_kh, v.a_kw, a_rows},
          .b = {v.b_row, v.b_cb, v.b_oh, v.b_ow, v.b_kh, v.b_kw, b_rows},
          .output = {v.o_row, v.o_cb, v.o_oh, v.o_ow, 0, 0, o_rows},
          .a_in_ub = v.source == isa::VectorSource::kUnifiedBuffer,
          .reads_b = false};
}

Operands OperandsOf(const isa::Vector& v) {
  Operands operands = WithRows(v, 1, 1, 1);
  operands.reads_b = v.map != isa::VectorMap::kCopy;
  return operands;
}

Operands OperandsOf(const isa::Fvector& v) {
  // A row of the accumulators holds N numbers of four bytes.
  const bool in_ub = v.source == isa::VectorSource::kUnifiedBuffer;
  Operands operands = WithRows(v, in_ub ? isa::BytesOf(v.a_format) : 1, isa::BytesOf(v.b_format),
                               isa::BytesOf(v.o_format));
  operands.reads_b =
      v.map != isa::FloatMap::kCopy && v.operand == isa::FloatOperand::kUnifiedBuffer;
  return operands;
}

Operands OperandsOf(const isa::Ivector& v) {
  const bool in_ub = v.source == isa::VectorSource::kUnifiedBuffer;
  Operands operands = WithRows(v, in_ub ? isa::RowsOf(v.a_format) : 1, isa::RowsOf(v.b_format),
                               isa::RowsOf(v.o_format));
  if (v.a_format == isa::IntegerFormat::kPair) {
    operands.a.rows = 2;
    operands.a.apart = v.a_low;
  }
  operands.reads_b = isa::ReadsSourceB(v);
  return operands;
}

/// Whether the second row of two takes the parameter entry behind that of its channel block.
template <typename V>
bool TakesNextEntry(const V& v) {
  if constexpr (std::is_same_v<V, isa::Fvector>) {
    return v.interleave == isa::FloatInterleave::kNext;
  }
  return false;
}

template <typename V>
bool RowInside(const V& v, std::int64_t oh, std::int64_t kh) {
  const std::int64_t y = Coordinate(v.y0 + oh * v.ys_oh + kh * v.ys_kh);
  return y >= 0 && y < v.y_bound;
}

/// The rows that the taps inside the window's bounds read.
template <typename V>
bool AddTaps(const V& v, const Operand& operand, RowSet& rows) {
  const std::int64_t n_cb = operand.cb == 0 ? 1 : v.n_cb;
  for (std::int64_t cb = 0; cb < n_cb; ++cb) {
    for (std::int64_t oh = 0; oh < v.n_oh; ++oh) {
      for (std::int64_t kh = 0; kh < v.n_kh; ++kh) {
        if (!RowInside(v, oh, kh)) continue;
        for (std::int64_t kw = 0; kw < v.n_kw; ++kw) {
          const auto add = [&](std::int64_t ow, std::int64_t count) {
            for (std::int64_t r = 0; r < operand.rows; ++r) {
              if (!rows.Add(operand.At(cb, oh, ow, kh, kw) + r * operand.apart, operand.ow,
                            static_cast<std::uint64_t>(count))) {
                return false;
              }
            }
            return true;
          };
          if (!ForEachInside(v.x0 + kw * v.xs_kw, v.xs_ow, v.n_ow, 0, v.x_bound, add)) return false;
        }
      }
    }
  }
  return true;
}

template <typename V>
bool AddOutput(const V& v, const Operand& output, RowSet& rows) {
  const std::int64_t n_cb = output.cb == 0 ? 1 : v.n_cb;
  for (std::int64_t cb = 0; cb < n_cb; ++cb) {
    for (std::int64_t r = 0; r < output.rows; ++r) {
      if (!rows.Add(output.At(cb, 0, 0, 0, 0) + r, output.oh, v.n_oh, output.ow, v.n_ow)) {
        return false;
      }
    }
  }
  return true;
}

bool Intersect(const std::vector<Run>& a, const std::vector<Run>& b) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].first + a[i].count <= b[j].first) {
      ++i;
    } else if (b[j].first + b[j].count <= a[i].first) {
      ++j;
    } else {
      return true;
    }
  }
  return false;
}

/// Whether an output row overlaps rows that the footprint reads; all accesses exist.
bool ReadsItsOutput(const Footprint& footprint) {
  const Access& written = footprint.accesses.back();
  for (const Access& access : footprint.accesses) {
    if (access.space != Space::kUnifiedBuffer || access.write) continue;
    return Intersect(access.runs, written.runs);
  }
  return false;
}

template <typename V>
double Iterations(const V& v) {
  return 1.0 * v.n_cb * v.n_oh * v.n_ow * v.n_kh * v.n_kw;
}

/// Whether a row is read after it was written. Working in place is fine as long as every row is
/// read before. Leaves the rows written in `written`.
template <typename V>
bool ReadsWrittenRow(const V& v, const Operands& operands, RowSet& written) {
  const auto any_written = [&written](const Operand& operand, std::int64_t row) {
    for (std::int64_t r = 0; r < operand.rows; ++r) {
      const auto address = static_cast<std::uint64_t>(row + r) & (2 * kHalfWindow - 1);
      if (written.Contains(address)) return true;
    }
    return false;
  };
  const auto reads_own_output = [&](std::int64_t cb, std::int64_t oh, std::int64_t ow) {
    for (std::int64_t kh = 0; kh < v.n_kh; ++kh) {
      if (!RowInside(v, oh, kh)) continue;
      for (std::int64_t kw = 0; kw < v.n_kw; ++kw) {
        const std::int64_t x = Coordinate(v.x0 + ow * v.xs_ow + kw * v.xs_kw);
        if (x < 0 || x >= v.x_bound) continue;
        const Operand& a = operands.a;
        const Operand& b = operands.b;
        if (operands.a_in_ub && any_written(a, a.At(cb, oh, ow, kh, kw))) return true;
        if (operands.reads_b && any_written(b, b.At(cb, oh, ow, kh, kw))) return true;
      }
    }
    return false;
  };
  const Operand& output = operands.output;
  for (std::int64_t cb = 0; cb < v.n_cb; ++cb) {
    for (std::int64_t oh = 0; oh < v.n_oh; ++oh) {
      for (std::int64_t ow = 0; ow < v.n_ow; ++ow) {
        if (reads_own_output(cb, oh, ow)) return true;
        written.Add(output.At(cb, oh, ow, 0, 0), static_cast<std::uint64_t>(output.rows));
      }
    }
  }
  return false;
}

template <typename V>
void AddParameters(const V& v, RowSet& rows) {
  const std::int64_t first = v.param_row;
  const std::int64_t stride = v.param_stride;
  if (!TakesNextEntry(v)) {
    rows.Add(first, stride, v.n_cb);
  } else if (v.n_oh * std::uint64_t{v.n_ow} == 1) {
    // Every other channel block is the second row of two.
    rows.Add(first, 2 * stride, (v.n_cb + 1) / 2);
    if (v.n_cb > 1) rows.Add(first + stride + 1, 2 * stride, v.n_cb / 2);
  } else {
    rows.Add(first, stride, v.n_cb);
    rows.Add(first + 1, stride, v.n_cb);
  }
}

}  // namespace

template <typename V>
void FootprintCalculator::ComputeVector(const V& v, std::uint32_t table, std::uint32_t tables) {
  if (Iterations(v) > kMaxIterations) {
    footprint_.errors.emplace_back("loops too long to check");
    return;
  }
  const Operands operands = OperandsOf(v);
  AddTaps(v, operands.a, operands.a_in_ub ? ub_ : acc_);
  if (!operands.a_in_ub) Finish(Space::kAccumulators, false, acc_);
  if (operands.reads_b) AddTaps(v, operands.b, ub_);
  if (operands.ReadsUb()) Finish(Space::kUnifiedBuffer, false, ub_);
  AddParameters(v, param_);
  Finish(Space::kParameters, false, param_);
  if (tables > 0) {
    lut_.Add(table, tables);
    Finish(Space::kLookup, false, lut_);
  }
  AddOutput(v, operands.output, ub_);
  Finish(Space::kUnifiedBuffer, true, ub_);
  if (footprint_.errors.empty() && ReadsItsOutput(footprint_)) {
    if (ReadsWrittenRow(v, operands, ub_)) {
      footprint_.errors.emplace_back("reads a UB row that it wrote itself");
    }
    ub_.Clear();
  }
}

void FootprintCalculator::Compute(const isa::Vector& vector) {
  ComputeVector(vector, vector.lut, vector.lut_enable);
}

void FootprintCalculator::Compute(const isa::Fvector& vector) { ComputeVector(vector, 0, 0); }

void FootprintCalculator::Compute(const isa::Ivector& vector) {
  ComputeVector(vector, isa::kTablesOfWords * vector.lut,
                vector.map == isa::IntegerMap::kLook ? isa::kTablesOfWords : 0);
}

// N numbers of fp32 of each kind follow each other row by row. An ADAM that reads only what it has
// not written reads all of its rows first as well as row by row.
void FootprintCalculator::Compute(const isa::Adam& adam) {
  constexpr std::int64_t kRows = isa::BytesOf(isa::NumberFormat::kFloat32);
  const std::uint64_t rows = kRows * std::uint64_t{adam.rows};
  const std::int64_t squares = adam.squares;
  const std::int64_t moments = squares + adam.to_moments;
  const std::int64_t gradients = adam.gradients;
  const std::int64_t weights = gradients + adam.to_weights;
  for (const std::int64_t row : {squares, gradients, moments, weights}) ub_.Add(row, rows);
  Finish(Space::kUnifiedBuffer, false, ub_);
  param_.Add(adam.param_row, 1);
  param_.Add(adam.param_row ^ 1, 1);
  Finish(Space::kParameters, false, param_);
  for (const std::int64_t row : {squares, moments, std::int64_t{adam.output}}) ub_.Add(row, rows);
  Finish(Space::kUnifiedBuffer, true, ub_);
  if (!footprint_.errors.empty()) return;
  // Rows are written in this order.
  bool reads = false;
  for (std::int64_t r = 0; r < adam.rows && !reads; ++r) {
    for (const std::int64_t row : {squares, gradients, moments, weights}) {
      for (std::int64_t line = 0; line < kRows; ++line) {
        reads = reads || ub_.Contains(static_cast<std::uint64_t>(row + kRows * r + line) &
                                      (2 * kHalfWindow - 1));
      }
    }
    for (const std::int64_t row : {squares, moments, std::int64_t{adam.output}}) {
      ub_.Add(row + kRows * r, kRows);
    }
  }
  if (reads) footprint_.errors.emplace_back("reads a UB row that it wrote itself");
  ub_.Clear();
}

}  // namespace tpu::assembly
