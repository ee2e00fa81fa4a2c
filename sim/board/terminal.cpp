// SPDX-License-Identifier: Apache-2.0
#include "sim/board/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace tpu::sim {
namespace {

// A host that reads nothing has closed the line long ago.
constexpr std::size_t kMostWaiting = 1U << 20U;

}  // namespace

Terminal::Terminal(std::string link)
    : link_(std::move(link)), file_(posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK)) {
  if (file_ < 0 || grantpt(file_) != 0 || unlockpt(file_) != 0) {
    throw Error::Format("the system has no pseudo-terminal: {}",
                        std::generic_category().message(errno));
  }
  name_ = ptsname(file_);
  program_end_ = open(name_.c_str(), O_RDWR | O_NOCTTY);
  termios settings{};
  tcgetattr(program_end_, &settings);
  cfmakeraw(&settings);
  tcsetattr(program_end_, TCSANOW, &settings);
  if (!link_.empty()) {
    if (std::filesystem::is_symlink(link_)) std::filesystem::remove(link_);
    std::filesystem::create_symlink(name_, link_);
  }
}

Terminal::~Terminal() {
  std::error_code ignored;
  if (!link_.empty()) std::filesystem::remove(link_, ignored);
  close(program_end_);
  close(file_);
}

std::size_t Terminal::Read(std::span<std::uint8_t> bytes) {
  WriteWaiting();
  const ssize_t count = read(file_, bytes.data(), bytes.size());
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

void Terminal::Write(std::uint8_t byte) {
  if (waiting_.size() < kMostWaiting) waiting_.push_back(byte);
  WriteWaiting();
}

void Terminal::WriteWaiting() {
  std::array<std::uint8_t, 256> bytes;
  while (!waiting_.empty()) {
    const std::size_t count = std::min(bytes.size(), waiting_.size());
    std::copy_n(waiting_.begin(), count, bytes.begin());
    const ssize_t written = write(file_, bytes.data(), count);
    if (written <= 0) return;
    waiting_.erase(waiting_.begin(), waiting_.begin() + written);
  }
}

void Terminal::WaitForBytes(int milliseconds) {
  WriteWaiting();
  pollfd ready = {.fd = file_, .events = POLLIN, .revents = 0};
  poll(&ready, 1, milliseconds);
}

}  // namespace tpu::sim
