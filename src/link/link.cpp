// SPDX-License-Identifier: Apache-2.0
#include "link/link.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <random>
#include <utility>

#include "base/error.h"

namespace tpu::link {
namespace {

using std::chrono::milliseconds;

// Requests that are on their way at a time. The board takes far more without losing order; this
// hides the 16 ms that a USB adapter may keep an answer, at 3 Mbaud and frames of 1 KiB.
constexpr std::size_t kWindow = 16;
// How often in a row the board may stay silent.
constexpr int kMostTries = 8;
// What a busy system and a USB adapter may keep an answer, and frames that the wire may be busy
// with.
constexpr milliseconds kLatency{100};
constexpr unsigned kPatienceFrames = 4;
// Bytes without an end of a frame among them.
constexpr std::size_t kMostNoise = 8 * std::size_t{kBlockBytes};
constexpr std::size_t kHelloAnswer = 16;
// Frames that answer nothing: far more than all repetitions bring.
constexpr int kMostStale = 1024;

milliseconds Patience(unsigned bytes_per_second) {
  return kLatency + milliseconds(1000 * kPatienceFrames * kBlockBytes / bytes_per_second);
}

std::uint32_t Load32(std::span<const std::uint8_t> bytes) {
  return static_cast<std::uint32_t>(bytes[0] | bytes[1] << 8 | bytes[2] << 16) |
         static_cast<std::uint32_t>(bytes[3]) << 24;
}

std::array<std::uint8_t, 4> Store32(std::uint32_t value) {
  return {static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value >> 8),
          static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 24)};
}

// From `address` to the next multiple of kBlockBytes, at most `bytes`.
std::size_t InBlock(std::uint32_t address, std::size_t bytes) {
  return std::min<std::size_t>(bytes, kBlockBytes - address % kBlockBytes);
}

}  // namespace

Link::Link(std::unique_ptr<Wire> wire)
    : wire_(std::move(wire)), patience_(Patience(wire_->BytesPerSecond())) {
  Begin();
}

// The first zero ends what another host may have left unfinished. Answers to that host may still
// come, so that only one with this session's number and mark counts.
void Link::Begin() {
  std::random_device random;
  const auto mark = static_cast<std::uint32_t>(random());
  next_number_ = static_cast<std::uint8_t>(random());
  Bytes hello = ToWire({.number = next_number_, .command = Command::kHello, .address = mark});
  hello.insert(hello.begin(), 0);
  for (int tries = 0; tries < kMostTries; ++tries) {
    wire_->Send(hello);
    for (int frames = 0; frames < kMostStale; ++frames) {
      const Heard heard = Listen();
      if (heard == Heard::kNothing) break;
      if (heard == Heard::kAnswer && IsHelloAnswer(mark)) {
        ++next_number_;
        return;
      }
    }
  }
  throw Error::Format(
      "{}: no board answers at {} bytes a second; is the board configured with a bitstream of that "
      "speed, and is this its serial line?",
      Name(), wire_->BytesPerSecond());
}

bool Link::IsHelloAnswer(std::uint32_t mark) {
  const std::span<const std::uint8_t> bytes = answer_.bytes;
  if (answer_.number != next_number_ || answer_.status != Status::kOk ||
      bytes.size() != kHelloAnswer || Load32(bytes) != mark) {
    return false;
  }
  if (const std::uint32_t version = Load32(bytes.subspan(4)); version != kVersion) {
    throw Error::Format(
        "{}: the board's link has version {}, this program speaks {}; build the bitstream and the "
        "program from the same sources",
        Name(), version, kVersion);
  }
  info_ = {.clock_hz = Load32(bytes.subspan(8)), .memory_bytes = Load32(bytes.subspan(12))};
  return true;
}

// A line that carries something else than frames is as good as a silent one.
Link::Heard Link::Listen() {
  for (std::size_t bytes = 0; bytes < kMostNoise;) {
    for (; !unread_.empty(); ++bytes) {
      auto frame = reader_.Take(unread_.front());
      unread_ = unread_.subspan(1);
      if (!frame) continue;
      if (!*frame) return Heard::kDamaged;
      answer_ = std::move(**frame);
      return Heard::kAnswer;
    }
    unread_ = std::span(received_).first(wire_->Receive(received_, patience_));
    if (unread_.empty()) break;
  }
  return Heard::kNothing;
}

void Link::Post(Command command, std::uint32_t address, std::uint32_t length,
                std::span<const std::uint8_t> bytes, std::span<std::uint8_t> answer) {
  while (window_.size() >= kWindow) Advance();
  const Request request = {.number = next_number_++,
                           .command = command,
                           .address = address,
                           .length = length,
                           .bytes = bytes};
  Bytes wire = ToWire(request);
  wire_->Send(wire);
  window_.push_back({request.number, std::move(wire), answer});
}

// Until a request is answered. Behind an error nothing is owed an answer any more.
void Link::Advance() {
  try {
    AwaitAnswer();
  } catch (...) {
    window_.clear();
    throw;
  }
}

