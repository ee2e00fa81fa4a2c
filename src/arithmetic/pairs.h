// SPDX-License-Identifier: Apache-2.0
// Functions of two int8 numbers with scales, to the bit as TensorFlow Lite's integer kernels
// compute them.
#pragma once

#include <cstdint>

#include "arithmetic/multiplier.h"

namespace tpu::arithmetic {

/// An integer q stands for scale * (q - zero_point).
struct Quantisation {
  float scale = 1.0F;
  std::int32_t zero_point = 0;
};

/// What SQUARED_DIFFERENCE multiplies by: the operands, with `fraction_bits` more bits, to bring
/// them to twice the larger scale, and the square of their difference.
struct SquaredDifferenceFactors {
  SquaredDifferenceFactors(float first_scale, float second_scale, float output_scale,
                           int fraction_bits, Rounding rounding);

  Multiplier first;
  Multiplier second;
  Multiplier output;
};

/// Those bits of int8; int16 has none.
inline constexpr int kDifferenceBits = 7;

/// SQUARED_DIFFERENCE of int8.
class SquaredDifference {
 public:
  SquaredDifference(const Quantisation& first, const Quantisation& second,
                    const Quantisation& output, Rounding rounding);

  [[nodiscard]] std::int8_t operator()(std::int32_t first, std::int32_t second) const;

 private:
  Quantisation first_;
  Quantisation second_;
  Quantisation output_;
  Rounding rounding_;
  SquaredDifferenceFactors factors_;
};

/// What comparisons of int8 and int16 compare: a number's real value, in 256ths.
class ComparedValue {
 public:
  ComparedValue(const Quantisation& quantisation, Rounding rounding);

  [[nodiscard]] std::int32_t operator()(std::int32_t value) const;

 private:
  std::int32_t zero_point_;
  Rounding rounding_;
  Multiplier factor_;
};

/// DIV, without an activation: the dividend times the divisor's reciprocal, which Newton's steps
/// give. Where TensorFlow Lite Micro shifts by more than 31 bits, in double rounding, the result is
/// that of x86 processors, which shift a word by the remainder modulo 32. A quotient by zero, which
/// is left open, is the largest number of the dividend's sign.
class Quotient {
 public:
  Quotient(const Quantisation& first, const Quantisation& second, const Quantisation& output,
           Rounding rounding);

  [[nodiscard]] std::int8_t operator()(std::int32_t first, std::int32_t second) const;

 private:
  [[nodiscard]] std::int32_t Scaled(std::int32_t quotient, int shift) const;
  [[nodiscard]] std::int8_t DividedByZero(std::int32_t dividend) const;

  Quantisation first_;
  Quantisation second_;
  Quantisation output_;
  Rounding rounding_;
  Multiplier factor_;
};

}  // namespace tpu::arithmetic
