// SPDX-License-Identifier: Apache-2.0
// A serial line of the system as a wire.
#pragma once

#include <string>

#include "link/descriptor_wire.h"

namespace tpu::link {

class SerialPort final : public DescriptorWire {
 public:
  /// Opens a terminal device, for this process alone, without parity and with one stop bit. Throws
  /// tpu::Error naming it when it is none, is in use, or does not take the speed.
  SerialPort(const std::string& path, unsigned bits_per_second);

 private:
  void Configure(unsigned bits_per_second);
};

}  // namespace tpu::link
