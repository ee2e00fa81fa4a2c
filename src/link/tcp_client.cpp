// SPDX-License-Identifier: Apache-2.0
#include "link/tcp_client.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <memory>

#include "base/error.h"

namespace tpu::link {
namespace {

// Another client may have the line for a while.
constexpr std::chrono::milliseconds kGreeting{30'000};

int Connect(const std::string& host, const std::string& port) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(host.c_str(), port.c_str(), &wanted, &found); error != 0) {
    throw Error::Format("{}:{}: {}", host, port, gai_strerror(error));
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> addresses(found, freeaddrinfo);
  int error = 0;
  for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
    const int connection =
        socket(address->ai_family, address->ai_socktype | SOCK_CLOEXEC, address->ai_protocol);
    if (connection < 0) continue;
    if (connect(connection, address->ai_addr, address->ai_addrlen) == 0) {
      const int yes = 1;
      setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
      return connection;
    }
    error = errno;
    close(connection);
  }
  throw Error::Format("{}:{}: no connection: {}", host, port, Reason(error));
}

}  // namespace

TcpClient::TcpClient(const std::string& host, const std::string& port, const std::string& token)
    : DescriptorWire(host + ":" + port, Connect(host, port), 0) {
  Begin(token);
}

// The server answers with the line's bytes per second and a line feed, or with nothing.
void TcpClient::Begin(const std::string& token) {
  const std::string line = token + "\n";
  Send(std::span(reinterpret_cast<const std::uint8_t*>(line.data()), line.size()));
  std::string greeting;
  while (!greeting.ends_with('\n') && greeting.size() < 16) {
    std::uint8_t byte = 0;
    std::size_t received = 0;
    try {
      received = Receive(std::span(&byte, 1), kGreeting);
    } catch (const Error&) {
      throw Error::Format("{}: the server did not take the token", Name());
    }
    if (received == 0) {
      throw Error::Format("{}: the server does not answer; another client may have the board",
                          Name());
    }
    greeting += static_cast<char>(byte);
  }
  unsigned bytes_per_second = 0;
  std::from_chars(greeting.data(), greeting.data() + greeting.size(), bytes_per_second);
  if (bytes_per_second == 0) throw Error::Format("{}: is no `tpu serve`", Name());
  SetBytesPerSecond(bytes_per_second);
}

}  // namespace tpu::link
