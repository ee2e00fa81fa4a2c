// SPDX-License-Identifier: Apache-2.0
// When bytes pass rtl/memory/tpu_byte_gearbox.v: words in, pieces of any length out.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "timing/cycle.h"

namespace tpu::timing {

class Gearbox {
 public:
  /// `lanes`: bytes of a row of the gearbox's ring. A row is as long as a word or a piece,
  /// whichever is longer.
  explicit Gearbox(std::uint32_t lanes)
      : shift_(static_cast<unsigned>(std::bit_width(lanes)) - 1) {}

  /// First cycle in which the next word may enter; kNever: a piece has to be cut before.
  [[nodiscard]] Cycle Room() const {
    const std::uint64_t row = pushed_ >> shift_;
    if (row < kRowsAhead) return 0;
    const std::uint64_t oldest = row - kRowsAhead + 1;
    return cut_ >> shift_ >= oldest ? reached_[oldest % kRemembered] + 1 : kNever;
  }
  void Push(std::uint32_t bytes, Cycle cycle) {
    pushed_ += bytes;
    words_[pushes_++ % kWords] = {pushed_, cycle};
  }

  [[nodiscard]] bool Holds(std::uint64_t bytes) const { return pushed_ - cut_ >= bytes; }
  /// First cycle in which a piece of `bytes` bytes may be cut. The gearbox must hold these bytes.
  /// A piece of no bytes waits for nothing.
  [[nodiscard]] Cycle Ready(std::uint32_t bytes) {
    if (bytes == 0) return 0;
    while (words_[oldest_ % kWords].end < cut_ + bytes) ++oldest_;
    return words_[oldest_ % kWords].cycle + 1;
  }
  void Cut(std::uint32_t bytes, Cycle cycle) {
    const std::uint64_t row = cut_ >> shift_;
    cut_ += bytes;
    if (cut_ >> shift_ != row) reached_[(cut_ >> shift_) % kRemembered] = cycle;
  }

  /// The input stops when the row that is written next is so many rows ahead of the row that is cut
  /// next.
  static constexpr std::uint64_t kRowsAhead = 3;
  /// Whether the gearbox holds whole rows of its ring.
  [[nodiscard]] bool aligned() const {
    return ((pushed_ | cut_) & ((std::uint64_t{1} << shift_) - 1)) == 0;
  }
  /// How many whole rows the gearbox holds.
  [[nodiscard]] std::uint64_t rows() const { return (pushed_ - cut_) >> shift_; }

  /// Takes words and cuts pieces of whole rows, one in each cycle: the last word in cycle `pushed`,
  /// the last piece in cycle `cut`.
  void Pass(std::uint32_t words, Cycle pushed, std::uint32_t pieces, Cycle cut) {
    pushed_ += std::uint64_t{words} << shift_;
    cut_ += std::uint64_t{pieces} << shift_;
    pushes_ += words;
    oldest_ += pieces;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(words, rows()); ++i) {
      words_[(pushes_ - 1 - i) % kWords] = {pushed_ - (i << shift_), pushed - i};
    }
    const std::uint64_t row = cut_ >> shift_;
    for (std::uint64_t i = 0; i < kRowsAhead; ++i) {
      if (i < pieces) reached_[(row - i) % kRemembered] = cut - i;
    }
  }

 private:
  static constexpr std::size_t kRemembered = 8;
  // The most words that four rows can hold. A word has at least one byte.
  static constexpr std::size_t kWords = 256;
  struct Word {
    std::uint64_t end = 0;  // Bytes pushed up to here.
    Cycle cycle = 0;
  };

  unsigned shift_;
  std::uint64_t pushed_ = 0;
  std::uint64_t cut_ = 0;
  std::uint64_t pushes_ = 0;
  std::uint64_t oldest_ = 0;
  std::array<Cycle, kRemembered> reached_{};  // When the cut pointer reached a row.
  std::array<Word, kWords> words_{};
};

}  // namespace tpu::timing
