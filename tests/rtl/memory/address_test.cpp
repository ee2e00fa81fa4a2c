// SPDX-License-Identifier: Apache-2.0
// What tells LOAD and STORE where their bytes lie, on chip (tpu_chunk_walker) and in memory
// (tpu_dma_bursts), cycle by cycle against plain loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

#include "Vchunk_walker_16.h"
#include "Vchunk_walker_4.h"
#include "Vchunk_walker_4_load.h"
#include "Vchunk_walker_8_store.h"
#include "Vdma_bursts_128_40.h"
#include "Vdma_bursts_32_32.h"
#include "Vdma_bursts_512_64.h"
#include "tb/dut.h"

namespace tpu {
namespace {

using Wide = unsigned __int128;

/// Assigns to a port of any width.
template <typename Port>
void Set(Port& port, std::uint64_t value) {
  port = static_cast<Port>(value);
}

// ---- tpu_chunk_walker
// ----------------------------------------------------------------------------

struct Chunk {
  std::uint32_t row;
  std::uint64_t length;
  std::uint32_t index;
  bool last;
};

struct Stream {
  std::uint64_t total;
  std::uint32_t row;
  std::uint32_t plane_stride;
  std::uint32_t pixel_bytes;
  std::uint32_t pixel_stride;
  std::uint32_t limit;  // A row, or one byte.
  std::uint32_t lines;  // Rows of a chunk
};

std::vector<Chunk> ChunksOf(const Stream& s, bool whole) {
  constexpr std::uint32_t kRowMask = 0xFFFFF;
  std::vector<Chunk> chunks;
  std::uint64_t left = s.total;
  for (std::uint32_t pixel = 0; left > 0; ++pixel) {
    std::uint64_t in_pixel = std::min<std::uint64_t>(left, s.pixel_bytes);
    for (std::uint32_t c = 0; in_pixel > 0; ++c) {
      for (std::uint32_t e = 0; e < s.lines && (whole || in_pixel > 0); ++e) {
        const std::uint64_t length = std::min<std::uint64_t>(in_pixel, s.limit);
        in_pixel -= length;
        left -= length;
        chunks.push_back({(s.row + c * s.plane_stride + pixel * s.pixel_stride + e) & kRowMask,
                          length, (c * s.lines + e) & 0xFF, false});
      }
    }
  }
  chunks.back().last = true;
  return chunks;
}

template <typename Model, std::uint32_t kN, unsigned kBits, bool kFormats = false,
          bool kAllRows = false>
struct Walker {
  using Dut = tb::Dut<Model>;
  static constexpr bool kBf16 = kFormats;
  static constexpr bool kWhole = kAllRows;
  static constexpr std::uint32_t kMostBytes = kN;
  static constexpr unsigned kLengthBits = kBits;
};

template <typename W>
class ChunkWalker : public ::testing::Test {};
using Walkers = ::testing::Types<Walker<Vchunk_walker_4, 4, 41>, Walker<Vchunk_walker_16, 16, 33>,
                                 Walker<Vchunk_walker_4_load, 4, 41, true, true>,
                                 Walker<Vchunk_walker_8_store, 8, 33, true>>;
TYPED_TEST_SUITE(ChunkWalker, Walkers);

TYPED_TEST(ChunkWalker, GivesAChunkPerCycleWithoutGaps) {
  constexpr std::uint64_t kSeed = 5;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  std::mt19937_64 rng(kSeed);
  const auto draw = [&rng](std::uint64_t below) { return rng() % below; };
  typename TypeParam::Dut dut(kSeed);
  dut->start_valid = dut->chunk_ready = 0;
  dut.Reset();
  std::vector<Chunk> chunks;
  std::uint32_t beyond = 0;
  std::size_t at = 0;
  for (int cycle = 0; cycle < 40000; ++cycle) {
    const bool single = draw(4) == 0;
    // Of a memory with a power of two of rows.
    const auto beyond_stream = static_cast<std::uint32_t>(0x100000 - (0x8 << draw(14)));
    const Stream stream = {
        .total = 1 + draw(draw(8) == 0 ? 40000 : 60),
        .row = static_cast<std::uint32_t>(draw(0x10000)),
        .plane_stride = static_cast<std::uint32_t>(draw(0x10000)),
        .pixel_bytes = 1 + static_cast<std::uint32_t>(draw(draw(8) == 0 ? 0xFFFFFF : 30)),
        .pixel_stride = static_cast<std::uint32_t>(draw(0x10000)),
        .limit = single ? 1 : TypeParam::kMostBytes,
        .lines = single || !TypeParam::kBf16 ? 1U : 1U << draw(3)};
    dut->start_valid = draw(4) != 0 ? 1 : 0;
    dut->start_length = stream.total - 1;
    Set(dut->start_row, stream.row);
    Set(dut->start_plane_stride, stream.plane_stride);
    dut->start_pixel_bytes = stream.pixel_bytes;
    Set(dut->start_pixel_stride, stream.pixel_stride);
    dut->start_single = single ? 1 : 0;
    dut->start_more = static_cast<std::uint8_t>(stream.lines - 1);
    dut->start_beyond = beyond_stream;
    dut->chunk_ready = draw(4) != 0 ? 1 : 0;
    dut.Eval();

    const bool valid = at < chunks.size();
    ASSERT_EQ(dut->chunk_valid != 0, valid) << "cycle " << cycle;
    if (valid) {
      const Chunk& chunk = chunks[at];
      ASSERT_EQ(dut->chunk_row, chunk.row) << "cycle " << cycle;
      ASSERT_EQ(dut->chunk_outside != 0, (chunk.row & beyond) != 0) << "cycle " << cycle;
      ASSERT_EQ(dut->chunk_length, chunk.length) << "cycle " << cycle;
      ASSERT_EQ(dut->chunk_index, chunk.index) << "cycle " << cycle;
      ASSERT_EQ(dut->chunk_last != 0, chunk.last) << "cycle " << cycle;
    }
    const bool taken = valid && dut->chunk_ready != 0;
    ASSERT_EQ(dut->start_ready != 0, !valid || (taken && chunks[at].last)) << "cycle " << cycle;
    if (taken) ++at;
    if (dut->start_valid != 0 && dut->start_ready != 0) {
      chunks = ChunksOf(stream, TypeParam::kWhole);
      beyond = beyond_stream;
      at = 0;
    }
    dut.Tick();
  }
}

// Between streams nothing changes, whatever is ready: nothing behind the walker toggles then.
TYPED_TEST(ChunkWalker, RestsBetweenStreams) {
  typename TypeParam::Dut dut(6);
  std::mt19937_64 rng(6);
  dut->start_valid = dut->chunk_ready = 0;
  dut.Reset();
  const auto chunk = [&dut] {
    return std::array<std::uint64_t, 3>{dut->chunk_row, dut->chunk_length, dut->chunk_index};
  };
  for (int stream = 0; stream < 20; ++stream) {
    dut->start_valid = 1;
    dut->start_length = rng() % 40;
    Set(dut->start_row, rng() % 0x10000);
    dut->start_pixel_bytes = 1 + static_cast<std::uint32_t>(rng() % 20);
    dut->chunk_ready = 1;
    dut.Tick();
    dut->start_valid = 0;
    while (dut->chunk_valid != 0) dut.Tick();
    const auto rests = chunk();
    for (int cycle = 0; cycle < 10; ++cycle) {
      Set(dut->start_row, rng() % 0x10000);
      dut->start_length = rng() % 1000;
      dut->start_pixel_bytes = 1 + static_cast<std::uint32_t>(rng() % 20);
      dut.Tick();
      ASSERT_EQ(chunk(), rests) << "stream " << stream << " cycle " << cycle;
    }
  }
}

// The length's top bit says that there are more bytes than addresses. What is below means nothing,
// and no pixel is the last.
TYPED_TEST(ChunkWalker, AStreamOfMoreBytesThanThereAreAddressesHasNoEnd) {
  for (std::uint64_t below = 0; below < 40; ++below) {
    typename TypeParam::Dut dut(7);
    dut->start_valid = dut->chunk_ready = 0;
    dut.Reset();
    dut->start_valid = 1;
    dut->start_length = std::uint64_t{1} << (TypeParam::kLengthBits - 1) | below;
    Set(dut->start_row, 0);
    Set(dut->start_plane_stride, 1);
    dut->start_pixel_bytes = 10;
    Set(dut->start_pixel_stride, 3);
    dut->start_single = 0;
    dut->start_more = 0;
    dut->start_beyond = 0;
    dut.Tick();
    dut->start_valid = 0;
    dut->chunk_ready = 1;
    std::uint64_t bytes = 0;
    for (int chunk = 0; chunk < 60; ++chunk) {
      ASSERT_EQ(dut->chunk_valid, 1) << below;
      ASSERT_EQ(dut->chunk_last, 0) << below;
      bytes += dut->chunk_length;
      const std::uint64_t of_pixel = bytes % 10;
      ASSERT_TRUE(of_pixel == 0 || of_pixel % TypeParam::kMostBytes == 0) << below;
      dut.Tick();
    }
  }
}

// ---- tpu_dma_bursts
// ------------------------------------------------------------------------------

struct Burst {
  std::uint64_t addr;
  std::uint32_t len;
  std::uint32_t first;
  std::uint32_t end;
  bool last;
  bool range;
};

struct Transfer {
  std::uint64_t addr;
  std::uint64_t bytes;
  std::uint32_t rows;
  std::uint32_t stride;
};

std::vector<Burst> BurstsOf(const Transfer& t, std::uint32_t beat_bytes, unsigned addr_width) {
  std::vector<Burst> bursts;
  const std::uint32_t window = 32 * beat_bytes;
  for (std::uint32_t row = 0; row < t.rows; ++row) {
    Wide addr = Wide{t.addr} + Wide{row} * t.stride;
    for (std::uint64_t left = t.bytes; left > 0;) {
      if (addr >> addr_width != 0) {
        bursts.push_back({.addr = 0, .len = 0, .first = 0, .end = 0, .last = true, .range = true});
        return bursts;
      }
      const auto position = static_cast<std::uint32_t>(addr % window);
      const std::uint64_t length = std::min<std::uint64_t>(left, window - position);
      const auto end = static_cast<std::uint32_t>(position + length - 1);
      left -= length;
      bursts.push_back({.addr = static_cast<std::uint64_t>(addr - position % beat_bytes),
                        .len = end / beat_bytes - position / beat_bytes,
                        .first = position % beat_bytes,
                        .end = end % beat_bytes,
                        .last = left == 0 && row + 1 == t.rows,
                        .range = false});
      addr += length;
    }
  }
  return bursts;
}

template <typename Model, std::uint32_t kDataWidth, unsigned kAddrBits>
struct Bus {
  using Dut = tb::Dut<Model>;
  static constexpr std::uint32_t kBeatBytes = kDataWidth / 8;
  static constexpr unsigned kAddrWidth = kAddrBits;
};

/// Assigns what has one bit more than an address, which says that the value is none.
template <typename Port>
void SetLength(Port& port, std::uint64_t value, unsigned addr_width) {
  if constexpr (std::is_integral_v<Port>) {
    const std::uint64_t top = std::uint64_t{1} << addr_width;
    port = static_cast<Port>(value < top ? value : top | (value & (top - 1)));
  } else {
    port[0] = static_cast<std::uint32_t>(value);
    port[1] = static_cast<std::uint32_t>(value >> 32);
    port[2] = 0;
  }
}

template <typename B>
class DmaBursts : public ::testing::Test {};
using Buses = ::testing::Types<Bus<Vdma_bursts_32_32, 32, 32>, Bus<Vdma_bursts_128_40, 128, 40>,
                               Bus<Vdma_bursts_512_64, 512, 64>>;
TYPED_TEST_SUITE(DmaBursts, Buses);

template <typename B>
Transfer DrawTransfer(std::mt19937_64& rng) {
  const auto draw = [&rng](std::uint64_t below) { return rng() % below; };
  constexpr std::uint64_t kWindow = 32 * B::kBeatBytes;
  constexpr std::uint64_t kTop = ~std::uint64_t{0} >> (64 - B::kAddrWidth);
  Transfer t = {.addr = rng() & kTop,
                .bytes = 1 + draw(draw(4) == 0 ? 4 * kWindow : 3 * B::kBeatBytes),
                .rows = 1 + static_cast<std::uint32_t>(draw(draw(4) == 0 ? 20 : 3)),
                .stride = static_cast<std::uint32_t>(draw(2) == 0 ? rng() : draw(2 * kWindow))};
  if (draw(4) == 0) t.bytes = B::kBeatBytes * (1 + draw(40));
  if (draw(4) == 0) t.addr &= ~(kWindow - 1);
  // The end of the address space, and behind it.
  if (draw(12) == 0) t.addr = kTop - draw(3 * kWindow);
  if (draw(12) == 0 && B::kAddrWidth < 64) t.addr = (kTop + 1) << draw(64 - B::kAddrWidth);
  // More bytes than there are addresses: as many as the address space has left.
  if (draw(12) == 0 && B::kAddrWidth < 64) {
    t.addr = kTop - draw(3 * kWindow);
    t.bytes = kTop + 1 + draw(4 * kWindow);
  }
  // Nearly as many: the last byte would lie in front of the first one.
  if (draw(12) == 0) {
    t.addr = kTop - draw(3 * kWindow);
    t.bytes = kTop - draw(kWindow);
  }
  return t;
}

TYPED_TEST(DmaBursts, GiveABurstPerCycleUpToTheEndOfTheAddressSpace) {
  constexpr std::uint64_t kSeed = 6;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  std::mt19937_64 rng(kSeed);
  const auto draw = [&rng](std::uint64_t below) { return rng() % below; };
  typename TypeParam::Dut dut(kSeed);
  std::vector<Burst> bursts;
  std::size_t at = 0;
  // A command comes one cycle before its first row is loaded.
  bool loaded = false;
  bool dead = false;
  const auto reset = [&] {
    dut->cmd_valid = dut->burst_ready = dut->stop = 0;
    dut.Reset();
    bursts.clear();
    at = 0;
    dead = false;
  };
  reset();
  for (int cycle = 0; cycle < 40000; ++cycle) {
    if (dead && draw(16) == 0) reset();
    const auto transfer = DrawTransfer<TypeParam>(rng);
    dut->cmd_valid = draw(4) != 0 ? 1 : 0;
    SetLength(dut->cmd_addr, transfer.addr, TypeParam::kAddrWidth);
    SetLength(dut->cmd_span, transfer.bytes - 1, TypeParam::kAddrWidth);
    dut->cmd_more = transfer.rows - 1;
    dut->cmd_stride = transfer.stride;
    dut->burst_ready = draw(4) != 0 ? 1 : 0;
    dut->stop = draw(8) == 0 ? 1 : 0;
    dut.Eval();

    const bool active = at < bursts.size();
    ASSERT_EQ(dut->burst_valid != 0, active && loaded && dut->stop == 0) << "cycle " << cycle;
    ASSERT_EQ(dut->cmd_ready != 0, !active && !dead) << "cycle " << cycle;
    if (dut->burst_valid != 0) {
      const Burst& burst = bursts[at];
      ASSERT_EQ(dut->burst_range != 0, burst.range) << "cycle " << cycle;
      if (!burst.range) {
        ASSERT_EQ(dut->burst_addr, burst.addr) << "cycle " << cycle;
        ASSERT_EQ(dut->burst_len, burst.len) << "cycle " << cycle;
        ASSERT_EQ(dut->burst_first, burst.first) << "cycle " << cycle;
        ASSERT_EQ(dut->burst_end, burst.end) << "cycle " << cycle;
        ASSERT_EQ(dut->burst_last != 0, burst.last) << "cycle " << cycle;
      }
      if (dut->burst_ready != 0) {
        dead = burst.range;
        ++at;
      }
    }
    loaded = active;
    if (dut->cmd_valid != 0 && dut->cmd_ready != 0) {
      bursts = BurstsOf(transfer, TypeParam::kBeatBytes, TypeParam::kAddrWidth);
      at = 0;
    }
    dut.Tick();
  }
}

}  // namespace
}  // namespace tpu
