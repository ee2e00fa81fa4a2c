// SPDX-License-Identifier: Apache-2.0
#include "tests/arithmetic/float_error.h"

#include <cmath>
#include <limits>

#include "arithmetic/float/float32.h"
#include "arithmetic/float/float_functions.h"

namespace tpu::float_error {
namespace {

/// In units of the last place that fp32 numbers beside `exact` have.
template <typename Real>
double Ulp(float got, Real exact) {
  return static_cast<double>(
      std::abs((static_cast<Real>(got) - exact) / std::ldexp(Real{1}, std::ilogb(exact) - 23)));
}

/// Whether only the kind of the result counts, and, if so, whether it is right.
template <typename Real>
bool IsSpecial(float got, Real exact, bool& right) {
  constexpr Real kSmallest = std::numeric_limits<float>::min();
  constexpr Real kLargest = std::numeric_limits<float>::max();
  if (std::isnan(exact)) {
    right = arithmetic::FloatBits(got) == arithmetic::kFloatNan;
  } else if (std::abs(exact) > kLargest || std::isinf(got)) {
    // Beside the largest number, either may be nearest.
    right = std::abs(exact) > kLargest * (1 - Real{0x1p-22}) && std::abs(got) >= kLargest &&
            std::signbit(got) == std::signbit(exact);
  } else if (std::abs(exact) < kSmallest || got == 0) {
    right = std::abs(exact) < kSmallest * (1 + Real{0x1p-22}) && std::abs(got) <= kSmallest &&
            std::signbit(got) == std::signbit(exact);
  } else {
    return false;
  }
  return true;
}

void MeasureOne(const Function& f, std::uint32_t input, Worst& worst) {
  constexpr double kQuickError = 1e-6;
  const float x = arithmetic::FloatOf(input);
  const float flushed = std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0F, x) : x;
  const float got = f.machine(x);
  const double quick = f.quick(flushed);
  bool right = true;
  if (IsSpecial(got, quick, right)) {
    if (!right) {
      ++worst.wrong;
      worst.wrong_input = input;
    }
  } else if (Ulp(got, quick) > worst.ulp - kQuickError) {
    const double ulp = Ulp(got, f.exact(flushed));
    if (ulp > worst.ulp) {
      worst.ulp = ulp;
      worst.input = input;
    }
  }
}

}  // namespace

const std::array<Function, 6> kFunctions{{
    {"exp", arithmetic::Exp, [](double x) { return std::exp(x); },
     [](long double x) { return std::exp(x); }},
    {"log", arithmetic::Log, [](double x) { return std::log(x); },
     [](long double x) { return std::log(x); }},
    {"reciprocal", arithmetic::Reciprocal, [](double x) { return 1 / x; },
     [](long double x) { return 1 / x; }},
    {"rsqrt", arithmetic::ReciprocalSquareRoot, [](double x) { return 1 / std::sqrt(x); },
     [](long double x) { return 1 / std::sqrt(x); }},
    {"tanh", arithmetic::Tanh, [](double x) { return std::tanh(x); },
     [](long double x) { return std::tanh(x); }},
    {"logistic", arithmetic::Logistic, [](double x) { return 1 / (1 + std::exp(-x)); },
     [](long double x) { return 1 / (1 + std::exp(-x)); }},
}};

void Measure(const Function& f, std::uint64_t first, std::uint64_t last, std::uint64_t step,
             Worst& worst) {
  for (std::uint64_t x = first; x < last; x += step) {
    MeasureOne(f, static_cast<std::uint32_t>(x), worst);
  }
}

}  // namespace tpu::float_error
