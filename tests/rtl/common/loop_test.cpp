// SPDX-License-Identifier: Apache-2.0
// Loop counters and the strided address they drive, against plain nested loops.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

#include "Vloop_address_3.h"
#include "Vloop_address_5.h"
#include "Vloop_counter_3.h"
#include "Vloop_counter_5.h"
#include "tb/dut.h"

namespace tpu {
namespace {

template <typename Counter, typename Address, unsigned kLevels, unsigned kCountWidth,
          unsigned kAddressWidth>
struct Shape {
  using CounterModel = Counter;
  using AddressModel = Address;
  static constexpr unsigned kNumLevels = kLevels;
  static constexpr unsigned kCountBits = kCountWidth;
  static constexpr unsigned kAddressBits = kAddressWidth;
};

/// A nest and what the modules must show in each of its iterations. Loop 0 is the innermost.
template <typename S>
struct Nest {
  struct Iteration {
    std::uint32_t first_mask;
    std::uint32_t last_mask;
    std::uint64_t address;
  };

  explicit Nest(std::mt19937_64& rng) : base(rng() & kAddressMask) {
    for (unsigned l = 0; l < S::kNumLevels; ++l) {
      counts[l] = 1 + rng() % (rng() % 4 == 0 ? 1 : 4);
      strides[l] = rng() & kAddressMask;
    }
    std::array<std::uint64_t, S::kNumLevels> i{};
    Walk(S::kNumLevels, i);
  }

  void Walk(unsigned levels, std::array<std::uint64_t, S::kNumLevels>& i) {
    if (levels == 0) {
      Iteration now{0, 0, base};
      for (unsigned l = 0; l < S::kNumLevels; ++l) {
        if (i[l] == 0) now.first_mask |= 1U << l;
        if (i[l] == counts[l] - 1) now.last_mask |= 1U << l;
        now.address += i[l] * strides[l];
      }
      now.address &= kAddressMask;
      iterations.push_back(now);
      return;
    }
    for (i[levels - 1] = 0; i[levels - 1] < counts[levels - 1]; ++i[levels - 1]) {
      Walk(levels - 1, i);
    }
  }

  static std::uint64_t Pack(const std::array<std::uint64_t, S::kNumLevels>& values, unsigned bits) {
    std::uint64_t packed = 0;
    for (unsigned l = 0; l < S::kNumLevels; ++l) packed |= values[l] << (l * bits);
    return packed;
  }

  static constexpr std::uint64_t kAddressMask = (std::uint64_t{1} << S::kAddressBits) - 1;
  std::uint64_t base;
  std::array<std::uint64_t, S::kNumLevels> counts{};
  std::array<std::uint64_t, S::kNumLevels> strides{};
  std::vector<Iteration> iterations;
};

template <typename S>
class LoopBench {
 public:
  explicit LoopBench(std::uint64_t seed) : counter_(seed), address_(seed), rng_(seed) {
    counter_->load = counter_->step = address_->load = address_->step = 0;
  }

  void Run(int nests, double step_rate, double follow_rate) {
    std::bernoulli_distribution step(step_rate);
    // Whether the next nest is loaded with the last step or later.
    std::bernoulli_distribution follow(follow_rate);
    Nest<S> nest(rng_);
    Load(nest);
    for (int n = 1; n <= nests; ++n) {
      const Nest<S> next(rng_);
      bool loaded = false;
      for (std::size_t i = 0; i < nest.iterations.size(); ++i) {
        while (!step(rng_)) Tick(false);
        Check(nest, i);
        if (::testing::Test::HasFatalFailure()) return;
        loaded = i + 1 == nest.iterations.size() && follow(rng_);
        Tick(true, loaded ? &next : nullptr);
      }
      if (!loaded) Load(next);
      nest = next;
    }
  }

 private:
  void Load(const Nest<S>& nest) { Tick(false, &nest); }

  void Tick(bool step, const Nest<S>* load = nullptr) {
    counter_->step = address_->step = step ? 1 : 0;
    counter_->load = address_->load = load != nullptr ? 1 : 0;
    // Without a load the counts and the base mean nothing.
    counter_->counts = load != nullptr ? Nest<S>::Pack(load->counts, S::kCountBits) : rng_() >> 4;
    address_->base = static_cast<std::remove_cvref_t<decltype(address_->base)>>(
        load != nullptr ? load->base : rng_() & Nest<S>::kAddressMask);
    address_->level = counter_->level;
    counter_.Tick();
    address_.Tick();
    counter_->step = address_->step = counter_->load = address_->load = 0;
    if (load != nullptr) address_->strides = Nest<S>::Pack(load->strides, S::kAddressBits);
  }

  void Check(const Nest<S>& nest, std::size_t i) {
    const auto& expected = nest.iterations[i];
    ASSERT_EQ(counter_->first_mask, expected.first_mask) << "iteration " << i;
    ASSERT_EQ(counter_->last_mask, expected.last_mask) << "iteration " << i;
    const bool last = i + 1 == nest.iterations.size();
    ASSERT_EQ(counter_->last != 0, last) << "iteration " << i;
    address_.Eval();
    ASSERT_EQ(address_->addr, expected.address) << "iteration " << i;
    if (last) return;
    // The loop whose count changes: all inside it are at their last iteration.
    unsigned level = 0;
    while ((expected.last_mask >> level & 1) != 0) ++level;
    ASSERT_EQ(counter_->level, level) << "iteration " << i;
  }

  tb::Dut<typename S::CounterModel> counter_;
  tb::Dut<typename S::AddressModel> address_;
  std::mt19937_64 rng_;
};

template <typename S>
class Loops : public ::testing::Test {};
using Shapes = ::testing::Types<Shape<Vloop_counter_3, Vloop_address_3, 3, 16, 20>,
                                Shape<Vloop_counter_5, Vloop_address_5, 5, 12, 12>>;
TYPED_TEST_SUITE(Loops, Shapes);

TYPED_TEST(Loops, MatchPlainLoops) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    LoopBench<TypeParam> bench(seed);
    bench.Run(20, seed % 2 == 0 ? 1.0 : 0.5, seed % 3 == 0 ? 1.0 : 0.5);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace tpu
