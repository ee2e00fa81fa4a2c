// SPDX-License-Identifier: Apache-2.0
// A serial line for clients at other computers, one at a time.
#pragma once

#include <string>

#include "link/descriptor_wire.h"

namespace tpu::link {

class TcpServer {
 public:
  /// Listens at an address of this computer; port 0 is any that is free. Throws tpu::Error.
  TcpServer(const std::string& address, unsigned port, std::string token);
  TcpServer(const TcpServer&) = delete;
  TcpServer& operator=(const TcpServer&) = delete;
  ~TcpServer();

  [[nodiscard]] unsigned port() const { return port_; }

  /// Waits for a client, and carries bytes between it and the line while it shows the token first
  /// and until it leaves. Returns why it left. Throws tpu::Error when nobody can be waited for.
  std::string ServeOne(DescriptorWire& line);

 private:
  int listener_;
  unsigned port_ = 0;
  std::string token_;
};

/// A token that nobody guesses: 128 random bits as text.
std::string RandomToken();

}  // namespace tpu::link
