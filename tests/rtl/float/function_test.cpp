// SPDX-License-Identifier: Apache-2.0
// tpu_float_function alone against the golden model, to the bit.
#include <gtest/gtest.h>

#include <array>
#include <deque>

#include "Vtpu_float_function.h"
#include "arithmetic/float/float32.h"
#include "arithmetic/float/float_functions.h"
#include "float_reference.h"
#include "tb/dut.h"

namespace tpu::float_test {
namespace {

struct Function {
  const char* name;
  int number;
  float (*golden)(float);
  /// Steps, and so cycles for a number on average
  int steps;
};

constexpr std::array kFunctions = {
    Function{"exp", 1, arithmetic::Exp, 8},
    Function{"log", 2, arithmetic::Log, 5},
    Function{"reciprocal", 3, arithmetic::Reciprocal, 4},
    Function{"rsqrt", 4, arithmetic::ReciprocalSquareRoot, 4},
    Function{"tanh", 5, arithmetic::Tanh, 6},
    Function{"logistic", 6, arithmetic::Logistic, 13},
};

class Unit {
 public:
  Unit() {
    dut_->in_valid = 0;
    dut_.Reset();
  }

  /// A cycle in which `x` is offered; whether it was taken.
  bool Offer(const Function& function, std::uint32_t x) {
    dut_->in_valid = 1;
    dut_->in_function = static_cast<std::uint8_t>(function.number);
    dut_->in_value = x;
    dut_->in_tag = next_tag_;
    dut_.Eval();
    const bool taken = dut_->in_ready != 0;
    if (taken) {
      const float result = function.golden(arithmetic::FloatOf(x));
      expected_[next_tag_] = {&function, x, arithmetic::FloatBits(result)};
      ++next_tag_;
      ++inside_;
    }
    Cycle();
    dut_->in_valid = 0;
    return taken;
  }
  void Wait() { Cycle(); }
  [[nodiscard]] int inside() const { return inside_; }
  [[nodiscard]] std::uint64_t cycles() const { return dut_.cycles(); }

 private:
  struct Expected {
    const Function* function = nullptr;
    std::uint32_t x = 0;
    std::uint32_t result = 0;
  };

  void Cycle() {
    dut_.Tick();
    if (dut_->out_valid == 0) return;
    Expected& expected = expected_[dut_->out_tag];
    ASSERT_NE(expected.function, nullptr) << "no such number is inside";
    ASSERT_EQ(dut_->out_value, expected.result)
        << fmt::format("{}({:08x}) = {:08x}, not {:08x}", expected.function->name, expected.x,
                       expected.result, dut_->out_value);
    expected.function = nullptr;
    --inside_;
  }

  tb::Dut<Vtpu_float_function> dut_;
  std::array<Expected, 256> expected_;
  std::uint8_t next_tag_ = 0;
  int inside_ = 0;
};

void Give(Unit& unit, const Function& function, std::uint32_t x) {
  while (!unit.Offer(function, x)) {
    if (::testing::Test::HasFatalFailure()) return;
  }
}

void Finish(Unit& unit) {
  for (int i = 0; i < 200 && unit.inside() > 0; ++i) unit.Wait();
  ASSERT_EQ(unit.inside(), 0);
}

TEST(FloatFunction, SpecialValues) {
  for (const Function& function : kFunctions) {
    Unit unit;
    for (const std::uint32_t x : SpecialValues()) Give(unit, function, x);
    // Both sides of the ends of all segments, and of the limits of the functions
    for (std::uint32_t upper = 0; upper <= 0xFFFF; upper += 4) {
      for (const std::uint32_t x : {upper << 16, (upper << 16) - 1}) {
        Give(unit, function, x);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
    Finish(unit);
  }
}

TEST(FloatFunction, RandomValues) {
  const std::uint64_t seed = Seed(12);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  Random random(seed);
  for (const Function& function : kFunctions) {
    Unit unit;
    for (std::uint64_t i = 0; i < Cases(30'000); ++i) {
      const std::uint32_t how = random.Bits() % 4;
      Give(unit, function, how == 0 ? random.Bits() : how == 1 ? random.Value() : random.Near(125));
      if (::testing::Test::HasFatalFailure()) return;
    }
    Finish(unit);
  }
}

TEST(FloatFunction, AllFunctionsInOneAnother) {
  const std::uint64_t seed = Seed(13);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  Random random(seed);
  Unit unit;
  for (std::uint64_t i = 0; i < Cases(30'000); ++i) {
    Give(unit, kFunctions[random.Bits() % kFunctions.size()], random.Near(125));
    if (random.Bits() % 4 == 0) unit.Wait();
    if (::testing::Test::HasFatalFailure()) return;
  }
  Finish(unit);
}

TEST(FloatFunction, AResultTakesAsManyCyclesAsItHasSteps) {
  for (const Function& function : kFunctions) {
    Unit unit;
    for (int i = 0; i < 7; ++i) Give(unit, function, 0x3F800000);
    const std::uint64_t before = unit.cycles();
    constexpr int kNumbers = 700;
    for (int i = 0; i < kNumbers; ++i) Give(unit, function, 0x3F800000);
    EXPECT_NEAR(static_cast<double>(unit.cycles() - before) / kNumbers, function.steps, 0.2)
        << function.name;
  }
}

}  // namespace
}  // namespace tpu::float_test
