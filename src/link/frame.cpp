// SPDX-License-Identifier: Apache-2.0
#include "link/frame.h"

#include <zlib.h>

#include <algorithm>
#include <cstddef>

namespace tpu::link {
namespace {

// Of a block, with its first byte.
constexpr std::size_t kBlock = 255;
// No frame is longer; what is comes from a line that carries something else.
constexpr std::size_t kMostStuffed = 2 * std::size_t{kBlockBytes};

void Append32(Bytes& bytes, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> 8 * i));
}

// Nothing when the last block is not complete.
std::optional<Bytes> Unstuff(std::span<const std::uint8_t> stuffed) {
  Bytes frame;
  for (std::size_t at = 0; at < stuffed.size();) {
    const std::size_t block = stuffed[at];
    if (at + block > stuffed.size()) return std::nullopt;
    const auto first = stuffed.begin() + static_cast<std::ptrdiff_t>(at);
    frame.insert(frame.end(), first + 1, first + static_cast<std::ptrdiff_t>(block));
    at += block;
    if (block != kBlock && at < stuffed.size()) frame.push_back(0);
  }
  return frame;
}

std::optional<Answer> ParseAnswer(std::span<const std::uint8_t> stuffed) {
  const std::optional<Bytes> frame = Unstuff(stuffed);
  if (!frame || frame->size() < kAnswerBytes + kCrcBytes) return std::nullopt;
  const std::size_t end = frame->size() - kCrcBytes;
  Bytes crc;
  Append32(crc, Crc32({frame->data(), end}));
  const auto bytes_end = frame->begin() + static_cast<std::ptrdiff_t>(end);
  if (!std::equal(bytes_end, frame->end(), crc.begin())) return std::nullopt;
  return Answer{.number = (*frame)[0],
                .status = static_cast<Status>((*frame)[1]),
                .bytes = {frame->begin() + kAnswerBytes, bytes_end}};
}

}  // namespace

std::uint32_t Crc32(std::span<const std::uint8_t> bytes) {
  return static_cast<std::uint32_t>(crc32_z(crc32_z(0, nullptr, 0), bytes.data(), bytes.size()));
}

Bytes Stuff(std::span<const std::uint8_t> frame) {
  Bytes out = {1};
  std::size_t code = 0;  // Where the open block's first byte is.
  for (const std::uint8_t byte : frame) {
    if (byte != 0) {
      out.push_back(byte);
      ++out[code];
    }
    if (byte == 0 || out[code] == kBlock) {
      code = out.size();
      out.push_back(1);
    }
  }
  return out;
}

Bytes ToWire(const Request& request) {
  Bytes frame = {request.number, static_cast<std::uint8_t>(request.command)};
  Append32(frame, request.address);
  Append32(frame, request.length);
  frame.insert(frame.end(), request.bytes.begin(), request.bytes.end());
  Append32(frame, Crc32(frame));
  Bytes wire = Stuff(frame);
  wire.push_back(0);
  return wire;
}

std::optional<std::optional<Answer>> AnswerReader::Take(std::uint8_t byte) {
  if (byte != 0) {
    if (stuffed_.size() < kMostStuffed) stuffed_.push_back(byte);
    return std::nullopt;
  }
  const Bytes stuffed = std::move(stuffed_);
  stuffed_.clear();
  if (stuffed.empty()) return std::nullopt;
  return ParseAnswer(stuffed);
}

}  // namespace tpu::link
