// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantise/float_sum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "compiler/quantise/float_rounding.h"

namespace tpu::compiler {
namespace {

constexpr int kLargerBits = 19;   // VECTOR shifts the larger operand left by so much,
constexpr int kSmallerBits = 20;  // and the smaller one before its product.

constexpr std::int32_t kLeastByte = -128;
constexpr std::int32_t kMostByte = 127;

using Results = std::array<std::array<std::int8_t, 256>, 256>;

// Of all pairs of raw values, clamped.
template <typename Function>
Results AllResults(const Function& function) {
  Results results{};
  for (std::int32_t a = kLeastByte; a <= kMostByte; ++a) {
    for (std::int32_t b = kLeastByte; b <= kMostByte; ++b) {
      results[static_cast<std::size_t>(a - kLeastByte)][static_cast<std::size_t>(b - kLeastByte)] =
          static_cast<std::int8_t>(std::clamp(function(a, b), kLeastByte, kMostByte));
    }
  }
  return results;
}

// XNNPACK's integers: the operands less their zero points times `first` and `second`, shifted
// right; halves go towards plus infinity.
struct IntegerSum {
  std::int32_t first = 0;
  std::int32_t second = 0;  // Of SUB negative.
  int shift = 0;
};

std::int32_t SignOf(ir::BinaryKind kind) { return kind == ir::BinaryKind::kSub ? -1 : 1; }

IntegerSum IntegerSumOf(ir::BinaryKind kind, float first, float second) {
  constexpr int kBits = 20;  // Below the highest bit of the larger multiplier.
  const int shift = kBits - std::ilogb(std::max(first, second));
  const auto multiplier = [&](float ratio) {
    return static_cast<std::int32_t>(std::lrint(std::ldexp(ratio, shift)));
  };
  return {.first = multiplier(first), .second = SignOf(kind) * multiplier(second), .shift = shift};
}

FloatSum XnnpackSum(const IntegerSum& sum, const ir::Tensor& first, const ir::Tensor& second,
                    const ir::Tensor& output) {
  return [sum, za = first.zero_point, zb = second.zero_point, zero_point = output.zero_point](
             std::int32_t a, std::int32_t b) {
    const std::int64_t total = std::int64_t{a - za} * sum.first + std::int64_t{b - zb} * sum.second;
    const std::int64_t half = std::int64_t{1} << (sum.shift - 1);
    return static_cast<std::int32_t>((total + half) >> sum.shift) + zero_point;
  };
}

// ONNX Runtime's QLinearAdd on processors with fused multiply-add, and its QuantizeLinear of a
// difference, which it has no operator of integers for.
FloatSum OnnxSum(ir::BinaryKind kind, const ir::Tensor& first, const ir::Tensor& second,
                 const ir::Tensor& output) {
  const auto za = static_cast<float>(first.zero_point);
  const auto zb = static_cast<float>(second.zero_point);
  if (kind == ir::BinaryKind::kSub) {
    return [=, sa = first.scale, sb = second.scale, scale = output.scale,
            zero_point = output.zero_point](std::int32_t a, std::int32_t b) {
      const float va = (static_cast<float>(a) - za) * sa;
      const float vb = (static_cast<float>(b) - zb) * sb;
      return Nearest((va - vb) / scale) + zero_point;
    };
  }
  const float ratio_a = first.scale / output.scale;
  const float ratio_b = second.scale / output.scale;
  const float product_a = ratio_a * za;
  const float product_b = ratio_b * zb;
  const float fixed = static_cast<float>(output.zero_point) - (product_a + product_b);
  return [=](std::int32_t a, std::int32_t b) {
    const float partial = std::fma(static_cast<float>(b), ratio_b, fixed);
    return Nearest(std::fma(static_cast<float>(a), ratio_a, partial));
  };
}

// What VECTOR makes of all pairs.
Results ResultsOf(ir::BinaryKind kind, const VectorSum& sum, const ir::Tensor& first,
                  const ir::Tensor& second) {
  const SumMultipliers& factors = sum.multipliers;
  const ir::Tensor& smaller = factors.first_is_larger ? second : first;
  std::array<std::int32_t, 256> products{};
  for (std::int32_t q = kLeastByte; q <= kMostByte; ++q) {
    products.at(static_cast<std::size_t>(q - kLeastByte)) =
        Multiply((q - smaller.zero_point) * (1 << kSmallerBits), factors.small, sum.rounding);
  }
  const auto product = [&](std::int32_t q) {
    return products[static_cast<std::size_t>(q - kLeastByte)];
  };
  const auto factor = static_cast<float>(
      std::ldexp(static_cast<double>(factors.output.multiplier), factors.output.shift - 31));
  return AllResults([&](std::int32_t a, std::int32_t b) {
    const std::int32_t va = a - first.zero_point;
    const std::int32_t vb = b - second.zero_point;
    const std::int32_t total =
        sum.bias + (factors.first_is_larger ? va * (1 << kLargerBits) + SignOf(kind) * product(b)
                                            : product(a) + SignOf(kind) * vb * (1 << kLargerBits));
    return sum.zero_point + (sum.rounding == Rounding::kFloat
                                 ? Nearest(static_cast<float>(total) * factor)
                                 : Multiply(total, factors.output, sum.rounding));
  });
}

int Differences(const Results& a, const Results& b) {
  int differences = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a[i].size(); ++j) differences += a[i][j] != b[i][j] ? 1 : 0;
  }
  return differences;
}

