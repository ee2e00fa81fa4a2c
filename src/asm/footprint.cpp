// SPDX-License-Identifier: Apache-2.0
#include "asm/footprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isa/element_format.h"

namespace tpu::assembly {
namespace {

constexpr std::int64_t kHalfWindow = 1 << 19;
constexpr std::uint64_t kByteAddressMask = (1U << 26) - 1;
constexpr std::uint64_t kHighestRow = (1U << 20) - 1;
/// Chunks of N bytes that a parameter entry has in memory.
constexpr std::uint64_t kParamChunks = isa::kLaneParameterBytes;
/// Bounds the time spent on one instruction; real ones stay far below.
constexpr double kMaxIterations = 1 << 28;

std::uint64_t CeilDiv(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

/// A window coordinate: modulo 2^20 in two's complement.
std::int64_t Coordinate(std::int64_t value) {
  return ((value + kHalfWindow) & (2 * kHalfWindow - 1)) - kHalfWindow;
}

/// Calls visit(first, count) for the runs of i < n in which low <= x + i*step < high, x + i*step
/// being a coordinate; step >= 0. Stops and returns false when visit does.
template <typename Visit>
bool ForEachInside(std::int64_t x, std::int64_t step, std::int64_t n, std::int64_t low,
                   std::int64_t high, Visit&& visit) {
  const auto steps_to = [step](std::int64_t from, std::int64_t to, std::int64_t end) {
    if (from >= to) return std::int64_t{0};
    return step == 0 ? end : std::min(end, (to - from + step - 1) / step);
  };
  for (std::int64_t i = 0; i < n;) {
    const std::int64_t here = Coordinate(x + i * step);
    const std::int64_t until_wrap = steps_to(here, kHalfWindow, n - i);
    const std::int64_t begin = steps_to(here, low, until_wrap);
    const std::int64_t end = steps_to(here, high, until_wrap);
    if (begin < end && !visit(i + begin, end - begin)) return false;
    i += until_wrap;
  }
  return true;
}

/// Source A, source B or the output of a VECTOR: first row and rows per iteration of each loop.
struct Operand {
  std::int64_t row, cb, oh, ow, kh, kw;

  [[nodiscard]] std::int64_t At(std::int64_t i_cb, std::int64_t i_oh, std::int64_t i_ow,
                                std::int64_t i_kh, std::int64_t i_kw) const {
    return row + i_cb * cb + i_oh * oh + i_ow * ow + i_kh * kh + i_kw * kw;
  }
};

Operand OperandA(const isa::Vector& v) { return {v.a_row, v.a_cb, v.a_oh, v.a_ow, v.a_kh, v.a_kw}; }
Operand OperandB(const isa::Vector& v) { return {v.b_row, v.b_cb, v.b_oh, v.b_ow, v.b_kh, v.b_kw}; }
Operand Output(const isa::Vector& v) { return {v.o_row, v.o_cb, v.o_oh, v.o_ow, 0, 0}; }

bool RowInside(const isa::Vector& v, std::int64_t oh, std::int64_t kh) {
  const std::int64_t y = Coordinate(v.y0 + oh * v.ys_oh + kh * v.ys_kh);
  return y >= 0 && y < v.y_bound;
}

/// The rows that the taps inside the window's bounds read.
bool AddTaps(const isa::Vector& v, const Operand& operand, RowSet& rows) {
  const std::int64_t n_cb = operand.cb == 0 ? 1 : v.n_cb;
  for (std::int64_t cb = 0; cb < n_cb; ++cb) {
    for (std::int64_t oh = 0; oh < v.n_oh; ++oh) {
      for (std::int64_t kh = 0; kh < v.n_kh; ++kh) {
        if (!RowInside(v, oh, kh)) continue;
        for (std::int64_t kw = 0; kw < v.n_kw; ++kw) {
          const auto add = [&](std::int64_t ow, std::int64_t count) {
            return rows.Add(operand.At(cb, oh, ow, kh, kw), operand.ow,
                            static_cast<std::uint64_t>(count));
          };
          if (!ForEachInside(v.x0 + kw * v.xs_kw, v.xs_ow, v.n_ow, 0, v.x_bound, add)) return false;
        }
      }
    }
  }
  return true;
}

bool AddOutput(const isa::Vector& v, RowSet& rows) {
  const Operand output = Output(v);
  const std::int64_t n_cb = output.cb == 0 ? 1 : v.n_cb;
  for (std::int64_t cb = 0; cb < n_cb; ++cb) {
    if (!rows.Add(output.At(cb, 0, 0, 0, 0), output.oh, v.n_oh, output.ow, v.n_ow)) return false;
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

double Iterations(const isa::Matmul& m) { return 1.0 * m.n_cb * m.n_kh * m.n_kw * m.n_oh + m.n_ob; }
double Iterations(const isa::Vector& v) { return 1.0 * v.n_cb * v.n_oh * v.n_ow * v.n_kh * v.n_kw; }

}  // namespace

std::string_view PlaceName(Space space) {
  switch (space) {
    case Space::kUnifiedBuffer:
      return "UB row";
    case Space::kAccumulators:
      return "ACC row";
    case Space::kParameters:
      return "PARAM entry";
    case Space::kLookup:
      return "LUT";
    case Space::kMemory:
      return "memory byte";
  }
  return "?";
}

FootprintCalculator::FootprintCalculator(const isa::HardwareConfig& config,
                                         std::uint64_t memory_bytes)
    : config_(config),
      memory_bytes_(config.axi_addr_width < 64
                        ? std::min(memory_bytes, std::uint64_t{1} << config.axi_addr_width)
                        : memory_bytes),
      ub_(config.ub_rows),
      acc_(config.acc_rows),
      param_(config.param_rows),
      lut_(config.lut_tables) {}

Footprint FootprintCalculator::Of(const isa::Instruction& instruction) {
  footprint_ = {};
  std::visit([this](const auto& i) { Compute(i); }, instruction);
  return std::exchange(footprint_, {});
}

void FootprintCalculator::Finish(Space space, bool write, RowSet& rows) {
  if (rows.Outside()) {
    footprint_.errors.push_back(fmt::format("{} {} {}, but there are {}",
                                            write ? "writes" : "reads", PlaceName(space),
                                            *rows.Outside(), rows.Size()));
  } else {
    footprint_.accesses.push_back({space, write, rows.Runs()});
  }
  rows.Clear();
}

void FootprintCalculator::AddMemory(std::uint64_t address, std::uint64_t row_bytes,
                                    std::uint64_t rows, std::uint64_t row_stride, bool write) {
  const std::uint64_t span = (rows - 1) * row_stride + row_bytes;  // Below 2^64: 32-bit factors.
  if (address > memory_bytes_ || span > memory_bytes_ - address) {
    footprint_.errors.push_back(
        fmt::format("{} {} bytes of memory from 0x{:x}, beyond the {} bytes that may be used",
                    write ? "writes" : "reads", span, address, memory_bytes_));
    return;
  }
  Access access{Space::kMemory, write, {}};
  if (row_stride <= row_bytes) {
    access.runs.push_back({address, span});
  } else {
    access.runs.reserve(rows);
    for (std::uint64_t r = 0; r < rows; ++r) {
      access.runs.push_back({address + r * row_stride, row_bytes});
    }
  }
  footprint_.accesses.push_back(std::move(access));
}

/// UB rows of a LOAD's or STORE's chunks.
template <typename Transfer>
bool FootprintCalculator::AddPixels(const Transfer& t) {
  const std::uint64_t total = std::uint64_t{t.row_bytes} * t.rows;
  const std::uint64_t full = CeilDiv(total, t.pixel_bytes) - 1;
  const std::uint64_t last_bytes = total - full * t.pixel_bytes;
  if (!ub_.Add(t.row, t.plane_stride, CeilDiv(t.pixel_bytes, config_.n) * (full == 0 ? 0 : 1),
               t.pixel_stride, full)) {
    return false;
  }
  // Here the offset is small: all full pixels lay in the buffer.
  const std::uint64_t last_row = t.row + (t.pixel_stride == 0 ? 0 : full * t.pixel_stride);
  return ub_.Add(static_cast<std::int64_t>(last_row), t.plane_stride,
                 CeilDiv(last_bytes, config_.n));
}

void FootprintCalculator::Compute(const isa::Load& load) {
  AddMemory(load.dram_addr, load.row_bytes, load.rows, load.row_stride, false);
  const std::uint64_t total = std::uint64_t{load.row_bytes} * load.rows;
  switch (load.destination) {
    case isa::LoadDestination::kUnifiedBuffer:
      AddPixels(load);
      Finish(Space::kUnifiedBuffer, true, ub_);
      break;
    case isa::LoadDestination::kParameters:
      param_.Add(load.row, CeilDiv(CeilDiv(total, config_.n), kParamChunks));
      Finish(Space::kParameters, true, param_);
      break;
    case isa::LoadDestination::kLookup:
      lut_.Add(load.row, CeilDiv(total, std::uint64_t{isa::kTableBytes}));
      Finish(Space::kLookup, true, lut_);
      break;
  }
}

void FootprintCalculator::Compute(const isa::Store& store) {
  AddPixels(store);
  Finish(Space::kUnifiedBuffer, false, ub_);
  AddMemory(store.dram_addr, store.row_bytes, store.rows, store.row_stride, true);
}

void FootprintCalculator::Compute(const isa::Weights& weights) {
  AddMemory(weights.dram_addr, config_.TileBytes(), weights.tiles, config_.TileBytes(), false);
}

/// UB rows of `length` bytes from address + i*stride for i < count.
bool FootprintCalculator::AddBytes(std::int64_t address, std::int64_t stride, std::uint64_t count,
                                   std::uint64_t length) {
  const auto distance = static_cast<std::uint64_t>(stride < 0 ? -stride : stride);
  if (count > 1 && distance <= length) {
    if (stride < 0) address += static_cast<std::int64_t>(count - 1) * stride;
    length += (count - 1) * distance;
    count = 1;
  }
  for (std::uint64_t i = 0; i < count; ++i, address += stride) {
    const std::uint64_t byte = static_cast<std::uint64_t>(address) & kByteAddressMask;
    const std::uint64_t row = byte / config_.n;
    // RowSet takes rows modulo 2^20, which must not fold a higher byte address into the buffer.
    const std::uint64_t visible = std::min(row, kHighestRow);
    if (!ub_.Add(static_cast<std::int64_t>(visible), (byte + length - 1) / config_.n - row + 1)) {
      return false;
    }
  }
  return true;
}

/// The ow loop of a MATMUL: `address` and `x` are those of ow = 0.
bool FootprintCalculator::AddWindowRow(const isa::Matmul& m, std::int64_t address, std::int64_t x) {
  const std::int64_t n = config_.n;
  const auto lanes = [&](std::int64_t ow) {
    const std::int64_t first_x = Coordinate(x + ow * m.xs_ow);
    const std::int64_t first = std::max<std::int64_t>(0, -first_x);
    const std::int64_t end = std::min<std::int64_t>(n, m.x_bound - first_x);
    return AddBytes(address + ow * m.s_ow + first, 0, 1, static_cast<std::uint64_t>(end - first));
  };
  const auto add = [&](std::int64_t begin, std::int64_t count) {
    std::int64_t end = begin + count;
    for (; begin < end && Coordinate(x + begin * m.xs_ow) < 0; ++begin) {
      if (!lanes(begin)) return false;
    }
    for (; end > begin && Coordinate(x + (end - 1) * m.xs_ow) + n > m.x_bound; --end) {
      if (!lanes(end - 1)) return false;
    }
    return AddBytes(address + begin * m.s_ow, m.s_ow, static_cast<std::uint64_t>(end - begin),
                    config_.n);
  };
  return ForEachInside(x, m.xs_ow, m.n_ow, 1 - n, m.x_bound, add);
}

bool FootprintCalculator::AddWindow(const isa::Matmul& m) {
  if (m.x_bound == 0) return true;
  const std::int64_t n_cb = m.s_cb == 0 ? 1 : m.n_cb;
  for (std::int64_t cb = 0; cb < n_cb; ++cb) {
    for (std::int64_t kh = 0; kh < m.n_kh; ++kh) {
      for (std::int64_t oh = 0; oh < m.n_oh; ++oh) {
        const std::int64_t y = Coordinate(m.y0 + kh * m.ys_kh + oh * m.ys_oh);
        if (y < 0 || y >= m.y_bound) continue;
        const std::int64_t row = m.ub_addr + cb * m.s_cb + kh * m.s_kh + oh * m.s_oh;
        for (std::int64_t kw = 0; kw < m.n_kw; ++kw) {
          if (!AddWindowRow(m, row + kw * m.s_kw, m.x0 + kw * m.xs_kw)) return false;
        }
      }
    }
  }
  return true;
}

void FootprintCalculator::Compute(const isa::Matmul& matmul) {
  if (Iterations(matmul) > kMaxIterations) {
    footprint_.errors.emplace_back("loops too long to check");
    return;
  }
  AddWindow(matmul);
  Finish(Space::kUnifiedBuffer, false, ub_);
  acc_.Add(matmul.acc_row, matmul.acc_ob_stride, matmul.n_ob, 1,
           std::uint64_t{matmul.n_oh} * matmul.n_ow);
  Finish(Space::kAccumulators, true, acc_);
}

void FootprintCalculator::Compute(const isa::Vector& vector) {
  if (Iterations(vector) > kMaxIterations) {
    footprint_.errors.emplace_back("loops too long to check");
    return;
  }
  const bool from_ub = vector.source == isa::VectorSource::kUnifiedBuffer;
  AddTaps(vector, OperandA(vector), from_ub ? ub_ : acc_);
  if (!from_ub) Finish(Space::kAccumulators, false, acc_);
  if (vector.map != isa::VectorMap::kCopy) AddTaps(vector, OperandB(vector), ub_);
  if (from_ub) Finish(Space::kUnifiedBuffer, false, ub_);
  param_.Add(vector.param_row, vector.param_stride, vector.n_cb);
  Finish(Space::kParameters, false, param_);
  if (vector.lut_enable != 0) {
    lut_.Add(vector.lut, 1);
    Finish(Space::kLookup, false, lut_);
  }
  AddOutput(vector, ub_);
  Finish(Space::kUnifiedBuffer, true, ub_);
  if (from_ub && footprint_.errors.empty() &&
      Intersect(footprint_.accesses.front().runs, footprint_.accesses.back().runs)) {
    CheckOwnOutput(vector);
  }
}

/// Working in place is fine as long as every row is read before it is written.
void FootprintCalculator::CheckOwnOutput(const isa::Vector& v) {
  const Operand a = OperandA(v);
  const Operand b = OperandB(v);
  const Operand output = Output(v);
  const bool reads_b = v.map != isa::VectorMap::kCopy;
  const auto written = [this](std::int64_t row) {
    return ub_.Contains(static_cast<std::uint64_t>(row) & (2 * kHalfWindow - 1));
  };
  const auto reads_own_output = [&](std::int64_t cb, std::int64_t oh, std::int64_t ow) {
    for (std::int64_t kh = 0; kh < v.n_kh; ++kh) {
      if (!RowInside(v, oh, kh)) continue;
      for (std::int64_t kw = 0; kw < v.n_kw; ++kw) {
        const std::int64_t x = Coordinate(v.x0 + ow * v.xs_ow + kw * v.xs_kw);
        if (x < 0 || x >= v.x_bound) continue;
        if (written(a.At(cb, oh, ow, kh, kw))) return true;
        if (reads_b && written(b.At(cb, oh, ow, kh, kw))) return true;
      }
    }
    return false;
  };
  bool found = false;
  for (std::int64_t cb = 0; !found && cb < v.n_cb; ++cb) {
    for (std::int64_t oh = 0; !found && oh < v.n_oh; ++oh) {
      for (std::int64_t ow = 0; !found && ow < v.n_ow; ++ow) {
        found = reads_own_output(cb, oh, ow);
        ub_.Add(output.At(cb, oh, ow, 0, 0), 1);
      }
    }
  }
  ub_.Clear();
  if (found) footprint_.errors.emplace_back("reads a UB row that it wrote itself");
}

}  // namespace tpu::assembly
