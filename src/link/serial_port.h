// SPDX-License-Identifier: Apache-2.0
// A serial line of the system as a wire.
#pragma once

#include "link/wire.h"

namespace tpu::link {

class SerialPort final : public Wire {
 public:
  /// Opens a terminal device, for this process alone, without parity and with one stop bit. Throws
  /// tpu::Error naming it when it is none, is in use, or does not take the speed.
  SerialPort(std::string path, unsigned bits_per_second);
  SerialPort(const SerialPort&) = delete;
  SerialPort& operator=(const SerialPort&) = delete;
  ~SerialPort() override;

  void Send(std::span<const std::uint8_t> bytes) override;
  std::size_t Receive(std::span<std::uint8_t> bytes, std::chrono::milliseconds most) override;
  [[nodiscard]] std::string Name() const override { return path_; }
  [[nodiscard]] unsigned BytesPerSecond() const override;

 private:
  void Configure();

  std::string path_;
  unsigned bits_per_second_;
  int file_;
};

}  // namespace tpu::link
