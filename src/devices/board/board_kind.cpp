// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "devices/board/board_device.h"
#include "link/serial_port.h"
#include "link/tcp_client.h"
#include "runtime/config.h"

namespace tpu::devices {
namespace {

constexpr std::string_view kUart = "uart:";
constexpr std::string_view kTcp = "tcp:";
constexpr unsigned kBitsPerSecond = 1'000'000;

// "/dev/ttyUSB0@3000000".
std::unique_ptr<link::DescriptorWire> OpenSerialPort(std::string path) {
  unsigned bits_per_second = kBitsPerSecond;
  if (const std::size_t at = path.rfind('@'); at != std::string::npos) {
    const char* const end = path.data() + path.size();
    const auto [rest, error] = std::from_chars(path.data() + at + 1, end, bits_per_second);
    if (error != std::errc() || rest != end) {
      throw Error::Format("{}{}: behind the @ stands no number of bits per second", kUart, path);
    }
    path.resize(at);
  }
  return std::make_unique<link::SerialPort>(path, bits_per_second);
}

// "host:7777".
std::unique_ptr<link::DescriptorWire> Connect(const std::string& place) {
  const std::size_t colon = place.rfind(':');
  const char* const token = std::getenv("TPU_TOKEN");
  if (colon == std::string::npos) {
    throw Error::Format("{}{}: names no port; a server's board is {}HOST:PORT", kTcp, place, kTcp);
  }
  if (token == nullptr) {
    throw Error::Format(
        "{}{}: the environment variable TPU_TOKEN is not set; `tpu serve` prints its value", kTcp,
        place);
  }
  return std::make_unique<link::TcpClient>(place.substr(0, colon), place.substr(colon + 1), token);
}

std::unique_ptr<BoardDevice> MakeBoard(const std::string& name, BoardProgress progress) {
  return std::make_unique<BoardDevice>(std::make_unique<link::Link>(OpenLine(name)),
                                       std::move(progress));
}

}  // namespace

std::unique_ptr<link::DescriptorWire> OpenLine(const std::string& name) {
  if (name.starts_with(kUart)) return OpenSerialPort(name.substr(kUart.size()));
  if (name.starts_with(kTcp)) return Connect(name.substr(kTcp.size()));
  throw Error::Format(
      "{}: names no board; a board at a serial line is uart:/dev/ttyUSB0, or "
      "uart:/dev/ttyUSB0@3000000 with its bits per second, one behind a server tcp:HOST:PORT",
      name);
}

DeviceKind BoardKind(const std::string& name, BoardProgress progress) {
  DeviceKind kind;
  kind.name = name;
  kind.description = "a board";
  kind.abilities = {.time = true};
  kind.machines = {{name, runtime::ReadConfig(*MakeBoard(name, {}))}};
  kind.make = [name, progress = std::move(progress)](
                  const HardwareConfig&, const DeviceOptions&) -> std::unique_ptr<Device> {
    return MakeBoard(name, progress);
  };
  return kind;
}

}  // namespace tpu::devices
