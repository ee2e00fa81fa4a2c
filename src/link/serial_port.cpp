// SPDX-License-Identifier: Apache-2.0
#include "link/serial_port.h"

#include <fcntl.h>
#include <linux/serial.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace tpu::link {
namespace {

// Start bit, eight data bits, stop bit.
constexpr unsigned kBitsPerByte = 10;
// How long the system may take no byte before the line counts as gone.
constexpr int kSendMilliseconds = 10'000;

std::string Reason(int error) { return std::generic_category().message(error); }

struct Speed {
  unsigned bits_per_second;
  speed_t code;
};
constexpr std::array kSpeeds = {
    Speed{9'600, B9600},        Speed{19'200, B19200},      Speed{38'400, B38400},
    Speed{57'600, B57600},      Speed{115'200, B115200},    Speed{230'400, B230400},
    Speed{460'800, B460800},    Speed{921'600, B921600},    Speed{1'000'000, B1000000},
    Speed{1'500'000, B1500000}, Speed{2'000'000, B2000000}, Speed{2'500'000, B2500000},
    Speed{3'000'000, B3000000},
};

speed_t CodeOf(unsigned bits_per_second) {
  std::string there;
  for (const Speed& speed : kSpeeds) {
    if (speed.bits_per_second == bits_per_second) return speed.code;
    there += (there.empty() ? "" : ", ") + std::to_string(speed.bits_per_second);
  }
  throw Error::Format("a serial line has no speed of {} bits a second; there are {}",
                      bits_per_second, there);
}

}  // namespace

SerialPort::SerialPort(std::string path, unsigned bits_per_second)
    : path_(std::move(path)),
      bits_per_second_(bits_per_second),
      file_(open(path_.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)) {
  if (file_ < 0) throw Error::Format("{}: cannot be opened: {}", path_, Reason(errno));
  try {
    Configure();
  } catch (...) {
    close(file_);
    throw;
  }
}

SerialPort::~SerialPort() { close(file_); }

void SerialPort::Configure() {
  const speed_t speed = CodeOf(bits_per_second_);
  termios settings{};
  if (tcgetattr(file_, &settings) != 0) {
    throw Error::Format("{}: is no serial line: {}", path_, Reason(errno));
  }
  if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
    throw Error::Format("{}: another program uses the line", path_);
  }
  cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL | CREAD;
  settings.c_cflag &= ~static_cast<tcflag_t>(CSTOPB | CRTSCTS);
  settings.c_cc[VMIN] = 0;
  settings.c_cc[VTIME] = 0;
  if (cfsetspeed(&settings, speed) != 0 || tcsetattr(file_, TCSANOW, &settings) != 0) {
    throw Error::Format("{}: does not take {} bits a second: {}", path_, bits_per_second_,
                        Reason(errno));
  }
  tcflush(file_, TCIOFLUSH);
  // USB adapters keep short answers for 16 ms otherwise. Lines that are none of these do not know
  // the setting.
  serial_struct serial{};
  if (ioctl(file_, TIOCGSERIAL, &serial) == 0) {
    serial.flags |= ASYNC_LOW_LATENCY;
    ioctl(file_, TIOCSSERIAL, &serial);
  }
}

void SerialPort::Send(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = write(file_, bytes.data(), bytes.size());
    if (sent > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
      continue;
    }
    if (sent < 0 && errno != EAGAIN && errno != EINTR) {
      throw Error::Format("{}: the line is gone: {}", path_, Reason(errno));
    }
    pollfd ready = {.fd = file_, .events = POLLOUT, .revents = 0};
    if (poll(&ready, 1, kSendMilliseconds) == 0) {
      throw Error::Format("{}: the line took no byte for {} s", path_, kSendMilliseconds / 1000);
    }
  }
}

std::size_t SerialPort::Receive(std::span<std::uint8_t> bytes, std::chrono::milliseconds most) {
  pollfd ready = {.fd = file_, .events = POLLIN, .revents = 0};
  if (poll(&ready, 1, static_cast<int>(most.count())) <= 0) return 0;
  const ssize_t received = read(file_, bytes.data(), bytes.size());
  if (received > 0) return static_cast<std::size_t>(received);
  if (received < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  throw Error::Format("{}: the line is gone: {}", path_,
                      received == 0 ? "end of file" : Reason(errno));
}

unsigned SerialPort::BytesPerSecond() const { return bits_per_second_ / kBitsPerByte; }

}  // namespace tpu::link
