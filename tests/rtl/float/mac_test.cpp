// SPDX-License-Identifier: Apache-2.0
// tpu_mac_bf16 alone against the processor's arithmetic.
#include <gtest/gtest.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include <deque>

#include "Vtpu_mac_bf16.h"
#include "float_reference.h"
#include "tb/dut.h"

namespace tpu::float_test {
namespace {

constexpr std::uint32_t kPsumMask = 0xFFFFF;

struct Step {
  bool valid = true;
  bool bf16 = true;
  std::uint16_t a = 0;
  std::uint16_t w = 0;
  std::uint32_t p = 0;
};

std::uint32_t Upper(std::uint16_t bf16) { return static_cast<std::uint32_t>(bf16) << 16; }

std::uint32_t Expected(const Step& s) {
  if (s.bf16) return Fma(Upper(s.a), Upper(s.w), s.p);
  const int product = static_cast<std::int8_t>(s.a) * static_cast<std::int8_t>(s.w);
  return (s.p + static_cast<std::uint32_t>(product)) & kPsumMask;
}

/// What the multiplier takes of an activation, as tpu_array gives it to its elements.
std::uint16_t Factor(const Step& s) {
  std::uint16_t top = (s.a & 0x80) != 0 ? 3 : 0;
  if (s.bf16 && s.valid) top = 1;
  return static_cast<std::uint16_t>(top << 7 | (s.a & 0x7F));
}

/// Gives an element a step in every cycle, each with a new weight.
class Element {
 public:
  Element() {
    dut_->shift_in = 1;
    dut_->swap = 1;
    dut_->weights_en = 1;
    dut_.Reset();
  }

  /// `s` in this cycle. Returns the sum that comes out in it, and keeps what it belongs to in
  /// last().
  std::uint32_t Give(const Step& s) {
    // The weight is in the shadow register a cycle before the activation comes, and p a cycle after
    // the activation.
    dut_->w_in = s.w;
    dut_->a_in = Factor(steps_[0]);
    dut_->scale_in = static_cast<std::uint16_t>(steps_[0].a >> 7);
    dut_->p_in = steps_[1].p;
    // Another element of the row may need it.
    dut_->float_en = (others_.Bits() & 1) != 0 || InUse(0) || InUse(1) || InUse(2) || InUse(3);
    dut_.Tick();
    steps_.push_front(s);
    last_ = steps_[5 - 1];
    steps_.pop_back();
    return dut_->p_out;
  }
  [[nodiscard]] const Step& last() const { return last_; }
  Vtpu_mac_bf16* operator->() { return &*dut_; }

 private:
  [[nodiscard]] bool InUse(std::size_t stage) const {
    return steps_[stage].valid && steps_[stage].bf16;
  }

