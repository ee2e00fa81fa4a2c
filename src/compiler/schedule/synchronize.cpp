// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/synchronize.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <vector>

#include "base/error.h"
#include "compiler/schedule/interval_map.h"

namespace tpu::compiler {
namespace {

// Each reason to wait has a range of semaphore numbers (docs/isa.md, 2).
enum class WaitClass : std::uint8_t { kInput, kDependence, kSpace, kOther };
constexpr unsigned kSemaphoresPerClass = 8;

constexpr std::int64_t kNone = -1;

// One T for each unit.
template <typename T>
constexpr std::array<T, isa::kNumUnits> ForEachUnit(const T& value) {
  std::array<T, isa::kNumUnits> values{};
  values.fill(value);
  return values;
}

// The last writer and each unit's last reader of a place, as instruction indices.
struct Users {
  std::int64_t writer = kNone;
  std::array<std::int64_t, isa::kNumUnits> reader = ForEachUnit(kNone);
};

constexpr std::size_t Index(isa::Unit unit) { return static_cast<std::size_t>(unit); }
constexpr std::size_t Index(Space space) { return static_cast<std::size_t>(space); }

// For each unit the last instruction known to have completed; kNone: none.
using Clock = std::array<std::int64_t, isa::kNumUnits>;
constexpr Clock kStart = ForEachUnit(kNone);

void Advance(Clock& clock, const Clock& other) {
  for (std::size_t u = 0; u < isa::kNumUnits; ++u) clock[u] = std::max(clock[u], other[u]);
}

// The instructions of each unit that an instruction must come after, and why.
struct Requirements {
  Clock after = kStart;
  std::array<bool, isa::kNumUnits> reads_result = {};

  void Add(std::size_t unit, std::int64_t index, bool reads) {
    if (index > after[unit]) {
      after[unit] = index;
      reads_result[unit] = reads;
    } else if (index == after[unit]) {
      reads_result[unit] = reads_result[unit] || reads;
    }
  }
};

class Synchronizer {
 public:
  explicit Synchronizer(std::vector<SequentialInstruction>& program) : program_(program) {}

  void Run() {
    const std::size_t size = program_.size();
    units_.reserve(size);
    complete_.reserve(size);
    for (std::size_t i = 0; i < size; ++i) {
      units_.push_back(Index(isa::UnitOf(isa::OpcodeOf(program_[i].instruction))));
      Order(i, Require(i));
      last_of_unit_[units_[i]] = i;
    }
  }

 private:
  // Conflicts of instruction i with earlier ones. From here on the instruction is the last user of
  // what it accesses.
  Requirements Require(std::size_t i) {
    const auto index = static_cast<std::int64_t>(i);
    const std::size_t unit = units_[i];
    Requirements requirements;
    for (const Access& access : program_[i].accesses) {
      if (access.write) continue;
      spaces_[Index(access.space)].Visit(access.begin, access.end, [&](Users& users) {
        RequireWriter(requirements, unit, access, users);
        users.reader[unit] = index;
      });
    }
    // Behind its reads, so that the instruction does not come after itself.
    for (const Access& access : program_[i].accesses) {
      if (!access.write || access.begin >= access.end) continue;
      IntervalMap<Users>& map = spaces_[Index(access.space)];
      map.Visit(access.begin, access.end, [&](const Users& users) {
        RequireWriter(requirements, unit, access, users);
        for (std::size_t u = 0; u < isa::kNumUnits; ++u) {
          if (u != unit && users.reader[u] != kNone) requirements.Add(u, users.reader[u], false);
        }
      });
      map.Assign(access.begin, access.end, Users{.writer = index});
    }
    return requirements;
  }

  void RequireWriter(Requirements& requirements, std::size_t unit, const Access& access,
                     const Users& users) const {
    if (users.writer == kNone) return;
    const std::size_t writer = units_[static_cast<std::size_t>(users.writer)];
    // Within a unit only a vector instruction that reads what another one wrote needs ordering.
    const bool ordered = writer == unit && (access.write || unit != Index(isa::Unit::kVector));
    if (!ordered) requirements.Add(writer, users.writer, !access.write);
  }

