#include "timing/transfer.h"

#include <algorithm>

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
      beat_bytes_(beat_bytes) {
  if (stride == row_bytes) {
    row_bytes_ = rows * row_bytes;
    rows_left_ = 1;
  }
  left_ = row_bytes_;
}

Burst Transfer::Next() const {
  const std::uint64_t window = std::uint64_t{kWindowBeats} * beat_bytes_;
  const std::uint64_t bytes = std::min(left_, window - address_ % window);
  const std::uint64_t last_byte = address_ + bytes - 1;
  return {.beats = static_cast<std::uint32_t>(last_byte / beat_bytes_ - address_ / beat_bytes_ + 1),
          .first = static_cast<std::uint32_t>(address_ % beat_bytes_),
          .end = static_cast<std::uint32_t>(last_byte % beat_bytes_),
          .last = bytes == left_ && rows_left_ == 1};
}

void Transfer::Step() {
  const std::uint64_t window = std::uint64_t{kWindowBeats} * beat_bytes_;
  const std::uint64_t bytes = std::min(left_, window - address_ % window);
  address_ += bytes;
  left_ -= bytes;
  if (left_ != 0) return;
  row_address_ += stride_;
  address_ = row_address_;
  left_ = row_bytes_;
  --rows_left_;
}

}  // namespace tpu::timing
