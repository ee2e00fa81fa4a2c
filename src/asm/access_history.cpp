// SPDX-License-Identifier: Apache-2.0
#include "asm/access_history.h"

#include <algorithm>

namespace tpu::assembly {

void RowHistory::Record(std::span<const Run> runs, std::uint32_t ordinal) {
  for (const Run& run : runs) {
    std::fill_n(last_.begin() + static_cast<std::ptrdiff_t>(run.first), run.count, ordinal);
  }
}

std::optional<LastAccess> RowHistory::FindAfter(std::span<const Run> runs,
                                                std::uint32_t ordinal) const {
  for (const Run& run : runs) {
    const auto rows = std::span(last_).subspan(run.first, run.count);
    std::uint32_t latest = 0;  // A reduction without early exit: compilers vectorise it.
    for (const std::uint32_t o : rows) latest = std::max(latest, o);
    if (latest <= ordinal) continue;
    const auto it = std::find_if(rows.begin(), rows.end(), [&](auto o) { return o > ordinal; });
    return LastAccess{run.first + static_cast<std::uint64_t>(it - rows.begin()), *it};
  }
  return std::nullopt;
}

void ByteHistory::Assign(std::uint64_t begin, std::uint64_t end, std::uint32_t ordinal) {
  auto it = intervals_.upper_bound(begin);
  if (it != intervals_.begin()) {
    auto before = std::prev(it);
    const Interval old = before->second;
    if (old.end > begin) {
      if (old.end > end) intervals_.emplace_hint(it, end, old);
      if (before->first == begin) {
        it = intervals_.erase(before);
      } else {
        before->second.end = begin;
      }
    }
  }
  it = intervals_.lower_bound(begin);
  while (it != intervals_.end() && it->first < end) {
    const Interval old = it->second;
    it = intervals_.erase(it);
    if (old.end > end) it = intervals_.emplace_hint(it, end, old);
  }
  intervals_.emplace_hint(it, begin, Interval{end, ordinal});
}

void ByteHistory::Record(std::span<const Run> runs, std::uint32_t ordinal) {
  for (const Run& run : runs) Assign(run.first, run.first + run.count, ordinal);
}

std::optional<LastAccess> ByteHistory::FindAfter(std::span<const Run> runs,
                                                 std::uint32_t ordinal) const {
  for (const Run& run : runs) {
    auto it = intervals_.upper_bound(run.first);
    if (it != intervals_.begin() && std::prev(it)->second.end > run.first) --it;
    for (; it != intervals_.end() && it->first < run.first + run.count; ++it) {
      if (it->second.ordinal > ordinal) {
        return LastAccess{std::max(it->first, run.first), it->second.ordinal};
      }
    }
  }
  return std::nullopt;
}

}  // namespace tpu::assembly
