// SPDX-License-Identifier: Apache-2.0
// Bytes to a board and from it, of which some may be lost or damaged.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace tpu::link {

class Wire {
 public:
  Wire() = default;
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;
  virtual ~Wire() = default;

  /// Throws tpu::Error when the other end is gone.
  virtual void Send(std::span<const std::uint8_t> bytes) = 0;
  /// Waits until there are bytes, but no longer than this. Returns how many were put into `bytes`.
  /// Throws tpu::Error when the other end is gone.
  virtual std::size_t Receive(std::span<std::uint8_t> bytes, std::chrono::milliseconds most) = 0;

  /// For messages: "/dev/ttyUSB0".
  [[nodiscard]] virtual std::string Name() const = 0;
  /// What the wire carries in each direction.
  [[nodiscard]] virtual unsigned BytesPerSecond() const = 0;
};

}  // namespace tpu::link
