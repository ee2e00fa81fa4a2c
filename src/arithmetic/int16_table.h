// SPDX-License-Identifier: Apache-2.0
// TensorFlow Lite's interpolation of a function of int16 between 513 samples.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tpu::arithmetic {

class Int16Table {
 public:
  static constexpr std::size_t kSteps = 512;
  /// The bits of an argument between two samples.
  static constexpr int kFraction = 7;

  /// Samples of `function` from `least` on, 512 steps up to `most`, as 32768ths. A sample is moved
  /// by half of what interpolation misses in the middle of the step behind it. In float32, as
  /// TensorFlow Lite computes them.
  template <typename Function>
  Int16Table(float least, float most, Function function) {
    constexpr float kScale = 65536.0F / (2.0F / 65535.0F * 65535.0F);
    const float step = (most - least) / static_cast<float>(kSteps);
    const auto scaled = [&](float x) { return function(x) * kScale; };
    for (std::size_t i = 0; i < kSteps; ++i) {
      const float here = least + static_cast<float>(i) * step;
      const float sample = std::round(scaled(here));
      const float next = scaled(least + static_cast<float>(i + 1) * step);
      const float middle = std::round(scaled(here + step / 2));
      const float miss = std::round((next + sample) / 2) - middle;
      samples_[i] = Clamped(sample - std::round(miss / 2));
    }
    samples_[kSteps] = Clamped(std::round(scaled(most)));
  }

  [[nodiscard]] const std::array<std::int16_t, kSteps + 1>& Samples() const { return samples_; }

  /// The function's value where `x` stands between -32768 for the first sample and 32768 for the
  /// last one.
  [[nodiscard]] std::int16_t At(std::int16_t x) const {
    const auto place = static_cast<std::size_t>((x >> kFraction) + static_cast<int>(kSteps / 2));
    const int offset = x & ((1 << kFraction) - 1);
    const int slope = static_cast<std::int16_t>(samples_[place + 1] - samples_[place]);
    return static_cast<std::int16_t>(samples_[place] +
                                     ((slope * offset + (1 << (kFraction - 1))) >> kFraction));
  }

 private:
  static std::int16_t Clamped(float value) {
    return static_cast<std::int16_t>(std::clamp(value, -32768.0F, 32767.0F));
  }

  std::array<std::int16_t, kSteps + 1> samples_{};
};

}  // namespace tpu::arithmetic
