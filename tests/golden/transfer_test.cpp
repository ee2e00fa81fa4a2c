// SPDX-License-Identifier: Apache-2.0
// LOAD and STORE against descriptions that place one byte of the stream at a time.
#include <gtest/gtest.h>

#include "machine_tester.h"

namespace tpu::golden {
namespace {

/// The bytes a LOAD reads.
std::vector<std::uint8_t> Stream(const isa::Load& load, const std::vector<std::uint8_t>& memory) {
  std::vector<std::uint8_t> stream;
  for (std::uint64_t r = 0; r < load.rows; ++r) {
    for (std::uint64_t b = 0; b < load.row_bytes; ++b) {
      stream.push_back(memory[load.dram_addr + r * load.row_stride + b]);
    }
  }
  return stream;
}

std::size_t NumberBytes(isa::NumberFormat format) {
  constexpr std::size_t kBytes[] = {1, 2, 4};
  return kBytes[static_cast<std::size_t>(format)];
}

/// Where byte i of the stream lies in the unified buffer.
template <typename Transfer>
std::size_t UbByte(const Transfer& transfer, std::size_t i, std::size_t n) {
  const std::size_t pixel = i / transfer.pixel_bytes;
  const std::size_t channel = i % transfer.pixel_bytes;
  const std::size_t chunk = n * NumberBytes(transfer.format);
  const std::size_t row =
      transfer.row + channel / chunk * transfer.plane_stride + pixel * transfer.pixel_stride;
  return row * n + channel % chunk;
}

template <typename Transfer>
Transfer RandomTransfer(MachineTester& t) {
  Transfer transfer;
  transfer.dram_addr = t.Random<std::uint64_t>(0, 2000);
  transfer.row_bytes = t.Random<std::uint32_t>(1, 90);
  transfer.rows = t.Random<std::uint32_t>(1, 6);
  transfer.row_stride = t.Random<std::uint32_t>(0, 150);
  transfer.row = t.Random<std::uint32_t>(0, 10);
  transfer.pixel_bytes = t.Random<std::uint32_t>(3, 50);
  transfer.plane_stride = t.Random<std::uint32_t>(0, 12);
  transfer.format = static_cast<isa::NumberFormat>(t.Random<int>(0, 2));
  transfer.pixel_stride = t.Random<std::uint32_t>(0, 1);
  return transfer;
}

TEST(Load, PlacesPixelsInTheUnifiedBuffer) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const std::size_t n = seed % 2 == 0 ? 8 : 16;
    MachineTester t(static_cast<std::uint32_t>(n), seed, isa::Formats{.bf16 = true});
    const auto load = RandomTransfer<isa::Load>(t);
    std::vector<std::int8_t> expected = Copy(t.state().ub.All());
    const std::vector<std::uint8_t> stream = Stream(load, t.memory());
    for (std::size_t i = 0; i < stream.size(); ++i) {
      const std::size_t byte = UbByte(load, i, n);
      // A chunk starts by clearing its rows.
      const std::size_t chunk = n * NumberBytes(load.format);
      if (i % load.pixel_bytes % chunk == 0) {
        std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(byte), chunk, 0);
      }
      expected[byte] = static_cast<std::int8_t>(stream[i]);
    }
    t.Add(load).ExpectRuns();
    ASSERT_EQ(Copy(t.state().ub.All()), expected);
  }
}

TEST(Store, WritesTheSameLayoutBack) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const std::size_t n = seed % 2 == 0 ? 8 : 16;
    MachineTester t(static_cast<std::uint32_t>(n), seed, isa::Formats{.bf16 = true});
    const auto store = RandomTransfer<isa::Store>(t);
    std::vector<std::uint8_t> expected = t.memory();
    for (std::size_t i = 0; i < std::size_t{store.rows} * store.row_bytes; ++i) {
      expected[store.dram_addr + i / store.row_bytes * store.row_stride + i % store.row_bytes] =
          static_cast<std::uint8_t>(t.state().ub.All()[UbByte(store, i, n)]);
    }
    t.Add(store).ExpectRuns();
    expected.resize(MachineTester::kProgramAddress);
    t.memory().resize(MachineTester::kProgramAddress);
    ASSERT_EQ(t.memory(), expected);
  }
}

