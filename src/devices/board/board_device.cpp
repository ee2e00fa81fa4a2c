// SPDX-License-Identifier: Apache-2.0
#include "devices/board/board_device.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/error.h"
#include "devices/board/setup.h"
#include "isa/registers.h"
#include "runtime/config.h"

namespace tpu::devices {
namespace {

// What is asked for and sent as a whole. The board takes 2 ms for its CRC, the line a hundred times
// as long for its bytes.
constexpr std::uint32_t kPieceBytes = 16 * 1024;
// Shorter writes go over without asking: they are inputs, which change.
constexpr std::size_t kLeastToAsk = 4 * 1024;
// Of a request that waits. The board answers nothing else meanwhile, and the host must not take
// that for silence.
constexpr std::uint64_t kMostWait = 65'536;

}  // namespace

BoardDevice::BoardDevice(std::unique_ptr<link::Link> link, BoardProgress progress)
    : link_(std::move(link)), progress_(std::move(progress)) {
  runtime::SoftReset(*this);
  runtime::WriteRegister(*this, isa::Register::kIrqClear, 1);
  SetUp(*link_);
}

void BoardDevice::RequireMemory(std::uint64_t address, std::uint64_t bytes) const {
  const std::uint64_t there = link_->info().memory_bytes;
  if (bytes <= there && address <= there - bytes) return;
  throw Error::Format("{}: {} bytes from address {} on are needed, but the board's memory has {}",
                      link_->Name(), bytes, address, there);
}

void BoardDevice::ReserveMemory(std::uint64_t bytes) { RequireMemory(0, bytes); }

void BoardDevice::WriteMemory(std::uint64_t address, std::span<const std::uint8_t> bytes) {
  RequireMemory(address, bytes.size());
  const auto first = static_cast<std::uint32_t>(address);
  if (bytes.size() < kLeastToAsk) {
    link_->WriteMemory(first, bytes);
  } else {
    WriteWhatDiffers(first, bytes);
  }
}

void BoardDevice::WriteWhatDiffers(std::uint32_t address, std::span<const std::uint8_t> bytes) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  const std::vector<std::uint32_t> before = link_->Checksums(address, size, kPieceBytes);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::size_t at = i * kPieceBytes;
    const std::span<const std::uint8_t> piece =
        bytes.subspan(at, std::min<std::size_t>(kPieceBytes, size - at));
    if (progress_) progress_(at, size);
    if (before[i] == link::Crc32(piece)) continue;
    link_->WriteMemory(address + static_cast<std::uint32_t>(at), piece);
  }
  const std::vector<std::uint32_t> after = link_->Checksums(address, size, kPieceBytes);
  for (std::size_t i = 0; i < after.size(); ++i) {
    const std::size_t at = i * kPieceBytes;
    const std::size_t length = std::min<std::size_t>(kPieceBytes, size - at);
    if (after[i] == link::Crc32(bytes.subspan(at, length))) continue;
    throw Error::Format(
        "{}: the board's memory does not keep what is written to addresses {} to {}; is the DRAM "
        "initialised?",
        link_->Name(), address + at, address + at + length - 1);
  }
  if (progress_) progress_(size, size);
}

void BoardDevice::ReadMemory(std::uint64_t address, std::span<std::uint8_t> bytes) {
  RequireMemory(address, bytes.size());
  link_->ReadMemory(static_cast<std::uint32_t>(address), bytes);
}

std::uint32_t BoardDevice::ReadRegister(std::uint32_t offset) {
  return link_->ReadRegister(offset);
}

void BoardDevice::ReadRegisters(std::uint32_t offset, std::span<std::uint32_t> values) {
  link_->ReadRegisters(offset, values);
}

void BoardDevice::WriteRegister(std::uint32_t offset, std::uint32_t value) {
  link_->WriteRegister(offset, value);
}

bool BoardDevice::WaitForInterrupt(std::uint64_t max_cycles) {
  while (max_cycles > 0) {
    const std::uint64_t cycles = std::min(max_cycles, kMostWait);
    if (link_->WaitForInterrupt(static_cast<std::uint32_t>(cycles))) return true;
    max_cycles -= cycles;
  }
  return false;
}

}  // namespace tpu::devices
