// SPDX-License-Identifier: Apache-2.0
// A value for every place of one memory.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <memory_resource>
#include <utility>

namespace tpu::compiler {

/// Maps places to values, as disjoint intervals that are split where accesses begin and end.
template <typename Value>
class IntervalMap {
 public:
  /// Calls visit(Value&) for intervals that together are exactly [begin, end).
  template <typename Visitor>
  void Visit(std::uint64_t begin, std::uint64_t end, Visitor visit) {
    if (begin >= end) return;
    const auto last = Split(end);
    for (auto it = Split(begin); it != last; ++it) visit(it->second);
  }

  /// Makes [begin, end), which is not empty, one interval with this value.
  void Assign(std::uint64_t begin, std::uint64_t end, Value value) {
    const auto last = Split(end);
    const auto first = Split(begin);
    first->second = std::move(value);
    starts_.erase(std::next(first), last);
  }

 private:
  using Starts = std::pmr::map<std::uint64_t, Value>;

  /// Makes an interval begin at `place`.
  typename Starts::iterator Split(std::uint64_t place) {
    const auto after = starts_.upper_bound(place);
    const auto covering = std::prev(after);
    if (covering->first == place) return covering;
    return starts_.emplace_hint(after, place, covering->second);
  }

  std::pmr::unsynchronized_pool_resource memory_;
  Starts starts_{{{0, Value{}}}, &memory_};  // Each reaches up to the next one.
};

}  // namespace tpu::compiler
