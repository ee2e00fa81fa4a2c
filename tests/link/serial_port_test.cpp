// SPDX-License-Identifier: Apache-2.0
// Serial lines of the system, on pseudo-terminals.
#include "link/serial_port.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <numeric>
#include <optional>

#include "base/error.h"

namespace tpu::link {
namespace {

using std::chrono_literals::operator""ms;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A terminal with the test at its other end.
class Terminal {
 public:
  Terminal() : file_(posix_openpt(O_RDWR | O_NOCTTY)) {
    EXPECT_EQ(grantpt(file_), 0);
    EXPECT_EQ(unlockpt(file_), 0);
    name_ = ptsname(file_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() { HangUp(); }

  [[nodiscard]] int file() const { return file_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  void HangUp() {
    if (file_ >= 0) close(file_);
    file_ = -1;
  }

 private:
  int file_;
  std::string name_;
};

TEST(SerialPort, CarriesAllBytesUnchanged) {
  const Terminal terminal;
  SerialPort port(terminal.name(), 1'000'000);
  EXPECT_EQ(port.BytesPerSecond(), 100'000U);
  std::array<std::uint8_t, 256> sent;
  std::iota(sent.begin(), sent.end(), std::uint8_t{0});
  port.Send(sent);
  std::array<std::uint8_t, 256> bytes{};
  ASSERT_EQ(read(terminal.file(), bytes.data(), bytes.size()), 256);
  EXPECT_EQ(bytes, sent);
  ASSERT_EQ(write(terminal.file(), sent.data(), sent.size()), 256);
  bytes = {};
  std::size_t received = 0;
  while (received < bytes.size()) {
    const std::size_t more = port.Receive(std::span(bytes).subspan(received), 1000ms);
    ASSERT_GT(more, 0U);
    received += more;
  }
  EXPECT_EQ(bytes, sent);
}

TEST(SerialPort, WaitsAsLongAsItShould) {
  const Terminal terminal;
  SerialPort port(terminal.name(), 115'200);
  std::array<std::uint8_t, 8> bytes;
  const auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(port.Receive(bytes, 50ms), 0U);
  EXPECT_GE(std::chrono::steady_clock::now() - before, 45ms);
}

TEST(SerialPort, NamesWhatIsWrong) {
  EXPECT_THAT([] { SerialPort("/dev/no-such-line", 115'200); },
              ThrowsMessage<Error>(HasSubstr("/dev/no-such-line: cannot be opened: No such file")));
  EXPECT_THAT([] { SerialPort("/dev/null", 115'200); },
              ThrowsMessage<Error>(HasSubstr("/dev/null: is no serial line")));
  Terminal terminal;
  EXPECT_THAT([&] { SerialPort(terminal.name(), 1'234'567); },
              ThrowsMessage<Error>(HasSubstr("no speed of 1234567 bits a second")));
  std::optional<SerialPort> port(std::in_place, terminal.name(), 115'200);
  EXPECT_THAT([&] { SerialPort(terminal.name(), 115'200); },
              ThrowsMessage<Error>(HasSubstr("another program uses the line")));
  terminal.HangUp();
  std::array<std::uint8_t, 8> bytes{};
  EXPECT_THAT([&] { port->Receive(bytes, 1000ms); }, ThrowsMessage<Error>(HasSubstr("is gone")));
  EXPECT_THAT([&] { port->Send(bytes); }, ThrowsMessage<Error>(HasSubstr("is gone")));
}

}  // namespace
}  // namespace tpu::link
