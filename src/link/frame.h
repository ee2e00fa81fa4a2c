// SPDX-License-Identifier: Apache-2.0
// Frames as bytes on the wire and back (docs/boards.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "link/protocol.h"

namespace tpu::link {

using Bytes = std::vector<std::uint8_t>;

/// What the host asks for.
struct Request {
  std::uint8_t number = 0;
  Command command = Command::kHello;
  std::uint32_t address = 0;
  std::uint32_t length = 0;
  std::span<const std::uint8_t> bytes;  ///< Of the two commands that write.
};

/// What the board answers.
struct Answer {
  std::uint8_t number = 0;
  Status status = Status::kOk;
  Bytes bytes;
};

/// The bytes of a request on the wire, with the zero at their end.
Bytes ToWire(const Request& request);

/// Consistent overhead byte stuffing, without the zero behind a frame: no byte of the result is
/// zero.
Bytes Stuff(std::span<const std::uint8_t> frame);

/// CRC-32 as in gzip.
std::uint32_t Crc32(std::span<const std::uint8_t> bytes);

/// Finds answers in the bytes of a wire.
class AnswerReader {
 public:
  /// Takes a byte. Returns what has ended with it: nothing, an answer, or, as an empty optional
  /// inside, a damaged frame.
  std::optional<std::optional<Answer>> Take(std::uint8_t byte);

 private:
  Bytes stuffed_;
};

}  // namespace tpu::link
