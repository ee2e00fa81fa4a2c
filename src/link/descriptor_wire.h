// SPDX-License-Identifier: Apache-2.0
// A file descriptor of the system as a wire.
#pragma once

#include "link/wire.h"

namespace tpu::link {

class DescriptorWire : public Wire {
 public:
  /// Takes over an open terminal or socket, and makes it non-blocking.
  DescriptorWire(std::string name, int descriptor, unsigned bytes_per_second);
  DescriptorWire(const DescriptorWire&) = delete;
  DescriptorWire& operator=(const DescriptorWire&) = delete;
  ~DescriptorWire() override;

  void Send(std::span<const std::uint8_t> bytes) override;
  std::size_t Receive(std::span<std::uint8_t> bytes, std::chrono::milliseconds most) override;
  [[nodiscard]] std::string Name() const override { return name_; }
  [[nodiscard]] unsigned BytesPerSecond() const override { return bytes_per_second_; }

  [[nodiscard]] int descriptor() const { return descriptor_; }

 protected:
  void SetBytesPerSecond(unsigned bytes_per_second) { bytes_per_second_ = bytes_per_second; }

 private:
  std::string name_;
  int descriptor_;
  unsigned bytes_per_second_;
};

/// What the system says of an error number.
std::string Reason(int error);

/// Carries bytes in both directions until one of the two is gone; throws tpu::Error then.
[[noreturn]] void Relay(DescriptorWire& one, DescriptorWire& other);

}  // namespace tpu::link
