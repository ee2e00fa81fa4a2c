// SPDX-License-Identifier: Apache-2.0
// LOAD, STORE (docs/isa.md, 4 and 5) and the memory behind the bus.
#include <algorithm>
#include <array>
#include <bit>

#include "golden/execute.h"
#include "golden/numbers.h"

namespace tpu::golden {
namespace {

/// Where `size` bytes at `address` lie in memory; Fault when some do not exist.
std::size_t MemoryOffset(const State& state, std::uint64_t address, std::size_t size,
                         isa::ErrorCode missing) {
  const unsigned width = state.config.axi_addr_width;
  const std::uint64_t last = address + size - 1;
  if (last < address || (width < 64 && (last >> width) != 0)) {
    throw Fault(isa::ErrorCode::kAddrRange,
                fmt::format("memory address 0x{:x} needs more than {} bits",
                            std::max(address, last), width));
  }
  if (last >= state.memory.size()) {
    throw Fault(missing, fmt::format("no memory at 0x{:x}, it has {} bytes",
                                     std::max<std::uint64_t>(address, state.memory.size()),
                                     state.memory.size()));
  }
  return static_cast<std::size_t>(address);
}

/// The rows of a LOAD or STORE in memory as one stream of bytes.
class RowStream {
 public:
  template <typename Transfer>
  RowStream(State& state, const Transfer& transfer)
      : state_(state),
        row_address_(transfer.dram_addr),
        row_bytes_(transfer.row_bytes),
        row_stride_(transfer.row_stride),
        remaining_(std::uint64_t{transfer.rows} * transfer.row_bytes),
        too_long_(state.config.axi_addr_width < 64 &&
                  ((remaining_ - 1) >> state.config.axi_addr_width) != 0 &&
                  row_stride_ != row_bytes_) {}

  [[nodiscard]] std::uint64_t remaining() const { return remaining_; }

  void Read(std::span<std::uint8_t> bytes) {
    ForEachPiece(bytes, [this](std::uint64_t address, std::span<std::uint8_t> piece) {
      ReadMemory(state_, address, piece);
    });
  }

  void Write(std::span<const std::uint8_t> bytes) {
    ForEachPiece(bytes, [this](std::uint64_t address, std::span<const std::uint8_t> piece) {
      WriteMemory(state_, address, piece);
    });
  }

 private:
  /// Cuts `bytes`, which pass through the stream next, where a row in memory ends.
  template <typename T, typename Function>
  void ForEachPiece(std::span<T> bytes, Function function) {
    if (too_long_) {
      throw Fault(isa::ErrorCode::kAddrRange,
                  fmt::format("a stream of {} bytes, {} bits of address", remaining_,
                              state_.config.axi_addr_width));
    }
    remaining_ -= bytes.size();
    while (!bytes.empty()) {
      const std::size_t size = std::min<std::size_t>(bytes.size(), row_bytes_ - offset_);
      function(row_address_ + offset_, bytes.first(size));
      bytes = bytes.subspan(size);
      offset_ += size;
      if (offset_ == row_bytes_) {
        offset_ = 0;
        row_address_ += row_stride_;
      }
    }
  }

