// SPDX-License-Identifier: Apache-2.0
#include "link/tcp_server.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <random>
#include <utility>

#include "base/error.h"

namespace tpu::link {
namespace {

// A client shows its token at once, and must not keep others waiting otherwise.
constexpr std::chrono::milliseconds kTokenTime{5'000};

// Takes as long for any wrong token of the right length.
bool IsSame(const std::string& one, const std::string& other) {
  if (one.size() != other.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    difference |= static_cast<unsigned char>(one[i]) ^ static_cast<unsigned char>(other[i]);
  }
  return difference == 0;
}

// The first line that the client sends, at most one byte longer than the token.
std::string ReadToken(DescriptorWire& client, std::size_t longest) {
  const auto until = std::chrono::steady_clock::now() + kTokenTime;
  std::string line;
  while (line.size() <= longest) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        until - std::chrono::steady_clock::now());
    std::uint8_t byte = 0;
    if (left.count() <= 0 || client.Receive(std::span(&byte, 1), left) == 0) break;
    if (byte == '\n') return line;
    line += static_cast<char>(byte);
  }
  return {};
}

}  // namespace

TcpServer::TcpServer(const std::string& address, unsigned port, std::string token)
    : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), token_(std::move(token)) {
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_port = htons(static_cast<std::uint16_t>(port));
  const int yes = 1;
  socklen_t length = sizeof(here);
  setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  if (inet_pton(AF_INET, address.c_str(), &here.sin_addr) != 1 ||
      bind(listener_, reinterpret_cast<const sockaddr*>(&here), sizeof(here)) != 0 ||
      listen(listener_, 1) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&here), &length) != 0) {
    const std::string reason = Reason(errno);
    close(listener_);
    throw Error::Format("{}:{}: cannot be listened at: {}", address, port, reason);
  }
  port_ = ntohs(here.sin_port);
}

TcpServer::~TcpServer() { close(listener_); }

std::string TcpServer::ServeOne(DescriptorWire& line) {
  const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (connection < 0) throw Error::Format("port {}: {}", port_, Reason(errno));
  const int yes = 1;
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  DescriptorWire client("the client", connection, line.BytesPerSecond());
  try {
    if (!IsSame(ReadToken(client, token_.size()), token_)) return "the client has not the token";
    const std::string greeting = fmt::format("{}\n", line.BytesPerSecond());
    client.Send(std::span(reinterpret_cast<const std::uint8_t*>(greeting.data()), greeting.size()));
    Relay(client, line);
  } catch (const Error& error) {
    return error.what();
  }
}

std::string RandomToken() {
  std::random_device random;
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", static_cast<std::uint32_t>(random()));
  return token;
}

}  // namespace tpu::link
