// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <memory>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "devices/board/board_device.h"
#include "link/serial_port.h"
#include "runtime/config.h"

namespace tpu::devices {
namespace {

constexpr std::string_view kUart = "uart:";
constexpr unsigned kBitsPerSecond = 1'000'000;

// "uart:/dev/ttyUSB0@3000000".
std::unique_ptr<link::Wire> Open(const std::string& name) {
  std::string path = name.substr(kUart.size());
  unsigned bits_per_second = kBitsPerSecond;
  if (const std::size_t at = path.rfind('@'); at != std::string::npos) {
    const char* const end = path.data() + path.size();
    const auto [rest, error] = std::from_chars(path.data() + at + 1, end, bits_per_second);
    if (error != std::errc() || rest != end) {
      throw Error::Format("{}: behind the @ stands no number of bits per second", name);
    }
    path.resize(at);
  }
  return std::make_unique<link::SerialPort>(path, bits_per_second);
}

std::unique_ptr<BoardDevice> MakeBoard(const std::string& name, BoardProgress progress) {
  return std::make_unique<BoardDevice>(std::make_unique<link::Link>(Open(name)),
                                       std::move(progress));
}

}  // namespace

bool IsBoardName(const std::string& name) { return name.starts_with(kUart); }

DeviceKind BoardKind(const std::string& name, BoardProgress progress) {
  DeviceKind kind;
  kind.name = name;
  kind.description = "a board at a serial line";
  kind.abilities = {.time = true};
  kind.machines = {{name, runtime::ReadConfig(*MakeBoard(name, {}))}};
  kind.make = [name, progress = std::move(progress)](
                  const HardwareConfig&, const DeviceOptions&) -> std::unique_ptr<Device> {
    return MakeBoard(name, progress);
  };
  return kind;
}

}  // namespace tpu::devices