  State& state_;
  std::uint64_t row_address_;
  std::uint64_t row_bytes_;
  std::uint64_t row_stride_;
  std::uint64_t remaining_;
  bool too_long_;  // Rows that overlap, of more bytes than there are addresses.
  std::uint64_t offset_ = 0;
};

std::uint64_t RowBytes(const State& state) {
  return static_cast<std::uint64_t>(isa::RowBytes(state.config));
}

/// Calls function(first UB row, bytes) for the chunks of N numbers into which `stream` is cut,
/// pixel by pixel.
template <typename Transfer, typename Function>
void ForEachChunk(const Transfer& transfer, const RowStream& stream, std::uint64_t row_bytes,
                  Function function) {
  const std::uint64_t chunk_bytes =
      static_cast<std::uint64_t>(isa::BytesOf(transfer.format)) * row_bytes;
  for (std::int64_t pixel = 0; stream.remaining() > 0; ++pixel) {
    std::uint64_t pixel_left = std::min<std::uint64_t>(transfer.pixel_bytes, stream.remaining());
    for (std::int64_t chunk = 0; pixel_left > 0; ++chunk) {
      const std::uint64_t size = std::min(pixel_left, chunk_bytes);
      const std::int64_t row = std::int64_t{transfer.row} +
                               chunk * std::int64_t{transfer.plane_stride} +
                               pixel * std::int64_t{transfer.pixel_stride};
      function(row, static_cast<std::size_t>(size));
      pixel_left -= size;
    }
  }
}

void LoadUnifiedBuffer(const isa::Load& load, State& state) {
  RowStream stream(state, load);
  ForEachChunk(load, stream, RowBytes(state), [&](std::int64_t first_row, std::size_t size) {
    for (std::int64_t row = 0; row < isa::BytesOf(load.format); ++row) {
      const std::span<std::uint8_t> bytes = AsBytes(state.ub.Row(first_row + row));
      const std::size_t here = std::min(size, bytes.size());
      stream.Read(bytes.first(here));
      std::ranges::fill(bytes.subspan(here), std::uint8_t{0});
      size -= here;
    }
  });
}

/// Copies chunk number `part` of N little-endian bytes into a row of N words.
void SetPart(std::span<std::int32_t> row, std::size_t part, std::span<const std::uint8_t> chunk) {
  constexpr std::size_t kBytes = isa::kFormatOf<std::int32_t>.Bytes();
  const std::size_t size = row.size() / kBytes;
  const std::span<std::int32_t> words = row.subspan(part * size, size);
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::uint32_t word = 0;
    for (std::size_t b = 0; b < kBytes; ++b) {
      word |= static_cast<std::uint32_t>(chunk[kBytes * i + b]) << (8 * b);
    }
    words[i] = std::bit_cast<std::int32_t>(word);
  }
}

void LoadParameters(const isa::Load& load, State& state) {
  constexpr std::int64_t kChunks = isa::kLaneParameterBytes;
  constexpr std::size_t kBiasChunks = isa::kBiasFormat.Bytes();
  constexpr std::size_t kMultiplierChunks = isa::kMultiplierFormat.Bytes();
  RowStream stream(state, load);
  std::vector<std::uint8_t> bytes(state.config.n);
  for (std::int64_t chunk = 0; stream.remaining() > 0; ++chunk) {
    const std::int64_t entry = std::int64_t{load.row} + chunk / kChunks;
    const auto part = static_cast<std::size_t>(chunk % kChunks);
    const std::span<isa::Shift> shift = state.shift.Row(entry);
    std::ranges::fill(bytes, std::uint8_t{0});
    stream.Read(std::span(bytes).first(
        static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), stream.remaining()))));
    if (part < kBiasChunks) {
      SetPart(state.bias.Row(entry), part, bytes);
    } else if (part < kBiasChunks + kMultiplierChunks) {
      SetPart(state.multiplier.Row(entry), part - kBiasChunks, bytes);
    } else {
      std::ranges::copy(bytes, AsBytes(shift).begin());
    }
  }
}

void LoadLookup(const isa::Load& load, State& state) {
  RowStream stream(state, load);
  for (std::int64_t table = load.row; stream.remaining() > 0; ++table) {
    const std::span<std::uint8_t> bytes = AsBytes(state.lut.Row(table));
    stream.Read(bytes.first(
        static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), stream.remaining()))));
  }
}

}  // namespace

void ReadMemory(const State& state, std::uint64_t address, std::span<std::uint8_t> bytes) {
  const std::size_t offset = MemoryOffset(state, address, bytes.size(), isa::ErrorCode::kBusRead);
  std::ranges::copy(std::span(state.memory).subspan(offset, bytes.size()), bytes.begin());
}

void WriteMemory(State& state, std::uint64_t address, std::span<const std::uint8_t> bytes) {
  const std::size_t offset = MemoryOffset(state, address, bytes.size(), isa::ErrorCode::kBusWrite);
  std::ranges::copy(bytes, std::span(state.memory).subspan(offset).begin());
}

void Execute(const isa::Load& load, State& state) {
  switch (load.destination) {
    case isa::LoadDestination::kUnifiedBuffer:
      return LoadUnifiedBuffer(load, state);
    case isa::LoadDestination::kParameters:
      return LoadParameters(load, state);
    case isa::LoadDestination::kLookup:
      return LoadLookup(load, state);
  }
}

void Execute(const isa::Store& store, State& state) {
  RowStream stream(state, store);
  ForEachChunk(store, stream, RowBytes(state), [&](std::int64_t row, std::size_t size) {
    for (; size > 0; ++row) {
      const std::span<std::uint8_t> bytes = AsBytes(state.ub.Row(row));
      const std::size_t here = std::min(size, bytes.size());
      stream.Write(bytes.first(here));
      size -= here;
    }
  });
}

}  // namespace tpu::golden