TEST(Load, FillsParameterEntries) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    constexpr std::size_t kN = 8, kEntry = 9 * kN, kRow = 2;
    MachineTester t(kN, seed);
    isa::Load load;
    load.destination = isa::LoadDestination::kParameters;
    load.dram_addr = t.Random<std::uint64_t>(0, 99);
    load.row_bytes = t.Random<std::uint32_t>(1, 200);
    load.rows = t.Random<std::uint32_t>(1, 4);
    load.row_stride = t.Random<std::uint32_t>(0, 300);
    load.row = kRow;
    load.pixel_bytes = 1;  // Ignored.
    std::vector<std::uint8_t> stream = Stream(load, t.memory());
    stream.resize((stream.size() + kN - 1) / kN * kN);  // A last partial chunk is zero-filled.

    std::vector<std::int32_t> bias = Copy(t.state().bias.All());
    std::vector<std::int32_t> multiplier = Copy(t.state().multiplier.All());
    std::vector<std::int8_t> shift = Copy(t.state().shift.All());
    const auto set_byte = [](std::int32_t& word, std::size_t byte, std::uint8_t value) {
      const std::uint32_t mask = 0xFFU << (8 * byte);
      const std::uint32_t kept = static_cast<std::uint32_t>(word) & ~mask;
      word = static_cast<std::int32_t>(kept | static_cast<std::uint32_t>(value) << (8 * byte));
    };
    for (std::size_t i = 0; i < stream.size(); ++i) {
      const std::size_t lane0 = (kRow + i / kEntry) * kN;
      const std::size_t offset = i % kEntry;
      if (offset < 4 * kN) {
        set_byte(bias[lane0 + offset / 4], offset % 4, stream[i]);
      } else if (offset < 8 * kN) {
        set_byte(multiplier[lane0 + offset / 4 - kN], offset % 4, stream[i]);
      } else {
        shift[lane0 + offset - 8 * kN] = static_cast<std::int8_t>(stream[i]);
      }
    }
    t.Add(load).ExpectRuns();
    ASSERT_EQ(Copy(t.state().bias.All()), bias);
    ASSERT_EQ(Copy(t.state().multiplier.All()), multiplier);
    ASSERT_EQ(Copy(t.state().shift.All()), shift);
  }
}

TEST(Load, FillsLookupTables) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    MachineTester t(16, seed);
    isa::Load load;
    load.destination = isa::LoadDestination::kLookup;
    load.dram_addr = t.Random<std::uint64_t>(0, 99);
    load.row_bytes = t.Random<std::uint32_t>(1, 400);
    load.rows = t.Random<std::uint32_t>(1, 3);
    load.row_stride = t.Random<std::uint32_t>(0, 500);
    load.row = 3;
    const std::vector<std::uint8_t> stream = Stream(load, t.memory());
    std::vector<std::int8_t> expected = Copy(t.state().lut.All());
    for (std::size_t i = 0; i < stream.size(); ++i) {
      expected[std::size_t{3} * 256 + i] = static_cast<std::int8_t>(stream[i]);
    }
    t.Add(load).ExpectRuns();
    ASSERT_EQ(Copy(t.state().lut.All()), expected);
  }
}

TEST(State, RowAddressesAreModulo2To20) {
  MachineTester t(4, 1);
  for (const std::int64_t turn : {-1, 1, 1 << 12}) {
    EXPECT_EQ(t.state().ub.Row(5 + turn * (1 << 20)).data(), t.state().ub.Row(5).data());
  }
  EXPECT_THROW(t.state().ub.Row(-1), Fault);
  EXPECT_THROW(t.state().ub.Row(t.state().config.ub_rows), Fault);
}

}  // namespace
}  // namespace tpu::golden
