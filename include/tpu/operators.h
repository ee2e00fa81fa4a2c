// SPDX-License-Identifier: Apache-2.0
// Kinds and options of operators, in the terms of TensorFlow Lite.
#pragma once

#include <cstdint>

namespace tpu {

/// Applied by clamping the output.
enum class Activation : std::uint8_t { kNone, kRelu, kRelu6, kReluN1To1 };

/// Operators that take two tensors element by element. Of integers, maximum and minimum compare the
/// integers, so that both operands and the result must have one scale and one zero point.
enum class BinaryKind : std::uint8_t { kAdd, kSub, kMul, kMaximum, kMinimum };

/// What a pooling window keeps of its pixels.
enum class PoolKind : std::uint8_t { kMax, kAverage };

/// Functions of one value.
enum class UnaryKind : std::uint8_t {
  kRelu,
  kRelu6,
  kReluN1To1,
  kLogistic,
  kTanh,
  kHardSwish,
  kElu  ///< e^x - 1 below zero.
};

/// Functions of one real number, for float32; kAbsolute and kRsqrt for int8, too.
enum class FunctionKind : std::uint8_t {
  kNegate,
  kAbsolute,
  kExp,
  kLog,
  kReciprocal,
  kRsqrt,  ///< 1 / sqrt(x).
  kSqrt,
  kSquare
};

/// What remains of the elements that a reduction takes together.
enum class ReduceKind : std::uint8_t { kMean, kSum };

/// Where a resized image's pixels come from: the nearest pixel, or the four pixels around.
enum class ResizeKind : std::uint8_t { kNearest, kBilinear };

/// Rows and columns added around the image. Convolutions read them as real zeros, pooling does not
/// read them.
struct Padding {
  std::int32_t top = 0;     ///< Rows above the image.
  std::int32_t left = 0;    ///< Columns before the image.
  std::int32_t bottom = 0;  ///< Rows below the image.
  std::int32_t right = 0;   ///< Columns behind the image.
};

/// A height and a width.
struct Extent {
  std::int32_t h = 1;  ///< Rows.
  std::int32_t w = 1;  ///< Columns.
};

}  // namespace tpu
