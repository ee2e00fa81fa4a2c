// SPDX-License-Identifier: Apache-2.0
// An SDR SDRAM of 16 bits, 32 MiB (MT48LC16M16): what a ULX3S has at its pins.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tpu::sim {

/// Follows the commands of its data sheet for bursts of one word. What a design may not do (a read
/// of a closed row, a command before its mode is set) throws tpu::Error; times are not checked.
class Sdram {
 public:
  /// Inputs, as they are at a rising edge of its clock.
  struct Pins {
    bool cke, cs_n, ras_n, cas_n, we_n;
    std::uint8_t dm;  ///< A bit for each byte.
    std::uint8_t ba;
    std::uint16_t a;
    std::uint16_t dq;
    std::uint16_t dq_off;  ///< Bits that nobody drives.
  };

  Sdram() : words_(kBanks * kRows * kColumns) {}

  /// A rising edge of its clock. Returns what it drives from then on; noise where it drives
  /// nothing.
  std::uint16_t Clock(const Pins& pins);

 private:
  static constexpr std::size_t kBanks = 4;
  static constexpr std::size_t kRows = 8192;
  static constexpr std::size_t kColumns = 512;
  static constexpr int kClosed = -1;
  static constexpr unsigned kMostLatency = 3;
  // DM at an edge keeps what would be driven behind the next one.
  static constexpr unsigned kMaskLatency = 2;

  struct Read {
    bool valid = false;
    std::uint16_t word = 0;
  };

  void Do(const Pins& pins);
  std::uint16_t& Word(const Pins& pins);
  std::uint16_t Noise();

  std::vector<std::uint16_t> words_;
  std::array<int, kBanks> open_row_{kClosed, kClosed, kClosed, kClosed};
  unsigned latency_ = 0;                     // Of a read; 0: the mode is not set.
  std::array<Read, kMostLatency> coming_{};  // What is driven behind this edge, the next one ...
  std::uint32_t noise_ = 1;
};

}  // namespace tpu::sim
