// SPDX-License-Identifier: Apache-2.0
#include "link/serial_port.h"

#include <fcntl.h>
#include <linux/serial.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>

#include <array>
#include <cerrno>

#include "base/error.h"

namespace tpu::link {
namespace {

// Start bit, eight data bits, stop bit.
constexpr unsigned kBitsPerByte = 10;

int Open(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) throw Error::Format("{}: cannot be opened: {}", path, Reason(errno));
  return descriptor;
}

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

SerialPort::SerialPort(const std::string& path, unsigned bits_per_second)
    : DescriptorWire(path, Open(path), bits_per_second / kBitsPerByte) {
  Configure(bits_per_second);
}

void SerialPort::Configure(unsigned bits_per_second) {
  const speed_t speed = CodeOf(bits_per_second);
  termios settings{};
  if (tcgetattr(descriptor(), &settings) != 0) {
    throw Error::Format("{}: is no serial line: {}", Name(), Reason(errno));
  }
  if (flock(descriptor(), LOCK_EX | LOCK_NB) != 0) {
    throw Error::Format("{}: another program uses the line", Name());
  }
  cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL | CREAD;
  settings.c_cflag &= ~static_cast<tcflag_t>(CSTOPB | CRTSCTS);
  settings.c_cc[VMIN] = 0;
  settings.c_cc[VTIME] = 0;
  if (cfsetspeed(&settings, speed) != 0 || tcsetattr(descriptor(), TCSANOW, &settings) != 0) {
    throw Error::Format("{}: does not take {} bits a second: {}", Name(), bits_per_second,
                        Reason(errno));
  }
  tcflush(descriptor(), TCIOFLUSH);
  // USB adapters keep short answers for 16 ms otherwise. Lines that are none of these do not know
  // the setting.
  serial_struct serial{};
  if (ioctl(descriptor(), TIOCGSERIAL, &serial) == 0) {
    serial.flags |= ASYNC_LOW_LATENCY;
    ioctl(descriptor(), TIOCSSERIAL, &serial);
  }
}

}  // namespace tpu::link
