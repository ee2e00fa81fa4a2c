// SPDX-License-Identifier: Apache-2.0
// tpu_float_fma alone against the processor's arithmetic.
#include <gtest/gtest.h>

#include <deque>

#include "Vtpu_float_fma.h"
#include "float_reference.h"
#include "tb/dut.h"

namespace tpu::float_test {
namespace {

constexpr std::uint32_t kOne = 0x3F800000;
constexpr std::uint32_t kMinusZero = 0x80000000;

struct Operands {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
  bool valid = true;
};

/// Gives the pipeline one operation in every cycle.
class Pipeline {
 public:
  void Check(const Operands& given) {
    stages_.push_front(given);
    dut_->a = given.a;
    dut_->b = given.b;
    dut_->c = given.c;
    int en = 0;
    for (int stage = 0; stage < 4; ++stage) {
      en |= stages_[static_cast<std::size_t>(stage)].valid ? 1 << stage : 0;
    }
    dut_->en = static_cast<std::uint8_t>(en);
    dut_.Tick();
    const Operands out = stages_[3];
    stages_.pop_back();
    if (!out.valid) return;
    ASSERT_EQ(dut_->result, Fma(out.a, out.b, out.c))
        << fmt::format("{:08x} * {:08x} + {:08x} = {:08x}, not {:08x}", out.a, out.b, out.c,
                       Fma(out.a, out.b, out.c), dut_->result);
  }
  void Empty() {
    for (int i = 0; i < 4; ++i) Check({.valid = false});
  }

 private:
  tb::Dut<Vtpu_float_fma> dut_;
  std::deque<Operands> stages_ = std::deque<Operands>(3, Operands{.valid = false});
};

TEST(FloatFma, SpecialValuesWithEachOther) {
  Pipeline pipeline;
  for (const std::uint32_t a : SpecialValues()) {
    for (const std::uint32_t b : SpecialValues()) {
      for (const std::uint32_t c : SpecialValues()) {
        pipeline.Check({a, b, c});
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
  pipeline.Empty();
}

TEST(FloatFma, RandomValues) {
  const std::uint64_t seed = Seed(5);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  Random random(seed);
  Pipeline pipeline;
  for (std::uint64_t i = 0; i < Cases(1'000'000); ++i) {
    const std::uint32_t a = random.Value();
    const std::uint32_t b = random.Near(127);
    pipeline.Check({a, b, random.Near(Exponent(a) + Exponent(b) - 127), (random.Bits() & 7) != 0});
    if (::testing::Test::HasFatalFailure()) return;
  }
  pipeline.Empty();
}

// c is what the product is in float, so that the part of it which float cannot hold is left.
TEST(FloatFma, ProductsThatCancel) {
  const std::uint64_t seed = Seed(6);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  Random random(seed);
  Pipeline pipeline;
  for (std::uint64_t i = 0; i < Cases(1'000'000); ++i) {
    const std::uint32_t a = random.Value();
    const std::uint32_t b = random.Near(127);
    const std::uint32_t product = Fma(a, b, kMinusZero);
    pipeline.Check({a, b, (product ^ kMinusZero) + random.Bits() % 3 - 1});
    if (::testing::Test::HasFatalFailure()) return;
  }
  pipeline.Empty();
}

TEST(FloatFma, ProductsAndSums) {
  const std::uint64_t seed = Seed(7);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  Random random(seed);
  Pipeline pipeline;
  for (std::uint64_t i = 0; i < Cases(200'000); ++i) {
    const std::uint32_t a = random.Value();
    // Products on either side of the smallest and of the largest number
    pipeline.Check({a,
                    random.Near((random.Bits() & 1) != 0 ? 128 - Exponent(a) : 381 - Exponent(a)),
                    kMinusZero});
    pipeline.Check({a, kOne, random.Near(Exponent(a))});
    if (::testing::Test::HasFatalFailure()) return;
  }
  pipeline.Empty();
}

}  // namespace
}  // namespace tpu::float_test