  // Gives instruction i the waits that its unit's earlier waits and the other new ones do not
  // imply.
  void Order(std::size_t i, const Requirements& requirements) {
    Clock& started = started_[units_[i]];
    Clock clock = started;
    for (std::size_t u = 0; u < isa::kNumUnits; ++u) {
      if (requirements.after[u] > started[u] && !Implied(requirements, u)) {
        Advance(clock, complete_[Connect(u, requirements, i)]);
      }
    }
    started = clock;
    clock[units_[i]] = static_cast<std::int64_t>(i);
    complete_.push_back(clock);
  }

  [[nodiscard]] bool Implied(const Requirements& requirements, std::size_t unit) const {
    for (std::size_t u = 0; u < isa::kNumUnits; ++u) {
      const std::int64_t other = requirements.after[u];
      if (u != unit && other != kNone &&
          complete_[static_cast<std::size_t>(other)][unit] >= requirements.after[unit]) {
        return true;
      }
    }
    return false;
  }

  // Returns the instruction that posts.
  std::size_t Connect(std::size_t poster_unit, const Requirements& requirements,
                      std::size_t waiter) {
    WaitClass wait_class = WaitClass::kSpace;
    if (requirements.reads_result[poster_unit]) {
      wait_class =
          poster_unit == Index(isa::Unit::kLoad) ? WaitClass::kInput : WaitClass::kDependence;
    }
    Channel& channel = ChannelOf(poster_unit, units_[waiter], wait_class);
    auto poster = static_cast<std::size_t>(requirements.after[poster_unit]);
    if (channel.UnmetPosts(poster) == isa::kMaxUnmetPosts) {
      // One more post would not fit. The last one that fits says that the unit has completed all
      // that it has before the waiter: the next post then comes after this wait.
      poster = last_of_unit_[poster_unit];
    }
    channel.waits.push_back(waiter);
    isa::SemaphoresOf(program_[poster].instruction).post |= 1U << channel.semaphore;
    isa::SemaphoresOf(program_[waiter].instruction).wait |= 1U << channel.semaphore;
    return poster;
  }

  // One semaphore for each pair of units and class. Waits of a pair are for ever later posts, so
  // the k-th wait meets the k-th post.
  struct Channel {
    unsigned semaphore = 0;
    std::vector<std::size_t> waits;  // Instruction indices, one for each post.

    // Posts without their waits after one more at this instruction, in program order.
    [[nodiscard]] std::size_t UnmetPosts(std::size_t poster) const {
      const auto unmet = std::ranges::lower_bound(waits, poster);
      return static_cast<std::size_t>(waits.end() - unmet) + 1;
    }
  };

  Channel& ChannelOf(std::size_t poster, std::size_t waiter, WaitClass wait_class) {
    const auto [at, added] = channels_.try_emplace(std::tuple(poster, waiter, wait_class));
    if (added) {
      auto holder = static_cast<std::size_t>(wait_class);
      if (used_[holder] == kSemaphoresPerClass) {
        holder = static_cast<std::size_t>(WaitClass::kOther);
      }
      if (used_[holder] == kSemaphoresPerClass) {
        throw InternalError("the program needs more semaphores than there are");
      }
      at->second.semaphore = static_cast<unsigned>(holder) * kSemaphoresPerClass + used_[holder]++;
    }
    return at->second;
  }

  std::vector<SequentialInstruction>& program_;
  std::array<IntervalMap<Users>, kNumSpaces> spaces_;
  std::vector<std::size_t> units_;
  std::array<std::size_t, isa::kNumUnits> last_of_unit_ = {};
  std::vector<Clock>
      complete_;  // By instruction: the instructions that have completed when this one has.
  std::array<Clock, isa::kNumUnits> started_ = ForEachUnit(kStart);
  std::map<std::tuple<std::size_t, std::size_t, WaitClass>, Channel> channels_;
  std::array<unsigned, 4> used_ = {};
};

}  // namespace

void Synchronize(std::vector<SequentialInstruction>& program) { Synchronizer(program).Run(); }

}  // namespace tpu::compiler
