// SPDX-License-Identifier: Apache-2.0
// Comparisons and conversions of numbers alone, against the processor's.
#include <gtest/gtest.h>

#include <limits>

#include "Vtpu_float_compare.h"
#include "Vtpu_float_from_int.h"
#include "Vtpu_float_to_bf16.h"
#include "Vtpu_float_to_int.h"
#include "float_reference.h"
#include "tb/dut.h"

namespace tpu::float_test {
namespace {

std::uint32_t BitsOf(float number) { return std::bit_cast<std::uint32_t>(number); }

/// Special values, and random ones near 1 or anywhere.
std::vector<std::uint32_t> Values(std::uint64_t seed, std::uint64_t random_values) {
  std::vector<std::uint32_t> values = SpecialValues();
  Random random(seed);
  for (std::uint64_t i = 0; i < random_values; ++i) values.push_back(random.Near(140));
  return values;
}

void CheckComparison(tb::Dut<Vtpu_float_compare>& dut, std::uint32_t a, std::uint32_t b) {
  dut->a = a;
  dut->b = b;
  dut->en = 1;
  dut.Tick();
  const float x = Number(a);
  const float y = Number(b);
  SCOPED_TRACE(fmt::format("{:08x} {:08x}", a, b));
  ASSERT_EQ(dut->less, x < y ? 1 : 0);
  ASSERT_EQ(dut->equal, x == y ? 1 : 0);
  // Zeros of both signs: and has the sign of the larger one, or that of the smaller one.
  const std::uint32_t larger = x == y ? BitsOf(x) & BitsOf(y) : BitsOf(x > y ? x : y);
  const std::uint32_t smaller = x == y ? BitsOf(x) | BitsOf(y) : BitsOf(x < y ? x : y);
  const bool nan = std::isnan(x) || std::isnan(y);
  ASSERT_EQ(dut->larger, nan ? kNan : larger);
  ASSERT_EQ(dut->smaller, nan ? kNan : smaller);
}

TEST(FloatCompare, SpecialValuesWithEachOther) {
  tb::Dut<Vtpu_float_compare> dut;
  for (const std::uint32_t a : SpecialValues()) {
    for (const std::uint32_t b : SpecialValues()) {
      CheckComparison(dut, a, b);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(FloatCompare, RandomValues) {
  const std::uint64_t seed = Seed(8);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  Random random(seed);
  tb::Dut<Vtpu_float_compare> dut;
  for (std::uint64_t i = 0; i < Cases(200'000); ++i) {
    const std::uint32_t a = random.Value();
    const std::uint32_t how = random.Bits() % 4;
    CheckComparison(dut, a, how == 0 ? a ^ 1 : how == 1 ? a : random.Near(Exponent(a)));
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(FloatCompare, HoldsItsResultWhileNotEnabled) {
  tb::Dut<Vtpu_float_compare> dut;
  CheckComparison(dut, 0x3F800000, 0x40000000);
  dut->en = 0;
  dut->a = 0x40400000;
  dut.Tick();
  EXPECT_EQ(dut->larger, 0x40000000U);
}

TEST(FloatFromInt, WhatTheProcessorConverts) {
  const std::uint64_t seed = Seed(9);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  Random random(seed);
  tb::Dut<Vtpu_float_from_int> dut;
  dut->finish = 1;
  const auto check = [&dut](std::int32_t value) {
    dut->en = 1;
    dut->value = static_cast<std::uint32_t>(value);
    dut.Tick();
    ASSERT_EQ(dut->result, BitsOf(static_cast<float>(value))) << value;
  };
  for (std::int32_t value = -70'000; value < 70'000; ++value) check(value);
  // Halves of the last bit, at each size
  for (int bit = 0; bit < 31; ++bit) {
    for (int lower = 0; lower <= bit; ++lower) {
      for (const std::int64_t delta : {-1, 0, 1}) {
        const std::int64_t size = (std::int64_t{1} << bit) + (std::int64_t{1} << lower) + delta;
        check(static_cast<std::int32_t>(size));
        check(static_cast<std::int32_t>(-size));
      }
    }
  }
  check(std::numeric_limits<std::int32_t>::min());
  check(std::numeric_limits<std::int32_t>::max());
  for (std::uint64_t i = 0; i < Cases(300'000); ++i) {
    check(static_cast<std::int32_t>(random.Bits()) >> random.Bits() % 32);
    if (::testing::Test::HasFatalFailure()) return;
  }
  dut->en = 0;
  const std::uint32_t last = dut->result;
  dut->value = 12345;
  dut.Tick();
  EXPECT_EQ(dut->result, last);
  dut->finish = 0;
  dut.Eval();
  EXPECT_EQ(dut->result, 0U);
}

TEST(FloatToInt, NearestIntegerOrTheLimit) {
  const std::uint64_t seed = Seed(10);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  tb::Dut<Vtpu_float_to_int> dut;
  dut->finish = 1;
  std::vector<std::uint32_t> values = Values(seed, Cases(300'000));
  // Halves, and what lies beside them, around what fits into int8
  for (int i = -600; i <= 600; ++i) {
    for (const int beside : {-1, 0, 1}) {
      values.push_back(BitsOf(static_cast<float>(i) / 4) + static_cast<std::uint32_t>(beside));
    }
  }
  for (const std::uint32_t bits : values) {
    for (const int bits_of_result : {8, 32}) {
      dut->en = 1;
      dut->to_int8 = bits_of_result == 8 ? 1 : 0;
      dut->value = bits;
      dut.Tick();
      const double limit = std::ldexp(1.0, bits_of_result - 1);
      const double rounded = std::nearbyint(static_cast<double>(Number(bits)));
      const double expected =
          std::isnan(rounded) ? 0 : std::fmax(-limit, std::fmin(limit - 1, rounded));
      ASSERT_EQ(static_cast<std::int32_t>(dut->result), static_cast<std::int32_t>(expected))
          << fmt::format("{:08x} to int{}", bits, bits_of_result);
    }
  }
  dut->en = 0;
  dut->value = 0x3F800000;
  const std::uint32_t last = dut->result;
  dut->to_int8 = 1;
  dut.Tick();
  EXPECT_EQ(dut->result, last);
  dut->finish = 0;
  dut.Eval();
  EXPECT_EQ(dut->result, 0U);
}

TEST(FloatToBf16, TheNearerNeighbour) {
  const std::uint64_t seed = Seed(11);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  tb::Dut<Vtpu_float_to_bf16> dut;
  std::vector<std::uint32_t> values = Values(seed, Cases(300'000));
  Random random(seed);
  for (std::uint32_t upper = 0; upper <= 0xFFFF; ++upper) {
    for (const std::uint32_t lower : {0U, 1U, 0x7FFFU, 0x8000U, 0x8001U, 0xFFFFU}) {
      values.push_back(upper << 16 | lower);
    }
    values.push_back(random.Value());
  }
  for (const std::uint32_t bits : values) {
    const float number = Number(bits);
    std::uint32_t expected = BitsOf(number) >> 16;
    if (std::isnan(number)) {
      expected = kNan >> 16;
    } else if (std::isfinite(number)) {
      // Neighbours towards zero and away from it; behind the largest one 2^128
      const double size = std::fabs(static_cast<double>(number));
      const double below = std::bit_cast<float>((expected & 0x7FFF) << 16);
      const bool largest = (expected & 0x7FFF) == 0x7F7F;
      const double above =
          largest ? 0x1p128 : std::bit_cast<float>(((expected & 0x7FFF) + 1) << 16);
      const bool tie = size - below == above - size;
      if (tie ? (expected & 1) != 0 : size - below > above - size) ++expected;
    }
    dut->en = 1;
    dut->value = bits;
    dut.Tick();
    ASSERT_EQ(dut->result, expected) << fmt::format("{:08x}", bits);
  }
  dut->en = 0;
  dut->value = 0x3F800000;
  const std::uint16_t last = dut->result;
  dut.Tick();
  EXPECT_EQ(dut->result, last);
}

}  // namespace
}  // namespace tpu::float_test
