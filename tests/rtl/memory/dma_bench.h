// SPDX-License-Identifier: Apache-2.0
// What the tests of load, weights and store share: instructions on the command port, the read
// client interface as an AXI port, and docs/isa.md's cutting of byte streams, written as directly
// as possible.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "isa/element_format.h"
#include "isa/encoding.h"
#include "isa/instruction.h"
#include "tb/axi_memory.h"
#include "tb/axi_protocol_checker.h"
#include "tb/dut.h"

namespace tpu {

/// ar_* and r_* of a model under the names of an AXI4 master.
template <typename Model>
struct ReadClientPorts {
  explicit ReadClientPorts(Model& m)
      : m_axi_arvalid(m.ar_valid),
        m_axi_arready(m.ar_ready),
        m_axi_araddr(m.ar_addr),
        m_axi_arlen(m.ar_len),
        m_axi_rvalid(m.r_valid),
        m_axi_rdata(m.r_data),
        m_axi_rresp(m.r_resp),
        m_axi_rlast(m.r_last) {}

  decltype(Model::ar_valid) m_axi_arvalid;
  decltype(Model::ar_ready) m_axi_arready;
  decltype(Model::ar_addr) m_axi_araddr;
  decltype(Model::ar_len) m_axi_arlen;
  std::uint8_t m_axi_arsize = std::countr_zero(sizeof(Model::r_data));
  std::uint8_t m_axi_arburst = 1;
  decltype(Model::r_valid) m_axi_rvalid;
  decltype(Model::r_data) m_axi_rdata;
  decltype(Model::r_resp) m_axi_rresp;
  decltype(Model::r_last) m_axi_rlast;
  std::uint8_t m_axi_rready = 1;
};

template <typename Port>
void SetCommand(Port& port, const isa::Instruction& instruction) {
  std::vector<std::uint8_t> bytes;
  isa::Encode(instruction, bytes);
  tb::SetPortBytes(port, bytes.data());
}

template <typename Port>
std::vector<std::uint8_t> PortBytes(const Port& port, std::size_t n) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&port);
  return {bytes, bytes + n};
}

inline std::vector<std::uint8_t> RandomBytes(std::size_t n, std::mt19937_64& rng) {
  std::vector<std::uint8_t> bytes(n);
  for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(rng());
  return bytes;
}

inline std::uint32_t Uniform(std::mt19937_64& rng, std::uint32_t low, std::uint32_t high) {
  return std::uniform_int_distribution<std::uint32_t>(low, high)(rng);
}

/// Address of a random page from which on `bytes` bytes lie below 2^address_bits.
inline std::uint64_t RandomPage(std::mt19937_64& rng, unsigned address_bits, std::uint64_t bytes) {
  constexpr std::uint64_t kPage = 4096;
  return rng() % (((std::uint64_t{1} << address_bits) - bytes) / kPage + 1) * kPage;
}

/// Memory address of every byte of a LOAD's or STORE's stream.
template <typename Transfer>
std::vector<std::uint64_t> StreamAddresses(const Transfer& t) {
  std::vector<std::uint64_t> addresses;
  for (std::uint64_t r = 0; r < t.rows; ++r) {
    for (std::uint64_t b = 0; b < t.row_bytes; ++b) {
      addresses.push_back(t.dram_addr + r * t.row_stride + b);
    }
  }
  return addresses;
}

/// Bytes begin .. end - 1 of the stream in row `row` of the memory on the chip; the index-th chunk
/// of its pixel.
struct Chunk {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint32_t row;
  std::uint32_t index;
};

inline std::vector<Chunk> CutChunks(std::uint64_t total, std::uint64_t pixel_bytes,
                                    std::uint64_t chunk_bytes, std::uint64_t row,
                                    std::uint64_t plane_stride, std::uint64_t pixel_stride) {
  std::vector<Chunk> chunks;
  for (std::uint64_t p = 0; p * pixel_bytes < total; ++p) {
    const std::uint64_t pixel_end = std::min(total, (p + 1) * pixel_bytes);
    std::uint32_t c = 0;
    for (std::uint64_t begin = p * pixel_bytes; begin < pixel_end; begin += chunk_bytes, ++c) {
      const std::uint64_t at = (row + c * plane_stride + p * pixel_stride) & 0xFFFFF;
      chunks.push_back(
          {begin, std::min(pixel_end, begin + chunk_bytes), static_cast<std::uint32_t>(at), c});
    }
  }
  return chunks;
}

/// Which rows of N bytes a transfer to or from the unified buffer uses: those of which it needs
/// bytes, or, as LOAD does, all rows of each chunk (docs/isa.md, 10.2).
template <typename Transfer>
std::vector<Chunk> CutRows(const Transfer& t, std::uint64_t n, bool whole) {
  const auto number_bytes = static_cast<std::uint64_t>(isa::BytesOf(t.format));
  std::vector<Chunk> rows;
  for (const Chunk& chunk : CutChunks(std::uint64_t{t.rows} * t.row_bytes, t.pixel_bytes,
                                      n * number_bytes, t.row, t.plane_stride, t.pixel_stride)) {
    for (std::uint32_t e = 0; e < number_bytes; ++e) {
      const std::uint64_t begin = std::min(chunk.end, chunk.begin + e * n);
      if (begin == chunk.end && !whole) break;
      rows.push_back({begin, std::min(chunk.end, begin + n), (chunk.row + e) & 0xFFFFF, 0});
    }
  }
  return rows;
}

