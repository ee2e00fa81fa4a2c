// SPDX-License-Identifier: Apache-2.0
// Rows of an on-chip memory that an instruction touches.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tpu::assembly {

/// `count` consecutive rows or bytes from `first`.
struct Run {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  friend bool operator==(const Run&, const Run&) = default;
};

/// A set of rows 0 .. size-1, filled by loops over strided addresses. Row numbers are taken modulo
/// 2^20 (docs/isa.md, 3). The functions that add return false, and remember the row, when one lies
/// outside.
class RowSet {
 public:
  explicit RowSet(std::uint64_t size) : size_(size), words_((size + 63) / 64) {}

  [[nodiscard]] std::uint64_t Size() const { return size_; }

  /// Rows first .. first+count-1.
  bool Add(std::int64_t first, std::uint64_t count);
  /// Rows first + i*stride for i < count.
  bool Add(std::int64_t first, std::int64_t stride, std::uint64_t count);
  /// Rows first + i*stride_i + j*stride_j for i < count_i, j < count_j.
  bool Add(std::int64_t first, std::int64_t stride_i, std::uint64_t count_i, std::int64_t stride_j,
           std::uint64_t count_j);

  [[nodiscard]] bool Contains(std::uint64_t row) const {
    return (words_[row / 64] >> row % 64 & 1) != 0;
  }
  /// The first row that lay outside since the last Clear.
  [[nodiscard]] std::optional<std::uint64_t> Outside() const { return outside_; }
  /// The set's rows in order, as few runs.
  [[nodiscard]] std::vector<Run> Runs() const;
  void Clear();

 private:
  std::uint64_t size_;
  std::vector<std::uint64_t> words_;
  std::uint64_t dirty_begin_ = ~std::uint64_t{0};  ///< Words that may be nonzero.
  std::uint64_t dirty_end_ = 0;
  std::optional<std::uint64_t> outside_;
};

}  // namespace tpu::assembly
