// SPDX-License-Identifier: Apache-2.0
// A serial line at another computer, which TcpServer serves there.
#pragma once

#include <string>

#include "link/descriptor_wire.h"

namespace tpu::link {

class TcpClient final : public DescriptorWire {
 public:
  /// Connects, shows the token, and waits until the line is free. Throws tpu::Error when there is
  /// no server, or it does not take the token.
  TcpClient(const std::string& host, const std::string& port, const std::string& token);

 private:
  void Begin(const std::string& token);
};

}  // namespace tpu::link
