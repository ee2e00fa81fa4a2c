// SPDX-License-Identifier: Apache-2.0
// The device's memory, handed out from address 0 upward.
#pragma once

#include <cstdint>

#include "base/error.h"

namespace tpu::compiler {

class Memory {
 public:
  /// Start of a transfer's first burst; also enough for programs, which must lie at multiples
  /// of 64.
  static constexpr std::int64_t kAlignment = 64;

  explicit Memory(std::uint32_t address_bits) : address_bits_(address_bits) {}

  /// Address of `bytes` bytes that nothing else uses. Throws tpu::Error when the machine cannot
  /// reach so many.
  std::uint64_t Allocate(std::uint64_t bytes) {
    const std::uint64_t address = end_;
    if (bytes > (std::uint64_t{1} << address_bits_) - end_) {
      throw Error::Format("the network needs more memory than the machine's {} address bits reach",
                          address_bits_);
    }
    end_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
    return address;
  }

  /// Bytes handed out so far.
  [[nodiscard]] std::uint64_t Bytes() const { return end_; }

 private:
  std::uint32_t address_bits_;
  std::uint64_t end_ = 0;
};

}  // namespace tpu::compiler