VectorSum WithoutBias(ir::BinaryKind kind, const ir::Tensor& first, const ir::Tensor& second,
                      const ir::Tensor& output, Rounding rounding) {
  const float a = first.scale / output.scale;
  const float b = second.scale / output.scale;
  VectorSum sum = {.zero_point = output.zero_point};
  if (rounding == Rounding::kFloat) {
    const IntegerSum integers = IntegerSumOf(kind, a, b);
    const std::int32_t other = std::abs(integers.second);
    const auto larger = static_cast<double>(std::max(integers.first, other));
    const double ratio = static_cast<double>(std::min(integers.first, other)) / larger;
    sum.rounding = Rounding::kSingle;
    sum.multipliers = {.first_is_larger = integers.first >= other,
                       .small = QuantizeMultiplier(std::ldexp(ratio, kLargerBits - kSmallerBits),
                                                   Rounding::kSingle),
                       .output = QuantizeMultiplier(
                           std::ldexp(larger, -integers.shift - kLargerBits), Rounding::kSingle)};
    return sum;
  }
  const float larger = std::max(a, b);
  const double ratio = static_cast<double>(std::min(first.scale, second.scale)) /
                       static_cast<double>(std::max(first.scale, second.scale));
  sum.rounding = Rounding::kFloat;
  sum.multipliers = {
      .first_is_larger = first.scale >= second.scale,
      .small = QuantizeMultiplier(std::ldexp(ratio, kLargerBits - kSmallerBits), Rounding::kSingle),
      .output = FloatMultiplier(std::ldexp(larger, -kLargerBits))};
  if (kind == ir::BinaryKind::kSub) return sum;
  // The zero point is added before rounding.
  const float steps = std::ldexp(static_cast<float>(output.zero_point) / larger, kLargerBits);
  constexpr float kMostBias = 1 << 30;
  if (std::abs(steps) > kMostBias) return sum;
  sum.bias = static_cast<std::int32_t>(std::lrint(steps));
  sum.zero_point = 0;
  return sum;
}

}  // namespace

std::optional<FloatSum> FloatSumOf(ir::BinaryKind kind, const ir::Tensor& first,
                                   const ir::Tensor& second, const ir::Tensor& output,
                                   Rounding rounding) {
  if (rounding == Rounding::kOnnxRuntime) return OnnxSum(kind, first, second, output);
  constexpr float kLeastRatio = 1.0F / 1024.0F;
  constexpr float kMostRatio = 256.0F;
  const float a = first.scale / output.scale;
  const float b = second.scale / output.scale;
  if (std::min(a, b) < kLeastRatio || std::max(a, b) >= kMostRatio) return {};
  return XnnpackSum(IntegerSumOf(kind, a, b), first, second, output);
}

VectorSum VectorSumOf(ir::BinaryKind kind, const ir::Tensor& first, const ir::Tensor& second,
                      const ir::Tensor& output, Rounding rounding, const FloatSum& sum) {
  const Results wanted = AllResults(sum);
  const VectorSum plain = WithoutBias(kind, first, second, output, rounding);
  VectorSum best = plain;
  int fewest = std::numeric_limits<int>::max();
  for (const std::int32_t slope :
       {0, 16, -16, 32, -32, 64, -64, 128, -128, 256, -256, 512, -512, 768, -768}) {
    for (const std::int32_t bias : {0, 1, -1, 2, -2, 4, -4}) {
      VectorSum candidate = plain;
      candidate.bias += bias;
      constexpr std::int32_t kMostMultiplier = std::numeric_limits<std::int32_t>::max();
      std::int32_t& small = candidate.multipliers.small.multiplier;
      if (small > kMostMultiplier - std::abs(slope)) continue;
      small += slope;
      const int differences = Differences(wanted, ResultsOf(kind, candidate, first, second));
      if (differences == 0) return candidate;
      if (differences >= fewest) continue;
      fewest = differences;
      best = candidate;
    }
  }
  return best;
}

}  // namespace tpu::compiler
