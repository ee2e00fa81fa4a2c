// SPDX-License-Identifier: Apache-2.0
#include "sim/board/sdram.h"

#include <algorithm>

#include "base/error.h"

namespace tpu::sim {
namespace {

// RAS#, CAS#, WE# of a command.
enum Command : unsigned {
  kLoadMode = 0b000,
  kRefresh = 0b001,
  kPrecharge = 0b010,
  kActivate = 0b011,
  kWrite = 0b100,
  kRead = 0b101,
  kStopBurst = 0b110,
  kNothing = 0b111,
};

constexpr unsigned kAllBanks = 1U << 10U;  // Also: precharge behind the access.

// The bits of the bytes that DM masks come from `masked`.
std::uint16_t Masked(unsigned dm, std::uint16_t word, std::uint16_t masked) {
  const unsigned bits = ((dm & 1U) != 0 ? 0xFFU : 0U) | ((dm & 2U) != 0 ? 0xFF00U : 0U);
  return static_cast<std::uint16_t>((word & ~bits) | (masked & bits));
}

}  // namespace

std::uint16_t Sdram::Clock(const Pins& pins) {
  std::rotate(coming_.begin(), coming_.begin() + 1, coming_.end());
  coming_.back() = {};
  if (pins.cke && !pins.cs_n) Do(pins);
  // Masks are for what follows an edge later.
  Read& masked = coming_[kMaskLatency - 1];
  if (masked.valid && pins.dm != 0) masked.word = Masked(pins.dm, masked.word, Noise());
  return coming_.front().valid ? coming_.front().word : Noise();
}

void Sdram::Do(const Pins& pins) {
  const unsigned command =
      unsigned{pins.ras_n} << 2U | unsigned{pins.cas_n} << 1U | unsigned{pins.we_n};
  switch (command) {
    case kLoadMode:
      latency_ = pins.a >> 4U & 7U;
      if ((pins.a & 7U) != 0 || latency_ < 2 || latency_ > kMostLatency) {
        throw Error::Format(
            "the SDRAM's model has bursts of one word and a latency of 2 or 3, not mode {:#x}",
            pins.a);
      }
      break;
    case kActivate:
      if (open_row_[pins.ba] != kClosed)
        throw Error::Format("SDRAM: bank {} has a row open, and gets another", pins.ba);
      open_row_[pins.ba] = pins.a;
      break;
    case kPrecharge:
      if ((pins.a & kAllBanks) != 0) {
        open_row_.fill(kClosed);
      } else {
        open_row_[pins.ba] = kClosed;
      }
      break;
    case kRefresh:
      if (std::ranges::any_of(open_row_, [](int row) { return row != kClosed; })) {
        throw Error::Format("SDRAM: refresh while a row is open");
      }
      break;
    case kWrite: {
      if (pins.dq_off != 0) throw Error::Format("SDRAM: a write without data");
      std::uint16_t& word = Word(pins);
      word = Masked(pins.dm, pins.dq, word);
      break;
    }
    case kRead:
      // With latency 2 it comes behind the next edge, in time for the one after that.
      coming_[latency_ - 1] = {.valid = true, .word = Word(pins)};
      break;
    default:
      break;
  }
  if ((command == kRead || command == kWrite) && (pins.a & kAllBanks) != 0)
    open_row_[pins.ba] = kClosed;
}

std::uint16_t& Sdram::Word(const Pins& pins) {
  if (latency_ == 0) throw Error::Format("SDRAM: an access before its mode is set");
  const int row = open_row_[pins.ba];
  if (row == kClosed)
    throw Error::Format("SDRAM: an access to bank {}, which has no row open", pins.ba);
  return words_[(pins.ba * kRows + static_cast<std::size_t>(row)) * kColumns + pins.a % kColumns];
}

std::uint16_t Sdram::Noise() {
  noise_ = noise_ * 1664525U + 1013904223U;
  return static_cast<std::uint16_t>(noise_ >> 16U);
}

}  // namespace tpu::sim
