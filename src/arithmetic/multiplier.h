// SPDX-License-Identifier: Apache-2.0
// Multiplication of an integer by a real factor, as TensorFlow Lite's integer kernels do it.
#pragma once

#include <cstdint>

namespace tpu::arithmetic {

/// TensorFlow Lite's two builds: double rounding is its default, single is TFLITE_SINGLE_ROUNDING.
/// Float is XNNPACK's: some operators multiply in float32 (compiler/quantise/float_rounding.h), and
/// the functions below count it as double. In models of ONNX it becomes ONNX Runtime's.
enum class Rounding : std::uint8_t { kDouble, kSingle, kFloat, kOnnxRuntime };

inline bool IsFloat(Rounding rounding) {
  return rounding == Rounding::kFloat || rounding == Rounding::kOnnxRuntime;
}

/// A real factor as multiplier * 2^(shift - 31), multiplier in [2^30, 2^31) or 0. (MEAN's divided
/// multipliers may go down to 2^29.)
struct Multiplier {
  std::int32_t multiplier = 0;
  std::int32_t shift = 0;
  friend bool operator==(const Multiplier&, const Multiplier&) = default;
};

/// Nearest multiplier to `factor` >= 0.
Multiplier QuantizeMultiplier(double factor, Rounding rounding);

/// (a * b * 2 + 2^31) >> 32: the high half of the doubled product, halves towards plus infinity.
std::int32_t RoundingDoublingHighMultiply(std::int32_t a, std::int32_t b);

/// x / 2^exponent to the nearest, halves away from zero. `exponent` in [0, 31].
std::int32_t RoundingDivideByPowerOfTwo(std::int32_t x, int exponent);

/// x times the factor. Double rounding rounds after the multiplication and after the right shift.
std::int32_t Multiply(std::int32_t x, const Multiplier& factor, Rounding rounding);

/// The bits of a factor that multiply sums of int16 products: the multiplier's upper 15 bits, to
/// the nearest, as TensorFlow Lite does for sums of 64 bits.
std::int32_t ReducedMultiplier(const Multiplier& factor);

/// Such a sum below 2^47 times the factor, whose shift is below 8, the same in both roundings.
std::int32_t MultiplyWide(std::int64_t x, const Multiplier& factor);

}  // namespace tpu::arithmetic
