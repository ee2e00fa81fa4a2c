// SPDX-License-Identifier: Apache-2.0
#include "timing/transfer.h"

#include <algorithm>
#include <bit>

namespace tpu::timing {
namespace {

// Bursts end at multiples of so many beats.
constexpr std::uint32_t kWindowBeats = 32;

}  // namespace

Transfer::Transfer(std::uint64_t address, std::uint64_t row_bytes, std::uint32_t rows,
                   std::uint32_t stride, std::uint32_t beat_bytes)
    : address_(address),
      row_address_(address),
      row_bytes_(row_bytes),
      rows_left_(rows),
      stride_(stride),
      log_beat_(static_cast<unsigned>(std::countr_zero(beat_bytes))) {
  if (stride == row_bytes) {
    row_bytes_ = rows * row_bytes;
    rows_left_ = 1;
  }
  left_ = row_bytes_;
}

// Bytes of the next burst.
std::uint64_t Transfer::Bytes() const {
  const std::uint64_t window = std::uint64_t{kWindowBeats} << log_beat_;
  return std::min(left_, window - (address_ & (window - 1)));
}

Burst Transfer::Next() const {
  const std::uint64_t bytes = Bytes();
  const std::uint64_t last_byte = address_ + bytes - 1;
  const auto in_beat = [this](std::uint64_t address) {
    return static_cast<std::uint32_t>(address & ((std::uint64_t{1} << log_beat_) - 1));
  };
  return {
      .beats = static_cast<std::uint32_t>((last_byte >> log_beat_) - (address_ >> log_beat_) + 1),
      .first = in_beat(address_),
      .end = in_beat(last_byte),
      .last = bytes == left_ && rows_left_ == 1};
}

void Transfer::Step() {
  const std::uint64_t bytes = Bytes();
  address_ += bytes;
  left_ -= bytes;
  if (left_ != 0) return;
  row_address_ += stride_;
  address_ = row_address_;
  left_ = row_bytes_;
  --rows_left_;
}

}  // namespace tpu::timing
