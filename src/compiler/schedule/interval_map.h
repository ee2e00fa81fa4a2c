// SPDX-License-Identifier: Apache-2.0
// A value for every place of one memory.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

namespace tpu::compiler {

/// Maps places to values, as disjoint intervals that are split where accesses begin and end.
template <typename Value>
class IntervalMap {
 public:
  /// Calls visit(Value&) for intervals that together are exactly [begin, end).
  template <typename Visitor>
  void Visit(std::uint64_t begin, std::uint64_t end, Visitor visit) {
    Split(begin);
    Split(end);
    for (auto it = starts_.find(begin); it->first < end; ++it) visit(it->second);
  }

  /// Makes [begin, end), which is not empty, one interval with this value.
  void Assign(std::uint64_t begin, std::uint64_t end, Value value) {
    Split(begin);
    Split(end);
    starts_.erase(starts_.find(begin), starts_.find(end));
    starts_[begin] = std::move(value);
  }

 private:
  /// Makes an interval begin at `place`.
  void Split(std::uint64_t place) {
    auto after = starts_.upper_bound(place);
    const auto covering = std::prev(after);
    if (covering->first != place) starts_.emplace_hint(after, place, covering->second);
  }

  std::map<std::uint64_t, Value> starts_ = {{0, Value{}}};  // Each reaches up to the next one.
};

}  // namespace tpu::compiler
