// SPDX-License-Identifier: Apache-2.0
#include "asm/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace tpu::assembly {
namespace {

struct Semaphore {
  std::vector<std::size_t> posts;  ///< Program indices.
  std::vector<std::size_t> waits;
};

/// Calls visit(number) for every semaphore in the mask.
template <typename Visit>
void ForEachSemaphore(std::uint32_t mask, Visit&& visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<std::size_t>(std::countr_zero(mask)));
}

class OrderFinder {
 public:
  OrderFinder(std::span<const isa::Instruction> program, std::vector<Finding>& findings)
      : program_(program), findings_(findings), semaphores_(isa::kNumSemaphores) {}

  Order Run() {
    order_.ordinal.reserve(program_.size());
    order_.at_start.reserve(program_.size());
    for (std::size_t i = 0; i < program_.size(); ++i) Step(i);
    return std::move(order_);
  }

 private:
  void Step(std::size_t i) {
    const std::size_t unit = UnitIndex(program_[i]);
    std::vector<std::size_t>& own = order_.index_of[unit];
    // An instruction starts after its predecessor, so it knows at least as much.
    Clock clock = own.empty() ? Clock{} : order_.at_start[own.back()];
    const isa::Semaphores& semaphores = isa::SemaphoresOf(program_[i]);
    ForEachSemaphore(semaphores.wait, [&](std::size_t s) { Wait(i, s, clock); });
    ForEachSemaphore(semaphores.post, [&](std::size_t s) { Post(i, s); });
    own.push_back(i);
    order_.ordinal.push_back(static_cast<std::uint32_t>(own.size()));
    order_.at_start.push_back(clock);
  }

  void Wait(std::size_t i, std::size_t s, Clock& clock) {
    Semaphore& semaphore = semaphores_[s];
    CheckUnit(i, s, semaphore.waits, "waits for");
    semaphore.waits.push_back(i);
    if (semaphore.waits.size() > semaphore.posts.size()) {
      findings_.push_back(
          {Rule::kSemaphores, i, i,
           fmt::format("waits for semaphore {} for the {}. time, but earlier instructions "
                       "post it {} times",
                       s, semaphore.waits.size(), semaphore.posts.size())});
      return;
    }
    const std::size_t poster = semaphore.posts[semaphore.waits.size() - 1];
    const Clock& known = order_.at_start[poster];
    for (std::size_t u = 0; u < isa::kNumUnits; ++u) clock[u] = std::max(clock[u], known[u]);
    std::uint32_t& completed = clock[UnitIndex(program_[poster])];
    completed = std::max(completed, order_.ordinal[poster]);
  }

  void Post(std::size_t i, std::size_t s) {
    Semaphore& semaphore = semaphores_[s];
    CheckUnit(i, s, semaphore.posts, "posts");
    semaphore.posts.push_back(i);
    if (semaphore.posts.size() - std::min(semaphore.posts.size(), semaphore.waits.size()) >
        isa::kMaxUnmetPosts) {
      findings_.push_back({Rule::kSemaphores, i, i,
                           fmt::format("posts semaphore {} above {}", s, isa::kMaxUnmetPosts)});
    }
  }

  /// A semaphore's users on one side must be of one unit.
  void CheckUnit(std::size_t i, std::size_t s, const std::vector<std::size_t>& users,
                 std::string_view verb) {
    if (users.empty() || UnitIndex(program_[users.front()]) == UnitIndex(program_[i])) return;
    findings_.push_back(
        {Rule::kSemaphores, i, users.front(),
         fmt::format("{} semaphore {}, which {} {} too: use a semaphore of its own", verb, s,
                     isa::Mnemonic(isa::OpcodeOf(program_[users.front()])), verb)});
  }

  std::span<const isa::Instruction> program_;
  std::vector<Finding>& findings_;
  std::vector<Semaphore> semaphores_;
  Order order_;
};

}  // namespace

Order FindOrder(std::span<const isa::Instruction> program, std::vector<Finding>& findings) {
  return OrderFinder(program, findings).Run();
}

}  // namespace tpu::assembly
