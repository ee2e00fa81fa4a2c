// SPDX-License-Identifier: Apache-2.0
#include "asm/footprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "asm/window.h"
#include "isa/element_format.h"

namespace tpu::assembly {
namespace {

constexpr std::uint64_t kNumberAddressMask = (1U << 26) - 1;
constexpr std::uint64_t kHighestRow = (1U << 20) - 1;
/// Chunks of N bytes that a parameter entry has in memory.
constexpr std::uint64_t kParamChunks = isa::kLaneParameterBytes;

std::uint64_t CeilDiv(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

double Iterations(const isa::Matmul& m) { return 1.0 * m.n_cb * m.n_kh * m.n_kw * m.n_oh + m.n_ob; }

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
  const std::int64_t chunk_rows = isa::BytesOf(t.format);
  const auto chunk_bytes = static_cast<std::uint64_t>(chunk_rows) * config_.n;
  // A LOAD fills all rows of a chunk, a STORE reads those with bytes that it needs.
  const bool all_rows = std::is_same_v<Transfer, isa::Load>;
  const auto chunks = [&](std::uint64_t bytes, std::int64_t row) {
    const std::uint64_t wanted =
        all_rows
            ? bytes
            : bytes - std::min<std::uint64_t>(bytes, static_cast<std::uint64_t>(row) * config_.n);
    return CeilDiv(wanted, chunk_bytes);
  };
  for (std::int64_t row = 0; row < chunk_rows; ++row) {
    if (full > 0 &&
        !ub_.Add(t.row + row, t.plane_stride, chunks(t.pixel_bytes, row), t.pixel_stride, full)) {
      return false;
    }
  }
  // Here the offset is small: all full pixels lay in the buffer.
  const std::uint64_t last_row = t.row + (t.pixel_stride == 0 ? 0 : full * t.pixel_stride);
  for (std::int64_t row = 0; row < chunk_rows; ++row) {
    if (!ub_.Add(static_cast<std::int64_t>(last_row) + row, t.plane_stride,
                 chunks(last_bytes, row))) {
      return false;
    }
  }
  return true;
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
  const auto tile_bytes = static_cast<std::uint64_t>(isa::TileBytes(weights.format, config_));
  AddMemory(weights.dram_addr, tile_bytes, weights.tiles, tile_bytes, false);
}

void FootprintCalculator::Compute(const isa::UbWeights& weights) {
  if (1.0 * weights.n_ob * weights.n_cb > kMaxIterations) {
    footprint_.errors.emplace_back("loops too long to check");
    return;
  }
  const std::int64_t n = config_.n;
  const auto add_tile = [&](std::int64_t ob, std::int64_t cb) {
    const std::int64_t y =
        n * ((weights.along_ob != 0 ? ob : 0) + (weights.along_cb != 0 ? cb : 0));
    const auto rows = static_cast<std::uint64_t>(
        std::clamp<std::int64_t>(std::int64_t{weights.row_bound} - y, 0, n));
    return ub_.Add(weights.row + ob * weights.s_ob + cb * weights.s_cb, 1,
                   static_cast<std::uint64_t>(isa::BytesOf(weights.format)), weights.s_row, rows);
  };
  bool inside = true;
  for (std::int64_t ob = 0; inside && ob < weights.n_ob; ++ob) {
    for (std::int64_t cb = 0; inside && cb < weights.n_cb; ++cb) inside = add_tile(ob, cb);
  }
  Finish(Space::kUnifiedBuffer, false, ub_);
}

/// UB rows of `length` numbers from address + i*stride for i < count.
bool FootprintCalculator::AddNumbers(std::int64_t bytes, std::int64_t address, std::int64_t stride,
                                     std::uint64_t count, std::uint64_t length) {
  const auto size = static_cast<std::uint64_t>(bytes);
  const auto distance = static_cast<std::uint64_t>(stride < 0 ? -stride : stride);
  if (count > 1 && distance <= length) {
    if (stride < 0) address += static_cast<std::int64_t>(count - 1) * stride;
    length += (count - 1) * distance;
    count = 1;
  }
  for (std::uint64_t i = 0; i < count; ++i, address += stride) {
    const std::uint64_t byte = size * (static_cast<std::uint64_t>(address) & kNumberAddressMask);
    const std::uint64_t row = byte / config_.n;
    // RowSet takes rows modulo 2^20, which must not fold a higher byte address into the buffer.
    const std::uint64_t visible = std::min(row, kHighestRow);
    if (!ub_.Add(static_cast<std::int64_t>(visible),
                 (byte + size * length - 1) / config_.n - row + 1)) {
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
    return AddNumbers(isa::ActivationBytes(m), address + ow * m.s_ow + first, 0, 1,
                      static_cast<std::uint64_t>(end - first));
  };
  const auto add = [&](std::int64_t begin, std::int64_t count) {
    std::int64_t end = begin + count;
    for (; begin < end && Coordinate(x + begin * m.xs_ow) < 0; ++begin) {
      if (!lanes(begin)) return false;
    }
    for (; end > begin && Coordinate(x + (end - 1) * m.xs_ow) + n > m.x_bound; --end) {
      if (!lanes(end - 1)) return false;
    }
    return AddNumbers(isa::ActivationBytes(m), address + begin * m.s_ow, m.s_ow,
                      static_cast<std::uint64_t>(end - begin), config_.n);
  };
  return ForEachInside(x, m.xs_ow, m.n_ow, 1 - n, m.x_bound, add);
}

bool FootprintCalculator::AddWindow(const isa::Matmul& m) {
  if (m.x_bound == 0) return true;
  const std::int64_t n_cb = m.s_cb == 0 ? 1 : m.n_cb;
  const std::int64_t image_rows = m.planes == 0 ? m.n_oh : (m.n_oh + 1) / 2;
  for (std::int64_t cb = 0; cb < n_cb; ++cb) {
    for (std::int64_t kh = 0; kh < m.n_kh; ++kh) {
      for (std::int64_t oh = 0; oh < image_rows; ++oh) {
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

}  // namespace tpu::assembly