void Link::AwaitAnswer() {
  int tries = 0;
  for (int frames = 0; tries < kMostTries && frames < kMostStale; ++frames) {
    const Heard heard = Listen();
    if (heard == Heard::kAnswer) {
      if (HandleAnswer()) return;
    } else if (heard == Heard::kNothing) {
      if (++tries < kMostTries) Repeat();
    } else if (!repeating_) {
      Repeat();
    }
  }
  throw Error::Format(
      "{}: the board stopped answering: {} requests were sent {} times; is it powered and "
      "connected?",
      Name(), window_.size(), kMostTries);
}

void Link::Repeat() {
  repeating_ = true;
  repeated_ += window_.size();
  for (const Pending& request : window_) wire_->Send(request.wire);
}

// Whether the oldest request is answered. Answers come in the order of the requests. So one for a
// later request says that the oldest one's is lost, and one for a request that is not in the window
// belongs to a repetition.
bool Link::HandleAnswer() {
  const Answer& answer = answer_;
  const Pending& oldest = window_.front();
  const auto place = static_cast<std::uint8_t>(answer.number - oldest.number);
  if (answer.status == Status::kNoSession) Fail(answer.status, oldest);
  if (place >= window_.size()) return false;
  if (answer.status == Status::kResend || place != 0) {
    if (!repeating_) Repeat();
    return false;
  }
  if (answer.status != Status::kOk) Fail(answer.status, oldest);
  if (answer.bytes.size() != oldest.answer.size()) {
    throw Error::Format("{}: the board answered a request with {} bytes instead of {}", Name(),
                        answer.bytes.size(), oldest.answer.size());
  }
  std::ranges::copy(answer.bytes, oldest.answer.begin());
  window_.pop_front();
  repeating_ = false;
  return true;
}

void Link::Fail(Status status, const Pending& request) const {
  switch (status) {
    case Status::kNoSession:
      throw Error::Format("{}: the board was reset during the session; begin again", Name());
    case Status::kBusError:
      throw Error::Format(
          "{}: the board's bus answered with an error; the address lies outside its memory and "
          "registers, or its memory is not ready",
          Name());
    default:
      throw Error::Format("{}: the board refused request {} with status {}", Name(), request.number,
                          static_cast<unsigned>(status));
  }
}

void Link::Flush() {
  while (!window_.empty()) Advance();
}

void Link::WriteMemory(std::uint32_t address, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const std::size_t part = InBlock(address, bytes.size());
    Post(Command::kWriteMemory, address, static_cast<std::uint32_t>(part), bytes.first(part), {});
    address += static_cast<std::uint32_t>(part);
    bytes = bytes.subspan(part);
  }
}

// Nothing may be sent behind a request that reads but others that do: the board reads again when
// the answer is lost, and must find the same.
void Link::ReadMemory(std::uint32_t address, std::span<std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const std::size_t part = InBlock(address, bytes.size());
    Post(Command::kReadMemory, address, static_cast<std::uint32_t>(part), {}, bytes.first(part));
    address += static_cast<std::uint32_t>(part);
    bytes = bytes.subspan(part);
  }
  Flush();
}

void Link::WriteRegister(std::uint32_t address, std::uint32_t value) {
  Post(Command::kWriteRegisters, address, sizeof(value), Store32(value), {});
}

std::uint32_t Link::ReadRegister(std::uint32_t address) {
  std::uint32_t value = 0;
  ReadRegisters(address, {&value, 1});
  return value;
}

void Link::ReadRegisters(std::uint32_t address, std::span<std::uint32_t> values) {
  Bytes bytes(4 * values.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const auto from = address + static_cast<std::uint32_t>(at);
    const std::size_t part = InBlock(from, bytes.size() - at);
    Post(Command::kReadRegisters, from, static_cast<std::uint32_t>(part), {},
         std::span(bytes).subspan(at, part));
    at += part;
  }
  Flush();
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = Load32(std::span(bytes).subspan(4 * i));
  }
}

std::vector<std::uint32_t> Link::Checksums(std::uint32_t address, std::uint32_t bytes,
                                           std::uint32_t piece) {
  const std::size_t pieces = (std::uint64_t{bytes} + piece - 1) / piece;
  Bytes answers(4 * pieces);
  for (std::size_t i = 0; i < pieces; ++i) {
    const auto at = static_cast<std::uint32_t>(i * piece);
    Post(Command::kChecksum, address + at, std::min(piece, bytes - at), {},
         std::span(answers).subspan(4 * i, 4));
  }
  Flush();
  std::vector<std::uint32_t> checksums;
  for (std::size_t i = 0; i < pieces; ++i) {
    checksums.push_back(Load32(std::span(answers).subspan(4 * i)));
  }
  return checksums;
}

bool Link::WaitForInterrupt(std::uint32_t cycles) {
  std::array<std::uint8_t, 4> answer;
  Post(Command::kWait, 0, cycles, {}, answer);
  Flush();
  return Load32(answer) != 0;
}

}  // namespace tpu::link
