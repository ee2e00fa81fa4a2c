// SPDX-License-Identifier: Apache-2.0
// A device of one's own: it passes everything on to the golden model and counts the bytes that
// cross. A board would send them over a cable.
//
//   new_device MODEL.tflite
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <span>
#include <utility>

#include "tpu/device.h"
#include "tpu/program.h"
#include "tpu/session.h"

namespace {

std::uint64_t bytes_crossed = 0;

class CountingDevice final : public tpu::Device {
 public:
  explicit CountingDevice(std::unique_ptr<tpu::Device> device) : device_(std::move(device)) {}

  void ReserveMemory(std::uint64_t bytes) override { device_->ReserveMemory(bytes); }
  void WriteMemory(std::uint64_t address, std::span<const std::uint8_t> bytes) override {
    bytes_crossed += bytes.size();
    device_->WriteMemory(address, bytes);
  }
  void ReadMemory(std::uint64_t address, std::span<std::uint8_t> bytes) override {
    bytes_crossed += bytes.size();
    device_->ReadMemory(address, bytes);
  }
  std::uint32_t ReadRegister(std::uint32_t offset) override {
    return device_->ReadRegister(offset);
  }
  void WriteRegister(std::uint32_t offset, std::uint32_t value) override {
    device_->WriteRegister(offset, value);
  }
  bool WaitForInterrupt(std::uint64_t max_cycles) override {
    return device_->WaitForInterrupt(max_cycles);
  }

 private:
  std::unique_ptr<tpu::Device> device_;
};

void Run(const char* file) {
  tpu::RegisterDevice({.name = "counting",
                       .description = "the golden model, with a count of the bytes that cross",
                       .abilities = {},
                       .machines = {},
                       .make = [](const tpu::HardwareConfig& config,
                                  const tpu::DeviceOptions&) -> std::unique_ptr<tpu::Device> {
                         return std::make_unique<CountingDevice>(tpu::MakeDevice("golden", config));
                       }});
  const tpu::HardwareConfig machine;  // N = 16.
  const tpu::Program program = tpu::Program::Compile(tpu::Model::Load(file), machine);
  const std::unique_ptr<tpu::Device> device = tpu::MakeDevice("counting", machine);
  tpu::Session session(*device, program);
  session.Run();
  std::cout << bytes_crossed << " bytes crossed\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: new_device MODEL.tflite\n";
    return 2;
  }
  try {
    Run(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << "new_device: " << error.what() << "\n";
    return 2;
  }
}
