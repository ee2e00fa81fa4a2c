// SPDX-License-Identifier: Apache-2.0
// Numbers together with the most by which a machine's may differ, and the operations of a machine
// on them (docs/arithmetic.md, Floating point).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ir/graph.h"

namespace tpu::reference {

/// What an operator makes of a network's inputs without rounding.
struct Number {
  double value = 0;
  double error = 0;  ///< The machine's number lies so near, or nearer.
};
using Numbers = std::vector<Number>;

/// To the nearest of 8 significant bits, ties to even.
inline double RoundToBfloat16(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, 8)), exponent - 8);
}

inline constexpr double kRounding = 0x1p-8;  // Of 8 significant bits, relative.
inline constexpr double kFloat = 0x1p-24;    // Of fp32.
inline constexpr double kFlushed = 0x1p-126;
inline constexpr double kLargest = 0x1.FEp127;  // Of bfloat16.
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Without a bound: the machine's number may be infinite, or NaN.
inline Number Open(double value) { return {.value = value, .error = kInfinity}; }
inline bool IsOpen(const Number& n) { return n.error == kInfinity; }

// A number that may become infinite has no bound.
inline Number Checked(Number n) {
  return std::abs(n.value) + n.error <= kLargest ? n : Open(n.value);
}

inline Number Rounded(Number n) {
  n.error += kRounding * (std::abs(n.value) + n.error) + kFlushed;
  return Checked(n);
}

// One operation of fp32 more.
inline Number InFloat(Number n, int operations = 1) {
  n.error += operations * (kFloat * (std::abs(n.value) + n.error) + kFlushed);
  return Checked(n);
}

inline Number Times(Number a, Number b) {
  return Checked(
      {.value = a.value * b.value,
       .error = std::abs(a.value) * b.error + std::abs(b.value) * a.error + a.error * b.error});
}
inline Number Plus(Number a, Number b) {
  return Checked({.value = a.value + b.value, .error = a.error + b.error});
}
inline Number Minus(Number a, Number b) {
  return Checked({.value = a.value - b.value, .error = a.error + b.error});
}
inline Number Largest(Number a, Number b) {
  return {.value = std::max(a.value, b.value), .error = std::max(a.error, b.error)};
}
inline Number Smallest(Number a, Number b) {
  return {.value = std::min(a.value, b.value), .error = std::max(a.error, b.error)};
}
inline Number Clamped(Number n, double lo, double hi) {
  n.value = std::clamp(n.value, lo, hi);
  return n;
}

// A function that rises or falls everywhere between; the machine is off by 2 units in the last
// place. The machine's argument is known to lie from `least` to `most`.
template <typename Function>
Number Monotonic(Number n, Function function, double least = -kInfinity, double most = kInfinity) {
  if (IsOpen(n)) return n;
  const double y = function(n.value);
  const double error = std::max(std::abs(function(std::min(n.value + n.error, most)) - y),
                                std::abs(function(std::max(n.value - n.error, least)) - y));
  return InFloat({.value = y, .error = error}, 4);
}

// Functions with a pole at zero. Where the machine's argument may be zero they have no bound; nor
// has what is not defined below zero, where the argument may lie there.
inline Number Reciprocal(Number n) {
  if (std::abs(n.value) <= n.error) return Open(1 / n.value);
  return Monotonic(n, [](double x) { return 1 / x; });
}
inline Number Rsqrt(Number n) {
  if (n.value <= n.error) return Open(1 / std::sqrt(n.value));
  return Monotonic(n, [](double x) { return 1 / std::sqrt(x); });
}
inline Number Log(Number n) {
  if (n.value <= n.error) return Open(std::log(n.value));
  return Monotonic(n, [](double x) { return std::log(x); });
}
inline Number Exp(Number n) {
  return Monotonic(n, [](double x) { return std::exp(x); });
}
inline Number ExpUpToZero(Number n) {
  return Monotonic(
      n, [](double x) { return std::exp(x); }, -kInfinity, 0);
}
inline Number ReciprocalFromOne(Number n) {
  return Monotonic(
      n, [](double x) { return 1 / x; }, 1);
}

inline Number Activated(Number n, ir::Activation activation) {
  switch (activation) {
    case ir::Activation::kNone:
      break;
    case ir::Activation::kRelu:
      return Clamped(n, 0, kInfinity);
    case ir::Activation::kRelu6:
      return Clamped(n, 0, 6);
    case ir::Activation::kReluN1To1:
      return Clamped(n, -1, 1);
  }
  return n;
}

// A sum of products in fp32, in any order.
class Sum {
 public:
  void Add(Number a, Number b) { Add(Times(a, b)); }
  void Add(Number term) {
    sum_ = Plus(sum_, term);
    magnitude_ += std::abs(term.value) + term.error;
    ++terms_;
  }
  // Each term makes at most two additions: within its tile, and with its tile. Each of them may
  // make a number below 2^-126, which becomes zero. A partial sum is at most the sum of magnitudes.
  [[nodiscard]] Number Result() const {
    const double additions = 2.0 * terms_;
    const double n = additions * kFloat;
    if (!(magnitude_ <= kLargest)) return Open(sum_.value);
    return Checked({.value = sum_.value,
                    .error = sum_.error + n / (1 - n) * magnitude_ + (additions + 1) * kFlushed});
  }

 private:
  Number sum_;
  double magnitude_ = 0;
  int terms_ = 0;
};

}  // namespace tpu::reference
