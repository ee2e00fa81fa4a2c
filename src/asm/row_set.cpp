// SPDX-License-Identifier: Apache-2.0
#include "asm/row_set.h"

#include <algorithm>
#include <bit>

namespace tpu::assembly {
namespace {

constexpr std::uint64_t kRowMask = (1U << 20) - 1;
constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};

}  // namespace

bool RowSet::Add(std::int64_t first, std::uint64_t count) {
  if (count == 0) return true;
  const std::uint64_t begin = static_cast<std::uint64_t>(first) & kRowMask;
  if (begin >= size_ || count > size_ - begin) {
    if (!outside_) outside_ = std::max(begin, size_);
    return false;
  }
  const std::uint64_t last = begin + count - 1;
  const std::uint64_t first_word = begin / 64;
  const std::uint64_t last_word = last / 64;
  dirty_begin_ = std::min(dirty_begin_, first_word);
  dirty_end_ = std::max(dirty_end_, last_word + 1);
  const std::uint64_t head = kAllOnes << begin % 64;
  const std::uint64_t tail = kAllOnes >> (63 - last % 64);
  if (first_word == last_word) {
    words_[first_word] |= head & tail;
    return true;
  }
  words_[first_word] |= head;
  for (std::uint64_t w = first_word + 1; w < last_word; ++w) words_[w] = kAllOnes;
  words_[last_word] |= tail;
  return true;
}

bool RowSet::Add(std::int64_t first, std::int64_t stride, std::uint64_t count) {
  if (count == 0) return true;
  if (stride == 0) return Add(first, 1);
  if (stride == 1) return Add(first, count);
  if (stride == -1) return Add(first - static_cast<std::int64_t>(count - 1), count);
  for (std::uint64_t i = 0; i < count; ++i, first += stride) {
    if (!Add(first, 1)) return false;
  }
  return true;
}

bool RowSet::Add(std::int64_t first, std::int64_t stride_i, std::uint64_t count_i,
                 std::int64_t stride_j, std::uint64_t count_j) {
  if (count_i == 0 || count_j == 0) return true;
  if (stride_i == 0) count_i = 1;
  if (stride_j == 0) count_j = 1;
  const auto is_unit = [](std::int64_t stride) { return stride == 1 || stride == -1; };
  if (is_unit(stride_i) && !is_unit(stride_j)) {
    std::swap(stride_i, stride_j);
    std::swap(count_i, count_j);
  }
  for (std::uint64_t i = 0; i < count_i; ++i, first += stride_i) {
    if (!Add(first, stride_j, count_j)) return false;
  }
  return true;
}

std::vector<Run> RowSet::Runs() const {
  std::vector<Run> runs;
  for (std::uint64_t w = dirty_begin_; w < dirty_end_; ++w) {
    std::uint64_t word = words_[w];
    while (word != 0) {
      const auto skip = static_cast<unsigned>(std::countr_zero(word));
      const auto ones = static_cast<unsigned>(std::countr_one(word >> skip));
      const std::uint64_t first = 64 * w + skip;
      if (!runs.empty() && runs.back().first + runs.back().count == first) {
        runs.back().count += ones;
      } else {
        runs.push_back({first, ones});
      }
      if (skip + ones == 64) break;
      word &= kAllOnes << (skip + ones);
    }
  }
  return runs;
}

void RowSet::Clear() {
  if (dirty_begin_ < dirty_end_) {
    std::fill(words_.begin() + static_cast<std::ptrdiff_t>(dirty_begin_),
              words_.begin() + static_cast<std::ptrdiff_t>(dirty_end_), 0);
  }
  dirty_begin_ = kAllOnes;
  dirty_end_ = 0;
  outside_.reset();
}

}  // namespace tpu::assembly