  tb::Dut<Vtpu_mac_bf16> dut_;
  Random others_ = Random(5);
  // Those of one, two, ... cycles ago
  std::deque<Step> steps_ = std::deque<Step>(4, Step{.valid = false});
  Step last_;
};

void Check(Element& element, const Step& given) {
  const std::uint32_t sum = element.Give(given);
  const Step& s = element.last();
  if (!s.valid) return;
  ASSERT_EQ(sum, Expected(s)) << fmt::format("{}: {:08x} + {:04x} * {:04x} = {:08x}, not {:08x}",
                                             s.bf16 ? "bf16" : "int8", s.p, s.a, s.w, Expected(s),
                                             sum);
}

TEST(MacBf16, SpecialValuesWithEachOther) {
  std::vector<std::uint16_t> operands;
  for (const std::uint32_t value : SpecialValues())
    operands.push_back(static_cast<std::uint16_t>(value >> 16));
  Element element;
  for (const std::uint16_t a : operands) {
    for (const std::uint16_t w : operands) {
      for (const std::uint32_t p : SpecialValues()) {
        Check(element, {.a = a, .w = w, .p = p});
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
  for (int i = 0; i < 4; ++i) Check(element, {});
}

Step RandomStep(Random& random) {
  const auto a = static_cast<std::uint16_t>(random.Value() >> 16);
  const auto w = static_cast<std::uint16_t>(random.Near(127) >> 16);
  const int exponent = Exponent(Upper(a)) + Exponent(Upper(w)) - 127;
  return {.a = a, .w = w, .p = random.Near(exponent)};
}

TEST(MacBf16, RandomValues) {
  const std::uint64_t seed = Seed(2);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  Random random(seed);
  Element element;
  for (std::uint64_t i = 0; i < Cases(1'000'000); ++i) {
    Check(element, RandomStep(random));
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(MacBf16, FormatsInAnyOrderWithGaps) {
  const std::uint64_t seed = Seed(3);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  Random random(seed);
  Element element;
  for (std::uint64_t i = 0; i < Cases(200'000); ++i) {
    Step step = RandomStep(random);
    step.bf16 = (random.Bits() & 1) != 0;
    step.valid = (random.Bits() & 3) != 0;
    if (!step.bf16) step.a = static_cast<std::uint16_t>(random.Bits());
    if (!step.bf16) step.w = static_cast<std::uint16_t>(random.Bits());
    Check(element, step);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(MacBf16, Int8ProductsInFull) {
  Element element;
  for (int a = -128; a < 128; ++a) {
    for (int w = -128; w < 128; ++w) {
      for (const std::uint32_t p : {0U, 0x7FFFFU, 0x80000U}) {
        Check(element, {.bf16 = false,
                        .a = static_cast<std::uint16_t>(a),
                        .w = static_cast<std::uint16_t>(w),
                        .p = p});
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(MacBf16, WeightsAndActivationsTravel) {
  tb::Dut<Vtpu_mac_bf16> dut;
  dut->shift_in = 0;
  dut.Reset();
  dut->float_en = 1;
  dut->weights_en = 1;
  dut->a_in = 0x123;
  dut->scale_in = 0x1A5;
  dut->w_in = 0x5678;
  dut->shift_in = 1;
  dut.Tick();
  EXPECT_EQ(dut->a_out, 0x123);
  EXPECT_EQ(dut->scale_out, 0x1A5);
  EXPECT_EQ(dut->shift_out, 1);
  dut->float_en = 0;
  dut->a_in = 0x0CB;
  dut->scale_in = 0x05A;
  dut->w_in = 0x8765;
  dut->shift_in = 0;
  dut.Tick();
  EXPECT_EQ(dut->a_out, 0x0CB);
  EXPECT_EQ(dut->scale_out, 0x1A5) << "an int8 activation has none";
  EXPECT_EQ(dut->shift_out, 0);
  dut.Tick();
  EXPECT_EQ(dut->w_out, 0x5678);
  for (int i = 0; i < 5; ++i) dut.Tick();
  EXPECT_EQ(dut->w_out, 0x5678);
  dut->weights_en = 0;
  dut->shift_in = 1;
  for (int i = 0; i < 5; ++i) dut.Tick();
  EXPECT_EQ(dut->w_out, 0x5678);
  EXPECT_EQ(dut->shift_out, 0);
}

// Each weight comes out three cycles after it went in.
TEST(MacBf16, WeightsFollowEachOther) {
  tb::Dut<Vtpu_mac_bf16> dut;
  dut->shift_in = 0;
  dut.Reset();
  dut->weights_en = dut->shift_in = 1;
  for (std::uint16_t cycle = 0; cycle < 20; ++cycle) {
    dut->w_in = static_cast<std::uint16_t>(0x1357 * cycle);
    dut.Tick();
    if (cycle >= 2) EXPECT_EQ(dut->w_out, static_cast<std::uint16_t>(0x1357 * (cycle - 2)));
  }
  dut.Reset(1);
  EXPECT_EQ(dut->shift_out, 0);
}

TEST(MacBf16, KeepsItsWeightUntilTheNextSwap) {
  tb::Dut<Vtpu_mac_bf16> dut;
  dut->shift_in = dut->swap = dut->float_en = 0;
  dut->a_in = 7;
  dut->p_in = 0;
  dut.Reset();
  dut->weights_en = 1;
  const auto product = [&dut](std::uint16_t weight, bool swap) {
    dut->w_in = weight;
    dut->shift_in = 1;
    dut.Tick();
    dut->shift_in = 0;
    dut->swap = swap ? 1 : 0;
    dut.Tick();
    dut->swap = 0;
    for (int i = 0; i < 6; ++i) dut.Tick();
    return dut->p_out & kPsumMask;
  };
  EXPECT_EQ(product(3, true), 21U);
  EXPECT_EQ(product(5, false), 21U);
  EXPECT_EQ(product(5, true), 35U);
}

#ifdef __x86_64__
// A pair of which one product is zero: c + a * b, rounded once, subnormal numbers flushed.
__attribute__((target("avx512bf16,avx512vl"))) std::uint32_t Dot(std::uint16_t a, std::uint16_t b,
                                                                 std::uint32_t c) {
  const __m128 sum = _mm_dpbf16_ps(_mm_castsi128_ps(_mm_set1_epi32(static_cast<int>(c))),
                                   (__m128bh)_mm_set1_epi32(a), (__m128bh)_mm_set1_epi32(b));
  return static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm_castps_si128(sum)));
}

TEST(MacBf16, ReferenceIsWhatVdpbf16psComputes) {
  if (!__builtin_cpu_supports("avx512bf16")) GTEST_SKIP() << "the processor has no avx512_bf16";
  const std::uint64_t seed = Seed(4);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  Random random(seed);
  for (std::uint64_t i = 0; i < 10 * Cases(1'000'000); ++i) {
    const Step s = RandomStep(random);
    const std::uint32_t dot = Dot(s.a, s.w, s.p);
    const std::uint32_t expected = Expected(s);
    if ((dot & 0x7FFFFFFF) > 0x7F800000) {
      ASSERT_EQ(expected, kNan);
    } else if ((dot & 0x7FFFFFFF) == 0) {
      ASSERT_EQ(expected & 0x7FFFFFFF, 0U);
    } else {
      ASSERT_EQ(expected, dot) << fmt::format("{:08x} + {:04x} * {:04x}", s.p, s.a, s.w);
    }
  }
}
#endif

}  // namespace
}  // namespace tpu::float_test
