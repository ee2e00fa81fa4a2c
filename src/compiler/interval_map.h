// The last writer and the last readers of every place of one memory.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <map>

namespace tpu::compiler {

inline constexpr std::size_t kNumUnits = 6;
inline constexpr std::int64_t kNone = -1;

/// Instruction indices; kNone where there is none.
struct Users {
  std::int64_t writer = kNone;
  std::array<std::int64_t, kNumUnits> reader = {kNone, kNone, kNone, kNone, kNone, kNone};
};

/// Maps places to their users, as disjoint intervals that are split where accesses begin and end.
class IntervalMap {
 public:
  /// Calls visit(Users&) for intervals that together are exactly [begin, end).
  template <typename Visitor>
  void Visit(std::uint64_t begin, std::uint64_t end, Visitor visit) {
    Split(begin);
    Split(end);
    for (auto it = starts_.find(begin); it->first < end; ++it) visit(it->second);
  }

  /// Makes [begin, end) one interval with these users.
  void Assign(std::uint64_t begin, std::uint64_t end, const Users& users) {
    Split(begin);
    Split(end);
    starts_.erase(starts_.find(begin), starts_.find(end));
    starts_[begin] = users;
  }

 private:
  /// Makes an interval begin at `place`.
  void Split(std::uint64_t place) {
    auto after = starts_.upper_bound(place);
    const auto covering = std::prev(after);
    if (covering->first != place) starts_.emplace_hint(after, place, covering->second);
  }

  std::map<std::uint64_t, Users> starts_ = {{0, Users{}}};  // Each reaches up to the next one.
};

}  // namespace tpu::compiler
