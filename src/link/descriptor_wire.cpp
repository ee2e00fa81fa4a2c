// SPDX-License-Identifier: Apache-2.0
#include "link/descriptor_wire.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace tpu::link {
namespace {

using std::chrono_literals::operator""ms;

// How long the system may take no byte before the line counts as gone.
constexpr int kSendMilliseconds = 10'000;

// A socket whose other end is gone must not end the program by a signal.
ssize_t Write(int descriptor, std::span<const std::uint8_t> bytes) {
  const ssize_t sent = send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent >= 0 || errno != ENOTSOCK) return sent;
  return write(descriptor, bytes.data(), bytes.size());
}

}  // namespace

std::string Reason(int error) { return std::generic_category().message(error); }

DescriptorWire::DescriptorWire(std::string name, int descriptor, unsigned bytes_per_second)
    : name_(std::move(name)), descriptor_(descriptor), bytes_per_second_(bytes_per_second) {
  fcntl(descriptor_, F_SETFL, fcntl(descriptor_, F_GETFL) | O_NONBLOCK);
}

DescriptorWire::~DescriptorWire() { close(descriptor_); }

void DescriptorWire::Send(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = Write(descriptor_, bytes);
    if (sent > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
      continue;
    }
    if (sent < 0 && errno != EAGAIN && errno != EINTR) {
      throw Error::Format("{}: the line is gone: {}", name_, Reason(errno));
    }
    pollfd ready = {.fd = descriptor_, .events = POLLOUT, .revents = 0};
    if (poll(&ready, 1, kSendMilliseconds) == 0) {
      throw Error::Format("{}: the line took no byte for {} s", name_, kSendMilliseconds / 1000);
    }
  }
}

std::size_t DescriptorWire::Receive(std::span<std::uint8_t> bytes, std::chrono::milliseconds most) {
  pollfd ready = {.fd = descriptor_, .events = POLLIN, .revents = 0};
  if (poll(&ready, 1, static_cast<int>(most.count())) <= 0) return 0;
  const ssize_t received = read(descriptor_, bytes.data(), bytes.size());
  if (received > 0) return static_cast<std::size_t>(received);
  if (received < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  throw Error::Format("{}: the line is gone: {}", name_,
                      received == 0 ? "the other end closed it" : Reason(errno));
}

void Relay(DescriptorWire& one, DescriptorWire& other) {
  std::array<std::uint8_t, 4096> buffer;
  while (true) {
    std::array<pollfd, 2> ready = {
        pollfd{.fd = one.descriptor(), .events = POLLIN, .revents = 0},
        pollfd{.fd = other.descriptor(), .events = POLLIN, .revents = 0}};
    poll(ready.data(), ready.size(), -1);
    other.Send(std::span(buffer).first(one.Receive(buffer, 0ms)));
    one.Send(std::span(buffer).first(other.Receive(buffer, 0ms)));
  }
}

}  // namespace tpu::link
