// SPDX-License-Identifier: Apache-2.0
#include "training/history.h"

#include <zlib.h>

#include <algorithm>
#include <functional>

namespace tpu::training {

void Add(runtime::RunReport& sum, const runtime::RunReport& run) {
  sum.macs += run.macs;
  sum.cycles += run.cycles;
  sum.seconds += run.seconds;
  std::ranges::transform(sum.counters, run.counters, sum.counters.begin(), std::plus<>());
}

std::uint32_t Crc32(std::span<const std::uint8_t> bytes, std::uint32_t before) {
  // Of no bytes zlib would forget the pieces before.
  if (bytes.empty()) return before;
  return static_cast<std::uint32_t>(crc32_z(before, bytes.data(), bytes.size()));
}

std::uint32_t Crc32(std::span<const Bytes> tensors) {
  std::uint32_t crc = 0;
  for (const Bytes& bytes : tensors) crc = Crc32(bytes, crc);
  return crc;
}

}  // namespace tpu::training
