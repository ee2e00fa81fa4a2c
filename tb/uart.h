// SPDX-License-Identifier: Apache-2.0
// The other end of a serial line: bytes to the levels of a pin and back, one call a clock cycle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

namespace tpu::tb {

/// Drives a receiver's pin.
class UartDriver {
 public:
  explicit UartDriver(unsigned bit_cycles) : bit_cycles_(bit_cycles) {}

  void Send(std::uint8_t byte) { bytes_.push_back(byte); }
  /// Bytes that have not begun.
  [[nodiscard]] std::size_t waiting() const { return bytes_.size(); }
  /// The line is high and nothing waits.
  [[nodiscard]] bool Idle() const { return bits_ == 0 && bytes_.empty(); }

  /// The pin's level in the next cycle.
  bool Next() {
    if (bits_ == 0) {
      if (bytes_.empty()) return true;
      shift_ = 0x200U | static_cast<unsigned>(bytes_.front()) << 1;
      bytes_.pop_front();
      bits_ = 10;
      cycle_ = 0;
    }
    const bool level = (shift_ & 1U) != 0;
    if (++cycle_ == bit_cycles_) {
      cycle_ = 0;
      shift_ >>= 1;
      --bits_;
    }
    return level;
  }

 private:
  unsigned bit_cycles_;
  std::deque<std::uint8_t> bytes_;
  unsigned shift_ = 0;
  unsigned bits_ = 0;
  unsigned cycle_ = 0;
};

/// Watches a transmitter's pin.
class UartMonitor {
 public:
  explicit UartMonitor(unsigned bit_cycles) : bit_cycles_(bit_cycles) {}

  /// Takes the pin's level of one cycle. Returns a byte in the middle of its stop bit.
  std::optional<std::uint8_t> Take(bool level) {
    if (!busy_) {
      if (level) return std::nullopt;
      busy_ = true;
      bit_ = 0;
      until_ = bit_cycles_ / 2;
    }
    if (until_-- != 0) return std::nullopt;
    until_ = bit_cycles_ - 1;
    shift_ = shift_ >> 1 | (level ? 0x200U : 0U);
    if (++bit_ < 10) return std::nullopt;
    busy_ = false;
    // A stop bit that is low, and a start bit that is high, are no byte.
    if ((shift_ & 0x201U) != 0x200U) return std::nullopt;
    return static_cast<std::uint8_t>(shift_ >> 1);
  }

 private:
  unsigned bit_cycles_;
  bool busy_ = false;
  unsigned bit_ = 0;
  unsigned until_ = 0;
  unsigned shift_ = 0;
};

}  // namespace tpu::tb