/// Row shapes of all kinds with at most `max_bytes` bytes in all, inside `memory_bytes`, often next
/// to a 4 KiB boundary.
template <typename Transfer>
void RandomRows(Transfer& t, std::mt19937_64& rng, std::uint32_t max_bytes,
                std::uint32_t memory_bytes) {
  switch (Uniform(rng, 0, 3)) {
    case 0:
      t.row_bytes = Uniform(rng, 1, 20);
      break;
    case 1:
      t.row_bytes = 16 * Uniform(rng, 1, 8);
      break;
    case 2:
      t.row_bytes = Uniform(rng, 1, max_bytes);
      break;
    default:
      t.row_bytes = Uniform(rng, 1, 300);
      break;
  }
  t.rows = Uniform(rng, 1, std::min(40U, max_bytes / t.row_bytes));
  switch (Uniform(rng, 0, 3)) {
    case 0:
      t.row_stride = t.row_bytes;
      break;
    case 1:
      t.row_stride = t.row_bytes + Uniform(rng, 0, 100);
      break;
    case 2:
      t.row_stride = Uniform(rng, 0, 64);
      break;
    default:
      t.row_stride = 4096;
      break;
  }
  const std::uint64_t span = std::uint64_t{t.rows - 1} * t.row_stride + t.row_bytes;
  if (span + 8192 > memory_bytes) {
    t.rows = 1;
  }
  const std::uint32_t room = static_cast<std::uint32_t>(
      memory_bytes - (std::uint64_t{t.rows - 1} * t.row_stride + t.row_bytes));
  if (Uniform(rng, 0, 1) == 0) {
    const std::uint32_t page = Uniform(rng, 0, room / 4096) * 4096;
    t.dram_addr = std::min(room, page + Uniform(rng, 0, 140) - std::min(page, 70U));
  } else {
    t.dram_addr = Uniform(rng, 0, room);
  }
}

/// Any legal values, but for a memory address, or a length, of more than `address_bits` bits.
template <typename Transfer>
Transfer RandomHugeTransfer(std::mt19937_64& rng, unsigned address_bits) {
  Transfer t;
  t.dram_addr = (rng() & 0x7FFF'FFFF'FFFF'FFFFU) | std::uint64_t{1}
                                                       << Uniform(rng, address_bits, 62);
  t.rows = Uniform(rng, 1, 0xFFFFFFFF);
  t.row_bytes = Uniform(rng, 1, 0xFFFFFFFF);
  t.row_stride = Uniform(rng, 0, 0xFFFFFFFF);
  if (Uniform(rng, 0, 1) == 0) {
    // Inside the address space, but rows that overlap have more bytes than there are addresses.
    t.dram_addr = Uniform(rng, 0, 0xFFFF);
    t.rows |= 0x8000'0000U;
    t.row_bytes |= 0x8000U;
    t.row_stride = Uniform(rng, 0, 0x7FFF);
  }
  t.row = Uniform(rng, 0, 0xFFFF);
  t.plane_stride = Uniform(rng, 0, 0xFFFF);
  t.pixel_bytes = Uniform(rng, 1, 0xFFFFFF);
  t.pixel_stride = Uniform(rng, 0, 0xFFFF);
  return t;
}

/// Pixel and plane fields of all kinds, formats if the machine has them; rows stay below `ub_rows`.
template <typename Transfer>
void RandomPixels(Transfer& t, std::mt19937_64& rng, std::uint32_t n, std::uint32_t ub_rows,
                  bool bf16 = false) {
  for (;;) {
    t.format = static_cast<isa::NumberFormat>(bf16 ? Uniform(rng, 0, 2) : 0);
    const std::uint32_t chunk = n * static_cast<std::uint32_t>(isa::BytesOf(t.format));
    switch (Uniform(rng, 0, 3)) {
      case 0:
        t.pixel_bytes = chunk * Uniform(rng, 1, 4);
        break;
      case 1:
        t.pixel_bytes = Uniform(rng, 1, 3 * chunk);
        break;
      case 2:
        t.pixel_bytes = Uniform(rng, 1, 8);
        break;
      default:
        t.pixel_bytes = 0xFFFFFF;
        break;
    }
    t.row = Uniform(rng, 0, ub_rows - 1);
    t.plane_stride = Uniform(rng, 0, 3) == 0 ? Uniform(rng, 0, ub_rows / 4) : Uniform(rng, 0, 2);
    t.pixel_stride = Uniform(rng, 0, 3) == 0 ? Uniform(rng, 0, 9) : Uniform(rng, 0, 2);
    const auto rows = CutRows(t, n, true);
    if (std::all_of(rows.begin(), rows.end(), [&](const Chunk& c) { return c.row < ub_rows; })) {
      return;
    }
  }
}

/// Stalls of all channels by the same probability.
inline tb::AxiStalls StallAll(double p) { return {p, p, p, p, p}; }

}  // namespace tpu
